"""What it costs to tell, and to listen: `python -m tests.bench.fanout [seconds per case]`.

Valkey is one of our own, on a Unix socket. Publisher and readers share one process and one core of it.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Final, Self
from uuid import UUID, uuid4

import psutil

from service.fanout.hub import Fanout
from service.fanout.link import Bounds
from service.fanout.news import News, Subscription, channel, pack
from service.fanout.streams import stream
from tests.service.fanout.paper_log import PaperLog
from tests.service.fanout.redis_faults import Valkey

BODY: Final = b'{"frames":[' + b"x" * 1500 + b"]}"
MATCHES: Final = 50
VIEWERS: Final = 5
IDLE: Final = 5000
ROOM: Final = Bounds(reader_news=10_000, reader_bytes=64 * 1024 * 1024)


async def nothing_moves(matches: list[UUID]) -> Mapping[UUID, int]:
    return {}


async def may_read() -> str | None:
    return None


class Crowd:
    """Readers that read, and count together."""

    def __init__(self, fanout: Fanout, places: list[tuple[UUID, int]]) -> None:
        self.heard = 0
        self.missed = 0
        self._fanout = fanout
        self._places = places

    async def __aenter__(self) -> Self:
        self._stack = AsyncExitStack()
        subs = [self._fanout.subscribe(match, viewer) for match, viewer in self._places]
        for sub in subs:
            await self._stack.enter_async_context(sub)
        self._tasks = [asyncio.create_task(self._read(sub)) for sub in subs]
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)
        await self._stack.aclose()

    async def _read(self, sub: Subscription) -> None:
        while True:
            if isinstance(await sub.next(10), News):
                self.heard += 1
            else:
                self.missed += 1


async def local(fanout: Fanout, readers: int, seconds: float) -> float:
    """From the connection's side of the process to readers of one channel, each a task that waits."""
    match = uuid4()
    name, payload = channel(match, 0), pack(News(1, 1, BODY, 1))
    async with Crowd(fanout, [(match, 0)] * readers) as crowd:
        began = time.perf_counter()
        while time.perf_counter() < began + seconds:
            for _ in range(20):
                fanout.heard(name, payload)
            await asyncio.sleep(0)
        return crowd.heard / (time.perf_counter() - began)


async def through_redis(fanout: Fanout, readers: int, seconds: float) -> tuple[float, float]:
    """News and deliveries a second, as fast as it goes: all viewers of every match are told, each with some readers."""
    matches = [uuid4() for _ in range(MATCHES)]
    news = dict.fromkeys(range(VIEWERS), News(1, 1, BODY, 1))
    places = [(match, viewer) for match in matches for viewer in range(VIEWERS)] * readers
    async with Crowd(fanout, places) as crowd:
        told, began = 0, time.perf_counter()
        while time.perf_counter() < began + seconds:
            for match in matches:
                fanout.publish(match, news)
                told += len(news)
            while told - crowd.heard / readers > 1000:  # noqa: ASYNC110  # far behind, Redis would hang up on us
                await asyncio.sleep(0)
        took = time.perf_counter() - began
        assert not crowd.missed
        return crowd.heard / readers / took, crowd.heard / took


async def delay(fanout: Fanout, seconds: float) -> tuple[float, float]:
    """Milliseconds from publish to a reader, median and p99, at 200 appends per second with 4 readers each."""
    match, delays = uuid4(), list[float]()
    async with AsyncExitStack() as seats:
        heard = [await seats.enter_async_context(fanout.subscribe(match, viewer)) for viewer in range(4)]
        for _ in range(int(200 * seconds)):
            told = time.perf_counter()

            async def hear(reader: Subscription, told: float = told) -> float:
                await reader.next(10)
                return time.perf_counter() - told

            fanout.publish(match, dict.fromkeys(range(4), News(1, 1, BODY, 1)))
            delays += await asyncio.gather(*map(hear, heard))
            await asyncio.sleep(max(0.0, told + 1 / 200 - time.perf_counter()))
    return statistics.median(delays) * 1000, statistics.quantiles(delays, n=100)[98] * 1000


async def idle_subscriptions(fanout: Fanout) -> float:
    """Bytes of one, each on a channel of its own."""
    before = _resident()
    async with AsyncExitStack() as seats:
        subs = [fanout.subscribe(uuid4(), 0) for _ in range(IDLE)]
        for at in range(0, IDLE, 100):
            await asyncio.gather(*(seats.enter_async_context(sub) for sub in subs[at : at + 100]))
        return (_resident() - before) / IDLE


async def idle_streams(fanout: Fanout, seconds: float) -> tuple[float, float]:
    """Bytes of one, each on a channel of its own and with a task that reads it; and its share of a core in percent."""
    log, closing, before = PaperLog(), asyncio.Event(), _resident()

    async def read() -> None:
        async for _ in stream(
            log,
            fanout.subscribe(uuid4(), 0),
            match=log.match,
            viewer=0,
            after=0,
            form="sse",
            still_allowed=may_read,
            now=lambda: datetime.now(UTC),
            closing=closing,
        ):
            pass

    readers = []
    for _ in range(IDLE // 100):
        readers += [asyncio.create_task(read()) for _ in range(100)]
        await asyncio.sleep(0.02)
    while fanout.listening < IDLE:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    memory = (_resident() - before) / IDLE
    await asyncio.sleep(3)
    began, used = time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds * 3)
    share = (time.process_time() - used) / (time.perf_counter() - began)
    closing.set()
    await asyncio.gather(*readers)
    return memory, 100 * share / IDLE


def _resident() -> int:
    return psutil.Process().memory_info().rss


async def main(seconds: float) -> None:
    async with Valkey() as valkey:
        fanout = await Fanout.open(valkey.url, nothing_moves, bounds=ROOM)
        memory = await idle_subscriptions(fanout)
        print(f"an idle subscription: {memory / 1000:.1f} kB")
        memory, share = await idle_streams(fanout, seconds)
        print(f"an idle stream, its subscription included: {memory / 1000:.1f} kB, {share:.5f} % of a core")
        for readers in (1, 50):
            print(f"local, {readers} readers of a channel: {await local(fanout, readers, seconds):,.0f} deliveries/s")
        for readers in (1, 20):
            told, rate = await through_redis(fanout, readers, seconds)
            what = f"through Redis, {MATCHES} matches of {VIEWERS} viewers, {readers} readers each"
            print(f"{what}: {told:,.0f} news/s, {rate:,.0f} deliveries/s")
        median, p99 = await delay(fanout, seconds)
        print(f"from publish to a reader at 200 appends/s with 4 viewers: median {median:.2f} ms, p99 {p99:.2f} ms")
        await fanout.close()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 2))
