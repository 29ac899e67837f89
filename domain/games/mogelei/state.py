"""Where a match of Mogelei stands: a phase carries only what exists in that phase."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.mogelei.actions import MogeleiCard
from domain.games.mogelei.events import Doubted, HandOver, MogeleiTurn, RoundEnded
from domain.games.mogelei.options import MogeleiOptions
from domain.kernel.cards import Card, Cards
from domain.kernel.game import Pace, Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import everybody, next_of


class MogeleiDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A first deal without luck (sandbox). No dealer: one is drawn. Cards that are not named take no part."""

    hands: Annotated[tuple[tuple[MogeleiCard, ...], ...], Meta(description="By seat: 1 to 12 cards, for all as many.")]
    dealer: Annotated[int | None, Meta(description="The seat; the next one calls. null: one is drawn.")] = None


class Lying(Struct, frozen=True):
    """A card on the table, and whether all have seen it."""

    pass_id: int
    seat: Seat
    card: Card
    shown: bool = False


class MogeleiLastRound(Struct, frozen=True):
    """How the last round of this hand ended."""

    how: Annotated[Doubted | RoundEnded, Meta(description="A doubt, or an end with all hidden cards shown.")]
    taker: Annotated[Seat | None, Meta(description="Who kept its cards.")] = None
    count: Annotated[int, Meta(description="How many these were.")] = 0
    egg: Annotated[Seat | None, Meta(description="Who got an egg card for it; null: nobody.")] = None


class ToDeal(Struct, frozen=True):
    """Before the first deal."""


class ToCall(Struct, frozen=True):
    turn: MogeleiTurn


class ToLay(Struct, frozen=True):
    """All lay a card, each in his own time. ``laid`` by seat: one card, none where it is missing or not told.

    ``late``: time is up, and the House lays for all who have not.
    """

    caller: Seat
    until: datetime | None
    laid: tuple[Cards, ...]
    late: bool = False


class ToReveal(Struct, frozen=True):
    """One after the other shows his card or keeps it hidden; ``waiting`` come after who has the turn."""

    caller: Seat
    turn: MogeleiTurn
    waiting: tuple[Seat, ...]


class ToControl(Struct, frozen=True):
    """The controller continues, ends the round, or doubts."""

    turn: MogeleiTurn


class ToCount(Struct, frozen=True):
    """No card is left to lay."""


class ToEnd(Struct, frozen=True):
    """No hand follows the last one."""


class Ended(Struct, frozen=True):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Phase: TypeAlias = ToDeal | ToCall | ToLay | ToReveal | ToControl | ToCount | Pause | ToEnd | Ended


class State(Struct, frozen=True):
    """Tuples that are as long as the table is wide are by seat."""

    options: MogeleiOptions
    pace: Pace
    seats: int
    stacked: MogeleiDeal | None
    hands: tuple[Cards, ...]
    kept: tuple[Cards, ...]  # in this hand
    eggs: tuple[int, ...]  # in this hand
    points: tuple[int, ...]  # of the hands that are over
    phase: Phase = ToDeal()
    hand: int = 0
    dealer: Seat | None = None
    round: int = 0  # in this hand
    colour: str | None = None
    played: tuple[Lying, ...] = ()  # in this round
    passes: int = 0  # the next pass's id
    away: Cards = ()  # what takes no part in the hand any more
    left: tuple[Seat, ...] = ()
    last_round: MogeleiLastRound | None = None
    last_hand: HandOver | None = None
    draws: int = 0  # the next draw's k

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left the match."""
        return tuple([seat for seat in everybody(self.seats) if seat not in self.left])

    @property
    def last_pass(self) -> int:
        return self.passes - 1

    def heir(self, seat: Seat) -> Seat:
        """The seat itself, or who comes next on its left where it has been left."""
        return seat if seat not in self.left else next_of(self.present, seat)

    def lying(self, seat: Seat) -> Lying | None:
        """What this seat has laid in the present pass, once all have."""
        mine = (card for card in self.played if card.pass_id == self.last_pass and card.seat == seat)
        return next(mine, None)


def begin(options: MogeleiOptions, pace: Pace, seats: int, deal: MogeleiDeal | None) -> State:
    """Before the first deal. What a viewer sees begins without the stacked deal."""
    nothing: tuple[Cards, ...] = ((),) * seats
    return State(options, pace, seats, deal, nothing, nothing, (0,) * seats, (0,) * seats)
