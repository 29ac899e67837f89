"""Who may answer what, and from when and until when. Only what everybody sees counts here."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from domain.games.cheat.events import CheatTurn
from domain.games.cheat.state import InTurn, LastPlay, Lying, State, Window
from domain.kernel.cards import RANKS
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason


class CheatReason(StrEnum):
    WRONG_RANK = "wrong_rank"
    RANK_MISSING = "rank_missing"
    OWN_CLAIM = "own_claim"
    LAID_ON_IT = "laid_on_it"
    ALREADY_CHALLENGED = "already_challenged"
    CLAIM_CLOSED = "claim_closed"
    NO_SUCH_CLAIM = "no_such_claim"
    NO_PASSING = "no_passing"
    RANK_NOT_EXHAUSTED = "rank_not_exhausted"
    NEEDS_CONSENT = "needs_consent"
    NOTHING_TO_DRAW = "nothing_to_draw"
    PROPOSAL_OPEN = "proposal_open"
    ALREADY_PROPOSED = "already_proposed"
    PROPOSAL_CLOSED = "proposal_closed"
    NO_SUCH_PROPOSAL = "no_such_proposal"
    OUT_OF_ROUND = "out_of_round"
    LEFT = "left"


def next_in(state: State, seat: Seat, without: Seat | None = None) -> Seat:
    """Who sits next on the left and is in the round."""
    around = (Seat((seat + step) % state.seats) for step in range(1, state.seats + 1))
    return next(other for other in around if other in state.playing and other != without)


def rank_after(state: State, rank: str | None) -> str | None:
    if state.options.rank_mode == "free" or rank is None:
        return None
    return RANKS[(RANKS.index(rank) + 1) % len(RANKS)]


def clock(state: State, at: datetime, not_before: datetime) -> datetime | None:
    """Until when a turn lasts that begins at ``at`` and is open from ``not_before`` on (RULES 6.2)."""
    turn_time = state.pace.turn_time
    if turn_time is None:
        return None
    return max(at + seconds(turn_time), not_before + seconds(min(turn_time, state.pace.min_open)))


def turn_after(state: State, turn: CheatTurn, at: datetime, not_before: datetime) -> CheatTurn | None:
    """The next seat's turn, with the next rank; None when no turn is left."""
    if turn.left <= 1:
        return None
    rank = rank_after(state, turn.rank)
    return CheatTurn(next_in(state, turn.seat), rank, clock(state, at, not_before), turn.left - 1)


def lying(state: State, claim_id: int) -> Lying:
    return next(claim for claim in state.pile if claim.claim_id == claim_id)


def answerers(state: State, window: Window) -> tuple[Seat, ...]:
    """Who may doubt this claim."""
    barred = window.barred + state.leaving
    return tuple([seat for seat in state.playing if seat not in barred])


def unanswered(state: State, window: Window) -> tuple[Seat, ...]:
    return tuple([seat for seat in answerers(state, window) if seat not in window.accepted])


def waits_until(state: State, turn: CheatTurn, windows: Iterable[Window]) -> datetime | None:
    """From when the turn may be taken; None: at once. Who wants to act counts as having accepted."""
    waits = [w.not_before for w in windows if unanswered(state, w) not in ((), (turn.seat,))]
    return max(waits, default=None)


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
    if claim_id >= state.claims:
        raise Refused(CheatReason.NO_SUCH_CLAIM)
    window = next((window for window in state.windows if window.claim_id == claim_id), None)
    if window is None:
        challenged = state.last is not None and state.last.claim_id == claim_id
        raise Refused(CheatReason.ALREADY_CHALLENGED if challenged else CheatReason.CLAIM_CLOSED)
    if by == window.seat:
        raise Refused(CheatReason.OWN_CLAIM)
    if by in window.barred:
        raise Refused(CheatReason.LAID_ON_IT)
    closes = closes_at(state, window)
    if closes is not None and at >= closes:
        raise Refused(Reason.TOO_LATE, closes_at=closes)
    return window


def may_take_turn(state: State, by: Seat, at: datetime) -> InTurn:
    """The phase in which this seat is to play, its time not yet over; whether it is early is asked last."""
    match state.phase:
        case InTurn(turn) as phase if by == turn.seat:
            if phase.proposal is not None:
                raise Refused(CheatReason.PROPOSAL_OPEN)
            if turn.until is not None and at >= turn.until:
                raise Refused(Reason.TOO_LATE, closes_at=turn.until)
            return phase
        case InTurn() | LastPlay():
            raise Refused(Reason.NOT_YOUR_TURN if isinstance(state.phase, InTurn) else Reason.NOT_NOW)
        case _:
            raise Refused(Reason.NOT_NOW)


def not_early(state: State, phase: InTurn, at: datetime) -> None:
    not_before = waits_until(state, phase.turn, phase.windows)
    if not_before is not None and at < not_before:
        raise Refused(Reason.TOO_EARLY, not_before=not_before)
