"""Buying, and auctions: one at a time, of streets and of the last hotel. RULES.md 4."""

from __future__ import annotations

from typing import Final

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import (
    AuctionClosed,
    AuctionOpened,
    BidPassed,
    BidPlaced,
    Bought,
    Declined,
    FellShort,
    LotsQueued,
)
from domain.games.monopoly.phases import Resolving, ToBuy
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import boundary, hotels, undoing
from domain.games.monopoly.rules.money import move
from domain.games.monopoly.state import AUCTION, POT, State, believed, busy, cash, deed, purse
from domain.games.monopoly.things import MonopolyAuction, What
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time

STEP: Final = 10


def offered(course: Course, by: Seat) -> ToBuy:
    state = course.state
    if by != state.turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    if not isinstance(state.phase, ToBuy):
        raise Refused(Reason.NOT_NOW)
    if busy(state):
        raise Refused(MonopolyReason.BUSY)
    in_time(course.at, state.phase.until)
    return state.phase


def buy(course: Course, by: Seat) -> None:
    phase, state = offered(course, by), course.state
    price = deed(state, phase.street).price
    if phase.short:
        raise Refused(MonopolyReason.FELL_SHORT)
    if believed(state, by) < price:
        raise Refused(MonopolyReason.CANNOT_AFFORD)
    there = cash(state, purse(by))
    if there < price:
        course.tell(FellShort(by, What.STREET, price, None, None, there))
        return
    undoing.void_deeds(course, phase.street)
    course.tell(Bought(by, phase.street, move(purse(by), POT, price, "price"), there - price))
    course.come_to(Resolving())
    boundary.sold_out(course)


def decline(course: Course, by: Seat) -> None:
    street = offered(course, by).street
    course.tell(Declined(by, street))
    course.tell(LotsQueued((street,)))
    course.come_to(Resolving())


def open_next(course: Course) -> None:
    state = course.state
    lot = state.lots[0]
    bidders = state.playing
    if lot.startswith("hotel:") and state.last_hotel is not None:
        bidders = tuple(seat for seat, _ in state.last_hotel.claims)
    closes = course.at + seconds(state.options.auction_idle)
    course.tell(AuctionOpened(MonopolyAuction(state.auction_ids, lot, bidders, closes)))


def _open(course: Course, by: Seat, auction_id: int) -> MonopolyAuction:
    auction = course.state.auction
    if auction is None or auction.auction_id != auction_id or by not in auction.bidders:
        raise Refused(MonopolyReason.NO_SUCH_AUCTION)
    if by in auction.passed:
        raise Refused(MonopolyReason.BID_PASSED)
    in_time(course.at, auction.closes_at)
    return auction


def least_bid(auction: MonopolyAuction) -> int:
    return auction.amount + STEP


def bid(course: Course, by: Seat, auction_id: int, amount: int) -> None:
    auction, state = _open(course, by, auction_id), course.state
    if amount % STEP:
        raise Refused(MonopolyReason.BID_STEP)
    if amount < least_bid(auction):
        raise Refused(MonopolyReason.BID_TOO_LOW)
    if in_distress(state, by):
        raise Refused(MonopolyReason.IN_DISTRESS)
    if believed(state, by) < amount:
        raise Refused(MonopolyReason.CANNOT_AFFORD)
    there = cash(state, purse(by))
    if there < amount:
        course.tell(FellShort(by, What.BID, amount, None, None, there))
        close_if_all_passed(course)
        return
    back = () if auction.bidder is None else move(AUCTION, purse(auction.bidder), auction.amount, "outbid")
    left = there - amount + (auction.amount if auction.bidder == by else 0)
    closes = course.at + seconds(state.options.auction_idle)
    course.tell(BidPlaced(auction_id, by, amount, (*back, *move(purse(by), AUCTION, amount, "bid")), closes, left))
    close_if_all_passed(course)


def in_distress(state: State, seat: Seat) -> bool:
    return any(debt.short and debt.debtor == seat for debt in state.debts)


def pass_bid(course: Course, by: Seat, auction_id: int) -> None:
    auction = _open(course, by, auction_id)
    if by == auction.bidder:
        raise Refused(MonopolyReason.LEADING)
    course.tell(BidPassed(auction_id, by))
    close_if_all_passed(course)


def still_bidding(auction: MonopolyAuction) -> tuple[Seat, ...]:
    """Who could still outbid."""
    return tuple([seat for seat in auction.bidders if seat != auction.bidder and seat not in auction.passed])


def close_if_all_passed(course: Course) -> None:
    if course.state.auction is not None and not still_bidding(course.state.auction):
        _close(course, course.state.auction)


def close(course: Course, auction_id: int) -> None:
    """Nobody bid any more in time."""
    auction = course.state.auction
    if auction is None or auction.auction_id != auction_id:
        raise Refused(Reason.NOT_NOW)
    if course.at < auction.closes_at:
        raise Refused(Reason.TOO_EARLY, not_before=auction.closes_at)
    _close(course, auction)


def _close(course: Course, auction: MonopolyAuction) -> None:
    winner, lot = auction.bidder, auction.lot
    moved = move(AUCTION, POT, auction.amount, "auction")
    if lot.startswith("hotel:"):
        course.tell(AuctionClosed(auction.auction_id, lot, winner, auction.amount, moved))
        hotels.give_last(course, winner)
        return
    if winner is not None:
        undoing.void_deeds(course, lot)
    course.tell(AuctionClosed(auction.auction_id, lot, winner, auction.amount, moved))
    boundary.sold_out(course)


def start_anew(course: Course, without: Seat) -> None:
    """The leading bidder is gone: his money goes back, and the lot is put up again (9.7)."""
    auction = course.state.auction
    if auction is None or auction.bidder != without:
        return
    back = move(AUCTION, purse(without), auction.amount, "outbid")
    course.tell(AuctionClosed(auction.auction_id, auction.lot, None, 0, back))
    course.tell(LotsQueued((auction.lot,)))
