"""Brings a database to the tables that this code knows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Final, TypeVar

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

T = TypeVar("T")

# One number for all who migrate a database at once: the second waits, and then finds nothing to do.
LOCK: Final = 7_216_405_598_113_244_160


def upgrade(database_url: str) -> None:
    """Makes every table that is missing, in one transaction.

    Any number of processes may call it at once: one does the work while the others wait for it. Errors of the
    database come as they are (``OSError`` where nothing answers, ``asyncpg.PostgresError``, sqlalchemy's wrapping it).
    """
    on_connection(database_url, lambda connection: command.upgrade(_config(connection), "head"))


def current(database_url: str) -> str | None:
    """The revision at which the database stands; None where nothing was migrated yet."""
    return on_connection(database_url, lambda it: MigrationContext.configure(it).get_current_revision())


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def on_connection(database_url: str, work: Callable[[Connection], T]) -> T:
    """Does something on one of SQLAlchemy's ordinary connections: what alembic wants, and nothing else here has."""

    async def run() -> T:
        # asyncpg reads the URL itself, here and in the engine, so that both take the same ones.
        engine = create_async_engine(
            "postgresql+asyncpg://", poolclass=NullPool, async_creator=lambda: asyncpg.connect(database_url, timeout=10)
        )
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(work)
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as aside:  # a thread of its own, because the caller's may have a running loop
        return aside.submit(asyncio.run, run()).result()
