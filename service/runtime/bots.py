"""Bots at the table: when each wants to act, and what it does then. No process of their own: the House's clock
wakes them, so that any process can, after any restart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.bot import Bot
from domain.kernel.chance import Draw
from domain.kernel.game import AnyGame, seconds
from domain.kernel.offers import Offer

LEAST_THINK = 0.05


class BotSeat(Struct, frozen=True):
    """A bot and its memory. ``due``: the match time at which it acts (None: it waits for news); ``news``: since when it
    has something to think about that it has not yet begun to (None: it has not)."""

    bot: Bot[Any, Any, Any, Any]
    memory: Any
    offers: tuple[Offer, ...] = ()
    due: datetime | None = None
    news: datetime | None = None

    @staticmethod
    def begin(game: AnyGame, kind: str, seat: int, seats: int) -> BotSeat:
        bot = game.bots[kind]
        return BotSeat(bot, bot.begin(seat, seats))

    def remember(self, seen: Any, event: Any) -> BotSeat:
        return replace(self, memory=self.bot.remember(self.memory, seen, event))

    def offered(self, offers: tuple[Offer, ...], at: datetime, think: float) -> BotSeat:
        """A bot thinks anew when it is offered something else, and not when others only make noise."""
        if offers == self.offers and self.due is not None and self.due > at:
            return replace(self, news=None)
        first = min((offer.not_before or at for offer in offers), default=None)
        due = None if first is None else max(first, at + seconds(max(think, LEAST_THINK)))
        return replace(self, offers=offers, due=due, news=None)

    def choose(self, seen: Any, now: datetime, luck: Draw) -> Any | None:
        return self.bot.choose(self.memory, seen, usable(self.offers, now), luck)

    def wait(self, offers: tuple[Offer, ...], now: datetime, *, awaited: bool) -> BotSeat:
        """It wants nothing of what it may do now. If it is awaited, it is asked again when something more opens; else
        when there is news: what opens to it alone, after something that it did unseen, must stop no sandbox's clock.
        """
        opens = (offer.not_before for offer in offers if offer.not_before is not None and offer.not_before > now)
        return replace(self, offers=offers, due=min(opens, default=None) if awaited else None, news=None)


def usable(offers: Sequence[Offer], now: datetime) -> tuple[Offer, ...]:
    return tuple(
        offer
        for offer in offers
        if (offer.not_before is None or offer.not_before <= now) and (offer.until is None or now < offer.until)
    )
