"""Whatever becomes of Redis, nobody waits for it; the lines to it are given up when they hang, and asked for anew."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.fanout.link import Bounds, Timing
from service.fanout.news import Look, News, channel
from tests.service.fanout.paper_log import PaperLog, news
from tests.service.fanout.processes import (
    ANNA,
    BEN,
    IMPATIENT,
    LONG,
    NO_POLL,
    NOBODY_WATCHES,
    eventually,
    hears,
    is_sent_to_the_log,
    is_settled,
    nobody,
    process,
    somebody,
)
from tests.service.fanout.redis_faults import Line, Valkey


async def test_a_process_starts_without_redis_and_finds_it_later(valkey: Valkey, log: PaperLog) -> None:
    valkey.kill()
    async with process(valkey.url, log.versions, NO_POLL) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        assert not await fanout.healthy(0.05)
        await valkey.start()
        assert isinstance(await anna.next(LONG), Look), "what was told before Redis knew of us may be lost"
        fanout.publish(log.match, {ANNA: news(1, 1)})
        await hears(anna, news(1, 1))
        assert await fanout.healthy(LONG)


async def _killed_and_restarted(valkey: Valkey) -> None:
    valkey.kill()
    await valkey.start()


async def _connections_killed(valkey: Valkey) -> None:
    await valkey.tell("CLIENT", "KILL", "TYPE", "PUBSUB")
    await valkey.tell("CLIENT", "KILL", "TYPE", "NORMAL", "SKIPME", "yes")


@pytest.mark.parametrize("accident", [_killed_and_restarted, _connections_killed])
async def test_after_an_accident_everybody_looks_and_news_flows(
    accident: Callable[[Valkey], Awaitable[None]], valkey: Valkey, log: PaperLog
) -> None:
    async with (
        process(valkey.url, log.versions, NO_POLL) as fanout,
        fanout.subscribe(log.match, ANNA) as anna,
        fanout.subscribe(log.match, BEN) as ben,
    ):
        assert await fanout.healthy(LONG)
        await accident(valkey)
        for reader in (anna, ben):
            await is_sent_to_the_log(reader)
        fanout.publish(log.match, {ANNA: news(1, 1), BEN: news(1, 1)})
        await hears(anna, news(1, 1))
        await hears(ben, news(1, 1))


async def test_a_flushed_redis_changes_nothing(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions, NO_POLL) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        await valkey.tell("FLUSHALL")
        fanout.publish(log.match, {ANNA: news(1, 1)})
        assert await anna.next(LONG) == news(1, 1)
        assert fanout.counters.reconnected == 0


async def test_publishing_to_a_redis_that_hangs_is_nobodys_business(valkey: Valkey, log: PaperLog) -> None:
    bounds = Bounds(backlog_news=1000, backlog_bytes=100_000)
    async with (
        process(valkey.url, log.versions, IMPATIENT, bounds) as fanout,
        fanout.subscribe(log.match, ANNA) as anna,
    ):
        assert await fanout.healthy(LONG)
        valkey.stop()
        for number in range(1, 20_001):  # nothing here awaits Redis: it could not get past this if it did
            fanout.publish(log.match, {ANNA: News(number, number, b"x" * 200)})
            if number % 100 == 0:
                await asyncio.sleep(0)
                assert fanout.waiting <= 1000
                bytes_ = sum(link.backlog_bytes for link in fanout._links())
                assert bytes_ <= 100_000 + 256 * 300, "a batch under way may come back to its place"
        assert not await fanout.healthy(0.1)
        async with asyncio.timeout(LONG), fanout.subscribe(log.match, BEN):
            pass  # nor does a reader wait for it
        valkey.go_on()
        await eventually(lambda: fanout.healthy(0.1))
        fanout.publish(log.match, {ANNA: news(20_001, 20_001)})
        await hears(anna, news(20_001, 20_001))
        assert fanout.counters.dropped >= 18_000, "the oldest go first"


async def test_what_waited_too_long_is_not_told_any_more(valkey: Valkey, log: PaperLog) -> None:
    hasty = Timing(poll=3600, canary=3600, stale=0.0, retry=0.01, retry_cap=0.05)
    async with process(valkey.url, log.versions, hasty) as fanout:
        fanout.publish(log.match, {ANNA: news(1, 1)})
        await eventually(lambda: fanout.waiting == 0)
        assert (fanout.counters.published, fanout.counters.dropped) == (0, 1)


async def test_when_too_much_waits_the_oldest_is_dropped(valkey: Valkey, log: PaperLog) -> None:
    patient = Timing(poll=3600, canary=3600, stale=3600, retry=0.01, retry_cap=0.05)
    async with (
        process(valkey.url, log.versions, patient, Bounds(backlog_news=10)) as fanout,
        fanout.subscribe(log.match, ANNA) as anna,
    ):
        for number in range(1, 31):
            fanout.publish(log.match, {ANNA: news(number, number)})
        assert [await anna.next(LONG) for _ in range(10)] == [news(number, number) for number in range(21, 31)]
        assert fanout.counters.dropped == 20


async def test_a_process_starts_though_redis_hangs(valkey: Valkey, log: PaperLog) -> None:
    valkey.stop()
    async with asyncio.timeout(LONG), process(valkey.url, log.versions) as fanout:
        assert not await fanout.healthy(0.05)
        valkey.go_on()
        await eventually(lambda: fanout.healthy(0.1))


async def test_connections_that_hang_without_a_word_are_given_up(valkey: Valkey, log: PaperLog) -> None:
    async with Line(valkey) as line, process(line.url, log.versions) as fanout:
        assert await fanout.healthy(LONG)
        line.stall()
        assert not await fanout.healthy(0.05)
        await eventually(lambda: fanout.healthy(0.1))


async def test_a_canary_that_does_not_come_back_says_so_though_redis_takes_everything(
    valkey: Valkey, log: PaperLog
) -> None:
    async with Line(valkey) as line, process(line.url, log.versions, NO_POLL) as fanout:
        assert await fanout.healthy(LONG)
        line.mute()
        taken = fanout.counters.published
        assert not await fanout.healthy(0.2)
        assert fanout.counters.published == taken + 1


async def test_a_line_that_never_confirmed_anything_is_listened_to_anew(valkey: Valkey, log: PaperLog) -> None:
    async with Line(valkey) as line:
        line.mutes_the_new = True
        async with process(line.url, log.versions) as fanout:
            await eventually(lambda: fanout.counters.deaf > 0)
            line.mutes_the_new = False
            await eventually(lambda: fanout.healthy(0.1))


async def test_a_line_gone_dead_is_noticed_and_listened_to_anew(valkey: Valkey, log: PaperLog) -> None:
    watched = Timing(poll=3600, patience=0.2, canary=0.05, retry=0.01, retry_cap=0.05)
    async with (
        Line(valkey) as line,
        process(line.url, log.versions, watched) as fanout,
        fanout.subscribe(log.match, ANNA) as anna,
    ):
        line.mute()
        fanout.publish(log.match, {ANNA: log.commit()})
        await is_sent_to_the_log(anna)
        assert fanout.counters.deaf == 1
        fanout.publish(log.match, {ANNA: log.commit()})
        await hears(anna, log.appends[-1])
        assert await fanout.healthy(LONG)


@pytest.mark.parametrize("silently", [True, False])
async def test_a_subscription_that_redis_forgot_is_asked_for_again(
    silently: bool, valkey: Valkey, log: PaperLog
) -> None:
    name = channel(log.match, ANNA)
    async with (
        Line(valkey) as line,
        process(line.url, log.versions, NOBODY_WATCHES) as fanout,
        fanout.subscribe(log.match, ANNA) as anna,
    ):
        fanout.publish(log.match, {ANNA: log.commit()})
        await is_settled(fanout, log, anna)

        if silently:
            line.mute()
        line.insert(b"*2\r\n$12\r\nSUNSUBSCRIBE\r\n$%d\r\n%b\r\n" % (len(name), name))
        if silently:
            await eventually(lambda: nobody(valkey, name))
            line.unmute()
            log.commit()
        await is_sent_to_the_log(anna)

        await eventually(lambda: somebody(valkey, name))
        fanout.publish(log.match, {ANNA: log.commit()})
        await hears(anna, log.appends[-1])
        assert fanout.counters.reconnected == 0


async def test_a_closed_fanout_leaves_nothing_running(valkey: Valkey, log: PaperLog) -> None:
    before = asyncio.all_tasks()
    async with process(valkey.url, log.versions) as fanout, fanout.subscribe(log.match, ANNA):
        fanout.publish(log.match, {ANNA: log.commit()})
        assert await fanout.healthy(LONG)
    assert asyncio.all_tasks() == before
    assert len((await valkey.tell("CLIENT", "LIST")).splitlines()) == 1, "only who asks"
    fanout.publish(log.match, {ANNA: log.commit()})  # a referee that ends a little later does no harm


async def test_a_fanout_can_be_closed_in_the_moment_in_which_its_line_is_cut(valkey: Valkey, log: PaperLog) -> None:
    async with Line(valkey) as line:
        for moments in range(12):
            async with asyncio.timeout(LONG), process(line.url, log.versions) as fanout:
                assert await fanout.healthy(LONG)
                line.cut()
                for _ in range(moments):
                    await asyncio.sleep(0)
