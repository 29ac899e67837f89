"""What can be asked of a match, whatever its game."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Raw, Struct

from domain.kernel.game import Pace, Seat
from domain.match.events import Access, Complaint, Leaving, Ruling, SealReason

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
    """A new match. ``options`` and ``deal`` are JSON of the game's own types, checked by whoever asks."""

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
    pause_on_dispute: bool = False


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


class RaiseDispute(Struct, frozen=True, kw_only=True):
    """The seat that says it, or the House, asks a referee. ``seq``: which of the seat's own frames it is about."""

    dispute: str
    reason: Complaint | Literal["anomaly"]
    seq: int | None = None
    text_digest: str | None = None


class Assign(Struct, frozen=True, kw_only=True):
    """A referee takes a dispute; ``instead``: also where another has it."""

    dispute: str
    referee: str
    instead: bool = False


class BreakSeal(Struct, frozen=True, kw_only=True):
    """A referee or an auditor wants to see what is hidden."""

    by: str
    reason: SealReason


class Rule(Struct, frozen=True, kw_only=True):
    """A referee rules in the dispute that he has.

    ``now``: wall clock. ``seed``: of the match's luck, published if it is void now. ``branch``: the match that is to go
    on instead (None: there is no point from which one could); ``at_deal``: it begins with a new deal; ``told``: how
    many frames who raised it has been told there, where the referee said so.
    """

    dispute: str
    referee: str
    ruling: Ruling
    rules: tuple[str, ...]
    now: datetime
    seed: str
    text_digest: str | None = None
    branch: str | None = None
    at_deal: bool = False
    told: int | None = None


class Resume(Struct, frozen=True, kw_only=True):
    """A referee lets the clock of a match that stands still go on. ``now``: wall clock."""

    referee: str
    now: datetime


OfDisputes: TypeAlias = RaiseDispute | Assign | BreakSeal | Rule | Resume

HouseAction: TypeAlias = Open | Sit | Leave | Start | TurnClock | StandStill | SettleEntropy | End | Expire
