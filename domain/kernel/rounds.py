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

    def all_accepted(self, present: Iterable[Seat]) -> bool:
        return set(present) <= set(self.accepted)

    def accepted_by(self, seat: Seat) -> Pause:
        return replace(self, accepted=(*self.accepted, seat))


def may_accept(pause: Pause, by: Seat, at: datetime) -> None:
    """Refuses a second consent, and one that comes too late."""
    if by in pause.accepted:
        raise Refused(Reason.ALREADY_ACCEPTED)
    in_time(at, pause.deal_at)


def may_deal(pause: Pause, present: Iterable[Seat], at: datetime) -> None:
    """Refuses a deal before its time."""
    if at < pause.deal_at and not pause.all_accepted(present):
        raise Refused(Reason.TOO_EARLY, not_before=pause.deal_at)
