"""Between two rounds of a match. Rules: README of the rules, *Rounds*."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time


class Pause(Struct, frozen=True):
    """The House deals at ``deal_at``, or at once when all who are present have ``accepted``."""

    deal_at: datetime
    accepted: tuple[Seat, ...] = ()

    def missing(self, present: Iterable[Seat]) -> tuple[Seat, ...]:
        """Who of these has not accepted."""
        return tuple([seat for seat in present if seat not in self.accepted])

    def all_accepted(self, present: Iterable[Seat]) -> bool:
        return not self.missing(present)

    def accepted_by(self, seat: Seat) -> Pause:
        return replace(self, accepted=(*self.accepted, seat))


def may_accept(phase: object, by: Seat, at: datetime) -> None:
    """Refuses a consent where there is no pause, a second one, and one that comes too late."""
    if not isinstance(phase, Pause):
        raise Refused(Reason.NOT_NOW)
    if by in phase.accepted:
        raise Refused(Reason.ALREADY_ACCEPTED)
    in_time(at, phase.deal_at)


def may_deal(pause: Pause, present: Iterable[Seat], at: datetime) -> None:
    """Refuses a deal before its time."""
    if at < pause.deal_at and not pause.all_accepted(present):
        raise Refused(Reason.TOO_EARLY, not_before=pause.deal_at)
