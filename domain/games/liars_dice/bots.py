"""Two players without a heart: one says anything, one knows the odds. They know what their seat was told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.games.liars_dice import careful
from domain.games.liars_dice.actions import Accept, Action, Challenge, PlayerAction
from domain.games.liars_dice.events import Event
from domain.games.liars_dice.state import State
from domain.kernel.bot import Blank, Bot, any_of, forgetful
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer


def choose_any(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Doubts each claim once, with probability 1 / (2 × seats), and accepts it else; then anything offered."""
    for offer in offers:
        if offer.type == "liars_dice.accept":
            (claim_id,) = careful.to_answer(offer)
            return Challenge(claim_id) if luck.below(2 * memory.seats) == 0 else Accept(claim_id)
    others = [offer for offer in offers if offer.type != "liars_dice.challenge"]
    chosen: PlayerAction | None = any_of(others, luck, PlayerAction)
    return chosen


RANDOM: Final[Bot[Blank, State, Action, Event]] = forgetful(choose_any)

CAREFUL: Final[Bot[careful.Watching, State, Action, Event]] = Bot(careful.begin, careful.remember, careful.choose)

BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
