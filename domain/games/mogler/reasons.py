"""Why the rules refuse. Only what the seat itself can see is a reason."""

from __future__ import annotations

from enum import StrEnum


class MoglerReason(StrEnum):
    ALREADY_LAID = "already_laid"
