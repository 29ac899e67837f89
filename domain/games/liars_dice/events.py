"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/liars_dice.py``.

Descriptions speak to whoever is told of it: they stand in the catalogue.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.liars_dice.ladder import Claim, Dice
from domain.kernel.game import Seat


class LiarsDiceTurn(Struct, frozen=True):
    """Who is to claim."""

    seat: Annotated[Seat, Meta(description="Who has the turn.")]
    beats: Annotated[Claim | None, Meta(description="The claim that must be beaten; null: any will do.")]
    until: Annotated[datetime | None, Meta(description="Then the House claims for the seat; null: never.")]
    left: Annotated[int, Meta(description="Turns left in the round, this one counted.")]


class LiarsDiceEnding(StrEnum):
    """What ended a round."""

    LAST_IN = "last_in"  # only one has tokens
    TURNS = "turns"  # no turn is left: most tokens


class RoundBegan(Struct, frozen=True, tag="liars_dice.round_began"):
    """A round begins; all who are still there have their tokens again."""

    round: Annotated[int, Meta(description="Its number; the first is 1.")]
    starter: Annotated[Seat, Meta(description="Who begins.")]
    tokens: Annotated[tuple[int, ...], Meta(description="By seat.")]
    turns: Annotated[int, Meta(description="How many turns the round has at most.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]


class Rolled(Struct, frozen=True, tag="liars_dice.rolled"):
    """Five dice were thrown under the cup of whoever is to claim."""

    seat: Annotated[Seat, Meta(description="Whose they are.")]
    dice: Annotated[Dice, Meta(description="What they show, sorted; `??`, unless they are yours.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]
    turn: Annotated[LiarsDiceTurn, Meta(description="The turn that begins.")]


class DiceTaken(Struct, frozen=True, tag="liars_dice.dice_taken"):
    """The dice of the claim before were handed on as they lie."""

    seat: Annotated[Seat, Meta(description="Who has them now.")]
    dice: Annotated[Dice, Meta(description="What they show, sorted; `??`, unless they are yours.")]
    turn: Annotated[LiarsDiceTurn, Meta(description="The turn that begins.")]


class RerollAsked(Struct, frozen=True, tag="liars_dice.reroll_asked"):
    """Some of the dice go back into the cup, to be thrown anew."""

    seat: Annotated[Seat, Meta(description="Whose they are.")]
    dice: Annotated[Dice, Meta(description="What they showed; `??`, unless they are yours.")]


class Rerolled(Struct, frozen=True, tag="liars_dice.rerolled"):
    """Dice were thrown anew."""

    seat: Annotated[Seat, Meta(description="Whose they are.")]
    dice: Annotated[Dice, Meta(description="All five as they lie now, sorted; `??`, unless they are yours.")]
    thrown: Annotated[int, Meta(description="How many of them are new.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]


class Claimed(Struct, frozen=True, tag="liars_dice.claimed"):
    """Somebody said what his dice make; all others may call it a lie."""

    claim_id: Annotated[int, Meta(description="Its number in the match; a challenge names it.")]
    seat: Annotated[Seat, Meta(description="Who claims.")]
    claim: Annotated[Claim, Meta(description="What the dice are said to make.")]
    not_before: Annotated[
        datetime, Meta(description="From when the next seat can take the dice, if not all accept before.")
    ]
    closes_at: Annotated[datetime, Meta(description="When it is too late to doubt, if nobody takes the dice before.")]
    follows: Annotated[Seat | None, Meta(description="Whose turn is next; null: no turn is left.")]


class Accepted(Struct, frozen=True, tag="liars_dice.accepted"):
    """Somebody has no objection to a claim for now, which binds nobody."""

    claim_id: Annotated[int, Meta(description="The claim.")]
    seat: Annotated[Seat, Meta(description="Who has no objection for now.")]


class Stood(Struct, frozen=True, tag="liars_dice.stood"):
    """It is too late to doubt a claim; its dice stay hidden."""

    claim_id: Annotated[int, Meta(description="The claim.")]
    seat: Annotated[Seat, Meta(description="Who made it.")]
    follows: Annotated[Seat | None, Meta(description="Who is to beat it; null: no turn is left.")]


class Challenged(Struct, frozen=True, tag="liars_dice.challenged"):
    """A claim was called a lie; its dice are shown to all."""

    claim_id: Annotated[int, Meta(description="The claim.")]
    seat: Annotated[Seat, Meta(description="Who made it.")]
    challenger: Annotated[Seat, Meta(description="Who doubted it.")]
    claim: Annotated[Claim, Meta(description="What the dice were said to make.")]
    dice: Annotated[Dice, Meta(description="What they show, sorted, for all to see.")]
    actual: Annotated[Claim, Meta(description="The highest claim that they make.")]
    stands: Annotated[bool, Meta(description="Whether the claim was true: they are as good as it, or better.")]
    held: Annotated[bool, Meta(description="Whether nobody called, but nothing beats it: who is next has to doubt.")]


class TokenLost(Struct, frozen=True, tag="liars_dice.token_lost"):
    """The loser of a challenge pays."""

    seat: Annotated[Seat, Meta(description="Who.")]
    tokens: Annotated[int, Meta(description="How many are left to the seat; with none it is out of the round.")]
    follows: Annotated[Seat | None, Meta(description="Who begins anew; null: the round is over.")]
    left: Annotated[int, Meta(description="Turns left in the round.")]


class RoundOver(Struct, frozen=True, tag="liars_dice.round_over"):
    """A round was counted."""

    round: Annotated[int, Meta(description="Its number.")]
    winners: Annotated[tuple[Seat, ...], Meta(description="Who won it; several share.")]
    because: Annotated[LiarsDiceEnding, Meta(description="What ended it.")]
    penalties: Annotated[tuple[int, ...], Meta(description="By seat: penalty points of this round.")]
    wins: Annotated[tuple[int, ...], Meta(description="By seat: rounds won so far.")]
    points: Annotated[tuple[int, ...], Meta(description="By seat: penalty points so far.")]
    begins_at: Annotated[datetime | None, Meta(description="When the next round begins; null: there is none.")]


class RoundAccepted(Struct, frozen=True, tag="liars_dice.round_accepted"):
    """Somebody need not look at the finished round any longer."""

    seat: Annotated[Seat, Meta(description="Who need not wait for the next round.")]


class Leaving(Struct, frozen=True, tag="liars_dice.leaving"):
    """The seat goes as soon as its open claim is settled, and acts no more."""

    seat: Annotated[Seat, Meta(description="Who.")]


class Left(Struct, frozen=True, tag="liars_dice.left"):
    """The seat's tokens are out of play."""

    seat: Annotated[Seat, Meta(description="Who.")]
    follows: Annotated[
        Seat | None, Meta(description="Who is next in place of the seat, where it was in turn or next; else null.")
    ]


class MatchOver(Struct, frozen=True, tag="liars_dice.match_over"):
    """No further round follows."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won it; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: round wins, or penalty points where these count.")]


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
