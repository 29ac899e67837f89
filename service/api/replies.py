"""Answers as bytes: what the Referee says goes out as it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Send

from service.api.told import JSON

_encode: Final = msgspec.json.Encoder().encode


def reply(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> ASGIResponse:
    return ASGIResponse(body=body, status_code=status, media_type=JSON, headers=dict(headers or {}))


def reply_with(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> ASGIResponse:
    return reply(_encode(value), status, headers)


def nothing(status: int = 204, headers: Mapping[str, str] | None = None) -> ASGIResponse:
    return ASGIResponse(status_code=status, headers=dict(headers or {}))


class Live(ASGIResponse):
    """Messages, each sent when it comes, until there are no more or nobody reads them; then they are closed."""

    _should_set_content_length = False

    def __init__(self, messages: AsyncGenerator[bytes, None], media_type: str) -> None:
        super().__init__(media_type=media_type, headers={"cache-control": "no-store, no-transform"})
        self._messages: Final = messages

    async def send_body(self, send: Send, receive: Receive) -> None:
        async with aclosing(self._messages) as messages, asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(_send(messages, send))
            leaving = tasks.create_task(_left(receive))
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            sending.cancel()
            leaving.cancel()


async def _send(messages: AsyncGenerator[bytes, None], send: Send) -> None:
    async for message in messages:
        await send({"type": "http.response.body", "body": message, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
