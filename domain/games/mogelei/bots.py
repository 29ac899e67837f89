"""Two players: one plays anything, one counts cards. They know what their seat was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.games.mogelei import careful
from domain.games.mogelei.actions import Action, PlayerAction
from domain.games.mogelei.events import Event
from domain.games.mogelei.state import State
from domain.kernel.bot import Blank, Bot, any_of, forgetful
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer


def choose_any(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Any offer, filled in any way."""
    chosen: PlayerAction | None = any_of(offers, luck, PlayerAction)
    return chosen


RANDOM: Final[Bot[Blank, State, Action, Event]] = forgetful(choose_any)

CAREFUL: Final[Bot[careful.MogeleiCounting, State, Action, Event]] = Bot(
    careful.begin, careful.remember, careful.choose
)

BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
