"""A stream ends when it has to, and says why; a long poll is a stream of one message."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime

import pytest

from service.fanout.hub import Fanout
from service.fanout.news import Subscription
from service.fanout.streams import Form, wait_for
from service.store.rows import Unavailable
from tests.service.fanout.listening import (
    ANNA,
    LONG,
    QUICK,
    ear,
    reading,
    set_soon,
)
from tests.service.fanout.paper_log import PaperLog, news, seqs
from tests.service.fanout.redis_faults import Valkey


async def test_a_stream_that_may_not_go_on_says_goodbye_and_nothing_else() -> None:
    log = PaperLog()
    reason: str | None = None

    async def still_allowed() -> str | None:
        return reason

    async with reading(log, sub := ear(log), still_allowed=still_allowed, check=0.05) as anna:
        assert (await anna.next()).event == "heartbeat"
        reason = "revoked"
        message = await anna.next()
        assert (message.event, message.data) == ("bye", b'{"reason":"revoked","seq":0}')
        sub.offer(log.commit())
        assert await anna.ended()


async def test_who_may_not_read_is_told_nothing_at_all() -> None:
    log = PaperLog()
    log.commit(3)

    async def never() -> str | None:
        return "seat"

    async with reading(log, ear(log), still_allowed=never) as anna:
        message = await anna.next()
        assert (message.event, message.data) == ("bye", b'{"reason":"seat","seq":0}')
        assert await anna.ended()


async def test_a_long_replay_and_a_busy_stream_are_no_way_around_the_check() -> None:
    log = PaperLog()
    for _ in range(10_000):
        log.commit()
    asked = 0

    async def three_times() -> str | None:
        nonlocal asked
        asked += 1
        return "revoked" if asked > 3 else None

    async with reading(log, ear(log), still_allowed=three_times, check=0.001) as anna:
        while (await anna.next()).event != "bye":
            assert asked <= 3
        assert await anna.ended()


@pytest.mark.parametrize("live", [True, False], ids=["as it happens", "from the log"])
async def test_after_what_may_end_a_stream_nothing_goes_out_unchecked(live: bool) -> None:
    log = PaperLog()
    left = False

    async def until_he_left() -> str | None:
        return "seat_changed" if left else None

    def may_end(body: bytes) -> bool:
        nonlocal left
        left = seqs(body) == [2]
        return left

    async with reading(log, sub := ear(log), still_allowed=until_he_left, check=3600, may_end=may_end) as ben:
        if live:
            assert (await ben.next()).event == "heartbeat"
        for _ in range(3):
            sub.offer(log.commit())
        assert await ben.until(2) == [1, 2]
        message = await ben.next()
        assert (message.event, message.data) == ("bye", b'{"reason":"seat_changed","seq":2}')
        assert await ben.ended()


async def test_while_nobody_knows_whether_he_may_read_hearts_beat_and_no_frame_goes_out() -> None:
    log = PaperLog()
    known = True

    async def still_allowed() -> str | None:
        if not known:
            raise Unavailable
        return None

    async with reading(log, sub := ear(log), still_allowed=still_allowed, check=0.01, heartbeat=0.02) as anna:
        assert (await anna.next()).event == "heartbeat"
        known = False
        await anna.next()  # the check is due with the next tick
        for _ in range(5):
            sub.offer(log.commit())
            assert (await anna.next()).event == "heartbeat"
        known = True
        while (message := await anna.next()).event == "heartbeat":
            pass
        assert seqs(message.data) == [1]
        assert await anna.until(5) == [2, 3, 4, 5]


async def test_a_log_out_of_reach_ends_no_stream() -> None:
    log = PaperLog()

    def no_time() -> datetime:
        raise Unavailable

    async with reading(log, sub := ear(log), heartbeat=0.02, now=no_time) as anna:
        assert (await anna.next()).data == b'{"seq":0}'
        log.out_of_reach = True
        log.commit(2)
        sub.look()
        for _ in range(5):
            assert (await anna.next()).event == "heartbeat"
        log.out_of_reach = False
        assert await anna.until(2) == [1, 2]


async def test_a_stream_that_cannot_begin_says_where_to_come_back() -> None:
    log = PaperLog()
    log.out_of_reach = True
    async with reading(log, ear(log), after=7) as anna:
        message = await anna.next()
        assert (message.event, message.data) == ("bye", b'{"reason":"unavailable","seq":7}')
        assert await anna.ended()


@pytest.mark.parametrize("form", ["sse", "ndjson"])
async def test_when_the_server_ends_streams_end_at_once_with_their_cursor(form: Form) -> None:
    log = PaperLog()
    log.commit(2)
    closing = asyncio.Event()
    async with reading(log, ear(log), form=form, closing=closing, check=3600) as anna:
        await anna.until(2) if form == "sse" else await anna.next()
        assert (await asyncio.gather(anna.next(), set_soon(closing)))[0].event == "bye"
        assert await anna.ended()


async def test_when_the_server_ends_in_the_middle_of_a_replay_it_is_not_read_to_its_end() -> None:
    log = PaperLog()
    for _ in range(1000):
        log.commit()
    closing = asyncio.Event()
    async with reading(log, ear(log), closing=closing) as anna:
        assert (await anna.next()).seq == 1
        closing.set()
        message = await anna.next()
        while message.event == "frames":
            message = await anna.next()
        assert message.event == "bye"
        assert message.seq <= 2


async def test_a_reader_that_goes_leaves_nothing_behind() -> None:
    log = PaperLog()
    before = asyncio.all_tasks()
    async with Valkey() as valkey:
        fanout = await Fanout.open(valkey.url, log.versions, timing=QUICK)
        running = asyncio.all_tasks()
        for _ in range(3):
            async with reading(log, fanout.subscribe(log.match, ANNA)) as anna:
                await anna.next()
                assert fanout.listening == 1
            waits = asyncio.create_task(anything(log, fanout.subscribe(log.match, ANNA)))
            await asyncio.sleep(0.01)
            assert fanout.listening == 1
            waits.cancel()
            with suppress(asyncio.CancelledError):
                await waits
            await asyncio.sleep(0)
            assert fanout.listening == 0
            assert asyncio.all_tasks() == running
        await fanout.close()
    assert asyncio.all_tasks() == before


async def anything(log: PaperLog, sub: Subscription) -> None:
    async with reading(log, sub, heartbeat=3600) as anna:
        await anna.next()
        await anna.next()


async def test_a_long_poll_answers_at_once_where_there_is_news() -> None:
    log = PaperLog()
    log.commit(3)
    assert await wait_for(log, ear(log), log.match, ANNA, after=2, timeout=3600, closing=asyncio.Event()) == 3


async def test_a_long_poll_answers_when_news_comes() -> None:
    log = PaperLog()
    for tell in (Subscription.look, lambda sub: sub.offer(log.appends[-1])):
        sub = ear(log)
        waits = asyncio.create_task(wait_for(log, sub, log.match, ANNA, log.seq, 3600, asyncio.Event()))
        sub.offer(news(1, 0))  # nothing for him
        await asyncio.sleep(0.01)
        assert not waits.done()
        log.commit()
        tell(sub)
        async with asyncio.timeout(LONG):
            assert await waits == log.seq


async def test_a_long_poll_answers_in_the_end_and_when_the_server_ends() -> None:
    log = PaperLog()
    log.commit(2)
    assert await wait_for(log, ear(log), log.match, ANNA, after=2, timeout=0.01, closing=asyncio.Event()) == 2

    closing = asyncio.Event()
    async with asyncio.timeout(LONG):
        seq, _ = await asyncio.gather(
            wait_for(log, ear(log), log.match, ANNA, after=9, timeout=3600, closing=closing), set_soon(closing)
        )
    assert seq == 2


async def test_a_long_poll_outlives_a_log_out_of_reach() -> None:
    log = PaperLog()
    sub = ear(log)
    waits = asyncio.create_task(wait_for(log, sub, log.match, ANNA, 0, 3600, asyncio.Event()))
    await asyncio.sleep(0.01)
    log.out_of_reach = True
    log.commit()
    sub.look()
    await asyncio.sleep(0.01)
    assert not waits.done()
    log.out_of_reach = False
    async with asyncio.timeout(LONG):
        assert await waits == 1
