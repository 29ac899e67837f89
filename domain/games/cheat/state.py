"""Where a match of Cheat stands: a phase carries only what exists in that phase."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias, assert_never

from msgspec import Meta, Struct

from domain.games.cheat.events import Challenged, CheatTurn
from domain.games.cheat.options import CheatOptions
from domain.kernel.cards import Cards, CardText
from domain.kernel.game import Pace, Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import everybody
from domain.kernel.windows import Window


class StackedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A first deal without luck (sandbox). No dealer: one is drawn. Cards that are not named take no part."""

    hands: Annotated[tuple[tuple[CardText, ...], ...], Meta(description="By seat: at least a card each.")]
    dealer: Annotated[int | None, Meta(description="The seat; the next one begins. null: one is drawn.")] = None
    stock: Annotated[tuple[CardText, ...], Meta(description="With a fixed hand: what is left to draw from.")] = ()


class Lying(Struct, frozen=True):
    """A claim whose cards lie in the pile."""

    claim_id: int
    seat: Seat
    rank: str
    cards: Cards


class Proposal(Struct, frozen=True):
    proposal_id: int
    since: datetime
    until: datetime
    consented: tuple[Seat, ...] = ()


class ToDeal(Struct, frozen=True):
    """Before the first deal."""


class InTurn(Struct, frozen=True):
    """One may play while others may still doubt what was laid before. The newest window is the last."""

    turn: CheatTurn
    windows: tuple[Window, ...] = ()
    proposal: Proposal | None = None


class ToDraw(Struct, frozen=True):
    """A seat owes drawing; then comes ``turn``, or the count."""

    seat: Seat
    count: int
    turn: CheatTurn | None
    windows: tuple[Window, ...]


class LastPlay(Struct, frozen=True):
    """A hand is empty, or no turn is left: nobody plays before this claim is settled."""

    window: Window
    turn: CheatTurn
    closes_at: datetime


class ToCount(Struct, frozen=True):
    """Nothing can be played in this round any more."""


class ToEnd(Struct, frozen=True):
    """No round follows the last one."""


class Ended(Struct, frozen=True):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Phase: TypeAlias = ToDeal | InTurn | ToDraw | LastPlay | ToCount | Pause | ToEnd | Ended


class State(Struct, frozen=True):
    """Tuples that are as long as the table is wide are by seat."""

    options: CheatOptions
    pace: Pace
    seats: int
    stacked: StackedDeal | None
    hands: tuple[Cards, ...]
    forfeits: tuple[int, ...]  # in this round
    out_with: tuple[int | None, ...]  # cards in hand when its forfeits put the seat out of the round; None: it is in
    wins: tuple[int, ...]
    points: tuple[int, ...]
    phase: Phase = ToDeal()
    round: int = 0
    dealer: Seat | None = None
    packs: int = 0
    pile: tuple[Lying, ...] = ()
    stock: Cards = ()  # a set: who draws, draws any of it
    away: Cards = ()  # what takes no part in the round any more
    leaving: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    last: Challenged | None = None
    claims: int = 0  # the next claim's id
    proposals: int = 0
    draws: int = 0  # the next draw's k

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left the match."""
        if not self.left:
            return everybody(self.seats)
        return tuple([seat for seat in everybody(self.seats) if seat not in self.left])

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Who is in the round."""
        if self.out_with.count(None) == self.seats:
            return self.present
        return tuple([seat for seat in self.present if self.out_with[seat] is None])

    @property
    def windows(self) -> tuple[Window, ...]:
        match self.phase:
            case InTurn() | ToDraw() as phase:
                return phase.windows
            case LastPlay(window):
                return (window,)
            case ToDeal() | ToCount() | Pause() | ToEnd() | Ended():
                return ()
            case _:
                assert_never(self.phase)


def begin(options: CheatOptions, pace: Pace, seats: int, deal: StackedDeal | None) -> State:
    """Before the first deal. What a viewer sees begins without the stacked deal."""
    none = (0,) * seats
    return State(options, pace, seats, deal, ((),) * seats, none, (None,) * seats, none, none)
