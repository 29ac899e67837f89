"""A bot: pure functions of its seat's own frames and offers, and of luck of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from domain.kernel.chance import Draw
from domain.kernel.offers import Between, Bound, Choose, Offer, OneOf, Preimage

STANDS_IN: Final = (
    "careful"  # for whoever leaves, and on empty seats, where the match names no other; every game has it
)

M = TypeVar("M")
S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


class Bot(Struct, Generic[M, S, A, E], frozen=True):
    """Knows what it was told and nothing else.

    ``begin(seat, seats)`` is an empty memory; ``remember(memory, seen, event)`` folds an event as this seat was told
    it, ``seen`` being the seat's own view before it; ``choose(memory, seen, offers, luck)`` is one offered action, or
    None to wait for the next frame.
    """

    begin: Callable[[int, int], M]
    remember: Callable[[M, S, E], M]
    choose: Callable[[M, S, Sequence[Offer], Draw], A | None]


class Blank(Struct, frozen=True):
    """All that a bot without a memory knows."""

    seat: int
    seats: int


def forgetful(choose: Callable[[Blank, S, Sequence[Offer], Draw], A | None]) -> Bot[Blank, S, A, E]:
    """A bot that looks only at what lies on the table now."""
    return Bot(Blank, lambda memory, seen, event: memory, choose)


def fill(bound: Bound, luck: Draw) -> Any:
    """Any value that fits: a scalar for OneOf and Between, a tuple for Choose."""
    match bound:
        case OneOf(one_of):
            return luck.pick(one_of)
        case Choose(cards, fewest, most):
            return luck.shuffled(cards)[: fewest + luck.below(most - fewest + 1)]
        case Between(low, high, step):
            return low + step * luck.below((high - low) // step + 1)
        case Preimage():
            raise ValueError("only who committed to it can say it")


def any_of(offers: Sequence[Offer], luck: Draw, actions: Any) -> Any:
    """Any of these offers, filled in any way, as one of ``actions`` (a union of types); None: there is no offer."""
    return msgspec.convert(fill_all(luck.pick(offers), luck), actions) if offers else None


def fill_all(offer: Offer, luck: Draw) -> dict[str, Any]:
    """An action that fits the offer, as a client would send it; an optional field is left out half of the time."""
    said: dict[str, Any] = {"type": offer.type}
    for name, bound in offer.fields.items():
        if not (getattr(bound, "optional", False) and luck.below(2)):
            said[name] = fill(bound, luck)
    return said
