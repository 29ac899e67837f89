"""What lies on the table, open or not, and what can be owed, offered and done: parts of events and of phases."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.monopoly.data import DeckName
from domain.kernel.game import Seat
from domain.kernel.ledger import Account, Movement

Moved_: TypeAlias = tuple[Movement, ...]
Witnesses: TypeAlias = tuple[Seat, ...]


class How(StrEnum):
    """What moved a token."""

    THROW = "throw"
    STATION = "station"
    CARD = "card"
    BACK = "back"
    VISIT = "visit"  # out of jail, to Just Visiting
    SWAP = "swap"
    PUT_RIGHT = "put_right"  # to the right square, after loaded dice
    PLACED = "placed"


class Cause(StrEnum):
    """Why somebody owes."""

    RENT = "rent"
    CARD = "card"
    JAIL = "jail"
    ACCUSATION = "accusation"
    PENALTY = "penalty"
    MISSING = "missing"  # of what was taken, the part that is not there any more


class What(StrEnum):
    """For what somebody, or the tray, fell short."""

    STREET = "street"
    BID = "bid"
    HOTEL = "hotel"
    NO_HOTEL = "no_hotel"  # the tray has none, whatever was announced
    DEBT = "debt"
    DEMAND = "demand"
    JAIL = "jail"


class TradeEnd(StrEnum):
    """Why an offer is gone."""

    WITHDRAWN = "withdrawn"
    DECLINED = "declined"
    REPLACED = "replaced"
    STALE = "stale"  # what it speaks of has changed hands
    SHORT = "short"  # the money is not there


class MonopolyEffect(Struct, frozen=True, omit_defaults=True):
    """What a silent act changed on the true board, over against the announced one.

    `deeds`: street, and where its deed lies now. `token` truly stands on `square`, and the cheater's own still on
    `stays`. `right`: where an honest move would have led, after throw number `throws`. `debt_id`: what was
    demanded or paid falsely: `amount` by `payer` for this landing, where `rent` is due. `card` was drawn, where
    `read` was read out.
    """

    moved: Annotated[tuple[Movement, ...], Meta(description="Money as it was moved silently.")] = ()
    deeds: Annotated[tuple[tuple[str, Account], ...], Meta(description="Streets, and where their deeds lie now.")] = ()
    hotel_on: Annotated[str | None, Meta(description="A hotel that stands on this street.")] = None
    hotel_off: Annotated[str | None, Meta(description="A hotel that is gone from this street.")] = None
    cuff_off: Annotated[bool, Meta(description="The handcuff is off, and nobody has noticed.")] = False
    token: Annotated[Seat | None, Meta(description="Whose token truly moved.")] = None
    square: Annotated[int | None, Meta(description="Where a token truly is, or was led falsely.")] = None
    stays: Annotated[int | None, Meta(description="Where the cheater's own token still is.")] = None
    right: Annotated[int | None, Meta(description="The square to which the throw leads.")] = None
    throws: Annotated[int | None, Meta(description="After which throw.")] = None
    debt_id: Annotated[int | None, Meta(description="Which debt or demand it is about.")] = None
    landing_id: Annotated[int | None, Meta(description="Which landing it is about.")] = None
    payer: Annotated[Seat | None, Meta(description="Of whom it was demanded.")] = None
    rent: Annotated[int, Meta(description="What was due.")] = 0
    amount: Annotated[int, Meta(description="In whole units.")] = 0
    card: Annotated[str | None, Meta(description="What was drawn.")] = None
    read: Annotated[str | None, Meta(description="What is read out in its place.")] = None

    @property
    def nothing(self) -> bool:
        return self == _NOTHING


_NOTHING = MonopolyEffect()


class MonopolySlip(Struct, frozen=True):
    """A silent act. `card`: the cheat card or the kind of free cheat, known only to its doer (null: not told)."""

    card: Annotated[str | None, Meta(description="For which cheat; null: you did not do it.")]
    since: Annotated[datetime, Meta(description="When it was done.")]
    effect: Annotated[MonopolyEffect, Meta(description="What differs from the announced board.")]


class MonopolyLanding(Struct, frozen=True):
    """Somebody stands on another's street. `rent` is fixed; `debt_id`: it was demanded; `paid`: to whom."""

    landing_id: Annotated[int, Meta(description="Which landing it is about.")]
    seat: Annotated[Seat, Meta(description="Who stands there.")]
    street: Annotated[str, Meta(description="By its name in the data.")]
    rent: Annotated[int, Meta(description="What is due there.")]
    debt_id: Annotated[int | None, Meta(description="The debt, once it was demanded; null: it was not.")] = None
    paid: Annotated[Account | None, Meta(description="To whom it was paid; null: to nobody yet.")] = None
    amount: Annotated[int, Meta(description="What was paid.")] = 0


class MonopolyDebt(Struct, frozen=True):
    """`binding`: it must be paid, and holds the table up; else it is a demand that can be ignored.

    `short`: the money was not there: streets must be sold.
    """

    debt_id: Annotated[int, Meta(description="Which debt or demand it is about.")]
    debtor: Annotated[Seat, Meta(description="Who owes.")]
    creditor: Annotated[Account, Meta(description="To whom: `pot` or `seat:n`.")]
    amount: Annotated[int, Meta(description="In whole units.")]
    cause: Annotated[Cause, Meta(description="What it is owed for.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]
    landing_id: Annotated[int | None, Meta(description="Which landing it is about.")] = None
    binding: Annotated[
        bool,
        Meta(description="Whether it must be paid and holds the table up; else it is a demand that can be ignored."),
    ] = True
    short: Annotated[bool, Meta(description="Whether the money was not there, and streets must be sold.")] = False


class MonopolyAuction(Struct, frozen=True):
    """`lot`: a street, or `hotel:` and the street on which it will stand if nobody bids. Its money lies in it."""

    auction_id: Annotated[int, Meta(description="Which auction it is about.")]
    lot: Annotated[str, Meta(description="A street, or `hotel:` and a street.")]
    bidders: Annotated[tuple[Seat, ...], Meta(description="Who may bid.")]
    closes_at: Annotated[datetime, Meta(description="Then it closes.")]
    bidder: Annotated[Seat | None, Meta(description="Who leads; null: nobody yet.")] = None
    amount: Annotated[int, Meta(description="In whole units.")] = 0
    passed: Annotated[tuple[Seat, ...], Meta(description="Who bids no more.")] = ()


class MonopolyTrade(Struct, frozen=True):
    """`give_cash`, `want_cash`: null where you are not told."""

    trade_id: Annotated[str, Meta(description="Which offer it is about.")]
    seat: Annotated[Seat, Meta(description="Who offers.")]
    to: Annotated[Seat, Meta(description="Whom it is offered.")]
    give: Annotated[tuple[str, ...], Meta(description="Streets that are given.")]
    want: Annotated[tuple[str, ...], Meta(description="Streets that are wanted.")]
    give_cash: Annotated[int | None, Meta(description="Money that is given; null: you are not told.")]
    want_cash: Annotated[int | None, Meta(description="Money that is wanted; null: you are not told.")]
    give_jail_card: Annotated[
        DeckName | None, Meta(description="A jail card that is given: of which deck; null: none.")
    ]
    want_jail_card: Annotated[
        DeckName | None, Meta(description="A jail card that is wanted: of which deck; null: none.")
    ]
    private: Annotated[bool, Meta(description="Whether it is between the two.")]
    until: Annotated[datetime, Meta(description="Then the House acts; null: never.")]


class MonopolySight(Struct, frozen=True):
    """What lay in a zone when one began to look; money rough, but one's own. In `dice` nothing lies."""

    cash: Annotated[int | None, Meta(description="Rough, but your own; null: none lies here.")]
    hotels: Annotated[
        int | None, Meta(description="Hotels in the tray, as they truly are; null: this is another zone.")
    ]
    deeds: Annotated[tuple[str, ...], Meta(description="Deeds that truly lie here.")]
    hotel_streets: Annotated[tuple[str, ...], Meta(description="Streets that lie here on which a hotel truly stands.")]
    cuff: Annotated[bool, Meta(description="Whether the handcuff is on.")]


class MonopolyAccusation(Struct, frozen=True):
    """The table votes. `votes`: who, and whether guilty."""

    accusation_id: Annotated[int, Meta(description="Which vote it is about.")]
    seat: Annotated[Seat, Meta(description="Who accuses.")]
    target: Annotated[Seat, Meta(description="Who is accused.")]
    card: Annotated[str, Meta(description="Of what.")]
    until: Annotated[datetime, Meta(description="Then the House acts; null: never.")]
    votes: Annotated[tuple[tuple[Seat, bool], ...], Meta(description="Who has voted, and whether for guilty.")] = ()
