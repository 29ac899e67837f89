"""Stacks of cards, and the cards that seats hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from domain.games.monopoly.data import DeckName
from domain.games.monopoly.state import CARD_BACK, Deck, State
from domain.kernel.game import Seat
from domain.kernel.seating import with_seat


def take(deck: Deck, card: str, reshuffled: bool) -> Deck:
    """One drawn. Who does not know which knows nothing of the rest either."""
    stack, under = deck.stack, deck.under
    if reshuffled:
        stack, under = tuple(sorted((*stack, *under))), ()
    draws = 1 if reshuffled else deck.draws + 1
    if not stack:
        return Deck(stack, under[1:], draws)
    if card in stack:
        left = list(stack)
        left.remove(card)
        return Deck(tuple(left), under, draws)
    return Deck((CARD_BACK,) * (len(stack) - 1), under, draws)


def under(state: State, deck: DeckName, card: str) -> State:
    """A card goes under its stack."""
    lies = state.decks[deck]
    return replace(state, decks={**state.decks, deck: replace(lies, under=(*lies.under, card))})


def kept(state: State, seat: Seat, deck: DeckName, card: str | None) -> tuple[Mapping[DeckName, str], ...]:
    """The seat holds this card of the deck, or none of it."""
    held = {name: other for name, other in state.kept[seat].items() if name != deck}
    return with_seat(state.kept, seat, held if card is None else {**held, deck: card})


def cards_to(state: State, cards: Iterable[tuple[str, Seat, Seat]]) -> State:
    """Cards that are held go from one seat to another."""
    for card, giver, to in cards:
        deck = state.data.deck_of[card]
        state = replace(state, kept=kept(state, giver, deck, None))
        state = replace(state, kept=kept(state, to, deck, card))
    return state
