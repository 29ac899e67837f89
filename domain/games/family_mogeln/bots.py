"""Two players without a heart: one plays anything, one weighs what it has seen. They know what their seat was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.games.family_mogeln import careful
from domain.games.family_mogeln.actions import Accept, Action, Control, ControlMulti, PlayerAction
from domain.games.family_mogeln.events import Event
from domain.games.family_mogeln.state import State
from domain.kernel.bot import Blank, Bot, any_of, forgetful
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer

SITS_OUT: Final = 3  # it thinks of it one turn in so many


def choose_any(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Controls each lay with probability 1 / (2 × seats), one way or the other, and accepts it else; then anything
    offered, but sits out more rarely than it lays."""
    for claim_id in careful.to_answer(offers):
        if luck.below(2 * memory.seats) == 0:
            return ControlMulti(claim_id) if luck.below(2) else Control(claim_id)
        return Accept(claim_id)
    quiet = {offer.type: offer for offer in offers if "control" not in offer.type}
    if "family_mogeln.sit_out" in quiet and luck.below(SITS_OUT):
        del quiet["family_mogeln.sit_out"]
    chosen: PlayerAction | None = any_of(tuple(quiet.values()), luck, PlayerAction)
    return chosen


RANDOM: Final[Bot[Blank, State, Action, Event]] = forgetful(choose_any)

CAREFUL: Final[Bot[careful.Weighing, State, Action, Event]] = Bot(careful.begin, careful.remember, careful.choose)

BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
