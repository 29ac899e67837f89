# ruff: noqa: S105 – a pass of this game is no password
"""Why the rules refuse. Only what the seat itself can see is a reason."""

from __future__ import annotations

from enum import StrEnum


class MogeleiReason(StrEnum):
    ALREADY_LAID = "already_laid"
    MUST_FOLLOW = "must_follow"
    OTHER_COLOUR = "other_colour"
    HANDS_EMPTY = "hands_empty"
    PASS_CLOSED = "pass_closed"
    NO_SUCH_PASS = "no_such_pass"
    OWN_CARD = "own_card"
    NOTHING_HIDDEN = "nothing_hidden"
