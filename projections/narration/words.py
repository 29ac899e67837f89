"""Words that the tables of several games use, in English and German."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from domain.kernel.cards import BACK, JOKER, RANKS, Cards
from domain.kernel.game import Seat

Name: TypeAlias = Callable[[Seat], str]

_EN: Final = dict(
    zip(
        RANKS,
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)
_DE: Final = dict(
    zip(
        RANKS,
        ["Ass", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn", "Bube", "Dame", "König"],
        strict=True,
    )
)
_DE_PLURAL: Final = {"A": "Asse", "J": "Buben", "Q": "Damen", "K": "Könige"}
EN_NUMBER: Final = ("no", "one", "two", "three", "four")
DE_NUMBER: Final = ("null", "eins", "zwei", "drei", "vier")


def names(seats: Iterable[Seat], name: Name, last: str) -> str:
    """Anna, Ben and Cara; ``last`` is the word before the last one."""
    *others, end = [name(seat) for seat in seats]
    return f"{', '.join(others)} {last} {end}" if others else end


def counts(by_seat: tuple[int, ...], name: Name) -> str:
    return ", ".join(f"{name(Seat(seat))} {count}" for seat, count in enumerate(by_seat))


def shown(cards: Cards) -> str:
    return " ".join("Joker" if card == JOKER else card for card in cards)


def faces(cards: Cards) -> str:
    """The cards in brackets, for whoever is told them; nothing for others."""
    return "" if BACK in cards or not cards else f" ({shown(cards)})"


def hands(of_all: tuple[Cards, ...], name: Name, sentence: str) -> str:
    """A sentence for each hand that the hearer is told."""
    seen = [(Seat(seat), hand) for seat, hand in enumerate(of_all) if hand and BACK not in hand]
    return "".join(" " + sentence.format(name(seat), shown(hand)) for seat, hand in seen)


def en_cards(count: int) -> str:
    number = EN_NUMBER[count] if count < len(EN_NUMBER) else str(count)
    return f"{number} card{'' if count == 1 else 's'}"


def en_ranks(count: int, rank: str) -> str:
    word = _EN[rank]
    return word if count == 1 else word + ("es" if word == "six" else "s")


def de_cards(count: int) -> str:
    if count == 0:
        return "keine Karte"
    if count == 1:
        return "eine Karte"
    return f"{DE_NUMBER[count] if count < len(DE_NUMBER) else count} Karten"


def de_number(count: int, rank: str) -> str:
    if count > 1:
        return DE_NUMBER[count]
    return {"A": "ein", "J": "ein", "K": "ein"}.get(rank, "eine")


def de_ranks(count: int, rank: str) -> str:
    word = _DE[rank]
    if count == 1:
        return word
    return _DE_PLURAL.get(rank, word + ("n" if word.endswith("e") else "en"))


def de_dative(rank: str) -> str:
    word = de_ranks(2, rank)
    return word if word.endswith("n") else word + "n"
