"""A match that is over, written as it was elsewhere: not by a command, and only where there is none of its id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import structs
from sqlalchemy import Table, bindparam, select
from sqlalchemy.dialects.postgresql import insert

from service.store import tables
from service.store.postgres import Connection, Postgres, query
from service.store.rows import AttemptRow, EventRow, LobbyRow, OutcomeUnknown, StreamRow

_BEGIN: Final = query(insert(tables.stream).on_conflict_do_nothing().returning(tables.stream.c.match))
_KEEP: Final = query(insert(tables.secret))
_LIST: Final = query(insert(tables.lobby))
_OWN: Final = query(
    insert(tables.seat_of).from_select(
        ["player", "match", "opened_at"],
        select(
            bindparam("player", type_=tables.seat_of.c.player.type),
            bindparam("match", type_=tables.seat_of.c.match.type),
            bindparam("opened_at", type_=tables.seat_of.c.opened_at.type),
        ),
    )
)


async def restore(
    postgres: Postgres,
    stream: StreamRow,
    seed: bytes,
    lobby: LobbyRow,
    pages: Iterable[tuple[list[EventRow], list[AttemptRow]]],
) -> bool:
    """All of it, or nothing. False: there is a match of this id. Raises ``Unavailable`` and ``OutcomeUnknown``.

    ``pages``: as many rows at a time as one wants in memory; each is written before the next is asked for.
    """
    match = {"match": stream.match}
    async with postgres.connection(lost=OutcomeUnknown) as connection, connection.transaction():
        if not await connection.fetch(_BEGIN.sql, *_BEGIN.arguments(structs.asdict(stream))):
            return False
        await connection.execute(_KEEP.sql, *_KEEP.arguments({**match, "seed": seed}))
        shown = {**match, **structs.asdict(lobby), "access": lobby.access.value}
        await connection.execute(_LIST.sql, *_LIST.arguments(shown))
        for player in {*lobby.players, lobby.host}:
            own = {**match, "player": player, "opened_at": lobby.opened_at}
            await connection.execute(_OWN.sql, *_OWN.arguments(own))
        for events, attempts in pages:
            await _copy(connection, tables.event, stream, events)
            await _copy(connection, tables.attempt, stream, attempts)
    return True


async def _copy(
    connection: Connection, table: Table, stream: StreamRow, rows: list[EventRow] | list[AttemptRow]
) -> None:
    if rows:
        names = rows[0].__struct_fields__
        records = [(stream.match, *structs.astuple(row)) for row in rows]
        await connection.copy_records_to_table(table.name, columns=["match", *names], records=records)
