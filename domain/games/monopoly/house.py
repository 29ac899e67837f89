"""Whom the table waits for, and what the House does when it must or when time is up."""

from __future__ import annotations

from domain.games.monopoly import setup
from domain.games.monopoly.actions import Action, DrawCard, SetUp, Throw, TimeOut, TurnUp
from domain.games.monopoly.due import deadlines, hotel_is_auctioned, immediate
from domain.games.monopoly.phases import Closing, Ended
from domain.games.monopoly.rules.accusing import jurors
from domain.games.monopoly.rules.auction import still_bidding
from domain.games.monopoly.rules.hotels import may_claim
from domain.games.monopoly.rules.movement import waits_for
from domain.games.monopoly.state import State, busy
from domain.kernel.chance import Luck
from domain.kernel.game import Answers, Awaits, HouseAct, HouseNow, Over, Refused, Seat
from domain.kernel.reasons import Reason


def awaits(state: State) -> Awaits:
    if isinstance(state.phase, Ended):
        return Over(state.phase.winners, state.phase.scores)
    if immediate(state) is not None:
        return HouseNow()
    until = min((at for at, _ in deadlines(state)), default=None)
    return Answers(tuple(sorted(_waited_for(state))), until)


def _waited_for(state: State) -> set[Seat]:
    seats = {debt.debtor for debt in state.debts if debt.binding}
    if state.auction is not None:
        seats.update(still_bidding(state.auction))
    if state.last_hotel is not None and not hotel_is_auctioned(state):
        seats.update(may_claim(state))
    if state.placing is not None:
        seats.add(state.placing.seat)
    seats.update(jurors(state))
    if not busy(state):
        seats.update(waits_for(state))
        if not isinstance(state.phase, Closing):
            seats.add(state.turn.seat)
    return seats


def house(state: State, chance: Luck) -> HouseAct[Action]:
    act = immediate(state)
    if act is SetUp:
        return HouseAct(setup.plan(state, chance))
    if act is TurnUp:
        return HouseAct(setup.turn_up(state, chance))
    if act is Throw:
        return HouseAct(setup.throw(state, chance))
    if act is DrawCard:
        return HouseAct(setup.draw_card(state, chance))
    if act is not None and not isinstance(act, type):
        return HouseAct(act)
    first = min(deadlines(state), key=lambda due: due[0], default=None)
    if first is None:
        raise Refused(Reason.NOT_NOW)
    action = first[1]
    return HouseAct(action, for_seat=action.seat if isinstance(action, TimeOut) else None)
