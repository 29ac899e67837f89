"""What is refused beyond what is kept is counted, whichever process refuses it."""

from __future__ import annotations

import pytest

from projections.evidence import read_record
from service.dialogue import Refusal
from service.runtime import attempts
from tests.service.runtime.table import Table, a_table, runtime


async def test_two_processes_count_together(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as here, runtime(database, redis_url) as there:
        table = await a_table(here)
        twin = Table(there, table.match, table.players)
        for one in (twin, *[table] * 41, *[twin] * 3, table, twin, table):
            with pytest.raises(Refusal):
                await one.act(1, {"type": "cheat.challenge", "claim_id": 7})
        stream = await here.store.log.stream(table.match)
        assert stream is not None
        tries = attempts.read(stream.tries, table.match, 3)[1]
        rows = await here.store.log.attempts(table.match, 1)

        kept = sum(row.outcome == "refused" for row in rows)
        counted = sum(read_record(row.record).count for row in rows if row.outcome == "uncounted") + tries.uncounted
        assert kept + counted == 48
        assert kept <= 2 * attempts.KEPT_A_MINUTE  # in one minute, or in two
