"""RULES.md 5: who is doubted, what is looked at, and who takes the pile."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Controlled, Counted, PileTaken, Turn
from domain.kernel.cards import JOKER, cards
from domain.kernel.game import Seat
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    accepts,
    after,
    controls,
    counts,
    due,
    held,
    in_turn,
    lays,
    sits_out,
    told,
    underway,
)

HANDS = ("9H 7H QS 4C **", "KD 9C 4D 5D", "4S 4H 6C 6D")


def test_a_lie_on_top_costs_its_layer_the_pile() -> None:
    """5.2"""
    given = after(underway(*HANDS), lays(ANNA, "7H"))

    assert told(given, controls(CARA, 3, later(1))) == (
        Controlled(3, ANNA, CARA, "9", "7H", stands=False),
        PileTaken(ANNA, cards("2C 2D 2H 7H"), 4, Turn(BEN, "T", later(61), 596)),
    )


def test_a_true_card_costs_who_asked_the_pile() -> None:
    """5.2"""
    given = after(underway(*HANDS), lays(ANNA, "9H"))

    state = after(given, controls(CARA, 3))

    assert held(state, CARA) == Counter(cards("4S 4H 6C 6D 2C 2D 2H 9H"))
    assert (state.pile, state.pile_size) == ((), 0)


def test_only_the_card_on_top_is_looked_at() -> None:
    """5.2: the seven below is not turned up; the other way round the nine below does not help."""
    hidden, shown = (after(underway(*HANDS), lays(ANNA, laid)) for laid in ("7H 9H", "9H 7H"))

    assert told(hidden, controls(BEN, 3))[0] == Controlled(3, ANNA, BEN, "9", "9H", stands=True)
    assert told(shown, controls(BEN, 3))[0] == Controlled(3, ANNA, BEN, "9", "7H", stands=False)


def test_a_joker_costs_who_asked_the_pile() -> None:
    """5.3: rule test B."""
    given = after(underway(*HANDS), lays(ANNA, "**"))

    shown, taken = told(given, controls(BEN, 3))

    assert shown == Controlled(3, ANNA, BEN, "9", JOKER, stands=True)
    assert isinstance(taken, PileTaken)
    assert taken.seat == BEN


def test_a_joker_on_top_protects_what_lies_below() -> None:
    """5.4"""
    given = after(underway(*HANDS), lays(ANNA, "7H QS **"))

    assert held(after(given, controls(BEN, 3)), BEN)["7H"] == 1


@pytest.mark.parametrize("laid", ["9H 7H", "7H QS 9H", "7H **", "7H QS"])
def test_more_than_one_card_costs_the_layer_the_pile_when_they_are_counted(laid: str) -> None:
    """5.5: whatever they are, a joker on top included."""
    given = after(underway(*HANDS), lays(ANNA, laid))
    number = len(cards(laid))

    counted, taken = told(given, counts(BEN, 3))

    assert counted == Counted(3, ANNA, BEN, number, stands=False)
    assert isinstance(taken, PileTaken)
    assert (taken.seat, taken.size) == (ANNA, 3 + number)


def test_a_single_card_costs_who_had_it_counted_the_pile_though_it_is_a_lie() -> None:
    """5.5"""
    given = after(underway(*HANDS), lays(ANNA, "7H"))

    counted, taken = told(given, counts(BEN, 3))

    assert counted == Counted(3, ANNA, BEN, 1, stands=True)
    assert isinstance(taken, PileTaken)
    assert taken.seat == BEN


def test_only_the_last_lay_is_counted_and_not_what_lies_below() -> None:
    """5.5: Anna's three went by."""
    given = after(underway(*HANDS), lays(ANNA, "7H QS 4C"), lays(BEN, "KD", at=later(6)))

    assert told(given, counts(CARA, 4, later(7)))[0] == Counted(4, BEN, CARA, 1, stands=True)


@pytest.mark.parametrize("who", [BEN, CARA])
def test_everybody_else_may_control(who: Seat) -> None:
    """5.1"""
    assert decide(after(underway(*HANDS), lays(ANNA, "7H")), controls(who, 3))


def test_nobody_controls_himself() -> None:
    """5.1"""
    given = after(underway(*HANDS), lays(ANNA, "7H"))

    for command in (controls(ANNA, 3), counts(ANNA, 3)):
        with refused(Reason.OWN_CLAIM):
            decide(given, command)


@pytest.mark.parametrize("laid", ["7H", "9H"])
@pytest.mark.parametrize("who", [BEN, CARA])
def test_whoever_takes_the_pile_the_layers_neighbour_goes_on(laid: str, who: Seat) -> None:
    """5.6"""
    given = after(underway(*HANDS), lays(ANNA, laid))

    state = after(given, controls(who, 3, later(20)))

    assert (in_turn(state), due(state)) == (BEN, "T")
    assert decide(state, lays(BEN, "KD", at=later(20)))


def test_the_first_control_counts_of_whichever_kind() -> None:
    """5.7"""
    given = after(underway(*HANDS), lays(ANNA, "7H"), controls(BEN, 3))

    for command in (controls(CARA, 3), counts(CARA, 3)):
        with refused(Reason.ALREADY_CHALLENGED):
            decide(given, command)


def test_a_control_names_its_lay() -> None:
    """5.7"""
    given = after(underway(*HANDS), lays(ANNA, "7H"), lays(BEN, "KD", at=later(6)))

    with refused(Reason.CLAIM_CLOSED):
        decide(given, controls(CARA, 3, later(7)))
    with refused(Reason.NO_SUCH_CLAIM):
        decide(given, controls(CARA, 5, later(7)))


def test_what_was_taken_is_laid_again() -> None:
    """5.8"""
    given = after(underway(*HANDS), lays(ANNA, "7H"), controls(BEN, 3), lays(BEN, "KD"), sits_out(CARA, later(6)))

    assert decide(given, lays(ANNA, "2D", at=later(6)))


def test_sitting_out_cannot_be_controlled() -> None:
    """5.1, 6.1: it closes what could be."""
    given = after(underway(*HANDS), lays(ANNA, "7H"), accepts(CARA, 3), sits_out(BEN))

    with refused(Reason.CLAIM_CLOSED):
        decide(given, controls(CARA, 3))


def test_a_pick_up_adds_the_true_number_to_the_public_one() -> None:
    """12.5: three cards that were one in the pile are three in the hand."""
    given = after(underway(*HANDS), lays(ANNA, "7H QS 9H"), sits_out(BEN, later(6)))
    given = after(given, lays(CARA, "4S", at=later(6)))
    assert given.pile_size == 5

    state = after(given, controls(ANNA, 4, later(7)))

    assert state.sizes == (4, 4, 10)
    assert [len(hand) for hand in state.hands] == [2, 4, 10]
