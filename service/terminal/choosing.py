"""From an offer to an action, by numbers: whatever the game, a field has one of four bounds."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from service.terminal.client import Bound, Offer
from service.terminal.labels import A_SEAT

Value = Any  # a field's: text, number, truth or list of texts
_WORDS: Final = re.compile(r"[\s,;]+")


class Unclear(Exception):
    """What was typed fits nothing."""


class Choice(Struct, frozen=True):
    """An action half made. ``asks``: fields that a person has to say something about, in order."""

    offer: Offer
    said: dict[str, Value]
    asks: tuple[str, ...]

    @property
    def field(self) -> str:
        return self.asks[0]

    @property
    def bound(self) -> Bound:
        return self.offer.fields[self.asks[0]]

    @property
    def done(self) -> bool:
        return not self.asks

    @property
    def action(self) -> dict[str, Value]:
        return {"type": self.offer.type, **self.said}


def begin(offer: Offer, known: dict[str, str]) -> Choice:
    """With everything said that is no question. ``known``: secrets by their SHA-256."""
    said: dict[str, Value] = {}
    asks: list[str] = []
    for name, bound in offer.fields.items():
        only = _only(bound, known)
        if only:
            said[name] = only[0]
        elif not (bound.optional and len(values(bound)) == 1):
            asks.append(name)
    return Choice(offer, said, tuple(asks))


def answer(choice: Choice, text: str) -> Choice:
    """With one more field said. Raises Unclear."""
    text, bound = text.strip(), choice.bound
    rest = choice.asks[1:]
    if not text:
        if bound.optional:
            return replace(choice, asks=rest)
        raise Unclear
    return replace(choice, said={**choice.said, choice.field: _read(choice.field, bound, text)}, asks=rest)


def values(bound: Bound) -> tuple[str | int | bool, ...]:
    """What can be numbered: what a field takes one or several of."""
    return bound.one_of or bound.choose or ()


def numbers(field: str, bound: Bound) -> tuple[int, ...]:
    """By which number each of these is typed: a seat by its own, from 1, as it stands in the table."""
    found = values(bound)
    return tuple(int(seat) + 1 for seat in found) if is_seat(field, bound) else tuple(range(1, len(found) + 1))


def is_seat(field: str, bound: Bound) -> bool:
    return field in A_SEAT and bound.one_of is not None and all(type(value) is int for value in bound.one_of)


def _only(bound: Bound, known: dict[str, str]) -> tuple[Value, ...]:
    """The one thing that a field can hold and must."""
    if bound.sha256 is not None:
        return (known[bound.sha256],) if bound.sha256 in known else ()
    if bound.optional:
        return ()
    if bound.one_of is not None:
        return bound.one_of if len(bound.one_of) == 1 else ()
    if bound.choose is not None:
        return (bound.choose,) if bound.min == len(bound.choose) else ()
    return (bound.min,) if bound.min == bound.max else ()


def _read(field: str, bound: Bound, text: str) -> Value:
    if bound.one_of is not None:
        (place,) = _places(tuple(map(str, bound.one_of)), numbers(field, bound), [text])
        return bound.one_of[place]
    if bound.choose is not None:
        places = _places(bound.choose, numbers(field, bound), [word for word in _WORDS.split(text) if word])
        if not bound.min <= len(places) <= bound.max:
            raise Unclear
        return [bound.choose[place] for place in places]
    if bound.step is not None:
        if not re.fullmatch(r"-?\d{1,15}", text, re.ASCII):
            raise Unclear
        number = int(text)
        if not bound.min <= number <= bound.max or (number - bound.min) % bound.step:
            raise Unclear
        return number
    return text  # what only this person knows


def _places(of: tuple[str, ...], numbered: tuple[int, ...], words: list[str]) -> list[int]:
    """Distinct places in a list, each said by its number or, where it is none, by what stands there."""
    places: list[int] = []
    for word in words:
        if word.isascii() and word.isdecimal():
            place = numbered.index(int(word)) if int(word) in numbered else -1
            if place < 0 or place in places:
                raise Unclear
        else:
            same = (n for n, thing in enumerate(of) if thing.lower() == word.lower() and n not in places)
            place = next(same, -1)
            if place < 0:
                raise Unclear
        places.append(place)
    return places
