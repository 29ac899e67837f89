"""What a match stands at, each with only what exists in it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.monopoly.data import DeckName
from domain.kernel.game import Seat


class MonopolyTurn(Struct, frozen=True):
    """`number` counts turns from 1 and is the id of the boundary that ends the turn before."""

    number: Annotated[int, Meta(description="Turns are counted from 1.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]
    doubles: Annotated[int, Meta(description="Doubles thrown in this turn.")] = 0
    again: Annotated[bool, Meta(description="Whether a double gives another throw.")] = (
        False  # a double was thrown: another throw is due
    )


class ToSetUp(Struct, frozen=True, tag="monopoly_cheaters.to_set_up"):
    """Before the first throw."""


class ToRoll(Struct, frozen=True, tag="monopoly_cheaters.to_roll"):
    """`first`: the throw that will end the turn before; it waits until `not_before`, or for all to accept."""

    first: Annotated[bool, Meta(description="Whether it is the first of the turn, which ends the turn before.")]
    not_before: Annotated[
        datetime, Meta(description="From then on the dice may be taken, or when all others have accepted.")
    ]
    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Who has no objection so far.")] = ()


class ToThrow(Struct, frozen=True, tag="monopoly_cheaters.to_throw"):
    """The dice are to be thrown."""

    in_jail: Annotated[bool, Meta(description="Whether it is a prisoner's try for a double.")]


class ToMove(Struct, frozen=True, tag="monopoly_cheaters.to_move"):
    """The move is waited for."""

    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]
    in_jail: Annotated[bool, Meta(description="Whether it is a prisoner's try for a double.")]


class ToBuy(Struct, frozen=True, tag="monopoly_cheaters.to_buy"):
    """`short`: he wanted to, and had not the money."""

    street: Annotated[str, Meta(description="By its name in the data.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]
    short: Annotated[bool, Meta(description="Whether the money was not there.")] = False


class ToChoose(Struct, frozen=True, tag="monopoly_cheaters.to_choose"):
    """Frei Parken: which deck."""

    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]


class ToDraw(Struct, frozen=True, tag="monopoly_cheaters.to_draw"):
    """A card is to be drawn."""

    deck: Annotated[DeckName, Meta(description="Of which deck.")]


class ToRead(Struct, frozen=True, tag="monopoly_cheaters.to_read"):
    """A card is drawn, and its drawer alone knows it."""

    deck: Annotated[DeckName, Meta(description="Of which deck.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]


class Resolving(Struct, frozen=True, tag="monopoly_cheaters.resolving"):
    """Debts and auctions are settled before the turn goes on."""


class Done(Struct, frozen=True, tag="monopoly_cheaters.done"):
    """Nothing is left to do in this turn but to pass the tray."""

    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]


class Closing(Struct, frozen=True, tag="monopoly_cheaters.closing"):
    """All stand on LOS: the last window."""

    until: Annotated[datetime, Meta(description="Then the House acts; null: never.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Who has no objection so far.")] = ()


class Ended(Struct, frozen=True, tag="monopoly_cheaters.ended"):
    """It is over."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who has the most; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="Cash by seat.")]


Phase: TypeAlias = (
    ToSetUp | ToRoll | ToThrow | ToMove | ToBuy | ToChoose | ToDraw | ToRead | Resolving | Done | Closing | Ended
)
