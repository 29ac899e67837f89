"""Each rule in one place: first what is refused, then what happens. Numbers: RULES.md."""

from __future__ import annotations

from datetime import datetime

from domain.games.mogler import rounds
from domain.games.mogler.actions import (
    AcceptRound,
    Action,
    Collect,
    CountRound,
    Deal,
    Draw,
    EndMatch,
    LayOpening,
    Play,
    SDecline,
    SDiscard,
    SDraw,
    TimeOut,
    TurnOpening,
    TurnStop,
    Vacate,
)
from domain.games.mogler.deck import Stop
from domain.games.mogler.due import immediate, not_laid
from domain.games.mogler.events import (
    Caught,
    Drawn,
    Event,
    MoglerTurn,
    OpeningLaid,
    OpeningTurned,
    Played,
    SDeclined,
    SDiscarded,
    StopTurned,
    SUsed,
    TrickCard,
    TrickTaken,
)
from domain.games.mogler.reasons import MoglerReason
from domain.games.mogler.state import InTrick, Opening, State, ToCollect, ToDiscard, ToDraw, ToStop, ToSwap
from domain.games.mogler.tricks import TRICKS, complete, locked, modest, outcome, standing, suit
from domain.games.mogler.turns import alone_stops, goes_on, next_in, turn_of
from domain.kernel import cards as packs
from domain.kernel.cards import Card
from domain.kernel.game import HOUSE, Command, Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from domain.kernel.windows import in_time, time_is_up


def decide(state: State, command: Command[Action]) -> tuple[Event, ...]:
    by, at = command.by, command.at
    if by != HOUSE:
        _has_a_say(state, by)
    match command.action:
        case LayOpening(card):
            return lay_opening(state, by, at, card)
        case SDraw():
            _swapping(state, by, at)
            return (SUsed(by),)
        case SDecline():
            return decline(state, _swapping(state, by, at).turn, at)
        case SDiscard(card):
            return discard(state, _discarding(state, by, at).turn, at, card)
        case Play(card):
            return play(state, _in_turn(state, by, at), at, card)
        case AcceptRound():
            return rounds.accept_round(state, by, at)
        case _ if by != HOUSE:
            raise Refused(Reason.NOT_NOW)
        case Deal() as deal:
            return rounds.deal(state, at, deal)
        case TurnOpening():
            return turn_opening(state)
        case TurnStop(stop, k):
            return turn_stop(state, at, stop, k)
        case Draw(card, k):
            return draw(state, at, card, k)
        case Collect():
            return collect(state)
        case CountRound():
            return rounds.count_round(state, at)
        case EndMatch():
            return rounds.end_match(state)
        case TimeOut(seat):
            return time_out(state, at, seat)
        case Vacate(seat):
            return rounds.vacate(state, at, seat)


def _has_a_say(state: State, by: Seat) -> None:
    if by in state.left:
        raise Refused(Reason.LEFT)
    if immediate(state) is not None:
        raise Refused(Reason.NOT_NOW)
    if by in state.caught and not isinstance(state.phase, Pause):
        raise Refused(Reason.OUT_OF_ROUND)


def lay_opening(state: State, by: Seat, at: datetime, card: Card) -> tuple[Event, ...]:
    if not isinstance(state.phase, Opening):
        raise Refused(Reason.NOT_NOW)
    if state.phase.laid[by]:
        raise Refused(MoglerReason.ALREADY_LAID)
    in_time(at, state.phase.until)
    _holds(state, by, card)
    return (OpeningLaid(by, (card,), timed_out=False),)


def turn_opening(state: State) -> tuple[Event, ...]:
    """The highest value leads, among equals the highest suit (2.3); who is gone leads nothing (9.2)."""
    if not isinstance(state.phase, Opening) or immediate(state) != TurnOpening():
        raise Refused(Reason.NOT_NOW)
    laid = state.phase.laid
    return (OpeningTurned(laid, max(state.present, key=lambda seat: standing(laid[seat][0]))),)


def turn_stop(state: State, at: datetime, stop: Stop, k: int) -> tuple[Event, ...]:
    if not isinstance(state.phase, ToStop) or immediate(state) is not TurnStop:
        raise Refused(Reason.NOT_NOW)
    leader, row = state.phase.leader, (*state.row, stop)
    ends = complete(row) and stop != "S"  # an S lets its leader swap before the row is looked at (3.5)
    turn = None if ends else turn_of(state, leader, at)
    return (StopTurned(state.trick + 1, leader, stop, k, turn),)


def decline(state: State, turn: MoglerTurn, at: datetime) -> tuple[Event, ...]:
    return (SDeclined(turn.seat, _leads(state, turn.seat, at)),)


def draw(state: State, at: datetime, card: Card, k: int) -> tuple[Event, ...]:
    if not isinstance(state.phase, ToDraw) or immediate(state) is not Draw:
        raise Refused(Reason.NOT_NOW)
    return (Drawn(state.phase.seat, (card,), k, turn_of(state, state.phase.seat, at)),)


def discard(state: State, turn: MoglerTurn, at: datetime, card: Card) -> tuple[Event, ...]:
    _holds(state, turn.seat, card)
    return (SDiscarded(turn.seat, card, _leads(state, turn.seat, at)),)


def _leads(state: State, seat: Seat, at: datetime) -> MoglerTurn | None:
    """None: STOP lies there, and the trick is not played (3.4)."""
    return None if complete(state.row) else turn_of(state, seat, at)


def play(state: State, phase: InTrick, at: datetime, card: Card) -> tuple[Event, ...]:
    seat, plays = phase.turn.seat, phase.plays
    _holds(state, seat, card)
    if suit(card) in locked(state.tricks[seat]):  # whether or not he had another one (5.3)
        turn, ends = goes_on(state, seat, plays, at)
        hand = packs.sort(other for other in state.hands[seat] if other != card)
        return (Caught(seat, card, hand, turn, ends),)
    follows = next_in(state, seat, (*plays, TrickCard(seat, card)))
    return (Played(seat, card, None if follows is None else turn_of(state, follows, at)),)


def collect(state: State) -> tuple[Event, ...]:
    """Who takes the trick leads the next (4.5)."""
    if not isinstance(state.phase, ToCollect) or immediate(state) != Collect():
        raise Refused(Reason.NOT_NOW)
    plays = state.phase.plays
    trump, winner = outcome(plays, state.left)
    leader = next_in(state, plays[0].seat) if winner is None else winner
    over = state.trick == TRICKS or alone_stops(state)
    return (TrickTaken(state.trick, winner, plays, trump, None if over else leader),)


def time_out(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    """The House acts for whoever let his time run out (8.2)."""
    match state.phase:
        case Opening(until) as opening if seat in not_laid(state, opening):
            time_is_up(at, until)
            return (OpeningLaid(seat, (modest(state.hands[seat], ()),), timed_out=True),)
        case ToSwap(MoglerTurn(by, until) as turn) if by == seat:
            time_is_up(at, until)
            return decline(state, turn, at)
        case ToDiscard(MoglerTurn(by, until) as turn, drawn) if by == seat:
            time_is_up(at, until)
            return discard(state, turn, at, drawn)
        case InTrick(MoglerTurn(by, until)) as phase if by == seat:
            time_is_up(at, until)
            return play(state, phase, at, modest(state.hands[seat], state.tricks[seat]))
        case _:
            raise Refused(Reason.NOT_NOW)


def _swapping(state: State, by: Seat, at: datetime) -> ToSwap:
    if not isinstance(state.phase, ToSwap):
        raise Refused(Reason.NOT_NOW)
    _his(state.phase.turn, by, at)
    return state.phase


def _discarding(state: State, by: Seat, at: datetime) -> ToDiscard:
    if not isinstance(state.phase, ToDiscard):
        raise Refused(Reason.NOT_NOW)
    _his(state.phase.turn, by, at)
    return state.phase


def _in_turn(state: State, by: Seat, at: datetime) -> InTrick:
    if not isinstance(state.phase, InTrick):
        raise Refused(Reason.NOT_NOW)
    _his(state.phase.turn, by, at)
    return state.phase


def _his(turn: MoglerTurn, by: Seat, at: datetime) -> None:
    if by != turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    in_time(at, turn.until)


def _holds(state: State, seat: Seat, card: Card) -> None:
    if card not in state.hands[seat]:
        raise Refused(Reason.NOT_YOUR_CARDS)
