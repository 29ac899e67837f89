"""From the commit to the frame at a client's stream."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Final
from uuid import UUID

import asyncpg
import msgspec

from tests.bench.crowd import Crowd, Seat
from tests.bench.report import Row, Section, ms
from tests.bench.serving import Servers, Service, servers, service

NAME: Final = "delay"
TABLES: Final = 50
RATE: Final = 200  # actions a second
SECONDS: Final = 15.0


def run() -> Section:
    with servers(track_commit_timestamp="on") as backends, service(backends) as own:
        return asyncio.run(_run(backends, own))


async def _run(backends: Servers, own: Service) -> Section:
    crowd = Crowd(own.port)
    await crowd.sit_down(TABLES)
    await crowd.listen()
    await crowd.play_at(RATE, 3)  # warm
    came: list[tuple[str, int, float]] = []

    def heard(seat: Seat, data: bytes) -> None:
        now = time.time()
        came.append((seat.table.match, msgspec.json.decode(data, type=_Last).seq, now))

    crowd.heard = heard
    before, busy, began = crowd.accepted, own.cpu(), time.perf_counter()
    await crowd.play_at(RATE, SECONDS)
    took = time.perf_counter() - began
    done, busy = crowd.accepted - before, own.cpu() - busy
    committed = await _commits(backends, crowd)
    late = [now - committed[match, seq] for match, seq, now in came]
    return Section(
        NAME,
        "From the commit to the frame",
        f"{TABLES} matches, {len(list(crowd.seats))} open streams, {done / took:.0f} actions/s for {SECONDS:.0f} s. "
        "From Postgres's timestamp of the commit, which is from before its fsync, to the frame in the client's hands.",
        (
            Row("median", ms(statistics.median(late))),
            Row("p99", ms(statistics.quantiles(late, n=100)[98])),
            Row("longest", ms(max(late))),
            Row("frames", f"{len(late):,}"),
            Row("the worker's core, busy", f"{busy / took:.0%}"),
        ),
    )


class _Last(msgspec.Struct):
    seq: int


async def _commits(backends: Servers, crowd: Crowd) -> dict[tuple[str, int], float]:
    """When each event was committed, by match and version: in Cheat everybody is told of all, so that is the seq."""
    database = await asyncpg.connect(backends.database_url)
    rows = await database.fetch(
        "SELECT match, version, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 AS at "
        "FROM event WHERE match = ANY($1::uuid[])",
        [UUID(table.match) for table in crowd.tables],
    )
    await database.close()
    return {(str(row["match"]), row["version"]): row["at"] for row in rows}
