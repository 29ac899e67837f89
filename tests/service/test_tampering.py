"""A superuser of Postgres changes rows of a stored match: what the server gives out then is found to be no history."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import asyncpg
import pytest
from rich.console import Console

from projections.audit.fault import Fault
from projections.audit.kept import kept
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from service.audit.exporting import complete
from service.audit.importing import take_in
from service.store.engine import Store
from tests.audit.paper import Paper
from tests.audit.test_tampering import paper

EVENT: Final = {
    "at": "at + interval '1 microsecond'",
    "received_at": "received_at - interval '1 microsecond'",
    "by": "by + 1",
    "tag": "overlay(tag placing 'x' from 3)",
    "command": "md5(command::text)::uuid",
    "envelope": "overlay(envelope placing CASE WHEN substr(envelope, $3, 1) = '7' THEN '8' ELSE '7' END from $3)",
    "salt": "set_byte(salt, $3 % 16, (get_byte(salt, $3 % 16) + 1) % 256)",
    "head": "set_byte(head, $3 % 32, (get_byte(head, $3 % 32) + 1) % 256)",
    "heads": "set_byte(heads, $3 % 96, (get_byte(heads, $3 % 96) + 1) % 256)",
    "seqs": "array_replace(seqs, seqs[1], seqs[1] + 1)",
}
ATTEMPT: Final = {
    "received_at": "received_at + interval '1 microsecond'",
    "outcome": "outcome || 'x'",
    "record": "overlay(record placing CASE WHEN substr(record, $3, 1) = '7' THEN '8' ELSE '7' END from $3)",
    "head": "set_byte(head, $3 % 32, (get_byte(head, $3 % 32) + 1) % 256)",
    "command": "md5(command::text)::uuid",
}
ELSEWHERE: Final = (
    "DELETE FROM event WHERE version = (SELECT max(version) / 2 FROM event)",
    "DELETE FROM event WHERE version > (SELECT max(version) / 2 FROM event)",
    "DELETE FROM attempt WHERE (seat, n) = (SELECT seat, n FROM attempt ORDER BY n, seat LIMIT 1)",
    "UPDATE event SET version = 99999 WHERE version = 8; UPDATE event SET version = 8 WHERE version = 9;"
    "UPDATE event SET version = 9 WHERE version = 99999",
    "UPDATE secret SET seed = set_byte(seed, 31, (get_byte(seed, 31) + 1) % 256)",
    "UPDATE stream SET head = set_byte(head, 0, (get_byte(head, 0) + 1) % 256)",
    "UPDATE stream SET heads = set_byte(heads, 0, (get_byte(heads, 0) + 1) % 256)",
    "UPDATE stream SET version = version - 1",
    'UPDATE stream SET tries = replace(tries, \'"head":"\', \'"head":"0\')',
    "UPDATE stream SET tries = 'nothing'",
)
TABLES: Final = ("event", "attempt", "secret", "stream")


@pytest.fixture
async def superuser(database: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


@pytest.mark.parametrize("game", CATALOGUE)
async def test_whatever_a_superuser_changes_is_found(
    game: str, database: str, superuser: asyncpg.Connection[asyncpg.Record], tmp_path: Path
) -> None:
    it, luck = paper(game), random.Random(game)
    path = tmp_path / "match.ndjson"
    path.write_bytes(b"".join(it.lines()))
    await asyncio.to_thread(take_in, path, database, Console(quiet=True))
    for table in TABLES:
        await superuser.execute(f"CREATE TABLE {table}_was AS TABLE {table}")
    store = await Store.open(database, connections=2)
    try:
        assert await _fault(store, it) is None
        for column, changed in EVENT.items():
            version = luck.randrange(1, len(it.rows) + 1)
            row = it.rows[version - 1]
            where = f"version = {version}"
            fault = await _after(superuser, store, it, "event", column, changed, where, len(row.envelope), luck)
            assert fault is not None, column
            assert fault.version == version, (column, fault)
        for column, changed in ATTEMPT.items():
            tried = luck.choice(it.attempts)
            where = f"seat = {tried.seat} AND n = {tried.n}"
            fault = await _after(superuser, store, it, "attempt", column, changed, where, len(tried.record), luck)
            assert fault is not None, column
        for statement in ELSEWHERE:
            await superuser.execute(statement)
            assert await _fault(store, it) is not None, statement
            await _put_back(superuser)
    finally:
        await store.close()


async def _after(
    superuser: asyncpg.Connection[asyncpg.Record],
    store: Store,
    it: Paper,
    table: str,
    column: str,
    changed: str,
    where: str,
    length: int,
    luck: random.Random,
) -> Fault | None:
    """``$3``: some place in the text, or the bytes."""
    place = str(luck.randrange(1, length))
    changed = changed.replace("$3", place)
    await superuser.execute(f'UPDATE {table} SET "{column}" = {changed} WHERE {where}')  # noqa: S608 - a superuser
    fault = await _fault(store, it)
    await _put_back(superuser)
    return fault


async def _fault(store: Store, it: Paper) -> Fault | None:
    lines = [line async for line in complete(store.log, it.match)]
    try:
        verify(lines, kept=kept(it.told(0)))
    except Fault as fault:
        return fault
    assert lines == it.lines()
    return None


async def _put_back(superuser: asyncpg.Connection[asyncpg.Record]) -> None:
    for table in TABLES:
        await superuser.execute(f"TRUNCATE {table}; INSERT INTO {table} TABLE {table}_was")
