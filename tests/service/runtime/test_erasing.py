"""Who was erased is nobody any more: his name goes out of every process's memory."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from service.runtime import runtime as runtimes
from tests.service.runtime.table import a_table, runtime
from tests.service.runtime.test_time import execute, until


async def test_who_was_erased_is_called_nothing(database: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "NAMES_LAST", 0.02)
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as other:
        table = await a_table(it)

        async def names(at: runtimes.Runtime) -> list[str | None]:
            seen = await at.reader.look(table.match, 3)
            return [seat["name"] for seat in json.loads(seen.body)["seats"]]

        before = await names(it)
        assert await names(other) == before
        assert None not in before

        assert await it.store.accounts.erase(table.players[1])
        for at in (it, other):

            async def forgotten(at: runtimes.Runtime = at) -> bool:
                return await names(at) == [before[0], None, before[2]]

            await until(forgotten)


async def test_whose_name_is_not_known_is_not_asked_for_with_every_append(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        await execute(database, "DELETE FROM player")
        entry = await it.books.entry(table.match)
        await it.books.forget_names()
        assert entry.names == {}
        assert {UUID(player) for player in entry.nameless} == set(table.players)

        await execute(database, "ALTER TABLE player RENAME TO gone")  # who asks fails
        await it.books.name(entry, map(str, table.players))
