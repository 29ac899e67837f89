"""News reaches every process and every reader that it is for, and a slow one delays nobody."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from uuid import uuid4

import pytest
from redis.crc import key_slot

from service.fanout.hub import LARGEST
from service.fanout.link import Bounds
from service.fanout.news import Look, News, channel, pack, unpack
from tests.service.fanout.paper_log import PaperLog, news
from tests.service.fanout.processes import (
    ANNA,
    BEN,
    LONG,
    NO_POLL,
    ONLOOKER,
    eventually,
    exactly,
    hears,
    nobody,
    process,
)
from tests.service.fanout.redis_faults import Valkey


async def test_what_one_process_tells_readers_in_both_hear(valkey: Valkey, log: PaperLog) -> None:
    async with (
        process(valkey.url, log.versions, NO_POLL) as here,
        process(valkey.url, log.versions, NO_POLL) as there,
        here.subscribe(log.match, ANNA) as near,
        there.subscribe(log.match, ANNA) as far,
    ):
        told = [log.commit() for _ in range(200)]
        for item in told:
            here.publish(log.match, {ANNA: item})
        assert [await near.next(LONG) for _ in told] == told
        assert [await far.next(LONG) for _ in told] == told


async def test_each_viewer_hears_only_what_is_for_him(valkey: Valkey, log: PaperLog) -> None:
    async with (
        process(valkey.url, log.versions, NO_POLL) as fanout,
        fanout.subscribe(log.match, ANNA) as anna,
        fanout.subscribe(log.match, BEN) as ben,
        fanout.subscribe(uuid4(), ANNA) as elsewhere,
    ):
        fanout.publish(log.match, {ANNA: news(1, 1), BEN: news(1, 2), ONLOOKER: news(1, 3)})
        assert await anna.next(LONG) == news(1, 1)
        assert await ben.next(LONG) == news(1, 2)
        assert await fanout.healthy(LONG)  # whatever was told before it has arrived
        assert [len(reader) for reader in (anna, ben, elsewhere)] == [0, 0, 0]


async def test_nobody_is_thought_to_listen_where_nobody_did_until_somebody_does(valkey: Valkey, log: PaperLog) -> None:
    async with (
        process(valkey.url, log.versions, NO_POLL) as here,
        process(valkey.url, log.versions, NO_POLL) as there,
    ):
        assert here.listened_to(log.match, ANNA)  # nobody knows yet
        here.publish(log.match, {ANNA: log.commit()})
        await eventually(lambda: not here.listened_to(log.match, ANNA))

        async with here.subscribe(log.match, ANNA):
            assert here.listened_to(log.match, ANNA)
        assert not here.listened_to(log.match, ANNA)

        async with there.subscribe(log.match, ANNA) as anna:
            hint = log.commit()
            here.publish(log.match, {ANNA: News(hint.first, hint.last, b"", hint.version)})
            assert isinstance(await anna.next(LONG), News)
            await eventually(lambda: here.listened_to(log.match, ANNA))


async def test_many_readers_are_one_to_redis_and_share_one_body(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions, NO_POLL) as fanout:
        async with AsyncExitStack() as seats:
            readers = [await seats.enter_async_context(fanout.subscribe(log.match, ONLOOKER)) for _ in range(50)]
            assert await valkey.subscribers(channel(log.match, ONLOOKER)) == 1

            fanout.publish(log.match, {ONLOOKER: news(1, 1)})
            heard = [await reader.next(LONG) for reader in readers]

            assert len({id(item.body) for item in heard if isinstance(item, News)}) == 1
            assert len(heard) == 50
        await eventually(lambda: nobody(valkey, channel(log.match, ONLOOKER)))
        assert fanout.listening == 0


async def test_readers_that_come_and_go_leave_redis_with_exactly_those_that_stayed(valkey: Valkey) -> None:
    dice = random.Random(7)
    matches = [uuid4() for _ in range(5)]
    async with process(valkey.url, PaperLog().versions) as fanout:

        async def come_and_go() -> None:
            for _ in range(20):
                async with fanout.subscribe(dice.choice(matches), dice.choice((ANNA, BEN))):
                    await asyncio.sleep(dice.choice((0, 0, 0.001)))

        async with fanout.subscribe(matches[0], ANNA) as stayed, asyncio.TaskGroup() as group:
            for _ in range(30):
                group.create_task(come_and_go())
        async with fanout.subscribe(matches[0], ANNA) as stayed:
            canary = {name for name in await valkey.channels() if b"canary" in name}
            await eventually(lambda: exactly(valkey, canary | {channel(matches[0], ANNA)}))
            fanout.publish(matches[0], {ANNA: news(1, 1)})
            await hears(stayed, news(1, 1))


async def test_all_viewers_of_a_match_live_on_one_shard() -> None:
    match = uuid4()
    assert len({key_slot(channel(match, viewer)) for viewer in (ANNA, BEN, ONLOOKER)}) == 1
    assert len({channel(match, viewer) for viewer in (ANNA, BEN, ONLOOKER)}) == 3


async def test_a_reader_that_is_woken_before_it_waits_does_not_wait(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions, NO_POLL) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        anna.wake()
        async with asyncio.timeout(LONG):
            assert await anna.next() is None


async def test_news_survives_the_wire() -> None:
    for item in (news(1, 3, 7), News(2**40, 2**41, b"", 2**42), News(1, 0, b"{}")):
        assert unpack(pack(item)) == item
    for junk in (b"", b"\x01", b"\x02" + bytes(30)):
        with pytest.raises(ValueError, match="not news"):
            unpack(junk)


async def test_a_body_too_large_for_redis_goes_out_as_a_hint(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions, NO_POLL) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        fanout.publish(log.match, {ANNA: News(1, 9, b"x" * LARGEST, 1)})
        fanout.publish(log.match, {ANNA: News(10, 19, b"x" * (LARGEST + 1), 2)})
        assert await anna.next(LONG) == News(1, 9, b"x" * LARGEST, 1)
        assert await anna.next(LONG) == News(10, 19, b"", 2)


async def test_what_somebody_else_shouts_into_a_channel_sends_to_the_log(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions, NO_POLL) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        await valkey.tell("SPUBLISH", channel(log.match, ANNA), b"hello")
        assert isinstance(await anna.next(LONG), Look)
        fanout.publish(log.match, {ANNA: news(1, 1)})
        assert await anna.next(LONG) == news(1, 1)


async def test_a_stalled_reader_holds_little_and_delaysnobody(valkey: Valkey, log: PaperLog) -> None:
    bounds = Bounds(reader_news=100, reader_bytes=50_000)
    async with (
        process(valkey.url, log.versions, NO_POLL, bounds) as fanout,
        fanout.subscribe(log.match, ANNA) as stalled,
        fanout.subscribe(log.match, ANNA) as lively,
    ):
        for number in range(1, 5001):
            fanout.publish(log.match, {ANNA: News(number, number, b"%1000d" % number)})
            if number % 40 == 0:
                for awaited in range(number - 39, number + 1):
                    heard = await lively.next(LONG)
                    assert isinstance(heard, News)
                    assert heard.first == awaited
            assert stalled.held <= 50_000
            assert len(stalled) <= 100
        assert fanout.counters.overflowed == 1
        assert stalled.held == 0, "who is sent to the log anyway holds nothing"

        assert isinstance(await stalled.next(LONG), Look)
        fanout.publish(log.match, {ANNA: news(5001, 5001)})
        assert await stalled.next(LONG) == news(5001, 5001)


@pytest.mark.parametrize("size, fit", [(10, 100), (1000, 50), (60_000, 1)])
async def test_count_and_bytes_both_bound_a_reader(size: int, fit: int, valkey: Valkey, log: PaperLog) -> None:
    bounds = Bounds(reader_news=100, reader_bytes=50_000)
    async with (
        process(valkey.url, log.versions, NO_POLL, bounds) as fanout,
        fanout.subscribe(log.match, ANNA) as stalled,
    ):
        for number in range(1, fit + 1):
            fanout.publish(log.match, {ANNA: News(number, number, b"x" * size)})
        assert await fanout.healthy(LONG)
        assert (len(stalled), stalled.held) == (fit, fit * size)

        fanout.publish(log.match, {ANNA: News(fit + 1, fit + 1, b"x" * size)})
        assert await fanout.healthy(LONG)
        assert (len(stalled), stalled.held) == (0, 0)
        assert isinstance(await stalled.next(LONG), Look)
