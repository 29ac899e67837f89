"""A table of bots, each knowing what its seat was told and no more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.games.mogler.actions import Action
from domain.games.mogler.events import Event
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import State
from domain.kernel.bot import Bot
from domain.kernel.game import Seat
from projections.catalogue import CATALOGUE
from tests.any_game import play_out

AnyBot = Bot[Any, State, Action, Event]


def share(bot: AnyBot, against: AnyBot, options: MoglerOptions, seats: int, seeds: Sequence[int]) -> float:
    """What part of these matches one ``bot`` wins at a table of others; a shared win counts for its part."""
    won = 0.0
    for seed in seeds:
        place = Seat(seed % seats)
        over = play_out(CATALOGUE["mogler"], [bot if n == place else against for n in range(seats)], options, seed)
        won += (place in over.winners) / len(over.winners)
    return won / len(seeds)
