"""Why the rules around any game refuse, for reasons that no game has."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    NOT_OPEN = "not_open"
    NOT_STARTED = "not_started"
    MATCH_OVER = "match_over"
    SEAT_TAKEN = "seat_taken"
    NO_SEAT_FREE = "no_seat_free"
    NO_SUCH_SEAT = "no_such_seat"
    ALREADY_SEATED = "already_seated"
    ONLY_YOUR_OLD_SEAT = "only_your_old_seat"
    SEAT_GONE = "seat_gone"
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_HOST = "not_host"
    SEATS_EMPTY = "seats_empty"
    NOT_SANDBOX = "not_sandbox"
    NOTHING_COMMITTED = "nothing_committed"
    ALREADY_REVEALED = "already_revealed"
    WRONG_ENTROPY = "wrong_entropy"
    MATCH_PAUSED = "match_paused"
    NOT_PAUSED = "not_paused"
    SUPERSEDED = "superseded"
    NO_SUCH_FRAME = "no_such_frame"
    DISPUTE_OPEN = "dispute_open"
    TOO_MANY_DISPUTES = "too_many_disputes"
    DISPUTE_CLOSED = "dispute_closed"
    NO_RULE_CITED = "no_rule_cited"
    NO_SUCH_RULE = "no_such_rule"
    NO_BRANCH_POINT = "no_branch_point"
    SECRETS_OUT = "secrets_out"
    SEAL_BROKEN = "seal_broken"
    SAT_HERE = "sat_here"
    ALREADY_ASSIGNED = "already_assigned"
    NOT_ASSIGNED = "not_assigned"
