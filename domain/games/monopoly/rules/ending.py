"""How a turn goes on to the next, and how the match ends on LOS. RULES.md 2.6, 10."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import FinalRents, MatchOver, TrayPassed
from domain.games.monopoly.phases import (
    Closing,
    Done,
    Ended,
    MonopolyTurn,
    Resolving,
    ToBuy,
    ToChoose,
    ToMove,
    ToRead,
    ToRoll,
    ToSetUp,
)
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import auction, boundary, movement
from domain.games.monopoly.rules.money import move, refill
from domain.games.monopoly.state import POT, State, busy, cash, deed, has_group, next_seat, purse, streets_of, until
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.seating import everybody
from domain.kernel.windows import in_time, turn_until


def go_on(course: Course, *, was_busy: bool) -> None:
    """After whatever happened: the next lot, the rest of the turn, or the end."""
    while True:
        state = course.state
        if isinstance(state.phase, Ended | ToSetUp):
            return
        if len(state.playing) <= 1:
            _end(course, state.playing)
            return
        if state.auction is None and state.lots:
            auction.open_next(course)
        if busy(course.state):
            return
        if state.turn.seat not in state.playing and not isinstance(state.phase, Closing):
            next_turn(course)
            return
        match state.phase:
            case Resolving():
                advance(course)
            case ToMove() if not movement.may_trick(state):
                movement.step(course)
                continue
            case ToRoll() | ToMove() | ToBuy() | ToChoose() | ToRead() | Done() as phase if was_busy:
                course.come_to(replace(phase, until=until(state, course.at)))
            case _:
                pass
        return


def advance(course: Course) -> None:
    """After a double once more, if he is still free to."""
    state, seat = course.state, course.state.turn.seat
    if state.turn.again and seat in state.walking and seat != state.prisoner:
        course.come_to(ToRoll(False, course.at, until(state, course.at)))
    else:
        course.come_to(Done(until(state, course.at)))


def pass_tray(course: Course, by: Seat) -> None:
    state = course.state
    if by != state.turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    if not isinstance(state.phase, Done):
        raise Refused(Reason.NOT_NOW)
    if busy(state):
        raise Refused(MonopolyReason.BUSY)
    in_time(course.at, state.phase.until)
    next_turn(course)


def next_turn(course: Course) -> None:
    """To the next on the left who still walks; nobody does, or no turn is left: the last window."""
    state, at = course.state, course.at
    follows = next_seat(state, state.turn.seat)
    if follows is None or state.turn.number >= state.options.max_turns:
        course.come_to(Closing(at + seconds(max(state.pace.max_open, state.pace.min_open))))
        return
    not_before = at + seconds(state.pace.min_open)
    phase = ToRoll(True, not_before, turn_until(state.pace, at, not_before))
    course.tell(TrayPassed(state.turn.seat, MonopolyTurn(state.turn.number + 1, follows), phase))


def close_table(course: Course) -> None:
    """Announcements, then in playing order what each street brings from the bank; most cash wins (10.5, 10.6)."""
    state, phase = course.state, course.state.phase
    if not isinstance(phase, Closing) or busy(state):
        raise Refused(Reason.NOT_NOW)
    if course.at < phase.until and movement.waits_for(state):
        raise Refused(Reason.TOO_EARLY, not_before=phase.until)
    boundary.settle_all(course, last=True)
    for seat in course.state.playing:
        rents = {street: final_rent(course.state, seat, street) for street in streets_of(course.state, seat)}
        refill(course, sum(rents.values()))
        moved = tuple(
            movement for amount in rents.values() for movement in move(POT, purse(seat), amount, "final_rent")
        )
        course.tell(FinalRents(seat, moved))
    most = max(cash(course.state, purse(seat)) for seat in course.state.playing)
    _end(course, tuple(seat for seat in course.state.playing if cash(course.state, purse(seat)) == most))


def final_rent(state: State, seat: Seat, street: str) -> int:
    card = deed(state, street)
    if street in state.hotels:
        return card.hotel
    return card.full_group if has_group(state, seat, street) else card.base


def _end(course: Course, winners: tuple[Seat, ...]) -> None:
    scores = tuple(max(0, cash(course.state, purse(seat))) for seat in everybody(course.state.seats))
    course.tell(MatchOver(winners, scores))
