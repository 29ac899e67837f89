"""What comes by luck: the deal, each STOP card, each card drawn; and stacked deals. Rules: RULES.md 2, 3, 12."""

from __future__ import annotations

from collections import Counter
from typing import Final

from domain.games.mogler.actions import Deal, Draw, TurnStop
from domain.games.mogler.deck import Stop
from domain.games.mogler.events import Dealt, Drawn, Event, StopTurned
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import StackedDeal, State
from domain.games.mogler.tricks import STOPS, TRICKS
from domain.kernel import cards as packs
from domain.kernel.cards import PACK, Cards
from domain.kernel.chance import Luck
from domain.kernel.dealing import check_from, check_hands
from domain.kernel.game import BadDeal
from domain.kernel.seating import everybody

HAND: Final = TRICKS + 1
DRAWS: Final = STOPS.count("S")


def deal(state: State, chance: Luck) -> Deal:
    """Seven each, to the lowest seat first; the rest is the draw pile."""
    shuffled = chance.draw(state.draws).shuffled(PACK)
    stacked = _stacked(state, state.round + 1)
    hands: list[Cards] = [()] * state.seats
    for place, seat in enumerate(state.present):
        dealt = stacked.hands[seat] if stacked is not None else shuffled[HAND * place : HAND * (place + 1)]
        hands[seat] = packs.sort(dealt)
    held = {card for hand in hands for card in hand}
    return Deal(tuple(hands), packs.sort(card for card in PACK if card not in held), state.draws)


def stops_left(state: State) -> tuple[Stop, ...]:
    return tuple((Counter(STOPS) - Counter(state.row)).elements())


def turn_stop(state: State, chance: Luck) -> TurnStop:
    """Any STOP card of those that do not lie there."""
    stacked = _stacked(state, state.round)
    turned = chance.draw(state.draws).pick(stops_left(state))
    if stacked is not None and len(state.row) < len(stacked.stops):
        turned = stacked.stops[len(state.row)]
    return TurnStop(turned, state.draws)


def draw(state: State, chance: Luck) -> Draw:
    """Any card of the draw pile."""
    stacked = _stacked(state, state.round)
    card = chance.draw(state.draws).pick(packs.sort(state.stock))
    before = len(PACK) - HAND * state.players - len(state.stock)
    if stacked is not None and before < len(stacked.draws):
        card = stacked.draws[before]
    return Draw(card, state.draws)


def drawn(state: State, event: Event) -> tuple[object, ...]:
    """What luck gave, in the order in which the House asks for it."""
    match event:
        case Dealt(hands=hands):
            return tuple(card for hand in hands for card in hand)
        case StopTurned(stop=stop):
            return (stop,)
        case Drawn(cards=cards):
            return cards
        case _:
            return ()


def _stacked(state: State, number: int) -> StackedDeal | None:
    return state.stacked if number == 1 else None


def check_deal(options: MoglerOptions, seats: int, deal: StackedDeal) -> None:
    """Raises BadDeal for a first deal, or an order of STOP cards and draws, that could not have come about."""
    check_hands(deal.hands, seats)
    for seat in everybody(seats):
        if len(deal.hands[seat]) != HAND:
            raise BadDeal("hand_size", seat=seat, held=len(deal.hands[seat]), wanted=HAND)
    check_from(PACK, *deal.hands, deal.draws)
    check_from(STOPS, deal.stops)
    if len(deal.stops) > TRICKS:
        raise BadDeal("too_many", field="stops", most=TRICKS)
    if len(deal.draws) > DRAWS:
        raise BadDeal("too_many", field="draws", most=DRAWS)
