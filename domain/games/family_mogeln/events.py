"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/family_mogeln.py``.

How many cards a lay has is told to nobody but who laid them, so whatever is public counts each lay as one card.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.cards import Card, Cards
from domain.kernel.game import Seat


class Turn(Struct, frozen=True):
    """Whose turn it is."""

    seat: Annotated[Seat, Meta(description="Who has the turn.")]
    rank: Annotated[str | None, Meta(description="What must be said; null: any rank.")]
    until: Annotated[datetime | None, Meta(description="Then the House lays for the seat; null: never.")]
    left: Annotated[int, Meta(description="Turns left in the round, this one counted.")]
    sat_out: Annotated[tuple[Seat, ...], Meta(description="Who sat out while this rank was due.")] = ()


class Ending(StrEnum):
    """What ended a round."""

    EMPTIED = "emptied"  # a hand is empty
    LAST_IN = "last_in"  # all others are gone
    TURNS = "turns"  # no turn is left: fewest cards


class Dealt(Struct, frozen=True, tag="family_mogeln.dealt"):
    """A round begins."""

    round: Annotated[int, Meta(description="Its number; the first is 1.")]
    dealer: Annotated[Seat, Meta(description="Who deals; the next seat begins.")]
    hands: Annotated[tuple[Cards, ...], Meta(description="By seat; but for your own, nothing.")]
    sizes: Annotated[tuple[int, ...], Meta(description="By seat, how many cards were dealt.")]
    aside: Annotated[Cards, Meta(description="What is left over and takes no part, in backs.")]
    packs: Annotated[int, Meta(description="Packs of 52 cards in play, with three jokers each.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]
    turn: Annotated[Turn, Meta(description="The first turn.")]


class ControlBegan(Struct, frozen=True, tag="family_mogeln.control_began"):
    """The first round of lays is over: from the next lay on, lays can be controlled."""


class Laid(Struct, frozen=True, tag="family_mogeln.laid"):
    """A card was laid face down and said to be of this rank."""

    claim_id: Annotated[int, Meta(description="Its number in the match; a control names it.")]
    seat: Annotated[Seat, Meta(description="Who laid it.")]
    rank: Annotated[str, Meta(description="What it is said to be.")]
    cards: Annotated[Cards, Meta(description="What you laid, the last on top; empty, unless it was you.")]
    not_before: Annotated[
        datetime | None,
        Meta(description="From when the next turn can be taken, if not all accept before; null: it has no window."),
    ]
    turn: Annotated[Turn | None, Meta(description="The next turn; null: there is none in this round.")]
    closes_at: Annotated[
        datetime | None, Meta(description="When the window of the last turn's lay closes; null: the next turn does it.")
    ]


class SatOut(Struct, frozen=True, tag="family_mogeln.sat_out"):
    """Nothing was laid in this turn."""

    seat: Annotated[Seat, Meta(description="Who sat out.")]
    turn: Annotated[Turn | None, Meta(description="The next turn; null: there is none in this round.")]


class Accepted(Struct, frozen=True, tag="family_mogeln.accepted"):
    """Somebody has no objection to a lay for now, which binds nobody."""

    claim_id: Annotated[int, Meta(description="The lay.")]
    seat: Annotated[Seat, Meta(description="Who has no objection for now.")]


class Controlled(Struct, frozen=True, tag="family_mogeln.controlled"):
    """The card on top was turned up for all to see."""

    claim_id: Annotated[int, Meta(description="The lay.")]
    seat: Annotated[Seat, Meta(description="Who laid it.")]
    controller: Annotated[Seat, Meta(description="Who had it turned up.")]
    rank: Annotated[str, Meta(description="What it was said to be.")]
    card: Annotated[Card, Meta(description="What it is.")]
    stands: Annotated[bool, Meta(description="Whether it is that, or a joker.")]


class Counted(Struct, frozen=True, tag="family_mogeln.counted"):
    """The cards of a lay were counted for all to see, and none was turned up."""

    claim_id: Annotated[int, Meta(description="The lay.")]
    seat: Annotated[Seat, Meta(description="Who laid it.")]
    controller: Annotated[Seat, Meta(description="Who had it counted.")]
    count: Annotated[int, Meta(description="How many cards it has.")]
    stands: Annotated[bool, Meta(description="Whether it is one card, as it should be.")]


class PileTaken(Struct, frozen=True, tag="family_mogeln.pile_taken"):
    """The loser of a control takes all that was laid; how many cards they are is seen by all."""

    seat: Annotated[Seat, Meta(description="Who takes it.")]
    cards: Annotated[Cards, Meta(description="What was in it; empty, unless it was you.")]
    size: Annotated[int, Meta(description="How many cards they truly are.")]
    turn: Annotated[Turn | None, Meta(description="The next turn; null: the round is over.")]


class Stood(Struct, frozen=True, tag="family_mogeln.stood"):
    """The window of the last turn's lay has closed."""

    claim_id: Annotated[int, Meta(description="The lay.")]
    seat: Annotated[Seat, Meta(description="Who laid it.")]


class RoundOver(Struct, frozen=True, tag="family_mogeln.round_over"):
    """A round is over, and all may count."""

    round: Annotated[int, Meta(description="Its number.")]
    winners: Annotated[tuple[Seat, ...], Meta(description="Who won it; several share it.")]
    because: Annotated[Ending, Meta(description="What ended it.")]
    sizes: Annotated[tuple[int, ...], Meta(description="By seat, how many cards are truly left.")]
    pile: Annotated[int, Meta(description="How many cards truly lie in the pile.")]
    wins: Annotated[tuple[int, ...], Meta(description="By seat, rounds won in the match so far.")]
    points: Annotated[tuple[int, ...], Meta(description="By seat, penalty points in the match so far.")]
    deal_at: Annotated[datetime | None, Meta(description="When the next round is dealt; null: there is none.")]


class RoundAccepted(Struct, frozen=True, tag="family_mogeln.round_accepted"):
    """Somebody is ready for the next deal."""

    seat: Annotated[Seat, Meta(description="Who is ready.")]


class Leaving(Struct, frozen=True, tag="family_mogeln.leaving"):
    """The seat goes as soon as its open lay is settled, and acts no more."""

    seat: Annotated[Seat, Meta(description="Who goes.")]


class Left(Struct, frozen=True, tag="family_mogeln.left"):
    """The seat's hand left play face down."""

    seat: Annotated[Seat, Meta(description="Who went.")]
    starter: Annotated[Seat | None, Meta(description="Who counts as the round's starter now; null: no round yet.")]
    turn: Annotated[Turn | None, Meta(description="Who goes on, where it was the leaver's turn.")]


class MatchOver(Struct, frozen=True, tag="family_mogeln.match_over"):
    """No further round follows."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won the match; several share it.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: rounds won, or penalty points where these count.")]


Event: TypeAlias = (
    Dealt
    | ControlBegan
    | Laid
    | SatOut
    | Accepted
    | Controlled
    | Counted
    | PileTaken
    | Stood
    | RoundOver
    | RoundAccepted
    | Leaving
    | Left
    | MatchOver
)
