"""Whom the table waits for, and what the House does when it must or when time is up."""

from __future__ import annotations

from typing import assert_never

from domain.games.mogelei import dealing
from domain.games.mogelei.actions import Action, Deal, TimeOut
from domain.games.mogelei.due import immediate, missing
from domain.games.mogelei.state import Ended, State, ToCall, ToControl, ToCount, ToDeal, ToEnd, ToLay, ToReveal
from domain.kernel.chance import Luck
from domain.kernel.game import Answers, Awaits, HouseAct, HouseNow, Over, Refused
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause


def awaits(state: State) -> Awaits:
    """While all lay, a seat's own fold names all of them but itself, once it has laid."""
    if immediate(state) is not None:
        return HouseNow()
    match state.phase:
        case ToLay(_, until) as phase:
            return Answers(missing(state, phase), until)
        case ToCall(turn) | ToReveal(_, turn) | ToControl(turn):
            return Answers((turn.seat,), turn.until)
        case Pause(deal_at) as pause:
            return Answers(pause.missing(state.present), deal_at)
        case Ended(winners, scores):
            return Over(winners, scores)
        case ToDeal() | ToCount() | ToEnd():
            return HouseNow()
        case _:
            assert_never(state.phase)


def house(state: State, chance: Luck) -> HouseAct[Action]:
    act = immediate(state)
    match act, state.phase:
        case TimeOut(seat), _:
            return HouseAct(act, for_seat=seat)
        case None, ToLay() as phase:
            first = missing(state, phase)[0]
            return HouseAct(TimeOut(first), for_seat=first)
        case None, ToCall(turn) | ToReveal(_, turn) | ToControl(turn):
            return HouseAct(TimeOut(turn.seat), for_seat=turn.seat)
        case None, Pause():
            return HouseAct(dealing.deal(state, chance))
        case None, _:
            raise Refused(Reason.NOT_NOW)
        case _ if act is Deal:
            return HouseAct(dealing.deal(state, chance))
        case _:
            assert act is not None
            assert not isinstance(act, type)
            return HouseAct(act)
