"""Connections to Postgres, and what can go wrong with them.

Queries are written in SQLAlchemy Core, compiled once (``query``) and run on a pool of asyncpg connections. SQLAlchemy's
own engine is left out at run time: it would be a second pool with its own way of noticing a dead server, and costs a
BEGIN and a ROLLBACK per read.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy
from sqlalchemy import ClauseElement
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.sql.compiler import SQLCompiler

from service.store.rows import OutcomeUnknown, Unavailable

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"

PATIENCE: Final = 2.0  # seconds after which a Postgres that says nothing is taken for dead

_SETTINGS: Final = {
    "application_name": "mogelwerk",
    "jit": "off",
    "statement_timeout": "1800ms",  # before our own patience ends, so that we learn that nothing happened
    "lock_timeout": "1s",
    "idle_in_transaction_session_timeout": "2s",
    # So that the server too forgets, within seconds, a client whose machine is gone.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
}

# Refused for the moment, not because of what was asked: nothing happened, and later it may.
_PASSING: Final = (
    asyncpg.TransactionRollbackError,
    asyncpg.LockNotAvailableError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InternalServerError,
)
# InternalClientError: asyncpg's, of a connection that it was told is going away, but has not seen go.
NO_ANSWER: Final = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)


class Query:
    """A statement as text, with the names of its arguments in order."""

    def __init__(self, statement: ClauseElement) -> None:
        compiled = statement.compile(dialect=PGDialect_asyncpg())  # type: ignore[no-untyped-call]
        assert isinstance(compiled, SQLCompiler)
        self.sql = str(compiled)
        self._names: tuple[str, ...] = tuple(compiled.positiontup or ())
        self._given: Mapping[str, Any] = compiled.params

    def arguments(self, values: Mapping[str, Any]) -> Iterable[Any]:
        return [values[name] if name in values else self._given[name] for name in self._names]


def query(statement: ClauseElement) -> Query:
    """Compiles a Core statement; do it once, when a module is loaded, where its shape does not change."""
    return Query(statement)


class Postgres:
    """A pool of connections that mends itself: whatever was lost is opened again by whoever needs it next."""

    def __init__(self, database_url: str, pool: asyncpg.Pool[asyncpg.Record]) -> None:
        self._url = database_url
        self._pool = pool

    @classmethod
    async def open(cls, database_url: str, *, connections: int = 10) -> Postgres:
        """Connects to ``postgresql://…`` (the folder of a socket as ``?host=/folder``).

        Raises ``Unavailable`` where nothing answers within 2 s.
        """
        try:
            pool = await asyncpg.create_pool(
                database_url,
                min_size=0,  # with more asyncpg would try to keep them open, and fill the logs while Postgres is away
                max_size=connections,
                timeout=PATIENCE,
                command_timeout=PATIENCE,
                server_settings=_SETTINGS,
                reset=_as_it_is,
            )
            await pool.release(await pool.acquire(timeout=PATIENCE))
        except NO_ANSWER as error:
            raise Unavailable(f"no Postgres answers: {error}") from error
        return cls(database_url, pool)

    async def close(self) -> None:
        """Lets what is under way end, for 2 s at most."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._pool.close()
        except NO_ANSWER:
            self._pool.terminate()

    async def connect(self, settings: Mapping[str, str]) -> asyncpg.Connection[asyncpg.Record]:
        """A connection outside the pool, for whoever keeps it, with more settings. Raises ``Unavailable``."""
        try:
            return await asyncpg.connect(
                self._url, timeout=PATIENCE, command_timeout=PATIENCE, server_settings={**_SETTINGS, **settings}
            )
        except NO_ANSWER as error:
            raise Unavailable(f"no Postgres answers: {error}") from error

    async def rows(self, asked: Query, **values: object) -> list[asyncpg.Record]:
        """Reads. Raises ``Unavailable``."""
        async with self.connection() as connection:
            return await connection.fetch(asked.sql, *asked.arguments(values))

    async def row(self, asked: Query, **values: object) -> asyncpg.Record | None:
        """Reads the first row. Raises ``Unavailable``."""
        async with self.connection() as connection:
            return await connection.fetchrow(asked.sql, *asked.arguments(values))

    async def write(self, asked: Query, **values: object) -> list[asyncpg.Record]:
        """Runs one statement that changes something. Raises ``Unavailable`` where it did not happen, and its kind
        ``OutcomeUnknown`` where it may have."""
        async with self.connection(lost=OutcomeUnknown) as connection:
            return await connection.fetch(asked.sql, *asked.arguments(values))

    @asynccontextmanager
    async def connection(self, lost: type[Unavailable] = Unavailable) -> AsyncIterator[Connection]:
        """One of the pool's connections; ``lost`` is what a loss in the middle is called.

        Every statement on it is over within 2 s, one way or another. Errors of what was asked (a constraint, a type)
        come as asyncpg's own.
        """
        try:
            held = await self._pool.acquire(timeout=PATIENCE)
        except NO_ANSWER as error:
            raise Unavailable(f"no Postgres answers: {error}") from error
        try:
            yield held
        except Exception as error:
            if was_lost(held, error):
                raise lost(f"Postgres was lost: {error!r}") from error
            if is_passing(error):
                raise Unavailable(f"Postgres could not: {error}") from error
            raise
        except BaseException:  # cancelled: asyncpg would wait for Postgres to confirm that, which a dead one never does
            cut_off(held)
            raise
        finally:
            await self._pool.release(held)


def was_lost(connection: Connection, error: Exception) -> bool:
    """Whether after this error nobody knows what became of the statement; the connection is cut off then.

    Where Postgres answered with a mere ERROR and still talks to us, it has undone the whole statement. Whatever ends
    the connection may have come after the commit.
    """
    ended = isinstance(error, OSError | TimeoutError) or getattr(error, "severity", None) in ("FATAL", "PANIC")
    if is_open(connection) and not ended:
        return False
    cut_off(connection)
    return True


def is_open(connection: Connection) -> bool:
    try:
        return not connection.is_closed()
    except asyncpg.InterfaceError:  # so closed that the pool has taken it back
        return False


def cut_off(connection: Connection) -> None:
    if is_open(connection):
        connection.terminate()


def is_passing(error: Exception) -> bool:
    """Whether the same statement may succeed later."""
    return isinstance(error, _PASSING)


async def _as_it_is(_: Connection) -> None:
    """In place of asyncpg's reset, one more round trip: nothing here changes a session."""
