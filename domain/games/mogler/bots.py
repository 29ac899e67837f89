"""Two players without a heart: one plays anything, one weighs what it takes. They know what their seat was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.games.mogler import careful
from domain.games.mogler.actions import Action, PlayerAction
from domain.games.mogler.events import Event
from domain.games.mogler.state import State
from domain.kernel.bot import Blank, Bot, fill_all, forgetful
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer


def choose_any(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Anything that is offered, locked suits too."""
    if not offers:
        return None
    chosen: PlayerAction = msgspec.convert(fill_all(luck.pick(offers), luck), PlayerAction)
    return chosen


RANDOM: Final[Bot[Blank, State, Action, Event]] = forgetful(choose_any)

CAREFUL: Final[Bot[Blank, State, Action, Event]] = forgetful(careful.choose)

BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
