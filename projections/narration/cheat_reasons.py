"""Why the rules of Cheat refuse, and what options go together, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.games.cheat.reasons import CheatReason
from projections.views.seam import Language

REASONS: Final[Mapping[str, Mapping[Language, str]]] = {
    CheatReason.WRONG_RANK: {"en": "Another rank is due.", "de": "Ein anderer Wert ist an der Reihe."},
    CheatReason.RANK_MISSING: {
        "en": "Name a rank: here you choose it yourself.",
        "de": "Nenne einen Wert: Hier wählst du ihn selbst.",
    },
    CheatReason.LAID_ON_IT: {
        "en": "You have laid cards on this claim, so you cannot answer it any more.",
        "de": "Du hast auf diese Ansage gelegt und kannst sie nicht mehr beantworten.",
    },
    CheatReason.NO_PASSING: {"en": "In this match nobody passes.", "de": "In dieser Partie wird nicht gepasst."},
    CheatReason.RANK_NOT_EXHAUSTED: {
        "en": "Not all cards of this rank have been claimed in this pile.",
        "de": "In diesem Stapel sind noch nicht alle Karten dieses Werts angesagt.",
    },
    CheatReason.NEEDS_CONSENT: {
        "en": "To pass you need the consent of all others: propose it.",
        "de": "Zum Passen brauchst du die Zustimmung aller anderen: Schlage es vor.",
    },
    CheatReason.NOTHING_TO_DRAW: {
        "en": "No card is left to draw, and a pass costs one.",
        "de": "Es ist keine Karte zum Ziehen da, und Passen kostet eine.",
    },
    CheatReason.PROPOSAL_OPEN: {
        "en": "The table is still deciding whether you may pass.",
        "de": "Der Tisch entscheidet noch, ob du passen darfst.",
    },
    CheatReason.ALREADY_PROPOSED: {
        "en": "You have asked to pass in this turn already.",
        "de": "Du hast in diesem Zug schon gebeten, passen zu dürfen.",
    },
    CheatReason.PROPOSAL_CLOSED: {"en": "That has been decided.", "de": "Das ist schon entschieden."},
    CheatReason.NO_SUCH_PROPOSAL: {"en": "There is no such proposal.", "de": "Einen solchen Vorschlag gibt es nicht."},
}

CONFLICTS: Final[Mapping[tuple[str, str], Mapping[Language, str]]] = {
    ("penalty", "adults_only"): {
        "en": "A forfeit is played only with adults_only: true.",
        "de": "Um ein Pfand wird nur mit adults_only: true gespielt.",
    },
    ("penalty", "hand"): {
        "en": "A forfeit is played only with hand: all.",
        "de": "Um ein Pfand wird nur mit hand: all gespielt.",
    },
    ("hand", "pass_rule"): {
        "en": "With hand: fixed7 one passes by its own rule: leave pass_rule out.",
        "de": "Mit hand: fixed7 passt man nach dessen eigener Regel: Lass pass_rule weg.",
    },
    ("pass_rule", "rank_mode"): {
        "en": "When a rank is exhausted counts only with rank_mode: sequence.",
        "de": "Erschöpft ist ein Wert nur mit rank_mode: sequence.",
    },
    ("joker_mode", "jokers"): {
        "en": "What a joker is matters only with jokers: 2.",
        "de": "Was ein Joker ist, zählt nur mit jokers: 2.",
    },
    ("forfeit_limit", "penalty"): {
        "en": "Forfeits are counted only with penalty: forfeit.",
        "de": "Pfänder werden nur mit penalty: forfeit gezählt.",
    },
    ("challenge_draw", "hand"): {
        "en": "Cards are drawn only with hand: fixed7.",
        "de": "Karten werden nur mit hand: fixed7 gezogen.",
    },
    ("pass_draw", "hand"): {
        "en": "Cards are drawn only with hand: fixed7.",
        "de": "Karten werden nur mit hand: fixed7 gezogen.",
    },
    ("rounds", "mode"): {
        "en": "The mode single is one round and best_of or best_of_extra is 3 or 5; any other number needs "
        "first_to, most_wins or penalty_points.",
        "de": "Der Modus single ist eine Runde, best_of oder best_of_extra sind 3 oder 5; jede andere Zahl "
        "braucht first_to, most_wins oder penalty_points.",
    },
}
