"""What an append costs, against an event that is merely inserted: `python -m tests.bench.append [seconds per case]`.

Cases take turns, so that a slow minute of the machine hits all of them; only the ratios mean anything. Postgres is one
of our own, on a new folder, with fsync on. Each append is what a play is: an event, an attempt, a key and a deadline.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import asyncpg
from msgspec.structs import replace

from service.servers.folder import prepared
from service.servers.postgres import Postgres
from service.store import migrate
from service.store.append import STATEMENT, arguments, outcomes
from service.store.appender import Appender
from service.store.engine import Store
from service.store.rows import Append, Outcome
from tests.backends import short_folder
from tests.service.store.story import append, event, opening, soon

CONNECTIONS: Final = 2
MATCHES: Final = 400
ROUNDS: Final = 5
DUE: Final = timedelta(seconds=8)
PATIENCE: Final = timedelta(seconds=5)

Case = Callable[[float], Awaitable[int]]


class Standing:
    """A match as its only writer knows it. All it appends follows one pattern: making it up shall cost nothing."""

    def __init__(self, match: UUID) -> None:
        self.match, self.version = match, 1
        self._play = append(match, 1, attempts=1, word="k", due=soon() + DUE)

    def play(self) -> Append:
        pattern, before, now = self._play, self.version, datetime.now(UTC)
        [event], [attempt], key = pattern.events, pattern.attempts, pattern.key
        assert key is not None
        return replace(
            pattern,
            expected_version=before,
            expected_attempts=before - 1,
            not_after=now + PATIENCE,
            due=now + DUE,
            events=(replace(event, version=before + 1),),
            attempts=(replace(attempt, n=before),),
            key=replace(key, key=f"key-{before}", before=before, after=before + 1),
        )


async def inserted(url: str, seconds: float) -> int:
    """One event, one row, one commit at a time, on as many connections."""

    async def run() -> int:
        connection = await asyncpg.connect(url)
        columns = "match, version, at, received_at, by, tag, command, envelope, salt, head, seqs, heads"
        sql = f"INSERT INTO event ({columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"  # noqa: S608
        statement = await connection.prepare(sql)
        match, done, end = uuid4(), 0, time.perf_counter() + seconds
        e = event(match, 1, match)
        while time.perf_counter() < end:
            done += 1
            values = done, e.at, e.received_at, e.by, e.tag, e.command, e.envelope, e.salt, e.head, e.seqs, e.heads
            await statement.fetch(match, *values)
        await connection.close()
        return done

    return sum(await asyncio.gather(*(run() for _ in range(CONNECTIONS))))


def in_batches(url: str, standings: list[Standing], size: int) -> Case:
    """The statement itself, with so many matches in each."""

    async def case(seconds: float) -> int:
        async def run(own: list[Standing]) -> int:
            settings = {"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "jit": "off"}
            connection = await asyncpg.connect(url, server_settings=settings)
            statement = await connection.prepare(STATEMENT)
            done, end, n = 0, time.perf_counter() + seconds, 0
            while time.perf_counter() < end:
                batch = [own[(n + i) % len(own)] for i in range(size)]
                n += size
                answer = await statement.fetchval(*arguments([it.play() for it in batch]))
                assert set(outcomes(answer)) == {Outcome.TAKEN}
                for it in batch:
                    it.version += 1
                done += size
            await connection.close()
            return done

        half = len(standings) // CONNECTIONS
        return sum(await asyncio.gather(*(run(standings[n * half :][:half]) for n in range(CONNECTIONS))))

    return case


def through_the_appender(appender: Appender, standings: list[Standing], callers: int) -> Case:
    """Callers that each wait for their own answer before they append again."""

    async def case(seconds: float) -> int:
        end = time.perf_counter() + seconds

        async def run(own: Standing) -> int:
            done = 0
            while time.perf_counter() < end:
                assert await appender.append(own.play()) is Outcome.TAKEN
                own.version += 1
                done += 1
            return done

        return sum(await asyncio.gather(*(run(own) for own in standings[:callers])))

    return case


async def main(url: str, seconds: float) -> None:
    store = await Store.open(url)
    standings = []
    for _ in range(MATCHES):
        new = opening()
        assert await store.create(new) is Outcome.TAKEN
        standings.append(Standing(new.match))
    cases: dict[str, Case] = {"single inserts": lambda seconds: inserted(url, seconds)}
    cases |= {f"batches of {size}": in_batches(url, standings, size) for size in (1, 8, 32, 100)}
    cases |= {
        f"{callers} callers": through_the_appender(store._appender, standings, callers) for callers in (1, 8, 32, 256)
    }
    rates: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(ROUNDS):
        for name, case in cases.items():
            began = time.perf_counter()
            done = await case(seconds)
            rates[name].append(done / (time.perf_counter() - began))
    await store.close()
    base = statistics.median(rates["single inserts"])
    print(f"{'case':<18}{'appends/s':>10}{'ratio':>8}   ({CONNECTIONS} connections, fsync on)")
    for name, found in rates.items():
        print(f"{name:<18}{statistics.median(found):>10,.0f}{statistics.median(found) / base:>8.2f}")


if __name__ == "__main__":
    with short_folder() as place:
        server = Postgres(prepared(place / "data"))
        server.start()
        try:
            migrate.upgrade(server.url)
            asyncio.run(main(server.url, float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
        finally:
            server.stop()
