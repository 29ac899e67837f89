"""Whom the table waits for, and what the House does when it must or when time is up."""

from __future__ import annotations

from typing import assert_never

from domain.games.mogler import dealing
from domain.games.mogler.actions import Action, Deal, Draw, TimeOut, TurnStop
from domain.games.mogler.due import immediate, not_laid
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
from domain.kernel.chance import Luck
from domain.kernel.game import Answers, Awaits, HouseAct, HouseNow, Over, Refused
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause


def awaits(state: State) -> Awaits:
    """While all lay, a viewer's fold knows only his own lay: it waits for everybody else."""
    if immediate(state) is not None:
        return HouseNow()
    match state.phase:
        case Opening(until) as opening:
            return Answers(not_laid(state, opening), until)
        case ToSwap(turn) | ToDiscard(turn) | InTrick(turn):
            return Answers((turn.seat,), turn.until)
        case Pause(deal_at) as pause:
            return Answers(pause.missing(state.present), deal_at)
        case Ended(winners, scores):
            return Over(winners, scores)
        case ToDeal() | ToStop() | ToDraw() | ToCollect() | ToCount() | ToEnd():
            return HouseNow()
        case _:
            assert_never(state.phase)


def house(state: State, chance: Luck) -> HouseAct[Action]:
    act = immediate(state)
    if act is Deal or (act is None and isinstance(state.phase, Pause)):
        return HouseAct(dealing.deal(state, chance))
    if act is TurnStop:
        return HouseAct(dealing.turn_stop(state, chance))
    if act is Draw:
        return HouseAct(dealing.draw(state, chance))
    if act is not None and not isinstance(act, type):
        return HouseAct(act, for_seat=act.seat if isinstance(act, TimeOut) else None)
    match state.phase:
        case Opening() as opening:
            seat = not_laid(state, opening)[0]
        case ToSwap(turn) | ToDiscard(turn) | InTrick(turn):
            seat = turn.seat
        case _:
            raise Refused(Reason.NOT_NOW)
    return HouseAct(TimeOut(seat), for_seat=seat)
