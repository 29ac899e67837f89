"""Who may answer what, and from when and until when. Only what everybody sees counts here."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from domain.games.cheat.events import CheatTurn
from domain.games.cheat.reasons import CheatReason
from domain.games.cheat.state import InTurn, LastPlay, Lying, State
from domain.kernel.cards import RANKS
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.seating import next_of
from domain.kernel.windows import Window, in_time, open_claim, turn_until


def next_in(state: State, seat: Seat, without: Seat | None = None) -> Seat:
    """Who sits next on the left and is in the round."""
    return next_of((other for other in state.playing if other != without), seat)


def rank_after(state: State, rank: str | None) -> str | None:
    if state.options.rank_mode == "free" or rank is None:
        return None
    return RANKS[(RANKS.index(rank) + 1) % len(RANKS)]


def turn_after(state: State, turn: CheatTurn, at: datetime, not_before: datetime) -> CheatTurn | None:
    """The next seat's turn, with the next rank; None when no turn is left."""
    if turn.left <= 1:
        return None
    rank = rank_after(state, turn.rank)
    return CheatTurn(next_in(state, turn.seat), rank, turn_until(state.pace, at, not_before), turn.left - 1)


def lying(state: State, claim_id: int) -> Lying:
    return next(claim for claim in state.pile if claim.claim_id == claim_id)


def may_doubt(state: State) -> tuple[Seat, ...]:
    """Who may doubt claims at all."""
    return tuple([seat for seat in state.playing if seat not in state.leaving])


def locked_by(state: State, turn: CheatTurn, windows: Iterable[Window]) -> tuple[int, ...]:
    """The claims that taking this turn locks: the one before it, or in the extended window the one before that."""
    reach = 2 if state.options.window == "extended" else 1
    return tuple([window.claim_id for window in windows if window.left - turn.left >= reach])


def closes_at(state: State, window: Window) -> datetime | None:
    """When the House will end this claim's window if nobody does anything; None: it will not."""
    match state.phase:
        case LastPlay(_, _, closes):
            return closes
        case InTurn(turn, windows, None) if window.claim_id in locked_by(state, turn, windows):
            return turn.until
        case _:
            return None


def open_to(state: State, by: Seat, at: datetime, claim_id: int) -> Window:
    """The open claim that this seat may answer; refuses all others."""
    challenged = state.last.claim_id if state.last else None
    window = open_claim(state.windows, claim_id, state.claims, challenged, by)
    if by in window.barred:
        raise Refused(CheatReason.LAID_ON_IT)
    in_time(at, closes_at(state, window))
    return window


def may_take_turn(state: State, by: Seat, at: datetime) -> InTurn:
    """The phase in which this seat is to play, its time not yet over; whether it is early is asked last."""
    match state.phase:
        case InTurn(turn) as phase if by == turn.seat:
            if phase.proposal is not None:
                raise Refused(CheatReason.PROPOSAL_OPEN)
            in_time(at, turn.until)
            return phase
        case InTurn() | LastPlay():
            raise Refused(Reason.NOT_YOUR_TURN if isinstance(state.phase, InTurn) else Reason.NOT_NOW)
        case _:
            raise Refused(Reason.NOT_NOW)
