"""Postgres stops, hangs and comes back: nobody waits for it long, and all goes on by itself when it is there."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from uuid import UUID

import psutil
import pytest

from service.servers.folder import prepared
from service.servers.postgres import Postgres
from service.store import migrate
from service.store.appender import WRITERS
from service.store.engine import Store
from service.store.rows import Outcome, OutcomeUnknown, Unavailable
from tests.service.store.story import append, opening, soon


class Server:
    """A Postgres of this test alone, which may be treated badly."""

    def __init__(self, folder: Path) -> None:
        data = prepared(folder / "data")
        self._postgres = Postgres(data, options={"fsync": "off"})  # no commit before its time: kill −9 loses none
        self._pid_file = data.postgres / "postmaster.pid"
        self.url = self._postgres.url

    def start(self) -> None:
        self._postgres.start()

    def stop(self) -> None:
        self._postgres.stop()

    def signal(self, number: signal.Signals) -> None:
        """To the server and all its children."""
        server = psutil.Process(int(self._pid_file.read_text().split()[0]))
        for process in (server, *server.children()):
            process.send_signal(number)


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    server.start()
    migrate.upgrade(server.url)
    yield server
    server.stop()


@pytest.fixture
async def store(server: Server) -> AsyncIterator[Store]:
    store = await Store.open(server.url)
    yield store
    await store.close()


async def sooner_or_later(ask: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                await ask()
            except Unavailable:
                await asyncio.sleep(0.02)  # nothing tells when Postgres is back
            else:
                return


async def everything_works(store: Store, match: UUID) -> None:
    async def play() -> None:
        version, tried = (await store.log.versions([match]))[match]
        assert await store.append(append(match, version, tried=tried)) is Outcome.TAKEN

    await sooner_or_later(play)
    # All connections of the pool, also those that nobody had noticed to be dead.
    asked: list[Callable[[], Awaitable[object]]] = [lambda: store.log.stream(match), store.pulse.beat, store.lobby.page]
    await asyncio.gather(*(sooner_or_later(ask) for ask in asked * 5))
    await asyncio.gather(*(ask() for ask in asked * 5))


async def test_a_postgres_that_stops_and_starts_is_found_again(server: Server, store: Store) -> None:
    new = opening()
    await store.create(new)
    for ending in (signal.SIGINT, signal.SIGKILL):
        before = await store.log.events(new.match)
        if ending is signal.SIGINT:
            server.stop()
        else:
            server.signal(ending)
        for _ in range(WRITERS):  # each may first have to notice that its connection is gone
            with pytest.raises(Unavailable):
                await store.append(append(new.match, len(before), not_after=soon(0.2)))
        with pytest.raises(Unavailable, match="no Postgres answers"):
            await store.append(append(new.match, len(before), not_after=soon(0.2)))
        with pytest.raises(Unavailable):
            await store.log.stream(new.match)
        with pytest.raises(Unavailable):
            await store.create(opening())

        server.start()
        await everything_works(store, new.match)
        assert (await store.log.events(new.match))[: len(before)] == before


async def test_a_postgres_that_says_nothing_keeps_nobody_waiting(server: Server, store: Store) -> None:
    new = opening()
    await store.create(new)
    await asyncio.gather(*(store.log.stream(new.match) for _ in range(5)))  # several connections
    play = append(new.match, 1, not_after=soon(0.2))
    server.signal(signal.SIGSTOP)
    try:
        async with asyncio.timeout(15):  # they take 0.45 s and twice 2 s
            with pytest.raises(OutcomeUnknown):
                await store.append(play)
            with pytest.raises(Unavailable):
                await store.log.stream(new.match)
            with pytest.raises(Unavailable):
                await Store.open(server.url)
    finally:
        server.signal(signal.SIGCONT)
    await everything_works(store, new.match)

    assert await store.log.happened(new.match, play.events[0].command) is None  # it came to it too late


async def test_closing_does_not_wait_for_a_postgres_that_says_nothing(server: Server) -> None:
    store = await Store.open(server.url)
    new = opening()
    await store.create(new)
    server.signal(signal.SIGSTOP)
    try:
        asked = asyncio.ensure_future(store.append(append(new.match, 1, not_after=soon(0.2))))
        read = asyncio.ensure_future(store.log.stream(new.match))
        await asyncio.sleep(0.05)  # both are on their way
        async with asyncio.timeout(10):
            await store.close()
        with pytest.raises(Unavailable):
            await asked
        with pytest.raises(Unavailable):
            await read
    finally:
        server.signal(signal.SIGCONT)


async def test_no_postgres_at_all_is_said_at_once(folder: Path) -> None:
    with pytest.raises(Unavailable):
        await Store.open(f"postgresql://anna@/mogelwerk?host={folder}")
