"""How often the careful bot wins against random ones: ``python -m tests.bench.mogler_bots [matches]``."""

from __future__ import annotations

import sys
from math import sqrt

from domain.games.mogler.bots import CAREFUL, RANDOM
from domain.games.mogler.options import MoglerOptions
from tests.domain.mogler.bot_table import share


def main(matches: int) -> None:
    print(
        f"one careful bot among random ones, {matches} matches each: its share of the wins, 95 % interval, × fair share"
    )
    for options in (MoglerOptions(), MoglerOptions("stop")):
        for seats in (2, 3, 4, 5):
            won = share(CAREFUL, RANDOM, options, seats, range(matches))
            spread = 1.96 * sqrt(won * (1 - won) / matches)
            print(f"{options.last_player:8} {seats} seats  {won:6.1%} ± {spread:.1%}  ×{won * seats:.2f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
