"""A card is a rank and a suit in two letters; one seen from behind is a back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

Card: TypeAlias = str
Cards: TypeAlias = tuple[Card, ...]

BACK: Final = "??"
JOKER: Final = "**"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS: Final = ("C", "D", "H", "S")
PACK: Final[Cards] = tuple(rank + suit for rank in RANKS for suit in SUITS)
# As a client says them. A pattern's ``$`` also matches before a newline at the end; what ends these does not.
CardText: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^([A2-9TJQK][CDHS]|\*\*)(?![\s\S])",
        description="a card, its rank (A 2 3 4 5 6 7 8 9 T J Q K; T is the ten) and its suit (C D H S), like QS or TH; "
        "** is a joker",
        extra={
            "de": "eine Karte, ihr Wert (A 2 3 4 5 6 7 8 9 T J Q K; T ist die Zehn) und ihre Farbe (C D H S), wie QS "
            "oder TH; ** ist ein Joker"
        },
    ),
]
RankText: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A2-9TJQK](?![\s\S])",
        description="a rank: A 2 3 4 5 6 7 8 9 T J Q K; T is the ten",
        extra={"de": "ein Wert: A 2 3 4 5 6 7 8 9 T J Q K; T ist die Zehn"},
    ),
]
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
