"""One prisoner, one handcuff, four ways out. RULES.md 7."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.games.monopoly.course import Course
from domain.games.monopoly.data import DeckName, JailFree
from domain.games.monopoly.events import CardReturned, CardUsed, FellShort, Freed, Jailed
from domain.games.monopoly.phases import Resolving, ToChoose, ToMove, ToRead, ToRoll
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import undoing
from domain.games.monopoly.rules.money import charge, move
from domain.games.monopoly.state import POT, State, believed, busy, cash, purse
from domain.games.monopoly.things import Cause, What
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time

FEE: Final = 50
TRIES: Final = 3
INSTEAD: Final = 200


def send(course: Course, seat: Seat) -> None:
    """To jail at once, without the 200; where jail cannot bite, 200 to the bank instead (6.13, 7.1, 7.2)."""
    state = course.state
    if seat == state.prisoner or seat in state.parked:
        charge(course, seat, POT, INSTEAD, Cause.PENALTY)
        return
    if state.prisoner is not None:
        undoing.lapse_escape(course, state.prisoner)
    undoing.void_tokens(course, seat)
    turn = replace(state.turn, again=False) if seat == state.turn.seat else state.turn
    course.tell(Jailed(seat, state.prisoner, state.data.jail, turn))
    if seat == turn.seat:
        _throws_are_lost(course, seat)


def _throws_are_lost(course: Course, seat: Seat) -> None:
    """What is open is finished, but no further throw follows, and a card not yet read goes back (7.7)."""
    match course.state.phase:
        case ToRoll(False) | ToMove() | ToChoose():
            course.come_to(Resolving())
        case ToRead():
            put_back(course, seat)
        case _:
            pass


def put_back(course: Course, seat: Seat) -> None:
    """A card that whoever is in turn has drawn and will not read any more."""
    state = course.state
    if state.turn.seat == seat and isinstance(state.phase, ToRead) and state.drawn is not None:
        course.tell(CardReturned(seat, state.phase.deck, state.drawn, held=False))
        course.come_to(Resolving())


def free(course: Course, seat: Seat) -> None:
    undoing.lapse_escape(course, seat)
    course.tell(Freed(seat, (), None))


def may_leave(state: State, by: Seat) -> ToRoll:
    if by != state.turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    if not isinstance(state.phase, ToRoll) or not state.phase.first:
        raise Refused(Reason.NOT_NOW)
    if state.prisoner != by:
        raise Refused(MonopolyReason.NOT_IN_JAIL)
    if busy(state):
        raise Refused(MonopolyReason.BUSY)
    return state.phase


def pay(course: Course, by: Seat) -> None:
    state = course.state
    in_time(course.at, may_leave(state, by).until)
    if believed(state, by) < FEE:
        raise Refused(MonopolyReason.CANNOT_AFFORD)
    there = cash(state, purse(by))
    if there < FEE:
        course.tell(FellShort(by, What.JAIL, FEE, None, None, there))
        return
    undoing.lapse_escape(course, by)
    course.tell(Freed(by, move(purse(by), POT, FEE, Cause.JAIL), there - FEE))


def jail_card(state: State, seat: Seat, deck: DeckName) -> str | None:
    """The card of this deck that frees from jail, if the seat holds it and may know it."""
    card = state.data.cards.get(state.kept[seat].get(deck, ""))
    return card.id if card is not None and isinstance(card.effect, JailFree) else None


def use_card(course: Course, by: Seat, deck: DeckName) -> None:
    in_time(course.at, may_leave(course.state, by).until)
    card = jail_card(course.state, by, deck)
    if card is None:
        raise Refused(MonopolyReason.NO_SUCH_CARD)
    course.tell(CardUsed(by, deck, card))
    free(course, by)
