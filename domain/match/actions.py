"""What can be asked of a match, whatever its game."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Generic, TypeAlias, TypeVar

from msgspec import Meta, Raw, Struct

from domain.kernel.game import Pace, Seat
from domain.match.events import Access, Leaving

A = TypeVar("A")

Entropy: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^([0-9a-f]{2}){1,64}(?![\s\S])",
        description="1 to 64 bytes in lower-case hex digits",
        extra={"de": "1 bis 64 Bytes in klein geschriebenen Hex-Ziffern"},
    ),
]


class RevealEntropy(Struct, frozen=True, tag="match.reveal_entropy", forbid_unknown_fields=True):
    """Says the bytes that this seat committed to when it sat down: they go into the luck of the match."""

    entropy: Entropy


PlayerAction: TypeAlias = RevealEntropy  # all that a request to …/actions can decode to, beside the game's own


class Open(Struct, frozen=True, kw_only=True):
    """A new match. ``options`` and ``deal`` are JSON of the game's own types, checked by who asks."""

    match: str
    game: str
    rules_version: int
    seats: int
    options: Raw
    pace: Pace
    leaving: Leaving
    fill: str | None
    access: Access
    sandbox: bool
    deal: Raw
    seed_commitment: str
    host: str
    open_until: datetime


class Sit(Struct, frozen=True, kw_only=True):
    """A player, or a bot whom the host sends, takes a seat; without a number the first free one."""

    player: str | None
    asked_by: str
    bot: str | None = None
    seat: Seat | None = None
    name_digest: str | None = None
    entropy_commitment: str | None = None


class Leave(Struct, frozen=True):
    """A seat is given up; the host may also send a bot away before the start."""

    asked_by: str
    seat: Seat


class Start(Struct, frozen=True):
    asked_by: str


class TurnClock(Struct, frozen=True):
    """Sandbox only: the host turns the clock, to the next deadline at most."""

    asked_by: str
    advance_ms: int


class StandStill(Struct, frozen=True):
    """The House: no process could write from ``began`` to ``ended`` (wall clock)."""

    began: datetime
    ended: datetime


class SettleEntropy(Struct, frozen=True):
    """The House: all who committed have revealed, or their time is over."""


class ActFor(Struct, Generic[A], frozen=True):
    """The House: acts in place of a seat whose time ran out."""

    seat: Seat
    action: A


class End(Struct, frozen=True):
    """The House: the game is over; what was secret about its luck is published."""

    seed: str


class Expire(Struct, frozen=True):
    """The House: nobody started the match in time."""


HouseAction: TypeAlias = Open | Sit | Leave | Start | TurnClock | StandStill | SettleEntropy | End | Expire
