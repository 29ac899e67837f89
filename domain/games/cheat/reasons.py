"""Why the rules refuse. Only what the seat itself can see is a reason."""

from __future__ import annotations

from enum import StrEnum


class CheatReason(StrEnum):
    WRONG_RANK = "wrong_rank"
    RANK_MISSING = "rank_missing"
    LAID_ON_IT = "laid_on_it"
    NO_PASSING = "no_passing"
    RANK_NOT_EXHAUSTED = "rank_not_exhausted"
    NEEDS_CONSENT = "needs_consent"
    NOTHING_TO_DRAW = "nothing_to_draw"
    PROPOSAL_OPEN = "proposal_open"
    ALREADY_PROPOSED = "already_proposed"
    PROPOSAL_CLOSED = "proposal_closed"
    NO_SUCH_PROPOSAL = "no_such_proposal"
