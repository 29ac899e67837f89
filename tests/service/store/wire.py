"""A wire to Postgres that can be listened to and cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

SYNC = b"S"  # ends what a client asks in one round trip of the extended protocol; a simple query is one too
SIMPLE = b"Q"


LAST_WORDS = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"


class Cut(Enum):
    BEFORE_IT_IS_ASKED = auto()  # the next that is asked never reaches Postgres
    BEFORE_IT_IS_ANSWERED = auto()  # Postgres does it, and the answer never comes back


class Wire:
    """``round_trips``: how often Postgres was asked something. ``cut`` is done once, to whoever asks after the next
    ``spared``."""

    def __init__(self, database_url: str, folder: Path) -> None:
        parts = urlsplit(database_url)
        given = parse_qs(parts.query)
        self._host = given["host"][0] if "host" in given else (parts.hostname or "localhost")
        self._port = int(given["port"][0]) if "port" in given else (parts.port or 5432)
        self._socket = folder / ".s.PGSQL.5432"
        who = parts.netloc.rpartition("@")[0]
        self.url = f"postgresql://{who}@{parts.path}?host={quote(str(folder), safe='')}"
        self.round_trips = 0
        self.cut: Cut | None = None
        self.spared = 0
        self.idle = asyncio.Event()  # cleared: nothing that clients send goes on
        self.idle.set()
        self._clients: set[asyncio.StreamWriter] = set()

    def say_last_words(self) -> None:
        """Postgres says to all that it ends their connections, and has not ended them yet."""
        for client in self._clients:
            client.write(b"E" + (len(LAST_WORDS) + 4).to_bytes(4, "big") + LAST_WORDS)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Wire]:
        server = await asyncio.start_unix_server(self._joined, self._socket)
        try:
            yield self
        finally:
            server.close()

    async def _joined(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        if self._host.startswith("/"):
            server, to_server = await asyncio.open_unix_connection(f"{self._host}/.s.PGSQL.{self._port}")
        else:
            server, to_server = await asyncio.open_connection(self._host, self._port)
        self._clients.add(to_client)
        deaf = asyncio.Event()  # the client hears no more
        back = asyncio.create_task(self._answers(server, to_client, deaf))
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            first = await client.readexactly(4)
            to_server.write(first + await client.readexactly(int.from_bytes(first, "big") - 4))
            while True:
                head = await client.readexactly(5)
                message = head + await client.readexactly(int.from_bytes(head[1:], "big") - 4)
                await self.idle.wait()
                if head[:1] in (SYNC, SIMPLE):
                    self.round_trips += 1
                    cut = None
                    if self.cut is not None and self.spared == 0:
                        cut, self.cut = self.cut, None
                    self.spared -= self.spared > 0
                    if cut is Cut.BEFORE_IT_IS_ASKED:
                        break
                    if cut is Cut.BEFORE_IT_IS_ANSWERED:
                        deaf.set()
                to_server.write(message)
                await to_server.drain()
        if not deaf.is_set():
            to_server.transport.abort()
        await back
        self._clients.discard(to_client)
        to_client.transport.abort()
        to_server.transport.abort()

    async def _answers(
        self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter, deaf: asyncio.Event
    ) -> None:
        with suppress(ConnectionError):
            while chunk := await server.read(65536):
                if deaf.is_set():  # Postgres answers when it has committed: now the client may learn that it lost it
                    break
                to_client.write(chunk)
                await to_client.drain()
        to_client.transport.abort()
