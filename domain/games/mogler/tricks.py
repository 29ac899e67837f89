"""What a card is worth, who takes a trick, which suits are locked. Rules: RULES.md 2, 4, 5."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, get_args

from domain.games.mogler.deck import Stop, Suit
from domain.games.mogler.events import TrickCard
from domain.games.mogler.state import Taken
from domain.kernel.cards import Card, Cards
from domain.kernel.game import Seat

VALUES: Final = "23456789TJQKA"
SUITS: Final[tuple[Suit, ...]] = get_args(Suit)
_SUIT: Final[Mapping[str, Suit]] = {suit: suit for suit in SUITS}
_VALUE: Final = {letter: place for place, letter in enumerate(VALUES)}
STOPS: Final[tuple[Stop, ...]] = ("S", "S", "S", "T", "T", "O", "O", "P", "P")
TRICKS: Final = 6


def value(card: Card) -> int:
    return _VALUE[card[0]]


def suit(card: Card) -> Suit:
    return _SUIT[card[1]]


def standing(card: Card) -> tuple[int, int]:
    """By value, and among equals by suit (2.3)."""
    return value(card), SUITS.index(suit(card))


def locked(taken: Iterable[Taken]) -> frozenset[Suit]:
    """The suits that their player may never play again in this round (5.1)."""
    return frozenset(suit(trick.shows) for trick in taken if trick.shows is not None)


def modest(hand: Cards, taken: Iterable[Taken]) -> Card:
    """What the House plays for whoever sleeps: the lowest card that is not locked, else the lowest (8.2)."""
    dead = locked(taken)
    return min([card for card in hand if suit(card) not in dead] or hand, key=standing)


def complete(row: Collection[Stop]) -> bool:
    """The STOP cards in the row spell the word (3.4)."""
    return set(row) == set(STOPS)


def outcome(plays: Sequence[TrickCard], gone: Collection[Seat]) -> tuple[Suit | None, Seat | None]:
    """The trump of a trick, if it has one, and who takes it; cards of whoever is gone count, but win nothing (9.3)."""
    led = suit(plays[0].card)
    trump = next((suit(play.card) for play in plays if suit(play.card) != led), None)
    for wins in (trump or led, led):
        if able := [play for play in plays if suit(play.card) == wins and play.seat not in gone]:
            return trump, max(able, key=lambda play: value(play.card)).seat
    return trump, None
