"""Money taken silently, from the bank pot and from other seats: kept, given back, or spent meanwhile."""

from __future__ import annotations

from domain.games.monopoly.actions import DeclareBankrupt
from domain.games.monopoly.events import CardsTurned, Caught, DebtArose, Slipped, Spent, Succeeded, WronglyAccused
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import POT, cash
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
    announced,
    buys,
    by,
    cheats,
    money,
    only,
    owning,
    passes,
    rolls,
    standing,
    told,
    with_cash,
)


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
    end = afterwards(state, events)
    assert (money(end, CARA), announced(end, CARA), end.attempts) == (2_000, 2_000, {})
    assert "bank_heist" not in end.open_cheats
    assert end.cheats.under == ("bank_heist",)
    assert len(end.open_cheats) == 5
    assert all_of(events, CardsTurned)


def test_a_heist_that_is_caught_is_undone_and_punished() -> None:
    """6.11, 6.12"""
    state = after(my_turn_is_done(opened("bank_heist")), cheats(CARA, "bank_heist", amount=500))
    events = told(state, accuses(BEN, CARA, "bank_heist", 20))
    end = afterwards(state, events)

    assert only(events, Caught).true
    assert (money(end, CARA), announced(end, CARA)) == (1_300, 1_300)
    assert end.prisoner == CARA
    assert "bank_heist" not in end.open_cheats
    with refused(MonopolyReason.CHEAT_CARD_NOT_OPEN):
        told(end, cheats(DAN if end.seats > 3 else BEN, "bank_heist", 30, amount=10))


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
