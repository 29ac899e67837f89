"""RULES.md 8: the same dice go round."""

from __future__ import annotations

import pytest

from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import (
    Accepted,
    Challenged,
    DiceTaken,
    LiarsDiceTurn,
    MatchOver,
    RerollAsked,
    Rerolled,
    Rolled,
    RoundOver,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.reasons import LiarsDiceReason
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    accepts,
    after,
    dice,
    doubts,
    house_acts,
    in_turn,
    said,
    says,
    table,
    takes,
    throws_anew,
    told,
    what_the_house_does,
)

THROWS = "11345 6 44 22222"
CLAIMED = after(table(THROWS, dice_pass=True), says(ANNA, "pair:1"))
TAKEN = after(CLAIMED, takes(BEN, 0, at=later(6)))
TURN = LiarsDiceTurn(BEN, said("pair:1"), later(66), 599)


def test_who_is_next_takes_the_dice_as_they_lie() -> None:
    """8.1"""
    assert told(CLAIMED, takes(BEN, 0, at=later(6))) == (
        Stood(0, ANNA, follows=BEN),
        DiceTaken(BEN, dice("11345"), TURN),
    )


def test_he_is_given_them_when_the_window_ends_by_itself_or_all_accept() -> None:
    """5.1, 8.1"""
    assert [type(event) for event in what_the_house_does(CLAIMED, later(30))] == [Stood, DiceTaken]
    happened = told(CLAIMED, accepts(BEN, 0), accepts(CARA, 0))
    assert [type(event) for event in happened] == [Accepted, Accepted, Stood, DiceTaken]


def test_he_cannot_take_them_early_nor_doubt_when_he_has_seen_them() -> None:
    """5.2, 5.3"""
    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(CLAIMED, takes(BEN, 0, at=later(4)))
    with refused(Reason.CLAIM_CLOSED):
        decide(TAKEN, doubts(BEN, 0, at=later(7)))


def test_after_the_last_turn_they_are_handed_to_nobody() -> None:
    """7.2, 8.1"""
    given = after(table("11345", dice_pass=True, max_turns=1), says(ANNA, "pair:1"))

    assert [type(event) for event in what_the_house_does(given, later(30))] == [Stood, RoundOver, MatchOver]


def test_he_may_throw_some_anew_and_then_claims() -> None:
    """8.2, 12.5: the dice are told sorted"""
    happened = told(TAKEN, throws_anew(BEN, "5", at=later(7)))

    assert happened == (RerollAsked(BEN, dice("5")), Rerolled(BEN, dice("11346"), 1, 2))
    state = after(TAKEN, throws_anew(BEN, "5", at=later(7)))
    assert in_turn(state) == BEN
    assert told(after(state, says(BEN, "pair:2", at=later(8))), doubts(CARA, 1, at=later(9)))[1] == TokenLost(
        BEN, 2, follows=CARA, left=598
    )


def test_two_alike_are_two_dice() -> None:
    """8.2"""
    state = after(table("11345 2 44 66", dice_pass=True), says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))

    assert after(state, throws_anew(BEN, "1", at=later(7))).dice == dice("12345")
    assert after(state, throws_anew(BEN, "11", at=later(7))).dice == dice("23445")
    with refused(LiarsDiceReason.NOT_YOUR_DICE):
        decide(state, throws_anew(BEN, "111", at=later(7)))


def test_all_five_may_be_thrown_anew() -> None:
    """8.2"""
    asked = throws_anew(BEN, "54311", at=later(7))
    state = after(TAKEN, asked)

    assert told(TAKEN, asked)[0] == RerollAsked(BEN, dice("11345"))
    assert (state.dice, state.thrown) == (dice("22446"), 5)


def test_once_in_a_turn_and_only_ones_own_dice_and_turn() -> None:
    """8.2"""
    with refused(LiarsDiceReason.NO_REROLL):
        decide(after(TAKEN, throws_anew(BEN, "5", at=later(7))), throws_anew(BEN, "6", at=later(8)))
    with refused(LiarsDiceReason.NOT_YOUR_DICE):
        decide(TAKEN, throws_anew(BEN, "6", at=later(7)))
    with refused(Reason.NOT_YOUR_TURN):
        decide(TAKEN, throws_anew(CARA, "5", at=later(7)))
    with refused(Reason.TOO_LATE, closes_at=later(66)):
        decide(TAKEN, throws_anew(BEN, "5", at=later(66)))


def test_a_new_throw_gives_no_new_time() -> None:
    """6.1, 8.2"""
    state = after(TAKEN, throws_anew(BEN, "5", at=later(50)))

    with refused(Reason.TOO_LATE, closes_at=later(66)):
        decide(state, says(BEN, "pair:2", at=later(66)))


def test_he_may_leave_them_all_and_raise() -> None:
    """8.2"""
    state = after(TAKEN, says(BEN, "pair:5", at=later(7)))

    assert (state.dice, state.thrown) == (dice("11345"), 0)


def test_a_sequence_begins_with_fresh_dice_that_are_not_thrown_again() -> None:
    """8.4"""
    with refused(LiarsDiceReason.NO_REROLL):
        decide(table(THROWS, dice_pass=True), throws_anew(ANNA, "1"))

    shown, _, rolled = told(CLAIMED, doubts(CARA, 0))
    assert isinstance(shown, Challenged)
    assert isinstance(rolled, Rolled)
    assert rolled.dice == dice("22446")
    with refused(LiarsDiceReason.NO_REROLL):
        decide(after(CLAIMED, doubts(CARA, 0)), throws_anew(BEN, "2"))


def test_without_the_option_nothing_is_thrown_anew() -> None:
    """8.2"""
    state = after(table(THROWS), says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))

    with refused(LiarsDiceReason.NO_REROLL):
        decide(state, throws_anew(BEN, "6", at=later(7)))


def test_who_sleeps_with_dice_from_another_throws_none_anew() -> None:
    """6.3"""
    state = house_acts(TAKEN, later(66))

    assert state.dice == dice("11345")
    assert state.claims == 2


@pytest.mark.parametrize("claim, loser", [("pair:2", BEN), ("pair:1", CARA)])
def test_what_counts_is_what_lies_there_when_it_is_doubted(claim: str, loser: int) -> None:
    """4.3, 8.1: Ben claims of Anna's dice"""
    state = after(table("11345", dice_pass=True), says(ANNA, "nothing"), takes(BEN, 0, at=later(6)))
    state = after(state, says(BEN, claim, at=later(7)))

    assert after(state, doubts(CARA, 1, at=later(8))).tokens == tuple(2 if seat == loser else 3 for seat in range(3))
