"""Each frame once and in order, whatever the fan-out does and whatever becomes of Redis."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.fanout.hub import Fanout
from service.fanout.link import Bounds
from service.fanout.news import News
from tests.service.fanout.listening import (
    ANNA,
    LONG,
    QUICK,
    all_up_to,
    ear,
    reading,
)
from tests.service.fanout.paper_log import PaperLog, seqs
from tests.service.fanout.redis_faults import Valkey

deeds = st.one_of(
    st.tuples(st.just("commit"), st.integers(1, 4)),
    st.tuples(st.just("tell"), st.integers(0, 6)),  # the n-th append from the end: late, twice, out of order
    st.tuples(st.just("hint"), st.integers(0, 3)),
    st.tuples(st.just("look"), st.just(0)),
    st.tuples(st.just("let run"), st.integers(1, 30)),
    st.tuples(st.just("read"), st.integers(1, 3)),
    st.tuples(st.just("come back"), st.integers(0, 2)),
    st.tuples(st.just("out of reach"), st.integers(0, 1)),
)


@given(st.lists(deeds, max_size=60), st.integers(1, 4))
def test_no_frame_is_lost_repeated_or_out_of_order(story: list[tuple[str, int]], room: int) -> None:
    asyncio.run(_told_once_and_in_order(story, room))


async def _told_once_and_in_order(story: list[tuple[str, int]], room: int) -> None:
    log = PaperLog()
    told: list[int] = []

    sub, wanted = ear(log, Bounds(reader_news=room)), asyncio.Semaphore(0)

    async def listen() -> None:
        nonlocal sub
        while True:
            sub = ear(log, Bounds(reader_news=room))
            async with reading(log, sub, after=told[-1] if told else 0, check=0.001) as anna:
                while True:
                    await wanted.acquire()
                    message = await anna.next()
                    if message.event == "frames":
                        told.extend(seqs(message.data))
                    elif message.event == "bye":  # it began while the log was out of reach
                        break

    listener = asyncio.create_task(listen())
    for deed, number in story:
        match deed:
            case "commit":
                log.commit(number)
            case "tell" if number < len(log.appends):
                sub.offer(log.appends[-1 - number])
            case "hint" if number < len(log.appends):
                told_of = log.appends[-1 - number]
                sub.offer(News(told_of.first, told_of.last, b"", told_of.version))
            case "look":
                sub.look()
            case "let run":
                for _ in range(number):
                    await asyncio.sleep(0)
            case "read":
                for _ in range(number):
                    wanted.release()
            case "come back":
                listener.cancel()
                with suppress(asyncio.CancelledError):
                    await listener
                wanted = asyncio.Semaphore(0)
                listener = asyncio.create_task(listen())
            case "out of reach":
                log.out_of_reach = bool(number)
            case _:
                pass
        assert len(sub) <= room
    log.out_of_reach = False
    async with asyncio.timeout(LONG):
        while not told or told[-1] < log.seq:
            sub.look()  # the poll sees to it
            wanted.release()
            if listener.done() or not log.seq:
                break
            await asyncio.sleep(0)
    if listener.done():
        listener.result()
    listener.cancel()
    with suppress(asyncio.CancelledError):
        await listener
    assert told == all_up_to(log.seq)


async def test_the_first_news_that_is_lost_is_noticed_with_the_next() -> None:
    log = PaperLog()
    async with reading(log, sub := ear(log)) as anna:
        assert (await anna.next()).event == "heartbeat"
        log.commit(2)
        sub.offer(log.commit(1))
        assert await anna.until(3) == [1, 2, 3]


async def test_a_hint_without_a_body_sends_to_the_log() -> None:
    log = PaperLog()
    async with reading(log, sub := ear(log)) as anna:
        assert (await anna.next()).event == "heartbeat"
        written = log.commit(2)
        sub.offer(News(written.first, written.last, b"", written.version))
        assert (await anna.next()).data == written.body


@pytest.mark.parametrize("seed", range(4))
async def test_two_processes_and_a_redis_that_suffers_tell_every_reader_everything_once(seed: int) -> None:
    dice = random.Random(seed)
    log = PaperLog()
    async with Valkey() as valkey:
        here = await Fanout.open(valkey.url, log.versions, timing=QUICK, bounds=Bounds(reader_news=20))
        there = await Fanout.open(valkey.url, log.versions, timing=QUICK, bounds=Bounds(reader_news=20))

        async def read_all(fanout: Fanout, slow: bool) -> None:
            told: list[int] = []
            while not told or told[-1] < 600:  # until its line is cut, and then again from its cursor
                stays = dice.randrange(1, 200)
                after = told[-1] if told else 0
                async with reading(log, fanout.subscribe(log.match, ANNA), after=after) as anna:
                    while stays and (not told or told[-1] < 600):
                        message = await anna.next()
                        if message.event == "frames":
                            told += seqs(message.data)
                            stays -= 1
                            if slow:
                                await asyncio.sleep(dice.random() / 50)
            assert told == all_up_to(told[-1])

        async def play() -> None:
            late: list[News] = []
            while log.seq < 600:
                late.append(log.commit(dice.randrange(1, 4)))
                dice.shuffle(late)
                while late and dice.random() < 0.7:
                    item = late.pop()
                    for fanout in dice.choice([[here], [there], [here, there], []]):
                        fanout.publish(log.match, {ANNA: item})
                await asyncio.sleep(dice.random() / 200)

        async def accidents() -> None:
            while True:
                await asyncio.sleep(dice.random() / 5)
                match dice.randrange(4):
                    case 0:
                        valkey.kill()
                        await asyncio.sleep(dice.random() / 5)
                        await valkey.start()
                    case 1:
                        valkey.stop()
                        await asyncio.sleep(dice.random() / 2)
                        valkey.go_on()
                    case 2:
                        await valkey.tell("CLIENT", "KILL", "TYPE", "PUBSUB")
                    case _:
                        await valkey.tell("FLUSHALL")

        try:
            trouble = asyncio.create_task(accidents())
            async with asyncio.timeout(60), asyncio.TaskGroup() as group:
                group.create_task(play())
                for fanout in (here, there):
                    group.create_task(read_all(fanout, slow=False))
                    group.create_task(read_all(fanout, slow=True))
            assert not trouble.done(), trouble.result()
            trouble.cancel()
        finally:
            valkey.go_on()
            await here.close()
            await there.close()


async def test_a_reader_that_stands_still_delays_nobody_and_misses_nothing() -> None:
    log = PaperLog()
    async with Valkey() as valkey:
        fanout = await Fanout.open(valkey.url, log.versions, timing=QUICK, bounds=Bounds(reader_news=50))
        stalled_sub, lively_sub = (fanout.subscribe(log.match, ANNA) for _ in range(2))
        async with reading(log, stalled_sub) as stalled, reading(log, lively_sub) as lively:
            assert (await stalled.next()).event == "heartbeat"
            for _ in range(3000):
                fanout.publish(log.match, {ANNA: log.commit()})
                if log.seq % 40 == 0:
                    assert (await lively.until(log.seq))[-1] == log.seq
                    assert len(stalled_sub) <= 50
                    assert stalled_sub.held <= 50 * 64
            assert await stalled.until(3000) == all_up_to(3000)
        assert fanout.listening == 0
        await fanout.close()
