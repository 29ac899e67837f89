"""What the House owes the table at once, before anybody else can act."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from domain.games.cheat.actions import CloseProposal, CloseWindow, Deal, Draw, EndMatch, EndRound, Vacate
from domain.games.cheat.state import Ended, InTurn, LastPlay, State, ToCount, ToDeal, ToDraw, ToEnd
from domain.games.cheat.windows import may_doubt
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered

Luck: TypeAlias = type[Deal] | type[Draw]  # what cannot be said before a draw


def immediate(state: State) -> Luck | CloseProposal | CloseWindow | EndMatch | EndRound | Vacate | None:
    """None: somebody's answer or a deadline is awaited, or nothing."""
    match state.phase:
        case InTurn():
            if len(state.playing) < 2:
                return EndRound()
        case LastPlay():
            pass
        case ToDeal() | Pause():
            if len(state.present) < 2:
                return EndMatch()
        case ToDraw():
            return Draw
        case ToCount():
            if _decided(state):
                return EndRound()
        case ToEnd():
            return EndMatch()
        case Ended():
            return None
        case _:
            assert_never(state.phase)
    for seat in state.leaving:
        if may_go(state, seat):
            return Vacate(seat)
    match state.phase:
        case InTurn(_, _, None):
            return None
        case InTurn(_, _, proposal) if proposal is not None and not voters(state, proposal.consented):
            return CloseProposal(proposal.proposal_id)
        case LastPlay(window) if not unanswered(window, may_doubt(state)):
            return CloseWindow(window.claim_id)
        case ToCount():
            return EndRound()
        case ToDeal():
            return Deal
        case Pause() as pause if pause.all_accepted(state.present):
            return Deal
        case _:
            return None


def _decided(state: State) -> bool:
    """Whether a hand is empty, or only one is left: that wins, for a leaver too; else he has gone before (11.2)."""
    return len(state.playing) < 2 or not all(state.hands[seat] for seat in state.playing)


def voters(state: State, answered: tuple[Seat, ...] = ()) -> tuple[Seat, ...]:
    """Who must consent to a pass: all in the round but who asks."""
    assert isinstance(state.phase, InTurn)
    asks = state.phase.turn.seat
    return tuple(seat for seat in state.playing if seat != asks and seat not in state.leaving and seat not in answered)


def may_go(state: State, seat: Seat) -> bool:
    """An open window on a leaver's claim is settled first; where his own turn has come, none can be (11.2)."""
    match state.phase:
        case InTurn(turn) if turn.seat == seat:
            return True
        case ToDraw():
            return False
        case _:
            return all(window.seat != seat for window in state.windows)
