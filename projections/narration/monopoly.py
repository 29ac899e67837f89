"""A match of Monopoly Cheaters as the table would tell it, in English and German."""

from __future__ import annotations

from domain.games.monopoly.events import Event
from projections.narration.monopoly_de import german
from projections.narration.monopoly_en import english
from projections.narration.monopoly_words import Name
from projections.views.seam import Language


def narrate(event: Event, language: Language, name: Name) -> str:
    """One sentence or two about an event as it was told."""
    return german(event, name) if language == "de" else english(event, name)
