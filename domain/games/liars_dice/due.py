"""What the House owes the table at once, before anybody else can act."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from domain.games.liars_dice.actions import BeginRound, CloseWindow, EndMatch, EndRound, Roll, Vacate
from domain.games.liars_dice.state import Ended, State, ToAnswer, ToBegin, ToClaim, ToCount, ToEnd, ToReroll, ToRoll
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered

Luck: TypeAlias = type[BeginRound] | type[Roll]  # what cannot be said before a draw


def immediate(state: State) -> Luck | CloseWindow | EndMatch | EndRound | Vacate | None:
    """None: somebody's answer or a deadline is awaited, or nothing."""
    match state.phase:
        case ToRoll() | ToClaim() | ToAnswer() | ToCount():
            if len(state.playing) < 2:
                return EndRound()
        case ToBegin() | Pause():
            if len(state.present) < 2:
                return EndMatch()
        case ToReroll():
            return Roll
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
        case ToRoll():
            return Roll
        case ToCount():  # who leaves has gone before: the turns are counted among those who are there (11.2)
            return EndRound()
        case ToAnswer(window) if not unanswered(window, state.playing):
            return CloseWindow(window.claim_id)
        case ToBegin():
            return BeginRound
        case Pause() as pause if pause.all_accepted(state.present):
            return BeginRound
        case _:
            return None


def may_go(state: State, seat: Seat) -> bool:
    """An open window on a leaver's claim is settled first (11.2)."""
    return all(window.seat != seat for window in state.windows)
