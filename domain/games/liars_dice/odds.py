"""How likely dice make a claim true. What anybody could work out at the table with a pencil."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import factorial, prod
from typing import Final

from domain.games.liars_dice.ladder import DICE, LADDER, RUNG, Claim, Dice, best, makes

FACES: Final = ("1", "2", "3", "4", "5", "6")


def chance(claim: Claim, kept: Dice = ()) -> float:
    """Of five dice, of which these are known and the others thrown anew, that they make it true."""
    return _at_least(tuple(sorted(kept)))[RUNG[claim]]


@cache
def _at_least(kept: Dice) -> tuple[float, ...]:
    """By rung: the share of throws of the other dice that are as good as it, or better. ``kept``: sorted."""
    made = Counter(RUNG[best(tuple(sorted((*kept, *thrown))))] for thrown in product(FACES, repeat=DICE - len(kept)))
    total = made.total()
    better = accumulate(made[rung] for rung in reversed(range(len(LADDER))))
    return tuple(reversed([good / total for good in better]))


def keeps(dice: Dice) -> frozenset[Dice]:
    """All that can be kept of these, where something is thrown anew."""
    return frozenset(kept for size in range(DICE) for kept in combinations(sorted(dice), size))


def best_keep(dice: Dice, claim: Claim) -> Dice:
    """What to keep so that the claim comes true as likely as can be; of several, always the same."""
    return max(sorted(keeps(dice)), key=lambda kept: chance(claim, kept))


@cache
def chance_with_reroll(claim: Claim) -> float:
    """Of five dice that somebody threw, and then, keeping the best of them, threw once more."""
    return sum(share * _once_more(dice, claim) for dice, share in _throws())


def _once_more(dice: Dice, claim: Claim) -> float:
    return 1.0 if makes(dice, claim) else max(chance(claim, kept) for kept in keeps(dice))


def _throws() -> Iterator[tuple[Dice, float]]:
    """Every throw of five dice, whatever their order, and how likely it is."""
    for dice in combinations_with_replacement(FACES, DICE):
        orders = factorial(DICE) // prod(map(factorial, Counter(dice).values()))
        yield dice, orders / len(FACES) ** DICE
