"""Match time: deadlines that any process fires, outages in which matches stand still, a Postgres that goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from secrets import token_bytes
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace

from projections.catalogue import CATALOGUE
from service.dialogue import Behind, Key, Refusal, TryAgain
from service.runtime.clock import WallClock
from service.runtime.draft import GRACE, Draft, Due, Order
from service.runtime.house import House
from service.runtime.runtime import Runtime
from service.store.rows import Deadline, Outage, Unavailable
from tests.service.runtime.table import QUICK, Table, a_table, runtime

STACKED = msgspec.Raw(b'{"dealer":2,"hands":[["AS","7H"],["2D","9C"],["3C","KD"]]}')
SOON = replace(QUICK, turn_time=1.0, min_open=0.2)


async def until(true: Callable[[], Awaitable[bool]], within: float = 10.0) -> None:
    """Polls; the deadline is only there so that a fault ends the test."""
    async with asyncio.timeout(within):
        while not await true():  # noqa: ASYNC110  # others bring it about, in Postgres
            await asyncio.sleep(0.02)  # between two looks at something that others bring about


async def tags(it: Runtime, table: Table) -> list[str]:
    return [row.tag for row in await it.store.log.events(table.match)]


async def execute(database: str, *statements: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def test_a_turn_that_runs_out_is_played_by_the_house_with_the_time_it_was_due(
    database: str, redis_url: str
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, pace=SOON)

        async def timed_out() -> bool:
            return "match.timed_out" in await tags(it, table)

        await until(timed_out)
        rows = await it.store.log.events(table.match)
        dealt = next(row for row in rows if row.tag == "cheat.dealt")
        acted = next(row for row in rows if row.tag == "match.timed_out")
        assert acted.received_at == acted.at == dealt.at + timedelta(seconds=1)
        assert acted.by == -1


async def test_any_process_fires_a_deadline_that_another_wrote(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, pace=SOON)
    async with runtime(database, redis_url) as other:

        async def timed_out() -> bool:
            return "match.timed_out" in await tags(other, table)

        await until(timed_out)


async def test_two_processes_fire_each_deadline_once(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as other:
        tables = [await a_table(it, sandbox=False, pace=SOON) for _ in range(5)]
        for table in tables:
            await Table(other, table.match, table.players).sees(3)

        async def all_acted() -> bool:
            return all([(await tags(it, table)).count("match.timed_out") >= 2 for table in tables])

        await until(all_acted)
        for table in tables:
            rows = await it.store.log.events(table.match)
            turns = [row.at for row in rows if row.tag == "match.timed_out"]
            assert len(turns) == len(set(turns))


async def test_an_answer_at_the_very_deadline_is_too_late(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, deal=None, pace=replace(QUICK, turn_time=600.0))
        seen = await table.sees(0)
        seat = seen["awaits"]["seats"][0]
        until_ = datetime.fromisoformat(seen["awaits"]["until"])
        offer = (await table.sees(seat))["actions"][0]
        late = replace(table.asked(seat), received_at=until_)
        action = {"type": "cheat.play", "cards": offer["fields"]["cards"]["choose"][:1]}
        game = (await it.reader._books.entry(table.match)).book.view.game
        decoded = msgspec.json.decode(msgspec.json.encode(action), type=game.player_action)

        with pytest.raises(Refusal) as refused:
            await it.referee.act(late, table.match, decoded, msgspec.json.encode(action))

        assert (refused.value.reason, refused.value.closes_at) == ("too_late", until_)


async def test_an_answer_a_moment_before_the_deadline_is_in_time_however_late_it_is_read(
    database: str, redis_url: str
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, deal=None, pace=replace(QUICK, turn_time=600.0))
        entry = await it.reader._books.entry(table.match)
        seen = await table.sees(0)
        due = datetime.fromisoformat(seen["awaits"]["until"])
        seat = seen["awaits"]["seats"][0]

        def of_the_house(at: datetime) -> Due | None:
            order = Order(salt=token_bytes(16), received_at=at, until=at, action=None)
            return Draft(entry.book, entry.seed, order, token_bytes).due()

        assert of_the_house(due) is None
        assert of_the_house(due + GRACE - timedelta(microseconds=1)) is None
        fired = of_the_house(due + GRACE)
        assert fired is not None
        assert (fired.by, fired.at, fired.received_at, fired.late) == (-1, due, due, timedelta())
        assert timedelta(milliseconds=250) == GRACE

        just = replace(table.asked(seat), received_at=due - timedelta(microseconds=1))
        raw = msgspec.json.encode({"type": "cheat.play", "cards": (await table.sees(seat))["view"]["hand"][:1]})
        action = msgspec.json.decode(raw, type=entry.book.view.game.player_action)
        done = await it.referee.act(just, table.match, action, raw)
        laid = msgspec.json.decode(done.body)["frames"][0]
        assert datetime.fromisoformat(laid["at"]) == just.received_at


async def test_after_an_outage_the_house_says_so_before_anybody_does_anything(database: str, redis_url: str) -> None:
    """Who names his last frame of before is behind, by a frame that he is told; nobody's act is what tells it."""
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, pace=replace(QUICK, turn_time=600.0))
        seen = await table.sees(0)
        seat = seen["awaits"]["seats"][0]
        mine = await table.sees(seat)
    await execute(database, "UPDATE pulse SET at = at - interval '30 s'")
    async with runtime(database, redis_url) as again:
        twin = Table(again, table.match, table.players)
        version = len(await tags(again, twin))
        raw = msgspec.json.encode({"type": "cheat.play", "cards": mine["view"]["hand"][:1]})
        action = msgspec.json.decode(raw, type=CATALOGUE["cheat"].game.player_action)
        asked = twin.asked(seat, Key("once", bytes(32)))

        with pytest.raises(Behind) as no:
            await again.referee.act(asked, twin.match, action, raw, if_match=mine["seq"])
        assert (no.value.seq, no.value.seat) == (mine["seq"] + 1, seat)
        assert (await tags(again, twin))[version:] == ["match.stood_still"]
        done = await again.referee.act(asked, twin.match, action, raw, if_match=mine["seq"] + 1)

        frames = msgspec.json.decode(done.body)["frames"]
        assert [frame["event"]["type"] for frame in frames] == ["cheat.claimed"]
        repeated = await again.referee.act(asked, twin.match, action, raw, if_match=mine["seq"] + 1)
        assert msgspec.json.decode(repeated.body)["frames"] == frames


async def test_what_is_laid_unseen_after_an_outage_tells_of_no_standstill(database: str, redis_url: str) -> None:
    """The House comes to each match by itself, whether somebody lays or nobody does."""
    async with runtime(database, redis_url) as it:
        pace = replace(QUICK, turn_time=None)
        tables = [await a_table(it, game="mogler", sandbox=False, pace=pace) for _ in range(3)]
    await execute(database, "UPDATE pulse SET at = at - interval '30 s'")
    async with runtime(database, redis_url) as again:

        async def all_told() -> bool:
            return all([(await tags(again, table)).count("match.stood_still") == 1 for table in tables])

        await until(all_told)
        twin = Table(again, tables[0].match, tables[0].players)
        others = [(await twin.sees(seat))["seq"] for seat in (1, 2, 3)]
        offer = (await twin.sees(0))["actions"][0]
        await twin.act(0, {"type": offer["type"], "card": offer["fields"]["card"]["one_of"][0]})
        assert [(await twin.sees(seat))["seq"] for seat in (1, 2, 3)] == others


async def test_an_outage_never_begins_before_what_was_laid_unseen(database: str, redis_url: str) -> None:
    """Else the frame that tells of it would be dated as that lay, which came after the last beat."""
    async with runtime(database, redis_url) as it:
        table = await a_table(it, "Anna Ben Cara Dora Emil", game="mogler", sandbox=False)
        for seat in range(4):
            offer = (await table.sees(seat))["actions"][0]
            await table.act(seat, {"type": offer["type"], "card": offer["fields"]["card"]["one_of"][0]})
            laid = (await it.store.log.events(table.match))[-1]
            assert not all(laid.seqs)
            assert it.pulse.is_beyond(laid.received_at)


async def test_a_command_waits_until_the_house_has_come_to_its_match() -> None:
    """In the order of their ids, whoever wants to do something where."""
    come: list[UUID] = []
    first, second, third = (UUID(int=number) for number in (1, 2, 3))
    may = asyncio.Event()

    async def wake(match: UUID) -> None:
        if match == second and not may.is_set():
            await may.wait()
        come.append(match)

    async def playing(after: UUID, limit: int) -> list[UUID]:
        return [match for match in (first, second, third) if match > after][:1]

    async def none(*_: object) -> list[Deadline]:
        return []

    async def nothing(_: object) -> int:
        return 0

    house = House(WallClock(), wake=wake, due=none, playing=playing, drop_sandboxes=nothing)
    going = asyncio.create_task(house.run())
    house.outage()
    waits = asyncio.create_task(house.settled(third))

    async def come_to_the_first() -> bool:
        return come == [first]

    await until(come_to_the_first)
    assert not waits.done()

    may.set()
    async with asyncio.timeout(10):
        await waits
    assert come[:3] == [first, second, third]
    going.cancel()


async def test_an_outage_of_all_processes_stops_the_clock_and_everyone_gets_the_rest(
    database: str, redis_url: str
) -> None:
    pace = replace(QUICK, turn_time=600.0)
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, pace=pace)
        due_before = (await it.store.log.due(it.clock.now() + timedelta(hours=1), 10))[0].due
    await execute(database, "UPDATE pulse SET at = at - interval '30 s'")
    async with runtime(database, redis_url) as again:
        twin = Table(again, table.match, table.players)
        seat = (await twin.sees(0))["awaits"]["seats"][0]
        card = (await twin.sees(seat))["actions"][0]["fields"]["cards"]["choose"][0]
        with pytest.raises(Refusal):  # the first thing that happens, were it only a refusal, tells of the standstill
            await twin.act((seat + 1) % 3, {"type": "cheat.play", "cards": [card]})

        rows = await again.store.log.events(table.match)
        assert rows[-1].tag == "match.stood_still"
        stood = msgspec.json.decode(rows[-1].envelope)["event"]
        lasted = datetime.fromisoformat(stood["ended"]) - datetime.fromisoformat(stood["began"])
        due_after = (await again.store.log.due(again.clock.now() + timedelta(hours=1), 10))[0].due
        assert lasted > timedelta(0)
        assert due_after == due_before + lasted
        await twin.act(seat, {"type": "cheat.play", "cards": [card]})
        assert (await tags(again, table)).count("match.stood_still") == 1


async def test_a_deadline_that_fell_into_the_outage_is_not_fired_at_once(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, pace=replace(QUICK, turn_time=600.0))
        entry = await it.reader._books.entry(table.match)
    due = entry.book.house_due()
    assert due is not None
    outage = Outage(due - timedelta(seconds=3), due + timedelta(hours=1))

    def at(wall: datetime, *outages: Outage) -> tuple[list[str], Due | None]:
        order = Order(salt=token_bytes(16), received_at=wall, until=wall, action=None)
        draft = Draft(entry.book, entry.seed, order, token_bytes)
        draft.stand_still(lambda _: outages)
        return [written.row.tag for written in draft.written], draft.due()

    assert at(outage.ended)[1] is not None
    assert at(outage.ended, outage) == (["match.stood_still"], None)
    assert at(outage.ended + timedelta(seconds=3), outage)[1] is None
    assert at(outage.ended + timedelta(seconds=3) + GRACE, outage)[1] is not None


@asynccontextmanager
async def away(database: str) -> AsyncIterator[None]:
    """Postgres, for this one database: every connection is cut, and none is let in."""
    where = urlsplit(database)
    name = where.path[1:]
    elsewhere = urlunsplit(where._replace(path="/postgres"))
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608  # a name that our own fixture made
    await execute(elsewhere, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false", cut)
    try:
        yield
    finally:
        await execute(elsewhere, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


async def test_while_postgres_is_away_nothing_happens_and_the_answer_says_so(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)
        version = len(await tags(it, table))
        async with away(database):
            with pytest.raises(TryAgain):
                async with asyncio.timeout(5):
                    await table.act(0, {"type": "cheat.play", "cards": ["7H"]})

        async def back() -> bool:
            try:
                return len(await tags(it, table)) == version
            except Exception:
                return False

        await until(back)
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})


async def claimed(it: Runtime, table: Table) -> int:
    """How many claims the log has; asked until a connection that was cut before is replaced."""
    while True:
        try:
            return (await tags(it, table)).count("cheat.claimed")
        except Unavailable:
            await asyncio.sleep(0.05)  # between two tries


async def test_connections_cut_at_random_never_make_an_answer_a_lie(database: str, redis_url: str) -> None:
    name = urlsplit(database).path[1:]
    async with runtime(database, redis_url) as it:
        cutter = await asyncpg.connect(urlunsplit(urlsplit(database)._replace(path="/postgres")))
        stop = asyncio.Event()

        async def cut() -> None:
            while not stop.is_set():
                await cutter.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
                await asyncio.sleep(0.05)  # between two cuts

        cutting = asyncio.create_task(cut())
        try:
            for _ in range(12):
                try:
                    table = await a_table(it, deal=STACKED)
                except (Unavailable, TryAgain):
                    continue  # a table that did not come to be is not what is tried here
                try:
                    await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
                    happened: bool | None = True
                except TryAgain as no:
                    happened = False if no.known else None
                stop.set()
                await cutting
                assert happened is None or await claimed(it, table) == happened
                stop.clear()
                cutting = asyncio.create_task(cut())
        finally:
            stop.set()
            await cutting
            await cutter.close()
