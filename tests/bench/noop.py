"""A service that does nothing: it decodes an action and encodes an answer, both as large as in earnest."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import msgspec
from litestar import Litestar, Request, post
from litestar.response.base import ASGIResponse

from domain.games.cheat.actions import PlayerAction
from service.settings import Settings

ANSWER: Final = "MOGELWERK_BENCH_ANSWER"
"""The file with an answer to encode."""

_action: Final = msgspec.json.Decoder(PlayerAction).decode
_encode: Final = msgspec.json.Encoder().encode


def create_app(settings: Settings) -> Litestar:
    answer = msgspec.json.decode(Path(os.environ[ANSWER]).read_bytes())

    @post("/noop")
    async def noop(request: Request[Any, Any, Any]) -> ASGIResponse:
        _action(await request.body())
        return ASGIResponse(body=_encode(answer), status_code=201, media_type="application/json")

    return Litestar([noop], openapi_config=None, logging_config=None)
