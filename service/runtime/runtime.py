"""All that a process needs to serve matches, put together."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID

from service.fanout.hub import Fanout
from service.runtime.books import Books
from service.runtime.clock import WallClock
from service.runtime.disputes import Disputes
from service.runtime.house import House
from service.runtime.pulse import Pulse
from service.runtime.reader import Reader
from service.runtime.referee import Referee
from service.store.appender import Batch
from service.store.engine import Store
from service.store.rows import Unavailable
from service.telemetry import metrics

NAMES_LAST: Final = 30.0  # seconds for which a name may be known after its player was erased


class Runtime:
    """Opened once per process. ``referee`` takes commands, ``reader`` answers what viewers see."""

    def __init__(self, store: Store, fanout: Fanout, clock: WallClock, pulse: Pulse, *, sandbox: bool) -> None:
        self.store = store
        self.fanout = fanout
        self.clock = clock
        self.pulse = pulse
        books = Books(store, on_broken=metrics.broken_log)
        self.house = House(
            clock,
            wake=self._wake,
            due=store.log.due,
            playing=store.lobby.playing,
            drop_sandboxes=store.log.drop_sandboxes,
        )
        pulse.on_outage = self.house.outage
        self.referee = Referee(
            store,
            books,
            fanout,
            pulse,
            clock,
            sandbox=sandbox,
            expect=self.house.expect,
            on_action=metrics.action,
            on_late=metrics.deadline_late,
            settled=self.house.settled,
        )
        self.reader = Reader(store, books, clock)
        self.disputes = Disputes(self.referee, store, books, secrets.token_bytes)
        self.books = books
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, database_url: str, redis_url: str, *, sandbox: bool = True) -> Runtime:
        """Raises Unavailable where Postgres does not answer; Redis may be away."""
        clock = WallClock()
        store = await Store.open(database_url, observe=_observe, clock=clock.now)

        async def versions(matches: list[UUID]) -> Mapping[UUID, int]:
            return {match: version for match, (version, _) in (await store.log.versions(matches)).items()}

        fanout = await Fanout.open(redis_url, versions, on_delay=metrics.fanout_delay, on_count=metrics.fanout)
        runtime = cls(store, fanout, clock, Pulse(store.pulse.beat, clock), sandbox=sandbox)
        await runtime.pulse.beat()
        going_on = (runtime.pulse.run(), runtime.house.run(), runtime._forget_names())
        runtime._tasks = [asyncio.create_task(each) for each in going_on]
        return runtime

    async def close(self) -> None:
        """What is under way is still answered."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        await self.referee.drain()
        await self.fanout.close()
        await self.store.close()

    async def _forget_names(self) -> None:
        """For as long as the process lives."""
        while True:
            await asyncio.sleep(NAMES_LAST)  # nothing tells that a player was erased
            with suppress(Unavailable):
                await self.books.forget_names()

    async def _wake(self, match: UUID) -> None:
        await self.referee.wake(match)


def _observe(batch: Batch) -> None:
    if batch.answered:
        metrics.append(batch.matches, batch.seconds)
