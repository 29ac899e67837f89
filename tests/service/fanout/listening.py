"""Readers of streams, for tests: with an ear that hears what the test tells it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec

from service.fanout.link import Bounds, Counters, Timing
from service.fanout.news import Subscription
from service.fanout.streams import Form, stream
from tests.service.fanout.paper_log import PaperLog, seqs

ANNA = 0
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
QUICK = Timing(poll=0.05, patience=0.3, confirm=0.2, canary=0.1, retry=0.01, retry_cap=0.05)
LONG = 20.0  # seconds after which something will not come any more


async def may_read() -> str | None:
    return None


def ear(log: PaperLog, bounds: Bounds | None = None) -> Subscription:
    """One that tells what the test tells it."""
    return Subscription(log.match, ANNA, bounds=bounds or Bounds(), counters=Counters())


class Message(msgspec.Struct):
    event: str
    seq: int
    data: bytes


def read(raw: bytes, form: Form = "sse") -> Message:
    if form == "ndjson":
        assert raw.endswith(b"\n")
        assert raw.count(b"\n") == 1
        line = msgspec.json.decode(raw)
        return Message(line["event"], line["seq"] if "seq" in line else line["frames"][-1]["seq"], raw)
    cursor, event, data, *end = raw.split(b"\n")
    assert end == [b"", b""]
    assert data.startswith(b"data: {")
    return Message(event.removeprefix(b"event: ").decode(), int(cursor.removeprefix(b"id: ")), data[6:])


@asynccontextmanager
async def reading(
    log: PaperLog,
    sub: Subscription,
    after: int = 0,
    form: Form = "sse",
    still_allowed: Callable[[], Awaitable[str | None]] = may_read,
    closing: asyncio.Event | None = None,
    heartbeat: float = 3600.0,
    check: float = 0.02,
    now: Callable[[], Any] = lambda: NOON,
    may_end: Callable[[bytes], bool] = lambda body: False,
) -> AsyncIterator[Reader]:
    messages = stream(
        log,
        sub,
        match=log.match,
        viewer=ANNA,
        after=after,
        form=form,
        still_allowed=still_allowed,
        now=now,
        closing=closing or asyncio.Event(),
        heartbeat=heartbeat,
        check=check,
        may_end=may_end,
    )
    async with aclosing(messages):
        yield Reader(messages, form)


class Reader:
    def __init__(self, messages: AsyncIterator[bytes], form: Form) -> None:
        self._messages = messages
        self._form = form

    async def next(self) -> Message:
        async with asyncio.timeout(LONG):
            return read(await anext(self._messages), self._form)

    async def until(self, seq: int) -> list[int]:
        """All seqs of the frames up to this one."""
        told: list[int] = []
        while not told or told[-1] < seq:
            message = await self.next()
            if message.event == "frames":
                told += seqs(message.data)
                assert told[-1] == message.seq
        return told

    async def ended(self) -> bool:
        async with asyncio.timeout(LONG):
            return await anext(self._messages, None) is None


def all_up_to(seq: int) -> list[int]:
    return list(range(1, seq + 1))


async def set_soon(event: asyncio.Event) -> None:
    await asyncio.sleep(0.05)  # the reader waits by now
    event.set()
