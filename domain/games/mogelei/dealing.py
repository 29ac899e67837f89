"""The deal, by lot or stacked. Rules: RULES.md 1, 2, 13."""

from __future__ import annotations

from collections import Counter

from domain.games.mogelei.actions import Deal
from domain.games.mogelei.deck import HAND, pack, sort
from domain.games.mogelei.events import Dealt, Event
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import MogeleiDeal, State
from domain.kernel.chance import Luck
from domain.kernel.dealing import check_from, check_hands, check_seat
from domain.kernel.game import BadDeal, Seat
from domain.kernel.seating import everybody, next_of


def deal(state: State, chance: Luck) -> Deal:
    """Twelve cards for each who is there, out of the cards for so many."""
    luck = chance.draw(state.draws)
    players = state.present
    drawn = luck.pick(players)
    if state.hand == 0 and state.stacked is not None:
        return _stacked(state, state.stacked, drawn)
    dealer = drawn if state.dealer is None else next_of(players, state.dealer)
    shuffled = luck.shuffled(pack(len(players)))
    hands = {seat: sort(shuffled[HAND * place : HAND * (place + 1)]) for place, seat in enumerate(players)}
    return Deal(dealer, tuple(hands.get(seat, ()) for seat in everybody(state.seats)), (), state.draws)


def _stacked(state: State, stacked: MogeleiDeal, drawn: Seat) -> Deal:
    """Who left before the first deal leaves his stacked hand out of play."""
    hands = tuple(sort(hand) if Seat(seat) in state.present else () for seat, hand in enumerate(stacked.hands))
    named = Counter(card for hand in hands for card in hand)
    away = sort((Counter(pack(state.seats)) - named).elements())
    dealer = drawn if stacked.dealer is None else state.heir(Seat(stacked.dealer))
    return Deal(dealer, hands, away, state.draws)


def drawn(state: State, event: Event) -> tuple[object, ...]:
    """What luck gave, in the order in which `deal` asks for it."""
    match event:
        case Dealt(dealer=dealer, hands=hands):
            return (dealer, *(card for hand in hands for card in hand))
        case _:
            return ()


def check_deal(options: MogeleiOptions, seats: int, deal: MogeleiDeal) -> None:
    """Raises BadDeal for a first deal that the cards of this match could not give."""
    check_hands(deal.hands, seats)
    sizes = {len(hand) for hand in deal.hands}
    if len(sizes) > 1 or not 1 <= max(sizes) <= HAND:
        raise BadDeal("hands_differ", most=HAND)
    check_seat(deal.dealer, seats, "dealer")
    check_from(pack(seats), *deal.hands)
