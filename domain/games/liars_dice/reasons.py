"""Why the rules refuse. Only what the seat itself can see is a reason."""

from __future__ import annotations

from enum import StrEnum


class LiarsDiceReason(StrEnum):
    TOO_LOW = "too_low"
    TAKE_DICE_FIRST = "take_dice_first"
    NOTHING_BEATS_IT = "nothing_beats_it"
    NO_REROLL = "no_reroll"
    NOT_YOUR_DICE = "not_your_dice"
