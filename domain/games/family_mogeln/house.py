"""Whom the table waits for, and what the House does when it must or when time is up."""

from __future__ import annotations

from typing import assert_never

from domain.games.family_mogeln import dealing
from domain.games.family_mogeln.actions import Action, CloseWindow, Deal, TimeOut
from domain.games.family_mogeln.due import immediate
from domain.games.family_mogeln.state import Ended, InTurn, LastTurn, State, ToCount, ToDeal, ToEnd
from domain.games.family_mogeln.windows import may_doubt
from domain.kernel.chance import Luck
from domain.kernel.game import Answers, Awaits, HouseAct, HouseNow, Over, Refused
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered


def awaits(state: State) -> Awaits:
    if immediate(state) is not None:
        return HouseNow()
    match state.phase:
        case InTurn(turn, window):
            open_to = () if window is None else unanswered(window, may_doubt(state))
            return Answers(tuple(sorted({turn.seat, *open_to})), turn.until)
        case LastTurn(window, closes_at):
            return Answers(unanswered(window, may_doubt(state)), closes_at)
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
    if act is Deal or (act is None and isinstance(state.phase, Pause)):
        return HouseAct(dealing.deal(state, chance))
    if act is not None and not isinstance(act, type):
        return HouseAct(act)
    match state.phase:
        case InTurn(turn):
            return HouseAct(TimeOut(turn.seat), for_seat=turn.seat)
        case LastTurn(window):
            return HouseAct(CloseWindow(window.claim_id))
        case _:
            raise Refused(Reason.NOT_NOW)
