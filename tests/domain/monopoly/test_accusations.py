"""To accuse somebody: right, wrong, too late, and a vote."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.monopoly.actions import Pay, SellToBank, Vote
from domain.games.monopoly.events import Caught, WronglyAccused
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import State
from tests.domain.at_table import refused
from tests.domain.monopoly.cheaters import my_turn_is_done, opened
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    accuses,
    after,
    all_of,
    announced,
    by,
    cheats,
    house_acts,
    jailed,
    money,
    only,
    owning,
    passes,
    rolls,
    told,
    with_cash,
)


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
