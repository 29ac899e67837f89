"""How often careful bots win against random ones: ``python -m tests.bench.mogelei_bots [matches]``.

Three are the fewest at a table, so there is no match of one against one: at a table of four, two careful and two random
bots sit crosswise, and what counts is the careful pair's part of the wins, which would be a half if all played alike;
at a table of three one sits among two.
"""

from __future__ import annotations

import sys
from itertools import product
from math import sqrt
from statistics import mean, stdev
from typing import Final

import msgspec

from domain.games.mogelei.bots import CAREFUL, RANDOM
from domain.games.mogelei.options import MogeleiOptions
from tests.domain.mogelei.bot_table import shares

TABLES: Final = ((4, 2), (3, 1), (6, 3))


def main(matches: int) -> None:
    print(f"careful bots among random ones, {matches} matches each: their part of the wins, with its 95 % interval")
    for (seats, careful), pile, egg in product(TABLES, ("controller", "liar"), (False, True)):
        options = msgspec.convert({"round_pile": pile, "false_doubt_egg": egg}, MogeleiOptions)
        won = shares(CAREFUL, RANDOM, options, seats, careful, matches)
        half = 1.96 * stdev(won) / sqrt(matches)
        fair = careful / seats
        print(
            f"{careful} of {seats} seats, pile to {pile:10}, egg for a wrong doubt {egg!s:5}  "
            f"{mean(won):6.1%} ± {half:.1%}, fair {fair:.0%}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
