"""The House's own look at a match that has ended: whether somebody was refused who had been there first.

Only then, as nobody is told of another's refused attempts while the match goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, suppress
from datetime import datetime
from uuid import UUID

from service.audit.refusals import Attempt, Refusals
from service.dialogue import NoSuchMatch, OfNewerBuild, Refusal, TryAgain
from service.runtime.disputes import Disputes
from service.runtime.draft import GRACE
from service.store.log import Log
from service.store.rows import Unavailable


class Anomalies:
    def __init__(self, log: Log, refusals: Refusals, disputes: Disputes, now: Callable[[], datetime]) -> None:
        self._log = log
        self._refusals = refusals
        self._disputes = disputes
        self._now = now

    async def look(self, match: UUID) -> None:
        """Asks for a referee where an attempt had arrived more than the House's grace before what beat it, which two
        servers' clocks may differ by; once in a match. Unavailable; BrokenLog where the log is not as it was written.
        """
        with suppress(NoSuchMatch, OfNewerBuild):
            found = await self._overtaken(match)
            if found is not None:
                await self._ask(match, found)

    async def _overtaken(self, match: UUID) -> Attempt | None:
        async with aclosing(self._refusals.everybodys(match)) as attempts:
            async for attempt in attempts:
                if attempt.beaten_by is not None and (attempt.missed_by_ms or 0) < -GRACE.total_seconds() * 1000:
                    return attempt
        return None

    async def _ask(self, match: UUID, attempt: Attempt) -> None:
        assert attempt.beaten_by is not None
        first = await self._log.told(match, attempt.seat, attempt.beaten_by - 1, 1)
        spectator = first[0].seqs[-1] if first else 0
        early = round(-(attempt.missed_by_ms or 0))
        text = f"Attempt {attempt.n} of seat {attempt.seat} had arrived {early} ms before what beat it."
        try:
            await self._disputes.raise_for_house(match, self._now(), seq=spectator or None, text=text)
        except Refusal:
            pass  # it has asked already, or the match goes on as another, or it is too long ago
        except TryAgain as away:
            raise Unavailable from away
