"""How often careful bots win among random ones: ``python -m tests.bench.bots [game] [matches]``.

They sit as evenly as they can, at other places in each match. Printed is their part of the wins with its 95 % interval,
and what it would be if all played alike. (What cheating is worth in Monopoly: ``tests/bench/monopoly_bots.py``.)
"""

from __future__ import annotations

import sys
from math import sqrt
from statistics import mean, stdev
from typing import Any, Final

import msgspec

from projections.catalogue import CATALOGUE
from projections.views.seam import AnyView
from tests.any_game import play_out
from tests.games import KNOWN

TABLES: Final = ((2, 1), (3, 1), (4, 1), (4, 2), (6, 3))  # seats, and how many of them are careful


def shares(view: AnyView, options: Any, seats: int, careful: int, matches: int) -> list[float]:
    """Match by match, what part of it the careful seats win; a win that is shared counts for its part."""
    won, kinds = [], view.game.bots
    for seed in range(matches):
        places = {(seed + seats * n // careful) % seats for n in range(careful)}
        bots = [kinds["careful" if seat in places else "random"] for seat in range(seats)]
        winners = play_out(view, bots, options, seed).winners
        won.append(len(places & set(winners)) / len(winners))
    return won


def share(view: AnyView, options: Any, seats: int, careful: int, matches: int) -> float:
    return mean(shares(view, options, seats, careful, matches))


def main(game: str, matches: int) -> None:
    view = CATALOGUE[game]
    fewest, most = view.game.seats
    for chosen in KNOWN[game].variants:
        options = msgspec.convert(chosen, view.game.options)
        for seats, careful in TABLES:
            if fewest <= seats <= most:
                won = shares(view, options, seats, careful, matches)
                half = 1.96 * stdev(won) / sqrt(matches)
                name = ", ".join(f"{option} {value}" for option, value in chosen.items()) or "as usual"
                table = f"{careful} of {seats}"
                print(
                    f"{game}, {name:45} {table}: {mean(won):6.1%} ± {half:.1%}, alike {careful / seats:.0%}", flush=True
                )


if __name__ == "__main__":
    for each in sys.argv[1:2] or CATALOGUE:
        main(each, int(sys.argv[2]) if len(sys.argv) > 2 else 100)
