"""Redactions of Monopoly Cheaters that tell too much."""

from __future__ import annotations

from functools import partial
from typing import Any

from domain.games.monopoly.events import (
    BidPlaced,
    CardDrawn,
    CardKept,
    CardRead,
    Moved,
    Paid,
    RentDemanded,
    Slipped,
    Threw,
    TradeMade,
    TradeOffered,
    Undone,
    Watched,
)
from projections.views.monopoly.redacting import redact
from tests.projections import secrecy
from tests.projections.secrecy import Redact, everybody, spectators

shows = partial(secrecy.shows, redact)


def _tells(kind: type[Any]) -> Redact:
    return lambda event, viewer: event if isinstance(event, kind) else redact(event, viewer)


MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "tells of silent acts": _tells(Slipped),
    "tells of silent acts to spectators": lambda event, viewer: (
        event if isinstance(event, Slipped) and viewer is None else redact(event, viewer)
    ),
    "tells who watches what": _tells(Watched),
    "tells of private offers": _tells(TradeOffered),
    "tells what was undone": _tells(Undone),
    "shows the pips": shows(Threw, dice=everybody),
    "shows who looked": shows(Moved, witnesses=everybody),
    "shows what was not paid": shows(Paid, slip=everybody),
    "shows purses": shows(Paid, purse=everybody),
    "shows a bidder's purse": shows(BidPlaced, purse=spectators),
    "shows drawn cards": shows(CardDrawn, card=everybody),
    "shows kept cards": shows(CardKept, card=lambda event, viewer: viewer == (event.seat + 1) % 2),
    "shows the card under a story": shows(CardRead, card=everybody),
    "shows private prices": shows(TradeMade, trade=everybody, unseen=everybody),
    "shows that a demand is false": shows(RentDemanded, slip=everybody),
    "names the card to witnesses": shows(Slipped, slip=everybody),
    "shows all witnesses": shows(Slipped, witnesses=everybody),
}
