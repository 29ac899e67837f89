"""The lobby: matches to sit down at or to look on, and one's own."""

from __future__ import annotations

from functools import cache
from typing import Final
from uuid import UUID

from asyncpg import Record
from msgspec import Struct
from sqlalchemy import Uuid, bindparam, literal_column, not_, select, tuple_

from service.store import cursors, tables
from service.store.postgres import Postgres, Query, query
from service.store.rows import Access, LobbyRow

_columns = tables.columns(tables.lobby, LobbyRow)
_ROW: Final = query(select(*_columns).where(tables.lobby.c.match == bindparam("match")))
_BY_CODE: Final = query(select(tables.code.c.match).where(tables.code.c.code == bindparam("code")))


class Listed(Struct, frozen=True):
    match: UUID
    row: LobbyRow


class Page(Struct, frozen=True):
    """``cursor`` leads to the next page; None where this is the last."""

    matches: tuple[Listed, ...]
    cursor: str | None


_PLAYING = query(
    select(tables.lobby.c.match)
    .where(tables.PLAYING, tables.lobby.c.match > bindparam("after", type_=Uuid))
    .order_by(tables.lobby.c.match)
    .limit(bindparam("most"))
)


class Lobby:
    """Reads only: an append writes the lobby's rows."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def page(
        self,
        *,
        status: str | None = None,
        game: str | None = None,
        mine: UUID | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Page:
        """The newest matches, ``limit`` at a time.

        With ``mine`` those of one player: where he sits, may come back, or which he opened. Only there appear matches
        behind a code and sandboxes. A match that opens while somebody turns the pages moves nothing that he has not
        seen yet. Raises ``BadCursor`` and ``Unavailable``.
        """
        values: dict[str, object] = {"status": status, "game": game, "mine": mine, "most": limit + 1}
        if cursor is not None:
            values["opened_at"], values["match"] = cursors.read(cursor)
        asked = _page(status is not None, game is not None, mine is not None, cursor is not None)
        rows = await self._postgres.rows(asked, **values)
        matches = tuple(Listed(match, _row(row)) for match, *row in rows[:limit])
        more = len(rows) > limit
        return Page(matches, cursors.written(matches[-1].row.opened_at, matches[-1].match) if more else None)

    async def playing(self, after: UUID, limit: int) -> list[UUID]:
        """Running matches whose clock goes by itself, in ascending order of their ids, from behind this one on."""
        return [row[0] for row in await self._postgres.rows(_PLAYING, after=after, most=limit)]

    async def by_code(self, code: str) -> UUID | None:
        """The match at which one can sit down by this code now. Raises ``Unavailable``."""
        row = await self._postgres.row(_BY_CODE, code=code)
        return None if row is None else row[0]

    async def row(self, match: UUID) -> LobbyRow | None:
        """One match as the lobby shows it, to whomever. Raises ``Unavailable``."""
        row = await self._postgres.row(_ROW, match=match)
        return None if row is None else _row(row)


@cache
def _page(status: bool, game: bool, mine: bool, further: bool) -> Query:
    lobby, own = tables.lobby, tables.seat_of
    asked = select(lobby.c.match, *_columns).limit(bindparam("most"))
    if mine:
        asked = asked.join(own, own.c.match == lobby.c.match).where(own.c.player == bindparam("mine"))
        place = own.c.opened_at, own.c.match
    else:
        # Spelt as in the indexes' conditions, so that those are used.
        asked = asked.where(lobby.c.access == literal_column("'public'"), not_(lobby.c.sandbox))
        place = lobby.c.opened_at, lobby.c.match
    if status:
        asked = asked.where(lobby.c.status == bindparam("status"))
    if game:
        asked = asked.where(lobby.c.game == bindparam("game"))
    if further:
        asked = asked.where(tuple_(*place) < tuple_(bindparam("opened_at"), bindparam("match")))
    return query(asked.order_by(*(column.desc() for column in place)))


def _row(row: Record | list[object]) -> LobbyRow:
    named = dict(zip(LobbyRow.__struct_fields__, row, strict=True))
    return LobbyRow(**{**named, "access": Access(named["access"]), "players": tuple(named["players"])})
