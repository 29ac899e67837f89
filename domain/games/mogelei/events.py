"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/mogelei.py``.

Descriptions speak to whoever is told of it: they stand in the catalogue.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.cards import Card, Cards
from domain.kernel.game import Seat


class MogeleiTurn(Struct, frozen=True):
    """Who must act."""

    seat: Annotated[Seat, Meta(description="Who must act.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts for the seat; null: never.")]


class MogeleiHidden(Struct, frozen=True):
    """A card that was kept hidden until its round was ended."""

    pass_id: Annotated[int, Meta(description="In which pass it was laid.")]
    seat: Annotated[Seat, Meta(description="By whom.")]
    card: Annotated[Card, Meta(description="What it is, for all to see.")]


class Dealt(Struct, frozen=True, tag="mogelei.dealt"):
    """A hand begins."""

    hand: Annotated[int, Meta(description="Its number, 1 to 5.")]
    dealer: Annotated[Seat, Meta(description="Who deals; the next seat calls.")]
    hands: Annotated[tuple[Cards, ...], Meta(description="By seat; but for your own, backs.")]
    away: Annotated[Cards, Meta(description="Cards that take no part, in backs: where a sandbox deal leaves some out.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]
    turn: Annotated[MogeleiTurn, Meta(description="Who calls the first colour.")]


class ColourCalled(Struct, frozen=True, tag="mogelei.colour_called"):
    """A round begins; all lay a card."""

    round: Annotated[int, Meta(description="Its number in the hand; the first is 1.")]
    pass_id: Annotated[int, Meta(description="The number of its first pass in the match; the first is 0.")]
    seat: Annotated[Seat, Meta(description="Who called.")]
    colour: Annotated[str, Meta(description="What all must lay who hold it.")]
    until: Annotated[datetime | None, Meta(description="Then the House lays for all who have not; null: never.")]


class Laid(Struct, frozen=True, tag="mogelei.laid"):
    """You have laid a card. The others are told nothing before all are in."""

    pass_id: Annotated[int, Meta(description="The pass.")]
    seat: Annotated[Seat, Meta(description="Your seat.")]
    card: Annotated[Card, Meta(description="What was laid.")]
    late: Annotated[bool, Meta(description="Whether time was up, and the House has laid it.")]


class AllLaid(Struct, frozen=True, tag="mogelei.all_laid"):
    """Every card of the pass lies face down."""

    pass_id: Annotated[int, Meta(description="The pass.")]
    cards: Annotated[
        tuple[Cards, ...], Meta(description="By seat, a card each, none where nobody laid; but for your own, backs.")
    ]
    turn: Annotated[MogeleiTurn, Meta(description="Who shows a card first, or keeps it hidden.")]
    waiting: Annotated[tuple[Seat, ...], Meta(description="Who answers after that, in this order.")]


class Revealed(Struct, frozen=True, tag="mogelei.revealed"):
    """Somebody shows a card, which is of the colour called."""

    pass_id: Annotated[int, Meta(description="The pass.")]
    seat: Annotated[Seat, Meta(description="Who shows it.")]
    card: Annotated[Card, Meta(description="What it is, for all to see.")]
    turn: Annotated[MogeleiTurn | None, Meta(description="Who answers next; null: all have.")]


class KeptHidden(Struct, frozen=True, tag="mogelei.kept_hidden"):
    """Somebody does not show a card, as if it were of another colour."""

    pass_id: Annotated[int, Meta(description="The pass.")]
    seat: Annotated[Seat, Meta(description="Whose card it is.")]
    turn: Annotated[MogeleiTurn | None, Meta(description="Who answers next; null: all have.")]


class ControlTaken(Struct, frozen=True, tag="mogelei.control_taken"):
    """Somebody decides what comes after this pass."""

    pass_id: Annotated[int, Meta(description="The pass.")]
    turn: Annotated[MogeleiTurn, Meta(description="Who decides.")]


class RoundContinued(Struct, frozen=True, tag="mogelei.round_continued"):
    """All lay one more card to the same colour."""

    pass_id: Annotated[int, Meta(description="The new pass.")]
    seat: Annotated[Seat, Meta(description="Who continued, and is its caller.")]
    until: Annotated[datetime | None, Meta(description="Then the House lays for all who have not; null: never.")]


class Doubted(Struct, frozen=True, tag="mogelei.doubted"):
    """One hidden card is shown to all."""

    pass_id: Annotated[int, Meta(description="In which pass it was laid.")]
    seat: Annotated[Seat, Meta(description="Who doubted.")]
    doubted: Annotated[Seat, Meta(description="Whose card it is.")]
    card: Annotated[Card, Meta(description="What it is.")]
    right: Annotated[bool, Meta(description="Whether it is of the colour called.")]


class RoundEnded(Struct, frozen=True, tag="mogelei.round_ended"):
    """All cards that were kept hidden in the round are shown."""

    seat: Annotated[Seat, Meta(description="Who ended it.")]
    hidden: Annotated[tuple[MogeleiHidden, ...], Meta(description="The cards, pass by pass.")]
    liar: Annotated[Seat | None, Meta(description="Whose is the highest of the colour called; null: there is none.")]


class PileKept(Struct, frozen=True, tag="mogelei.pile_kept"):
    """All cards of the round go face down to one seat."""

    seat: Annotated[Seat, Meta(description="Who keeps them.")]
    cards: Annotated[Cards, Meta(description="Which these are; backs, unless it is you.")]
    egg: Annotated[Seat | None, Meta(description="Who gets an egg card for the round; null: nobody.")]
    turn: Annotated[MogeleiTurn | None, Meta(description="Who calls the next round; null: no card is left to lay.")]


class HandOver(Struct, frozen=True, tag="mogelei.hand_over"):
    """A hand is counted."""

    hand: Annotated[int, Meta(description="Its number.")]
    eggs: Annotated[tuple[int, ...], Meta(description="By seat: egg cards.")]
    fried: Annotated[tuple[int, ...], Meta(description="By seat: fried eggs on the cards that were kept.")]
    gained: Annotated[
        tuple[int, ...], Meta(description="By seat: what these make, 3 for an egg card and -1 for a fried egg.")
    ]
    points: Annotated[tuple[int, ...], Meta(description="By seat: points of the match so far.")]
    deal_at: Annotated[
        datetime | None,
        Meta(description="When the next deal comes, if not all accept before; null: the match is over."),
    ]


class HandAccepted(Struct, frozen=True, tag="mogelei.hand_accepted"):
    """Somebody need not look at the finished hand any longer."""

    seat: Annotated[Seat, Meta(description="Who.")]


class Left(Struct, frozen=True, tag="mogelei.left"):
    """Somebody has left for good; the hand left play face down."""

    seat: Annotated[Seat, Meta(description="Who.")]
    turn: Annotated[
        MogeleiTurn | None, Meta(description="Who acts instead, where it was the turn of this seat; null: it was not.")
    ]


class MatchOver(Struct, frozen=True, tag="mogelei.match_over"):
    """The match is decided."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: points.")]


Event: TypeAlias = (
    Dealt
    | ColourCalled
    | Laid
    | AllLaid
    | Revealed
    | KeptHidden
    | ControlTaken
    | RoundContinued
    | Doubted
    | RoundEnded
    | PileKept
    | HandOver
    | HandAccepted
    | Left
    | MatchOver
)
