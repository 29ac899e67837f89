"""Two players without a heart: one plays anything, one counts cards. They know what their seat was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.games.cheat import careful
from domain.games.cheat.actions import Accept, Action, Challenge, PlayerAction
from domain.games.cheat.careful import to_answer
from domain.games.cheat.events import Event
from domain.games.cheat.state import State
from domain.kernel.bot import Blank, Bot, any_of, forgetful
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer


def choose_any(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Doubts each claim once, with probability 1 / (2 × seats), and accepts it else; then anything offered."""
    for claim_id in to_answer(offers):
        if luck.below(2 * memory.seats) == 0:
            return Challenge(claim_id)
        return Accept(claim_id)
    others = [offer for offer in offers if offer.type != "cheat.challenge"]
    chosen: PlayerAction | None = any_of(others, luck, PlayerAction)
    return chosen


RANDOM: Final[Bot[Blank, State, Action, Event]] = forgetful(choose_any)

CAREFUL: Final[Bot[careful.Counting, State, Action, Event]] = Bot(careful.begin, careful.remember, careful.choose)

BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
