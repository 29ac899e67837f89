"""What can happen around any game. A tag is stored for good."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, TypeAlias

from msgspec import Raw, Struct

from domain.kernel.game import Pace, Seat

NO_DEAL: Final = Raw(b"null")
Access: TypeAlias = Literal["public", "code"]
Leaving: TypeAlias = Literal["bot", "cards_leave"]
Ending: TypeAlias = Literal["won", "abandoned"]


class Opened(Struct, frozen=True, kw_only=True, tag="match.opened"):
    """The match exists, with all that stays as it is: rules version, options, pace, the commitment to its seed.

    ``options`` and ``deal`` are JSON of the game's own types; ``deal`` is null where luck deals. A stacked one is told
    to nobody, only that there is one.
    """

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
    stacked: bool
    deal: Raw
    seed_commitment: str
    host: str
    open_until: datetime


class Seated(Struct, frozen=True, kw_only=True, tag="match.seated"):
    """A player (an opaque id) or a bot holds this seat from now on.

    The player's name lies outside the log; ``name_digest`` is SHA-256 of a salt and that name.
    """

    seat: Seat
    player: str | None
    bot: str | None
    name_digest: str | None
    entropy_commitment: str | None


class Left(Struct, frozen=True, kw_only=True, tag="match.left"):
    """A seat was given up. ``bot``: who plays on for it; None before the start, and where cards leave play."""

    seat: Seat
    bot: str | None


class HostChanged(Struct, frozen=True, tag="match.host_changed"):
    host: str


class Started(Struct, frozen=True, tag="match.started"):
    """Nobody sits down any more. ``reveal_until``: seats that committed to entropy reveal it before that."""

    reveal_until: datetime | None


class EntropyRevealed(Struct, frozen=True, tag="match.entropy_revealed"):
    seat: Seat
    entropy: str


class EntropySettled(Struct, frozen=True, tag="match.entropy_settled"):
    """What the seats add to the luck, SHA-256 in hex; ``missing`` did not reveal and are left out."""

    digest: str
    missing: tuple[Seat, ...]


class StoodStill(Struct, frozen=True, tag="match.stood_still"):
    """The match's clock stood still from ``began`` to ``ended`` (wall clock); every deadline is later by that."""

    began: datetime
    ended: datetime
    reason: Literal["outage"]


class ClockTurned(Struct, frozen=True, tag="match.clock_turned"):
    """Sandbox: the manual clock now shows ``now``."""

    now: datetime


class TimedOut(Struct, frozen=True, tag="match.timed_out"):
    """This seat's time ran out; what follows in the same append the House did in its place."""

    seat: Seat


class Ended(Struct, frozen=True, tag="match.ended"):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: Ending


class SeedRevealed(Struct, frozen=True, tag="match.seed_revealed"):
    """The seed to which the opening event committed, in hex: every deal and throw can be recomputed."""

    seed: str


class Voided(Struct, frozen=True, tag="match.voided"):
    reason: Literal["never_started"]


Event: TypeAlias = (
    Opened
    | Seated
    | Left
    | HostChanged
    | Started
    | EntropyRevealed
    | EntropySettled
    | StoodStill
    | ClockTurned
    | TimedOut
    | Ended
    | SeedRevealed
    | Voided
)
KINDS = Event.__args__
