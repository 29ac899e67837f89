"""Hotels: at any time, one a street, with the whole group; and who gets the last one. RULES.md 4.7–4.10."""

from __future__ import annotations

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import FellShort, HotelBuilt, HotelClaimed, HotelWindowClosed, LotsQueued
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import undoing
from domain.games.monopoly.rules.money import move
from domain.games.monopoly.state import (
    POT,
    State,
    believed,
    cash,
    closing,
    deed,
    has_group,
    hotels_left,
    in_play,
    may_build,
    purse,
    true_hotels_left,
)
from domain.games.monopoly.things import What
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time


def why_not(state: State, by: Seat, street: str) -> MonopolyReason | Reason | None:
    """Why this seat may not build there now; None: it may, if the money and the hotel are there."""
    if not in_play(state) or closing(state):
        return Reason.NOT_NOW
    if street not in state.data.streets:
        return MonopolyReason.NO_SUCH_STREET
    if state.owners.get(street) != by:
        return MonopolyReason.NOT_YOUR_STREET
    if not has_group(state, by, street):
        return MonopolyReason.GROUP_INCOMPLETE
    if street not in may_build(state, by):
        return MonopolyReason.HOTEL_STANDS
    if any(debt.debtor == by and debt.binding for debt in state.debts):
        return MonopolyReason.IN_DISTRESS
    if by in state.no_hotel_for:
        return MonopolyReason.FELL_SHORT
    window = state.last_hotel
    if window is not None and any(seat == by for seat, _ in window.claims):
        return MonopolyReason.ALREADY_CLAIMED
    auctioned = state.auction is not None and state.auction.lot.startswith("hotel:")
    if auctioned or any(lot.startswith("hotel:") for lot in state.lots) or (window is None and hotels_left(state) < 1):
        return MonopolyReason.NO_HOTELS_LEFT
    if believed(state, by) < deed(state, street).hotel_price:
        return MonopolyReason.CANNOT_AFFORD
    return None


def build(course: Course, by: Seat, street: str) -> None:
    state = course.state
    if (reason := why_not(state, by, street)) is not None:
        raise Refused(reason)
    if state.last_hotel is not None:
        in_time(course.at, state.last_hotel.closes_at)
        course.tell(HotelClaimed(by, street, state.last_hotel.closes_at))
        if not may_claim(course.state):
            close_window(course, early=True)
        return
    if true_hotels_left(state) < 1:
        course.tell(FellShort(by, What.NO_HOTEL, 0, None, None, None))
        return
    if hotels_left(state) == 1 and any(may_build(state, other) for other in state.playing if other != by):
        course.tell(HotelClaimed(by, street, course.at + seconds(state.pace.min_open)))
        return
    _pay_for(course, by, street)


def may_claim(state: State) -> tuple[Seat, ...]:
    """Who could still want the last hotel."""
    if state.last_hotel is None:
        return ()
    claimed = [seat for seat, _ in state.last_hotel.claims]
    return tuple([seat for seat in state.playing if seat not in claimed and may_build(state, seat)])


def close_window(course: Course, *, early: bool = False) -> None:
    """One claim: its seat pays the price on the deed. Several: they bid."""
    window = course.state.last_hotel
    if window is None or (course.state.auction is not None and course.state.auction.lot.startswith("hotel:")):
        raise Refused(Reason.NOT_NOW)
    if course.at < window.closes_at and not early:
        raise Refused(Reason.TOO_EARLY, not_before=window.closes_at)
    if len(window.claims) > 1:
        course.tell(LotsQueued((f"hotel:{window.claims[0][1]}",)))
        return
    course.tell(HotelWindowClosed())
    for seat, street in window.claims:
        _pay_for(course, seat, street)


def give_last(course: Course, winner: Seat | None) -> None:
    """The winner has paid his bid; if nobody bid, the first who claimed it pays the price on the deed."""
    window = course.state.last_hotel
    course.tell(HotelWindowClosed())
    if window is None or not window.claims:
        return
    if winner is None:
        _pay_for(course, *window.claims[0])
        return
    street = next(street for seat, street in window.claims if seat == winner)
    undoing.void_hotel(course, street)
    course.tell(HotelBuilt(winner, street, (), None))


def _pay_for(course: Course, seat: Seat, street: str) -> None:
    state, price = course.state, deed(course.state, street).hotel_price
    if state.owners.get(street) != seat or street in state.hotels:
        return  # sold meanwhile
    there = cash(state, purse(seat))
    if there < price:
        course.tell(FellShort(seat, What.HOTEL, price, None, None, there))
        return
    undoing.void_hotel(course, street)
    course.tell(HotelBuilt(seat, street, move(purse(seat), POT, price, "hotel"), there - price))
