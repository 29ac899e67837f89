"""What the tests of all games must be told about each, as they cannot know it: who adds a game adds it here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct


class Stacked(Struct, frozen=True):
    """A sandbox match whose luck is arranged, as a request says it."""

    seats: int
    deal: Mapping[str, Any]
    options: Mapping[str, Any] = {}


class Known(Struct, frozen=True, kw_only=True):
    """``stacked``: between them they arrange all that can be arranged, and leave each of it to luck."""

    stacked: Sequence[Stacked]


def _hands(*hands: str) -> list[list[str]]:
    return [hand.split() for hand in hands]


KNOWN: Final[Mapping[str, Known]] = {
    "cheat": Known(
        stacked=(
            Stacked(3, {"hands": _hands("AS ** 7H", "4S 4H **", "2D 3D"), "dealer": 2}, {"jokers": 2}),
            Stacked(6, {"hands": _hands("AS AS", "4S 4H", "2D 3D", "KC KC", "9H", "TD")}),
            Stacked(
                3,
                {"hands": _hands("AS ** 7H", "4S 4H", "2D 3D"), "stock": ["QC", "**", "KD"], "dealer": 0},
                {"hand": "fixed7", "jokers": 2},
            ),
        )
    ),
    "family-mogeln": Known(
        stacked=(
            Stacked(3, {"hands": _hands("AS ** 7H", "4S 4H **", "2D 3D KC"), "dealer": 1}),
            Stacked(5, {"hands": _hands("AS AS **", "4S 4H", "** ** **", "KC KC 9H", "2D")}),
        )
    ),
    "liars-dice": Known(
        stacked=(
            Stacked(2, {"dice": list("1234566"), "starter": 1}),
            Stacked(3, {"dice": list("665432112")}, {"dice_pass": True}),
            Stacked(4, {"starter": 2}),
        )
    ),
    "mogelei": Known(
        stacked=(
            Stacked(3, {"hands": _hands("black1 red2", "blue9 red3", "yellow9 red1"), "dealer": 1}),
            Stacked(4, {"hands": _hands("black12", "blue12", "yellow12", "red12")}),
        )
    ),
    "mogler": Known(
        stacked=(
            Stacked(
                2,
                {
                    "hands": _hands("8C 3C 4C 5C 6C 7C 2C", "2D 3D 4D 5D 6D 7D 8D"),
                    "stops": ["S", "T", "S"],
                    "draws": ["AS"],
                },
            ),
            Stacked(3, {"hands": _hands("8C 3C 4C 5C 6C 7C 2C", "2D 3D 4D 5D 6D 7D 8D", "2H 3H 4H 5H 6H 7H 8H")}),
        )
    ),
    "monopoly-cheaters": Known(
        stacked=(
            Stacked(
                3,
                {
                    "first": 2,
                    "dice": [[1, 1], [3, 4], [1, 6], [6, 6]],
                    "chance": ["ch_jail_free", "ch_back", "ch_jail_free"],
                    "chest": ["cc_birthday", "cc_jail"],
                    "cheats": ["bank_heist", "escape", "extra_go", "identity", "squatter", "free_hotel"],
                },
                {"max_turns": 12},
            ),
            Stacked(2, {"dice": [[1, 1]], "cheats": ["escape", "identity"]}, {"max_turns": 12}),
            Stacked(4, {"first": 0}, {"max_turns": 12}),
        )
    ),
}
