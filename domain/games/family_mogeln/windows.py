"""Who may do what, and from when and until when. Only what everybody sees counts here."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from domain.games.family_mogeln.events import Turn
from domain.games.family_mogeln.reasons import FamilyMogelnReason
from domain.games.family_mogeln.state import InTurn, LastTurn, Lying, State
from domain.kernel.cards import RANKS
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.seating import next_of
from domain.kernel.windows import Window, in_time, open_claim, turn_until

ORDER: Final = RANKS[1:] + RANKS[:1]  # the ace is high


def next_in(state: State, seat: Seat, without: Seat | None = None) -> Seat:
    """Who sits next on the left and is still there."""
    return next_of((other for other in state.present if other != without), seat)


def may_doubt(state: State) -> tuple[Seat, ...]:
    """Who may control lays at all."""
    return tuple([seat for seat in state.present if seat not in state.leaving])


def rank_after(rank: str) -> str:
    return ORDER[(ORDER.index(rank) + 1) % len(ORDER)]


def turn_after_lay(state: State, turn: Turn, rank: str, at: datetime, not_before: datetime) -> Turn | None:
    """The next seat's turn, with the next rank; None when no turn is left."""
    if turn.left <= 1:
        return None
    return Turn(next_in(state, turn.seat), rank_after(rank), turn_until(state.pace, at, not_before), turn.left - 1)


def turn_after_sitting_out(state: State, turn: Turn, at: datetime) -> Turn | None:
    """The next seat's turn, with the same rank, or the next one where all have sat out (3.7)."""
    if turn.left <= 1:
        return None
    rank, sat_out = still_due(turn.rank, (*turn.sat_out, turn.seat), state.present)
    return Turn(next_in(state, turn.seat), rank, turn_until(state.pace, at, at), turn.left - 1, sat_out)


def still_due(
    rank: str | None, sat_out: tuple[Seat, ...], there: tuple[Seat, ...]
) -> tuple[str | None, tuple[Seat, ...]]:
    """The rank that is due, and who has sat out while it was: when all have, the next one is due (3.7)."""
    if set(there) - set(sat_out):
        return rank, sat_out
    return None if rank is None else rank_after(rank), ()


def can_be_controlled(state: State, seat: Seat) -> bool:
    """Whether a lay of this seat can be: since the starter's second one, that one included (4.1)."""
    return state.controls or begins_control(state, seat)


def begins_control(state: State, seat: Seat) -> bool:
    """Whether a lay of this seat is the starter's second one."""
    return not state.controls and seat == state.starter and state.lays[seat] >= 1


def lying(state: State, claim_id: int) -> Lying:
    return next(lay for lay in reversed(state.pile) if lay.claim_id == claim_id)


def closes_at(state: State) -> datetime | None:
    """When the House will end the open window if nobody does anything; None: it will not."""
    match state.phase:
        case LastTurn(_, closes):
            return closes
        case InTurn(turn):
            return turn.until
        case _:
            return None


def open_to(state: State, by: Seat, at: datetime, claim_id: int) -> Window:
    """The open lay that this seat may answer; refuses all others."""
    if not state.controls and claim_id < state.claims:
        raise Refused(FamilyMogelnReason.FIRST_ROUND)
    controlled = state.last.claim_id if state.last else None
    window = open_claim(state.windows, claim_id, state.claims, controlled, by)
    in_time(at, closes_at(state))
    return window


def may_take_turn(state: State, by: Seat, at: datetime) -> InTurn:
    """The phase in which this seat is to lay, its time not yet over; whether it is early is asked last."""
    match state.phase:
        case InTurn(turn) as phase if by == turn.seat:
            in_time(at, turn.until)
            return phase
        case InTurn():
            raise Refused(Reason.NOT_YOUR_TURN)
        case _:
            raise Refused(Reason.NOT_NOW)
