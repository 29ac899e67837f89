"""Random legal matches of Mogelei, with whatever was agreed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import msgspec

from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import State
from projections.views.mogelei import MOGELEI_VIEW
from tests import any_game
from tests.any_game import Step

COMBINATIONS: Final = tuple(
    msgspec.convert({"round_pile": pile, "false_doubt_egg": egg}, MogeleiOptions)
    for pile, egg in product(("controller", "liar"), (False, True))
)


def walk(options: MogeleiOptions, seats: int, seed: int, *, ending: int = 1, **also: Any) -> Iterator[Step]:
    """Doubts are as frequent as anything else; of offers to end a round one in ``ending`` is wanted, so that much
    stays hidden."""
    seldom = {"mogelei.end_round": ending}
    return any_game.walk(MOGELEI_VIEW, seats, seed, options=options, doubt=1, seldom=seldom, **also)


def all_cards(state: State) -> Counter[str]:
    """Wherever they are. What is laid leaves its hand when all are in, so it counts once."""
    held = (card for zone in (*state.hands, *state.kept, state.away) for card in zone)
    return Counter((*held, *(it.card for it in state.played)))
