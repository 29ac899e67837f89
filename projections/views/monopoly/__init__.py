"""Monopoly Cheaters as its viewers are told it."""

from __future__ import annotations

from typing import Final

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.events import Event
from domain.games.monopoly.state import State
from projections.narration.monopoly import narrate
from projections.narration.monopoly_reasons import CONFLICTS, REASONS
from projections.views.monopoly.redacting import FIELDS, redact
from projections.views.monopoly.shapes import MonopolyView
from projections.views.monopoly.viewing import view
from projections.views.seam import GameView

MONOPOLY_VIEW: Final[GameView[State, Event, MonopolyView]] = GameView(
    game=MONOPOLY,
    redact=redact,
    view=view,
    view_type=MonopolyView,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
    conflicts=CONFLICTS,
)
