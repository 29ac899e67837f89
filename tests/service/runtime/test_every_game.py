"""A match of every game through the Referee: stored, read back and folded it is the same match."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain import history
from domain.match.decider import step
from projections.catalogue import CATALOGUE
from tests.service.runtime.table import a_table, runtime


@pytest.mark.parametrize("game", CATALOGUE)
async def test_the_log_of_a_whole_match_folds_to_where_the_match_stands(
    game: str, database: str, redis_url: str
) -> None:
    kind = CATALOGUE[game].game
    names = " ".join(["Anna", "Ben", "Cara", "Dan"][: max(kind.seats[0], min(4, kind.seats[1]))])
    async with runtime(database, redis_url) as it:
        table = await a_table(it, names=names, game=game, seats=len(names.split()))
        await table.play_on(random.Random(game), until=lambda seen: bool(seen["status"] == "over"))

        book = (await it.reader._books.current(table.match)).book
        rows = await it.store.log.events(table.match)
        state: Any = None
        for row in rows:
            envelope = history.read(kind, row.envelope.encode())
            state = step(kind, state, envelope.by, envelope.event, envelope.at)
        assert state == book.open_state()
        assert state.status == "over"
