"""Mogelei's own cards: four colours of numbers, some with fried eggs on them. Rules: RULES.md 1, 9."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias, get_args

from domain.kernel.cards import BACK, Card, Cards

Colour: TypeAlias = Literal["black", "red", "yellow", "blue"]

COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
HAND: Final = 12  # cards each
HIGHEST: Final = 24
EGG_POINTS: Final = 3

# Which cards carry fried eggs, and how many, is known of no printed copy: this table is our own (D10).
FRIED_EGGS: Final[Mapping[Card, int]] = {f"{colour}{value}": 1 for colour in COLOURS for value in range(3, 25, 3)}

_PACK: Final = tuple(f"{colour}{value}" for colour in COLOURS for value in range(1, HIGHEST + 1))
_COLOUR: Final[Mapping[Card, Colour]] = {
    card: colour for colour in COLOURS for card in _PACK if card.startswith(colour)
}
_VALUE: Final = {card: int(card.removeprefix(hue)) for card, hue in _COLOUR.items()}
_ORDER: Final = {card: place for place, card in enumerate((*_PACK, BACK))}
_LOWEST_FIRST: Final = {card: (_VALUE[card], place) for place, card in enumerate(_PACK)}


def pack(players: int) -> Cards:
    """The cards for so many: in each colour 1 to 3 × players, which makes twelve for each."""
    return tuple(card for card in _PACK if _VALUE[card] <= 3 * players)


def colour(card: Card) -> Colour | None:
    """None: it is seen from behind."""
    return _COLOUR.get(card)


def value(card: Card) -> int:
    return _VALUE[card]


def of_colour(held: Iterable[Card], wanted: str) -> Cards:
    return tuple(card for card in held if colour(card) == wanted)


def sort(held: Iterable[Card]) -> Cards:
    """Colour by colour, low to high, so that an order never tells who laid what."""
    return tuple(sorted(held, key=_ORDER.__getitem__))


def lowest(held: Iterable[Card]) -> Card:
    """The lowest number; of several the first in the order of colours."""
    return min(held, key=_LOWEST_FIRST.__getitem__)


def playable(hand: Cards, called: str) -> Cards:
    """Who holds the called colour must lay it."""
    return of_colour(hand, called) or hand


def fried(held: Iterable[Card]) -> int:
    """How many fried eggs are on these cards."""
    return sum(FRIED_EGGS.get(card, 0) for card in held)
