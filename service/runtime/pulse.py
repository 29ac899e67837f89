"""The pulse of all processes together: when nobody could write for more than 2 s, every match stood still."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog

from service.runtime.clock import WallClock
from service.store.rows import Outage, Unavailable

BEAT: Final = 0.5  # seconds between beats
MEASURE: Final = 30.0  # seconds between measurements of our clock against Postgres's
JUST_NOW: Final = timedelta(seconds=30)  # an outage that ended longer ago every running match has stood still for
FRESH: Final = 1.5  # seconds after which nothing is decided without a new beat: less than what makes an outage

Beat = Callable[[datetime | None], Awaitable[tuple[datetime, Sequence[Outage]]]]

log = structlog.get_logger()


class Pulse:
    """Beats, and knows the outages. ``beat(since)`` writes one beat and answers Postgres's time and newer outages;
    ``on_outage`` is told when one has just ended."""

    def __init__(self, beat: Beat, clock: WallClock, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._beat = beat
        self._clock = clock
        self._monotonic = monotonic
        self.on_outage: Callable[[], None] = lambda: None
        self._last: float | None = None
        self._at: datetime | None = None  # of the last beat, by Postgres's clock
        self._measured: float | None = None
        self._outages: list[Outage] = []
        self._beating = asyncio.Lock()

    async def beat(self) -> None:
        since = self._outages[-1].ended if self._outages else None
        before = self._clock.now()
        theirs, newer = await self._beat(since)
        self._last, self._at = self._monotonic(), theirs
        due = self._measured is None or self._last - self._measured >= MEASURE
        if due and self._clock.discipline(theirs, before, self._clock.now()):
            self._measured = self._last
        self._outages.extend(newer)
        if newer and newer[-1].ended > theirs - JUST_NOW:
            self.on_outage()

    async def fresh(self) -> None:
        """Makes it so where it is not. Raises Unavailable if Postgres is away."""
        async with self._beating:
            if not self.is_fresh():
                await self.beat()

    def is_fresh(self) -> bool:
        """Before any decision: certain that no outage is unknown to this process."""
        return self._last is not None and self._monotonic() - self._last < FRESH

    async def beyond(self, moment: datetime) -> None:
        """Until there was a beat at or after this moment: no outage begins before it. Raises Unavailable."""
        async with self._beating:
            while not self.is_beyond(moment):
                await self.beat()

    def is_beyond(self, moment: datetime) -> bool:
        return self._at is not None and moment <= self._at

    def missed_by(self, last_received: datetime) -> list[Outage]:
        """The outages that a match whose last event was received then has not stood still for, oldest first.

        Each whole, as all matches missed it: where it began in this one would tell when somebody last did something.
        """
        return [outage for outage in self._outages if outage.ended > last_received]

    async def run(self) -> None:
        """For as long as the process lives."""
        while True:
            try:
                async with self._beating:
                    await self.beat()
            except Unavailable:
                pass  # nobody decides anything before a beat comes through
            except Exception:
                log.exception("beat_failed")
            await asyncio.sleep(BEAT)  # a pulse
