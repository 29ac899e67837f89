"""The pulse of all processes together: who could write last, and when nobody could."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Interval, bindparam, func, select, true
from sqlalchemy.dialects.postgresql import insert

from service.store import tables
from service.store.postgres import Postgres, query
from service.store.rows import Outage

STILL: Final = timedelta(seconds=2)  # without a beat for longer than this, matches stood still

_now = func.clock_timestamp()  # in SET it is read once the row is held: after whoever beat at the same moment
_written = insert(tables.pulse).values(one=true(), at=_now)
_beaten = (
    _written.on_conflict_do_update(
        index_elements=[tables.pulse.c.one],
        set_={"before": tables.pulse.c.at, "at": func.greatest(tables.pulse.c.at, _now)},
    )
    .returning(tables.pulse.c.before, tables.pulse.c.at)
    .cte("beaten")
)
_found = (
    insert(tables.outage)
    .from_select(
        ["began", "ended"],
        select(_beaten.c.before, _beaten.c.at).where(
            _beaten.c.at - _beaten.c.before > bindparam("still", type_=Interval)
        ),
    )
    .on_conflict_do_nothing()
    .cte("found")
)
_BEAT: Final = query(select(_beaten.c.at).add_cte(_found))

_outages = select(tables.outage.c.began, tables.outage.c.ended).order_by(tables.outage.c.ended)
_ALL: Final = query(_outages)
_SINCE: Final = query(_outages.where(tables.outage.c.ended > bindparam("since")))


class Pulse:
    """One row that all processes write; nothing on the way of a command touches it."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def beat(self, since: datetime | None = None, limit: timedelta = STILL) -> tuple[datetime, list[Outage]]:
        """Beats, and answers Postgres's time at the beat with the outages that ended after ``since`` (None: all).

        If the beat before, of whatever process, lies more than ``limit`` back, the time between is an outage, recorded
        by one process alone. The outages are read after the beat: none that another process recorded before it is
        missing. Raises ``Unavailable``.
        """
        [[at]] = await self._postgres.write(_BEAT, still=limit)
        return at, await self.outages(since)

    async def outages(self, since: datetime | None = None) -> list[Outage]:
        """Outages that ended after ``since`` (None: all), oldest first. Raises ``Unavailable``."""
        rows = await (self._postgres.rows(_ALL) if since is None else self._postgres.rows(_SINCE, since=since))
        return [Outage(*row) for row in rows]
