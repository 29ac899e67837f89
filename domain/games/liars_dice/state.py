"""Where a match of Liar's Dice stands: a phase carries only what exists in that phase."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.liars_dice.actions import DieText
from domain.games.liars_dice.events import Challenged, LiarsDiceTurn
from domain.games.liars_dice.ladder import Claim, Dice
from domain.games.liars_dice.options import LiarsDiceOptions
from domain.kernel.game import Pace, Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import everybody
from domain.kernel.windows import Window


class StackedDice(Struct, frozen=True, forbid_unknown_fields=True):
    """Dice without luck (sandbox)."""

    dice: Annotated[
        tuple[DieText, ...],
        Meta(
            max_length=5_000,
            description="Faces: every throw takes as many as it needs, in this order; when they are used up luck goes "
            "on.",
        ),
    ] = ()
    starter: Annotated[int | None, Meta(description="The seat that begins the first round; null: one is drawn.")] = None


class ToBegin(Struct, frozen=True):
    """Before the first round."""


class ToRoll(Struct, frozen=True):
    """The House throws five dice for this seat, which must beat a claim (None: begins anew)."""

    seat: Seat
    beats: Claim | None
    left: int


class ToClaim(Struct, frozen=True):
    turn: LiarsDiceTurn


class ToReroll(Struct, frozen=True):
    """These of the dice are in the cup again."""

    turn: LiarsDiceTurn
    dice: Dice


class ToAnswer(Struct, frozen=True):
    """A claim can be doubted. ``follows``: whose turn is next; None: no turn is left."""

    window: Window
    claim: Claim
    follows: Seat | None
    closes_at: datetime


class ToCount(Struct, frozen=True):
    """Nothing can be played in this round any more."""


class ToEnd(Struct, frozen=True):
    """No round follows the last one."""


class Ended(Struct, frozen=True):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Phase: TypeAlias = ToBegin | ToRoll | ToClaim | ToReroll | ToAnswer | ToCount | Pause | ToEnd | Ended


class State(Struct, frozen=True):
    """Tuples that are as long as the table is wide are by seat."""

    options: LiarsDiceOptions
    pace: Pace
    seats: int
    stacked: Dice  # faces of a sandbox match that are still to come
    first: Seat | None  # who begins the first round, where the sandbox says so
    tokens: tuple[int, ...]
    wins: tuple[int, ...]
    points: tuple[int, ...]
    phase: Phase = ToBegin()
    round: int = 0
    starter: Seat | None = None
    dice: Dice = ()  # under the cup of whoever is to claim, or has
    thrown: int = 0  # how many of them were thrown in this turn
    leaving: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    last: Challenged | None = None
    claims: int = 0  # the next claim's id
    draws: int = 0  # the next draw's k

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left the match."""
        return tuple([seat for seat in everybody(self.seats) if seat not in self.left])

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Who has tokens."""
        return tuple([seat for seat in everybody(self.seats) if self.tokens[seat]])

    @property
    def windows(self) -> tuple[Window, ...]:
        return (self.phase.window,) if isinstance(self.phase, ToAnswer) else ()


def begin(options: LiarsDiceOptions, pace: Pace, seats: int, deal: StackedDice | None) -> State:
    """Before the first round. What a viewer sees begins without the stacked dice."""
    none = (0,) * seats
    first = None if deal is None or deal.starter is None else Seat(deal.starter)
    return State(options, pace, seats, () if deal is None else deal.dice, first, none, none, none)
