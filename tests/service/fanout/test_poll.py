"""What Redis did not bring, a look into the log does, in less than two seconds."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from uuid import UUID

import pytest

from service.fanout.hub import Fanout
from service.fanout.link import Timing
from service.fanout.news import News
from tests.service.fanout.paper_log import PaperLog, news
from tests.service.fanout.processes import (
    ANNA,
    LONG,
    NOBODY_WATCHES,
    eventually,
    hears,
    is_sent_to_the_log,
    is_settled,
    process,
)
from tests.service.fanout.redis_faults import Line, Valkey


async def test_what_redis_did_not_bring_the_poll_does_at_its_second_turn(valkey: Valkey, log: PaperLog) -> None:
    async with process(valkey.url, log.versions) as fanout, fanout.subscribe(log.match, ANNA) as anna:
        fanout.publish(log.match, {ANNA: log.commit()})
        for _ in range(5):
            await is_settled(fanout, log, anna)
            log.commit()  # and nobody is told
            before = log.polls
            await is_sent_to_the_log(anna)
            assert log.polls - before <= 2


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


async def test_what_became_of_news_is_counted_for_whoever_runs_it(valkey: Valkey, log: PaperLog) -> None:
    told: Counter[str] = Counter()
    fanout = await Fanout.open(valkey.url, log.versions, on_count=lambda what, more: told.update({what: more}))
    async with fanout.subscribe(log.match, ANNA) as anna:
        fanout.publish(log.match, {ANNA: log.commit()})
        await anna.next(LONG)
    await fanout.close()
    assert told["published"] == fanout.counters.published > 0
