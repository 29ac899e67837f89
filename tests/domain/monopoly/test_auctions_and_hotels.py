"""Bids in any order, the last hotel, and money that turns out not to be there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.monopoly.actions import Bid, BuyHotel, JailPay, PassBid
from domain.games.monopoly.events import (
    AuctionClosed,
    AuctionOpened,
    BidPlaced,
    FellShort,
    HotelBuilt,
    HotelClaimed,
    LotsQueued,
)
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import AUCTION, POT, State, deed, hotels_left
from domain.games.monopoly.things import What
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    after,
    all_of,
    announced,
    buys,
    by,
    cheats,
    declines,
    house_acts,
    jailed,
    money,
    only,
    owning,
    rolls,
    standing,
    table,
    told,
    watching,
    with_cash,
    with_hotels,
)


def auction() -> State:
    """Of Turmstraße."""
    return after(table((1, 2)), rolls(ANNA), declines(ANNA))


@pytest.mark.parametrize("amount", [15, 5, 0])
def test_bids_begin_at_10_and_go_in_tens(amount: int) -> None:
    """4.1"""
    with refused(MonopolyReason.BID_STEP if amount else MonopolyReason.BID_TOO_LOW):
        told(auction(), by(BEN, Bid(0, amount)))


def test_the_decliner_and_a_prisoner_may_bid() -> None:
    """4.1, 7.5"""
    state = after(jailed(table((1, 2)), BEN), rolls(ANNA), declines(ANNA))

    assert told(state, by(ANNA, Bid(0, 10)))
    assert told(state, by(BEN, Bid(0, 10)))


def test_nobody_bids_more_than_his_free_cash() -> None:
    """4.1"""
    with refused(MonopolyReason.CANNOT_AFFORD):
        told(auction(), by(BEN, Bid(0, 1_510)))


def test_a_bids_money_lies_in_the_auction_until_one_is_outbid() -> None:
    """4.2"""
    state = after(auction(), by(BEN, Bid(0, 100)))
    assert (money(state, BEN), state.ledger[AUCTION]) == (1_400, 100)
    outbid = after(state, by(CARA, Bid(0, 150), 1))

    assert (money(outbid, BEN), money(outbid, CARA), outbid.ledger[AUCTION]) == (1_500, 1_350, 150)
    robbed = after(outbid, cheats(ANNA, "pickpocket", target=CARA, amount=100))
    assert (money(robbed, CARA), robbed.ledger[AUCTION]) == (1_250, 150)


def test_the_auction_ends_when_all_others_have_passed() -> None:
    """4.3"""
    state = after(auction(), by(BEN, Bid(0, 100)), by(CARA, PassBid(0)))
    events = told(state, by(ANNA, PassBid(0), 1))

    assert only(events, AuctionClosed).winner == BEN
    end = after(state, by(ANNA, PassBid(0), 1))
    assert end.owners == {"turmstrasse": BEN}
    assert (announced(end, BEN), end.ledger[AUCTION], end.ledger.total) == (1_400, 0, 20_400)


def test_or_when_nobody_bids_for_ten_seconds() -> None:
    """4.3, 11.4"""
    state = after(auction(), by(BEN, Bid(0, 10), 9.9))
    assert state.auction is not None
    assert state.auction.closes_at == later(19.9)
    with refused(Reason.TOO_LATE, closes_at=later(19.9)):
        told(state, by(CARA, Bid(0, 20), 19.9))

    assert house_acts(state, 19.9).owners == {"turmstrasse": BEN}


def test_to_pass_is_final_and_the_leader_cannot() -> None:
    """4.3"""
    state = after(auction(), by(BEN, Bid(0, 10)), by(CARA, PassBid(0)))
    with refused(MonopolyReason.BID_PASSED):
        told(state, by(CARA, Bid(0, 20)))
    with refused(MonopolyReason.BID_PASSED):
        told(state, by(CARA, PassBid(0)))
    with refused(MonopolyReason.LEADING):
        told(state, by(BEN, PassBid(0)))


def test_of_two_bids_at_once_the_first_counts() -> None:
    """4.3"""
    state = after(auction(), by(BEN, Bid(0, 50)))
    with refused(MonopolyReason.BID_TOO_LOW):
        told(state, by(CARA, Bid(0, 50)))


def test_nobody_bids_and_the_street_stays_free() -> None:
    """4.4"""
    passed = told(auction(), by(ANNA, PassBid(0)), by(BEN, PassBid(0)), by(CARA, PassBid(0)))
    assert only(passed, AuctionClosed).winner is None

    assert house_acts(auction(), 10).owners == {}


def test_what_costs_nothing_is_auctioned_like_any_other() -> None:
    """4.5"""
    state = standing(table((1, 2)), ANNA, 28)
    assert announced(after(state, rolls(ANNA), buys(ANNA)), ANNA) == 1_500
    with refused(MonopolyReason.BID_TOO_LOW):
        told(after(state, rolls(ANNA), declines(ANNA)), by(BEN, Bid(0, 0)))


def test_lots_wait_for_each_other() -> None:
    """4.6"""
    state = replace(table((1, 2)), lots=("badstrasse", "schlossallee"))
    state = after(state, cheats(BEN, "bank_heist", amount=10))
    assert state.auction is not None
    assert (state.auction.lot, state.lots) == ("badstrasse", ("schlossallee",))
    nobody = after(state, *(by(seat, PassBid(0)) for seat in (ANNA, BEN, CARA)))

    assert nobody.auction is not None
    assert (nobody.auction.lot, nobody.auction.auction_id, nobody.auction.passed) == ("schlossallee", 1, ())


def browns(state: State) -> State:
    return owning(state, BEN, "badstrasse", "turmstrasse")


def test_a_hotel_needs_the_whole_group_and_stands_once() -> None:
    """4.7"""
    state = browns(table((1, 2)))
    built = after(state, by(BEN, BuyHotel("badstrasse")))
    assert (announced(built, BEN), hotels_left(built)) == (1_440, 14)
    with refused(MonopolyReason.HOTEL_STANDS):
        told(built, by(BEN, BuyHotel("badstrasse")))
    with refused(MonopolyReason.GROUP_INCOMPLETE):
        told(owning(table(), BEN, "badstrasse"), by(BEN, BuyHotel("badstrasse")))
    with refused(MonopolyReason.NOT_YOUR_STREET):
        told(state, by(CARA, BuyHotel("badstrasse")))


def almost_no_hotel(state: State) -> State:
    """All but one are built somewhere."""
    green = ("rathausplatz", "hauptstrasse", "bahnhofstrasse", "parkstrasse", "schlossallee")
    yellow = ("lessingstrasse", "schillerstrasse", "goethestrasse", "theaterstrasse", "museumstrasse")
    orange = ("muenchener_strasse", "wiener_strasse", "berliner_strasse", "opernplatz")
    return with_hotels(state, *green, *yellow, *orange)


def test_the_last_hotel_is_simply_bought_where_nobody_else_could_want_it() -> None:
    """4.8"""
    state = almost_no_hotel(browns(table((1, 2))))
    assert hotels_left(state) == 1

    assert all_of(told(state, by(BEN, BuyHotel("badstrasse"))), HotelBuilt)
    with refused(MonopolyReason.NO_HOTELS_LEFT):
        told(after(state, by(BEN, BuyHotel("badstrasse"))), by(BEN, BuyHotel("turmstrasse")))


def two_who_want_it() -> State:
    pink = ("seestrasse", "hafenstrasse", "neue_strasse")
    return owning(almost_no_hotel(browns(table((1, 2)))), CARA, *pink)


def test_one_claim_to_the_last_hotel_pays_its_price() -> None:
    """4.8: it is reserved meanwhile."""
    state = after(two_who_want_it(), by(BEN, BuyHotel("badstrasse")))
    assert hotels_left(state) == 0
    with refused(MonopolyReason.ALREADY_CLAIMED):
        told(state, by(BEN, BuyHotel("turmstrasse")))
    end = house_acts(state, 5)

    assert "badstrasse" in end.hotels
    assert announced(end, BEN) == 1_440


def test_several_bid_for_the_last_hotel() -> None:
    """4.8: the winner pays his bid instead of the price."""
    state = after(two_who_want_it(), by(BEN, BuyHotel("badstrasse")))
    events = told(state, by(CARA, BuyHotel("seestrasse"), 2))
    assert [type(event) for event in events] == [HotelClaimed, LotsQueued, AuctionOpened]
    bidding = after(state, by(CARA, BuyHotel("seestrasse"), 2))
    with refused(MonopolyReason.NO_SUCH_AUCTION):
        told(bidding, by(ANNA, Bid(0, 10), 3))
    end = after(bidding, by(CARA, Bid(0, 20), 3), by(BEN, PassBid(0), 4))

    assert "seestrasse" in end.hotels
    assert (announced(end, CARA), announced(end, BEN)) == (1_480, 1_500)


def test_if_nobody_bids_for_it_the_first_claim_pays_the_price() -> None:
    """4.8"""
    state = after(two_who_want_it(), by(BEN, BuyHotel("badstrasse")), by(CARA, BuyHotel("seestrasse"), 2))
    end = house_acts(state, 12)

    assert "badstrasse" in end.hotels
    assert announced(end, BEN) == 1_440
    assert end.last_hotel is None


def test_a_hotel_that_was_taken_cannot_be_built() -> None:
    """4.9"""
    state = owning(two_who_want_it(), ANNA, "elisenstrasse")
    robbed = after(state, cheats(ANNA, "free_hotel", street="elisenstrasse"))
    events = told(robbed, by(BEN, BuyHotel("badstrasse"), 1))

    assert only(events, FellShort).what == What.NO_HOTEL
    short = after(robbed, by(BEN, BuyHotel("badstrasse"), 1))
    assert announced(short, BEN) == 1_500
    with refused(MonopolyReason.FELL_SHORT):
        told(short, by(BEN, BuyHotel("badstrasse"), 2))


def poor(state: State) -> State:
    """Ben believes that he has 60; Cara has stolen half of it while he looked elsewhere."""
    state = watching(with_cash(state, BEN, 60), ben="dice")
    state = after(state, cheats(CARA, "pickpocket", target=BEN, amount=30))
    return replace(state, turn=replace(state.turn, seat=BEN))


def test_who_turns_out_to_be_short_has_not_bought() -> None:
    """4.10, 12.4"""
    state = after(poor(table((1, 2))), rolls(BEN, 1))
    events = told(state, buys(BEN, 2))
    short = after(state, buys(BEN, 2))

    assert (only(events, FellShort).what, only(events, FellShort).purse) == (What.STREET, 30)
    assert short.owners == {}
    with refused(MonopolyReason.FELL_SHORT):
        told(short, buys(BEN, 3))
    assert told(short, declines(BEN, 3))


def test_who_turns_out_to_be_short_has_passed() -> None:
    """4.10"""
    state = after(poor(table((1, 2))), rolls(BEN, 1), declines(BEN, 2))
    events = told(state, by(BEN, Bid(0, 50), 3))
    short = after(state, by(BEN, Bid(0, 50), 3))

    assert only(events, FellShort).what == What.BID
    with refused(MonopolyReason.BID_PASSED):
        told(short, by(BEN, Bid(0, 20), 4))


def test_who_turns_out_to_be_short_has_not_built() -> None:
    """4.10"""
    state = poor(browns(table((1, 2))))
    end = after(state, by(BEN, BuyHotel("badstrasse"), 1))

    assert "badstrasse" not in end.hotels
    assert deed(end, "badstrasse").hotel_price == 60


def test_who_turns_out_to_be_short_stays_in_jail() -> None:
    """4.10"""
    state = jailed(poor(table((1, 2))), BEN)
    end = after(state, by(BEN, JailPay(), 1))

    assert end.prisoner == BEN
    assert end.learned[BEN] == -30


def test_who_knows_that_he_is_short_is_told_so() -> None:
    """4.10, 12.4"""
    state = after(jailed(poor(table((1, 2))), BEN), by(BEN, JailPay(), 1))
    with refused(MonopolyReason.CANNOT_AFFORD):
        told(state, by(BEN, JailPay(), 2))


def test_a_bid_is_announced_with_who_was_outbid() -> None:
    """4.2"""
    state = after(auction(), by(BEN, Bid(0, 100)))
    placed = only(told(state, by(CARA, Bid(0, 150), 1)), BidPlaced)

    assert [(m.from_, m.to, m.amount) for m in placed.moved] == [
        (AUCTION, "seat:1", 100),
        ("seat:2", AUCTION, 150),
    ]
    assert POT not in {m.to for m in placed.moved}
