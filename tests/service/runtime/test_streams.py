"""A stream tells each frame once and in order, whatever the fan-out does, and ends when it has to."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.runtime.fanout import Bounds, Counters, Fanout, News, Subscription, Timing
from service.runtime.streams import Form, stream, wait_for
from service.store.rows import Unavailable
from tests.service.runtime.paper_log import PaperLog, news, seqs
from tests.service.runtime.redis_faults import Valkey

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


# What is told


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


# Each frame once and in order

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


# Through a real Redis, with everything that can become of it


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


# Ending


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
        assert (await asyncio.gather(anna.next(), _set(closing)))[0].event == "bye"
        assert await anna.ended()


async def _set(event: asyncio.Event) -> None:
    await asyncio.sleep(0.05)  # the reader waits by now
    event.set()


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


# Long polls


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
            wait_for(log, ear(log), log.match, ANNA, after=9, timeout=3600, closing=closing), _set(closing)
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
