"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/liars_dice.py``."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from domain.games.liars_dice.ladder import Claim, Dice
from domain.kernel.game import Seat


class LiarsDiceTurn(Struct, frozen=True):
    """Who is to claim, what must be beaten (None: anything goes), and until when (None: for ever)."""

    seat: Seat
    beats: Claim | None
    until: datetime | None
    left: int  # turns left in the round, this one counted


class LiarsDiceEnding(StrEnum):
    """What ended a round."""

    LAST_IN = "last_in"  # only one has tokens
    TURNS = "turns"  # no turn is left: most tokens


class RoundBegan(Struct, frozen=True, tag="liars_dice.round_began"):
    """``tokens`` by seat. ``turns``: how many the round has. ``draw``: which draw of the match's luck it was."""

    round: int
    starter: Seat
    tokens: tuple[int, ...]
    turns: int
    draw: int


class Rolled(Struct, frozen=True, tag="liars_dice.rolled"):
    """Five dice were thrown under the cup of who is to claim."""

    seat: Seat
    dice: Dice
    draw: int
    turn: LiarsDiceTurn


class DiceTaken(Struct, frozen=True, tag="liars_dice.dice_taken"):
    """The dice of the claim before go over as they lie (``dice_pass``)."""

    seat: Seat
    dice: Dice
    turn: LiarsDiceTurn


class RerollAsked(Struct, frozen=True, tag="liars_dice.reroll_asked"):
    """``dice`` go back into the cup."""

    seat: Seat
    dice: Dice


class Rerolled(Struct, frozen=True, tag="liars_dice.rerolled"):
    """``dice``: all five, as they lie now. ``thrown``: how many of them are new."""

    seat: Seat
    dice: Dice
    thrown: int
    draw: int


class Claimed(Struct, frozen=True, tag="liars_dice.claimed"):
    """``follows``: whose turn is next (None: no turn is left); he may take the dice from ``not_before`` on,
    or when all have accepted. At ``closes_at`` the window closes by itself."""

    claim_id: int
    seat: Seat
    claim: Claim
    not_before: datetime
    closes_at: datetime
    follows: Seat | None


class Accepted(Struct, frozen=True, tag="liars_dice.accepted"):
    claim_id: int
    seat: Seat


class Stood(Struct, frozen=True, tag="liars_dice.stood"):
    """The window of this claim has closed. ``follows``: who is to beat it; None: no turn is left."""

    claim_id: int
    seat: Seat
    follows: Seat | None


class Challenged(Struct, frozen=True, tag="liars_dice.challenged"):
    """A claim was called a lie; its dice are shown to all. ``actual``: what they make. ``stands``: it was none.

    ``held``: nobody called, but nothing beats the claim, so the next seat is held to have done it.
    """

    claim_id: int
    seat: Seat
    challenger: Seat
    claim: Claim
    dice: Dice
    actual: Claim
    stands: bool
    held: bool


class TokenLost(Struct, frozen=True, tag="liars_dice.token_lost"):
    """``tokens``: the seat's number now. ``follows``: who begins anew, ``left`` turns being left; None: nobody."""

    seat: Seat
    tokens: int
    follows: Seat | None
    left: int


class RoundOver(Struct, frozen=True, tag="liars_dice.round_over"):
    """By seat: ``penalties`` of this round, ``wins`` and penalty ``points`` of the match so far.

    The next round begins at ``begins_at``; None: there is none.
    """

    round: int
    winners: tuple[Seat, ...]
    because: LiarsDiceEnding
    penalties: tuple[int, ...]
    wins: tuple[int, ...]
    points: tuple[int, ...]
    begins_at: datetime | None


class RoundAccepted(Struct, frozen=True, tag="liars_dice.round_accepted"):
    seat: Seat


class Leaving(Struct, frozen=True, tag="liars_dice.leaving"):
    """The seat goes as soon as its open claim is settled, and acts no more."""

    seat: Seat


class Left(Struct, frozen=True, tag="liars_dice.left"):
    """The seat's tokens are out of play. ``follows``: who has its turn now, where it was in turn or next."""

    seat: Seat
    follows: Seat | None


class MatchOver(Struct, frozen=True, tag="liars_dice.match_over"):
    """``scores`` by seat: round wins, or penalty points where these count."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Event: TypeAlias = (
    RoundBegan
    | Rolled
    | DiceTaken
    | RerollAsked
    | Rerolled
    | Claimed
    | Accepted
    | Stood
    | Challenged
    | TokenLost
    | RoundOver
    | RoundAccepted
    | Leaving
    | Left
    | MatchOver
)
