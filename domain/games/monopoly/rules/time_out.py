"""The least inventive act for a seat whose time ran out. RULES.md 11."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import FellShort, Paid
from domain.games.monopoly.phases import Done, ToBuy, ToChoose, ToDraw, ToMove, ToRead, ToRoll
from domain.games.monopoly.rules import accusing, auction, cards, distress, ending, money, movement
from domain.games.monopoly.state import cash, first_debt, purse, until
from domain.games.monopoly.things import MonopolyDebt, What
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.windows import time_is_up


def act_for(course: Course, seat: Seat) -> None:
    """It never demands rent, builds, trades, watches, accuses or cheats."""
    state, at = course.state, course.at
    debt, placing = first_debt(state, seat), state.placing
    if placing is not None and placing.seat == seat and (debt is None or _sooner(placing.until, debt.until)):
        time_is_up(at, placing.until)
        accusing.set_down(course, state.tokens[placing.token])
        return
    if debt is not None:
        time_is_up(at, debt.until)
        _pay(course, seat, debt)
        return
    phase = state.phase
    if seat != state.turn.seat or not isinstance(phase, ToRoll | ToMove | ToBuy | ToChoose | ToRead | Done):
        raise Refused(Reason.NOT_NOW)
    time_is_up(at, phase.until)
    in_time = Course(replace(state, phase=replace(phase, until=None)), at)
    _in_turn(in_time, seat)
    for event in in_time.events:
        course.tell(event)


def _sooner(one: datetime | None, other: datetime | None) -> bool:
    return one is not None and (other is None or one <= other)


def _pay(course: Course, seat: Seat, debt: MonopolyDebt) -> None:
    """What is owed; if it is not there the seat gets its time to sell, and then the House sells for it."""
    there = cash(course.state, purse(seat))
    if there >= debt.amount:
        moved = money.move(purse(seat), debt.creditor, debt.amount, debt.cause)
        course.tell(Paid(seat, debt.debt_id, moved, there - debt.amount, None, ()))
    elif not debt.short:
        fresh = until(course.state, course.at)
        course.tell(FellShort(seat, What.DEBT, debt.amount, debt.debt_id, fresh, there))
    else:
        distress.help_out(course, seat, debt)


def _in_turn(course: Course, seat: Seat) -> None:
    state = course.state
    match state.phase:
        case ToRoll(first) if first and state.prisoner == seat:
            movement.jail_roll(course, seat)
        case ToRoll():
            movement.roll(course, seat)
        case ToMove():
            movement.move(course, seat)
        case ToBuy():
            auction.decline(course, seat)
        case ToChoose():
            course.come_to(ToDraw("chance"))
        case ToRead(deck) if state.drawn is not None:
            if state.data.cards[state.drawn].kind == "now":
                cards.read_out(course, seat, deck, state.drawn, state.drawn)
            elif cards.held_too(state, seat, deck):
                cards.give_back(course, seat, state.drawn)
            else:
                cards.keep(course, seat)
        case Done():
            ending.pass_tray(course, seat)
        case _:
            raise Refused(Reason.NOT_NOW)
