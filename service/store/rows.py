"""What the store takes and gives: plain values, no SQL, no rules."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct


class Access(StrEnum):
    PUBLIC = "public"
    CODE = "code"


class EventRow(Struct, frozen=True):
    """One event of a match's log, stored once and never changed.

    ``envelope`` is exactly the text whose UTF-8 bytes the head binds; the columns beside it are derived from it.
    ``seqs`` holds, by viewer (seats 0…n−1, then the spectator), the number under which he was told it, 0 if he was
    not; ``heads`` likewise 32 bytes a viewer, zeros where he was not told.
    """

    version: int
    at: datetime
    received_at: datetime
    by: int
    tag: str
    command: UUID
    envelope: str
    salt: bytes
    head: bytes
    seqs: tuple[int, ...]
    heads: bytes


class AttemptRow(Struct, frozen=True):
    """One command of a seated player as it arrived; ``n`` counts per match and seat, ``head`` chains them.

    ``record`` is exactly the text whose UTF-8 bytes the head binds (action, outcome, reason, received_at, …).
    """

    seat: int
    n: int
    command: UUID
    received_at: datetime
    outcome: str
    record: str
    head: bytes


class KeyRow(Struct, frozen=True):
    """An idempotency key that was used: unique per player and scope (a match's id, or empty for the account's own).

    The answer is rendered again from the log: ``before`` and ``after`` are the match's versions around the command,
    equal where it was refused. ``fingerprint`` is SHA-256 of what was asked.
    """

    player: UUID
    scope: str
    key: str
    fingerprint: bytes
    command: UUID
    match: UUID | None
    seat: int | None
    received_at: datetime
    before: int
    after: int


class LobbyRow(Struct, frozen=True):
    """What the lobby shows of a match; written when it opens, when seats change, when it starts and when it ends.

    A match is among the own ones of its ``players`` and of its ``host``. Its ``code`` is claimed when it is created;
    an append can only give it up.
    """

    game: str
    status: str
    access: Access
    sandbox: bool
    host: UUID
    opened_at: datetime
    seats: int
    taken: int
    players: tuple[UUID, ...]  # who sit now, or sat and may come back
    code: str | None  # None as soon as nobody can sit down by it


class StreamRow(Struct, frozen=True):
    """The head of a match's log. ``attempts``: how many there were, kept or, as long as it runs here, only counted;
    ``tries``: the heads of their chains, JSON, opaque to the store."""

    match: UUID
    game: str
    version: int
    attempts: int
    head: bytes
    seqs: tuple[int, ...]
    heads: bytes
    tries: str


class Append(Struct, frozen=True, kw_only=True):
    """All that one command does to one match: taken whole if nothing moved since, else not at all.

    With no events it is a refusal: the expected numbers are its guard. ``not_after``: by Postgres's clock, the moment
    from which it must not be taken any more. ``due``: the next deadline by wall clock (None: no deadline); not looked
    at where there are no events, as nothing moved then. ``lobby``: the lobby row where it changed. ``key``: bound to
    this match. ``counted``: attempts of which there is only the number, in ``tries``; they move the number of attempts,
    as else another process, which does not know of them, would write its own ``tries`` over these.
    """

    match: UUID
    expected_version: int
    expected_attempts: int
    not_after: datetime
    head: bytes
    seqs: tuple[int, ...]
    heads: bytes
    tries: str
    events: tuple[EventRow, ...]
    attempts: tuple[AttemptRow, ...]
    key: KeyRow | None
    due: datetime | None
    lobby: LobbyRow | None
    counted: int = 0


class NewMatch(Struct, frozen=True, kw_only=True):
    """A match that did not exist: its stream, its secret seed (32 bytes), and what its opening appends."""

    match: UUID
    game: str
    seed: bytes
    append: Append


class DisputeRow(Struct, frozen=True, kw_only=True):
    """A dispute as the log has it, and what lies outside the log. ``text`` and ``note`` may have been erased.

    ``seq`` is in the seat's own numbering; times are the wall clock's.
    """

    id: UUID
    match: UUID
    game: str
    raised_at: datetime
    player: UUID | None
    seat: int | None
    seq: int | None
    reason: str
    text: str | None
    salt: bytes | None
    referee: UUID | None = None
    ruling: str | None = None
    rules: tuple[str, ...] | None = None
    note: str | None = None
    note_salt: bytes | None = None
    ruled_at: datetime | None = None
    branch: UUID | None = None


class KeptDispute(Struct, frozen=True):
    """A dispute as it is stored, and the envelopes of its match that it is held against, of the same moment."""

    row: DisputeRow
    log: tuple[str, ...]


class Assigned(Struct, frozen=True):
    """A dispute has this referee now."""

    dispute: UUID
    referee: UUID


class RuledOn(Struct, frozen=True, kw_only=True):
    """A dispute is ruled on; ``new`` is the match that goes on instead, as it is to be written."""

    dispute: UUID
    ruling: str
    rules: tuple[str, ...]
    note: str | None
    note_salt: bytes | None
    ruled_at: datetime
    new: NewMatch | None


Beside: TypeAlias = DisputeRow | Assigned | RuledOn  # what is written together with an append


class Outcome(StrEnum):
    TAKEN = "taken"
    MOVED = "moved"  # the version or the attempts are not as expected: read the tail and decide again
    LATE = "late"  # not_after has passed; nothing happened
    KEY_USED = "key_used"  # the idempotency key is bound already; nothing happened


class CodeTaken(Struct, frozen=True):
    """Another match that one can still sit down at has this code; nothing happened, pick another."""

    code: str


class TooMany(Struct, frozen=True):
    """Its host has as many sandboxes running as one may; nothing happened."""


class Unavailable(Exception):
    """Postgres does not answer; nothing happened."""


class OutcomeUnknown(Unavailable):
    """The connection was lost while a statement was under way: it may have happened."""


class Outage(Struct, frozen=True):
    """A time in which no process could write: matches stood still. Wall clock, half-open."""

    began: datetime
    ended: datetime


class Player(Struct, frozen=True):
    id: UUID
    name: str
    created_at: datetime


class Token(Struct, frozen=True):
    """What a bearer may do. The token itself is not stored, only its SHA-256."""

    id: UUID
    player: UUID
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class Deadline(Struct, frozen=True):
    match: UUID
    due: datetime
