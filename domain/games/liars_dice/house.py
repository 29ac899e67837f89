"""Whom the table waits for, and what the House does when it must or when time is up."""

from __future__ import annotations

from typing import assert_never

from domain.games.liars_dice import rolling
from domain.games.liars_dice.actions import Action, BeginRound, CloseWindow, Roll, TimeOut
from domain.games.liars_dice.due import immediate
from domain.games.liars_dice.state import Ended, State, ToAnswer, ToBegin, ToClaim, ToCount, ToEnd, ToReroll, ToRoll
from domain.games.liars_dice.windows import takes_dice
from domain.kernel.chance import Luck
from domain.kernel.game import Answers, Awaits, HouseAct, HouseNow, Over, Refused
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered


def awaits(state: State) -> Awaits:
    if immediate(state) is not None:
        return HouseNow()
    match state.phase:
        case ToClaim(turn):
            return Answers((turn.seat,), turn.until)
        case ToAnswer(window, closes_at=closes_at) as phase:
            takes = takes_dice(phase)
            waited = {*unanswered(window, state.playing)} | ({takes} if takes is not None else set())
            return Answers(tuple(sorted(waited)), closes_at)
        case Pause(begins_at) as pause:
            return Answers(pause.missing(state.present), begins_at)
        case Ended(winners, scores):
            return Over(winners, scores)
        case ToBegin() | ToRoll() | ToReroll() | ToCount() | ToEnd():
            return HouseNow()
        case _:
            assert_never(state.phase)


def house(state: State, chance: Luck) -> HouseAct[Action]:
    act = immediate(state)
    if act is BeginRound or (act is None and isinstance(state.phase, Pause)):
        return HouseAct(rolling.begin_round(state, chance))
    if act is Roll:
        return HouseAct(rolling.roll(state, chance))
    if act is not None and not isinstance(act, type):
        return HouseAct(act)
    match state.phase:
        case ToClaim(turn):
            return HouseAct(TimeOut(turn.seat), for_seat=turn.seat)
        case ToAnswer(window):
            return HouseAct(CloseWindow(window.claim_id))
        case _:
            raise Refused(Reason.NOT_NOW)
