"""What is looked at, done silently, accused, caught, and announced when it has survived."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from domain.games.monopoly.things import (
    MonopolyAccusation,
    MonopolyEffect,
    MonopolySight,
    MonopolySlip,
    Moved_,
    Witnesses,
)
from domain.kernel.game import Seat


class Watched(Struct, frozen=True, tag="monopoly_cheaters.watched"):
    """Told to that seat alone. `not_before`: when it may look elsewhere."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    zone: Annotated[str, Meta(description="tray, dice or seat:n.")]
    not_before: Annotated[datetime, Meta(description="From then on one may look elsewhere.")]
    sight: Annotated[MonopolySight, Meta(description="What lies there now.")]


class Slipped(Struct, frozen=True, tag="monopoly_cheaters.slipped"):
    """Something was done silently. `felt`: the victim's money afterwards, if he watched it himself."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    slip: Annotated[
        MonopolySlip, Meta(description="What was done silently along with it, if you did or saw it; else null.")
    ]
    victim: Annotated[Seat | None, Meta(description="Whose money it was; null: nobody's.")]
    felt: Annotated[
        int | None,
        Meta(description="What the victim has left, told to a victim that watched its own money; else null."),
    ]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class Undone(Struct, frozen=True, tag="monopoly_cheaters.undone"):
    """An attempt came to nothing, and nobody else hears of it."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    effect: Annotated[MonopolyEffect, Meta(description="What differs from the announced board.")]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class Spent(Struct, frozen=True, omit_defaults=True, tag="monopoly_cheaters.spent"):
    """What a seat had taken silently is spent, or built elsewhere: it cannot come back, and all see that it is gone."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    hotel: Annotated[
        str | None, Meta(description="From which street a hotel is gone for good; left out: it was money.")
    ] = None


class Accused(Struct, frozen=True, tag="monopoly_cheaters.accused"):
    """Somebody is accused, and the table votes."""

    accusation: Annotated[MonopolyAccusation, Meta(description="What the table votes on.")]


class VoteCast(Struct, frozen=True, tag="monopoly_cheaters.vote_cast"):
    """Somebody has voted."""

    accusation_id: Annotated[int, Meta(description="Which vote it is about.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]
    guilty: Annotated[bool, Meta(description="Whether it was done.")]


class Caught(Struct, frozen=True, tag="monopoly_cheaters.caught"):
    """`effect`: what is undone. A vote may be wrong: then it is nothing. `leaves`: the card leaves the table."""

    seat: Annotated[Seat, Meta(description="Who noticed.")]
    target: Annotated[Seat, Meta(description="Who did it.")]
    card: Annotated[str, Meta(description="The cheat.")]
    effect: Annotated[MonopolyEffect, Meta(description="What differs from the announced board.")]
    true: Annotated[bool, Meta(description="Whether it was really done; a vote may be wrong.")]
    leaves: Annotated[bool, Meta(description="Whether the cheat card leaves the table.")]


class WronglyAccused(Struct, frozen=True, tag="monopoly_cheaters.wrongly_accused"):
    """The accusation was wrong."""

    seat: Annotated[Seat, Meta(description="Who accuses.")]
    target: Annotated[Seat, Meta(description="Who did not do it, or not that.")]
    card: Annotated[str, Meta(description="Of what.")]


class Succeeded(Struct, frozen=True, tag="monopoly_cheaters.succeeded"):
    """It survived: what was done is announced, and `moved` is the reward. A free cheat has no name to it."""

    seat: Annotated[Seat | None, Meta(description="Who did it; null: nobody is named.")]
    card: Annotated[str | None, Meta(description="The cheat; null: a free one.")]
    effect: Annotated[MonopolyEffect, Meta(description="What differs from the announced board.")]
    moved: Annotated[Moved_, Meta(description="The reward.")]
    leaves: Annotated[bool, Meta(description="Whether the cheat card leaves the table.")]


class CardsTurned(Struct, frozen=True, tag="monopoly_cheaters.cards_turned"):
    """New cheat cards lie open."""

    cards: Annotated[tuple[str, ...], Meta(description="The new ones.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]


class Reverted(Struct, frozen=True, tag="monopoly_cheaters.reverted"):
    """A purchase after a false throw is returned for its price; without a street, money for a card."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    street: Annotated[str | None, Meta(description="What is returned; null: it is for a card.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]


class PlacingAsked(Struct, frozen=True, tag="monopoly_cheaters.placing_asked"):
    """`seat` says where the `token` of another goes."""

    seat: Annotated[Seat, Meta(description="Who says where it goes.")]
    token: Annotated[Seat, Meta(description="Whose token.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]


class Placed(Struct, frozen=True, tag="monopoly_cheaters.placed"):
    """A cheater's token was set."""

    seat: Annotated[Seat, Meta(description="Who says so.")]
    token: Annotated[Seat, Meta(description="Whose token.")]
    square: Annotated[int, Meta(description="0 is LOS, up to 35.")]
