"""What the tests of all games must be told about each, as they cannot know it: who adds a game adds it here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from projections.catalogue import CATALOGUE


class Stacked(Struct, frozen=True):
    """A sandbox match whose luck is arranged, as a request says it."""

    seats: int
    deal: Mapping[str, Any]
    options: Mapping[str, Any] = {}


class Story(Struct, frozen=True):
    """A match that is kept: its options, and the luck of those who play it; ``asleep``: seats that never act."""

    seats: int
    options: str
    luck: int
    asleep: tuple[int, ...] = ()


class Known(Struct, frozen=True, kw_only=True):
    """``column``: its name in docs/what-breaks.md.
    ``answered``: the points that its seed leaves open, as its RULES.md cites them.
    ``lucky``: an event that says what luck gave.
    ``stacked``: between them they arrange all that can be arranged, and leave each of it to luck.
    ``stories``: by the names of their files in tests/transcripts.
    ``variants``: options with which bots are measured (tests/bench/bots.py).
    """

    column: str
    answered: frozenset[str]
    lucky: str
    stacked: Sequence[Stacked]
    stories: Mapping[str, Story]
    variants: Sequence[Mapping[str, Any]]


def package(game: str) -> str:
    """Its folder in domain/games, and what its tests are named after."""
    return str(CATALOGUE[game].game.options.__module__).split(".")[2]


def _points(letter: str, last: int, *missing: int) -> frozenset[str]:
    """Up to the last one, but for those that there are not."""
    return frozenset(f"{letter}{number}" for number in range(1, last + 1) if number not in missing)


def _hands(*hands: str) -> list[list[str]]:
    return [hand.split() for hand in hands]


KNOWN: Final[Mapping[str, Known]] = {
    "cheat": Known(
        column="Cheat",
        answered=_points("A", 21, 12),
        lucky="cheat.dealt",
        stories={
            "cheat-strict": Story(3, "{}", 1),
            "cheat-extended-jokers": Story(4, '{"window":"extended","jokers":2,"max_turns":60}', 2),
            "cheat-fixed7-best-of-3": Story(4, '{"hand":"fixed7","mode":"best_of","max_turns":40}', 3),
            "cheat-unanimous-free": Story(5, '{"pass_rule":"unanimous","rank_mode":"free","max_turns":60}', 4),
            "cheat-forfeit": Story(3, '{"penalty":"forfeit","adults_only":true,"max_turns":60}', 5),
        },
        variants=(
            {},
            {"rank_mode": "free"},
            {"window": "extended"},
            {"jokers": 2},
            {"jokers": 2, "joker_mode": "card"},
            {"penalty": "forfeit", "adults_only": True},
            {"hand": "fixed7"},
            {"pass_rule": "exhausted"},
            {"pass_rule": "unanimous"},
            {"mode": "penalty_points"},
        ),
        stacked=(
            Stacked(3, {"hands": _hands("AS ** 7H", "4S 4H **", "2D 3D"), "dealer": 2}, {"jokers": 2}),
            Stacked(6, {"hands": _hands("AS AS", "4S 4H", "2D 3D", "KC KC", "9H", "TD")}),
            Stacked(
                3,
                {"hands": _hands("AS ** 7H", "4S 4H", "2D 3D"), "stock": ["QC", "**", "KD"], "dealer": 0},
                {"hand": "fixed7", "jokers": 2},
            ),
        ),
    ),
    "family-mogeln": Known(
        column="Family",
        answered=_points("B", 10),
        lucky="family_mogeln.dealt",
        stories={
            "family-mogeln": Story(3, '{"max_turns":120}', 1),
            "family-mogeln-two-packs-best-of-3": Story(5, '{"mode":"best_of","max_turns":35}', 2),
            "family-mogeln-strict-points": Story(
                4, '{"strict_sit_out":true,"mode":"penalty_points","rounds":2,"max_turns":50}', 3
            ),
        },
        variants=(
            {},
            {"strict_sit_out": True},
        ),
        stacked=(
            Stacked(3, {"hands": _hands("AS ** 7H", "4S 4H **", "2D 3D KC"), "dealer": 1}),
            Stacked(5, {"hands": _hands("AS AS **", "4S 4H", "** ** **", "KC KC 9H", "2D")}),
        ),
    ),
    "liars-dice": Known(
        column="Dice",
        answered=frozenset({"A1", "A2", "A16", "A17", "A18", "A19", "A21"}),  # of Cheat's, all that are not about cards
        lucky="liars_dice.rolled",
        stories={
            "liars-dice": Story(3, "{}", 1),
            "liars-dice-handed-on": Story(4, '{"dice_pass":true,"max_turns":60}', 2),
            "liars-dice-penalty-points": Story(2, '{"mode":"penalty_points","rounds":2,"max_turns":12}', 3),
        },
        variants=(
            {},
            {"dice_pass": True},
            {"mode": "best_of"},
            {"mode": "penalty_points"},
        ),
        stacked=(
            Stacked(2, {"dice": list("1234566"), "starter": 1}),
            Stacked(3, {"dice": list("665432112")}, {"dice_pass": True}),
            Stacked(4, {"starter": 2}),
        ),
    ),
    "mogelei": Known(
        column="Mogelei",
        answered=_points("D", 15),
        lucky="mogelei.dealt",
        stories={
            "mogelei": Story(3, "{}", 6),
            "mogelei-liar-egg": Story(4, '{"round_pile":"liar","false_doubt_egg":true}', 7),
            "mogelei-two-asleep": Story(3, "{}", 8, asleep=(1, 2)),
        },
        variants=(
            {},
            {"false_doubt_egg": True},
            {"round_pile": "liar"},
            {"round_pile": "liar", "false_doubt_egg": True},
        ),
        stacked=(
            Stacked(3, {"hands": _hands("black1 red2", "blue9 red3", "yellow9 red1"), "dealer": 1}),
            Stacked(4, {"hands": _hands("black12", "blue12", "yellow12", "red12")}),
        ),
    ),
    "mogler": Known(
        column="Mogler",
        answered=_points("E", 15),
        lucky="mogler.dealt",
        stories={
            "mogler-two": Story(2, "{}", 6),
            "mogler-five": Story(5, "{}", 14),
            "mogler-three-stop": Story(3, '{"last_player":"stop"}', 10),
            "mogler-two-asleep": Story(4, "{}", 6, asleep=(1, 2)),
        },
        variants=(
            {},
            {"last_player": "stop"},
        ),
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
        ),
    ),
    "monopoly-cheaters": Known(
        column="Monopoly",
        answered=_points("C", 32, 7, 14, 18, 19, 21, 22, 23, 25, 29),
        lucky="monopoly_cheaters.threw",
        stories={
            "monopoly-cheaters": Story(3, '{"max_turns":24}', 4),
            "monopoly-cheaters-masters-and-a-jury": Story(
                4, '{"meistermogler":true,"proof":"vote","max_turns":12,"min_catch":4}', 5
            ),
            "monopoly-cheaters-open": Story(2, '{"attention":"open","deeds":"classic","max_turns":16}', 6),
        },
        variants=({},),
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
        ),
    ),
}
