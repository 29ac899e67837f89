"""What a stream tells, in which form, from which cursor on, and when it beats."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from service.fanout.streams import Form, stream
from tests.service.fanout.listening import (
    ANNA,
    LONG,
    NOON,
    ear,
    may_read,
    reading,
)
from tests.service.fanout.paper_log import PaperLog, news


async def test_a_reader_is_told_the_log_and_then_what_happens() -> None:
    log = PaperLog()
    log.commit(3)
    log.commit(1)
    async with reading(log, sub := ear(log)) as anna:
        assert (await anna.next()).data == log.appends[0].body
        assert (await anna.next()).data == log.appends[1].body
        sub.offer(log.commit(2))
        message = await anna.next()
        assert (message.event, message.seq, message.data) == ("frames", 6, log.appends[2].body)
        assert log.reads == 1


async def test_each_form_is_what_its_readers_expect() -> None:
    log = PaperLog()
    log.commit()
    expected = {
        "sse": [
            b'id: 1\nevent: frames\ndata: {"frames":[{"seq":1}]}\n\n',
            b'id: 1\nevent: heartbeat\ndata: {"seq":1,"server_time":"2026-01-01T12:00:00Z"}\n\n',
            b'id: 1\nevent: bye\ndata: {"reason":"closing","seq":1}\n\n',
        ],
        "ndjson": [
            b'{"event":"frames","frames":[{"seq":1}]}\n',
            b'{"event":"heartbeat","seq":1,"server_time":"2026-01-01T12:00:00Z"}\n',
            b'{"event":"bye","reason":"closing","seq":1}\n',
        ],
    }
    forms: tuple[Form, ...] = ("sse", "ndjson")
    for form in forms:
        closing = asyncio.Event()
        messages = stream(
            log,
            ear(log),
            match=log.match,
            viewer=ANNA,
            after=0,
            form=form,
            still_allowed=may_read,
            now=lambda: NOON,
            closing=closing,
            heartbeat=0.01,
        )
        told = [await anext(messages), await anext(messages)]
        closing.set()
        assert told + [message async for message in messages] == expected[form]


@pytest.mark.parametrize("after, told", [(0, [1, 2, 3, 4, 5, 6]), (2, [3, 4, 5, 6]), (3, [4, 5, 6]), (5, [6])])
async def test_a_cursor_is_resumed_from_even_in_the_middle_of_an_append(after: int, told: list[int]) -> None:
    log = PaperLog()
    log.commit(3)
    log.commit(3)
    async with reading(log, ear(log), after=after) as anna:
        assert await anna.until(6) == told


async def test_a_cursor_in_the_middle_of_live_news_takes_the_rest_from_the_log() -> None:
    log = PaperLog()
    log.commit(1)
    async with reading(log, sub := ear(log), after=1) as anna:
        assert (await anna.next()).event == "heartbeat"
        log.appends[0] = news(1, 3, 1)
        sub.offer(log.appends[0])
        assert await anna.until(3) == [2, 3]


async def test_a_cursor_ahead_of_the_log_is_set_back() -> None:
    log = PaperLog()
    log.commit(2)
    async with reading(log, sub := ear(log), after=40) as anna:
        message = await anna.next()
        assert (message.event, message.seq, message.data) == ("reset", 2, b'{"seq":2}')
        sub.offer(log.commit())
        assert await anna.until(3) == [3]


async def test_a_reader_with_nothing_to_read_gets_a_heartbeat_at_once() -> None:
    log = PaperLog()
    log.commit(2)
    async with reading(log, ear(log), after=2) as anna:
        message = await anna.next()
        assert (message.event, message.seq) == ("heartbeat", 2)


async def test_a_silent_stream_beats_and_a_busy_one_need_not() -> None:
    log = PaperLog()

    async def match_time() -> datetime:
        return NOON

    async with reading(log, sub := ear(log), heartbeat=0.05, now=match_time) as anna:
        assert [(await anna.next()).event for _ in range(4)] == ["heartbeat"] * 4
    async with reading(log, sub := ear(log), heartbeat=3600) as anna:
        assert (await anna.next()).event == "heartbeat"
        for _ in range(20):
            sub.offer(log.commit())
            assert (await anna.next()).event == "frames"


async def test_heartbeats_wait_for_nothing_but_their_time() -> None:
    log = PaperLog()
    loop = asyncio.get_running_loop()
    async with reading(log, ear(log), heartbeat=0.1, check=3600) as anna:
        await anna.next()
        before = loop.time()
        assert (await anna.next()).event == "heartbeat"
        assert loop.time() - before < LONG, "nor do they wait for anything else"
