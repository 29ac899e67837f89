"""Why the rules refuse. Only what the seat itself can see is a reason."""

from __future__ import annotations

from enum import StrEnum


class FamilyMogelnReason(StrEnum):
    WRONG_RANK = "wrong_rank"
    RANK_MISSING = "rank_missing"
    FIRST_ROUND = "first_round"
    ONE_CARD_YET = "one_card_yet"
    LAST_CARD_ALONE = "last_card_alone"
    FITTING_CARD = "fitting_card"
