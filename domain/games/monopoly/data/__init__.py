"""Board, deeds, decks and cheat cards as files, each version for ever: a match names the hash of the one it began with.

A version is a folder ``v<n>``. Its hash is SHA-256 over its files in the order of their names, each as name, newline,
bytes. What does not fit the types below (the schemas in ``schema/`` are made from them) stops the import.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

FILES: Final = ("board.json", "chance.json", "cheats.json", "chest.json", "deeds.json")
GROUPS: Final = ("brown", "light_blue", "pink", "orange", "red", "yellow", "green", "dark_blue")

Slug: TypeAlias = Annotated[str, Meta(pattern="^[a-z_]{2,30}$", min_length=2, max_length=30)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=5000)]
Place: TypeAlias = Annotated[int, Meta(ge=0, le=35)]
DeckName: TypeAlias = Literal["chance", "chest"]
Profile: TypeAlias = Literal["edition", "classic"]


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    en: str
    de: str


class SquareNames(Struct, frozen=True, forbid_unknown_fields=True):
    de: str
    us: str
    uk: str


class Square(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the 36 squares, in order from LOS."""

    kind: Literal["go", "street", "chest", "chance", "station", "jail", "free_parking", "go_to_jail"]
    street: Slug | None
    names: SquareNames


class Deed(Struct, frozen=True, forbid_unknown_fields=True):
    """Rents: ``base``, ``full_group`` where one owns the whole group, ``hotel`` where one stands."""

    street: Slug
    group: Literal["brown", "light_blue", "pink", "orange", "red", "yellow", "green", "dark_blue"]
    price: Amount
    base: Amount
    full_group: Amount
    hotel: Amount
    hotel_price: Amount


class Deeds(Struct, frozen=True, forbid_unknown_fields=True):
    edition: Annotated[tuple[Deed, ...], Meta(min_length=22, max_length=22)]
    classic: Annotated[tuple[Deed, ...], Meta(min_length=22, max_length=22)]


class GoTo(Struct, frozen=True, tag="go_to", forbid_unknown_fields=True):
    """Forward to this square; LOS pays on the way."""

    square: Place


class NextStation(Struct, frozen=True, tag="next_station", forbid_unknown_fields=True):
    pass


class Back(Struct, frozen=True, tag="back", forbid_unknown_fields=True):
    squares: Place


class ToJail(Struct, frozen=True, tag="jail", forbid_unknown_fields=True):
    pass


class Cash(Struct, frozen=True, tag="cash", forbid_unknown_fields=True):
    """From the bank; negative: to it."""

    amount: int


class PerHotel(Struct, frozen=True, tag="per_hotel", forbid_unknown_fields=True):
    """To the bank for each own hotel."""

    amount: Amount


class Each(Struct, frozen=True, tag="each", forbid_unknown_fields=True):
    """From each other player; negative: to each."""

    amount: int


class Contest(Struct, frozen=True, tag="contest", forbid_unknown_fields=True):
    """``amount`` from the bank, or ``bribe`` paid and ``prize`` won."""

    amount: Amount
    bribe: Amount
    prize: Amount


class JailFree(Struct, frozen=True, tag="jail_free", forbid_unknown_fields=True):
    pass


class SendToJail(Struct, frozen=True, tag="send_to_jail", forbid_unknown_fields=True):
    pass


class HalveRent(Struct, frozen=True, tag="halve_rent", forbid_unknown_fields=True):
    pass


class SwapTokens(Struct, frozen=True, tag="swap_tokens", forbid_unknown_fields=True):
    pass


CardEffect: TypeAlias = (
    GoTo
    | NextStation
    | Back
    | ToJail
    | Cash
    | PerHotel
    | Each
    | Contest
    | JailFree
    | SendToJail
    | HalveRent
    | SwapTokens
)


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A Chance or Community Chest card. ``now``: executed when it is drawn; ``keep``: may be held."""

    id: Slug
    text: Text
    kind: Literal["now", "keep"]
    effect: CardEffect


class Reward(Struct, frozen=True, forbid_unknown_fields=True):
    cash: Amount
    text: Text


class Penalty(Struct, frozen=True, forbid_unknown_fields=True):
    """Paid to the ``bank`` and to the ``victim``, then jail; ``also``: what is the card's own."""

    bank: Amount
    victim: Amount
    jail: bool
    also: Literal["tries_anew", "rent_again", "placed", "hotel_price"] | None
    text: Text


class CheatCard(Struct, frozen=True, forbid_unknown_fields=True):
    id: Slug
    names: Text
    task: Text
    undo: Text
    limit: Amount | None
    reward: Reward
    penalty: Penalty


TYPES: Final[Mapping[str, Any]] = {
    "board.json": Annotated[tuple[Square, ...], Meta(min_length=36, max_length=36)],
    "chance.json": Annotated[tuple[Card, ...], Meta(min_length=16, max_length=16)],
    "cheats.json": Annotated[tuple[CheatCard, ...], Meta(min_length=15, max_length=15)],
    "chest.json": Annotated[tuple[Card, ...], Meta(min_length=16, max_length=16)],
    "deeds.json": Deeds,
}


class Data(Struct, frozen=True, dict=True):
    """One version of all files. ``hash``: of all together, 64 hex digits; ``files``: of each, by its name."""

    hash: str
    files: Mapping[str, str]
    board: tuple[Square, ...]
    deeds: Deeds
    decks: Mapping[DeckName, tuple[Card, ...]]
    cheats: tuple[CheatCard, ...]

    @cached_property
    def streets(self) -> Mapping[str, int]:
        """Street → its square, in board order."""
        return {square.street: place for place, square in enumerate(self.board) if square.street is not None}

    @cached_property
    def stations(self) -> tuple[int, ...]:
        return tuple(place for place, square in enumerate(self.board) if square.kind == "station")

    @cached_property
    def jail(self) -> int:
        return next(place for place, square in enumerate(self.board) if square.kind == "jail")

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        return {card.id: card for deck in self.decks.values() for card in deck}

    @cached_property
    def deck_of(self) -> Mapping[str, DeckName]:
        return {card.id: name for name, deck in self.decks.items() for card in deck}

    @cached_property
    def cheat(self) -> Mapping[str, CheatCard]:
        return {card.id: card for card in self.cheats}

    @cached_property
    def by_street(self) -> Mapping[Profile, Mapping[str, Deed]]:
        return {
            "edition": {deed.street: deed for deed in self.deeds.edition},
            "classic": {deed.street: deed for deed in self.deeds.classic},
        }

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Group → its streets."""
        return {name: tuple(deed.street for deed in self.deeds.edition if deed.group == name) for name in GROUPS}


def read(raw: Mapping[str, bytes]) -> Data:
    """Files by name. Raises msgspec.ValidationError, or ValueError where files do not fit each other."""
    digest = hashlib.sha256(b"".join(name.encode() + b"\n" + raw[name] for name in FILES)).hexdigest()
    board, chance, cheats, chest, deeds = (msgspec.json.decode(raw[name], type=TYPES[name]) for name in FILES)
    each = {name: hashlib.sha256(raw[name]).hexdigest() for name in FILES}
    data = Data(digest, each, board, deeds, {"chance": chance, "chest": chest}, cheats)
    for profile in (data.deeds.edition, data.deeds.classic):
        if [deed.street for deed in profile] != list(data.streets):
            raise ValueError("deeds and streets of the board differ")
    if any((square.street is None) == (square.kind == "street") for square in board):
        raise ValueError("streets have a deed, and nothing else has")
    if len(data.cards) != 32 or len(data.cheat) != 15:
        raise ValueError("two cards have one id")
    return data


def _all() -> dict[str, Data]:
    here = files(__package__)
    numbers = sorted(
        int(entry.name[1:]) for entry in here.iterdir() if entry.name[:1] == "v" and entry.name[1:].isdigit()
    )
    found = [read({name: here.joinpath(f"v{number}", name).read_bytes() for name in FILES}) for number in numbers]
    return {data.hash: data for data in found}


VERSIONS: Final[Mapping[str, Data]] = _all()
CURRENT: Final = list(VERSIONS.values())[-1]
