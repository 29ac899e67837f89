"""Debts that cannot be paid, bankruptcy, and streets that change hands."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.monopoly.actions import (
    AcceptTrade,
    Bid,
    BuyHotel,
    DeclareBankrupt,
    DemandRent,
    OfferTrade,
    PassBid,
    Pay,
    SellToBank,
    UseCard,
    Vacate,
    WithdrawTrade,
)
from domain.games.monopoly.events import (
    AuctionOpened,
    Bankrupted,
    CardReturned,
    FellShort,
    PotRefilled,
    TradeClosed,
    TradeMade,
)
from domain.games.monopoly.phases import Ended, ToRead, ToRoll
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import POT, RESERVE, State, believed, deed, purse, streets_of
from domain.games.monopoly.things import TradeEnd
from domain.kernel.game import HOUSE, Command
from domain.kernel.ledger import Movement
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    after,
    all_of,
    announced,
    buys,
    by,
    cheats,
    declines,
    holding,
    money,
    only,
    owning,
    passes,
    rolls,
    seen_by,
    standing,
    table,
    told,
    watching,
    with_cash,
    with_hotels,
)


def in_distress(cash: int = 20, *streets: str, **chosen: int) -> State:
    """Anna owes Ben 400 for Schlossallee, and has less."""
    state = owning(table((1, 2), seats=chosen.get("seats", 4)), ANNA, *streets)
    state = owning(with_cash(state, ANNA, cash), BEN, "parkstrasse", "schlossallee")
    state = replace(state, tokens=(32, *state.tokens[1:]))
    state = after(state, rolls(ANNA), by(BEN, DemandRent(0)))
    assert state.debts[0].amount == 400
    return after(state, by(ANNA, Pay(0), 1))


def test_in_distress_one_may_only_sell() -> None:
    """9.2"""
    state = in_distress(20, "badstrasse", "turmstrasse")
    assert state.debts[0].short
    assert state.debts[0].until == later(61)
    with refused(MonopolyReason.IN_DISTRESS):
        told(state, by(ANNA, BuyHotel("badstrasse"), 2))
    with refused(MonopolyReason.CANNOT_AFFORD):
        told(state, by(ANNA, Pay(0), 2))
    with refused(MonopolyReason.IN_DISTRESS):
        told(state, by(ANNA, OfferTrade(BEN, give=("badstrasse",), want=("parkstrasse",)), 2))


def test_streets_go_to_the_bank_at_face_value_and_hotels_stay() -> None:
    """9.3"""
    state = with_hotels(in_distress(20, "badstrasse", "turmstrasse", "bahnhofstrasse"), "badstrasse")
    sold = after(state, by(ANNA, SellToBank("turmstrasse"), 2))
    assert announced(sold, ANNA) == 80
    sold = after(sold, by(ANNA, SellToBank("badstrasse"), 3))
    assert announced(sold, ANNA) == 80 + deed(sold, "badstrasse").hotel
    assert "badstrasse" in sold.hotels
    nothing = after(sold, by(ANNA, SellToBank("bahnhofstrasse"), 4))
    assert announced(nothing, ANNA) == announced(sold, ANNA)


def test_a_hotel_survives_the_sale_and_the_next_owner_pays_the_streets_price() -> None:
    """9.3"""
    state = with_hotels(table((1, 2)), "turmstrasse")
    state = after(state, rolls(ANNA), buys(ANNA))

    assert announced(state, ANNA) == 1_440
    assert "turmstrasse" in state.hotels


def test_nobody_sells_without_need() -> None:
    """9.2"""
    with refused(MonopolyReason.NOT_IN_DISTRESS):
        told(owning(table(), ANNA, "badstrasse"), by(ANNA, SellToBank("badstrasse")))
    state = after(in_distress(390, "badstrasse", "turmstrasse"), by(ANNA, SellToBank("badstrasse"), 2))
    with refused(MonopolyReason.NOT_IN_DISTRESS):
        told(state, by(ANNA, SellToBank("turmstrasse"), 3))
    assert not after(state, by(ANNA, Pay(0), 3)).debts


def test_to_players_for_cash_and_not_for_less_than_the_bank() -> None:
    """9.4"""
    state = in_distress(20, "badstrasse", "turmstrasse")
    with refused(MonopolyReason.TRADE_TOO_CHEAP):
        told(state, by(ANNA, OfferTrade(CARA, give=("badstrasse",), want_cash=50), 2))
    state = after(state, by(ANNA, OfferTrade(CARA, give=("badstrasse",), want_cash=500), 2))
    state = after(state, by(CARA, AcceptTrade(state.trades[0].trade_id), 3), by(ANNA, Pay(0), 4))

    assert (announced(state, ANNA), state.owners["badstrasse"], state.owners["turmstrasse"]) == (120, CARA, ANNA)


def test_with_nothing_left_to_sell_one_is_bankrupt_to_the_creditor() -> None:
    """9.5"""
    state = holding(in_distress(20, "badstrasse"), ANNA, "ch_send")
    with refused(MonopolyReason.STREETS_LEFT):
        told(state, by(ANNA, DeclareBankrupt(), 2))
    state = after(state, by(ANNA, SellToBank("badstrasse"), 2))
    end = after(state, by(ANNA, DeclareBankrupt(), 3))

    assert end.out == (ANNA,)
    assert (announced(end, ANNA), announced(end, BEN)) == (0, 1_580)
    assert end.kept[BEN] == {"chance": "ch_send"}
    assert end.debts == ()
    assert end.turn.seat == BEN


def test_a_card_for_which_the_heir_has_no_room_goes_under_its_deck() -> None:
    """9.5"""
    state = holding(holding(in_distress(20), ANNA, "ch_send"), BEN, "ch_swap")
    end = after(state, by(ANNA, DeclareBankrupt(), 3))

    assert end.kept[BEN] == {"chance": "ch_swap"}
    assert end.decks["chance"].under == ("ch_send",)


def test_bankrupt_to_the_bank_the_streets_are_auctioned_in_board_order() -> None:
    """9.6"""
    state = owning(table((1, 2), seats=4), BEN, "schlossallee", "badstrasse")
    events = told(state, Command(HOUSE, later(1), Vacate(BEN)))
    end = after(state, Command(HOUSE, later(1), Vacate(BEN)))

    assert only(events, Bankrupted).lots == ("badstrasse", "schlossallee")
    assert only(events, AuctionOpened).auction.lot == "badstrasse"
    assert only(events, AuctionOpened).auction.bidders == (ANNA, CARA, DAN)
    assert (announced(end, BEN), end.ledger[POT]) == (0, 20_400 - 4_500)


def test_a_card_that_he_has_drawn_and_not_read_goes_back_with_him() -> None:
    """9.6"""
    state = after(standing(owning(table((1, 1)), ANNA, "poststrasse"), ANNA, 0), rolls(ANNA))
    assert isinstance(state.phase, ToRead)
    events = told(state, Command(HOUSE, later(1), Vacate(ANNA)))
    end = after(state, Command(HOUSE, later(1), Vacate(ANNA)))

    deck = end.decks[state.phase.deck]
    assert only(events, CardReturned).card == state.drawn
    assert end.drawn is None
    assert state.drawn in deck.under
    assert len(deck.stack) + len(deck.under) == 16


def test_who_is_left_alone_wins_at_once() -> None:
    """9.8"""
    state = in_distress(20, seats=2)
    end = after(state, by(ANNA, DeclareBankrupt(), 2))

    assert end.phase == Ended((BEN,), (0, 1_520))


def test_bankrupt_in_turn_the_tray_passes_on_and_the_window_stays_open() -> None:
    """9.8"""
    state = after(in_distress(20), cheats(CARA, "bank_heist", 1, amount=100))
    end = after(state, by(ANNA, DeclareBankrupt(), 2))

    assert (end.turn.seat, isinstance(end.phase, ToRoll)) == (BEN, True)
    assert CARA in end.attempts


def test_a_lot_whose_leading_bidder_goes_starts_anew_among_the_rest() -> None:
    """9.7"""
    state = after(table((1, 2), seats=4), rolls(ANNA), declines(ANNA), by(CARA, Bid(0, 300)))
    end = after(state, Command(HOUSE, later(1), Vacate(CARA)))

    assert end.auction is not None
    assert (end.auction.lot, end.auction.bidder, end.auction.amount) == ("turmstrasse", None, 0)
    assert end.auction.bidders == (ANNA, BEN, DAN)
    assert (announced(end, CARA), end.ledger["auction"], end.ledger.total) == (0, 0, 20_400)


def test_a_lot_that_starts_anew_waits_in_board_order() -> None:
    """4.6, 9.7: before what lies behind it on the board."""
    state = replace(table((1, 2), seats=4), lots=("badstrasse", "schlossallee"))
    state = after(state, cheats(BEN, "bank_heist", amount=10), by(CARA, Bid(0, 300)))
    end = after(state, Command(HOUSE, later(1), Vacate(CARA)))

    assert end.auction is not None
    assert (end.auction.lot, end.auction.auction_id, end.lots) == ("badstrasse", 1, ("schlossallee",))


def test_an_auction_is_over_when_the_last_who_could_bid_is_gone() -> None:
    """4.3, 9.7: all others have passed."""
    bids = (by(CARA, Bid(0, 300)), by(DAN, PassBid(0)), by(ANNA, PassBid(0)))
    state = after(table((1, 2), seats=4), rolls(ANNA), declines(ANNA), *bids)
    end = after(state, Command(HOUSE, later(1), Vacate(BEN)))

    assert end.auction is None
    assert (end.owners, announced(end, CARA), end.ledger.total) == ({"turmstrasse": CARA}, 1_200, 20_400)


def test_the_pot_never_runs_dry_and_a_refill_tells_nothing() -> None:
    """9.9"""
    state = table((1, 2), chance=("ch_loan",))
    poor = replace(state, ledger=state.ledger.post([Movement(POT, purse(BEN), state.ledger[POT] - 3_100, "test")]))
    poor = replace(poor, tokens=(3, *poor.tokens[1:]))
    events = told(poor, rolls(ANNA), by(ANNA, UseCard("ch_loan")))
    end = after(poor, rolls(ANNA), by(ANNA, UseCard("ch_loan")))

    assert [(m.from_, m.to, m.amount) for m in only(events, PotRefilled).moved] == [(RESERVE, POT, 5_000)]
    assert end.ledger.total == 20_400
    robbed = after(poor, cheats(CARA, "bank_heist", amount=500))
    assert len(all_of(told(robbed, rolls(ANNA), by(ANNA, UseCard("ch_loan"))), PotRefilled)) == 1


def test_what_was_stolen_and_is_announced_does_not_drain_the_pot_either() -> None:
    """9.9"""
    state = after(owning(table((1, 2), (1, 2)), ANNA, "turmstrasse"), rolls(ANNA))
    state = replace(state, ledger=state.ledger.post([Movement(POT, purse(BEN), state.ledger[POT] - 3_100, "test")]))
    state = after(state, cheats(CARA, "bank_heist", 1, amount=500), passes(ANNA, 20))
    events = told(state, rolls(BEN, 30))

    assert only(events, PotRefilled).moved[0].amount == 5_000
    assert after(state, rolls(BEN, 30)).ledger[POT] == 7_600


# ── trades ──────────────────────────────────────────────────────────────────────────────────────


def market() -> State:
    return owning(owning(table((1, 2)), ANNA, "badstrasse", "schlossallee"), BEN, "turmstrasse")


def offered(state: State, to: int = BEN, **terms: object) -> State:
    return after(state, by(ANNA, OfferTrade(to, **terms)))  # type: ignore[arg-type]


def test_streets_are_traded_for_streets_and_money() -> None:
    """9.10"""
    state = offered(market(), give=("badstrasse",), want=("turmstrasse",), want_cash=100)
    made = after(state, by(BEN, AcceptTrade("0-0"), 1))

    assert (made.owners["badstrasse"], made.owners["turmstrasse"]) == (BEN, ANNA)
    assert (announced(made, ANNA), announced(made, BEN), made.trades) == (1_600, 1_400, ())


def test_money_is_a_price_and_no_gift() -> None:
    """9.10"""
    for terms in (
        {"give_cash": 100},
        {"give": ("badstrasse",), "give_cash": 100},
        {"give": ("badstrasse",), "want": ("turmstrasse",), "give_cash": 10, "want_cash": 10},
        {"give": ("badstrasse",), "want_cash": 15},
    ):
        with refused(MonopolyReason.TRADE_CASH if len(terms) > 1 else MonopolyReason.TRADE_EMPTY):
            offered(market(), **terms)
    with refused(MonopolyReason.TRADE_EMPTY):
        offered(market(), give=("badstrasse", "badstrasse"))


def test_jail_cards_are_traded_too() -> None:
    """9.10"""
    state = offered(holding(market(), ANNA, "ch_jail_free"), give_jail_card="chance", want_cash=50)
    made = after(state, by(BEN, AcceptTrade("0-0"), 1))

    assert (made.kept[ANNA], made.kept[BEN], announced(made, BEN)) == ({}, {"chance": "ch_jail_free"}, 1_450)
    with refused(MonopolyReason.NO_SUCH_CARD):
        offered(holding(market(), ANNA, "ch_send"), give_jail_card="chance", want_cash=50)
    full = offered(holding(holding(market(), ANNA, "ch_jail_free"), BEN, "ch_send"), give_jail_card="chance")
    with refused(MonopolyReason.CARD_LIMIT):
        told(full, by(BEN, AcceptTrade("0-0"), 1))


def test_an_offer_lasts_a_minute_and_can_be_taken_back_and_turned_down() -> None:
    """9.11"""
    state = offered(market(), give=("badstrasse",), want_cash=100)
    with refused(Reason.TOO_LATE, closes_at=later(60)):
        told(state, by(BEN, AcceptTrade("0-0"), 60))
    with refused(MonopolyReason.NO_SUCH_TRADE):
        told(state, by(CARA, AcceptTrade("0-0"), 1))
    assert only(told(state, by(ANNA, WithdrawTrade("0-0"), 1)), TradeClosed).why == TradeEnd.WITHDRAWN
    assert only(told(state, by(BEN, WithdrawTrade("0-0"), 1)), TradeClosed).why == TradeEnd.DECLINED


def test_a_new_offer_takes_the_place_of_the_old_one() -> None:
    """9.11"""
    state = offered(market(), give=("badstrasse",), want_cash=100)
    with refused(Reason.TOO_EARLY, not_before=later(10)):
        told(state, by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=90), 9))
    state = after(state, by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=90), 10))

    assert [(trade.trade_id, trade.want_cash) for trade in state.trades] == [("0-1", 90)]


def test_what_has_changed_hands_makes_an_offer_void() -> None:
    """9.12"""
    state = offered(market(), give=("badstrasse",), want_cash=100)
    with refused(MonopolyReason.TRADE_STALE):
        told(owning(state, CARA, "badstrasse"), by(BEN, AcceptTrade("0-0"), 1))


def test_a_jail_card_that_was_played_meanwhile_makes_it_void() -> None:
    """9.12: who was offered it cannot know, so the offer is accepted and comes to nothing."""
    state = offered(holding(market(), ANNA, "ch_jail_free"), give_jail_card="chance", want_cash=50)
    events = told(replace(state, kept=({}, {}, {})), by(BEN, AcceptTrade("0-0"), 1))

    assert only(events, TradeClosed).why == TradeEnd.STALE
    assert not all_of(events, TradeMade)


def test_money_that_is_not_there_does_too() -> None:
    """9.12"""
    state = offered(market(), want=("turmstrasse",), give_cash=1_000)
    robbed = watching(state, anna="dice")
    for taker in (BEN, CARA):
        robbed = after(robbed, cheats(taker, "pickpocket", 1, target=ANNA, amount=100))
    robbed = replace(robbed, ledger=robbed.ledger.post([Movement(purse(ANNA), POT, 400, "test")]))
    events = told(robbed, by(BEN, AcceptTrade("0-0"), 2))

    assert only(events, TradeClosed).why == TradeEnd.SHORT
    assert not all_of(events, TradeMade)


def test_a_debt_between_the_two_comes_first() -> None:
    """9.13"""
    state = after(market(), rolls(ANNA), by(BEN, DemandRent(0)))
    with refused(MonopolyReason.TRADE_PENDING):
        told(state, by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=10)))

    assert told(state, by(ANNA, OfferTrade(CARA, give=("badstrasse",), want_cash=10)))


def test_a_private_offer_is_known_to_the_two() -> None:
    """9.14, 12.1"""
    state = market()
    offer = told(state, by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=300, private=True)))
    made = told(
        after(state, by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=300, private=True))),
        by(BEN, AcceptTrade("0-1-0"), 1),
    )
    both = (*offer, *made)

    assert [seen_by(seat, state, offer).trades != () for seat in (ANNA, BEN, CARA, None)] == [True, True, False, False]
    assert [seen_by(seat, state, both).owners["badstrasse"] for seat in (ANNA, BEN, CARA, None)] == [BEN] * 4
    assert [seen_by(seat, state, both).private[purse(ANNA)] for seat in (ANNA, BEN, CARA, None)] == [300, 300, 0, 0]
    end = seen_by(ANNA, state, both)
    assert (announced(end, ANNA), believed(end, ANNA)) == (1_500, 1_800)
    public = told(seen_by(CARA, state, both), by(ANNA, OfferTrade(BEN, give=("schlossallee",), want_cash=10), 20))
    assert [event.trade.trade_id for event in public if hasattr(event, "trade")] == ["0-0"]


def test_a_private_price_counts_when_it_matters() -> None:
    """9.14, 9.5"""
    state = after(market(), by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=1_400, private=True)))
    state = after(state, by(BEN, AcceptTrade("0-1-0"), 1))
    assert (announced(state, BEN), money(state, BEN), money(state, ANNA)) == (1_500, 100, 2_900)
    gone = after(state, Command(HOUSE, later(2), Vacate(BEN)))

    assert gone.private[purse(BEN)] == 0
    assert sum(gone.private.values()) == 0
    assert gone.ledger.total == 20_400


def test_who_pays_and_has_it_not_hears_what_is_there() -> None:
    """12.4, 9.2"""
    assert believed(in_distress(20, "badstrasse"), ANNA) == 20
    events = told(
        after(owning(with_cash(table((1, 2)), ANNA, 10), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0))),
        by(ANNA, Pay(0)),
    )
    assert only(events, FellShort).purse == 10


def test_a_street_sold_to_the_bank_can_be_bought_again_and_is_owned_once() -> None:
    """9.3"""
    state = in_distress(390, "badstrasse", "turmstrasse")
    state = after(state, by(ANNA, SellToBank("turmstrasse"), 2), by(ANNA, Pay(0), 3), passes(ANNA, 4))
    assert (streets_of(state, ANNA), "turmstrasse" in state.owners) == (("badstrasse",), False)
    again = replace(table((1, 2), seats=4), owners=state.owners, hotels=state.hotels)
    bought = after(again, rolls(ANNA), buys(ANNA))

    assert streets_of(bought, ANNA) == ("badstrasse", "turmstrasse")
