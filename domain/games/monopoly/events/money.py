"""Streets and hotels bought or sold, rent, and what is owed and paid."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from domain.games.monopoly.things import MonopolyDebt, MonopolySlip, Moved_, What, Witnesses
from domain.kernel.game import Seat


class Bought(Struct, frozen=True, tag="monopoly_cheaters.bought"):
    """A free street was bought."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    street: Annotated[str, Meta(description="By its name in the data.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]


class Declined(Struct, frozen=True, tag="monopoly_cheaters.declined"):
    """A free street was not bought."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    street: Annotated[str, Meta(description="By its name in the data.")]


class RentDemanded(Struct, frozen=True, tag="monopoly_cheaters.rent_demanded"):
    """Somebody demands rent."""

    debt: Annotated[MonopolyDebt, Meta(description="What is owed or demanded.")]
    slip: Annotated[
        MonopolySlip | None, Meta(description="What was done silently along with it, if you did or saw it; else null.")
    ]


class DebtArose(Struct, frozen=True, tag="monopoly_cheaters.debt_arose"):
    """Somebody owes something."""

    debt: Annotated[MonopolyDebt, Meta(description="What is owed or demanded.")]


class DebtsVoided(Struct, frozen=True, tag="monopoly_cheaters.debts_voided"):
    """What was owed, and what could have been demanded, for standing where one should not."""

    debt_ids: Annotated[tuple[int, ...], Meta(description="What is not owed any more.")]
    landing_ids: Annotated[tuple[int, ...], Meta(description="For which landings nothing can be demanded any more.")]


class Halved(Struct, frozen=True, tag="monopoly_cheaters.halved"):
    """A rent was halved."""

    debt_id: Annotated[int, Meta(description="Which debt or demand it is about.")]
    amount: Annotated[int, Meta(description="In whole units.")]


class Paid(Struct, frozen=True, tag="monopoly_cheaters.paid"):
    """As it was announced. No `debt_id`: a penalty that was taken at once."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    debt_id: Annotated[int | None, Meta(description="Which debt or demand it settles; null: it was not asked for.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]
    slip: Annotated[
        MonopolySlip | None, Meta(description="What was done silently along with it, if you did or saw it; else null.")
    ]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class FellShort(Struct, frozen=True, tag="monopoly_cheaters.fell_short"):
    """The money, or the hotel, was not there."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    what: Annotated[What, Meta(description="What for.")]
    need: Annotated[int, Meta(description="How much was needed.")]
    debt_id: Annotated[int | None, Meta(description="Which debt; null: it was none.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts; null: nothing is due.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]


class HotelBuilt(Struct, frozen=True, tag="monopoly_cheaters.hotel_built"):
    """A hotel stands on a street."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    street: Annotated[str, Meta(description="By its name in the data.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]


class HotelClaimed(Struct, frozen=True, tag="monopoly_cheaters.hotel_claimed"):
    """Of the last hotel; the first claim opens the window."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    street: Annotated[str, Meta(description="By its name in the data.")]
    closes_at: Annotated[datetime, Meta(description="Then it closes.")]


class HotelWindowClosed(Struct, frozen=True, tag="monopoly_cheaters.hotel_window_closed"):
    """Who wanted the last hotel has said so."""


class SoldToBank(Struct, frozen=True, tag="monopoly_cheaters.sold_to_bank"):
    """A street was sold to the bank."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    street: Annotated[str, Meta(description="By its name in the data.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]


class PotRefilled(Struct, frozen=True, tag="monopoly_cheaters.pot_refilled"):
    """The reserve fills the pot up."""

    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
