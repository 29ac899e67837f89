"""Everybody looks at one zone, and sees what happens in it from then on. RULES.md 6.3."""

from __future__ import annotations

from typing import Final

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import Watched
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import POT, State, cash, deeds_at, in_play, lies_with, purse, seat_of, true_hotels
from domain.games.monopoly.state import true_hotels_left as hotels_in_tray
from domain.games.monopoly.things import MonopolySight
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.seating import everybody

TRAY_ROUGH: Final = 500
SEAT_ROUGH: Final = 100


def zones(state: State) -> tuple[str, ...]:
    return ("tray", "dice", *(purse(seat) for seat in everybody(state.seats)))


def watch(course: Course, by: Seat, zone: str) -> None:
    state = course.state
    if not in_play(state) or state.options.attention == "open":
        raise Refused(Reason.NOT_NOW)
    if zone not in zones(state):
        raise Refused(MonopolyReason.NO_SUCH_ZONE)
    not_before = state.gazes[by].not_before
    if not_before is not None and course.at < not_before:
        raise Refused(Reason.TOO_EARLY, not_before=not_before)
    dwell = seconds(state.options.attention_dwell)
    course.tell(Watched(by, zone, course.at + dwell, sight(state, by, zone)))


def sight(state: State, by: Seat, zone: str) -> MonopolySight:
    """What lies there: money is seen rough, but for one's own."""
    if zone == "dice":
        return MonopolySight(None, None, (), (), cuff=False)
    if zone == "tray":
        rough = cash(state, POT) // TRAY_ROUGH * TRAY_ROUGH
        return MonopolySight(rough, hotels_in_tray(state), deeds_at(state, POT), (), cuff=False)
    there = cash(state, zone)
    money = there if zone == purse(by) else there // SEAT_ROUGH * SEAT_ROUGH
    hotels = tuple(street for street in true_hotels(state) if lies_with(state, street) == zone)
    return MonopolySight(money, None, deeds_at(state, zone), hotels, wears_cuff(state, seat_of(zone)))


def wears_cuff(state: State, seat: Seat | None) -> bool:
    slipped = any(a.slip.effect.cuff_off for a in state.attempts.values() if a.seat == seat)
    return seat is not None and state.prisoner == seat and not slipped
