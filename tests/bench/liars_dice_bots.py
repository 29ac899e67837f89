"""How often careful bots win against random ones: ``python -m tests.bench.liars_dice_bots [matches]``.

Heads-up, and at tables where every other seat is careful; the seats change from match to match. Printed is the careful
ones' share of the wins (a shared win counts for its part) with its 95 % interval, and what equal skill would give.
"""

from __future__ import annotations

import sys
from math import sqrt
from typing import Any

import msgspec

from domain.games.liars_dice.bots import CAREFUL, RANDOM
from domain.games.liars_dice.options import LiarsDiceOptions
from projections.views.liars_dice import LIARS_DICE_VIEW
from tests.any_game import AnyBot, play_out

VARIANTS: dict[str, dict[str, Any]] = {
    "fresh dice": {},
    "dice handed on": {"dice_pass": True},
    "best of three": {"mode": "best_of"},
    "penalty points": {"mode": "penalty_points"},
}


def share(ours: AnyBot, others: AnyBot, options: LiarsDiceOptions, seats: int, matches: int) -> float:
    """Which part of the matches our bots win, every other seat being theirs."""
    won = 0.0
    for seed in range(matches):
        mine = {seat for seat in range(seats) if (seat + seed) % 2}
        over = play_out(LIARS_DICE_VIEW, [ours if seat in mine else others for seat in range(seats)], options, seed)
        won += len(mine & set(over.winners)) / len(over.winners)
    return won / matches


def main(matches: int) -> None:
    print(f"every other seat careful, the others random, {matches} matches each: the careful ones' share of the wins")
    for name, chosen in VARIANTS.items():
        options = msgspec.convert(chosen, LiarsDiceOptions)
        for seats in (2, 4, 6):
            won = share(CAREFUL, RANDOM, options, seats, matches)
            margin = 1.96 * sqrt(won * (1 - won) / matches)
            print(f"{name:16} {seats} seats  {won:6.1%} ± {margin:.1%}  (equal skill: 50 %)", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
