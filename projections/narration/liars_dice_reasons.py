"""Why the rules of Liar's Dice refuse, and what options go together, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.games.liars_dice.reasons import LiarsDiceReason
from projections.views.seam import Language

REASONS: Final[Mapping[str, Mapping[Language, str]]] = {
    LiarsDiceReason.TOO_LOW: {
        "en": "Your claim must beat the one before.",
        "de": "Deine Ansage muss höher sein als die vorige.",
    },
    LiarsDiceReason.TAKE_DICE_FIRST: {
        "en": "The claim before yours is still open: take the dice first.",
        "de": "Die Ansage vor deiner ist noch offen: Nimm zuerst die Würfel.",
    },
    LiarsDiceReason.NOTHING_BEATS_IT: {
        "en": "Nothing beats five sixes: here one can only doubt.",
        "de": "Über fünf Sechsen geht nichts: Hier kann man nur zweifeln.",
    },
    LiarsDiceReason.NO_REROLL: {
        "en": "In this turn you cannot throw dice anew, or not again.",
        "de": "In diesem Zug kannst du nicht neu würfeln, oder nicht noch einmal.",
    },
    LiarsDiceReason.NOT_YOUR_DICE: {
        "en": "Your dice do not show all these faces.",
        "de": "Deine Würfel zeigen diese Augen nicht alle.",
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
