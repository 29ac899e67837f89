"""What the House owes the table at once, before anybody else can act."""

from __future__ import annotations

from typing import assert_never

from domain.games.mogelei.actions import Deal, EndHand, EndMatch, TimeOut
from domain.games.mogelei.state import Ended, State, ToCall, ToControl, ToCount, ToDeal, ToEnd, ToLay, ToReveal
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause


def immediate(state: State) -> type[Deal] | TimeOut | EndHand | EndMatch | None:
    """None: somebody's answer or a deadline is awaited, or nothing. A Deal cannot be said before it is drawn."""
    match state.phase:
        case Ended():
            return None
        case _ if len(state.present) < 2:
            return EndMatch()
        case ToDeal():
            return Deal
        case ToLay(late=True) as phase:  # one lay came too late: so do all others, in the same breath
            return TimeOut(missing(state, phase)[0])
        case ToCount():
            return EndHand()
        case Pause() as pause:
            return Deal if pause.all_accepted(state.present) else None
        case ToEnd():
            return EndMatch()
        case ToCall() | ToLay() | ToReveal() | ToControl():
            return None
        case _:
            assert_never(state.phase)


def missing(state: State, phase: ToLay) -> tuple[Seat, ...]:
    """Who has not laid, as far as is known to whose state this is."""
    return tuple([seat for seat in state.present if not phase.laid[seat]])
