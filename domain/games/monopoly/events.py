"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/monopoly.py``.

``moved`` is money on the announced board; ``slip`` is what was done silently; ``purse`` is the acting seat's true
money afterwards, told to it alone. ``witnesses`` watched a zone in which it could be seen (-1: everybody looks on).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

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
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"
    REPLACED = "replaced"
    STALE = "stale"  # what it speaks of has changed hands
    SHORT = "short"  # the money is not there


class MonopolyTurn(Struct, frozen=True):
    """``number`` counts turns from 1 and is the id of the boundary that ends the turn before."""

    number: int
    seat: Seat
    doubles: int = 0
    again: bool = False  # a double was thrown: another throw is due


class ToSetUp(Struct, frozen=True, tag="monopoly_cheaters.to_set_up"):
    """Before the first throw."""


class ToRoll(Struct, frozen=True, tag="monopoly_cheaters.to_roll"):
    """``first``: the throw that will end the turn before; it waits until ``not_before``, or for all to accept."""

    first: bool
    not_before: datetime
    until: datetime | None
    accepted: tuple[Seat, ...] = ()


class ToThrow(Struct, frozen=True, tag="monopoly_cheaters.to_throw"):
    in_jail: bool


class ToMove(Struct, frozen=True, tag="monopoly_cheaters.to_move"):
    until: datetime | None
    in_jail: bool


class ToBuy(Struct, frozen=True, tag="monopoly_cheaters.to_buy"):
    """``short``: he wanted to, and had not the money."""

    street: str
    until: datetime | None
    short: bool = False


class ToChoose(Struct, frozen=True, tag="monopoly_cheaters.to_choose"):
    """Frei Parken: which deck."""

    until: datetime | None


class ToDraw(Struct, frozen=True, tag="monopoly_cheaters.to_draw"):
    deck: DeckName


class ToRead(Struct, frozen=True, tag="monopoly_cheaters.to_read"):
    """A card is drawn, and its drawer alone knows it."""

    deck: DeckName
    until: datetime | None


class Resolving(Struct, frozen=True, tag="monopoly_cheaters.resolving"):
    """Debts and auctions are settled before the turn goes on."""


class Done(Struct, frozen=True, tag="monopoly_cheaters.done"):
    """Nothing is left to do in this turn but to pass the tray."""

    until: datetime | None


class Closing(Struct, frozen=True, tag="monopoly_cheaters.closing"):
    """All stand on LOS: the last window."""

    until: datetime
    accepted: tuple[Seat, ...] = ()


class Ended(Struct, frozen=True, tag="monopoly_cheaters.ended"):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Phase: TypeAlias = (
    ToSetUp | ToRoll | ToThrow | ToMove | ToBuy | ToChoose | ToDraw | ToRead | Resolving | Done | Closing | Ended
)


class MonopolyEffect(Struct, frozen=True, omit_defaults=True):
    """What a silent act changed on the true board, over against the announced one.

    ``deeds``: street, and where its deed lies now. ``token`` truly stands on ``square``, and the cheater's own still on
    ``stays``. ``right``: where an honest move would have led, after throw number ``throws``. ``debt_id``: what was
    demanded or paid falsely: ``amount`` by ``payer`` for this landing, where ``rent`` is due. ``card`` was drawn, where
    ``read`` was read out.
    """

    moved: tuple[Movement, ...] = ()
    deeds: tuple[tuple[str, Account], ...] = ()
    hotel_on: str | None = None
    hotel_off: str | None = None
    cuff_off: bool = False
    token: Seat | None = None
    square: int | None = None
    stays: int | None = None
    right: int | None = None
    throws: int | None = None
    debt_id: int | None = None
    landing_id: int | None = None
    payer: Seat | None = None
    rent: int = 0
    amount: int = 0
    card: str | None = None
    read: str | None = None

    @property
    def nothing(self) -> bool:
        return self == _NOTHING


_NOTHING = MonopolyEffect()


class MonopolySlip(Struct, frozen=True):
    """A silent act. ``card``: the cheat card or the kind of free cheat, known to who does it alone (None: not told)."""

    card: str | None
    since: datetime
    effect: MonopolyEffect


class MonopolyLanding(Struct, frozen=True):
    """Somebody stands on another's street. ``rent`` is fixed; ``debt_id``: it was demanded; ``paid``: to whom."""

    landing_id: int
    seat: Seat
    street: str
    rent: int
    debt_id: int | None = None
    paid: Account | None = None
    amount: int = 0


class MonopolyDebt(Struct, frozen=True):
    """``binding``: it must be paid, and holds the table up; else it is a demand that can be ignored.

    ``short``: the money was not there: streets must be sold.
    """

    debt_id: int
    debtor: Seat
    creditor: Account
    amount: int
    cause: Cause
    until: datetime | None
    landing_id: int | None = None
    binding: bool = True
    short: bool = False


class MonopolyAuction(Struct, frozen=True):
    """``lot``: a street, or ``hotel:`` and the street on which it will stand if nobody bids. Its money lies in it."""

    auction_id: int
    lot: str
    bidders: tuple[Seat, ...]
    closes_at: datetime
    bidder: Seat | None = None
    amount: int = 0
    passed: tuple[Seat, ...] = ()


class MonopolyTrade(Struct, frozen=True):
    """``give_cash``, ``want_cash``: None where the viewer is not told."""

    trade_id: str
    seat: Seat
    to: Seat
    give: tuple[str, ...]
    want: tuple[str, ...]
    give_cash: int | None
    want_cash: int | None
    give_jail_card: DeckName | None
    want_jail_card: DeckName | None
    private: bool
    until: datetime


class MonopolySight(Struct, frozen=True):
    """What lay in a zone when one began to look; money rough, but one's own. In ``dice`` nothing lies."""

    cash: int | None
    hotels: int | None
    deeds: tuple[str, ...]
    hotel_streets: tuple[str, ...]
    cuff: bool


class MonopolyAccusation(Struct, frozen=True):
    """The table votes. ``votes``: who, and whether guilty."""

    accusation_id: int
    seat: Seat
    target: Seat
    card: str
    until: datetime
    votes: tuple[tuple[Seat, bool], ...] = ()


class SetUpDone(Struct, frozen=True, tag="monopoly_cheaters.set_up_done"):
    """``data``: hash of the data files that hold in this match for good."""

    data: str
    throws: tuple[tuple[int, ...], ...]
    cheats: tuple[str, ...]
    moved: Moved_
    turn: MonopolyTurn
    phase: Phase
    draw: int


class CameTo(Struct, frozen=True, tag="monopoly_cheaters.came_to"):
    """What the table waits for now, and until when."""

    phase: Phase


class Accepted(Struct, frozen=True, tag="monopoly_cheaters.accepted"):
    boundary_id: int
    seat: Seat


class RollCalled(Struct, frozen=True, tag="monopoly_cheaters.roll_called"):
    """``first``: the turn before is over now; ``lapsed``: debts and demands of rent that were never made or paid."""

    seat: Seat
    first: bool
    in_jail: bool
    lapsed: tuple[int, ...]


class Threw(Struct, frozen=True, tag="monopoly_cheaters.threw"):
    seat: Seat
    dice: tuple[int, ...]
    double: bool
    turn: MonopolyTurn
    draw: int
    witnesses: Witnesses


class Moved(Struct, frozen=True, tag="monopoly_cheaters.moved"):
    seat: Seat
    square: int
    how: How
    moved: Moved_
    parks: bool
    slip: MonopolySlip | None
    witnesses: Witnesses


class Landed(Struct, frozen=True, tag="monopoly_cheaters.landed"):
    landing: MonopolyLanding


class Bought(Struct, frozen=True, tag="monopoly_cheaters.bought"):
    seat: Seat
    street: str
    moved: Moved_
    purse: int | None


class Declined(Struct, frozen=True, tag="monopoly_cheaters.declined"):
    seat: Seat
    street: str


class LotsQueued(Struct, frozen=True, tag="monopoly_cheaters.lots_queued"):
    """To be auctioned, one after the other."""

    lots: tuple[str, ...]


class AuctionOpened(Struct, frozen=True, tag="monopoly_cheaters.auction_opened"):
    auction: MonopolyAuction


class BidPlaced(Struct, frozen=True, tag="monopoly_cheaters.bid_placed"):
    auction_id: int
    seat: Seat
    amount: int
    moved: Moved_
    closes_at: datetime
    purse: int | None


class BidPassed(Struct, frozen=True, tag="monopoly_cheaters.bid_passed"):
    auction_id: int
    seat: Seat


class AuctionClosed(Struct, frozen=True, tag="monopoly_cheaters.auction_closed"):
    """Nobody bid: no ``winner``, a street stays free; a hotel goes to its first claimant."""

    auction_id: int
    lot: str
    winner: Seat | None
    amount: int
    moved: Moved_


class RentDemanded(Struct, frozen=True, tag="monopoly_cheaters.rent_demanded"):
    debt: MonopolyDebt
    slip: MonopolySlip | None


class DebtArose(Struct, frozen=True, tag="monopoly_cheaters.debt_arose"):
    debt: MonopolyDebt


class DebtsVoided(Struct, frozen=True, tag="monopoly_cheaters.debts_voided"):
    """What was owed, and what could have been demanded, for standing where one should not."""

    debt_ids: tuple[int, ...]
    landing_ids: tuple[int, ...]


class Halved(Struct, frozen=True, tag="monopoly_cheaters.halved"):
    debt_id: int
    amount: int


class Paid(Struct, frozen=True, tag="monopoly_cheaters.paid"):
    """As it was announced. No ``debt_id``: a penalty that was taken at once."""

    seat: Seat
    debt_id: int | None
    moved: Moved_
    purse: int | None
    slip: MonopolySlip | None
    witnesses: Witnesses


class FellShort(Struct, frozen=True, tag="monopoly_cheaters.fell_short"):
    seat: Seat
    what: What
    need: int
    debt_id: int | None
    until: datetime | None
    purse: int | None


class HotelBuilt(Struct, frozen=True, tag="monopoly_cheaters.hotel_built"):
    seat: Seat
    street: str
    moved: Moved_
    purse: int | None


class HotelClaimed(Struct, frozen=True, tag="monopoly_cheaters.hotel_claimed"):
    """Of the last hotel; the first claim opens the window."""

    seat: Seat
    street: str
    closes_at: datetime


class HotelWindowClosed(Struct, frozen=True, tag="monopoly_cheaters.hotel_window_closed"):
    pass


class TradeOffered(Struct, frozen=True, tag="monopoly_cheaters.trade_offered"):
    trade: MonopolyTrade
    not_before: datetime


class TradeClosed(Struct, frozen=True, tag="monopoly_cheaters.trade_closed"):
    """Told to who was told the offer."""

    trade_id: str
    seat: Seat
    to: Seat
    private: bool
    why: TradeEnd


class TradeMade(Struct, frozen=True, tag="monopoly_cheaters.trade_made"):
    """``moved``: the price, where all are told it. ``unseen``: where only the two are. ``cards``: which, from
    whom, to whom."""

    trade: MonopolyTrade
    moved: Moved_
    unseen: Moved_
    cards: tuple[tuple[str, Seat, Seat], ...]


class CardDrawn(Struct, frozen=True, tag="monopoly_cheaters.card_drawn"):
    seat: Seat
    deck: DeckName
    card: str
    reshuffled: bool
    draw: int


class CardRead(Struct, frozen=True, tag="monopoly_cheaters.card_read"):
    """``announced`` was read out; ``card`` was drawn."""

    seat: Seat
    deck: DeckName
    announced: str
    card: str
    bribe: bool
    moved: Moved_
    slip: MonopolySlip | None
    witnesses: Witnesses


class CardUsed(Struct, frozen=True, tag="monopoly_cheaters.card_used"):
    """One that was held."""

    seat: Seat
    deck: DeckName
    card: str


class CardKept(Struct, frozen=True, tag="monopoly_cheaters.card_kept"):
    seat: Seat
    deck: DeckName
    card: str


class CardReturned(Struct, frozen=True, tag="monopoly_cheaters.card_returned"):
    """``held``: it was the older of two; the one just drawn is kept."""

    seat: Seat
    deck: DeckName
    card: str
    held: bool


class Jailed(Struct, frozen=True, tag="monopoly_cheaters.jailed"):
    """``freed``: who had the handcuff before."""

    seat: Seat
    freed: Seat | None
    square: int
    turn: MonopolyTurn


class Freed(Struct, frozen=True, tag="monopoly_cheaters.freed"):
    seat: Seat
    moved: Moved_
    purse: int | None


class JailTried(Struct, frozen=True, tag="monopoly_cheaters.jail_tried"):
    seat: Seat
    tries: int


class TrayPassed(Struct, frozen=True, tag="monopoly_cheaters.tray_passed"):
    seat: Seat
    turn: MonopolyTurn
    phase: Phase


class Watched(Struct, frozen=True, tag="monopoly_cheaters.watched"):
    """Told to that seat alone. ``not_before``: when it may look elsewhere."""

    seat: Seat
    zone: str
    not_before: datetime
    sight: MonopolySight


class Slipped(Struct, frozen=True, tag="monopoly_cheaters.slipped"):
    """Something was done silently. ``felt``: the victim's money afterwards, if he watched it himself."""

    seat: Seat
    slip: MonopolySlip
    victim: Seat | None
    felt: int | None
    witnesses: Witnesses


class Undone(Struct, frozen=True, tag="monopoly_cheaters.undone"):
    """An attempt came to nothing, and nobody else hears of it."""

    seat: Seat
    effect: MonopolyEffect
    witnesses: Witnesses


class Spent(Struct, frozen=True, tag="monopoly_cheaters.spent"):
    """What a seat had taken silently and has spent: it cannot come back, and everybody sees that it is gone."""

    seat: Seat
    moved: Moved_


class Accused(Struct, frozen=True, tag="monopoly_cheaters.accused"):
    accusation: MonopolyAccusation


class VoteCast(Struct, frozen=True, tag="monopoly_cheaters.vote_cast"):
    accusation_id: int
    seat: Seat
    guilty: bool


class Caught(Struct, frozen=True, tag="monopoly_cheaters.caught"):
    """``effect``: what is undone. A vote may be wrong: then it is nothing. ``leaves``: the card leaves the table."""

    seat: Seat
    target: Seat
    card: str
    effect: MonopolyEffect
    true: bool
    leaves: bool


class WronglyAccused(Struct, frozen=True, tag="monopoly_cheaters.wrongly_accused"):
    seat: Seat
    target: Seat
    card: str


class Succeeded(Struct, frozen=True, tag="monopoly_cheaters.succeeded"):
    """It survived: what was done is announced, and ``moved`` is the reward. A free cheat has no name to it."""

    seat: Seat | None
    card: str | None
    effect: MonopolyEffect
    moved: Moved_
    leaves: bool


class CardsTurned(Struct, frozen=True, tag="monopoly_cheaters.cards_turned"):
    cards: tuple[str, ...]
    draw: int


class Reverted(Struct, frozen=True, tag="monopoly_cheaters.reverted"):
    """A purchase after a false throw is returned for its price; without a street, money for a card."""

    seat: Seat
    street: str | None
    moved: Moved_


class PlacingAsked(Struct, frozen=True, tag="monopoly_cheaters.placing_asked"):
    """``seat`` says where the ``token`` of another goes."""

    seat: Seat
    token: Seat
    until: datetime | None


class Placed(Struct, frozen=True, tag="monopoly_cheaters.placed"):
    seat: Seat
    token: Seat
    square: int


class SoldToBank(Struct, frozen=True, tag="monopoly_cheaters.sold_to_bank"):
    seat: Seat
    street: str
    moved: Moved_


class Bankrupted(Struct, frozen=True, tag="monopoly_cheaters.bankrupted"):
    """``heir`` gets streets, cards and the rest of the money; the pot auctions the streets as ``lots``.

    ``unseen``: what of it the announced board does not know, told to the heir, and to all where it is the
    pot; ``cards`` in the order of their decks.
    """

    seat: Seat
    heir: Account
    moved: Moved_
    unseen: int | None
    lots: tuple[str, ...]
    cards: tuple[str, ...]


class Left(Struct, frozen=True, tag="monopoly_cheaters.left"):
    """Nobody takes this seat over."""

    seat: Seat


class PotRefilled(Struct, frozen=True, tag="monopoly_cheaters.pot_refilled"):
    moved: Moved_


class SoldOut(Struct, frozen=True, tag="monopoly_cheaters.sold_out"):
    """All streets are owned: who reaches LOS now stays there."""


class FinalRents(Struct, frozen=True, tag="monopoly_cheaters.final_rents"):
    """What each of its streets brings a seat at the end."""

    seat: Seat
    moved: Moved_


class MatchOver(Struct, frozen=True, tag="monopoly_cheaters.match_over"):
    """``scores``: cash by seat, as it truly is."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


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
