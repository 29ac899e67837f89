"""Windows: a time in which seats may doubt a claim, and how long a turn waits for them and lasts.

Rules: README of the rules, *Windows* and *Boundary*. Only what everybody sees counts here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import Pace, Refused, Seat, seconds
from domain.kernel.reasons import Reason


class Window(Struct, frozen=True):
    """A claim that can still be doubted, but not by ``barred``: its claimant, and who has laid on it since."""

    claim_id: int
    seat: Seat
    left: int  # turns that were left when it was laid
    not_before: datetime
    barred: tuple[Seat, ...]
    accepted: tuple[Seat, ...] = ()


def answerers(window: Window, among: Iterable[Seat]) -> tuple[Seat, ...]:
    """Who of these may doubt this claim."""
    return tuple([seat for seat in among if seat not in window.barred])


def unanswered(window: Window, among: Iterable[Seat]) -> tuple[Seat, ...]:
    """Who of these may doubt it and has not accepted it."""
    return tuple([seat for seat in among if seat not in window.barred and seat not in window.accepted])


def accepted_by(window: Window, seat: Seat) -> Window:
    if seat in window.barred or seat in window.accepted:
        return window
    return replace(window, accepted=(*window.accepted, seat))


def waits_until(seat: Seat, windows: Iterable[Window], among: Sequence[Seat]) -> datetime | None:
    """From when this seat may take its turn; None: at once. Who wants to act counts as having accepted."""
    waits = [window.not_before for window in windows if unanswered(window, among) not in ((), (seat,))]
    return max(waits, default=None)


def not_early(seat: Seat, windows: Iterable[Window], among: Sequence[Seat], at: datetime) -> None:
    """Refuses a turn that is taken before the others had time to doubt."""
    not_before = waits_until(seat, windows, among)
    if not_before is not None and at < not_before:
        raise Refused(Reason.TOO_EARLY, not_before=not_before)


def in_time(at: datetime, closes: datetime | None) -> None:
    """Refuses an answer at or after the moment of closing: deadlines are half-open."""
    if closes is not None and at >= closes:
        raise Refused(Reason.TOO_LATE, closes_at=closes)


def time_is_up(at: datetime, until: datetime | None) -> None:
    """Refuses the House a seat's act while that seat still has time."""
    if until is None:
        raise Refused(Reason.NOT_NOW)
    if at < until:
        raise Refused(Reason.TOO_EARLY, not_before=until)


def turn_until(pace: Pace, at: datetime, not_before: datetime) -> datetime | None:
    """Until when a turn lasts that begins at ``at`` and is open from ``not_before`` on; None: for ever."""
    if pace.turn_time is None:
        return None
    return max(at + seconds(pace.turn_time), not_before + seconds(min(pace.turn_time, pace.min_open)))


def open_claim(windows: Iterable[Window], claim_id: int, claims: int, challenged: int | None, by: Seat) -> Window:
    """The open claim that this seat wants to answer; refuses all others.

    ``claims``: how many there have been; ``challenged``: which was doubted last.
    """
    if claim_id >= claims:
        raise Refused(Reason.NO_SUCH_CLAIM)
    window = next((window for window in windows if window.claim_id == claim_id), None)
    if window is None:
        raise Refused(Reason.ALREADY_CHALLENGED if claim_id == challenged else Reason.CLAIM_CLOSED)
    if by == window.seat:
        raise Refused(Reason.OWN_CLAIM)
    return window
