"""Packs, the deal, stacked deals, and the card that the House lays for others. Rules: RULES.md 1, 2, 7.3."""

from __future__ import annotations

from collections import Counter
from typing import Final

from domain.games.family_mogeln.actions import Deal
from domain.games.family_mogeln.events import Dealt, Event
from domain.games.family_mogeln.options import Options
from domain.games.family_mogeln.state import StackedDeal, State
from domain.games.family_mogeln.windows import ORDER
from domain.kernel import cards as packs
from domain.kernel.cards import JOKER, PACK, Card, Cards
from domain.kernel.chance import Luck
from domain.kernel.dealing import check_from, check_hands, check_seat
from domain.kernel.game import BadDeal, Seat
from domain.kernel.seating import next_of

ONE_PACK_BELOW: Final = 5
JOKERS: Final = 3  # to a pack


def packs_for(players: int) -> int:
    return 1 if players < ONE_PACK_BELOW else 2


def pack(players: int) -> Cards:
    return (PACK + (JOKER,) * JOKERS) * packs_for(players)


def deal(state: State, chance: Luck) -> Deal:
    """To all as many; what is left over is put aside."""
    luck = chance.draw(state.draws)
    players = state.present
    drawn = luck.pick(players)
    if state.round == 0 and state.stacked is not None:
        return _stacked(state, state.stacked, drawn)
    shuffled = luck.shuffled(pack(len(players)))
    each = len(shuffled) // len(players)
    hands = {seat: packs.sort(shuffled[place * each : (place + 1) * each]) for place, seat in enumerate(players)}
    return Deal(
        dealer=drawn if state.dealer is None else next_of(players, state.dealer),
        hands=tuple(hands.get(Seat(seat), ()) for seat in range(state.seats)),
        aside=packs.sort(shuffled[each * len(players) :]),
        packs=packs_for(len(players)),
        draw=state.draws,
    )


def _stacked(state: State, stacked: StackedDeal, drawn: Seat) -> Deal:
    """The stacked hand of whoever left before the first deal is put aside."""
    hands = tuple(packs.sort(hand) if Seat(seat) in state.present else () for seat, hand in enumerate(stacked.hands))
    named = Counter(card for hand in hands for card in hand)
    return Deal(
        dealer=drawn if stacked.dealer is None else Seat(stacked.dealer),
        hands=hands,
        aside=packs.sort((Counter(pack(state.seats)) - named).elements()),
        packs=packs_for(state.seats),
        draw=state.draws,
    )


def drawn(state: State, event: Event) -> tuple[object, ...]:
    """What luck gave, in the order in which `deal` asks for it."""
    match event:
        case Dealt(dealer=dealer, hands=hands):
            return (dealer, *(card for hand in hands for card in hand))
        case _:
            return ()


def due_card(hand: Cards, rank: str | None) -> tuple[Card, str]:
    """The least inventive lay: a card of the rank that is due, else the first card; and what to say of it."""
    held = packs.sort(hand)
    if rank is None:
        return held[0], ORDER[0] if held[0] == JOKER else packs.rank(held[0])
    return next((card for card in held if packs.rank(card) == rank), held[0]), rank


def check_deal(options: Options, seats: int, deal: StackedDeal) -> None:
    """Raises BadDeal for a first deal that no pack of this match could give."""
    check_hands(deal.hands, seats)
    if not all(deal.hands):
        raise BadDeal("hand_empty")
    check_seat(deal.dealer, seats, "dealer")
    check_from(pack(seats), *deal.hands)
