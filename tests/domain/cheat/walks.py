"""Random legal matches of Cheat, with whatever was agreed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import msgspec

from domain.games.cheat.options import CheatOptions, check
from domain.games.cheat.state import State
from domain.kernel.game import OptionsConflict

CHOICES: Final = {
    "pass_rule": ("strict", "exhausted", "unanimous"),
    "rank_mode": ("sequence", "free"),
    "window": ("normal", "extended"),
    "jokers": (0, 2),
    "joker_mode": ("shield", "card"),
    "penalty": ("pile", "forfeit"),
    "hand": ("all", "fixed7"),
    "mode": ("single", "first_to", "most_wins", "best_of", "penalty_points"),
}


def every_combination(**also: Any) -> Iterator[CheatOptions]:
    """Every choice of options that does not contradict itself."""
    for values in product(*CHOICES.values()):
        made = msgspec.convert(dict(zip(CHOICES, values, strict=True)) | {"adults_only": True} | also, CheatOptions)
        try:
            check(made)
        except OptionsConflict:
            continue
        yield made


def all_cards(state: State) -> Counter[str]:
    lying = (card for claim in state.pile for card in claim.cards)
    held = (card for hand in state.hands for card in hand)
    return Counter((*held, *lying, *state.stock, *state.away))
