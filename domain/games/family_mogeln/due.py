"""What the House owes the table at once, before anybody else can act."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from domain.games.family_mogeln.actions import CloseWindow, Deal, EndMatch, EndRound, Vacate
from domain.games.family_mogeln.state import Ended, InTurn, LastTurn, State, ToCount, ToDeal, ToEnd
from domain.games.family_mogeln.windows import may_doubt
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered

Luck: TypeAlias = type[Deal]  # what cannot be said before a draw


def immediate(state: State) -> Luck | CloseWindow | EndMatch | EndRound | Vacate | None:
    """None: somebody's answer or a deadline is awaited, or nothing."""
    match state.phase:
        case Ended():
            return None
        case ToEnd():
            return EndMatch()
        case ToDeal() | Pause() if len(state.present) < 2:
            return EndMatch()
        case InTurn() if len(state.present) < 2:
            return EndRound()
        case _:
            pass
    for seat in state.leaving:
        if may_go(state, seat):
            return Vacate(seat)
    match state.phase:
        case ToCount():
            return EndRound()
        case LastTurn(window) if not unanswered(window, may_doubt(state)):
            return CloseWindow(window.claim_id)
        case ToDeal():
            return Deal
        case Pause() as pause if pause.all_accepted(state.present):
            return Deal
        case InTurn() | LastTurn() | Pause():
            return None
        case _:
            assert_never(state.phase)


def may_go(state: State, seat: Seat) -> bool:
    """An open window on a leaver's lay is settled first (11.2)."""
    return all(window.seat != seat for window in state.windows)
