"""What the House owes the table at once, before anybody else can act."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from domain.games.mogler.actions import Collect, CountRound, Deal, Draw, EndMatch, TimeOut, TurnOpening, TurnStop
from domain.games.mogler.state import (
    Ended,
    InTrick,
    Opening,
    State,
    ToCollect,
    ToCount,
    ToDeal,
    ToDiscard,
    ToDraw,
    ToEnd,
    ToStop,
    ToSwap,
)
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause

Luck: TypeAlias = type[Deal] | type[TurnStop] | type[Draw]  # what cannot be said before a draw


def immediate(state: State) -> Luck | TimeOut | TurnOpening | Collect | CountRound | EndMatch | None:
    """None: somebody's act or a deadline is awaited, or nothing."""
    if len(state.present) < 2 and not isinstance(state.phase, Ended):
        return EndMatch()
    match state.phase:
        case ToDeal():
            return Deal
        case Opening() as opening:
            missing = not_laid(state, opening)
            if not missing:
                return TurnOpening()
            return TimeOut(missing[0]) if opening.closing else None
        case ToStop():
            return TurnStop
        case ToDraw():
            return Draw
        case ToCollect():
            return Collect()
        case ToCount():
            return CountRound()
        case Pause() as pause:
            return Deal if pause.all_accepted(state.present) else None
        case ToEnd():
            return EndMatch()
        case ToSwap() | ToDiscard() | InTrick() | Ended():
            return None
        case _:
            assert_never(state.phase)


def not_laid(state: State, opening: Opening) -> tuple[Seat, ...]:
    """Who is there and has laid nothing, as far as this fold knows."""
    return tuple([seat for seat in state.present if not opening.laid[seat]])
