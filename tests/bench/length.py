"""What an action costs at the beginning of a match and two thousand events later, and how often it asks the servers."""

from __future__ import annotations

import asyncio
import statistics
from collections import Counter
from typing import Final
from uuid import uuid4

import asyncpg
from msgspec import Struct
from redis.asyncio import Redis
from redis.asyncio.client import Monitor

from tests.bench.crowd import Crowd, Table
from tests.bench.report import Row, Section, ratio, us
from tests.bench.serving import Servers, Service, servers, service

NAME: Final = "length"
PAIRS: Final = 5
YOUNG: Final = (1, 100)
OLD: Final = (1901, 2000)
COUNTED: Final = 600  # actions: thirty times round the table, and long enough for a canary


def run() -> Section:
    with (
        servers(shared_preload_libraries="pg_stat_statements") as backends,
        service(backends) as own,
    ):
        return asyncio.run(_run(backends, own))


async def _run(backends: Servers, own: Service) -> Section:
    crowd = Crowd(own.port)
    old = await crowd.sit_down(PAIRS + 1)
    await crowd.listen()
    crowd.begin()
    while any(table.open for table in old):
        for table in old:
            table.open = table.seq < OLD[0] - 1 - 20  # some are still on their way
        await asyncio.sleep(0.002)
    await crowd.rest()
    young = await crowd.sit_down(PAIRS + 1)
    await crowd.listen()
    pairs = [await _pair(*tables) for tables in zip(young[:-1], old[:-1], strict=True)]
    ratios = [late / early for early, late in pairs]
    counts = [await _count(backends, table) for table in (young[-1], old[-1])]
    early, late = counts
    return Section(
        NAME,
        "Actions early and late in a match",
        f"{PAIRS} pairs of matches, one at events {YOUNG[0]}–{YOUNG[1]} and one at {OLD[0]:,}–{OLD[1]:,}, act in turn, "
        "one action at a time: from the request until it is answered and all four streams have brought it. Statements "
        f"as Postgres counts them (pg_stat_statements), messages as Valkey does (MONITOR), over {COUNTED} actions.",
        (
            Row("early, median", us([early for early, _ in pairs])),
            Row("late, median", us([late for _, late in pairs])),
            Row("late against early", ratio(ratios), "≤ 1.15", met=statistics.median(ratios) <= 1.15),
            _same("statements of an action, early / late", early.appends, late.appends),
            _same("messages of an action, early / late", early.messages, late.messages),
            Row("statements by the clock, meanwhile", f"{early.others:.0f}/s / {late.others:.0f}/s"),
            Row("canaries by the clock, meanwhile", f"{early.canaries:.1f}/s / {late.canaries:.1f}/s"),
        ),
    )


class Asked(Struct, frozen=True):
    """For an action: statements that append, messages to its match's viewers. For a second: what else is asked."""

    appends: float
    messages: float
    others: float
    canaries: float


def _same(what: str, early: float, late: float) -> Row:
    return Row(what, f"{early:.2f} / {late:.2f}", "the same", met=early == late)


async def _pair(young: Table, old: Table) -> tuple[float, float]:
    """Medians of seconds."""
    while old.seq < OLD[0] - 1:
        await old.step()
    early, late = [], []
    while young.seq < YOUNG[1] and old.seq < OLD[1]:
        early.append(await young.step())
        late.append(await old.step())
    return statistics.median(early), statistics.median(late)


async def _count(backends: Servers, table: Table) -> Asked:
    database, valkey = await asyncpg.connect(backends.database_url), Redis.from_url(backends.redis_url)
    await database.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    await database.execute("SELECT pg_stat_statements_reset()")
    loop = asyncio.get_running_loop()
    async with valkey.monitor() as monitor:
        began = loop.time()
        for _ in range(COUNTED):
            await table.step()
        took = loop.time() - began
        told = await _channels(valkey, monitor)
    asked = await database.fetch("SELECT query, calls FROM pg_stat_statements WHERE query !~ 'pg_stat_statements'")
    await database.close()
    await valkey.aclose()
    appends = sum(row["calls"] for row in asked if "INSERT INTO event" in row["query"])
    others = sum(row["calls"] for row in asked) - appends
    messages, canaries = told[table.match], sum(told.values()) - told[table.match]
    return Asked(appends / COUNTED, messages / COUNTED, others / took, canaries / took)


async def _channels(valkey: Redis, monitor: Monitor) -> Counter[str]:
    """How many messages Valkey has taken until now, by what they were about: a match, or a canary."""
    last, told = str(uuid4()), Counter[str]()
    await valkey.echo(last)
    while last not in (command := (await monitor.next_command())["command"]):
        kind, _, rest = command.partition(" ")
        if kind == "SPUBLISH":
            told[rest[rest.index("{") + 1 : rest.index("}")]] += 1
    return told
