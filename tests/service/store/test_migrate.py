"""Migrations lead to the tables that the code knows, however many processes run them at once."""

import asyncio
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from service.store import migrate
from service.store.engine import Store
from service.store.migrate import current, on_connection, upgrade
from service.store.tables import metadata

# As Postgres itself tells them: what alembic does not compare (checks, comments, storage, conditions of indexes) too.
CATALOGUE = """
SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
    coalesce(pg_get_expr(d.adbin, d.adrelid), ''), coalesce(col_description(c.oid, a.attnum), '')
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', '', ''
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
UNION ALL SELECT 'index', tablename, indexname, indexdef, '', '', '' FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'table', relname, array_to_string(reloptions, ','), obj_description(oid), '', '', ''
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
"""


def ask(url: str, sql: str) -> list[tuple[object, ...]]:
    async def run() -> list[tuple[object, ...]]:
        connection = await asyncpg.connect(url)
        rows = await connection.fetch(sql)
        await connection.close()
        return [tuple(row) for row in rows]

    return asyncio.run(run())


@pytest.fixture
def empty(database_url: str) -> Iterator[str]:
    """The URL of a database with nothing in it."""
    name = f"mogelwerk_empty_{uuid4().hex[:12]}"
    ask(database_url, f"CREATE DATABASE {name}")
    yield urlsplit(database_url)._replace(path=f"/{name}").geturl()
    ask(database_url, f"DROP DATABASE {name} WITH (FORCE)")


def test_an_empty_database_is_brought_up_and_a_second_time_changes_nothing(empty: str) -> None:
    assert current(empty) is None
    upgrade(empty)
    revision = current(empty)
    assert revision is not None
    before = ask(empty, CATALOGUE)

    upgrade(empty)

    assert current(empty) == revision
    assert ask(empty, CATALOGUE) == before


def test_migrations_and_tables_agree_as_alembic_sees_it(empty: str) -> None:
    upgrade(empty)

    def differences(connection: Connection) -> object:
        options = {"compare_type": True, "compare_server_default": True}
        return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)

    assert on_connection(empty, differences) == []


def test_migrations_and_tables_agree_as_postgres_sees_it(empty: str) -> None:
    upgrade(empty)
    migrated = [row for row in ask(empty, CATALOGUE) if row[1] != "alembic_version"]
    ask(empty, "DROP SCHEMA public CASCADE")
    ask(empty, "CREATE SCHEMA public")

    def create(connection: Connection) -> None:
        metadata.create_all(connection)
        connection.commit()

    on_connection(empty, create)

    assert sorted(ask(empty, CATALOGUE), key=repr) == sorted(migrated, key=repr)
    assert len(migrated) > 100


def test_processes_that_migrate_at_once_make_the_tables_once(empty: str) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as processes:
        processes.map(upgrade, [empty] * 3)

    assert current(empty) is not None


async def test_who_comes_while_another_migrates_waits_for_him(empty: str) -> None:
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"
    other, looking = await asyncpg.connect(empty), await asyncpg.connect(empty)  # one transaction sees one moment
    async with other.transaction():
        await other.execute("SELECT pg_advisory_xact_lock($1)", migrate.LOCK)
        upgrading = asyncio.create_task(asyncio.to_thread(upgrade, empty))
        async with asyncio.timeout(10):
            while not await looking.fetchval(waiting):  # noqa: ASYNC110 - nothing tells when somebody begins to wait
                await asyncio.sleep(0.01)  # between two looks
        assert not upgrading.done()
    await upgrading
    await other.close()
    await looking.close()
    assert await asyncio.to_thread(current, empty) is not None


def test_it_may_be_called_where_a_loop_runs(empty: str) -> None:
    async def run() -> str | None:
        upgrade(empty)
        return current(empty)

    assert asyncio.run(run()) is not None


def test_nobody_listens_is_said_at_once(folder: Path) -> None:
    with pytest.raises(OSError):
        upgrade(f"postgresql://anna@/mogelwerk?host={folder}")


def test_the_log_is_not_unmade() -> None:
    for revision in ScriptDirectory(str(Path(migrate.__file__).parents[2] / "migrations")).walk_revisions():
        if revision.down_revision is None:
            with pytest.raises(RuntimeError):
                revision.module.downgrade()


async def test_a_store_without_tables_does_not_open(empty: str) -> None:
    with pytest.raises(asyncpg.UndefinedTableError):
        await Store.open(empty)
