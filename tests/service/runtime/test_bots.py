"""Bots at the table: they fill seats, play on for who leaves, and act at most once in their time."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.cheat import CHEAT
from domain.games.mogelei.actions import Lay
from domain.kernel.bot import fill_all
from domain.kernel.game import Command, Pace, Seat
from domain.kernel.offers import Offer
from projections.catalogue import CATALOGUE
from service.dialogue import Asked
from service.runtime.books import remembered
from service.runtime.bots import usable
from service.runtime.draft import decided
from service.runtime.runtime import Runtime
from tests.any_game import luck_of
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
        waits = book.keeps_still(Seat(2), at)
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


async def thinking(it: Runtime, table: Table) -> list[Seat]:
    """Bots that have not yet made up their minds."""
    bots = (await it.books.current(table.match)).book.bots
    return [seat for seat, bot in sorted(bots.items()) if bot.due is not None]


@pytest.mark.parametrize("game", CATALOGUE)
async def test_a_sandbox_clock_goes_from_one_thing_that_happens_to_the_next(
    game: str, database: str, redis_url: str
) -> None:
    """Anna does nothing but turn it. Who thought and keeps still is not asked again because of that, and whoever folds
    the log knows so."""
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as folding:
        table = await a_table(it, "Anna", game=game, seats=4, fill="careful", pace=Pace())
        turns, empty, now, still = 0, 0, "", 0
        while now < "2000-01-01T00:04:50":
            told = await table.turn_clock(60_000)
            if told["status"] == "over":
                break
            assert told["advanced_ms"] > 0
            turns, empty, now = turns + 1, empty + (len(told["frames"]) == 1), told["server_time"]
            awake = await thinking(it, table)
            folding.books.forget(table.match)
            assert await thinking(folding, table) == awake
            if not awake:
                still += 1
                assert len((await table.turn_clock(1))["frames"]) == 1
                assert await thinking(it, table) == []

        assert turns < 150
        assert empty * 2 < turns
        assert still > 0


async def who_may_look(it: Runtime, table: Table) -> list[tuple[Seat, Offer]]:
    """Bots that are not waited for, and what each is offered for that."""
    book, awaited = (await it.books.current(table.match)).book, (await table.sees(0))["awaits"]["seats"]
    now = book.match_time(it.clock.now())
    offered = [(seat, offer) for seat, bot in book.bots.items() for offer in usable(bot.offers, now)]
    return [(s, offer) for s, offer in offered if s not in awaited and offer.type == "monopoly_cheaters.watch"]


async def test_a_sandbox_clock_does_not_stop_for_what_a_bot_did_unseen(database: str, redis_url: str) -> None:
    """Nobody waits for it: whether it looked at somebody or kept still, it thinks again when there is news."""
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as folding:
        table = await a_table(it, "Anna", game="monopoly-cheaters", seats=3, fill="careful", pace=Pace())
        while not (able := await who_may_look(it, table)):
            await table.turn_clock(60_000)
        book = (await it.books.current(table.match)).book
        seat, watch = able[0]
        at = book.match_time(it.clock.now())
        looks = msgspec.convert(fill_all(watch, luck_of(1)), book.view.game.player_action)

        for asked in (book, (await folding.books.current(table.match)).book):
            looked, (one,) = asked.write(
                decided(asked, Command(seat, at, looks)),
                by=seat,
                command=UUID(int=0),
                at=at,
                received_at=at,
                salt=lambda size: bytes(size),
            )

            assert one.row.seqs[seat] > 0
            assert one.row.seqs[0] == 0
            still = asked.keeps_still(seat, at)
            dues = [{other: bot.due for other, bot in b.bots.items()} for b in (still, looked.wake_bots())]
            assert dues[0] == dues[1]
