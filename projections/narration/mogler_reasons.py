"""Why the rules of Mogler refuse, in words. What several games say stands with the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.games.mogler.reasons import MoglerReason
from projections.views.seam import Language

REASONS: Final[Mapping[str, Mapping[Language, str]]] = {
    MoglerReason.ALREADY_LAID: {
        "en": "You have laid a card for the lead already.",
        "de": "Du hast schon eine Karte für das Ausspiel gelegt.",
    },
}
