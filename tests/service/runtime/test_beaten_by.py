"""What beat a late action is told from what its seat was told, and from nothing else."""

from __future__ import annotations

import msgspec
import pytest

from domain.kernel.game import Seat
from service.dialogue import Refusal
from service.runtime.draft import beyond
from service.runtime.runtime import Runtime
from tests.service.runtime.table import Table, a_table, runtime

SEATS = 7
DOUBT = {"type": "mogelei.doubt", "pass_id": 0, "seat": 1}
HANDS = [[f"{colour}{seat + 1}" for colour in ("red", "blue", "black")] for seat in range(SEATS)]


async def after(it: Runtime, hidden: int) -> Table:
    """So many have laid unseen since the first seat let the round go on."""
    names = "Anna Ben Cara Dora Emil Fritz Gina"
    deal = msgspec.Raw(msgspec.json.encode({"dealer": SEATS - 1, "hands": HANDS}))
    table = await a_table(it, names, game="mogelei", deal=deal)
    await table.act(0, {"type": "mogelei.call", "colour": "red"})
    for colour in ("red", "blue"):
        for seat in range(SEATS):
            await table.act(seat, {"type": "mogelei.lay", "card": f"{colour}{seat + 1}"})
        for seat in range(SEATS):
            shows = colour == "red" and seat == 0
            await table.act(seat, {"type": "mogelei.reveal" if shows else "mogelei.keep_hidden"})
        await table.act(0, {"type": "mogelei.continue_round"})
    for seat in range(1, 1 + hidden):
        await table.act(seat, {"type": "mogelei.lay", "card": f"black{seat + 1}"})
    return table


async def test_how_far_back_is_looked_does_not_tell_how_many_have_laid_unseen(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as folding:
        looked_at, answered = set(), set()
        for hidden in (0, 3, 6):
            table = await after(it, hidden)
            for server in (it, folding):
                entry = await server.books.current(table.match)
                books = [*entry.before, entry.book]
                known = {book.sights[0].seq for book in books if not beyond(book, entry.book, Seat(0))}
                looked_at.add(frozenset(known))
                with pytest.raises(Refusal) as no:
                    await Table(server, table.match, table.players).act(0, DOUBT)
                answered.add((no.value.reason, no.value.seq, no.value.beaten_by))

        assert len(looked_at) == len(answered) == 1
        assert len(looked_at.pop()) > 10


async def test_a_process_that_folds_the_log_tells_what_was_first_like_the_one_that_wrote_it(
    database: str, redis_url: str
) -> None:
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as folding:
        table = await a_table(it, deal=msgspec.Raw(b'{"dealer":2,"hands":[["AS","7H"],["2D","9C"],["3C","KD"]]}'))
        with pytest.raises(Refusal):  # he has tried something before
            await table.act(2, {"type": "cheat.play", "cards": ["3C"]})
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
        first = msgspec.json.decode((await table.act(1, {"type": "cheat.challenge", "claim_id": 0})).body)

        for server in (it, folding):
            with pytest.raises(Refusal) as second:
                await Table(server, table.match, table.players).act(2, {"type": "cheat.challenge", "claim_id": 0})
            assert second.value.beaten_by == first["frames"][0]["seq"]
