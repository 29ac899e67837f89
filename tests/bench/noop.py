"""A POST that does nothing: it decodes an action and encodes an answer, both as large as in earnest.

In the service's own process, behind its default middleware, with no auth, limiter or store; and, for the record, in a
process that has nothing else.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from litestar import Litestar, Request, post
from litestar.response.base import ASGIResponse

from domain.games.cheat.actions import PlayerAction
from service import app as earnest
from service.api.answers.replies import reply
from service.api.requests.decoding import raw
from service.settings import Settings

ANSWER: Final = "MOGELWERK_BENCH_ANSWER"
"""The file with an answer to encode; it is there before the first request is."""

_action: Final = msgspec.json.Decoder(PlayerAction).decode
_encode: Final = msgspec.json.Encoder().encode


def create_app(settings: Settings) -> Litestar:
    """The service, and one route more."""

    @post("/noop")
    async def noop(request: Request[Any, Any, Any]) -> ASGIResponse:
        _action(raw(request))
        return reply(_encode(_answer()), 201)

    app = earnest.create_app(settings)
    app.register(noop)
    return app


def create_bare(settings: Settings) -> Litestar:
    """One route, and neither log nor metrics nor anything else around it."""

    @post("/noop")
    async def noop(request: Request[Any, Any, Any]) -> ASGIResponse:
        _action(await request.body())
        return ASGIResponse(body=_encode(_answer()), status_code=201, media_type="application/json")

    return Litestar([noop], openapi_config=None, logging_config=None)


@cache
def _answer() -> Any:
    return msgspec.json.decode(Path(os.environ[ANSWER]).read_bytes())
