"""What becomes of open attempts: one at a time, two on one card, too young, orphaned, bankrupt."""

from __future__ import annotations

from domain.games.monopoly.actions import DeclareBankrupt
from domain.games.monopoly.events import Caught, Succeeded, Undone
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import true_hotels
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
    by,
    cheats,
    money,
    only,
    owning,
    passes,
    rolls,
    told,
    with_cash,
    with_hotels,
)


def test_one_attempt_at_a_time() -> None:
    """6.4"""
    state = after(my_turn_is_done(opened("bank_heist", "pickpocket")), cheats(CARA, "bank_heist", amount=10))
    with refused(MonopolyReason.ONE_AT_A_TIME):
        told(state, cheats(CARA, "pickpocket", target=BEN, amount=10))


def test_fields_that_a_card_does_not_ask_for_are_refused() -> None:
    """6.5"""
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(my_turn_is_done(opened("bank_heist")), cheats(CARA, "bank_heist", amount=100, target=BEN))


def test_of_two_on_one_card_the_first_wins() -> None:
    """6.8"""
    state = my_turn_is_done(opened("bank_heist", seats=4))
    state = after(state, cheats(CARA, "bank_heist", 1, amount=100), cheats(DAN, "bank_heist", 2, amount=500))
    events = survives(state)

    assert only(events, Succeeded).seat == CARA
    assert only(events, Undone).seat == DAN
    end = afterwards(after(state, passes(ANNA, 50)), events)
    assert (money(end, CARA), money(end, DAN)) == (1_600, 1_500)


def test_an_attempt_too_young_at_a_boundary_waits_for_the_next() -> None:
    """6.9"""
    state = after(my_turn_is_done(opened("bank_heist")), passes(ANNA, 20), cheats(CARA, "bank_heist", 22, amount=100))
    at_first = told(state, rolls(BEN, 30))
    assert not all_of(at_first, Succeeded)
    end = afterwards(state, at_first)

    assert only(told(end, accuses(BEN, CARA, "bank_heist", 33)), Caught).true


def test_an_attempt_on_a_card_that_was_taken_away_is_judged_without_reward() -> None:
    """6.9"""
    state = with_hotels(owning(my_turn_is_done(opened("demolition", seats=4)), ANNA, "schlossallee"), "schlossallee")
    state = owning(with_hotels(state, "parkstrasse"), ANNA, "parkstrasse")
    state = after(state, cheats(CARA, "demolition", 1, street="schlossallee"))
    state = after(state, cheats(DAN, "demolition", 2, street="parkstrasse"), accuses(BEN, CARA, "demolition", 3))
    events = survives(state)

    assert (only(events, Succeeded).seat, only(events, Succeeded).moved) == (DAN, ())
    end = afterwards(after(state, passes(ANNA, 50)), events)
    assert "parkstrasse" not in end.hotels
    assert end.cheats.under == ("demolition",)


def test_the_attempts_of_who_goes_bankrupt_are_undone() -> None:
    """9.7"""
    state = with_hotels(owning(my_turn_is_done(opened("demolition", seats=4)), ANNA, "schlossallee"), "schlossallee")
    state = with_cash(state, BEN, 90)
    state = after(state, cheats(BEN, "demolition", street="schlossallee"), accuses(BEN, DAN, "bank_heist", 2))
    end = after(state, by(BEN, DeclareBankrupt(), 3))

    assert not end.attempts
    assert "schlossallee" in true_hotels(end)
