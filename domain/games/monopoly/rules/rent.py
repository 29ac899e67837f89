"""Rent is fixed at the landing, and must be demanded before the next player throws. RULES.md 5."""

from __future__ import annotations

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import RentDemanded
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import State, in_play, landing_of, purse, until
from domain.games.monopoly.things import Cause, MonopolyDebt, MonopolyLanding
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason


def due(state: State, by: Seat, landing: MonopolyLanding) -> bool:
    """Whether this seat may demand it now: as the announced owner, of somebody else, once."""
    owns = state.owners.get(landing.street) == by
    return owns and open_to_demands(state, landing) and landing.seat != by


def open_to_demands(state: State, landing: MonopolyLanding) -> bool:
    """Not yet demanded or paid, of somebody who plays and does not own the street by now."""
    nobody = landing.debt_id is None and landing.paid is None
    return nobody and landing.seat in state.playing and state.owners.get(landing.street) not in (None, landing.seat)


def demand(course: Course, by: Seat, landing_id: int) -> None:
    state = course.state
    if not in_play(state):
        raise Refused(Reason.NOT_NOW)
    landing = landing_of(state, landing_id)
    if landing is None:
        raise Refused(MonopolyReason.NO_SUCH_LANDING)
    if state.owners.get(landing.street) != by or landing.seat == by:
        raise Refused(MonopolyReason.NOT_YOUR_STREET)
    if not due(state, by, landing):
        raise Refused(MonopolyReason.ALREADY_DEMANDED)
    debt = MonopolyDebt(
        state.debt_ids, landing.seat, purse(by), landing.rent, Cause.RENT, until(state, course.at), landing_id
    )
    course.tell(RentDemanded(debt, None))
