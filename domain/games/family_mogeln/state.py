"""Where a match stands: a phase carries only what exists in that phase.

One state serves the rules and every viewer. What a viewer does not know is empty in his: the hands of others and the
cards of their lays. What all know stands beside it, in ``sizes`` and ``pile_size``: each lay counts as one card there,
until a pick-up or the end of a round shows true numbers.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias, assert_never

from msgspec import Meta, Struct

from domain.games.family_mogeln.events import Controlled, Counted, Turn
from domain.games.family_mogeln.options import Options
from domain.kernel.cards import BACK, Card, Cards, CardText
from domain.kernel.game import Pace, Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import everybody
from domain.kernel.windows import Window


class StackedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A first deal without luck (sandbox). Cards that are not named are put aside."""

    hands: Annotated[tuple[tuple[CardText, ...], ...], Meta(description="By seat.")]
    dealer: Annotated[int | None, Meta(description="Left out: drawn by lot.")] = None


class Lying(Struct, frozen=True):
    """A lay in the pile."""

    claim_id: int
    seat: Seat
    rank: str
    cards: Cards  # the last lies on top

    @property
    def top(self) -> Card:
        """What a control turns up; a back, for whoever does not know it."""
        return self.cards[-1] if self.cards else BACK


class ToDeal(Struct, frozen=True):
    """Before the first deal."""


class InTurn(Struct, frozen=True):
    """One may lay while others may still control what was laid before."""

    turn: Turn
    window: Window | None = None


class LastTurn(Struct, frozen=True):
    """No turn is left: the round is counted when this lay is settled."""

    window: Window
    closes_at: datetime


class ToCount(Struct, frozen=True):
    """Nothing can be laid in this round any more."""


class ToEnd(Struct, frozen=True):
    """No round follows the last one."""


class Ended(Struct, frozen=True):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Phase: TypeAlias = ToDeal | InTurn | LastTurn | ToCount | Pause | ToEnd | Ended


class State(Struct, frozen=True):
    """Tuples that are as long as the table is wide are by seat."""

    options: Options
    pace: Pace
    seats: int
    stacked: StackedDeal | None
    hands: tuple[Cards, ...]
    sizes: tuple[int, ...]  # never below the true ones
    wins: tuple[int, ...]
    points: tuple[int, ...]
    lays: tuple[int, ...]  # in this round
    turns: tuple[int, ...]  # taken in this round
    phase: Phase = ToDeal()
    round: int = 0
    dealer: Seat | None = None
    starter: Seat | None = None
    controls: bool = False  # whether the next lay can be controlled, whoever lays it
    packs: int = 0
    pile: tuple[Lying, ...] = ()
    pile_size: int = 0
    aside: Cards = ()  # what takes no part in the round any more
    aside_size: int = 0  # of that, what was left over at the deal
    leaving: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    last: Controlled | Counted | None = None
    claims: int = 0  # the next lay's id
    draws: int = 0  # the next draw's k

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left the match."""
        return tuple([seat for seat in everybody(self.seats) if seat not in self.left])

    @property
    def windows(self) -> tuple[Window, ...]:
        """The one that is open, if any."""
        match self.phase:
            case InTurn(_, window):
                return () if window is None else (window,)
            case LastTurn(window):
                return (window,)
            case ToDeal() | ToCount() | Pause() | ToEnd() | Ended():
                return ()
            case _:
                assert_never(self.phase)


def begin(options: Options, pace: Pace, seats: int, deal: StackedDeal | None) -> State:
    """Before the first deal. What a viewer sees begins without the stacked deal."""
    none = (0,) * seats
    return State(options, pace, seats, deal, ((),) * seats, none, none, none, none, none)
