"""Why the rules of Liar's Dice refuse, in words. What several games say stands with the API."""

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
