"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/cheat.py``.

Descriptions speak to whoever is told of it: they stand in the catalogue.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.cards import Cards
from domain.kernel.game import Seat


class CheatTurn(Struct, frozen=True):
    """Whose turn it is."""

    seat: Annotated[Seat, Meta(description="Who has the turn.")]
    rank: Annotated[str | None, Meta(description="What must be named; null: any rank.")]
    until: Annotated[datetime | None, Meta(description="Then the House plays for the seat; null: never.")]
    left: Annotated[int, Meta(description="Turns left in the round, this one counted.")]
    proposed: Annotated[bool, Meta(description="Whether the seat has asked to pass in this turn.")] = False


class CheatEnding(StrEnum):
    """What ended a round."""

    EMPTIED = "emptied"  # a hand is empty, and its last play stood
    LAST_IN = "last_in"  # all others are out or gone
    TURNS = "turns"  # no turn is left: fewest cards


class Dealt(Struct, frozen=True, tag="cheat.dealt"):
    """A round begins."""

    round: Annotated[int, Meta(description="Its number; the first is 1.")]
    dealer: Annotated[Seat, Meta(description="Who deals; the next seat begins.")]
    hands: Annotated[tuple[Cards, ...], Meta(description="By seat; but for your own, backs.")]
    stock: Annotated[Cards, Meta(description="What is left to draw from, in backs.")]
    away: Annotated[Cards, Meta(description="Cards that take no part, in backs: where a sandbox deal leaves some out.")]
    packs: Annotated[int, Meta(description="How many packs are in play.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]
    turn: Annotated[CheatTurn, Meta(description="The first turn.")]


class Claimed(Struct, frozen=True, tag="cheat.claimed"):
    """Cards were laid face down and said to be of this rank."""

    claim_id: Annotated[int, Meta(description="Its number in the match; a challenge names it.")]
    seat: Annotated[Seat, Meta(description="Who laid them.")]
    rank: Annotated[str, Meta(description="What they are said to be.")]
    cards: Annotated[Cards, Meta(description="What was laid; backs, unless it was you.")]
    locks: Annotated[tuple[int, ...], Meta(description="Claims that it is too late to doubt from now on.")]
    not_before: Annotated[datetime, Meta(description="From when the next turn can be taken, if not all accept before.")]
    turn: Annotated[CheatTurn | None, Meta(description="The next turn; null after a last play.")]
    closes_at: Annotated[
        datetime | None, Meta(description="When the window of a last play closes; null: the next turn closes it.")
    ]


class Accepted(Struct, frozen=True, tag="cheat.accepted"):
    """Somebody has no objection to a claim for now, which binds nobody."""

    claim_id: Annotated[int, Meta(description="The claim.")]
    seat: Annotated[Seat, Meta(description="Who has no objection for now.")]


class Challenged(Struct, frozen=True, tag="cheat.challenged"):
    """A claim was called a lie; its cards are shown to all."""

    claim_id: Annotated[int, Meta(description="The claim.")]
    seat: Annotated[Seat, Meta(description="Who made it.")]
    challenger: Annotated[Seat, Meta(description="Who doubted it.")]
    rank: Annotated[str, Meta(description="What the cards were said to be.")]
    cards: Annotated[Cards, Meta(description="What they are, for all to see.")]
    stands: Annotated[bool, Meta(description="Whether it was true.")]


class PileTaken(Struct, frozen=True, tag="cheat.pile_taken"):
    """The loser of a challenge takes all that was laid."""

    seat: Annotated[Seat, Meta(description="Who takes it.")]
    cards: Annotated[Cards, Meta(description="What was in it; backs, unless it was you.")]
    voids: Annotated[tuple[int, ...], Meta(description="Other open claims, which went with it.")]
    turn: Annotated[CheatTurn | None, Meta(description="The next turn; null: the round is over.")]


class ForfeitGiven(Struct, frozen=True, tag="cheat.forfeit_given"):
    """The loser of a challenge gives a forfeit; where it was one too many the seat's hand leaves play face down."""

    seat: Annotated[Seat, Meta(description="Who gives it.")]
    forfeits: Annotated[int, Meta(description="The seat's number of them in this round, this one counted.")]
    back: Annotated[int | None, Meta(description="The claim whose cards it takes back; null: none.")]
    out: Annotated[bool, Meta(description="Whether it was one too many: the seat is out of the round.")]
    locks: Annotated[tuple[int, ...], Meta(description="Claims that it is too late to doubt from now on.")]
    turn: Annotated[CheatTurn | None, Meta(description="The next turn; null: there is none in this round.")]


class CardsOwed(Struct, frozen=True, tag="cheat.cards_owed"):
    """A lost challenge must be paid by drawing."""

    seat: Annotated[Seat, Meta(description="Who must draw.")]
    count: Annotated[int, Meta(description="How many.")]
    back: Annotated[int | None, Meta(description="The claim whose cards the seat takes back before; null: none.")]
    turn: Annotated[CheatTurn | None, Meta(description="The turn after that; null: there is none in this round.")]


class Drawn(Struct, frozen=True, tag="cheat.drawn"):
    """Cards were drawn from the stock; where it ran short, the pile but its open claims was shuffled in under it."""

    seat: Annotated[Seat, Meta(description="Who draws.")]
    cards: Annotated[Cards, Meta(description="What; backs, unless it was you.")]
    from_pile: Annotated[Cards, Meta(description="What was shuffled in under the stock before, in backs.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was.")]


class Passed(Struct, frozen=True, tag="cheat.passed"):
    """Nothing was laid in this turn."""

    seat: Annotated[Seat, Meta(description="Who passes.")]
    locks: Annotated[tuple[int, ...], Meta(description="Claims that it is too late to doubt from now on.")]
    draws: Annotated[int, Meta(description="How many cards it costs.")]
    turn: Annotated[CheatTurn | None, Meta(description="The next turn; null: there is none in this round.")]


class PassProposed(Struct, frozen=True, tag="cheat.pass_proposed"):
    """The one in turn asks to be let off."""

    proposal_id: Annotated[int, Meta(description="Its number in the match; answers name it.")]
    seat: Annotated[Seat, Meta(description="Who asks.")]
    since: Annotated[datetime, Meta(description="Since when the clock of the turn stands still.")]
    until: Annotated[datetime, Meta(description="Until when all others must have consented.")]


class PassConsented(Struct, frozen=True, tag="cheat.pass_consented"):
    """Somebody lets the one in turn pass."""

    proposal_id: Annotated[int, Meta(description="The proposal.")]
    seat: Annotated[Seat, Meta(description="Who consents.")]


class PassDenied(Struct, frozen=True, tag="cheat.pass_denied"):
    """The one in turn must play: not all consented. The clock of the turn, which stood still, goes on."""

    proposal_id: Annotated[int, Meta(description="The proposal.")]
    seat: Annotated[Seat | None, Meta(description="Who is against it; null: somebody kept silent.")]
    turn: Annotated[CheatTurn, Meta(description="The turn, which goes on.")]


class Stood(Struct, frozen=True, tag="cheat.stood"):
    """The window of a last play has closed."""

    claim_id: Annotated[int, Meta(description="The last play.")]
    seat: Annotated[Seat, Meta(description="Who made it.")]


class RoundOver(Struct, frozen=True, tag="cheat.round_over"):
    """A round was counted."""

    round: Annotated[int, Meta(description="Its number.")]
    winners: Annotated[tuple[Seat, ...], Meta(description="Who won it; several share.")]
    because: Annotated[CheatEnding, Meta(description="What ended it.")]
    penalties: Annotated[tuple[int, ...], Meta(description="By seat: penalty points of this round.")]
    wins: Annotated[tuple[int, ...], Meta(description="By seat: rounds won so far.")]
    points: Annotated[tuple[int, ...], Meta(description="By seat: penalty points so far.")]
    deal_at: Annotated[datetime | None, Meta(description="When the next deal comes; null: there is none.")]


class RoundAccepted(Struct, frozen=True, tag="cheat.round_accepted"):
    """Somebody need not look at the finished round any longer."""

    seat: Annotated[Seat, Meta(description="Who need not wait for the next deal.")]


class Leaving(Struct, frozen=True, tag="cheat.leaving"):
    """The seat goes as soon as its open claims are settled, and acts no more."""

    seat: Annotated[Seat, Meta(description="Who.")]


class Left(Struct, frozen=True, tag="cheat.left"):
    """The seat's hand left play face down."""

    seat: Annotated[Seat, Meta(description="Who.")]
    locks: Annotated[tuple[int, ...], Meta(description="Claims that it is too late to doubt from now on.")]
    turn: Annotated[CheatTurn | None, Meta(description="Who goes on, where the turn was theirs; else null.")]


class MatchOver(Struct, frozen=True, tag="cheat.match_over"):
    """No further round follows."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won it; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: round wins, or penalty points where these count.")]


Event: TypeAlias = (
    Dealt
    | Claimed
    | Accepted
    | Challenged
    | PileTaken
    | ForfeitGiven
    | CardsOwed
    | Drawn
    | Passed
    | PassProposed
    | PassConsented
    | PassDenied
    | Stood
    | RoundOver
    | RoundAccepted
    | Leaving
    | Left
    | MatchOver
)
