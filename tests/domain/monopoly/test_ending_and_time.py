"""How it ends on LOS, what the House does when time is up, and who leaves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.actions import (
    BuyHotel,
    ChooseDeck,
    DemandRent,
    OfferTrade,
    Pay,
    Place,
    SellToBank,
    UseCard,
    Vacate,
)
from domain.games.monopoly.events import (
    AuctionOpened,
    Event,
    FinalRents,
    Jailed,
    Left,
    MatchOver,
    Moved,
    SoldOut,
    Succeeded,
)
from domain.games.monopoly.phases import Closing, Done, Ended, ToMove, ToRead, ToRoll
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import Placing, State, deed, purse
from domain.kernel.game import HOUSE, Answers, Command
from domain.kernel.ledger import Movement, net
from domain.kernel.reasons import Reason
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    accepts,
    accuses,
    after,
    all_of,
    all_sold,
    announced,
    buys,
    by,
    cheats,
    declines,
    holding,
    house_acts,
    jailed,
    money,
    only,
    owning,
    passes,
    rolls,
    standing,
    table,
    told,
    with_cash,
    with_hotels,
)


def test_the_last_purchase_turns_the_end_on_for_good() -> None:
    """10.1"""
    state = all_sold(table((1, 2)))
    owners = {street: owner for street, owner in state.owners.items() if street != "turmstrasse"}
    state = after(replace(state, owners=owners, sold_out=False), rolls(ANNA))
    events = told(state, buys(ANNA))

    assert all_of(events, SoldOut)
    assert after(state, buys(ANNA)).sold_out


def test_a_street_that_comes_back_later_is_auctioned_at_once() -> None:
    """10.1"""
    state = all_sold(with_cash(table((1, 2)), BEN, 10), ben=("badstrasse",))
    state = after(standing(state, BEN, 0), accuses(BEN, CARA, "escape"))
    events = told(state, by(BEN, SellToBank("badstrasse"), 1))

    assert only(events, AuctionOpened).auction.lot == "badstrasse"
    assert after(state, by(BEN, SellToBank("badstrasse"), 1)).sold_out


def test_who_reaches_los_stays_there_although_pips_remain() -> None:
    """10.2: 200, and the turn is over after a double too."""
    state = after(standing(all_sold(table((4, 4))), ANNA, 32), rolls(ANNA))

    assert (state.tokens[ANNA], state.parked, announced(state, ANNA)) == (0, (ANNA,), 1_700)
    assert state.phase == Done(later(60))


def test_a_ride_and_a_card_reach_it_too() -> None:
    """10.2"""
    ride = after(standing(all_sold(table((1, 2))), ANNA, 29), rolls(ANNA))
    assert (ride.tokens[ANNA], ride.parked) == (0, (ANNA,))
    card = after(standing(all_sold(table((1, 2), chance=("ch_seestrasse",))), ANNA, 17), rolls(ANNA))
    assert after(card, by(ANNA, UseCard("ch_seestrasse"))).parked == (ANNA,)


def test_moving_back_and_jail_do_not_count() -> None:
    """10.2"""
    state = after(standing(all_sold(table((1, 2), chest=("cc_jail",))), ANNA, 27), rolls(ANNA))
    assert after(state, by(ANNA, UseCard("cc_jail"))).parked == ()
    caught = after(
        standing(all_sold(table((1, 2), cheats=("identity",))), BEN, 20),
        rolls(ANNA),
        cheats(ANNA, "identity", target=BEN),
        accuses(CARA, ANNA, "identity", 5),
        by(BEN, Place(0), 6),
    )
    assert (caught.tokens[ANNA], caught.parked) == (0, ())


def test_who_stands_on_los_already_must_go_round_again() -> None:
    """10.2"""
    state = after(all_sold(table((1, 2))), rolls(ANNA))

    assert (state.parked, state.tokens[ANNA]) == ((), 3)


def test_who_stays_there_takes_no_more_turns_but_plays_on() -> None:
    """10.3"""
    state = replace(all_sold(table((1, 2)), cara=("badstrasse",)), parked=(BEN,))
    state = after(state, rolls(ANNA), passes(ANNA, 1))
    assert state.turn.seat == CARA

    assert told(state, cheats(BEN, "bank_heist", 2, amount=10))
    assert told(state, accuses(BEN, ANNA, "bank_heist", 2))
    assert told(state, by(BEN, OfferTrade(CARA, want=("badstrasse",), give_cash=50), 2))


def nearly_over(**chosen: object) -> State:
    """Ben and Cara stand on LOS, and Anna has just come there."""
    state = all_sold(table((1, 2), (1, 2)), ben=("badstrasse", "turmstrasse"), cara=("schlossallee",))
    state = replace(standing(with_hotels(state, "badstrasse"), ANNA, 34), parked=(BEN, CARA))
    return after(state, rolls(ANNA))


def test_a_last_window_opens_when_all_stand_on_los() -> None:
    """10.4"""
    state = after(nearly_over(), cheats(BEN, "bank_heist", 1, amount=10), passes(ANNA, 2))
    assert state.phase == Closing(later(32))
    with refused(MonopolyReason.NO_NEW_ATTEMPTS):
        told(state, cheats(CARA, "pickpocket", 3, target=BEN, amount=10))
    with refused(Reason.NOT_NOW):
        told(state, by(BEN, BuyHotel("turmstrasse"), 3))
    with refused(Reason.NOT_NOW):
        told(state, by(BEN, OfferTrade(CARA, give=("badstrasse",), want_cash=10), 3))

    assert told(state, accuses(CARA, BEN, "bank_heist", 31.9))


def test_it_ends_at_once_when_all_have_accepted() -> None:
    """10.4"""
    state = after(nearly_over(), passes(ANNA, 2))
    number = state.turn.number
    state = after(state, *(accepts(seat, number, 3) for seat in (ANNA, BEN, CARA)))

    assert isinstance(state.phase, Ended)


def _last_rents(events: tuple[Event, ...]) -> tuple[Movement, ...]:
    return tuple(movement for event in all_of(events, FinalRents) for movement in event.moved)


def test_the_last_cheats_are_announced_and_streets_bring_their_rents() -> None:
    """10.5, 10.4"""
    state = after(nearly_over(), cheats(BEN, "bank_heist", 1, amount=10), passes(ANNA, 2))
    events = told(state, Command(HOUSE, later(32), MONOPOLY.house(state, CHANCE).action))
    moved = _last_rents(events)

    assert only(events, Succeeded).seat == BEN
    assert net(moved, purse(BEN)) == deed(state, "badstrasse").hotel + deed(state, "turmstrasse").full_group
    assert net(moved, purse(CARA)) == deed(state, "schlossallee").base
    assert deed(state, "schlossallee").base == 200


def test_the_most_cash_wins() -> None:
    """10.6"""
    state = house_acts(after(nearly_over(), passes(ANNA, 2)), 32)
    assert isinstance(state.phase, Ended)

    assert state.phase.winners == (ANNA,)
    assert state.phase.scores == tuple(money(state, seat) for seat in (ANNA, BEN, CARA))


def test_ties_share() -> None:
    """10.6"""
    state = house_acts(after(table((1, 2), max_turns=1), rolls(ANNA), declines(ANNA)), 10)
    state = house_acts(after(state, passes(ANNA, 11)), 41)

    assert state.phase == Ended((ANNA, BEN, CARA), (1_500, 1_500, 1_500))


def test_after_the_last_turn_the_table_is_treated_as_all_on_los() -> None:
    """10.7"""
    state = after(table((1, 2), max_turns=1), rolls(ANNA), buys(ANNA), passes(ANNA, 5))
    events = told(state, Command(HOUSE, later(35), MONOPOLY.house(state, CHANCE).action))

    assert only(events, MatchOver).winners == (BEN, CARA)
    assert net(_last_rents(events), purse(ANNA)) == 30


# ── time ────────────────────────────────────────────────────────────────────────────────────────


def test_a_turns_clock_stands_still_while_something_else_is_open() -> None:
    """11.1"""
    state = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0), 50))
    assert MONOPOLY.awaits(state) == Answers((ANNA,), later(110))
    paid = after(state, by(ANNA, Pay(0), 100))

    assert paid.phase == Done(later(160))


def test_the_house_throws_and_declines_and_passes_on() -> None:
    """11.2"""
    state = house_acts(table((1, 2)), 60)
    assert state.tokens[ANNA] == 3
    state = house_acts(state, 120)
    assert state.auction is not None
    state = house_acts(house_acts(state, 130), 190)

    assert (state.turn.seat, state.owners) == (BEN, {})


def test_the_house_tries_for_a_double_in_jail() -> None:
    """11.2"""
    state = house_acts(jailed(table((1, 2)), ANNA), 60)

    assert (state.prisoner, state.tries) == (ANNA, 1)


def test_the_house_moves_where_it_is_asked() -> None:
    """11.2"""
    state = after(table((1, 2), cheats=("trick_dice",)), rolls(ANNA))
    assert isinstance(state.phase, ToMove)

    assert house_acts(state, 60).tokens[ANNA] == 3


def test_the_house_takes_chance_and_reads_it_out_or_keeps_it() -> None:
    """11.2"""
    asked = after(standing(table((1, 2), chance=("ch_dividend",)), ANNA, 15), rolls(ANNA))
    drawn = house_acts(asked, 60)
    assert drawn.phase == ToRead("chance", later(120))
    assert announced(house_acts(drawn, 120), ANNA) == 1_550
    keeps = after(standing(table((1, 2), chance=("ch_send",)), ANNA, 15), rolls(ANNA), by(ANNA, ChooseDeck("chance")))
    assert house_acts(keeps, 60).kept[ANNA] == {"chance": "ch_send"}
    full = holding(keeps, ANNA, "ch_jail_free")
    assert house_acts(full, 60).kept[ANNA] == {"chance": "ch_jail_free"}


def test_the_house_bribes_nobody() -> None:
    """11.2"""
    state = after(table((1, 1), chest=("cc_contest",)), rolls(ANNA))

    assert announced(house_acts(state, 60), ANNA) == 1_510


def test_the_house_pays_sells_the_cheapest_and_then_gives_up() -> None:
    """11.2"""
    state = owning(
        with_cash(table((1, 2), seats=4), ANNA, 20), ANNA, "badstrasse", "berliner_strasse", "bahnhofstrasse"
    )
    state = owning(replace(state, tokens=(32, 0, 0, 0)), BEN, "parkstrasse", "schlossallee")
    state = after(state, rolls(ANNA), by(BEN, DemandRent(0)))
    short = house_acts(state, 60)
    assert short.debts[0].short
    assert short.debts[0].until == later(120)
    sold = house_acts(short, 120)
    assert "bahnhofstrasse" not in sold.owners
    sold = house_acts(sold, 120)
    assert "badstrasse" not in sold.owners
    sold = house_acts(sold, 120)
    assert "berliner_strasse" not in sold.owners

    assert house_acts(sold, 120).out == (ANNA,)


def test_of_two_things_that_a_seat_must_do_the_house_does_what_is_due() -> None:
    """11.2: found by a random match; a debt was due and a token still waited for its place."""
    state = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0)))
    both = replace(state, placing=Placing(ANNA, BEN, later(70)))
    paid = house_acts(both, 60)
    assert (paid.debts, paid.placing) == ((), both.placing)

    other = house_acts(replace(both, placing=Placing(ANNA, BEN, later(50))), 50)
    assert (other.debts, other.placing) == (state.debts, None)


def test_the_house_pays_what_is_there() -> None:
    """11.2"""
    state = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0)))

    assert announced(house_acts(state, 60), BEN) == 1_530


@pytest.mark.parametrize("at", [60, 60.001])
def test_an_end_of_time_is_half_open(at: float) -> None:
    """11.4"""
    with refused(Reason.TOO_LATE, closes_at=later(60)):
        told(table((1, 2)), rolls(ANNA, at))
    assert told(table((1, 2)), rolls(ANNA, 59.999))


def test_the_house_is_not_early_either() -> None:
    """11.4"""
    state = table((1, 2))
    act = MONOPOLY.house(state, CHANCE)
    assert act.for_seat == ANNA
    with refused(Reason.TOO_EARLY, not_before=later(60)):
        told(state, Command(HOUSE, later(59.9), act.action))


def test_without_a_clock_nobody_is_waited_for_in_vain() -> None:
    """11.1"""
    state = table((1, 2), pace=replace(PACE, turn_time=None))

    assert MONOPOLY.awaits(state) == Answers((ANNA, BEN, CARA), None)
    assert isinstance(after(state, rolls(ANNA, 9_000)).phase, type(after(state, rolls(ANNA)).phase))


# ── leaving ─────────────────────────────────────────────────────────────────────────────────────


def test_who_leaves_and_is_followed_by_nobody_is_bankrupt_to_the_bank() -> None:
    """11.3"""
    state = after(owning(table((1, 2)), ANNA, "badstrasse"), Command(HOUSE, later(1), Vacate(ANNA)))

    assert (state.out, state.left, announced(state, ANNA)) == ((ANNA,), (ANNA,), 0)
    assert state.auction is not None
    assert house_acts(state, 11).turn.seat == BEN
    with refused(Reason.LEFT):
        told(state, rolls(ANNA, 2))


def test_who_is_bankrupt_already_can_leave_too() -> None:
    """11.3"""
    state = replace(table((1, 2)), out=(CARA,))
    assert [type(event) for event in told(state, Command(HOUSE, later(1), Vacate(CARA)))] == [Left]
    with refused(Reason.OUT_OF_ROUND):
        told(state, accuses(CARA, ANNA, "escape"))


def test_an_accusation_by_who_leaves_falls_away() -> None:
    """11.3, 6.16"""
    state = table((1, 2), seats=4, proof="vote")
    state = after(state, accuses(BEN, CARA, "escape"), Command(HOUSE, later(1), Vacate(BEN)))

    assert state.accusation is None
    assert announced(state, CARA) == 1_500


def test_a_prisoner_who_leaves_leaves_the_handcuff() -> None:
    """11.3, 7.2"""
    state = after(jailed(table((1, 2)), BEN), Command(HOUSE, later(1), Vacate(BEN)))

    assert state.prisoner is None


def test_rent_of_who_left_is_demanded_by_nobody() -> None:
    """11.3, 5.3"""
    state = after(owning(table((1, 2), seats=4), BEN, "turmstrasse"), rolls(ANNA))
    gone = after(state, Command(HOUSE, later(1), Vacate(ANNA)))
    with refused(MonopolyReason.ALREADY_DEMANDED):
        told(gone, by(BEN, DemandRent(0), 2))


def test_parked_tokens_are_moved_by_nothing() -> None:
    """10.3"""
    state = replace(all_sold(table((1, 1), cheats=("identity",))), parked=(BEN,))
    state = after(state, rolls(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(ANNA, "identity", target=BEN))


def test_on_the_way_nobody_is_jailed_twice() -> None:
    """7.1, 6.13"""
    state = jailed(table((1, 2)), BEN)
    caught = after(state, cheats(BEN, "bank_heist", amount=100))
    events = told(caught, accuses(CARA, BEN, "bank_heist", 1))

    assert not all_of(events, Jailed)
    assert not all_of(events, Moved)
    assert isinstance(caught.phase, ToRoll)
