"""Two players without a heart: one plays anything, one weighs what it takes. They know what their seat was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.games.mogler import careful
from domain.games.mogler.actions import Action, PlayerAction
from domain.games.mogler.events import Event
from domain.games.mogler.state import State
from domain.kernel.bot import Blank, Bot, any_of, forgetful
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer


def choose_any(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Anything that is offered, locked suits too."""
    chosen: PlayerAction | None = any_of(offers, luck, PlayerAction)
    return chosen


RANDOM: Final[Bot[Blank, State, Action, Event]] = forgetful(choose_any)

CAREFUL: Final[Bot[Blank, State, Action, Event]] = forgetful(careful.choose)

BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
