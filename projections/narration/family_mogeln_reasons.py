"""Why the rules of the family's Mogeln refuse, and what options go together, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.games.family_mogeln.reasons import FamilyMogelnReason
from projections.views.seam import Language

REASONS: Final[Mapping[str, Mapping[Language, str]]] = {
    FamilyMogelnReason.WRONG_RANK: {"en": "Another rank is due.", "de": "Ein anderer Wert ist an der Reihe."},
    FamilyMogelnReason.RANK_MISSING: {
        "en": "Say a rank: who lays first in a round chooses it.",
        "de": "Sage einen Wert an: Wer in einer Runde zuerst legt, wählt ihn.",
    },
    FamilyMogelnReason.FIRST_ROUND: {
        "en": "Nothing is controlled before the starter's second card.",
        "de": "Vor der zweiten Karte des Anfangenden wird nicht kontrolliert.",
    },
    FamilyMogelnReason.ONE_CARD_YET: {
        "en": "As long as nothing can be controlled, a lay is one card.",
        "de": "Solange nicht kontrolliert werden darf, wird eine einzige Karte abgelegt.",
    },
    FamilyMogelnReason.LAST_CARD_ALONE: {
        "en": "The last card is laid alone.",
        "de": "Die letzte Karte wird allein abgelegt.",
    },
    FamilyMogelnReason.FITTING_CARD: {
        "en": "In this match nobody sits out who holds a card that fits.",
        "de": "In dieser Partie setzt nicht aus, wer eine passende Karte hat.",
    },
}

CONFLICTS: Final[Mapping[tuple[str, str], Mapping[Language, str]]] = {
    ("rounds", "mode"): {
        "en": "The mode single is one round and best_of or best_of_extra is 3 or 5; any other number needs "
        "first_to, most_wins or penalty_points.",
        "de": "Der Modus single ist eine Runde, best_of oder best_of_extra sind 3 oder 5; jede andere Zahl "
        "braucht first_to, most_wins oder penalty_points.",
    },
}
