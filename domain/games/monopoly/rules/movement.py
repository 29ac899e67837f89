"""Throwing, moving, and what a square does. RULES.md 3."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import Accepted, JailTried, Landed, Moved, RollCalled, Threw
from domain.games.monopoly.phases import Closing, Resolving, ToBuy, ToChoose, ToDraw, ToMove, ToRoll, ToThrow
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import boundary, jail, undoing
from domain.games.monopoly.rules.money import from_pot, owe
from domain.games.monopoly.state import POT, State, busy, eyes, purse, rent, until
from domain.games.monopoly.things import Cause, How, MonopolyLanding, MonopolySlip, Witnesses
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time

SQUARES: Final = 36
GO_PAYS: Final = 200
THIRD_DOUBLE: Final = 3
JAIL_FEE: Final = 50


def accept(course: Course, by: Seat, boundary_id: int) -> None:
    """Only shortens the wait (2.5)."""
    state, phase = course.state, course.state.phase
    if not isinstance(phase, ToRoll | Closing) or (isinstance(phase, ToRoll) and not phase.first):
        raise Refused(Reason.NOT_NOW)
    if boundary_id != state.turn.number:
        raise Refused(MonopolyReason.NO_SUCH_BOUNDARY)
    if isinstance(phase, ToRoll) and by == state.turn.seat:
        raise Refused(Reason.NOT_NOW)
    if by in phase.accepted:
        raise Refused(Reason.ALREADY_ACCEPTED)
    if not busy(state):
        in_time(course.at, phase.until)
    course.tell(Accepted(boundary_id, by))


def waits_for(state: State) -> tuple[Seat, ...]:
    """Who may still want to demand or accuse before the next throw."""
    match state.phase:
        case ToRoll(True, accepted=accepted):
            return tuple([s for s in state.playing if s != state.turn.seat and s not in accepted])
        case Closing(accepted=accepted):
            return tuple([s for s in state.playing if s not in accepted])
        case _:
            return ()


def roll(course: Course, by: Seat) -> None:
    phase = may_roll(course, by)
    if phase.first and course.state.prisoner == by:
        raise Refused(MonopolyReason.IN_JAIL)
    _call(course, by, phase, in_jail=False)


def jail_roll(course: Course, by: Seat) -> None:
    phase = may_roll(course, by)
    if not phase.first or course.state.prisoner != by:
        raise Refused(MonopolyReason.NOT_IN_JAIL)
    _call(course, by, phase, in_jail=True)


def may_roll(course: Course, by: Seat) -> ToRoll:
    state = course.state
    if by != state.turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    phase = state.phase
    if not isinstance(phase, ToRoll):
        raise Refused(Reason.NOT_NOW)
    if busy(state):
        raise Refused(MonopolyReason.BUSY)
    in_time(course.at, phase.until)
    return phase


def _call(course: Course, by: Seat, phase: ToRoll, *, in_jail: bool) -> None:
    if phase.first and course.at < phase.not_before and waits_for(course.state):
        raise Refused(Reason.TOO_EARLY, not_before=phase.not_before)
    lapsed = tuple(debt.debt_id for debt in course.state.debts) if phase.first else ()
    course.tell(RollCalled(by, phase.first, in_jail, lapsed))
    if phase.first:
        boundary.settle_all(course)
        if in_jail and course.state.prisoner != by:  # his escape has just succeeded
            course.come_to(ToThrow(in_jail=False))


def throw(course: Course, dice: tuple[int, int], draw: int) -> None:
    state = course.state
    if not isinstance(state.phase, ToThrow):
        raise Refused(Reason.NOT_NOW)
    in_jail, turn, seat = state.phase.in_jail, state.turn, state.turn.seat
    double = dice[0] == dice[1]
    if not in_jail:
        turn = replace(turn, doubles=turn.doubles + 1 if double else turn.doubles, again=double)
    seen = tuple(sorted({*eyes(state, ("dice",)), seat}))
    course.tell(Threw(seat, dice, double, turn, draw, seen))
    if in_jail:
        _tried(course, seat, double)
    elif double and turn.doubles >= THIRD_DOUBLE:
        course.come_to(Resolving())
        jail.send(course, seat)
    else:
        course.come_to(ToMove(until(state, course.at), in_jail=False))


def _tried(course: Course, seat: Seat, double: bool) -> None:
    """A double frees and moves, without another throw; the third failure costs 50 and moves all the same (7.4)."""
    go = ToMove(until(course.state, course.at), in_jail=True)
    if double:
        jail.free(course, seat)
        course.come_to(go)
        return
    course.tell(JailTried(seat, course.state.tries + 1))
    if course.state.tries < jail.TRIES:
        course.come_to(Resolving())
        return
    jail.free(course, seat)
    course.come_to(go)
    owe(course, seat, POT, JAIL_FEE, Cause.JAIL)


def may_trick(state: State) -> bool:
    """Whether a cheat could take the place of the move, so that its seat is asked."""
    return state.options.meistermogler or bool({"trick_dice", "identity"} & set(state.open_cheats))


def move(course: Course, by: Seat) -> None:
    state = course.state
    if by != state.turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    if not isinstance(state.phase, ToMove):
        raise Refused(Reason.NOT_NOW)
    if busy(state):
        raise Refused(MonopolyReason.BUSY)
    in_time(course.at, state.phase.until)
    step(course)


def step(course: Course) -> None:
    seat = course.state.turn.seat
    walk(course, seat, sum(course.state.throw), How.THROW)


def reaches_go(state: State, seat: Seat, distance: int) -> bool:
    return state.tokens[seat] + distance >= SQUARES


def walk(
    course: Course,
    seat: Seat,
    distance: int,
    how: How,
    slip: MonopolySlip | None = None,
    witnesses: Witnesses = (),
) -> None:
    """Forward; LOS pays, and keeps who reaches it when all streets are sold (10.2)."""
    if how is not How.STATION:
        undoing.void_tokens(course, seat)
    state = course.state
    passes = reaches_go(state, seat, distance)
    parks = passes and state.sold_out
    moved = from_pot(course, purse(seat), GO_PAYS, "go") if passes else ()
    square = 0 if parks else (state.tokens[seat] + distance) % SQUARES
    course.tell(Moved(seat, square, how, moved, parks, slip, witnesses))
    if parks:
        course.come_to(Resolving())
    else:
        land(course, seat, how)


def go_to(course: Course, seat: Seat, square: int) -> None:
    walk(course, seat, (square - course.state.tokens[seat]) % SQUARES or SQUARES, How.CARD)


def back(course: Course, seat: Seat, squares: int) -> None:
    undoing.void_tokens(course, seat)
    course.tell(Moved(seat, (course.state.tokens[seat] - squares) % SQUARES, How.BACK, (), False, None, ()))
    land(course, seat, How.BACK)


def next_station(state: State, square: int) -> int:
    """How far it is to the next station."""
    return min((station - square) % SQUARES or SQUARES for station in state.data.stations)


def land(course: Course, seat: Seat, how: How) -> None:
    state = course.state
    square = state.data.board[state.tokens[seat]]
    match square.kind:
        case "street":
            assert square.street is not None
            owner = state.owners.get(square.street)
            if owner is None:
                course.come_to(ToBuy(square.street, until(state, course.at)))
            else:
                open_rent(course, seat, square.street)
                course.come_to(Resolving())
        case "station" if how is not How.STATION:
            walk(course, seat, next_station(state, state.tokens[seat]), How.STATION)
        case "chance":
            course.come_to(ToDraw("chance"))
        case "chest":
            course.come_to(ToDraw("chest"))
        case "free_parking":
            course.come_to(ToChoose(until(state, course.at)))
        case "go_to_jail":
            course.come_to(Resolving())
            jail.send(course, seat)
        case "go" | "jail" | "station":
            course.come_to(Resolving())


def open_rent(course: Course, seat: Seat, street: str) -> None:
    """Fixed now, and demandable until the boundary (5.1, 5.2)."""
    state = course.state
    if state.owners.get(street) not in (None, seat):
        course.tell(Landed(MonopolyLanding(state.landing_ids, seat, street, rent(state, street))))
