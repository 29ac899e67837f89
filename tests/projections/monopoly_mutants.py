"""Redactions of Monopoly Cheaters that tell too much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.monopoly.events import (
    BidPlaced,
    CardDrawn,
    CardKept,
    CardRead,
    Event,
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
from projections.views.seam import Viewer
from tests.projections.monopoly_eyes import Redact


def _shows(kind: type[Any], *fields: str, to: Callable[[Any, Viewer], bool] = lambda event, viewer: True) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        heard = redact(event, viewer)
        if isinstance(event, kind) and heard is not None and to(event, viewer):
            return replace(heard, **{field: getattr(event, field) for field in fields})
        return heard

    return mutant


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
    "shows the pips": _shows(Threw, "dice"),
    "shows who looked": _shows(Moved, "witnesses"),
    "shows what was not paid": _shows(Paid, "slip"),
    "shows purses": _shows(Paid, "purse"),
    "shows a bidder's purse": _shows(BidPlaced, "purse", to=lambda event, viewer: viewer is None),
    "shows drawn cards": _shows(CardDrawn, "card"),
    "shows kept cards": _shows(CardKept, "card", to=lambda event, viewer: viewer == (event.seat + 1) % 2),
    "shows the card under a story": _shows(CardRead, "card"),
    "shows private prices": _shows(TradeMade, "trade", "unseen"),
    "shows that a demand is false": _shows(RentDemanded, "slip"),
    "names the card to witnesses": _shows(Slipped, "slip"),
    "shows all witnesses": _shows(Slipped, "witnesses"),
}
