"""What a table may not notice at all."""

from __future__ import annotations

from domain.games.monopoly.events import Event, Slipped, TradeClosed, TradeOffered, Undone, Watched
from domain.kernel.game import HOUSE


def unheard(event: Event) -> bool:
    """Whether somebody may not be told of it. At an open table (-1 among the witnesses) everybody hears of all."""
    match event:
        case TradeOffered(trade):
            return trade.private
        case TradeClosed(_, _, _, private):
            return private
        case Watched():
            return True
        case Slipped(witnesses=witnesses) | Undone(witnesses=witnesses):
            return HOUSE not in witnesses
        case _:
            return False
