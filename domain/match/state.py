"""A match as the rules around the game know it."""

from __future__ import annotations

from datetime import datetime
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from domain.kernel.chance import entropy_of
from domain.kernel.game import Pace, Seat
from domain.match.clock import Clock
from domain.match.events import Access, Leaving, PauseReason

S = TypeVar("S")


class Chair(Struct, frozen=True):
    """Who holds a seat. ``held_by`` is the player who may come back to it, also while a bot plays on."""

    player: str | None = None
    bot: str | None = None
    held_by: str | None = None
    gone: bool = False  # left for good, cards out of play
    commitment: str | None = None
    entropy: str | None = None
    raised: int = 0  # disputes

    @property
    def free(self) -> bool:
        return self.player is None and self.bot is None


class Lobby(Struct, frozen=True, tag="open"):
    until: datetime


class Revealing(Struct, frozen=True, tag="revealing"):
    until: datetime


class Playing(Struct, frozen=True, tag="playing"):
    pass


class Finished(Struct, frozen=True, tag="over"):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    reason: str
    seed: str | None = None


class Void(Struct, frozen=True, tag="void"):
    reason: str
    seed: str | None = None


class Superseded(Struct, frozen=True, tag="superseded"):
    """It goes on in another match."""

    branch: str
    seed: str | None = None


class Dispute(Struct, frozen=True):
    """A dispute that nobody has ruled on. ``seat``: who raised it (None: the House), on frame ``seq`` of his own."""

    dispute: str
    seat: Seat | None
    seq: int | None
    reason: str
    referee: str | None = None


Status: TypeAlias = Literal["open", "playing", "over", "void", "superseded"]
Phase: TypeAlias = Lobby | Revealing | Playing | Finished | Void | Superseded


class State(Struct, Generic[S], frozen=True, kw_only=True):
    """``game`` is the game's own state, from the start on.

    ``idle`` counts how often in a row the House had to act for a seat, ``over_at`` is the match time of its end; only
    the log knows them, no viewer's fold does. ``paused``: why the clock stands. ``sat``: all players who ever sat here.
    ``house_raised``: whether the House has raised a dispute. ``referees``, ``seal_broken_by``: who was assigned, and
    who sees more than the seats do.
    """

    match: str
    game_id: str
    rules_version: int
    pace: Pace
    leaving: Leaving
    fill: str | None
    access: Access
    sandbox: bool
    seed_commitment: str
    host: str
    chairs: tuple[Chair, ...]
    phase: Phase
    before: S
    game: S | None = None
    clock: Clock = Clock()
    entropy: bytes = entropy_of(())
    idle: int = 0
    over_at: datetime | None = None
    pause_on_dispute: bool = False
    paused: PauseReason | None = None
    branch_of: str | None = None
    sat: frozenset[str] = frozenset()
    disputes: tuple[Dispute, ...] = ()
    house_raised: bool = False
    referees: tuple[str, ...] = ()
    seal_broken_by: tuple[str, ...] = ()

    def seat_of(self, player: str) -> Seat | None:
        """The seat that this player holds now."""
        return next((Seat(seat) for seat, chair in enumerate(self.chairs) if chair.player == player), None)

    def takes_part(self, player: str) -> bool:
        """Whether this player is the host, sits in the match, or may come back."""
        return player == self.host or any(player == chair.held_by for chair in self.chairs)

    @property
    def published(self) -> str | None:
        """The seed, in hex, from when the match is over."""
        return self.phase.seed if isinstance(self.phase, Finished | Void | Superseded) else None

    @property
    def status(self) -> Status:
        match self.phase:
            case Lobby():
                return "open"
            case Revealing() | Playing():
                return "playing"
            case Finished():
                return "over"
            case Void():
                return "void"
            case Superseded():
                return "superseded"
