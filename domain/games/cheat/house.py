"""Whom the table waits for, and what the House does when it must or when time is up."""

from __future__ import annotations

from typing import assert_never

from domain.games.cheat import dealing
from domain.games.cheat.actions import Action, CloseProposal, CloseWindow, Deal, Draw, TimeOut
from domain.games.cheat.due import immediate, voters
from domain.games.cheat.state import Ended, InTurn, LastPlay, State, ToCount, ToDeal, ToDraw, ToEnd
from domain.games.cheat.windows import may_doubt
from domain.kernel.chance import Luck
from domain.kernel.game import Answers, Awaits, HouseAct, HouseNow, Over, Refused
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered


def awaits(state: State) -> Awaits:
    if immediate(state) is not None:
        return HouseNow()
    match state.phase:
        case InTurn(turn, windows, proposal):
            open_to = {seat for window in windows for seat in unanswered(window, may_doubt(state))}
            if proposal is None:
                return Answers(tuple(sorted({turn.seat} | open_to)), turn.until)
            votes = voters(state, proposal.consented)
            return Answers(tuple(sorted((open_to - {turn.seat}).union(votes))), proposal.until)
        case LastPlay(window, _, closes_at):
            return Answers(unanswered(window, may_doubt(state)), closes_at)
        case Pause(deal_at) as pause:
            return Answers(pause.missing(state.present), deal_at)
        case Ended(winners, scores):
            return Over(winners, scores)
        case ToDeal() | ToDraw() | ToCount() | ToEnd():
            return HouseNow()
        case _:
            assert_never(state.phase)


def house(state: State, chance: Luck) -> HouseAct[Action]:
    act = immediate(state)
    if act is Deal or (act is None and isinstance(state.phase, Pause)):
        return HouseAct(dealing.deal(state, chance))
    if act is Draw:
        return HouseAct(dealing.draw(state, chance))
    if act is not None and not isinstance(act, type):
        return HouseAct(act)
    match state.phase:
        case InTurn(turn, _, None):
            return HouseAct(TimeOut(turn.seat), for_seat=turn.seat)
        case InTurn(_, _, proposal) if proposal is not None:
            return HouseAct(CloseProposal(proposal.proposal_id))
        case LastPlay(window):
            return HouseAct(CloseWindow(window.claim_id))
        case _:
            raise Refused(Reason.NOT_NOW)
