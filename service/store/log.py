"""What a match's log says. Every function raises ``Unavailable`` where Postgres does not answer within 2 s."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

from asyncpg import Record
from sqlalchemy import (
    ARRAY,
    Integer,
    Text,
    Uuid,
    all_,
    and_,
    any_,
    bindparam,
    delete,
    func,
    literal_column,
    or_,
    select,
)

from service.store import tables
from service.store.postgres import Connection, Postgres, query
from service.store.rows import AttemptRow, Deadline, EventRow, KeyRow, StreamRow
from service.store.together import Together

MAX_VERSION: Final = 2**31 - 1
DROPPED_AT_ONCE: Final = 10  # matches; so that each statement is over in time

_MATCH: Final = bindparam("match", type_=Uuid)
_MATCHES: Final = bindparam("matches", type_=ARRAY(Uuid))

_events = select(*tables.columns(tables.event, EventRow)).where(tables.event.c.match == _MATCH)
_attempts = select(*tables.columns(tables.attempt, AttemptRow)).where(tables.attempt.c.match == _MATCH)

_STREAM = query(select(*tables.columns(tables.stream, StreamRow)).where(tables.stream.c.match == _MATCH))
_HELD = query(select(tables.stream.c.version).where(tables.stream.c.match == _MATCH).with_for_update(key_share=True))
_SEED = query(select(tables.secret.c.seed).where(tables.secret.c.match == _MATCH))
_VERSIONS = query(
    select(tables.stream.c.match, tables.stream.c.version, tables.stream.c.attempts).where(
        tables.stream.c.match == any_(_MATCHES)
    )
)
_EVENTS = query(
    _events.where(
        tables.event.c.version > bindparam("after_version"), tables.event.c.version <= bindparam("upto")
    ).order_by(tables.event.c.version)
)
# No seq is above its event's version, so what comes after a seq lies above the version of the same number.
_TOLD = query(
    _events.where(
        tables.event.c.version > bindparam("after_seq"),
        tables.event.c.seqs[bindparam("place", type_=Integer)] > bindparam("after_seq"),
    )
    .order_by(tables.event.c.version)
    .limit(bindparam("most"))
)
_LAST_TOLD = query(
    _events.where(
        tables.event.c.version <= bindparam("upto"),
        tables.event.c.seqs[bindparam("place", type_=Integer)] > 0,
    )
    .order_by(tables.event.c.version.desc())
    .limit(1)
)
_HAPPENED = query(
    select(func.min(tables.event.c.version), func.max(tables.event.c.version)).where(
        tables.event.c.match == _MATCH, tables.event.c.command == bindparam("command")
    )
)
# Before the attempt that is kept may stand, of the same command, how many were not.
_ATTEMPTED = query(
    _attempts.where(tables.attempt.c.command == bindparam("command")).order_by(tables.attempt.c.n.desc()).limit(1)
)
_ATTEMPTS = query(
    _attempts.where(tables.attempt.c.seat == bindparam("seat"), tables.attempt.c.n > bindparam("after"))
    .order_by(tables.attempt.c.n)
    .limit(bindparam("most"))
)
_LATE = bindparam("last", type_=Integer)
_ANSWERED = query(
    _attempts.where(
        tables.attempt.c.seat == bindparam("seat"),
        or_(
            and_(
                tables.attempt.c.outcome == "refused",
                literal_column("(record::json->>'version')::integer").between(bindparam("first", type_=Integer), _LATE),
            ),
            and_(
                tables.attempt.c.outcome == "accepted",
                tables.attempt.c.command.in_(
                    select(tables.event.c.command)
                    .where(
                        tables.event.c.match == _MATCH,
                        tables.event.c.version.between(bindparam("first", type_=Integer), _LATE + 1),
                    )
                    .group_by(tables.event.c.command)
                    .having(func.max(tables.event.c.version) <= _LATE)
                ),
            ),
        ),
    ).order_by(tables.attempt.c.n)
)
_TAGGED = query(_events.where(tables.event.c.tag == any_(bindparam("tags", type_=ARRAY(Text)))).order_by("version"))
_REFUSED = query(
    _attempts.where(
        tables.attempt.c.seat == bindparam("seat"),
        tables.attempt.c.n > bindparam("after"),
        tables.attempt.c.outcome != "accepted",
    )
    .order_by(tables.attempt.c.n)
    .limit(bindparam("most"))
)
_REFUSED_FROM = query(
    _attempts.where(tables.attempt.c.seat == bindparam("seat"), tables.attempt.c.outcome == "refused")
    .order_by(tables.attempt.c.n)
    .offset(bindparam("skip"))
    .limit(bindparam("most"))
)
_SAT_IN = query(
    select(tables.event.c.match)
    .where(
        tables.event.c.match == any_(bindparam("matches", type_=ARRAY(Uuid))),
        tables.event.c.tag == "match.seated",
        tables.event.c.envelope.contains(bindparam("player", type_=Text)),
    )
    .distinct()
)
KEY: Final = query(
    select(*tables.columns(tables.key, KeyRow)).where(
        tables.key.c.player == bindparam("player"),
        tables.key.c.scope == bindparam("scope"),
        tables.key.c.key == bindparam("key"),
    )
)
_DUE = query(
    select(tables.deadline.c.match, tables.deadline.c.due)
    .where(tables.deadline.c.due < bindparam("before"), tables.deadline.c.match != all_(_MATCHES))
    .order_by(tables.deadline.c.due)
    .limit(bindparam("most"))
)
_OLD_SANDBOXES = query(
    select(tables.lobby.c.match)
    .where(tables.lobby.c.sandbox, tables.lobby.c.opened_at < bindparam("before"))
    .limit(bindparam("most"))
)
_HELD_FOR_GOOD = query(
    select(tables.stream.c.match)
    .where(tables.stream.c.match == any_(_MATCHES))
    .order_by(tables.stream.c.match)
    .with_for_update()
)
_DROPPED: Final = tuple(
    query(delete(table).where(table.c.match == any_(_MATCHES)))
    for table in reversed(tables.metadata.sorted_tables)
    if "match" in table.c
)


class Log:
    """The matches' logs, and what stands beside them."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._versions = Together(self.versions)

    async def stream(self, match: UUID) -> StreamRow | None:
        """Where the match's log ends; None where there is no such match."""
        row = await self._postgres.row(_STREAM, match=match)
        return None if row is None else StreamRow(**{**row, "seqs": tuple(row["seqs"])})

    async def versions(self, matches: Collection[UUID]) -> dict[UUID, tuple[int, int]]:
        """Version and attempts of each of these matches that exists."""
        return {
            match: (version, tried) for match, version, tried in await self._postgres.rows(_VERSIONS, matches=matches)
        }

    async def version(self, match: UUID) -> tuple[int, int] | None:
        """Version and attempts of a match, not older than this call; asked for together with others'."""
        return await self._versions.about(match)

    async def seed(self, match: UUID) -> bytes | None:
        """The 32 bytes from which the match's luck comes: nobody's to see before it is over."""
        row = await self._postgres.row(_SEED, match=match)
        return None if row is None else row[0]

    async def events(self, match: UUID, after_version: int = 0, upto: int | None = None) -> list[EventRow]:
        """The events with ``after_version`` < version ≤ ``upto``, in order; without ``upto`` all to the end."""
        upto = MAX_VERSION if upto is None else upto
        return [
            _event(row)
            for row in await self._postgres.rows(_EVENTS, match=match, after_version=after_version, upto=upto)
        ]

    async def told(self, match: UUID, viewer_index: int, after_seq: int, limit: int) -> list[EventRow]:
        """The first ``limit`` events told to this viewer with a seq above ``after_seq``, in order.

        ``viewer_index``: the seat, or the number of seats for the spectator.
        """
        rows = await self._postgres.rows(_TOLD, match=match, place=viewer_index + 1, after_seq=after_seq, most=limit)
        return [_event(row) for row in rows]

    async def last_told(self, match: UUID, viewer_index: int, upto: int) -> EventRow | None:
        """The last event that this viewer was told, of those up to this version."""
        row = await self._postgres.row(_LAST_TOLD, match=match, place=viewer_index + 1, upto=upto)
        return None if row is None else _event(row)

    async def key(self, player: UUID, scope: str, key: str) -> KeyRow | None:
        """What an idempotency key was used for."""
        row = await self._postgres.row(KEY, player=player, scope=scope, key=key)
        return None if row is None else KeyRow(*row)

    async def happened(self, match: UUID, command: UUID) -> tuple[int, int] | None:
        """First and last version of the events that this command made; None where it made none.

        It waits for whoever writes to the match just now. Asked after the command's ``not_after`` its answer is final;
        before that, a statement still on its way to Postgres may yet come.
        """
        async with self._postgres.connection() as connection, connection.transaction():
            await _quiet(connection, match)
            row = await connection.fetchrow(_HAPPENED.sql, *_HAPPENED.arguments({"match": match, "command": command}))
        return None if row is None or row[0] is None else (row[0], row[1])

    async def attempted(self, match: UUID, command: UUID) -> AttemptRow | None:
        """The attempt that this command is recorded as, accepted or refused; waits, and is final, like ``happened``."""
        async with self._postgres.connection() as connection, connection.transaction():
            await _quiet(connection, match)
            row = await connection.fetchrow(_ATTEMPTED.sql, *_ATTEMPTED.arguments({"match": match, "command": command}))
        return None if row is None else AttemptRow(*row)

    async def attempts(self, match: UUID, seat: int, after: int = 0, limit: int = MAX_VERSION) -> list[AttemptRow]:
        """The first ``limit`` attempts of one seat with n > ``after``, in order; without ``limit`` all of them."""
        rows = await self._postgres.rows(_ATTEMPTS, match=match, seat=seat, after=after, most=limit)
        return [AttemptRow(*row) for row in rows]

    async def answered(self, match: UUID, seat: int, first: int, last: int) -> list[AttemptRow]:
        """The attempts of one seat that were answered with ``first`` ≤ version ≤ ``last`` < MAX_VERSION, in order.

        For reading what has been answered: it does not wait, as ``attempted`` does, for what is being written just now.
        """
        rows = await self._postgres.rows(_ANSWERED, match=match, seat=seat, first=first, last=last)
        return [AttemptRow(*row) for row in rows]

    async def tagged(self, match: UUID, tags: Collection[str]) -> list[EventRow]:
        """The events of these kinds, in order."""
        return [_event(row) for row in await self._postgres.rows(_TAGGED, match=match, tags=list(tags))]

    async def refused(self, match: UUID, seat: int, after: int, limit: int) -> list[AttemptRow]:
        """As ``attempts``, without those that were accepted."""
        rows = await self._postgres.rows(_REFUSED, match=match, seat=seat, after=after, most=limit)
        return [AttemptRow(*row) for row in rows]

    async def refused_from(self, match: UUID, seat: int, skip: int, limit: int) -> list[AttemptRow]:
        """Only those on record that were refused, counted by themselves; without the first ``skip``."""
        rows = await self._postgres.rows(_REFUSED_FROM, match=match, seat=seat, skip=skip, most=limit)
        return [AttemptRow(*row) for row in rows]

    async def sat_in(self, player: UUID, matches: Collection[UUID]) -> set[UUID]:
        """In which of these matches the player sits or ever sat."""
        rows = await self._postgres.rows(_SAT_IN, matches=list(matches), player=f'"player":"{player}"')
        return {row[0] for row in rows}

    async def due(self, before: datetime, limit: int, without: Collection[UUID] = ()) -> list[Deadline]:
        """The first ``limit`` deadlines before this moment of the wall clock, earliest first, none of ``without``."""
        rows = await self._postgres.rows(_DUE, before=before, most=limit, matches=list(without))
        return [Deadline(*row) for row in rows]

    async def drop_sandboxes(self, before: datetime) -> int:
        """Deletes all that is stored of sandbox matches opened before this moment; says how many there were.

        A few at a time, each time in a transaction that holds their streams first, as every append does.
        """
        dropped = 0
        while rows := await self._postgres.rows(_OLD_SANDBOXES, before=before, most=DROPPED_AT_ONCE):
            matches = {"matches": [row[0] for row in rows]}
            async with self._postgres.connection() as connection, connection.transaction():
                await connection.fetch(_HELD_FOR_GOOD.sql, *_HELD_FOR_GOOD.arguments(matches))
                for table in _DROPPED:
                    await connection.execute(table.sql, *table.arguments(matches))
            dropped += len(rows)
        return dropped


async def _quiet(connection: Connection, match: UUID) -> None:
    """Waits until nobody is writing to the match; the next statement then sees what was written."""
    await connection.fetch(_HELD.sql, *_HELD.arguments({"match": match}))


def _event(row: Record) -> EventRow:
    return EventRow(**{**row, "seqs": tuple(row["seqs"])})
