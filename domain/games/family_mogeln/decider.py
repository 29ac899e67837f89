"""Each rule in one place: first what is refused, then what happens. Numbers: RULES.md."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain.games.family_mogeln import rounds
from domain.games.family_mogeln.actions import (
    Accept,
    AcceptRound,
    Action,
    CloseWindow,
    Control,
    ControlMulti,
    Deal,
    EndMatch,
    EndRound,
    Lay,
    SitOut,
    TimeOut,
    Vacate,
)
from domain.games.family_mogeln.dealing import due_card
from domain.games.family_mogeln.due import immediate
from domain.games.family_mogeln.events import (
    Accepted,
    ControlBegan,
    Controlled,
    Counted,
    Event,
    Laid,
    PileTaken,
    SatOut,
    Stood,
    Turn,
)
from domain.games.family_mogeln.reasons import FamilyMogelnReason
from domain.games.family_mogeln.state import InTurn, LastTurn, State
from domain.games.family_mogeln.windows import (
    begins_control,
    can_be_controlled,
    lying,
    may_doubt,
    may_take_turn,
    open_to,
    turn_after_lay,
    turn_after_sitting_out,
)
from domain.kernel import cards as packs
from domain.kernel.cards import JOKER, Card, Cards, holds
from domain.kernel.game import HOUSE, Command, Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.windows import not_early, time_is_up, turn_until, unanswered


def decide(state: State, command: Command[Action]) -> tuple[Event, ...]:
    by, at = command.by, command.at
    if by != HOUSE:
        _has_a_say(state, by)
    match command.action:
        case Lay(laid, rank):
            return lay(state, by, at, laid, rank)
        case SitOut():
            return sit_out(state, by, at)
        case Control(claim_id):
            return control(state, by, at, claim_id)
        case ControlMulti(claim_id):
            return control_multi(state, by, at, claim_id)
        case Accept(claim_id):
            return accept(state, by, at, claim_id)
        case AcceptRound():
            return rounds.accept_round(state, by, at)
        case _ if by != HOUSE:
            raise Refused(Reason.NOT_NOW)
        case Deal() as deal:
            return rounds.deal(state, at, deal)
        case TimeOut(seat):
            return time_out(state, at, seat)
        case CloseWindow(claim_id):
            return close_window(state, at, claim_id)
        case EndRound():
            return rounds.end_round(state, at)
        case EndMatch():
            return rounds.end_match(state)
        case Vacate(seat):
            return rounds.vacate(state, at, seat)


def _has_a_say(state: State, by: Seat) -> None:
    if by in state.left or by in state.leaving:
        raise Refused(Reason.LEFT)
    if immediate(state) is not None:
        raise Refused(Reason.NOT_NOW)


def lay(state: State, by: Seat, at: datetime, laid: Cards, rank: str | None) -> tuple[Event, ...]:
    phase = may_take_turn(state, by, at)
    if not holds(state.hands[by], laid):
        raise Refused(Reason.NOT_YOUR_CARDS)
    if len(laid) > 1 and not can_be_controlled(state, by):
        raise Refused(FamilyMogelnReason.ONE_CARD_YET)
    if len(laid) > 1 and len(laid) == len(state.hands[by]):
        raise Refused(FamilyMogelnReason.LAST_CARD_ALONE)
    if phase.turn.rank is None and rank is None:
        raise Refused(FamilyMogelnReason.RANK_MISSING)
    said = rank or phase.turn.rank
    if phase.turn.rank not in (None, said) or said is None:
        raise Refused(FamilyMogelnReason.WRONG_RANK)
    not_early(by, state.windows, may_doubt(state), at)
    return _laid(state, phase.turn, at, laid, said)  # true or not: a lie is a legal play


def _laid(state: State, turn: Turn, at: datetime, laid: Cards, rank: str) -> tuple[Event, ...]:
    by = turn.seat
    began = (ControlBegan(),) if begins_control(state, by) else ()
    if len(state.hands[by]) == len(laid):  # he has won: the last card is not checked (8.1)
        return *began, Laid(state.claims, by, rank, laid, None, None, None)
    if not can_be_controlled(state, by):
        follows = turn_after_lay(state, turn, rank, at, at)
        return (Laid(state.claims, by, rank, laid, None, follows, None),)
    not_before = at + seconds(state.pace.min_open)
    follows = turn_after_lay(state, turn, rank, at, not_before)
    closes = None if follows else at + seconds(max(state.pace.max_open, state.pace.min_open))
    return *began, Laid(state.claims, by, rank, laid, not_before, follows, closes)


def sit_out(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    phase = may_take_turn(state, by, at)
    if must_lay(state, by, phase.turn.rank):
        raise Refused(FamilyMogelnReason.FITTING_CARD)
    not_early(by, state.windows, may_doubt(state), at)
    sat_out = SatOut(by, turn_after_sitting_out(state, phase.turn, at))
    if by == state.starter and not state.controls and state.turns[by] >= 1:
        return sat_out, ControlBegan()
    return (sat_out,)


def must_lay(state: State, by: Seat, rank: str | None) -> bool:
    """Where sitting out is for those who must (3.9): whether the seat has a card that fits. It knows."""
    hand = state.hands[by]
    return state.options.strict_sit_out and (rank is None or any(is_true(card, rank) for card in hand))


def is_true(card: Card, rank: str) -> bool:
    """A joker may be laid for any card (5.3)."""
    return card == JOKER or packs.rank(card) == rank


def time_out(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    """The House lays one card for whoever let his time run out (7.3)."""
    match state.phase:
        case InTurn(Turn(by, rank, until) as turn) if by == seat:
            time_is_up(at, until)
            card, said = due_card(state.hands[seat], rank)
            return _laid(state, turn, at, (card,), said)
        case _:
            raise Refused(Reason.NOT_NOW)


def accept(state: State, by: Seat, at: datetime, claim_id: int) -> tuple[Event, ...]:
    window = open_to(state, by, at, claim_id)
    if by in window.accepted:
        raise Refused(Reason.ALREADY_ACCEPTED)
    return (Accepted(claim_id, by),)


def close_window(state: State, at: datetime, claim_id: int) -> tuple[Event, ...]:
    match state.phase:
        case LastTurn(window, closes) if window.claim_id == claim_id:
            if at < closes and unanswered(window, may_doubt(state)):
                raise Refused(Reason.TOO_EARLY, not_before=closes)
            return (Stood(claim_id, window.seat),)
        case _:
            raise Refused(Reason.NOT_NOW)


def control(state: State, by: Seat, at: datetime, claim_id: int) -> tuple[Event, ...]:
    """The card on top is turned up, whatever lies under it (5.2)."""
    open_to(state, by, at, claim_id)
    laid = lying(state, claim_id)
    stands = is_true(laid.top, laid.rank)
    shown = Controlled(claim_id, laid.seat, by, laid.rank, laid.top, stands)
    return shown, _pile_taken(state, at, loser=by if stands else laid.seat)


def control_multi(state: State, by: Seat, at: datetime, claim_id: int) -> tuple[Event, ...]:
    """The cards of the lay are counted, whatever they are (5.5)."""
    open_to(state, by, at, claim_id)
    laid = lying(state, claim_id)
    count = len(laid.cards)
    stands = count <= 1
    counted = Counted(claim_id, laid.seat, by, count, stands)
    return counted, _pile_taken(state, at, loser=by if stands else laid.seat)


def _pile_taken(state: State, at: datetime, loser: Seat) -> Event:
    pile = packs.sort(card for lay in state.pile for card in lay.cards)
    return PileTaken(loser, pile, len(pile), _turn_now(state, at))


def _turn_now(state: State, at: datetime) -> Turn | None:
    """Whoever lost, the layer's left neighbour goes on, with a new clock (5.6); None: no turn is left."""
    match state.phase:
        case InTurn(turn):
            return replace(turn, until=turn_until(state.pace, at, at))
        case _:
            return None
