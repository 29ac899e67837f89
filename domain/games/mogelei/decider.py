"""Each rule in one place: first what is refused, then what happens. Numbers: RULES.md."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain.games.mogelei import deck, rounds
from domain.games.mogelei.actions import (
    AcceptHand,
    Action,
    Call,
    ContinueRound,
    Deal,
    Doubt,
    EndHand,
    EndMatch,
    EndRound,
    KeepHidden,
    Lay,
    Reveal,
    TimeOut,
    Vacate,
)
from domain.games.mogelei.due import immediate, missing
from domain.games.mogelei.events import (
    ColourCalled,
    Doubted,
    Event,
    KeptHidden,
    Laid,
    MogeleiHidden,
    MogeleiTurn,
    PileKept,
    Revealed,
    RoundContinued,
    RoundEnded,
)
from domain.games.mogelei.reasons import MogeleiReason
from domain.games.mogelei.state import State, ToCall, ToControl, ToLay, ToReveal
from domain.games.mogelei.turns import control, next_to_reveal, turn_of, when_all_are_in
from domain.kernel.cards import Card
from domain.kernel.game import HOUSE, Command, Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.seating import with_seat
from domain.kernel.windows import in_time, time_is_up, turn_until


def decide(state: State, command: Command[Action]) -> tuple[Event, ...]:
    by, at = command.by, command.at
    if by != HOUSE:
        _has_a_say(state, by)
    match command.action:
        case Call(colour):
            return call(state, by, at, colour)
        case Lay(card):
            return lay(state, by, at, card)
        case Reveal():
            return reveal(state, by, at)
        case KeepHidden():
            return keep_hidden(state, by, at)
        case ContinueRound():
            return continue_round(state, by, at)
        case EndRound():
            return end_round(state, by, at)
        case Doubt(pass_id, seat):
            return doubt(state, by, at, pass_id, Seat(seat))
        case AcceptHand():
            return rounds.accept_hand(state, by, at)
        case _ if by != HOUSE:
            raise Refused(Reason.NOT_NOW)
        case Deal() as dealt:
            return rounds.deal(state, at, dealt)
        case TimeOut(seat):
            return time_out(state, at, seat)
        case EndHand():
            return rounds.end_hand(state, at)
        case EndMatch():
            return rounds.end_match(state)
        case Vacate(seat):
            return rounds.vacate(state, at, seat)


def _has_a_say(state: State, by: Seat) -> None:
    if by in state.left:
        raise Refused(Reason.LEFT)
    if immediate(state) is not None:
        raise Refused(Reason.NOT_NOW)


def _in_turn(turn: MogeleiTurn, by: Seat, at: datetime) -> None:
    if by != turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    in_time(at, turn.until)


def call(state: State, by: Seat, at: datetime, colour: str) -> tuple[Event, ...]:
    match state.phase:
        case ToCall(turn):
            _in_turn(turn, by, at)
            return (_called(state, by, at, colour),)  # whether he holds the colour or not (3.2)
        case _:
            raise Refused(Reason.NOT_NOW)


def _called(state: State, caller: Seat, at: datetime, colour: str) -> ColourCalled:
    return ColourCalled(state.round + 1, state.passes, caller, colour, turn_until(state.pace, at, at))


def lay(state: State, by: Seat, at: datetime, card: Card) -> tuple[Event, ...]:
    match state.phase:
        case ToLay() as phase:
            if phase.laid[by]:
                raise Refused(MogeleiReason.ALREADY_LAID)
            in_time(at, phase.until)
            if card not in state.hands[by]:
                raise Refused(Reason.NOT_YOUR_CARDS)
            if card not in deck.playable(state.hands[by], called(state)):
                raise Refused(MogeleiReason.MUST_FOLLOW)
            return _laid(state, phase, by, at, card, late=False)
        case _:
            raise Refused(Reason.NOT_NOW)


def called(state: State) -> str:
    assert state.colour is not None
    return state.colour


def _laid(state: State, phase: ToLay, seat: Seat, at: datetime, card: Card, *, late: bool) -> tuple[Event, ...]:
    one = Laid(state.last_pass, seat, card, late)
    laid = replace(phase, laid=with_seat(phase.laid, seat, (card,)))
    return one, *when_all_are_in(replace(state, phase=laid), laid, at)


def reveal(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    phase = _to_reveal(state, by, at)
    mine = state.lying(by)
    assert mine is not None
    if deck.colour(mine.card) != called(state):
        raise Refused(MogeleiReason.OTHER_COLOUR)
    turn = next_to_reveal(state, phase, at)
    shown = Revealed(state.last_pass, by, mine.card, turn)
    return (shown,) if turn else (shown, control(state, phase, at, mine))


def keep_hidden(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    return _kept_hidden(state, _to_reveal(state, by, at), at)


def _kept_hidden(state: State, phase: ToReveal, at: datetime) -> tuple[Event, ...]:
    turn = next_to_reveal(state, phase, at)
    hidden = KeptHidden(state.last_pass, phase.turn.seat, turn)
    return (hidden,) if turn else (hidden, control(state, phase, at))


def _to_reveal(state: State, by: Seat, at: datetime) -> ToReveal:
    match state.phase:
        case ToReveal(_, turn) as phase:
            _in_turn(turn, by, at)
            return phase
        case _:
            raise Refused(Reason.NOT_NOW)


def _controls(state: State, by: Seat, at: datetime) -> None:
    match state.phase:
        case ToControl(turn):
            _in_turn(turn, by, at)
        case _:
            raise Refused(Reason.NOT_NOW)


def continue_round(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    _controls(state, by, at)
    if not state.hands[by]:
        raise Refused(MogeleiReason.HANDS_EMPTY)
    return (RoundContinued(state.passes, by, turn_until(state.pace, at, at)),)


def end_round(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    _controls(state, by, at)
    return _ended(state, by, at)


def _ended(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    """The highest card of the colour among all that were kept hidden in this round earns an egg (7.2)."""
    hidden = [it for it in state.played if not it.shown]
    lies = [it for it in hidden if deck.colour(it.card) == called(state)]
    liar = max(lies, key=lambda it: deck.value(it.card)).seat if lies else None
    shown = tuple(MogeleiHidden(it.pass_id, it.seat, it.card) for it in hidden)
    egg = None if liar in state.left else liar
    taker = egg if state.options.round_pile == "liar" and egg is not None else by
    return RoundEnded(by, shown, liar), _kept(state, at, taker, egg)


def doubt(state: State, by: Seat, at: datetime, pass_id: int, doubted: Seat) -> tuple[Event, ...]:
    if pass_id >= state.passes:
        raise Refused(MogeleiReason.NO_SUCH_PASS)
    if pass_id != state.last_pass:
        raise Refused(MogeleiReason.PASS_CLOSED)
    _controls(state, by, at)
    if doubted == by:
        raise Refused(MogeleiReason.OWN_CARD)
    target = state.lying(doubted)
    if target is None or target.shown:
        raise Refused(MogeleiReason.NOTHING_HIDDEN)
    right = deck.colour(target.card) == called(state)
    egg = doubted if state.options.false_doubt_egg and not right and doubted not in state.left else None
    taker = doubted if right else by  # as the original has it, against the seed's mistranslation (8.2, 8.3)
    return Doubted(pass_id, by, doubted, target.card, right), _kept(state, at, taker, egg)


def _kept(state: State, at: datetime, taker: Seat, egg: Seat | None) -> PileKept:
    """Who keeps the cards calls the next colour (3.3)."""
    pile = deck.sort(it.card for it in state.played)
    empty = not any(state.hands[seat] for seat in state.present)
    return PileKept(taker, pile, egg, None if empty else turn_of(state, at, state.heir(taker)))


def time_out(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    """The least inventive act for whoever let his time run out (10.2)."""
    match state.phase:
        case ToLay(_, until, _, late) as phase if seat in missing(state, phase):
            if not late:
                time_is_up(at, until)
            card = deck.lowest(deck.playable(state.hands[seat], called(state)))
            return _laid(state, phase, seat, at, card, late=True)
        case ToCall(turn) | ToReveal(_, turn) | ToControl(turn) as phase if turn.seat == seat:
            time_is_up(at, turn.until)
        case _:
            raise Refused(Reason.NOT_NOW)
    match phase:
        case ToCall():
            colour = deck.colour(deck.lowest(state.hands[seat]))
            assert colour is not None
            return (_called(state, seat, at, colour),)
        case ToReveal():
            return _kept_hidden(state, phase, at)
        case ToControl():
            return _ended(state, seat, at)
