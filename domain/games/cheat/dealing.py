"""Packs, the deal table, stacked deals, and the card that the House lays for others. Rules: RULES.md 1, 2, 6.3."""

from __future__ import annotations

from collections import Counter
from itertools import chain, zip_longest
from typing import Final

from domain.games.cheat.actions import Deal, Draw
from domain.games.cheat.events import Dealt, Drawn, Event
from domain.games.cheat.options import CheatOptions
from domain.games.cheat.state import StackedDeal, State, ToDraw
from domain.kernel import cards as packs
from domain.kernel.cards import JOKER, PACK, RANKS, Cards
from domain.kernel.chance import Luck
from domain.kernel.dealing import check_from, check_hands, check_seat
from domain.kernel.game import BadDeal, Seat
from domain.kernel.seating import next_of

ONE_PACK_UP_TO: Final = 5
FIXED_HAND: Final = 7


def packs_for(players: int) -> int:
    return 1 if players <= ONE_PACK_UP_TO else 2


def pack(options: CheatOptions, players: int) -> Cards:
    return PACK * packs_for(players) + (JOKER,) * options.jokers


def deal(state: State, chance: Luck) -> Deal:
    """One by one, clockwise from the dealer's left: all cards, or seven each."""
    luck = chance.draw(state.draws)
    players = state.present
    drawn = luck.pick(players)
    if state.round == 0 and state.stacked is not None:
        return _stacked(state, state.stacked, drawn)
    dealer = drawn if state.dealer is None else next_of(players, state.dealer)
    shuffled = luck.shuffled(pack(state.options, len(players)))
    dealt = shuffled if state.options.hand == "all" else shuffled[: FIXED_HAND * len(players)]
    order = _clockwise(players, dealer)
    hands = {seat: packs.sort(dealt[place :: len(order)]) for place, seat in enumerate(order)}
    return Deal(
        dealer=dealer,
        hands=tuple(hands.get(Seat(seat), ()) for seat in range(state.seats)),
        stock=packs.sort(shuffled[len(dealt) :]),
        away=(),
        packs=packs_for(len(players)),
        draw=state.draws,
    )


def _clockwise(players: tuple[Seat, ...], dealer: Seat) -> tuple[Seat, ...]:
    """From the dealer's left on."""
    first = players.index(next_of(players, dealer))
    return players[first:] + players[:first]


def _stacked(state: State, stacked: StackedDeal, drawn: Seat) -> Deal:
    """Who left before the first deal leaves his stacked hand out of play."""
    whole = pack(state.options, state.seats)
    hands = tuple(packs.sort(hand) if Seat(seat) in state.present else () for seat, hand in enumerate(stacked.hands))
    named = Counter(card for hand in (*hands, stacked.stock) for card in hand)
    dealer = drawn if stacked.dealer is None else Seat(stacked.dealer)
    return Deal(
        dealer=dealer,
        hands=hands,
        stock=packs.sort(stacked.stock),
        away=packs.sort((Counter(whole) - named).elements()),
        packs=packs_for(state.seats),
        draw=state.draws,
    )


def draw(state: State, chance: Luck) -> Draw:
    """Any cards of the stock; when it runs short, all of the pile but its open claims is shuffled in under it."""
    assert isinstance(state.phase, ToDraw)
    count = state.phase.count
    luck = chance.draw(state.draws)
    drawn = luck.shuffled(packs.sort(state.stock))[:count]
    from_pile: Cards = ()
    if len(drawn) < count:
        still_open = {window.claim_id for window in state.windows}
        from_pile = packs.sort(c for claim in state.pile if claim.claim_id not in still_open for c in claim.cards)
        drawn += luck.shuffled(from_pile)[: count - len(drawn)]
    return Draw(packs.sort(drawn), from_pile, state.draws)


def drawn(state: State, event: Event) -> tuple[object, ...]:
    """What luck gave, in the order in which `deal` and `draw` ask for it."""
    match event:
        case Dealt(dealer=dealer, hands=hands):
            rounds = zip_longest(*(hands[seat] for seat in _clockwise(state.present, dealer)))
            return (dealer, *(card for card in chain.from_iterable(rounds) if card is not None))
        case Drawn(cards=cards):
            return cards
        case _:
            return ()


def due_card(hand: Cards, rank: str | None) -> tuple[str, str]:
    """The least inventive play: one card of the rank that is due, else the first card; and what to say of it."""
    first = packs.sort(hand)[0]
    if rank is None:
        return first, RANKS[0] if first == JOKER else packs.rank(first)
    return next((card for card in packs.sort(hand) if packs.rank(card) == rank), first), rank


def check_deal(options: CheatOptions, seats: int, deal: StackedDeal) -> None:
    """Raises BadDeal for a first deal that no pack of this match could give."""
    check_hands(deal.hands, seats)
    if not all(deal.hands):
        raise BadDeal("hand_empty")
    check_seat(deal.dealer, seats, "dealer")
    if deal.stock and options.hand != "fixed7":
        raise BadDeal("too_many", field="stock", most=0)
    check_from(pack(options, seats), *deal.hands, deal.stock)
