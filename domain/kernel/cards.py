"""A card is a rank and a suit in two letters; one seen from behind is a back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = str
Cards: TypeAlias = tuple[Card, ...]

BACK: Final = "??"
JOKER: Final = "**"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS: Final = ("C", "D", "H", "S")
PACK: Final[Cards] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_ORDER: Final = {card: place for place, card in enumerate((*PACK, JOKER, BACK))}


def cards(text: str) -> Cards:
    return tuple(text.split())


def rank(card: Card) -> str:
    return card[0]


def sort(held: Iterable[Card]) -> Cards:
    """In the order of a fresh pack, so that an order never tells who laid what."""
    return tuple(sorted(held, key=_ORDER.__getitem__))


def face_down(held: Cards) -> Cards:
    return (BACK,) * len(held)


def holds(hand: Cards, wanted: Cards) -> bool:
    return not Counter(wanted) - Counter(hand)


def without(hand: Cards, played: Cards) -> Cards:
    """The hand after laying these; backs stand for whatever was laid."""
    left = list(hand)
    for card in played:
        left.remove(card if card in left else BACK)
    return tuple(left)
