"""What a hostile tester found, each by its name."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec.structs import replace

from domain.match.clock import SANDBOX_START
from service.dialogue import Asked, Key, MayNotSee, NoSuchMatch, WrongCode
from service.runtime import house as houses
from service.runtime.book import BrokenLog
from service.runtime.clock import WallClock
from service.runtime.house import BATCH, LONGEST_REST, House
from service.runtime.pulse import Pulse
from service.store.rows import Deadline, Outage
from tests.service.runtime.table import QUICK, a_player, a_table, runtime
from tests.service.runtime.test_time import SOON, execute, tags, until


async def test_a_match_that_is_forgotten_while_the_log_is_asked_is_still_told(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False)
        stop = asyncio.Event()

        async def look() -> None:
            while not stop.is_set():
                await table.sees(3)

        readers = [asyncio.create_task(look()) for _ in range(4)]
        try:
            for _ in range(25):
                await it.referee.leave(table.asked(2), table.match, 2)
                sit = {"seat": 2, "code": None, "bot": None, "entropy_commitment": None}
                await it.referee.sit(table.asked(2), table.match, **sit)  # type: ignore[arg-type]
        finally:
            stop.set()
            await asyncio.gather(*readers)


async def test_deadlines_that_nobody_can_fire_do_not_stand_in_others_way(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, pace=SOON)
    orphans = ", ".join(f"('{uuid4()}', now() - interval '2 days')" for _ in range(BATCH + 50))
    await execute(database, f"INSERT INTO deadline (match, due) VALUES {orphans}")  # noqa: S608  # ids of our own
    async with runtime(database, redis_url) as other:

        async def timed_out() -> bool:
            return "match.timed_out" in await tags(other, table)

        await until(timed_out)


async def test_who_may_not_see_a_match_is_refused_nothing_in_it(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, access="code", start=False)
        dora = Asked(player=await a_player(it, "Dora"), received_at=it.clock.now())

        with pytest.raises(MayNotSee):
            await it.referee.start(dora, table.match)
        with pytest.raises(MayNotSee):
            await it.referee.leave(dora, table.match, 0)
        with pytest.raises(MayNotSee):
            await it.referee.turn_clock(dora, table.match, 5)


@pytest.mark.parametrize("version", [4, 6])
async def test_a_hole_in_the_log_is_seen(database: str, redis_url: str, version: int) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        assert len(await tags(it, table)) == 6
    await execute(database, f"DELETE FROM event WHERE version = {version}")  # noqa: S608  # a number of ours
    async with runtime(database, redis_url) as other:
        with pytest.raises(BrokenLog):
            await other.reader.look(table.match, 3)


async def test_a_clock_that_is_turned_under_the_same_key_is_answered_the_same(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, names="Anna", fill="careful")
        key = Key("k", bytes(32))
        first = await it.referee.turn_clock(table.asked(0, key), table.match, 70_000)
        await table.turn_clock(700)

        again = await it.referee.turn_clock(table.asked(0, key), table.match, 70_000)

        assert again == first
        told = msgspec.json.decode(first.body)
        assert told["frames"][0]["event"]["type"] == "match.clock_turned"
        assert told["stopped_at_deadline"]


async def test_what_is_due_when_a_sandbox_clock_is_turned_is_in_the_same_append(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, pace=replace(QUICK, turn_time=30.0))

        told = await table.turn_clock(30_000)

        rows = await it.store.log.events(table.match)
        assert [row.tag for row in rows[-3:]] == ["match.clock_turned", "match.timed_out", "cheat.claimed"]
        assert len({row.command for row in rows[-3:]}) == 1
        assert {row.at for row in rows[-2:]} == {SANDBOX_START + timedelta(seconds=30)}
        assert [frame["seq"] for frame in told["frames"]] == [7, 8, 9]


@pytest.mark.parametrize("code", ["\0" * 8, "AAAA", "OOOOOOOO", ""])
async def test_what_is_no_code_is_a_wrong_one(database: str, redis_url: str, code: str) -> None:
    async with runtime(database, redis_url) as it:
        anna = Asked(player=await a_player(it, "Anna"), received_at=it.clock.now())
        with pytest.raises(WrongCode):
            await it.referee.join(anna, code, entropy_commitment=None)


async def test_matches_that_there_are_not_leave_nothing_in_memory(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        for _ in range(50):
            with pytest.raises(NoSuchMatch):
                await it.reader.viewer(uuid4(), UUID(int=1))

        assert len(it.reader._books._loading) == 0


async def test_a_bot_is_called_a_bot_and_who_has_no_name_by_his_seat(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, names="Anna", fill="careful")
        await execute(database, "DELETE FROM player")
    async with runtime(database, redis_url) as other:
        for language, word in (("en", "Seat"), ("de", "Platz")):
            frames, _ = await other.reader.frames(table.match, 0, 0, 100, language)  # type: ignore[arg-type]
            dealt = msgspec.json.decode(frames)[-1]["narration"]
            assert "Bot 2" in dealt or "Bot 3" in dealt or f"{word} 1" in dealt
            seated = msgspec.json.decode(frames)[1]["narration"]
            assert seated.startswith(f"{word} 1")


async def test_what_goes_wrong_in_one_look_does_not_stop_the_houses_clock() -> None:
    looks = 0
    again = asyncio.Event()

    async def due(*_: object) -> list[Deadline]:
        nonlocal looks
        looks += 1
        if looks == 1:
            raise RuntimeError("a fault that nobody thought of")
        again.set()
        return []

    async def nobody(_: object, __: object) -> list[UUID]:
        return []

    async def nothing(_: object) -> int:
        return 0

    async def woken(_: object) -> None:
        return None

    house = House(WallClock(), wake=woken, due=due, playing=nobody, drop_sandboxes=nothing)
    running = asyncio.create_task(house.run())
    async with asyncio.timeout(10):
        await again.wait()
    running.cancel()


async def test_a_deadline_that_has_moved_on_wakes_nobody_where_it_was() -> None:
    now, woken = [1000.0], list[UUID]()
    moved, soon, told = uuid4(), uuid4(), asyncio.Event()

    async def wake(match: UUID) -> None:
        woken.append(match)
        told.set()

    async def due(*_: object) -> list[Deadline]:
        return []

    async def nobody(_: object, __: object) -> list[UUID]:
        return []

    async def nothing(_: object) -> int:
        return 0

    async def wakes(match: UUID, others: int) -> None:
        """At the present time, though nobody was waiting for it."""
        house.expect(match, clock.now())
        async with asyncio.timeout(10):
            while len(woken) < others + 1:
                told.clear()
                await told.wait()

    clock = WallClock(lambda: now[0])
    house = House(clock, wake=wake, due=due, playing=nobody, drop_sandboxes=nothing)
    running = asyncio.create_task(house.run())
    for seconds in (60, 61, 30, 90):
        house.expect(moved, clock.now() + timedelta(seconds=seconds))
    now[0] += 75
    await wakes(soon, 0)
    assert woken == [soon]
    now[0] += 14
    await wakes(soon, 1)
    assert woken == [soon, soon]
    now[0] += 1.5
    await wakes(soon, 3)
    assert sorted(woken) == sorted([soon, soon, soon, moved])
    running.cancel()


async def test_a_match_that_cannot_be_woken_is_tried_ever_less_often_and_then_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(houses, "SCAN", 0.001)
    now, tried, asked = [1000.0], [0], asyncio.Event()
    due_now, spared = [True], [False]
    match = uuid4()

    async def due(_: datetime, __: int, without: Collection[UUID]) -> list[Deadline]:
        spared[0] = match in without
        asked.set()
        return [Deadline(match, clock.now())] if due_now[0] and not spared[0] else []

    async def wake(_: object) -> None:
        tried[0] += 1
        raise RuntimeError("a fault of this match")

    async def nobody(_: object, __: object) -> list[UUID]:
        return []

    async def nothing(_: object) -> int:
        return 0

    async def a_look() -> None:
        for _ in range(2):  # the second one begins when what the first one started is over
            asked.clear()
            async with asyncio.timeout(10):
                await asked.wait()

    clock = WallClock(lambda: now[0])
    house = House(clock, wake=wake, due=due, playing=nobody, drop_sandboxes=nothing)
    running = asyncio.create_task(house.run())
    await a_look()
    for pause in (1, 2, 4, 8, 16, 32, 60, 60):
        before = tried[0]
        now[0] += pause - 0.5
        await a_look()
        assert (tried[0], spared[0]) == (before, True)
        now[0] += 0.6
        await a_look()
        assert tried[0] == before + 1
    due_now[0] = False  # another process wakes it
    now[0] += 2 * LONGEST_REST + 1
    await a_look()
    due_now[0] = True
    await a_look()
    now[0] += 1.1  # and not after a minute: what was is forgotten
    before = tried[0]
    await a_look()
    assert tried[0] == before + 1
    running.cancel()


async def test_what_goes_wrong_in_one_beat_does_not_stop_the_pulse() -> None:
    beats = 0
    again = asyncio.Event()
    clock = WallClock()

    async def beat(_: object) -> tuple[datetime, list[Outage]]:
        nonlocal beats
        beats += 1
        if beats == 1:
            raise RuntimeError("a fault that nobody thought of")
        again.set()
        return clock.now(), []

    running = asyncio.create_task(Pulse(beat, clock).run())
    async with asyncio.timeout(10):
        await again.wait()
    running.cancel()
