"""What can happen; a tag is stored for good. Who is told which field: `projections/views/monopoly.py`.

`moved` is money on the announced board; `slip` is what was done silently; `purse` is the acting seat's true
money afterwards, told to it alone. `witnesses` watched a zone in which it could be seen (-1: everybody looks on).
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.monopoly.data import DeckName
from domain.games.monopoly.phases import MonopolyTurn, Phase
from domain.games.monopoly.things import (
    How,
    MonopolyAccusation,
    MonopolyAuction,
    MonopolyDebt,
    MonopolyEffect,
    MonopolyLanding,
    MonopolySight,
    MonopolySlip,
    MonopolyTrade,
    Moved_,
    TradeEnd,
    What,
    Witnesses,
)
from domain.kernel.game import Seat
from domain.kernel.ledger import Account


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
    """Told to whoever was told the offer."""

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
