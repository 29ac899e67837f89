"""A match as the rules around the game know it."""

from __future__ import annotations

from datetime import datetime
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from domain.kernel.chance import entropy_of
from domain.kernel.game import Pace, Seat
from domain.match.clock import Clock
from domain.match.events import Access, Leaving

S = TypeVar("S")


class Chair(Struct, frozen=True):
    """Who holds a seat. ``held_by`` is the player who may come back to it, also while a bot plays on."""

    player: str | None = None
    bot: str | None = None
    held_by: str | None = None
    gone: bool = False  # left for good, cards out of play
    commitment: str | None = None
    entropy: str | None = None

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


Status: TypeAlias = Literal["open", "playing", "over", "void", "superseded"]
Phase: TypeAlias = Lobby | Revealing | Playing | Finished | Void


class State(Struct, Generic[S], frozen=True, kw_only=True):
    """``game`` is the game's own state, from the start on.

    ``idle`` counts how often in a row the House had to act for a seat; only the log knows it, no viewer's fold does.
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

    def seat_of(self, player: str) -> Seat | None:
        """The seat that this player holds now."""
        return next((Seat(seat) for seat, chair in enumerate(self.chairs) if chair.player == player), None)

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
