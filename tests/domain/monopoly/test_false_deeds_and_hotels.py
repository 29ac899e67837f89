"""Deeds that lie elsewhere than all believe, and hotels that are not there, or are."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.monopoly.actions import AcceptTrade, OfferTrade
from domain.games.monopoly.events import Undone, WronglyAccused
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import deed, deeds_at, hotels_left, purse, true_hotels, true_hotels_left
from tests.domain.at_table import refused
from tests.domain.monopoly.cheaters import afterwards, my_turn_is_done, opened, survives
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    accuses,
    after,
    all_of,
    all_sold,
    announced,
    buys,
    by,
    cheats,
    declines,
    money,
    only,
    owning,
    passes,
    rolls,
    told,
    with_hotels,
)


def test_a_stolen_deed_only_lies_elsewhere() -> None:
    """6.10"""
    state = owning(my_turn_is_done(opened("deed_theft")), BEN, "schlossallee")
    stolen = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    assert stolen.owners["schlossallee"] == BEN
    assert deeds_at(stolen, purse(CARA)) == ("schlossallee",)

    survived = afterwards(after(stolen, passes(ANNA, 50)), survives(stolen))
    assert survived.owners["schlossallee"] == CARA
    caught = after(stolen, accuses(ANNA, CARA, "deed_theft", 5))
    assert (caught.owners["schlossallee"], caught.prisoner) == (BEN, CARA)
    assert deeds_at(caught, purse(BEN)) == ("schlossallee",)


def test_switched_deeds() -> None:
    """6.5"""
    state = owning(owning(my_turn_is_done(opened("deed_swap")), BEN, "schlossallee"), CARA, "badstrasse")
    swapped = after(state, cheats(CARA, "deed_swap", give="badstrasse", street="schlossallee"))
    assert (deeds_at(swapped, purse(CARA)), deeds_at(swapped, purse(BEN))) == (("schlossallee",), ("badstrasse",))

    survived = afterwards(after(swapped, passes(ANNA, 50)), survives(swapped))
    assert (survived.owners["schlossallee"], survived.owners["badstrasse"]) == (CARA, BEN)


def test_the_bank_is_robbed_of_a_deed_too() -> None:
    """6.5"""
    state = my_turn_is_done(opened("deed_theft"))
    stolen = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    survived = afterwards(after(stolen, passes(ANNA, 50)), survives(stolen))

    assert survived.owners["schlossallee"] == CARA
    assert announced(survived, CARA) == 1_500


def test_no_cheat_takes_the_deed_that_is_being_auctioned() -> None:
    """6.5"""
    state = after(opened("deed_theft"), rolls(ANNA), declines(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(CARA, "deed_theft", street="turmstrasse"))


def test_a_stolen_deed_that_is_traded_on_is_not_stolen_any_more() -> None:
    """6.10"""
    state = owning(my_turn_is_done(opened("deed_theft", seats=4)), BEN, "schlossallee")
    state = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    state = after(state, by(BEN, OfferTrade(DAN, give=("schlossallee",), want_cash=400), 2))
    events = told(state, by(DAN, AcceptTrade(state.trades[0].trade_id), 3))

    assert only(events, Undone).seat == CARA
    end = afterwards(state, events)
    assert (end.owners["schlossallee"], deeds_at(end, purse(DAN))) == (DAN, ("schlossallee",))


def test_a_deed_of_the_bank_that_is_bought_meanwhile_is_not_stolen_any_more() -> None:
    """6.10"""
    state = after(opened("deed_theft"), rolls(ANNA), cheats(CARA, "deed_theft", street="turmstrasse"))
    events = told(state, buys(ANNA, 5))

    assert only(events, Undone).seat == CARA
    assert all_of(told(afterwards(state, events), accuses(ANNA, CARA, "deed_theft", 6)), WronglyAccused)


def test_all_sold_is_tested_when_a_stolen_deed_becomes_ones_own() -> None:
    """10.1"""
    state = all_sold(my_turn_is_done(opened("deed_theft")))
    owners = {street: owner for street, owner in state.owners.items() if street != "schlossallee"}
    state = replace(state, owners=owners, sold_out=False)
    state = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    assert not state.sold_out

    assert afterwards(after(state, passes(ANNA, 50)), survives(state)).sold_out


def test_a_demolition() -> None:
    """6.5"""
    state = with_hotels(owning(my_turn_is_done(opened("demolition")), BEN, "schlossallee"), "schlossallee")
    torn = after(state, cheats(CARA, "demolition", street="schlossallee"))
    assert "schlossallee" in torn.hotels
    assert "schlossallee" not in true_hotels(torn)
    assert true_hotels_left(torn) == hotels_left(torn) + 1

    survived = afterwards(after(torn, passes(ANNA, 50)), survives(torn))
    assert "schlossallee" not in survived.hotels
    assert announced(survived, CARA) == 1_600
    assert "schlossallee" in true_hotels(after(torn, accuses(BEN, CARA, "demolition", 5)))


def test_a_free_hotel() -> None:
    """6.5"""
    state = owning(my_turn_is_done(opened("free_hotel")), CARA, "schlossallee")
    built = after(state, cheats(CARA, "free_hotel", street="schlossallee"))
    assert "schlossallee" not in built.hotels
    assert "schlossallee" in true_hotels(built)

    survived = afterwards(after(built, passes(ANNA, 50)), survives(built))
    assert "schlossallee" in survived.hotels
    caught = after(built, accuses(BEN, CARA, "free_hotel", 5))
    assert (money(caught, CARA), caught.prisoner) == (1_500 - deed(state, "schlossallee").hotel_price, None)
    assert "schlossallee" not in true_hotels(caught)
