"""What ends: a seat, the sale of streets, the match."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.monopoly.things import Moved_
from domain.kernel.game import Seat
from domain.kernel.ledger import Account


class Bankrupted(Struct, frozen=True, tag="monopoly_cheaters.bankrupted"):
    """`heir` gets streets, cards and the rest of the money; the pot auctions the streets as `lots`.

    `unseen`: what of it the announced board does not know, told to the heir, and to all where it is the
    pot; `cards` in the order of their decks.
    """

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    heir: Annotated[Account, Meta(description="Who gets everything: `pot` or `seat:n`.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    unseen: Annotated[int | None, Meta(description="Money that only the parties are told of.")]
    lots: Annotated[tuple[str, ...], Meta(description="Streets to be auctioned, in order.")]
    cards: Annotated[tuple[str, ...], Meta(description="Cards that were held; `??`, unless they become yours.")]


class Left(Struct, frozen=True, tag="monopoly_cheaters.left"):
    """Nobody takes this seat over."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]


class SoldOut(Struct, frozen=True, tag="monopoly_cheaters.sold_out"):
    """All streets are owned: who reaches LOS now stays there."""


class FinalRents(Struct, frozen=True, tag="monopoly_cheaters.final_rents"):
    """What each of its streets brings a seat at the end."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    moved: Annotated[Moved_, Meta(description="What each street brings.")]


class MatchOver(Struct, frozen=True, tag="monopoly_cheaters.match_over"):
    """`scores`: cash by seat, as it truly is."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who has the most; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="Cash by seat.")]
