"""Bots at the table: they fill seats, play on for who leaves, and act at most once in their time."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain.games.cheat import CHEAT
from domain.games.mogelei.actions import Lay
from domain.kernel.game import Command, Seat
from service.runtime.answers import Asked
from service.runtime.books import remembered
from service.runtime.draft import decided
from tests.service.runtime.table import QUICK, Table, a_player, a_table, runtime
from tests.service.runtime.test_time import until

FAST = replace(QUICK, min_open=0.0, max_open=0.5, round_pause=0.0)


async def test_a_match_of_bots_only_runs_to_its_end_on_its_own(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        for kind in CHEAT.bots:
            options = msgspec.Raw(b'{"max_turns":20}')
            table = await a_table(it, names="Anna", sandbox=False, sit=False, fill=kind, pace=FAST, options=options)

            async def over(table: Table = table) -> bool:
                return bool((await table.sees(3))["status"] == "over")

            await until(over, within=60)
            rows = await it.store.log.events(table.match)
            assert not any(row.tag == "match.timed_out" for row in rows)


async def test_a_bot_thinks_at_least_as_long_as_it_should(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        options = msgspec.Raw(b'{"max_turns":12}')
        table = await a_table(it, names="Anna", sandbox=False, sit=False, fill="careful", pace=FAST, options=options)

        async def over() -> bool:
            return bool((await table.sees(3))["status"] == "over")

        await until(over, within=60)
        rows = await it.store.log.events(table.match)
        for seat in range(3):
            acts = sorted({row.at for row in rows if row.by == seat})
            assert all(later - earlier >= timedelta(seconds=0.05) for earlier, later in pairwise(acts))


async def test_in_a_sandbox_bots_move_with_the_clock_and_not_without(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        told = []
        for _ in range(2):
            deal = msgspec.Raw(b'{"dealer":0,"hands":[["AS","7H","8H"],["2D","9C","JC"],["3C","KD","QD"]]}')
            table = await a_table(it, names="Anna", fill="careful", deal=deal)
            before = (await table.sees(0))["seq"]
            assert (await table.sees(0))["seq"] == before
            for _ in range(12):
                await table.turn_clock(1000)
            frames = msgspec.json.decode((await it.reader.frames(table.match, 3, 0, 500))[0])
            assert frames[-1]["seq"] > before
            told.append([f["at"] for f in frames])
        assert told[0][:8] == told[1][:8]


async def test_a_bot_that_takes_over_knows_what_the_seat_was_told_before(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, pace=replace(QUICK, bot_think=10.0))
        seat = (await table.sees(3))["awaits"]["seats"][0]
        card = (await table.sees(seat))["actions"][0]["fields"]["cards"]["choose"][0]
        await table.act(seat, {"type": "cheat.play", "cards": [card]})
        await it.referee.leave(table.asked(1), table.match, 1)

        book = (await it.reader._books.current(table.match)).book
        rows = await it.store.log.events(table.match)
        assert book.open_state().chairs[1].bot == "careful"
        assert book.bots[1].memory == remembered(book, rows, 1).memory  # type: ignore[index, arg-type]
        back = Asked(player=table.players[1], received_at=it.clock.now())
        sat = await it.referee.sit(back, table.match, seat=None, code=None, bot=None, entropy_commitment=None)
        assert sat.seat == 1


async def test_who_left_sees_no_hand_until_he_comes_back(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=False, access="public")
        await it.referee.leave(table.asked(1), table.match, 1)

        assert await it.reader.viewer(table.match, table.players[1]) == 3
        assert await it.reader.viewer(table.match, await a_player(it, "Dora")) == 3
        assert await it.reader.viewer(table.match, table.players[0]) == 0


async def test_a_bot_notices_nothing_of_what_it_is_not_told(database: str, redis_url: str) -> None:
    """It neither wakes up when somebody lays unseen, nor thinks longer, nor does it after a process has come new."""
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as folding:
        deal = msgspec.json.encode({"dealer": 2, "hands": [[f"red{n}", f"blue{n}", f"black{n}"] for n in (1, 2, 3)]})
        table = await a_table(it, "Anna Ben", game="mogelei", deal=msgspec.Raw(deal), fill="careful")
        await table.act(0, {"type": "mogelei.call", "colour": "red"})
        entry = await it.books.current(table.match)
        book, at = entry.book, entry.book.match_time(it.clock.now())
        thinks = book.bots[Seat(2)]
        waits = book.with_bot(Seat(2), thinks.wait(at))
        assert thinks.due is not None

        later = at + timedelta(milliseconds=1)
        laid = decided(book, Command(Seat(1), later, Lay("red2")))
        for before in (book, waits):
            after, (one,) = before.write(
                laid, by=Seat(1), command=UUID(int=0), at=later, received_at=later, salt=lambda size: bytes(size)
            )
            assert one.row.seqs[2] == 0
            assert after.wake_bots().bots == before.bots

        await table.act(1, {"type": "mogelei.lay", "card": "red2"})
        assert (await it.books.current(table.match)).book.bots[Seat(2)].due == thinks.due
        assert (await folding.books.current(table.match)).book.bots[Seat(2)].due == thinks.due
