"""Where a match of Mogler stands: a phase carries only what exists in that phase."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.mogler.actions import CardText
from domain.games.mogler.deck import Stop
from domain.games.mogler.events import MoglerTurn, RoundOver, TrickCard, TrickTaken
from domain.games.mogler.options import MoglerOptions
from domain.kernel.cards import Card, Cards
from domain.kernel.game import Pace, Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import everybody


class StackedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A first deal without luck (sandbox). What is in no hand is the draw pile; what is not named comes by lot."""

    hands: Annotated[tuple[tuple[CardText, ...], ...], Meta(description="By seat: seven cards each.")]
    stops: Annotated[tuple[Stop, ...], Meta(description="The STOP cards that come first, in this order.")] = ()
    draws: Annotated[tuple[CardText, ...], Meta(description="The cards that are drawn first, in this order.")] = ()


class Taken(Struct, frozen=True):
    """A trick that somebody collected. ``shows``: the led card of a trump trick; None: a suit trick, face down."""

    shows: Card | None
    cards: Cards


class ToDeal(Struct, frozen=True):
    """Before the first deal."""


class Opening(Struct, frozen=True):
    """All lay for the lead, at once. ``laid`` by seat; a viewer's fold knows his own alone.

    ``closing``: time was up for somebody, and the House lays for all others who have not.
    """

    until: datetime | None
    laid: tuple[Cards, ...]
    closing: bool = False


class ToStop(Struct, frozen=True):
    """A STOP card is turned before the leader plays."""

    leader: Seat


class ToSwap(Struct, frozen=True):
    """An S lies there: its leader may draw a card."""

    turn: MoglerTurn


class ToDraw(Struct, frozen=True):
    seat: Seat


class ToDiscard(Struct, frozen=True):
    turn: MoglerTurn
    drawn: Card


class InTrick(Struct, frozen=True):
    """``plays``: what lies there, the led card first; nothing: ``turn`` leads."""

    turn: MoglerTurn
    plays: tuple[TrickCard, ...] = ()


class ToCollect(Struct, frozen=True):
    plays: tuple[TrickCard, ...]


class ToCount(Struct, frozen=True):
    """No further trick is played in this round; ``early``: STOP lies there."""

    early: bool


class ToEnd(Struct, frozen=True):
    """No round follows the last one."""


class Ended(Struct, frozen=True):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Phase: TypeAlias = (
    ToDeal | Opening | ToStop | ToSwap | ToDraw | ToDiscard | InTrick | ToCollect | ToCount | Pause | ToEnd | Ended
)


class State(Struct, frozen=True):
    """Tuples that are as long as the table is wide are by seat."""

    options: MoglerOptions
    pace: Pace
    seats: int
    stacked: StackedDeal | None
    hands: tuple[Cards, ...]
    tricks: tuple[tuple[Taken, ...], ...]
    stars: tuple[int, ...]
    phase: Phase = ToDeal()
    round: int = 0
    players: int = 0  # at the table when the round was dealt
    trick: int = 0  # the last one for which a STOP card was turned
    row: tuple[Stop, ...] = ()
    stock: Cards = ()  # a set: who draws, draws any of it
    out: Cards = ()  # left the game face up
    away: Cards = ()  # left the game face down
    caught: tuple[Seat, ...] = ()  # in this round
    left: tuple[Seat, ...] = ()
    last_trick: TrickTaken | None = None  # of this round
    last_round: RoundOver | None = None
    draws: int = 0  # the next draw's k

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left the match."""
        return tuple([seat for seat in everybody(self.seats) if seat not in self.left])

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Who is in the round: there, and not caught."""
        return tuple([seat for seat in self.present if seat not in self.caught])


def begin(options: MoglerOptions, pace: Pace, seats: int, deal: StackedDeal | None) -> State:
    """Before the first deal. What a viewer sees begins without the stacked deal."""
    nothing = ((),) * seats
    return State(options, pace, seats, deal, nothing, nothing, (0,) * seats)
