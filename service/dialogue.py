"""What the Referee is asked, and what he answers: no HTTP, no SQL."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Raw, Struct

from domain.kernel.game import Pace
from domain.match.events import Access, Leaving


class Key(Struct, frozen=True):
    """An idempotency key with SHA-256 of what was asked under it (method, path, body)."""

    key: str
    fingerprint: bytes


class Asked(Struct, frozen=True, kw_only=True):
    """Who asks, when the last byte of it was in (wall clock), and under which key, if any."""

    player: UUID
    received_at: datetime
    key: Key | None = None


class MatchWish(Struct, frozen=True, kw_only=True):
    """A match to open; ``options`` and ``deal`` are JSON of the game's own types, decoded once already."""

    game: str
    seats: int
    options: Raw
    pace: Pace
    access: Access
    leaving: Leaving
    fill: str | None
    sandbox: bool
    seed: bytes | None
    deal: Raw | None
    sit: bool
    entropy_commitment: str | None
    pause_on_dispute: bool = False


class Opened(Struct, frozen=True):
    match: UUID
    code: str


class Seen(Struct, frozen=True):
    """What one viewer sees of a match now: ``body`` is the JSON object of design §7 (match, game, status, seq, seat,
    seats, view, awaits, actions, server_time, …), without frames."""

    seq: int
    body: bytes


class Done(Struct, frozen=True):
    """A command was taken. ``body``: the same object with ``frames`` in it, those told to this seat by the command."""

    seq: int
    body: bytes
    seat: int | None
    command: UUID


class RefereeError(Exception):
    """What the Referee could not do; each kind is a problem of its own."""


class NoSuchMatch(RefereeError):
    pass


class OfNewerBuild(RefereeError):
    """A newer build opened the match: this one does not know by which rules it is played, and with which data."""


class NoSuchDispute(RefereeError):
    pass


class NoSuchBot(RefereeError):
    """``game``, by its id, has no bot of this kind."""

    def __init__(self, game: str) -> None:
        self.game: Final = game


class NotSeated(RefereeError):
    """The caller holds no seat here, and only a seat may do this."""


class MayNotSee(RefereeError):
    """The match is not public, and the caller neither sits in it nor is its host."""


class NotOver(RefereeError):
    """What others were told, and all that is hidden, is open only when the match is over."""


class WrongCode(RefereeError):
    pass


class NotOffered(RefereeError):
    """Sandboxes switched off, or too many of them running: ``reason`` says which."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: Final = reason


class Refusal(RefereeError):
    """The rules of ``game`` refuse. Times are match time; ``seq`` is the caller's, as is ``beaten_by``, what was first.

    ``command``: by which the attempt is on record.
    """

    def __init__(
        self,
        reason: str,
        *,
        game: str,
        seq: int,
        not_before: datetime | None = None,
        closes_at: datetime | None = None,
        beaten_by: int | None = None,
        command: UUID | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        self.game: Final = game
        self.seq: Final = seq
        self.not_before: Final = not_before
        self.closes_at: Final = closes_at
        self.beaten_by: Final = beaten_by
        self.command: Final = command


class Behind(RefereeError):
    """``If-Match`` names another frame than ``seq``, the last of this seat; ``frames``: JSON of what was missed."""

    def __init__(self, seq: int, seat: int, frames: bytes = b"[]") -> None:
        super().__init__(seq)
        self.seq: Final = seq
        self.seat: Final = seat
        self.frames: Final = frames


class KeyReused(RefereeError):
    """The idempotency key was used for something else."""


class TryAgain(RefereeError):
    """Nothing happened (``known``), or nobody knows yet (not ``known``: ask again under the same key)."""

    def __init__(self, *, known: bool) -> None:
        super().__init__(known)
        self.known: Final = known
