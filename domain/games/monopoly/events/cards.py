"""Chance and Community Chest."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.monopoly.data import DeckName
from domain.games.monopoly.things import MonopolySlip, Moved_, Witnesses
from domain.kernel.game import Seat


class CardDrawn(Struct, frozen=True, tag="monopoly_cheaters.card_drawn"):
    """A card was drawn."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    deck: Annotated[DeckName, Meta(description="Of which deck.")]
    card: Annotated[str, Meta(description="`??`, unless it is yours.")]
    reshuffled: Annotated[bool, Meta(description="Whether the deck was shuffled before.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]


class CardRead(Struct, frozen=True, tag="monopoly_cheaters.card_read"):
    """`announced` was read out; `card` was drawn."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    deck: Annotated[DeckName, Meta(description="Of which deck.")]
    announced: Annotated[str, Meta(description="What was read out.")]
    card: Annotated[str, Meta(description="What was drawn; `??`, if you did not see it.")]
    bribe: Annotated[bool, Meta(description="Whether the judges are bribed.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    slip: Annotated[
        MonopolySlip | None, Meta(description="What was done silently along with it, if you did or saw it; else null.")
    ]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class CardUsed(Struct, frozen=True, tag="monopoly_cheaters.card_used"):
    """One that was held."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    deck: Annotated[DeckName, Meta(description="Of which deck.")]
    card: Annotated[str, Meta(description="The card, by its name in the data.")]


class CardKept(Struct, frozen=True, tag="monopoly_cheaters.card_kept"):
    """A card is kept."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    deck: Annotated[DeckName, Meta(description="Of which deck.")]
    card: Annotated[str, Meta(description="`??`, unless it is yours.")]


class CardReturned(Struct, frozen=True, tag="monopoly_cheaters.card_returned"):
    """`held`: it was the older of two; the one just drawn is kept."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    deck: Annotated[DeckName, Meta(description="Of which deck.")]
    card: Annotated[str, Meta(description="`??`, unless it is yours.")]
    held: Annotated[bool, Meta(description="Whether it was the older of two.")]
