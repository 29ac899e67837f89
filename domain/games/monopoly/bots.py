"""Two players without a conscience: one does anything, one watches and cheats. They know what they were told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.games.monopoly import careful
from domain.games.monopoly.actions import Action, PlayerAction
from domain.games.monopoly.events import Event
from domain.games.monopoly.state import State
from domain.kernel.bot import Blank, Bot, any_of, forgetful
from domain.kernel.chance import Draw
from domain.kernel.offers import Offer

# How seldom the random bot wants what is offered all the time: one time in so many.
RARE: Final = {
    "monopoly_cheaters.accuse": 60,
    "monopoly_cheaters.offer_trade": 12,
    "monopoly_cheaters.withdraw_trade": 8,
    "monopoly_cheaters.accept_trade": 6,
    "monopoly_cheaters.watch": 10,
    "monopoly_cheaters.cheat": 8,
    "monopoly_cheaters.free_cheat": 8,
    "monopoly_cheaters.buy_hotel": 3,
}


def choose_any(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    """Anything offered; what is offered all the time it wants now and then."""
    wanted = [offer for offer in offers if luck.below(RARE.get(offer.type, 1)) == 0]
    chosen: PlayerAction | None = any_of(wanted, luck, PlayerAction)
    return chosen


RANDOM: Final[Bot[Blank, State, Action, Event]] = forgetful(choose_any)
CAREFUL: Final[Bot[careful.Suspicions, State, Action, Event]] = Bot(careful.begin, careful.remember, careful.choose)
BOTS: Final[Mapping[str, Bot[Any, State, Action, Event]]] = {"careful": CAREFUL, "random": RANDOM}
