"""How often the careful bot wins against random ones: ``python -m tests.bench.cheat_bots [matches]``."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from domain.games.cheat.bots import CAREFUL, RANDOM
from domain.games.cheat.options import CheatOptions
from tests.domain.cheat.bot_table import share

VARIANTS: dict[str, dict[str, Any]] = {
    "strict": {},
    "free choice": {"rank_mode": "free"},
    "extended window": {"window": "extended"},
    "jokers, shield": {"jokers": 2},
    "jokers, card": {"jokers": 2, "joker_mode": "card"},
    "forfeit": {"penalty": "forfeit", "adults_only": True},
    "fixed hand": {"hand": "fixed7"},
    "pass: exhausted": {"pass_rule": "exhausted"},
    "pass: unanimous": {"pass_rule": "unanimous"},
    "penalty points": {"mode": "penalty_points"},
}


def main(matches: int) -> None:
    print(f"one careful bot among random ones, {matches} matches each: wins, and times its fair share")
    for name, chosen in VARIANTS.items():
        for seats in (3, 4, 6):
            won = share(CAREFUL, RANDOM, msgspec.convert(chosen, CheatOptions), seats, matches)
            print(f"{name:18} {seats} seats  {won:6.1%}  ×{won * seats:.2f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
