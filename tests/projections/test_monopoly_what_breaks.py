"""What broke elsewhere, by the numbers of docs/what-breaks.md (public bug reports), and does not here."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.actions import (
    AcceptTrade,
    Bid,
    BuyHotel,
    DeclareBankrupt,
    Decline,
    DemandRent,
    JailPay,
    OfferTrade,
    PassBid,
    PassTray,
    Pay,
    PlayerAction,
    SellToBank,
    Vacate,
)
from domain.games.monopoly.data import CURRENT
from domain.games.monopoly.events import (
    AuctionClosed,
    AuctionOpened,
    Bankrupted,
    BidPassed,
    Declined,
    MatchOver,
    Moved,
    Paid,
)
from domain.games.monopoly.phases import Closing, Done, Ended, ToRoll
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import POT, State, streets_of
from domain.kernel.game import HOUSE, Answers, Command, Over, Refused
from domain.kernel.reasons import Reason
from projections.narration.monopoly import narrate
from projections.views.monopoly.redacting import redact
from projections.views.monopoly.viewing import view
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    accepts,
    accuses,
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
    passes,
    rolls,
    settled,
    standing,
    table,
    told,
    tries_for_a_double,
    watches,
    with_cash,
    with_hotels,
)

NAMES = ("Anna", "Ben", "Cara", "Dan")


def in_debt(cash: int, *streets: str, seats: int = 3) -> State:
    """Anna must pay Ben 400."""
    state = owning(with_cash(table((1, 2), seats=seats), ANNA, cash), ANNA, *streets)
    state = owning(replace(state, tokens=(32, *state.tokens[1:])), BEN, "parkstrasse", "schlossallee")
    return after(state, rolls(ANNA), by(BEN, DemandRent(0)))


def auction(**chosen: int) -> State:
    return after(table((1, 2), **chosen), rolls(ANNA), declines(ANNA))  # type: ignore[arg-type]


# ── the general ones ────────────────────────────────────────────────────────────────────────────


def test_1_a_double_click_on_a_demand_hits_no_other_landing() -> None:
    state = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0)))
    with refused(MonopolyReason.ALREADY_DEMANDED):
        told(state, by(BEN, DemandRent(0), 0.082))


def test_2_after_an_accusation_the_turn_is_whose_it_was() -> None:
    state = after(table((1, 2)), rolls(ANNA), accuses(CARA, BEN, "escape"))

    assert state.turn.seat == ANNA
    assert told(state, buys(ANNA))


def test_3_and_4_the_very_last_cheat_can_be_accused_in_a_window_of_its_own() -> None:
    state = after(table((1, 2), max_turns=1), rolls(ANNA), cheats(BEN, "bank_heist", amount=100), buys(ANNA))
    state = after(state, passes(ANNA, 5))
    assert state.phase == Closing(later(35))

    assert after(state, accuses(CARA, BEN, "bank_heist", 34.9)).prisoner == BEN
    ended = house_acts(state, 35).phase
    assert isinstance(ended, Ended)


def test_7_a_wrong_accusation_in_the_last_window_ends_nothing() -> None:
    state = after(table((1, 2), max_turns=1), rolls(ANNA), buys(ANNA), passes(ANNA, 5))

    assert isinstance(after(state, accuses(CARA, BEN, "escape", 6)).phase, Closing)


def test_8_and_15_nobody_is_waited_for_who_has_no_button() -> None:
    for state in (
        table((1, 2)),
        auction(),
        in_debt(20, "badstrasse"),
        after(in_debt(20), by(ANNA, Pay(0))),
        after(table((1, 2), max_turns=1), rolls(ANNA), buys(ANNA), passes(ANNA)),
    ):
        awaited = MONOPOLY.awaits(state)
        assert isinstance(awaited, Answers)
        assert awaited.seats
        assert all(MONOPOLY.offers(state, seat) for seat in awaited.seats)


def test_11_a_demand_at_the_last_second_leaves_time_to_pay() -> None:
    state = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0), 59.9))

    assert MONOPOLY.awaits(state) == Answers((ANNA,), later(119.9))


def test_12_acting_at_the_last_second_takes_nobody_his_window() -> None:
    state = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), passes(ANNA, 59.9))
    with refused(Reason.TOO_EARLY, not_before=later(64.9)):
        told(state, rolls(BEN, 60))


def test_16_and_18_a_penalty_is_paid_once_and_whole() -> None:
    state = after(table((1, 2)), rolls(ANNA), cheats(CARA, "bank_heist", amount=500), accuses(BEN, CARA, "bank_heist"))

    assert money(state, CARA) == 1_300
    assert state.ledger[POT] == 20_400 - 4_500 + 200


def test_20_who_leaves_after_cheating_pays_it_himself() -> None:
    state = after(table((1, 2), seats=4), rolls(ANNA), cheats(CARA, "pickpocket", target=BEN, amount=100))
    gone = after(state, Command(HOUSE, later(1), Vacate(CARA)))

    assert (money(gone, BEN), money(gone, CARA), gone.attempts) == (1_500, 0, {})
    assert (money(gone, ANNA), money(gone, DAN)) == (1_500, 1_500)


def test_57_58_and_65_no_frame_holds_what_its_reader_may_not_know() -> None:
    state = after(standing(table((1, 2), chance=("ch_send",)), ANNA, 3), rolls(ANNA))
    events = told(standing(table((1, 2), chance=("ch_send",)), ANNA, 3), rolls(ANNA))
    frames = b"".join(msgspec.json.encode(redact(event, BEN)) for event in events)

    assert state.drawn == "ch_send"
    assert b"ch_send" not in frames


def test_59_what_a_client_says_of_its_cards_is_not_believed() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"type":"monopoly_cheaters.throw","dice":[6,6],"draw":0}', type=PlayerAction)


def test_72_who_is_in_turn_leaves_and_the_tray_goes_on() -> None:
    state = after(table((1, 2)), rolls(ANNA), Command(HOUSE, later(1), Vacate(ANNA)))

    assert (state.turn.seat, isinstance(state.phase, ToRoll)) == (BEN, True)


def test_77_a_deadline_fired_twice_does_one_thing() -> None:
    state = auction()
    act = MONOPOLY.house(state, CHANCE).action
    closed = after(state, Command(HOUSE, later(10), act))
    with refused(Reason.NOT_NOW):
        told(closed, Command(HOUSE, later(10), act))


def test_79_and_80_a_fast_second_click_moves_nobody_twice() -> None:
    state = after(table((1, 2), (3, 4)), rolls(ANNA))
    with refused(Reason.NOT_NOW):
        told(state, rolls(ANNA, 0.01))


def test_82_a_retried_throw_is_the_same_throw() -> None:
    state = replace(table(), phase=ToRoll(True, later(0), later(60)))
    called = MONOPOLY.evolve(state, MONOPOLY.decide(state, rolls(ANNA))[0])

    assert MONOPOLY.house(called, CHANCE) == MONOPOLY.house(called, CHANCE)


# ── Monopoly ────────────────────────────────────────────────────────────────────────────────────


def test_34_declining_leads_to_an_auction() -> None:
    assert (
        only(told(after(table((1, 2)), rolls(ANNA)), by(ANNA, Decline())), AuctionOpened).auction.lot == "turmstrasse"
    )


def test_34_nobody_builds_without_the_group() -> None:
    with refused(MonopolyReason.GROUP_INCOMPLETE):
        told(owning(table((1, 2)), ANNA, "schlossallee"), by(ANNA, BuyHotel("schlossallee")))


def test_34_nobody_plays_on_with_negative_money() -> None:
    state = after(in_debt(20, "badstrasse"), by(ANNA, Pay(0)))
    with refused(Reason.NOT_NOW if not isinstance(state.phase, Done) else MonopolyReason.BUSY):
        told(state, by(ANNA, PassTray()))

    assert announced(state, ANNA) == 20


def test_35_jail_has_its_effect() -> None:
    state = after(jailed(table((1, 2)), ANNA), tries_for_a_double(ANNA))

    assert (state.tokens[ANNA], state.prisoner) == (9, ANNA)
    with refused(Reason.NOT_NOW):
        told(state, rolls(ANNA, 1))


def test_36_no_wrong_key_means_bankruptcy() -> None:
    with refused(MonopolyReason.NOT_IN_DISTRESS):
        told(table((1, 2)), by(ANNA, DeclareBankrupt()))
    with refused(MonopolyReason.STREETS_LEFT):
        told(after(in_debt(20, "badstrasse"), by(ANNA, Pay(0))), by(ANNA, DeclareBankrupt()))


def test_37_doubles_work() -> None:
    state = after(owning(table((1, 1), (1, 2)), ANNA, "chausseestrasse"), rolls(ANNA))
    assert state.turn.again

    state = after(owning(standing(table((2, 1), (1, 2)), ANNA, 0), ANNA, "turmstrasse"), rolls(ANNA))
    assert not state.turn.again


def test_38_nobody_is_bankrupt_who_could_pay() -> None:
    state = after(in_debt(20, "berliner_strasse", "wiener_strasse"), by(ANNA, Pay(0)))
    for street in ("berliner_strasse", "wiener_strasse"):
        state = after(state, by(ANNA, SellToBank(street)))
    with refused(MonopolyReason.NOT_IN_DISTRESS):
        told(state, by(ANNA, DeclareBankrupt()))

    assert after(state, by(ANNA, Pay(0))).out == ()


def test_39_a_street_bought_back_is_listed_once() -> None:
    state = after(in_debt(390, "badstrasse"), by(ANNA, Pay(0)), by(ANNA, SellToBank("badstrasse")), by(ANNA, Pay(0)))
    again = after(replace(table((1, 2)), owners=state.owners), rolls(ANNA), buys(ANNA))

    assert list(streets_of(again, ANNA)).count("turmstrasse") == 1
    assert [street.owner for street in view(again, ANNA).streets].count(ANNA) == 1


def test_40_nobody_loses_twice() -> None:
    state = after(in_debt(20), by(ANNA, Pay(0)), by(ANNA, DeclareBankrupt()))
    with refused(Reason.OUT_OF_ROUND):
        told(state, by(ANNA, DeclareBankrupt()))

    gone = told(state, Command(HOUSE, later(1), Vacate(ANNA)))
    assert not all_of(gone, Bankrupted)


def test_41_bankruptcy_after_a_double_is_recorded_and_somebody_wins() -> None:
    state = owning(with_cash(table((2, 2), seats=2), ANNA, 20), BEN, "parkstrasse", "schlossallee")
    state = after(replace(state, tokens=(31, 0)), rolls(ANNA), by(BEN, DemandRent(0)), by(ANNA, Pay(0)))
    events = told(state, by(ANNA, DeclareBankrupt()))

    assert only(events, Bankrupted).seat == ANNA
    assert only(events, MatchOver).winners == (BEN,)


def test_42_bankruptcy_makes_no_money_and_its_streets_are_auctioned() -> None:
    state = owning(table((1, 2)), ANNA, "badstrasse", "schlossallee")
    events = told(state, Command(HOUSE, later(1), Vacate(ANNA)))
    gone = after(state, Command(HOUSE, later(1), Vacate(ANNA)))

    assert only(events, AuctionOpened).auction.lot == "badstrasse"
    assert gone.ledger.total == 20_400


def test_43_no_hotel_stands_on_a_station() -> None:
    assert all(square.street is None for square in CURRENT.board if square.kind == "station")
    with refused(MonopolyReason.NO_SUCH_STREET):
        told(table(), by(ANNA, BuyHotel("suedbahnhof")))


def test_44_the_rent_of_berliner_strasse_with_a_hotel_has_all_its_zeros() -> None:
    deeds = CURRENT.by_street["classic"]

    assert deeds["berliner_strasse"].hotel == 1000
    assert [deed.hotel for deed in deeds.values()] == sorted(deed.hotel for deed in deeds.values())


def test_45_after_three_turns_in_jail_the_payment_is_forced() -> None:
    state = after(jailed(table((1, 2)), ANNA, tries=2), tries_for_a_double(ANNA))
    paid = house_acts(state, 60)

    assert (announced(paid, ANNA), paid.tokens[ANNA]) == (1_450, 12)


def test_46_a_prisoner_trades() -> None:
    state = owning(jailed(table((1, 2)), BEN), BEN, "badstrasse")
    state = after(state, by(BEN, OfferTrade(CARA, give=("badstrasse",), want_cash=100)))

    assert after(state, by(CARA, AcceptTrade("1-0"))).owners["badstrasse"] == CARA


def test_47_no_trade_of_nothing_with_nobody_crashes() -> None:
    for offer in (
        OfferTrade(ANNA),
        OfferTrade(BEN),
        OfferTrade(BEN, give=("no_such_street",)),
        OfferTrade(BEN, want=("badstrasse",)),
        OfferTrade(BEN, want_jail_card="chance"),
    ):
        with pytest.raises(Refused):
            told(table(), by(ANNA, offer))


def test_48_below_zero_one_sells_or_is_bankrupt() -> None:
    short = after(in_debt(20, "badstrasse"), by(ANNA, Pay(0)))
    offered = {offer.type for offer in MONOPOLY.offers(short, ANNA)}
    assert "monopoly_cheaters.sell_to_bank" in offered
    sold = after(short, by(ANNA, SellToBank("badstrasse")))

    assert "monopoly_cheaters.declare_bankrupt" in {offer.type for offer in MONOPOLY.offers(sold, ANNA)}


def test_49_declined_to_buy_and_passed_in_the_auction_are_two_things() -> None:
    declined = narrate(Declined(ANNA, "badstrasse"), "en", lambda seat: NAMES[seat])
    passed = narrate(BidPassed(0, ANNA), "en", lambda seat: NAMES[seat])

    assert declined == "Anna does not buy Badstraße."
    assert passed == "Anna bids no more."


def test_50_no_bidder_is_skipped() -> None:
    state = after(auction(seats=4), by(DAN, Bid(0, 10)), by(BEN, PassBid(0)))
    awaited = MONOPOLY.awaits(state)

    assert isinstance(awaited, Answers)
    assert awaited.seats == (ANNA, CARA)
    assert told(state, by(CARA, Bid(0, 20)))


def test_51_the_last_two_bidders_can_pass() -> None:
    state = after(auction(), by(BEN, Bid(0, 10)), by(CARA, PassBid(0)))

    assert "monopoly_cheaters.pass_bid" in {offer.type for offer in MONOPOLY.offers(state, ANNA)}


def test_52_a_single_pass_pays_nobody() -> None:
    events = told(after(auction(), by(BEN, Bid(0, 10))), by(CARA, PassBid(0)))

    assert [type(event) for event in events] == [BidPassed]


def test_53_nobody_waits_for_who_cannot_afford_a_bid() -> None:
    state = with_cash(after(auction(), by(BEN, Bid(0, 100))), CARA, 50)
    offered = {offer.type for offer in MONOPOLY.offers(state, CARA)}
    assert "monopoly_cheaters.bid" not in offered

    assert house_acts(state, 10).owners["turmstrasse"] == BEN


def test_54_a_pass_does_not_leak_into_the_next_auction() -> None:
    state = replace(auction(), lots=("badstrasse",))
    state = after(state, *(by(seat, PassBid(0)) for seat in (ANNA, BEN, CARA)))

    assert state.auction is not None
    assert state.auction.passed == ()
    assert told(state, by(BEN, Bid(1, 10)))


def test_55_a_pass_while_leading_hangs_nothing() -> None:
    state = after(auction(), by(BEN, Bid(0, 10)))
    with refused(MonopolyReason.LEADING):
        told(state, by(BEN, PassBid(0)))
    events = told(state, by(ANNA, PassBid(0)), by(CARA, PassBid(0)))

    assert only(events, AuctionClosed).winner == BEN


def test_56_to_accept_in_advance_is_heeded() -> None:
    state = after(table((1, 2), (1, 2)), rolls(ANNA), buys(ANNA), passes(ANNA))
    state = after(state, accepts(ANNA, 2), accepts(CARA, 2))

    assert told(state, rolls(BEN, 0.1))


def test_63_a_second_account_looking_on_sees_no_zone() -> None:
    state = after(table((1, 2)), watches(BEN, "tray"))
    events = told(state, cheats(CARA, "bank_heist", amount=100))

    assert [redact(event, None) for event in events] == [None]


def test_70_the_log_is_the_same_for_all_but_for_what_they_saw() -> None:
    events = told(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0)), by(ANNA, Pay(0)))
    tags = {tuple(type(redact(event, viewer)).__name__ for event in events) for viewer in (ANNA, BEN, CARA, None)}

    assert len(tags) == 1
    assert all_of(events, Paid)
    assert all_of(events, Moved)


def test_78_the_house_acts_at_the_end_and_not_before() -> None:
    state = table((1, 2))
    with refused(Reason.TOO_EARLY, not_before=later(60)):
        told(state, Command(HOUSE, later(53), MONOPOLY.house(state, CHANCE).action))


def test_over_is_over() -> None:
    state = settled(after(in_debt(20, seats=2), by(ANNA, Pay(0)), by(ANNA, DeclareBankrupt())))
    assert isinstance(MONOPOLY.awaits(state), Over)
    for action in (JailPay(), PassTray()):
        with refused(Reason.NOT_NOW):
            told(state, by(BEN, action))
    assert MONOPOLY.offers(state, BEN) == ()


def test_a_hotel_on_a_sold_street_is_not_counted_twice() -> None:
    state = after(with_hotels(in_debt(20, "badstrasse"), "badstrasse"), by(ANNA, Pay(0)))
    sold = after(state, by(ANNA, SellToBank("badstrasse")))

    assert list(sold.hotels).count("badstrasse") == 1
