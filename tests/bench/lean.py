"""HTTP for many clients in one process: no more of it than the benchmark's servers speak."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import msgspec

HOST: Final = "127.0.0.1"


def request(method: str, path: str, token: str | None = None, body: bytes | None = None, **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"host: {HOST}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if token is not None:
        lines.append(f"authorization: Bearer {token}")
    if body is not None:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


class Connection(asyncio.Protocol):
    """One request after the other; ``answered(status, body)`` for each.

    A server hangs up on who has not asked for some seconds; then the request goes out on a new line.
    """

    def __init__(self, port: int) -> None:
        self.answered: Callable[[int, bytes], object] = lambda status, body: None
        self._port = port
        self._buffer = b""
        self._asked = b""
        self._closed = False
        self._transport: asyncio.Transport | None = None
        self._calling: asyncio.Task[None] | None = None

    def send(self, data: bytes) -> None:
        self._asked = data
        if self._transport is None or self._transport.is_closing():
            self._calling = asyncio.create_task(self._call())
        else:
            self._transport.write(data)

    def close(self) -> None:
        self._closed = True
        if self._transport is not None:
            self._transport.abort()

    async def _call(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, HOST, self._port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._asked)

    def connection_lost(self, why: Exception | None) -> None:
        self._transport = None
        self._buffer = b""
        calling = self._calling is not None and not self._calling.done()
        if self._asked and not self._closed and not calling:
            self.send(self._asked)

    def data_received(self, data: bytes) -> None:
        self._buffer = data = self._buffer + data if self._buffer else data
        head = data.find(b"\r\n\r\n") + 4
        if head < 4:
            return
        length = data.find(b"content-length: ", 0, head) + 16
        end = head + (int(data[length : data.index(b"\r", length)]) if length >= 16 else 0)
        if len(data) < end:
            return
        self._buffer = self._asked = b""
        self.answered(int(data[9:12]), data[head:end])

    async def ask(self, data: bytes) -> tuple[int, bytes]:
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        before, self.answered = self.answered, lambda *it: answer.set_result(it)
        self.send(data)
        try:
            return await answer
        finally:
            self.answered = before

    async def do(self, method: str, path: str, token: str | None = None, body: Any = None) -> Any:
        """JSON there, JSON back."""
        sent = None if body is None else msgspec.json.encode(body)
        status, answer = await self.ask(request(method, path, token, sent))
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer.decode()}")
        return msgspec.json.decode(answer) if answer else None


class Stream(asyncio.Protocol):
    """A stream of server-sent events; ``told(kind, data)`` for each."""

    def __init__(self, told: Callable[[bytes, bytes], object]) -> None:
        self._told = told
        self._buffer = bytearray()
        self._begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, port: int, path: str, token: str, after: int, told: Callable[[bytes, bytes], object]) -> Stream:
        loop = asyncio.get_running_loop()
        _, opened = await loop.create_connection(lambda: cls(told), HOST, port)
        assert opened._transport is not None
        head = request("GET", path, token, accept="text/event-stream", last_event_id=str(after))
        opened._transport.write(head)
        await opened._begun
        return opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self._begun.done():
            end = buffer.find(b"\r\n\r\n") + 4
            if end < 4:
                return
            if not buffer.startswith(b"HTTP/1.1 200"):
                self._begun.set_exception(RuntimeError(buffer.decode()))
                return
            del buffer[:end]
            self._begun.set_result(None)
        at = 0
        while (line := buffer.find(b"\r\n", at)) >= 0:
            begin = line + 2
            end = begin + int(buffer[at:line], 16)
            if len(buffer) < end + 2:
                break
            self._event(bytes(buffer[begin:end]))  # uvicorn makes one chunk of what was sent at once: one event
            at = end + 2
        del buffer[:at]

    def _event(self, text: bytes) -> None:
        head, data, rest = text.partition(b"\ndata: ")
        if data:
            self._told(head.rpartition(b"event: ")[2], rest[:-2])
