"""Processes that share a Redis, for tests of the fan-out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from uuid import UUID

from service.fanout.hub import Fanout
from service.fanout.link import Bounds, Timing
from service.fanout.news import Look, News, Subscription
from tests.service.fanout.paper_log import PaperLog
from tests.service.fanout.redis_faults import Valkey

ANNA, BEN, ONLOOKER = 0, 1, 2
QUICK = Timing(poll=0.05, patience=0.3, confirm=0.2, canary=0.1, retry=0.01, retry_cap=0.05)
NO_POLL = Timing(poll=3600, patience=0.3, confirm=10, canary=3600, retry=0.01, retry_cap=0.05)
NOBODY_WATCHES = Timing(poll=0.05, patience=0.3, confirm=0.2, canary=3600, retry=0.01, retry_cap=0.05)
IMPATIENT = Timing(poll=3600, patience=0.3, confirm=0.05, canary=3600, retry=0.01, retry_cap=0.05)
LONG = 20.0  # seconds after which something will not come any more


@asynccontextmanager
async def process(
    url: str,
    versions: Callable[[list[UUID]], Awaitable[Mapping[UUID, int]]],
    timing: Timing = QUICK,
    bounds: Bounds | None = None,
) -> AsyncIterator[Fanout]:
    fanout = await Fanout.open(url, versions, timing=timing, bounds=bounds)
    try:
        yield fanout
    finally:
        await fanout.close()


async def eventually(come: Callable[[], bool | Awaitable[bool]]) -> None:
    async with asyncio.timeout(LONG):
        while True:
            there = come()
            if there if isinstance(there, bool) else await there:
                return
            await asyncio.sleep(0.005)


async def hears(reader: Subscription, wanted: News) -> None:
    """Passes over what came before."""
    async with asyncio.timeout(LONG):
        while await reader.next() != wanted:
            pass


async def is_sent_to_the_log(reader: Subscription) -> None:
    async with asyncio.timeout(LONG):
        while not isinstance(await reader.next(), Look):
            pass


async def nobody(valkey: Valkey, name: bytes) -> bool:
    return await valkey.subscribers(name) == 0


async def somebody(valkey: Valkey, name: bytes) -> bool:
    return await valkey.subscribers(name) == 1


async def exactly(valkey: Valkey, names: set[bytes]) -> bool:
    return await valkey.channels() == names


async def is_settled(fanout: Fanout, log: PaperLog, reader: Subscription) -> None:
    polls = log.polls
    await eventually(lambda: log.polls >= polls + 3)
    while await reader.next(0):
        pass
