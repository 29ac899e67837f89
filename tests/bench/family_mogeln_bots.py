"""How often careful bots win beside as many random ones: ``python -m tests.bench.family_mogeln_bots [matches]``."""

from __future__ import annotations

import sys
from math import sqrt

from domain.games.family_mogeln.bots import CAREFUL, RANDOM
from domain.games.family_mogeln.options import Options
from projections.views.family_mogeln import FAMILY_MOGELN_VIEW
from tests.any_game import play_out

TABLES = ("cr" * 2, "crr", "ccr", "cr" * 3, "cr" * 5)


def share(table: str, options: Options, matches: int) -> float:
    """What part of the matches careful seats (c) win among random ones (r); the seats move on with each match."""
    won = 0.0
    for seed in range(matches):
        turned = [table[(seat + seed) % len(table)] for seat in range(len(table))]
        bots = [CAREFUL if kind == "c" else RANDOM for kind in turned]
        over = play_out(FAMILY_MOGELN_VIEW, bots, options, seed)
        won += sum(turned[seat] == "c" for seat in over.winners) / len(over.winners)
    return won / matches


def main(matches: int) -> None:
    print(f"{matches} matches each: share of wins of the careful (c) seats, and what equal skill would give")
    for options in (Options(), Options(strict_sit_out=True)):
        for table in TABLES:
            won = share(table, options, matches)
            half = 1.96 * sqrt(won * (1 - won) / matches)
            rule = "strict_sit_out" if options.strict_sit_out else "usual"
            print(
                f"{rule:15} {table:10}  {won:6.1%} ± {half:.1%}   equal: {table.count('c') / len(table):.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
