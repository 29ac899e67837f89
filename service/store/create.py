"""A match comes to be: not on the hot path, hence in a transaction of several statements."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from service.store import tables
from service.store.append import STATEMENT, arguments, check, outcomes
from service.store.postgres import Connection, Postgres, query
from service.store.rows import CodeTaken, NewMatch, Outcome, OutcomeUnknown, TooMany

R = TypeVar("R")

SANDBOXES: Final = 20  # running at once, per account
_CLAIM: Final = query(insert(tables.code).on_conflict_do_nothing())
_OWNER: Final = query(select(tables.code.c.match).where(tables.code.c.code == bindparam("code")))
_BEGIN: Final = query(insert(tables.stream).on_conflict_do_nothing())
_KEEP: Final = query(insert(tables.secret).on_conflict_do_nothing())
_HOST: Final = query(
    select(tables.player.c.id).where(tables.player.c.id == bindparam("host")).with_for_update(key_share=True)
)
_RUNNING: Final = query(
    select(func.count()).where(
        tables.lobby.c.host == bindparam("host"),
        tables.lobby.c.sandbox,
        or_(tables.lobby.c.status == "open", tables.lobby.c.status == "playing"),
    )
)


async def create(postgres: Postgres, new: NewMatch, sandboxes: int) -> Outcome | CodeTaken | TooMany:
    """The match with all that its opening appends, or nothing.

    ``sandboxes``: how many of its host's may run at once; however many processes he asks, one of them counts at a time.
    ``MOVED``: there is a match of this id. Raises ``Unavailable`` and ``OutcomeUnknown``, ``ValueError`` where the
    append does not expect an empty log, and asyncpg's own errors where a constraint does not let it in.
    """
    check(new.append)
    if (new.append.match, new.append.expected_version, new.append.expected_attempts) != (new.match, 0, 0):
        raise ValueError("a new match begins with its own append to an empty log")
    return await taken_or_undone(postgres, lambda connection: counted(connection, new, sandboxes))


async def taken_or_undone(postgres: Postgres, work: Callable[[Connection], Awaitable[R]]) -> R:
    """Some statements as one: what they did stands only where their outcome is ``TAKEN``."""
    async with postgres.connection(lost=OutcomeUnknown) as connection:
        transaction = connection.transaction()
        await transaction.start()
        outcome = await work(connection)
        if outcome is Outcome.TAKEN:
            await transaction.commit()
        else:
            await transaction.rollback()
        return outcome


async def counted(connection: Connection, new: NewMatch, sandboxes: int) -> Outcome | CodeTaken | TooMany:
    """As ``created``, unless too many of its host's sandboxes run."""
    lobby = new.append.lobby
    if lobby is None or not lobby.sandbox:
        return await created(connection, new)
    host = {"host": lobby.host}
    await connection.execute(_HOST.sql, *_HOST.arguments(host))  # the others of his wait, and then count this one
    outcome = await created(connection, new)
    if outcome is Outcome.TAKEN and await connection.fetchval(_RUNNING.sql, *_RUNNING.arguments(host)) > sandboxes:
        return TooMany()
    return outcome


async def created(connection: Connection, new: NewMatch) -> Outcome | CodeTaken:
    """Within a transaction, which whoever began it must roll back where the outcome is not ``TAKEN``."""
    first = new.append
    if first.lobby is not None and (code := first.lobby.code) is not None:
        await connection.execute(_CLAIM.sql, *_CLAIM.arguments({"code": code, "match": new.match}))
        if await connection.fetchval(_OWNER.sql, *_OWNER.arguments({"code": code})) != new.match:
            return CodeTaken(code)
    empty = {
        "match": new.match,
        "game": new.game,
        "version": 0,
        "attempts": 0,
        "head": first.head,
        "seqs": first.seqs,
        "heads": first.heads,
        "tries": first.tries,
    }
    await connection.execute(_BEGIN.sql, *_BEGIN.arguments(empty))
    await connection.execute(_KEEP.sql, *_KEEP.arguments({"match": new.match, "seed": new.seed}))
    [outcome] = outcomes(await connection.fetchval(STATEMENT, *arguments([first])))
    return outcome
