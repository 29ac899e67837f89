"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/mogler.py``.

Descriptions speak to whoever is told of it: they stand in the catalogue.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.mogler.deck import Stop, Suit
from domain.kernel.cards import Card, Cards
from domain.kernel.game import Seat


class MoglerTurn(Struct, frozen=True):
    """Who has to act."""

    seat: Annotated[Seat, Meta(description="Who.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts for the seat; null: never.")]


class TrickCard(Struct, frozen=True):
    """A card that lies in a trick."""

    seat: Annotated[Seat, Meta(description="Who played it.")]
    card: Annotated[Card, Meta(description="Which.")]


class MoglerScore(Struct, frozen=True):
    """The stars of a seat in one round, by what they are for. Who was caught or is gone has none."""

    suit_tricks: Annotated[int, Meta(description="Three for each suit trick.")] = 0
    trump_tricks: Annotated[int, Meta(description="Two for each trump trick.")] = 0
    mogelstich: Annotated[
        int,
        Meta(
            description="If the round ended early: two for each card in hand and own trump trick that shows its suit."
        ),
    ] = 0
    no_trick: Annotated[int, Meta(description="Where no trick was taken: one for each player at the table.")] = 0

    @property
    def stars(self) -> int:
        return self.suit_tricks + self.trump_tricks + self.mogelstich + self.no_trick


class Dealt(Struct, frozen=True, tag="mogler.dealt"):
    """A round begins: everybody lays a card for the lead."""

    round: Annotated[int, Meta(description="Its number; the first is 1.")]
    hands: Annotated[tuple[Cards, ...], Meta(description="By seat; but for your own, backs.")]
    stock: Annotated[Cards, Meta(description="The draw pile, in backs.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]
    until: Annotated[datetime | None, Meta(description="Then the House lays for whoever has not; null: never.")]


class OpeningLaid(Struct, frozen=True, tag="mogler.opening_laid"):
    """A card was laid for the lead. Only its seat is told."""

    seat: Annotated[Seat, Meta(description="Who laid it: you.")]
    cards: Annotated[Cards, Meta(description="The card.")]
    timed_out: Annotated[
        bool, Meta(description="Whether the House laid it, time being up; then it lays for all others who have not.")
    ]


class OpeningTurned(Struct, frozen=True, tag="mogler.opening_turned"):
    """All have laid; the cards are turned together and leave the game face up."""

    lays: Annotated[tuple[Cards, ...], Meta(description="By seat: the card; none where nobody is.")]
    leader: Annotated[Seat, Meta(description="Who laid the highest, and leads.")]


class StopTurned(Struct, frozen=True, tag="mogler.stop_turned"):
    """A STOP card before a trick."""

    trick: Annotated[int, Meta(description="The number of the trick; the first is 1.")]
    seat: Annotated[Seat, Meta(description="Who is about to lead.")]
    stop: Annotated[Stop, Meta(description="The card.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was.")]
    turn: Annotated[
        MoglerTurn | None, Meta(description="Who leads, or at an S may draw first; null: the round ended early.")
    ]


class SDeclined(Struct, frozen=True, tag="mogler.s_declined"):
    """No card is drawn for the S."""

    seat: Annotated[Seat, Meta(description="Who does not.")]
    turn: Annotated[MoglerTurn | None, Meta(description="Who leads; null: the round ended early.")]


class SUsed(Struct, frozen=True, tag="mogler.s_used"):
    """A card is to be drawn for the S."""

    seat: Annotated[Seat, Meta(description="Who draws.")]


class Drawn(Struct, frozen=True, tag="mogler.drawn"):
    """A card was drawn for the S; one must be discarded."""

    seat: Annotated[Seat, Meta(description="Who drew.")]
    cards: Annotated[Cards, Meta(description="The card; a back, unless it was you.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was.")]
    turn: Annotated[MoglerTurn, Meta(description="The same seat, to discard.")]


class SDiscarded(Struct, frozen=True, tag="mogler.s_discarded"):
    """A card leaves the game face up, for the one drawn."""

    seat: Annotated[Seat, Meta(description="Who discards.")]
    card: Annotated[Card, Meta(description="Which.")]
    turn: Annotated[MoglerTurn | None, Meta(description="Who leads; null: the round ended early.")]


class Played(Struct, frozen=True, tag="mogler.played"):
    """A card was played."""

    seat: Annotated[Seat, Meta(description="Who played it.")]
    card: Annotated[Card, Meta(description="Which.")]
    turn: Annotated[MoglerTurn | None, Meta(description="Who plays next; null: all have played to the trick.")]


class Caught(Struct, frozen=True, tag="mogler.caught"):
    """Somebody played a suit that is locked for him: the card, his hand and his tricks leave the game face up."""

    seat: Annotated[Seat, Meta(description="Who.")]
    card: Annotated[Card, Meta(description="What was played; it is not in the trick.")]
    hand: Annotated[Cards, Meta(description="The rest of the hand, for all to see.")]
    turn: Annotated[
        MoglerTurn | None,
        Meta(description="Who goes on in this trick; null: all have played to it, or the round is over."),
    ]
    ends: Annotated[bool, Meta(description="Whether the round is over at once.")]


class TrickTaken(Struct, frozen=True, tag="mogler.trick_taken"):
    """A trick was collected. A trump trick shows its led card and locks that suit for whoever took it."""

    trick: Annotated[int, Meta(description="Its number.")]
    seat: Annotated[
        Seat | None, Meta(description="Who takes it; null: nobody who is still there can, and it leaves the game.")
    ]
    plays: Annotated[tuple[TrickCard, ...], Meta(description="Its cards, the led one first.")]
    trump: Annotated[Suit | None, Meta(description="The trump suit; null: it is a suit trick.")]
    leader: Annotated[Seat | None, Meta(description="Who leads the next; null: there is none in this round.")]


class RoundOver(Struct, frozen=True, tag="mogler.round_over"):
    """A round was counted."""

    round: Annotated[int, Meta(description="Its number.")]
    early: Annotated[bool, Meta(description="Whether STOP ended it.")]
    scores: Annotated[tuple[MoglerScore, ...], Meta(description="By seat: the stars of this round.")]
    shown: Annotated[tuple[Cards, ...], Meta(description="By seat: cards in hand that count for a Mogelstich.")]
    stars: Annotated[tuple[int, ...], Meta(description="By seat: all stars so far.")]
    deal_at: Annotated[datetime | None, Meta(description="When the next deal comes; null: there is none.")]


class RoundAccepted(Struct, frozen=True, tag="mogler.round_accepted"):
    """Somebody need not look at the finished round any longer."""

    seat: Annotated[Seat, Meta(description="Who need not wait for the next deal.")]


class Left(Struct, frozen=True, tag="mogler.left"):
    """The hand of a seat left play face down."""

    seat: Annotated[Seat, Meta(description="Whose.")]
    turn: Annotated[
        MoglerTurn | None,
        Meta(description="Who has to act now; null while all lay, between rounds, at the end of trick or round."),
    ]
    ends: Annotated[bool, Meta(description="Whether the round is over at once.")]


class MatchOver(Struct, frozen=True, tag="mogler.match_over"):
    """No further round is played."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won it; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: all stars.")]


Event: TypeAlias = (
    Dealt
    | OpeningLaid
    | OpeningTurned
    | StopTurned
    | SDeclined
    | SUsed
    | Drawn
    | SDiscarded
    | Played
    | Caught
    | TrickTaken
    | RoundOver
    | RoundAccepted
    | Left
    | MatchOver
)
