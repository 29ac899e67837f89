"""What can happen; a tag is stored for good. Who is told which field: `projections/views/monopoly.py`.

`moved` is money on the announced board; `slip` is what was done silently; `purse` is the acting seat's true
money afterwards, told to it alone. `witnesses` watched a zone in which it could be seen (-1: everybody looks on).
"""

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
    """A silent act. `card`: the cheat card or the kind of free cheat, known to who does it alone (null: not told)."""

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


class SetUpDone(Struct, frozen=True, tag="monopoly_cheaters.set_up_done"):
    """`data`: hash of the data files that hold in this match for good."""

    data: Annotated[str, Meta(description="SHA-256 of the data files that hold in this match, in hex.")]
    throws: Annotated[
        tuple[tuple[int, ...], ...], Meta(description="For the first turn, round after round; 0: he does not throw.")
    ]
    cheats: Annotated[tuple[str, ...], Meta(description="The cards that lie open.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is.")]
    phase: Annotated[Phase, Meta(description="What the table waits for now.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]


class CameTo(Struct, frozen=True, tag="monopoly_cheaters.came_to"):
    """What the table waits for now, and until when."""

    phase: Annotated[Phase, Meta(description="What the table waits for now.")]


class Accepted(Struct, frozen=True, tag="monopoly_cheaters.accepted"):
    """Somebody has no objection."""

    boundary_id: Annotated[int, Meta(description="The number of the turn that is to begin.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]


class RollCalled(Struct, frozen=True, tag="monopoly_cheaters.roll_called"):
    """`first`: the turn before is over now; `lapsed`: debts and demands of rent that were never made or paid."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    first: Annotated[bool, Meta(description="Whether it is the first of the turn, which ends the turn before.")]
    in_jail: Annotated[bool, Meta(description="Whether it is a prisoner's try for a double.")]
    lapsed: Annotated[tuple[int, ...], Meta(description="Debts and demands that are void now.")]


class Threw(Struct, frozen=True, tag="monopoly_cheaters.threw"):
    """The dice were thrown."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    dice: Annotated[tuple[int, ...], Meta(description="What they show; empty, if you did not watch them.")]
    double: Annotated[bool, Meta(description="Whether both dice show the same.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class Moved(Struct, frozen=True, tag="monopoly_cheaters.moved"):
    """A token was moved, as announced."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    square: Annotated[int, Meta(description="0 is LOS, up to 35.")]
    how: Annotated[How, Meta(description="What moved it.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    parks: Annotated[bool, Meta(description="Whether it stays on LOS for good.")]
    slip: Annotated[
        MonopolySlip | None, Meta(description="What was done silently along with it, if you did or saw it; else null.")
    ]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class Landed(Struct, frozen=True, tag="monopoly_cheaters.landed"):
    """Somebody stands on another's street."""

    landing: Annotated[MonopolyLanding, Meta(description="Who stands where, and what can be demanded.")]


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


class LotsQueued(Struct, frozen=True, tag="monopoly_cheaters.lots_queued"):
    """To be auctioned, one after the other."""

    lots: Annotated[tuple[str, ...], Meta(description="Streets to be auctioned, in order.")]


class AuctionOpened(Struct, frozen=True, tag="monopoly_cheaters.auction_opened"):
    """A lot is put up."""

    auction: Annotated[MonopolyAuction, Meta(description="What is auctioned.")]


class BidPlaced(Struct, frozen=True, tag="monopoly_cheaters.bid_placed"):
    """Somebody leads now."""

    auction_id: Annotated[int, Meta(description="Which auction it is about.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]
    amount: Annotated[int, Meta(description="In whole units.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    closes_at: Annotated[datetime, Meta(description="Then it closes.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]


class BidPassed(Struct, frozen=True, tag="monopoly_cheaters.bid_passed"):
    """Somebody bids no more."""

    auction_id: Annotated[int, Meta(description="Which auction it is about.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]


class AuctionClosed(Struct, frozen=True, tag="monopoly_cheaters.auction_closed"):
    """Nobody bid: no `winner`, a street stays free; a hotel goes to its first claimant."""

    auction_id: Annotated[int, Meta(description="Which auction it is about.")]
    lot: Annotated[str, Meta(description="A street, or `hotel:` and a street.")]
    winner: Annotated[Seat | None, Meta(description="Who gets it; null: nobody bid.")]
    amount: Annotated[int, Meta(description="In whole units.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]


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


class TradeOffered(Struct, frozen=True, tag="monopoly_cheaters.trade_offered"):
    """Streets or jail cards are offered."""

    trade: Annotated[MonopolyTrade, Meta(description="What is offered.")]
    not_before: Annotated[datetime, Meta(description="From then on the same seat may offer again.")]


class TradeClosed(Struct, frozen=True, tag="monopoly_cheaters.trade_closed"):
    """Told to who was told the offer."""

    trade_id: Annotated[str, Meta(description="Which offer it is about.")]
    seat: Annotated[Seat, Meta(description="Who ended it.")]
    to: Annotated[Seat, Meta(description="The other one.")]
    private: Annotated[bool, Meta(description="Whether it is between the two.")]
    why: Annotated[TradeEnd, Meta(description="In a word.")]


class TradeMade(Struct, frozen=True, tag="monopoly_cheaters.trade_made"):
    """`moved`: the price, where all are told it. `unseen`: where only the two are. `cards`: which, from
    whom, to whom."""

    trade: Annotated[MonopolyTrade, Meta(description="What is offered.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    unseen: Annotated[Moved_, Meta(description="Money that only the parties are told of.")]
    cards: Annotated[tuple[tuple[str, Seat, Seat], ...], Meta(description="Jail cards, from whom, to whom.")]


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


class Jailed(Struct, frozen=True, tag="monopoly_cheaters.jailed"):
    """`freed`: who had the handcuff before."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    freed: Annotated[Seat | None, Meta(description="Who had the handcuff before; null: nobody.")]
    square: Annotated[int, Meta(description="0 is LOS, up to 35.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is; a throw that was due is lost.")]


class Freed(Struct, frozen=True, tag="monopoly_cheaters.freed"):
    """A prisoner is free."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]


class JailTried(Struct, frozen=True, tag="monopoly_cheaters.jail_tried"):
    """A prisoner threw no double."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    tries: Annotated[int, Meta(description="Failed tries for a double.")]


class TrayPassed(Struct, frozen=True, tag="monopoly_cheaters.tray_passed"):
    """Dice and bank pot go on."""

    seat: Annotated[Seat, Meta(description="Who hands it on.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is.")]
    phase: Annotated[Phase, Meta(description="What the table waits for now.")]


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


class Spent(Struct, frozen=True, tag="monopoly_cheaters.spent"):
    """What a seat had taken silently and has spent: it cannot come back, and everybody sees that it is gone."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]


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


class SoldToBank(Struct, frozen=True, tag="monopoly_cheaters.sold_to_bank"):
    """A street was sold to the bank."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    street: Annotated[str, Meta(description="By its name in the data.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]


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


class PotRefilled(Struct, frozen=True, tag="monopoly_cheaters.pot_refilled"):
    """The reserve fills the pot up."""

    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]


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


Event: TypeAlias = (
    SetUpDone
    | CameTo
    | Accepted
    | RollCalled
    | Threw
    | Moved
    | Landed
    | Bought
    | Declined
    | LotsQueued
    | AuctionOpened
    | BidPlaced
    | BidPassed
    | AuctionClosed
    | RentDemanded
    | DebtArose
    | DebtsVoided
    | Halved
    | Paid
    | FellShort
    | HotelBuilt
    | HotelClaimed
    | HotelWindowClosed
    | TradeOffered
    | TradeClosed
    | TradeMade
    | CardDrawn
    | CardRead
    | CardUsed
    | CardKept
    | CardReturned
    | Jailed
    | Freed
    | JailTried
    | TrayPassed
    | Watched
    | Slipped
    | Undone
    | Spent
    | Accused
    | VoteCast
    | Caught
    | WronglyAccused
    | Succeeded
    | CardsTurned
    | Reverted
    | PlacingAsked
    | Placed
    | SoldToBank
    | Bankrupted
    | Left
    | PotRefilled
    | SoldOut
    | FinalRents
    | MatchOver
)
