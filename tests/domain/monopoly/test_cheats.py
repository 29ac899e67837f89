"""Fifteen ways to cheat: each is tried, caught, and survives; and what happens when two meet."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.games.monopoly.actions import (
    AcceptTrade,
    Action,
    ChooseDeck,
    DeclareBankrupt,
    DemandRent,
    FreeCheat,
    JailRoll,
    OfferTrade,
    Pay,
    PayRight,
    Place,
    SellToBank,
    UseCard,
    Vote,
)
from domain.games.monopoly.events import (
    CardsTurned,
    Caught,
    DebtArose,
    Jailed,
    Moved,
    Reverted,
    Slipped,
    Spent,
    Succeeded,
    Threw,
    Undone,
    WronglyAccused,
)
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.phases import ToBuy
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import (
    POT,
    State,
    cash,
    deed,
    deeds_at,
    hotels_left,
    purse,
    true_hotels,
    true_hotels_left,
)
from domain.kernel.game import Command, Seat, fold
from projections.views.monopoly import redact
from tests.domain.at_table import later, refused
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
    house_acts,
    jailed,
    money,
    moves,
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


def opened(*cards: str, dice: tuple[tuple[int, int], ...] = ((1, 2), (1, 2), (1, 2)), **chosen: Any) -> State:
    """These cheat cards lie open, and others beside which no move has to be asked for."""
    others = ("escape", "squatter", "overcharge", "fake_chance", "extra_go")
    return table(*dice, cheats=(*cards, *(card for card in others if card not in cards)), **chosen)


def survives(state: State, at: float = 60) -> tuple[Any, ...]:
    """What Ben's first throw brings, when the tray is his."""
    if state.turn.seat == ANNA and state.turn.number == 1:
        state = after(state, passes(ANNA, at - 10))
    return told(state, rolls(BEN, at))


def my_turn_is_done(state: State) -> State:
    """Anna has thrown three and stands on her own street."""
    return after(owning(state, ANNA, "turmstrasse"), rolls(ANNA))


# ── what is done silently ───────────────────────────────────────────────────────────────────────


def test_a_heist_changes_the_true_board_and_not_the_announced_one() -> None:
    """6.1, 6.4, 6.5"""
    state = my_turn_is_done(opened("bank_heist"))
    robbed = after(state, cheats(CARA, "bank_heist", amount=500))

    assert (money(robbed, CARA), announced(robbed, CARA)) == (2_000, 1_500)
    assert cash(robbed, POT) == robbed.ledger[POT] - 500
    assert robbed.ledger == state.ledger
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(CARA, "bank_heist", amount=510))


def test_a_heist_that_survives_is_announced_and_kept() -> None:
    """6.8"""
    state = after(my_turn_is_done(opened("bank_heist")), cheats(CARA, "bank_heist", amount=500))
    events = survives(state)

    assert only(events, Succeeded).seat == CARA
    assert only(events, Succeeded).card == "bank_heist"
    end = _after(state, events)
    assert (money(end, CARA), announced(end, CARA), end.attempts) == (2_000, 2_000, {})
    assert "bank_heist" not in end.open_cheats
    assert end.cheats.under == ("bank_heist",)
    assert len(end.open_cheats) == 5
    assert all_of(events, CardsTurned)


def test_a_heist_that_is_caught_is_undone_and_punished() -> None:
    """6.11, 6.12"""
    state = after(my_turn_is_done(opened("bank_heist")), cheats(CARA, "bank_heist", amount=500))
    events = told(state, accuses(BEN, CARA, "bank_heist", 20))
    end = _after(state, events)

    assert only(events, Caught).true
    assert (money(end, CARA), announced(end, CARA)) == (1_300, 1_300)
    assert end.prisoner == CARA
    assert "bank_heist" not in end.open_cheats
    with refused(MonopolyReason.CHEAT_CARD_NOT_OPEN):
        told(end, cheats(DAN if end.seats > 3 else BEN, "bank_heist", 30, amount=10))


def _after(state: State, events: tuple[Any, ...]) -> State:
    return fold(evolve, state, events)


def test_a_pickpocket_takes_what_is_there_and_gives_it_back() -> None:
    """6.5, 6.7"""
    state = with_cash(my_turn_is_done(opened("pickpocket")), BEN, 60)
    stolen = after(state, cheats(CARA, "pickpocket", target=BEN, amount=100))
    assert (money(stolen, BEN), money(stolen, CARA), announced(stolen, BEN)) == (0, 1_560, 60)

    caught = after(stolen, accuses(ANNA, CARA, "pickpocket", 20))
    assert (money(caught, BEN), money(caught, CARA)) == (160, 1_400)
    assert caught.prisoner == CARA


def test_a_hand_that_finds_nothing_comes_back_empty() -> None:
    """6.7: no attempt is open, and who accuses is wrong."""
    state = with_cash(my_turn_is_done(opened("pickpocket")), BEN, 0)
    events = told(state, cheats(CARA, "pickpocket", target=BEN, amount=100))
    assert only(events, Slipped).slip.effect.nothing

    again = after(state, cheats(CARA, "pickpocket", target=BEN, amount=100))
    assert not again.attempts
    assert all_of(told(again, accuses(ANNA, CARA, "pickpocket", 20)), WronglyAccused)


def test_wages_that_are_too_fat() -> None:
    """6.5: only who has just passed LOS."""
    state = after(standing(owning(opened("extra_go"), ANNA, "badstrasse"), ANNA, 34), rolls(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(BEN, "extra_go"))
    fat = after(state, cheats(ANNA, "extra_go"))

    assert (announced(fat, ANNA), money(fat, ANNA)) == (1_700, 1_800)
    caught = after(fat, accuses(BEN, ANNA, "extra_go", 5))
    assert (money(caught, ANNA), caught.prisoner) == (1_500, None)


def test_wages_are_for_the_turn_in_which_one_passed_los() -> None:
    """6.5, 2.4"""
    state = after(standing(owning(opened("extra_go"), ANNA, "badstrasse"), ANNA, 34), rolls(ANNA), passes(ANNA, 1))
    assert told(state, cheats(ANNA, "extra_go", 2))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(after(state, rolls(BEN, 6)), cheats(ANNA, "extra_go", 7))


def test_a_tall_story() -> None:
    """6.5, 6.10: the money goes back, and the true card is carried out."""
    state = after(opened("fake_chance", dice=((1, 1), (1, 2)), chest=("cc_hospital",)), rolls(ANNA))
    assert state.drawn == "cc_hospital"
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(ANNA, "fake_chance", read="cc_jail"))
    rich = after(state, cheats(ANNA, "fake_chance", read="cc_bank_error"))
    assert (announced(rich, ANNA), money(rich, ANNA)) == (1_700, 1_700)

    caught = after(rich, accuses(BEN, ANNA, "fake_chance", 5))
    assert money(caught, ANNA) == 1_500
    assert [debt.amount for debt in caught.debts] == [100]
    assert caught.prisoner == ANNA


def test_a_tall_story_about_a_card_that_moves_no_money() -> None:
    """6.10: it goes back without effect."""
    state = after(opened("fake_chance", dice=((1, 1), (1, 2)), chest=("cc_go",)), rolls(ANNA))
    caught = after(state, cheats(ANNA, "fake_chance", read="cc_inheritance"), accuses(BEN, ANNA, "fake_chance", 5))

    assert (money(caught, ANNA), caught.debts, caught.tokens[ANNA]) == (1_500, (), 9)


def test_a_tall_story_that_survives_brings_50_more() -> None:
    """6.8"""
    state = after(opened("fake_chance", dice=((1, 1), (1, 2), (1, 2)), chest=("cc_go",)), rolls(ANNA))
    state = after(state, cheats(ANNA, "fake_chance", read="cc_inheritance"))
    state = after(owning(state, ANNA, "chausseestrasse"), rolls(ANNA, 1), passes(ANNA, 20))

    assert announced(after(state, rolls(BEN, 30)), ANNA) == 1_650


def test_an_escape() -> None:
    """6.5, 7.6: free before the throw, and it counts as an honest one."""
    state = jailed(my_turn_is_done(opened("escape", dice=((1, 2), (1, 2)))), BEN)
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(CARA, "escape"))
    out = after(state, cheats(BEN, "escape"), passes(ANNA, 20))
    events = told(out, by(BEN, JailRoll(), 30))
    end = _after(out, events)
    assert only(events, Succeeded).card == "escape"
    assert (end.prisoner, end.tokens[BEN], announced(end, BEN)) == (None, 12, 1_550)


def test_a_failed_escape() -> None:
    """6.12: he stays, his tries begin anew, and he pays 50."""
    state = jailed(my_turn_is_done(opened("escape")), BEN, tries=2)
    caught = after(state, cheats(BEN, "escape"), accuses(CARA, BEN, "escape", 5))

    assert (caught.prisoner, caught.tries, money(caught, BEN)) == (BEN, 0, 1_450)


def test_an_escape_of_one_who_is_freed_by_another_lapses() -> None:
    """6.10, 7.2"""
    state = jailed(standing(opened("escape", dice=((1, 1),)), ANNA, 25), BEN)
    events = told(after(state, cheats(BEN, "escape")), rolls(ANNA))

    assert only(events, Jailed).freed == BEN
    assert only(events, Undone).seat == BEN


def rent_is_due(*cards: str, **chosen: Any) -> State:
    """Anna stands on Ben's Turmstraße, and he has demanded 30."""
    state = owning(opened(*cards, **chosen), BEN, "turmstrasse")
    return after(state, rolls(ANNA), by(BEN, DemandRent(0)))


def test_a_free_stay() -> None:
    """6.5, 6.18"""
    state = after(rent_is_due("free_stay"), cheats(ANNA, "free_stay", debt_id=0))
    assert not state.debts
    assert (announced(state, ANNA), money(state, ANNA), money(state, BEN)) == (1_470, 1_500, 1_500)

    caught = after(state, accuses(BEN, ANNA, "free_stay", 5))
    assert (money(caught, ANNA), money(caught, BEN)) == (1_440, 1_560)
    survived = after(state, passes(ANNA, 20), rolls(BEN, 30))
    assert (money(survived, ANNA), money(survived, BEN)) == (1_600, 1_500)


def test_a_free_stay_needs_a_demand() -> None:
    """6.10: nobody asked, nothing to cheat with."""
    state = after(owning(opened("free_stay"), BEN, "turmstrasse"), rolls(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(ANNA, "free_stay", debt_id=0))


def test_short_change() -> None:
    """6.5"""
    state = after(rent_is_due("short_change"), cheats(ANNA, "short_change", debt_id=0, amount=20))
    assert (announced(state, BEN), money(state, BEN), money(state, ANNA)) == (1_530, 1_510, 1_490)

    caught = after(state, accuses(CARA, ANNA, "short_change", 5))
    assert (money(caught, ANNA), money(caught, BEN)) == (1_370, 1_630)
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(rent_is_due("short_change"), cheats(ANNA, "short_change", debt_id=0, amount=40))


def test_an_overcharge_is_no_debt() -> None:
    """5.5, 5.6, 6.5"""
    state = after(owning(opened("overcharge"), BEN, "turmstrasse"), rolls(ANNA))
    asked = after(state, cheats(BEN, "overcharge", landing_id=0, amount=60))
    assert [(debt.amount, debt.binding) for debt in asked.debts] == [(60, False)]
    assert told(asked, passes(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(BEN, "overcharge", landing_id=0, amount=70))

    right = after(asked, by(ANNA, PayRight(0)))
    assert (money(right, ANNA), right.debts) == (1_470, ())
    assert all_of(survives(right), Undone)


def test_an_overcharge_that_was_paid() -> None:
    """6.8, 6.12"""
    state = after(owning(opened("overcharge"), BEN, "turmstrasse"), rolls(ANNA))
    paid = after(state, cheats(BEN, "overcharge", landing_id=0, amount=60), by(ANNA, Pay(0)))
    assert (money(paid, ANNA), money(paid, BEN)) == (1_440, 1_560)

    caught = after(paid, accuses(CARA, BEN, "overcharge", 5))
    assert (money(caught, ANNA), money(caught, BEN)) == (1_570, 1_430)
    assert only(survives(paid), Succeeded).card == "overcharge"


def test_an_overcharge_that_nobody_paid_lapses() -> None:
    """5.5, 6.10"""
    state = after(owning(opened("overcharge"), BEN, "turmstrasse"), rolls(ANNA))
    state = after(state, cheats(BEN, "overcharge", landing_id=0, amount=60))
    events = survives(state)

    assert not all_of(events, Succeeded)
    assert only(events, Undone).seat == BEN
    assert not _after(after(state, passes(ANNA, 50)), events).debts


def test_a_squatter() -> None:
    """6.5, 6.12: what he took goes to the true owner, and the rent is paid by it."""
    state = after(owning(opened("squatter"), BEN, "turmstrasse"), rolls(ANNA))
    asked = after(state, cheats(CARA, "squatter", landing_id=0, amount=30))
    with refused(MonopolyReason.NOTHING_RIGHT_TO_PAY):
        told(asked, by(ANNA, PayRight(0)))
    paid = after(asked, by(ANNA, Pay(0)))
    assert (money(paid, ANNA), money(paid, CARA)) == (1_470, 1_530)

    caught = after(paid, accuses(ANNA, CARA, "squatter", 5))
    assert (money(caught, BEN), money(caught, CARA)) == (1_630, 1_400)
    with refused(MonopolyReason.ALREADY_DEMANDED):
        told(caught, by(BEN, DemandRent(0)))


def test_an_identity_that_survives() -> None:
    """6.6, 6.8: announced was the own move; now the tokens are put where they truly are."""
    state = after(standing(opened("identity"), BEN, 20), rolls(ANNA))
    moved = told(state, cheats(ANNA, "identity", target=BEN))
    assert (only(moved, Moved).seat, only(moved, Moved).square) == (ANNA, 3)
    end = _after(state, moved)
    assert end.tokens == (3, 20, 0)
    assert isinstance(end.phase, ToBuy)

    end = after(end, buys(ANNA), passes(ANNA, 20))
    after_boundary = _after(end, told(end, rolls(BEN, 30)))
    assert after_boundary.tokens[ANNA] == 0
    assert only(told(end, rolls(BEN, 30)), Succeeded).effect.square == 23
    assert announced(after_boundary, ANNA) == 1_540


def test_an_identity_that_is_caught() -> None:
    """6.12, 6.18: the victim sets the cheater's token anywhere."""
    state = after(standing(opened("identity"), BEN, 20), rolls(ANNA), cheats(ANNA, "identity", target=BEN), buys(ANNA))
    caught = after(state, accuses(CARA, ANNA, "identity", 5))
    assert caught.placing is not None
    with refused(MonopolyReason.BUSY):
        told(caught, passes(ANNA, 6))

    placed = after(caught, by(BEN, Place(27), 6))
    assert (placed.tokens, placed.prisoner, placed.placing) == ((27, 20, 0), None, None)


def test_loaded_dice() -> None:
    """6.5, 6.15: the purchase is returned, and on the right square only rent is open."""
    state = owning(opened("trick_dice"), BEN, "turmstrasse")
    state = after(state, rolls(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(ANNA, "trick_dice", distance=3))
    lied = after(state, cheats(ANNA, "trick_dice", distance=5), buys(ANNA))
    assert (lied.tokens[ANNA], lied.owners["chausseestrasse"], money(lied, ANNA)) == (5, ANNA, 1_400)

    events = told(lied, accuses(CARA, ANNA, "trick_dice", 5))
    caught = _after(lied, events)
    assert only(events, Reverted).street == "chausseestrasse"
    assert "chausseestrasse" not in caught.owners
    assert money(caught, ANNA) == 1_500
    assert [landing.street for landing in caught.landings] == ["turmstrasse"]
    assert (caught.prisoner, caught.tokens[ANNA]) == (ANNA, 9)
    assert told(caught, by(BEN, DemandRent(caught.landings[0].landing_id), 6))


def test_rent_on_a_square_where_one_should_not_be_is_paid_back() -> None:
    """6.15"""
    state = after(owning(opened("trick_dice"), BEN, "chausseestrasse"), rolls(ANNA))
    paid = after(state, cheats(ANNA, "trick_dice", distance=5), by(BEN, DemandRent(0)), by(ANNA, Pay(0)))
    assert money(paid, BEN) == 1_550

    caught = after(paid, accuses(CARA, ANNA, "trick_dice", 5))
    assert (money(caught, ANNA), money(caught, BEN), caught.landings) == (1_500, 1_500, ())


def test_who_came_to_los_by_loaded_dice_gives_the_200_back_and_does_not_stay_there() -> None:
    """6.15, 10.2"""
    state = after(standing(all_sold(opened("trick_dice")), ANNA, 30), rolls(ANNA))
    parked = after(state, cheats(ANNA, "trick_dice", distance=7))
    assert (parked.parked, parked.tokens[ANNA], money(parked, ANNA)) == ((ANNA,), 0, 1_700)

    caught = after(parked, accuses(CARA, ANNA, "trick_dice", 5))
    assert (caught.parked, caught.prisoner, money(caught, ANNA)) == ((), ANNA, 1_500)


def test_a_street_returned_when_all_were_sold_is_auctioned_at_once() -> None:
    """6.15, 10.1"""
    state = all_sold(opened("trick_dice"), ben=("badstrasse",))
    owners = {street: owner for street, owner in state.owners.items() if street != "chausseestrasse"}
    state = after(replace(state, owners=owners, sold_out=False), rolls(ANNA), cheats(ANNA, "trick_dice", distance=5))
    state = after(state, buys(ANNA))
    assert state.sold_out
    caught = after(state, accuses(CARA, ANNA, "trick_dice", 5))

    assert caught.auction is not None
    assert caught.auction.lot == "chausseestrasse"


def test_an_identity_is_void_when_the_token_is_moved_by_an_announced_act() -> None:
    """6.10, 6.6: here by the victim's own throw, before the attempt was old enough to survive."""
    state = after(standing(opened("identity", dice=((1, 2), (1, 4))), BEN, 20), rolls(ANNA))
    state = after(state, cheats(ANNA, "identity", target=BEN), buys(ANNA), passes(ANNA, 4))
    events = told(state, rolls(BEN, 9), moves(BEN, 9))
    end = after(state, rolls(BEN, 9), moves(BEN, 9))

    assert only(events, Undone).seat == ANNA
    assert end.tokens[:2] == (3, 25)


def test_loaded_dice_that_survive_bring_100() -> None:
    """6.8: even after a double."""
    state = owning(opened("trick_dice", dice=((2, 2), (1, 2), (1, 2))), ANNA, "chausseestrasse", "poststrasse")
    state = after(state, rolls(ANNA), cheats(ANNA, "trick_dice", distance=5))
    state = after(state, rolls(ANNA, 1), moves(ANNA, 1), passes(ANNA, 20))

    assert announced(after(state, rolls(BEN, 30)), ANNA) == 1_600


def test_a_stolen_deed_only_lies_elsewhere() -> None:
    """6.10"""
    state = owning(my_turn_is_done(opened("deed_theft")), BEN, "schlossallee")
    stolen = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    assert stolen.owners["schlossallee"] == BEN
    assert deeds_at(stolen, purse(CARA)) == ("schlossallee",)

    survived = _after(after(stolen, passes(ANNA, 50)), survives(stolen))
    assert survived.owners["schlossallee"] == CARA
    caught = after(stolen, accuses(ANNA, CARA, "deed_theft", 5))
    assert (caught.owners["schlossallee"], caught.prisoner) == (BEN, CARA)
    assert deeds_at(caught, purse(BEN)) == ("schlossallee",)


def test_switched_deeds() -> None:
    """6.5"""
    state = owning(owning(my_turn_is_done(opened("deed_swap")), BEN, "schlossallee"), CARA, "badstrasse")
    swapped = after(state, cheats(CARA, "deed_swap", give="badstrasse", street="schlossallee"))
    assert (deeds_at(swapped, purse(CARA)), deeds_at(swapped, purse(BEN))) == (("schlossallee",), ("badstrasse",))

    survived = _after(after(swapped, passes(ANNA, 50)), survives(swapped))
    assert (survived.owners["schlossallee"], survived.owners["badstrasse"]) == (CARA, BEN)


def test_the_bank_is_robbed_of_a_deed_too() -> None:
    """6.5"""
    state = my_turn_is_done(opened("deed_theft"))
    stolen = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    survived = _after(after(stolen, passes(ANNA, 50)), survives(stolen))

    assert survived.owners["schlossallee"] == CARA
    assert announced(survived, CARA) == 1_500


def test_a_demolition() -> None:
    """6.5"""
    state = with_hotels(owning(my_turn_is_done(opened("demolition")), BEN, "schlossallee"), "schlossallee")
    torn = after(state, cheats(CARA, "demolition", street="schlossallee"))
    assert "schlossallee" in torn.hotels
    assert "schlossallee" not in true_hotels(torn)
    assert true_hotels_left(torn) == hotels_left(torn) + 1

    survived = _after(after(torn, passes(ANNA, 50)), survives(torn))
    assert "schlossallee" not in survived.hotels
    assert announced(survived, CARA) == 1_600
    assert "schlossallee" in true_hotels(after(torn, accuses(BEN, CARA, "demolition", 5)))


def test_a_free_hotel() -> None:
    """6.5"""
    state = owning(my_turn_is_done(opened("free_hotel")), CARA, "schlossallee")
    built = after(state, cheats(CARA, "free_hotel", street="schlossallee"))
    assert "schlossallee" not in built.hotels
    assert "schlossallee" in true_hotels(built)

    survived = _after(after(built, passes(ANNA, 50)), survives(built))
    assert "schlossallee" in survived.hotels
    caught = after(built, accuses(BEN, CARA, "free_hotel", 5))
    assert (money(caught, CARA), caught.prisoner) == (1_500 - deed(state, "schlossallee").hotel_price, None)
    assert "schlossallee" not in true_hotels(caught)


# ── accusing ────────────────────────────────────────────────────────────────────────────────────


def test_a_wrong_accusation_moves_exactly_100() -> None:
    """6.14"""
    end = after(my_turn_is_done(opened("bank_heist")), accuses(BEN, CARA, "bank_heist"))

    assert (money(end, BEN), money(end, CARA)) == (1_400, 1_600)


def test_the_right_person_and_the_wrong_cheat_leaves_the_attempt_open() -> None:
    """6.14"""
    state = after(my_turn_is_done(opened("bank_heist", "pickpocket")), cheats(CARA, "bank_heist", amount=100))
    wrong = after(state, accuses(BEN, CARA, "pickpocket", 5))

    assert (announced(wrong, BEN), announced(wrong, CARA)) == (1_400, 1_600)
    assert CARA in wrong.attempts
    assert only(told(wrong, accuses(ANNA, CARA, "bank_heist", 6)), Caught).true


def test_who_accuses_and_has_not_got_100_must_sell() -> None:
    """6.14, 9.2"""
    state = with_cash(owning(my_turn_is_done(opened("bank_heist")), BEN, "badstrasse", "schlossallee"), BEN, 30)
    end = after(state, accuses(BEN, CARA, "bank_heist"))
    assert [(debt.amount, debt.short) for debt in end.debts] == [(100, True)]

    sold = after(end, by(BEN, SellToBank("schlossallee"), 5), by(BEN, Pay(0), 6))
    assert (money(sold, BEN), money(sold, CARA), sold.debts) == (330, 1_600, ())


def test_once_caught_an_attempt_is_closed_for_other_accusers() -> None:
    """6.11"""
    state = after(my_turn_is_done(opened("bank_heist")), cheats(CARA, "bank_heist", amount=100))
    events = told(state, accuses(BEN, CARA, "bank_heist", 5), accuses(ANNA, CARA, "bank_heist", 5))

    assert [type(event) for event in events if isinstance(event, Caught | WronglyAccused)] == [Caught, WronglyAccused]


def test_after_the_boundary_it_is_too_late() -> None:
    """6.11, 2.4"""
    state = after(my_turn_is_done(opened("bank_heist")), cheats(CARA, "bank_heist", amount=100), passes(ANNA, 20))
    state = after(state, rolls(BEN, 30))

    assert all_of(told(state, accuses(BEN, CARA, "bank_heist", 31)), WronglyAccused)


def test_nobody_accuses_himself_or_who_is_out() -> None:
    """6.11"""
    state = replace(my_turn_is_done(opened("bank_heist")), out=(CARA,))
    with refused(MonopolyReason.SAME_SEAT):
        told(state, accuses(BEN, BEN, "bank_heist"))
    with refused(MonopolyReason.NO_SUCH_SEAT_HERE):
        told(state, accuses(BEN, CARA, "bank_heist"))
    with refused(MonopolyReason.NO_SUCH_CHEAT):
        told(state, accuses(BEN, ANNA, "take_tray"))


def test_where_jail_cannot_bite_it_is_200() -> None:
    """6.13"""
    state = jailed(my_turn_is_done(opened("deed_theft")), CARA, tries=1)
    end = after(state, cheats(CARA, "deed_theft", street="schlossallee"), accuses(BEN, CARA, "deed_theft", 5))
    assert (end.prisoner, end.tries, money(end, CARA)) == (CARA, 1, 1_300)

    parked = replace(my_turn_is_done(opened("deed_theft")), parked=(CARA,))
    end = after(parked, cheats(CARA, "deed_theft", street="schlossallee"), accuses(BEN, CARA, "deed_theft", 5))
    assert (end.prisoner, end.tokens[CARA], money(end, CARA)) == (None, 0, 1_300)


# ── a vote ──────────────────────────────────────────────────────────────────────────────────────


def on_trial(*, guilty: bool, **chosen: Any) -> State:
    state = my_turn_is_done(opened("bank_heist", proof="vote", seats=4, **chosen))
    if guilty:
        state = after(state, cheats(CARA, "bank_heist", amount=300))
    return after(state, accuses(BEN, CARA, "bank_heist", 5))


@pytest.mark.parametrize("truth", [True, False])
def test_the_table_decides_by_the_majority_of_votes_cast(truth: bool) -> None:
    """6.16"""
    asked = on_trial(guilty=truth)
    with refused(MonopolyReason.BUSY):
        told(asked, passes(ANNA, 6))
    guilty = after(asked, by(ANNA, Vote(0, True), 6), by(DAN, Vote(0, True), 7))

    assert guilty.prisoner == CARA
    assert money(guilty, CARA) == 1_300
    assert not guilty.attempts


@pytest.mark.parametrize("votes", [(), (True, False), (False,)])
def test_a_tie_or_nobody_means_wrong(votes: tuple[bool, ...]) -> None:
    """6.16: and a real attempt stays open."""
    state = on_trial(guilty=True)
    for juror, says in zip((ANNA, DAN), votes, strict=False):
        state = after(state, by(juror, Vote(0, says), 6))
    if state.accusation is not None:
        state = house_acts(state, 15)

    assert announced(state, BEN) == 1_400
    assert CARA in state.attempts


def test_neither_accuser_nor_accused_votes_and_nobody_twice() -> None:
    """6.16"""
    state = on_trial(guilty=False)
    for seat in (BEN, CARA):
        with refused(MonopolyReason.NOT_A_JUROR):
            told(state, by(seat, Vote(0, True), 6))
    with refused(MonopolyReason.NOT_A_JUROR):
        told(after(state, by(ANNA, Vote(0, True), 6)), by(ANNA, Vote(0, True), 7))


def test_with_two_seats_the_house_decides() -> None:
    """6.16"""
    state = my_turn_is_done(opened("bank_heist", proof="vote", seats=2))

    assert all_of(told(state, accuses(BEN, ANNA, "bank_heist")), WronglyAccused)


# ── boundaries and collisions ───────────────────────────────────────────────────────────────────


def test_one_attempt_at_a_time() -> None:
    """6.4"""
    state = after(my_turn_is_done(opened("bank_heist", "pickpocket")), cheats(CARA, "bank_heist", amount=10))
    with refused(MonopolyReason.ONE_AT_A_TIME):
        told(state, cheats(CARA, "pickpocket", target=BEN, amount=10))


def test_of_two_on_one_card_the_first_wins() -> None:
    """6.8"""
    state = my_turn_is_done(opened("bank_heist", seats=4))
    state = after(state, cheats(CARA, "bank_heist", 1, amount=100), cheats(DAN, "bank_heist", 2, amount=500))
    events = survives(state)

    assert only(events, Succeeded).seat == CARA
    assert only(events, Undone).seat == DAN
    end = _after(after(state, passes(ANNA, 50)), events)
    assert (money(end, CARA), money(end, DAN)) == (1_600, 1_500)


def test_an_attempt_too_young_at_a_boundary_waits_for_the_next() -> None:
    """6.9"""
    state = after(my_turn_is_done(opened("bank_heist")), passes(ANNA, 20), cheats(CARA, "bank_heist", 22, amount=100))
    at_first = told(state, rolls(BEN, 30))
    assert not all_of(at_first, Succeeded)
    end = _after(state, at_first)

    assert only(told(end, accuses(BEN, CARA, "bank_heist", 33)), Caught).true


def test_an_attempt_on_a_card_that_was_taken_away_is_judged_without_reward() -> None:
    """6.9"""
    state = with_hotels(owning(my_turn_is_done(opened("demolition", seats=4)), ANNA, "schlossallee"), "schlossallee")
    state = owning(with_hotels(state, "parkstrasse"), ANNA, "parkstrasse")
    state = after(state, cheats(CARA, "demolition", 1, street="schlossallee"))
    state = after(state, cheats(DAN, "demolition", 2, street="parkstrasse"), accuses(BEN, CARA, "demolition", 3))
    events = survives(state)

    assert (only(events, Succeeded).seat, only(events, Succeeded).moved) == (DAN, ())
    end = _after(after(state, passes(ANNA, 50)), events)
    assert "parkstrasse" not in end.hotels
    assert end.cheats.under == ("demolition",)


def test_a_stolen_deed_that_is_traded_on_is_not_stolen_any_more() -> None:
    """6.10"""
    state = owning(my_turn_is_done(opened("deed_theft", seats=4)), BEN, "schlossallee")
    state = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    state = after(state, by(BEN, OfferTrade(DAN, give=("schlossallee",), want_cash=400), 2))
    events = told(state, by(DAN, AcceptTrade(state.trades[0].trade_id), 3))

    assert only(events, Undone).seat == CARA
    end = _after(state, events)
    assert (end.owners["schlossallee"], deeds_at(end, purse(DAN))) == (DAN, ("schlossallee",))


def test_a_deed_of_the_bank_that_is_bought_meanwhile_is_not_stolen_any_more() -> None:
    """6.10"""
    state = after(opened("deed_theft"), rolls(ANNA), cheats(CARA, "deed_theft", street="turmstrasse"))
    events = told(state, buys(ANNA, 5))

    assert only(events, Undone).seat == CARA
    assert all_of(told(_after(state, events), accuses(ANNA, CARA, "deed_theft", 6)), WronglyAccused)


def test_what_was_spent_is_announced_and_owed() -> None:
    """6.10"""
    state = with_cash(after(opened("bank_heist"), rolls(ANNA)), ANNA, 0)
    state = after(state, cheats(ANNA, "bank_heist", amount=500), buys(ANNA, 1))
    assert (announced(state, ANNA), money(state, ANNA)) == (-60, 440)
    events = told(state, accuses(BEN, ANNA, "bank_heist", 5))

    assert sum(m.amount for m in only(events, Spent).moved) == 60
    owed = [event.debt for event in all_of(events, DebtArose)]
    assert (owed[0].amount, owed[0].creditor, owed[0].cause) == (60, POT, "missing")


def test_a_pickpocketed_seat_that_goes_bankrupt_leaves_its_loss_to_its_heir() -> None:
    """9.7"""
    state = with_cash(my_turn_is_done(opened("pickpocket", seats=4)), BEN, 90)
    state = after(state, cheats(CARA, "pickpocket", target=BEN, amount=90))
    state = after(state, accuses(BEN, DAN, "bank_heist", 2))
    broke = after(state, by(BEN, DeclareBankrupt(), 3))
    assert BEN in broke.out
    assert (announced(broke, DAN), money(broke, DAN), money(broke, CARA)) == (1_590, 1_500, 1_590)
    caught = after(broke, accuses(ANNA, CARA, "pickpocket", 4))
    assert (money(caught, DAN), money(caught, CARA)) == (1_690, 1_400)


def test_the_attempts_of_who_goes_bankrupt_are_undone() -> None:
    """9.7"""
    state = with_hotels(owning(my_turn_is_done(opened("demolition", seats=4)), ANNA, "schlossallee"), "schlossallee")
    state = with_cash(state, BEN, 90)
    state = after(state, cheats(BEN, "demolition", street="schlossallee"), accuses(BEN, DAN, "bank_heist", 2))
    end = after(state, by(BEN, DeclareBankrupt(), 3))

    assert not end.attempts
    assert "schlossallee" in true_hotels(end)


def test_a_cheater_whose_token_is_moved_by_another_cheater() -> None:
    """6.6, 6.10: the first to survive puts the tokens where they truly are."""
    state = after(standing(opened("identity", dice=((1, 2), (1, 4), (1, 2))), BEN, 20), rolls(ANNA))
    state = after(state, cheats(ANNA, "identity", target=BEN), buys(ANNA), passes(ANNA, 4))
    state = after(state, rolls(BEN, 9))  # too young: Anna's attempt stays open

    assert ANNA in state.attempts
    state = after(state, cheats(BEN, "identity", 11, target=ANNA))
    ended = (
        after(state, passes(BEN, 40))
        if not isinstance(state.phase, ToBuy)
        else after(state, buys(BEN, 12), passes(BEN, 40))
    )
    events = told(ended, rolls(CARA, 50))
    assert [event.seat for event in all_of(events, Succeeded)] == [ANNA]
    assert [event.seat for event in all_of(events, Undone)] == [BEN]


def test_no_cheat_takes_the_deed_that_is_being_auctioned() -> None:
    """6.5"""
    state = after(opened("deed_theft"), rolls(ANNA), declines(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(CARA, "deed_theft", street="turmstrasse"))


def test_fields_that_a_card_does_not_ask_for_are_refused() -> None:
    """6.5"""
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(my_turn_is_done(opened("bank_heist")), cheats(CARA, "bank_heist", amount=100, target=BEN))


# ── master cheats ───────────────────────────────────────────────────────────────────────────────


class Free(Struct, frozen=True):
    said: FreeCheat
    who: Seat


FREE = {
    "take_tray": Free(FreeCheat("take_tray", amount=500), CARA),
    "take_player": Free(FreeCheat("take_player", amount=100, target=BEN), CARA),
    "wrong_move": Free(FreeCheat("wrong_move", distance=7), ANNA),
    "skip_payment": Free(FreeCheat("skip_payment", debt_id=0), ANNA),
    "hotel_on": Free(FreeCheat("hotel_on", street="schlossallee"), CARA),
    "hotel_off": Free(FreeCheat("hotel_off", street="chausseestrasse"), CARA),
    "take_deed": Free(FreeCheat("take_deed", street="chausseestrasse"), CARA),
}


def masters_table(kind: str) -> State:
    state = owning(owning(opened("escape", meistermogler=True), BEN, "turmstrasse"), CARA, "schlossallee")
    state = with_hotels(owning(state, BEN, "chausseestrasse"), "chausseestrasse")
    state = after(state, rolls(ANNA))
    if kind == "wrong_move":
        return state
    return after(state, moves(ANNA), by(BEN, DemandRent(0)))


@pytest.mark.parametrize("kind", FREE)
def test_a_free_cheat_that_is_caught_costs_200_and_jail(kind: str) -> None:
    """6.17"""
    free = FREE[kind]
    state = masters_table(kind)
    done = after(state, by(free.who, free.said, 1))
    caught = after(done, accuses(BEN, free.who, kind, 5))

    assert not caught.attempts
    assert caught.prisoner == free.who
    assert true_hotels(caught) == caught.hotels or set(true_hotels(caught)) == set(caught.hotels)
    assert announced(caught, free.who) == money(caught, free.who)
    assert announced(caught, free.who) <= 1_300


@pytest.mark.parametrize("kind", FREE)
def test_a_free_cheat_that_survives_stands_without_a_name(kind: str) -> None:
    """6.17"""
    free = FREE[kind]
    done = after(masters_table(kind), by(free.who, free.said, 1))
    if done.debts:
        done = after(done, by(ANNA, Pay(0), 2))
    if isinstance(done.phase, ToBuy):
        done = after(done, buys(ANNA, 2))
    events = survives(done)

    told_of = only(events, Succeeded)
    assert (told_of.seat, told_of.card) == (None, None)
    end = _after(after(done, passes(ANNA, 50)), events)
    assert all(announced(end, seat) == money(end, seat) for seat in end.playing)


def test_free_cheats_are_for_master_cheats() -> None:
    """6.17"""
    with refused(MonopolyReason.NO_FREE_CHEATS):
        told(my_turn_is_done(opened("escape")), by(CARA, FREE["take_tray"].said))


# ── who sees it ─────────────────────────────────────────────────────────────────────────────────

SEEN_IN: dict[str, tuple[tuple[Command[Action], ...], State, tuple[str, ...]]] = {}


def _seen(card: str, ready: State, zones: tuple[str, ...], *commands: Command[Action]) -> None:
    SEEN_IN[card] = (commands, ready, zones)


_seen("bank_heist", my_turn_is_done(opened("bank_heist")), ("tray", "seat:2"), cheats(CARA, "bank_heist", amount=50))
_seen(
    "pickpocket",
    my_turn_is_done(opened("pickpocket")),
    ("seat:0", "seat:2"),
    cheats(CARA, "pickpocket", target=ANNA, amount=50),
)
_seen(
    "fake_chance",
    after(opened("fake_chance", dice=((1, 1),), chest=("cc_go",)), rolls(ANNA)),
    ("seat:0",),
    cheats(ANNA, "fake_chance", read="cc_tax"),
)
_seen("escape", jailed(my_turn_is_done(opened("escape")), CARA), ("seat:2",), cheats(CARA, "escape"))
_seen(
    "extra_go",
    after(standing(owning(opened("extra_go"), ANNA, "badstrasse"), ANNA, 34), rolls(ANNA)),
    ("tray", "seat:0"),
    cheats(ANNA, "extra_go"),
)
_seen("free_stay", rent_is_due("free_stay"), ("seat:0", "seat:1"), cheats(ANNA, "free_stay", debt_id=0))
_seen(
    "short_change",
    rent_is_due("short_change"),
    ("seat:0", "seat:1"),
    cheats(ANNA, "short_change", debt_id=0, amount=10),
)
_seen("identity", after(opened("identity"), rolls(ANNA)), ("dice",), cheats(ANNA, "identity", target=CARA))
_seen("trick_dice", after(opened("trick_dice"), rolls(ANNA)), ("dice",), cheats(ANNA, "trick_dice", distance=5))
_seen(
    "deed_theft",
    owning(my_turn_is_done(opened("deed_theft")), ANNA, "schlossallee"),
    ("seat:0", "seat:2"),
    cheats(CARA, "deed_theft", street="schlossallee"),
)
_seen(
    "deed_swap",
    owning(my_turn_is_done(opened("deed_swap")), CARA, "badstrasse"),
    ("tray", "seat:2"),
    cheats(CARA, "deed_swap", give="badstrasse", street="schlossallee"),
)
_seen(
    "demolition",
    with_hotels(owning(my_turn_is_done(opened("demolition")), ANNA, "schlossallee"), "schlossallee"),
    ("tray", "seat:0"),
    cheats(CARA, "demolition", street="schlossallee"),
)
_seen(
    "free_hotel",
    owning(my_turn_is_done(opened("free_hotel")), CARA, "schlossallee"),
    ("tray", "seat:2"),
    cheats(CARA, "free_hotel", street="schlossallee"),
)
ZONES = ("tray", "dice", "seat:0", "seat:1", "seat:2")


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("card", SEEN_IN)
def test_who_watches_its_zone_sees_it_and_nobody_else_does(card: str, zone: str) -> None:
    """6.2, 6.3, 12.3: Ben looks there, does nothing, and says nothing."""
    commands, ready, zones = SEEN_IN[card]
    state = watching(ready, ben=zone)
    cheater = commands[0].by
    events = told(state, *commands)
    seen = seen_by(BEN, state, events)

    assert (cheater in seen.attempts) == (zone in zones)
    if zone in zones:
        assert seen.attempts[cheater].slip.card is None
        assert seen.attempts[cheater].slip.effect == _after(state, events).attempts[cheater].slip.effect


@pytest.mark.parametrize("card", SEEN_IN)
def test_at_a_childrens_table_everybody_sees_everything(card: str) -> None:
    """6.19"""
    commands, ready, _ = SEEN_IN[card]
    state = replace(ready, options=replace(ready.options, attention="open"))
    cheater = commands[0].by
    events = told(state, *commands)

    for viewer in (ANNA, BEN, CARA, None):
        assert cheater in seen_by(viewer, state, events).attempts


def test_who_watches_the_dice_sees_the_pips() -> None:
    """6.2"""
    state = watching(owning(table((1, 2)), ANNA, "turmstrasse"), ben="dice", cara="tray")
    events = told(state, rolls(ANNA))

    assert only(events, Threw).dice == (1, 2)
    assert [seen_by(seat, state, events).throw for seat in (ANNA, BEN, CARA, None)] == [(1, 2), (1, 2), (), ()]


def test_paid_in_full_or_not_sounds_the_same() -> None:
    """12.3"""
    state = watching(rent_is_due("free_stay", "short_change"), cara="tray")
    heard = {
        tuple(map(repr, _heard(CARA, told(state, command))))
        for command in (
            by(ANNA, Pay(0)),
            cheats(ANNA, "free_stay", debt_id=0),
            cheats(ANNA, "short_change", debt_id=0, amount=10),
        )
    }

    assert len(heard) == 1


def _heard(viewer: Seat, events: tuple[Any, ...]) -> list[Any]:
    return [told_event for event in events if (told_event := redact(event, viewer)) is not None]


def test_where_all_are_asked_for_their_deck() -> None:
    """3.5"""
    state = after(standing(table((1, 2), chance=("ch_fine",)), ANNA, 15), rolls(ANNA), by(ANNA, ChooseDeck("chance")))

    assert after(state, by(ANNA, UseCard("ch_fine"))).debts[0].amount == 20


def test_placing_takes_the_time_of_the_victim_and_no_longer() -> None:
    """11.2"""
    state = after(standing(opened("identity"), BEN, 20), rolls(ANNA), cheats(ANNA, "identity", target=BEN), buys(ANNA))
    caught = after(state, accuses(CARA, ANNA, "identity", 5))
    end = house_acts(caught, 65)

    assert (end.placing, end.tokens[ANNA]) == (None, 3)
    assert later(65) == caught.placing.until  # type: ignore[union-attr]


def test_all_sold_is_tested_when_a_stolen_deed_becomes_ones_own() -> None:
    """10.1"""
    state = all_sold(my_turn_is_done(opened("deed_theft")))
    owners = {street: owner for street, owner in state.owners.items() if street != "schlossallee"}
    state = replace(state, owners=owners, sold_out=False)
    state = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    assert not state.sold_out

    assert _after(after(state, passes(ANNA, 50)), survives(state)).sold_out
