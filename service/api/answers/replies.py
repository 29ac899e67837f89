"""Answers as bytes: what the Referee says goes out as it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, aclosing, suppress
from typing import Any, Final

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.api.answers.told import JSON
from service.store.rows import Unavailable

_encode: Final = msgspec.json.Encoder().encode


class Whole(ASGIResponse):
    """Bytes that are ready: sent as they are, without Litestar's ways to change them."""

    def __init__(self, body: bytes, status: int, media_type: str | None, headers: Mapping[str, str]) -> None:
        self.status_code = status
        self.body = body
        self._told = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        if media_type is not None:
            self._told.append((b"content-type", media_type.encode()))
            self._told.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self._told})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def reply(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> ASGIResponse:
    return Whole(body, status, JSON, headers or {})


def reply_with(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> ASGIResponse:
    return reply(_encode(value), status, headers)


def nothing(status: int = 204, headers: Mapping[str, str] | None = None) -> ASGIResponse:
    return Whole(b"", status, None, headers or {})


class Live(ASGIResponse):
    """Messages, each sent when it comes, until there are no more or nobody reads them; then they are closed.

    ``first`` goes out at once. ``during``: entered before anything is sent, where it may raise a Problem; left when all
    have ended.
    """

    def __init__(
        self,
        messages: AsyncGenerator[bytes, None],
        media_type: str,
        *,
        first: bytes = b"",
        during: AbstractContextManager[None],
    ) -> None:
        super().__init__(media_type=media_type, headers={"cache-control": "no-store, no-transform"})
        self._messages: Final = messages
        self._first: Final = first
        self._during: Final = during

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [header for header in self.encode_headers() if header[0] != b"content-length"]
        async with aclosing(self._messages):
            with self._during:
                await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
                # What has begun passes through nothing that would look at it: thousands of messages go out a second
                straight: Send = scope["state"]["straight"]
                async with asyncio.TaskGroup() as tasks:
                    sending = tasks.create_task(self._send(straight))
                    leaving = tasks.create_task(_left(receive))
                    await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
                    sending.cancel()
                    leaving.cancel()

    async def _send(self, send: Send) -> None:
        with suppress(Unavailable):  # who reads it comes back with his cursor
            if self._first:
                await send({"type": "http.response.body", "body": self._first, "more_body": True})
            async for message in self._messages:
                await send({"type": "http.response.body", "body": message, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
