"""Who read what: a chain for each match, appended to and never changed."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from msgspec import Struct
from sqlalchemy import Integer, bindparam, select
from sqlalchemy.dialects.postgresql import insert

from service.store import tables
from service.store.postgres import Postgres, query

_t: Final = tables.access
_LAST: Final = query(select(_t.c.n, _t.c.head).where(_t.c.match == bindparam("match")).order_by(_t.c.n.desc()).limit(1))
_ADD: Final = query(
    insert(_t)
    .values({name: bindparam(f"new_{name}", type_=_t.c[name].type) for name in ("match", "n", "record", "head")})
    .on_conflict_do_nothing()
    .returning(_t.c.n)
)
_OF: Final = query(
    select(_t.c.match, _t.c.n, _t.c.record, _t.c.head)
    .where(_t.c.match == bindparam("match"), _t.c.n > bindparam("after"))
    .order_by(_t.c.n)
    .limit(bindparam("most", type_=Integer()))
)
_MATCHES: Final = query(select(_t.c.match).distinct().order_by(_t.c.match))


class AccessRow(Struct, frozen=True):
    """``n`` counts per match; ``record`` is exactly the text whose UTF-8 bytes the head binds."""

    match: UUID
    n: int
    record: str
    head: bytes


class Access:
    """Every method raises ``Unavailable`` where Postgres does not answer within 2 s."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def last(self, match: UUID) -> tuple[int, bytes] | None:
        """Number and head of the newest; None: nobody has read anything."""
        row = await self._postgres.row(_LAST, match=match)
        return None if row is None else (row["n"], row["head"])

    async def add(self, row: AccessRow) -> bool:
        """False: somebody was first under this number, and nothing happened."""
        values = {"new_match": row.match, "new_n": row.n, "new_record": row.record, "new_head": row.head}
        return bool(await self._postgres.write(_ADD, **values))

    async def of(self, match: UUID, after: int, limit: int) -> list[AccessRow]:
        """The first ``limit`` with a number above ``after``, in order."""
        return [AccessRow(*row) for row in await self._postgres.rows(_OF, match=match, after=after, most=limit)]

    async def matches(self) -> list[UUID]:
        """Those of which anything was read."""
        return [row["match"] for row in await self._postgres.rows(_MATCHES)]
