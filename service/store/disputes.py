"""Disputes: listed for referees and players, and written together with the append that makes each event of them."""

from __future__ import annotations

from functools import cache
from typing import Any, Final
from uuid import UUID

from asyncpg import Record
from msgspec import Struct, structs
from sqlalchemy import bindparam, func, insert, or_, select, tuple_, update

from service.store import cursors, tables
from service.store.append import STATEMENT, arguments, check, outcomes
from service.store.create import created, taken_or_undone
from service.store.postgres import Connection, Postgres, Query, query
from service.store.rows import Append, Assigned, Beside, DisputeRow, KeptDispute, Outcome, RuledOn

_t: Final = tables.dispute
ABOUT: Final = ("match.opened", "match.seated", "match.dispute_raised", "match.referee_assigned", "match.ruled")
_log = (
    select(tables.event.c.envelope)
    .where(tables.event.c.match == _t.c.match, or_(*(tables.event.c.tag == tag for tag in ABOUT)))
    .order_by(tables.event.c.version)
    .scalar_subquery()
)
_columns: Final = (*tables.columns(_t, DisputeRow), func.array(_log).label("log"))
_ONE: Final = query(select(*_columns).where(_t.c.id == bindparam("dispute")))
_RAISE: Final = query(insert(_t))
_ASSIGN: Final = query(
    update(_t).where(_t.c.id == bindparam("dispute")).values(referee=bindparam("to", type_=_t.c.referee.type))
)
_RULED: Final = ("ruling", "rules", "note", "note_salt", "ruled_at", "branch")
_RULE: Final = query(
    update(_t)
    .where(_t.c.id == bindparam("dispute"))
    .values({name: bindparam(f"new_{name}", type_=_t.c[name].type) for name in _RULED})
)


class DisputePage(Struct, frozen=True):
    """``cursor`` leads to the next page; None where this is the last."""

    disputes: tuple[KeptDispute, ...]
    cursor: str | None


class Disputes:
    """Every method raises ``Unavailable`` where Postgres does not answer within 2 s."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def get(self, dispute: UUID) -> KeptDispute | None:
        row = await self._postgres.row(_ONE, dispute=dispute)
        return None if row is None else _row(row)

    async def page(
        self,
        *,
        raised_by: UUID | None = None,
        undecided: bool | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> DisputePage:
        """The newest first, ``limit`` at a time; ``undecided``: only those, or (False) only others. ``BadCursor``."""
        values: dict[str, object] = {"raised_by": raised_by, "most": limit + 1}
        if cursor is not None:
            values["at"], values["last"] = cursors.read(cursor)
        rows = await self._postgres.rows(_page(raised_by is not None, undecided, cursor is not None), **values)
        disputes = tuple(map(_row, rows[:limit]))
        more = len(rows) > limit
        return DisputePage(disputes, _cursor(disputes[-1].row) if more else None)

    async def append(self, append: Append, beside: Beside) -> Outcome:
        """An append, with what is written beside the log, and with the branch that a ruling makes: all or nothing.

        Not on the way of a play, hence in a transaction of several statements, which no other append shares. Raises
        ``Unavailable`` and ``OutcomeUnknown``.
        """
        check(append)
        return await taken_or_undone(self._postgres, lambda connection: _written(connection, append, beside))


async def _written(connection: Connection, append: Append, beside: Beside) -> Outcome:
    if isinstance(beside, RuledOn) and beside.new is not None:
        # First the branch, which nobody knows yet: so nobody can hold it and wait for what this transaction holds.
        made = await created(connection, beside.new)
        if made is not Outcome.TAKEN:
            return made if isinstance(made, Outcome) else Outcome.MOVED
    [outcome] = outcomes(await connection.fetchval(STATEMENT, *arguments([append])))
    if outcome is Outcome.TAKEN:
        statement, values = _statement(beside)
        await connection.execute(statement.sql, *statement.arguments(values))
    return outcome


def _statement(beside: Beside) -> tuple[Query, dict[str, Any]]:
    match beside:
        case DisputeRow():
            return _RAISE, structs.asdict(beside)
        case Assigned(dispute, referee):
            return _ASSIGN, {"dispute": dispute, "to": referee}
        case RuledOn():
            ruled = {
                "ruling": beside.ruling,
                "rules": list(beside.rules),
                "note": beside.note,
                "note_salt": beside.note_salt,
                "ruled_at": beside.ruled_at,
                "branch": None if beside.new is None else beside.new.match,
            }
            return _RULE, {"dispute": beside.dispute, **{f"new_{name}": value for name, value in ruled.items()}}


@cache
def _page(own: bool, undecided: bool | None, further: bool) -> Query:
    asked = select(*_columns).limit(bindparam("most"))
    if own:
        asked = asked.where(_t.c.player == bindparam("raised_by"))
    if undecided is not None:
        asked = asked.where(_t.c.ruling.is_(None) if undecided else _t.c.ruling.is_not(None))
    if further:
        asked = asked.where(tuple_(_t.c.raised_at, _t.c.id) < tuple_(bindparam("at"), bindparam("last")))
    return query(asked.order_by(_t.c.raised_at.desc(), _t.c.id.desc()))


def _cursor(last: DisputeRow) -> str:
    return cursors.written(last.raised_at, last.id)


def _row(row: Record) -> KeptDispute:
    named = dict(row)
    log, rules = named.pop("log"), named.pop("rules")
    return KeptDispute(DisputeRow(**named, rules=None if rules is None else tuple(rules)), tuple(log))
