"""HTTP as uvicorn reads it, with an end to headers: httptools collects them without a limit, ever more slowly."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

MOST: Final = 65_536  # bytes before a body, and after it: the request's line, and all headers
WITHIN: Final = 10.0  # seconds in which they have to come


class Bounded(HttpToolsProtocol):
    """Answers 431 where headers are too large, 408 where they come too slowly, and closes."""

    within = WITHIN

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._in_headers = True
        self._left = MOST
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer = self.loop.call_later(self.within, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        while self._in_headers and len(data) > self._left:
            part, data = data[: self._left], data[self._left :]
            self._left = 0
            super().data_received(part)
            if self.transport.is_closing() or self._refused_as_full():
                return
        if self._in_headers:
            self._left -= len(data)
        super().data_received(data)
        if self._in_headers and self._left < MOST and self._timer is None and not self.transport.is_closing():
            self._timer = self.loop.call_later(self.within, self._too_slow)

    def on_message_begin(self) -> None:
        self._begin()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._stop_timer()
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        """After the last one, headers may come once more."""
        self._begin()

    def on_body(self, body: bytes) -> None:
        self._in_headers = False
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._begin()
        self._stop_timer()
        super().on_message_complete()

    def _refused_as_full(self) -> bool:
        if full := self._in_headers and not self._left:
            self._refuse(431)
        return full

    def _begin(self) -> None:
        self._in_headers, self._left = True, MOST

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if self._in_headers and not self.transport.is_closing():
            self._refuse(408)

    def _refuse(self, status: int) -> None:
        self._stop_timer()
        answering: RequestResponseCycle | None = self.cycle
        if answering is None or answering.response_complete:  # else it would stand within another answer
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()
