"""The way of a command, without HTTP: on a real Postgres and a real Valkey."""

from __future__ import annotations

import random

from tests.service.runtime.table import a_table, runtime


async def test_three_players_finish_a_match_and_the_log_tells_it_all(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        await table.play_on(random.Random(1), until=lambda seen: seen["status"] == "over")

        rows = await it.store.log.events(table.match)
        assert [row.version for row in rows] == list(range(1, len(rows) + 1))
        tags = {row.tag for row in rows}
        assert {"match.opened", "match.seated", "match.started", "match.ended", "match.seed_revealed"} <= tags
        assert {"cheat.dealt", "cheat.claimed", "cheat.challenged", "cheat.pile_taken"} <= tags
