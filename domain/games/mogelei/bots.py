"""Two players: one plays anything, one counts cards. They know what their seat was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.games.mogelei import careful
from domain.games.mogelei.actions import Action, PlayerAction
from domain.games.mogelei.events import Event
from domain.games.mogelei.state import State
from domain.kernel.bot import Bot, fill_all
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer


class MogeleiBlank(Struct, frozen=True):
    """All that the random bot remembers: nothing."""


def begin_blank(seat: int, seats: int) -> MogeleiBlank:
    return MogeleiBlank()


def remember_nothing(memory: MogeleiBlank, seen: State, event: Event) -> MogeleiBlank:
    return memory


def choose_any(memory: MogeleiBlank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Any offer, filled in any way."""
    if not offers:
        return None
    chosen: PlayerAction = msgspec.convert(fill_all(luck.pick(offers), luck), PlayerAction)
    return chosen


RANDOM: Final[Bot[MogeleiBlank, State, Action, Event]] = Bot(begin_blank, remember_nothing, choose_any)

CAREFUL: Final[Bot[careful.MogeleiCounting, State, Action, Event]] = Bot(
    careful.begin, careful.remember, careful.choose
)

BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
