"""Rent that is not paid, not wholly paid, or asked for without a right; and what was paid is put right."""

from __future__ import annotations

from domain.games.monopoly.actions import DemandRent, Pay, PayRight
from domain.games.monopoly.events import Succeeded, Undone
from domain.games.monopoly.reasons import MonopolyReason
from tests.domain.at_table import refused
from tests.domain.monopoly.cheaters import afterwards, opened, rent_is_due, survives
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    accuses,
    after,
    all_of,
    announced,
    by,
    cheats,
    money,
    only,
    owning,
    passes,
    rolls,
    told,
)


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
    assert not afterwards(after(state, passes(ANNA, 50)), events).debts


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


def test_a_squatter_who_is_caught_after_the_rent_has_lapsed() -> None:
    """6.9, 6.12: too young for the boundary, judged as usual: the owner gets what he took, and the penalty."""
    state = after(owning(opened("squatter"), BEN, "turmstrasse"), rolls(ANNA), passes(ANNA))
    paid = after(state, cheats(CARA, "squatter", 1, landing_id=0, amount=30), by(ANNA, Pay(0), 2), rolls(BEN, 6))
    assert not paid.landings

    caught = after(paid, accuses(ANNA, CARA, "squatter", 7))
    assert (money(caught, ANNA), money(caught, BEN), money(caught, CARA)) == (1_470, 1_630, 1_400)
