"""What five dice make, and the ladder of all that can be claimed of them. Source: cheat.md 2.9 [P:DP, TG]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from domain.kernel.cards import BACK

Dice: TypeAlias = tuple[str, ...]  # "1" … "6"; one that is not seen is a back, as of a card
DICE: Final = 5  # under the cup

# fmt: off
# A kind, then the faces that count: the higher pair first, the three of a full house first, the top of a straight.
Claim: TypeAlias = Literal[
    "nothing",
    "pair:1", "pair:2", "pair:3", "pair:4", "pair:5", "pair:6",
    "two_pairs:2-1",
    "two_pairs:3-1", "two_pairs:3-2",
    "two_pairs:4-1", "two_pairs:4-2", "two_pairs:4-3",
    "two_pairs:5-1", "two_pairs:5-2", "two_pairs:5-3", "two_pairs:5-4",
    "two_pairs:6-1", "two_pairs:6-2", "two_pairs:6-3", "two_pairs:6-4", "two_pairs:6-5",
    "three:1", "three:2", "three:3", "three:4", "three:5", "three:6",
    "straight:5", "straight:6",
    "full_house:1-2", "full_house:1-3", "full_house:1-4", "full_house:1-5", "full_house:1-6",
    "full_house:2-1", "full_house:2-3", "full_house:2-4", "full_house:2-5", "full_house:2-6",
    "full_house:3-1", "full_house:3-2", "full_house:3-4", "full_house:3-5", "full_house:3-6",
    "full_house:4-1", "full_house:4-2", "full_house:4-3", "full_house:4-5", "full_house:4-6",
    "full_house:5-1", "full_house:5-2", "full_house:5-3", "full_house:5-4", "full_house:5-6",
    "full_house:6-1", "full_house:6-2", "full_house:6-3", "full_house:6-4", "full_house:6-5",
    "four:1", "four:2", "four:3", "four:4", "four:5", "four:6",
    "five:1", "five:2", "five:3", "five:4", "five:5", "five:6",
]
# fmt: on

LADDER: Final[tuple[Claim, ...]] = get_args(Claim)  # lowest first
RUNG: Final[Mapping[str, int]] = {claim: rung for rung, claim in enumerate(LADDER)}
TOP: Final = LADDER[-1]  # nothing beats it


@cache
def best(dice: Dice) -> Claim:
    """The highest claim that these five dice make true; unseen ones make nothing. The other dice do not count."""
    if BACK in dice:
        return LADDER[0]
    counted = Counter(dice)
    by_count = sorted(counted, key=lambda face: (counted[face], face), reverse=True)
    first, second, *_ = *by_count, ""
    match [counted[face] for face in by_count]:
        case [5]:
            made = f"five:{first}"
        case [4, 1]:
            made = f"four:{first}"
        case [3, 2]:
            made = f"full_house:{first}-{second}"
        case [3, 1, 1]:
            made = f"three:{first}"
        case [2, 2, 1]:
            made = f"two_pairs:{first}-{second}"
        case [2, 1, 1, 1]:
            made = f"pair:{first}"
        case _ if "1" not in counted or "6" not in counted:
            made = f"straight:{first}"
        case _:
            made = "nothing"
    return LADDER[RUNG[made]]


def beats(claim: Claim, other: Claim | None) -> bool:
    """Whether it is higher; None: anything is."""
    return other is None or RUNG[claim] > RUNG[other]


def above(claim: Claim | None) -> tuple[Claim, ...]:
    """All that beats it, lowest first."""
    return LADDER if claim is None else LADDER[RUNG[claim] + 1 :]


def makes(dice: Dice, claim: Claim) -> bool:
    """A claim is true of dice that are as good as it, or better."""
    return RUNG[best(dice)] >= RUNG[claim]
