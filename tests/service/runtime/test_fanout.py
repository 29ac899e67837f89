"""News reaches every process, and whatever becomes of Redis, nobody waits for it and nobody misses anything."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import UUID, uuid4

import pytest
from redis.crc import key_slot

from service.runtime.fanout import LARGEST, Bounds, Fanout, Look, News, Subscription, Timing, channel, pack, unpack
from tests.service.runtime.paper_log import PaperLog, news
from tests.service.runtime.redis_faults import Line, Valkey

ANNA, BEN, ONLOOKER = 0, 1, 2
QUICK = Timing(poll=0.05, patience=0.3, confirm=0.2, canary=0.1, retry=0.01, retry_cap=0.05)
NO_POLL = Timing(poll=3600, patience=0.3, confirm=10, canary=3600, retry=0.01, retry_cap=0.05)
NOBODY_WATCHES = Timing(poll=0.05, patience=0.3, confirm=0.2, canary=3600, retry=0.01, retry_cap=0.05)
IMPATIENT = Timing(poll=3600, patience=0.3, confirm=0.05, canary=3600, retry=0.01, retry_cap=0.05)
LONG = 20.0  # seconds after which something will not come any more


@pytest.fixture
async def valkey() -> AsyncIterator[Valkey]:
    async with Valkey() as server:
        yield server


@pytest.fixture
def log() -> PaperLog:
    return PaperLog()


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


# What is told


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


async def test_nobody_is_heeded_where_nobody_listened_until_somebody_does(valkey: Valkey, log: PaperLog) -> None:
    async with (
        process(valkey.url, log.versions, NO_POLL) as here,
        process(valkey.url, log.versions, NO_POLL) as there,
    ):
        assert here.heeded(log.match, ANNA)  # nobody knows yet
        here.publish(log.match, {ANNA: log.commit()})
        await eventually(lambda: not here.heeded(log.match, ANNA))

        async with here.subscribe(log.match, ANNA):
            assert here.heeded(log.match, ANNA)
        assert not here.heeded(log.match, ANNA)

        async with there.subscribe(log.match, ANNA) as anna:
            hint = log.commit()
            here.publish(log.match, {ANNA: News(hint.first, hint.last, b"", hint.version)})
            assert isinstance(await anna.next(LONG), News)
            await eventually(lambda: here.heeded(log.match, ANNA))


async def test_many_readers_are_one_to_redis_and_share_one_body(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions, NO_POLL) as fanout:
        async with AsyncExitStack() as seats:
            readers = [await seats.enter_async_context(fanout.subscribe(log.match, ONLOOKER)) for _ in range(50)]
            assert await valkey.subscribers(channel(log.match, ONLOOKER)) == 1

            fanout.publish(log.match, {ONLOOKER: news(1, 1)})
            heard = [await reader.next(LONG) for reader in readers]

            assert len({id(item.body) for item in heard if isinstance(item, News)}) == 1
            assert len(heard) == 50
        await eventually(lambda: _nobody(valkey, channel(log.match, ONLOOKER)))
        assert fanout.listening == 0


async def _nobody(valkey: Valkey, name: bytes) -> bool:
    return await valkey.subscribers(name) == 0


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
            await eventually(lambda: _exactly(valkey, canary | {channel(matches[0], ANNA)}))
            fanout.publish(matches[0], {ANNA: news(1, 1)})
            await hears(stayed, news(1, 1))


async def _exactly(valkey: Valkey, names: set[bytes]) -> bool:
    return await valkey.channels() == names


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


# Slow readers


async def test_a_stalled_reader_holds_little_and_delays_nobody(valkey: Valkey, log: PaperLog) -> None:
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


# Redis away


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
                assert fanout.waiting_bytes <= 100_000 + 256 * 300, "a batch under way may come back to its place"
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


# The poll


async def test_what_redis_did_not_bring_the_poll_does_at_its_second_turn(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        fanout.publish(log.match, {ANNA: log.commit()})
        for _ in range(5):
            await is_settled(fanout, log, anna)
            log.commit()  # and nobody is told
            before = log.polls
            await is_sent_to_the_log(anna)
            assert log.polls - before <= 2


async def is_settled(fanout: Fanout, log: PaperLog, reader: Subscription) -> None:
    polls = log.polls
    await eventually(lambda: log.polls >= polls + 3)
    while await reader.next(0):
        pass


async def test_news_that_is_still_on_its_way_when_the_poll_looks_is_waited_for(valkey: Valkey, log: PaperLog) -> None:
    async def versions(matches: list[UUID]) -> Mapping[UUID, int]:
        """Sees what was committed a moment before anybody is told."""
        asyncio.get_running_loop().call_soon(fanout.publish, log.match, {ANNA: log.commit()})
        return await log.versions(matches)

    slowly = Timing(poll=0.25, canary=3600)
    async with process(valkey.url, versions, slowly) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        for number in range(1, 6):
            await hears(anna, news(number, number, number))
        assert fanout.counters.looks == 0


def test_two_turns_of_the_poll_and_two_slow_queries_are_less_than_two_seconds() -> None:
    timing = Timing()
    assert 2 * timing.poll + 2 * max(timing.poll, 0.5) <= 2


async def test_who_was_told_is_not_sent_to_the_log(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        fanout.publish(log.match, {ANNA: log.commit()})
        await is_settled(fanout, log, anna)
        looks = fanout.counters.looks
        for _ in range(10):
            item = log.commit()
            fanout.publish(log.match, {ANNA: item})
            assert await anna.next(LONG) == item
            polls = log.polls
            await eventually(lambda: log.polls > polls)  # noqa: B023
        assert fanout.counters.looks == looks


async def test_news_that_there_is_none_for_a_viewer_keeps_him_from_the_log(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        fanout.publish(log.match, {ANNA: log.commit()})
        await is_settled(fanout, log, anna)
        looks = fanout.counters.looks
        told_to_others = log.commit()
        fanout.publish(log.match, {ANNA: News(2, 1, b"", told_to_others.version)})
        await is_settled(fanout, log, anna)
        assert fanout.counters.looks == looks


async def test_a_poll_that_fails_is_tried_again(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        await is_settled(fanout, log, anna)
        log.out_of_reach = True
        await eventually(lambda: fanout.counters.poll_failures > 2)
        fanout.publish(log.match, {ANNA: news(1, 1)})
        await hears(anna, news(1, 1))
        log.out_of_reach = False
        log.commit()
        log.commit()
        await is_sent_to_the_log(anna)


async def test_a_poll_that_hangs_is_given_up(valkey: Valkey, log: PaperLog) -> None:
    hanging = True

    async def versions(matches: list[UUID]) -> Mapping[UUID, int]:
        if hanging:
            await asyncio.sleep(3600)
        return await log.versions(matches)

    async with process(valkey.url, versions) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        await eventually(lambda: fanout.counters.poll_failures > 0)
        hanging = False
        log.commit()
        await is_sent_to_the_log(anna)


@pytest.mark.parametrize("away", ["killed", "stopped", "mute"])
async def test_while_redis_is_away_the_poll_brings_everything(away: str, valkey: Valkey, log: PaperLog) -> None:
    async with (
        Line(valkey) as line,
        process(line.url, log.versions, NOBODY_WATCHES) as fanout,
        fanout.subscribe(log.match, ANNA) as anna,
    ):
        assert await fanout.healthy(LONG)
        {"killed": valkey.kill, "stopped": valkey.stop, "mute": line.mute}[away]()
        for _ in range(3):
            await is_settled(fanout, log, anna)
            fanout.publish(log.match, {ANNA: log.commit()})
            await is_sent_to_the_log(anna)
        valkey.go_on()


# The canary


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
            await eventually(lambda: _nobody(valkey, name))
            line.unmute()
            log.commit()
        await is_sent_to_the_log(anna)

        await eventually(lambda: _somebody(valkey, name))
        fanout.publish(log.match, {ANNA: log.commit()})
        await hears(anna, log.appends[-1])
        assert fanout.counters.reconnected == 0


async def _somebody(valkey: Valkey, name: bytes) -> bool:
    return await valkey.subscribers(name) == 1


# Ending


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
