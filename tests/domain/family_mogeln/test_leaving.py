"""RULES.md 11: somebody goes, and nobody takes the cards over."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Ending, Leaving, Left, MatchOver, PileTaken, RoundOver, Turn
from domain.games.family_mogeln.house import awaits
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.state import State
from domain.kernel.cards import cards
from domain.kernel.game import Answers, Over
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from tests.domain.at_table import later, refused
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    accepts,
    after,
    controls,
    counts,
    dealt,
    due,
    goes,
    house_acts,
    in_turn,
    lays,
    ready,
    sits_out,
    told,
    underway,
)

HANDS = ("QS 7H 5C", "KD 9C 5H", "4S 4H 5S", "3C 3D 3S")


def annas_lay(*hands: str, laid: str = "QS", **chosen: Any) -> State:
    """Number 4, as a nine; Ben is to say ten."""
    return after(underway(*(hands or HANDS), **chosen), lays(ANNA, laid))


def test_a_hand_leaves_play_face_down_and_what_was_laid_stays() -> None:
    """11.1"""
    given = after(annas_lay(), lays(BEN, "9C", at=later(6)))

    state = after(given, goes(ANNA, later(7)))

    assert (state.hands[ANNA], state.sizes[ANNA], state.present) == ((), 0, (BEN, CARA, DAN))
    assert [lay.cards for lay in state.pile][-2:] == [cards("QS"), cards("9C")]
    assert set(cards("7H 5C")) <= set(state.aside)


def test_who_left_is_passed_over() -> None:
    """11.1: what breaks 72."""
    state = after(annas_lay(), goes(CARA, later(1)), lays(BEN, "9C", at=later(6)))

    assert in_turn(state) == DAN


def test_an_open_lay_of_who_leaves_is_settled_first() -> None:
    """11.2: what breaks 20: the penalty hits who deserves it."""
    given = after(annas_lay(), goes(ANNA, later(1)))
    assert given.leaving == (ANNA,)

    _, taken, left = told(given, controls(CARA, 4, later(2)))

    assert isinstance(taken, PileTaken)
    assert taken.seat == ANNA
    assert left == Left(ANNA, BEN, None)


def test_two_cards_laid_as_one_are_paid_for_though_their_player_is_going() -> None:
    """11.2"""
    given = after(annas_lay(laid="7H QS"), goes(ANNA, later(1)))

    taken = told(given, counts(DAN, 4, later(2)))[1]

    assert isinstance(taken, PileTaken)
    assert (taken.seat, taken.size) == (ANNA, 6)


@pytest.mark.parametrize("closing", [lays(BEN, "9C", at=later(6)), sits_out(BEN, later(6))])
def test_a_lay_that_nobody_controls_is_settled_by_the_next_turn(closing: Any) -> None:
    """11.2"""
    given = after(annas_lay(), goes(ANNA, later(1)))

    assert told(given, closing)[1:] == (Left(ANNA, BEN, None),)


def test_leaving_is_told_before_it_comes_about_and_then_one_acts_no_more() -> None:
    """11.2: what breaks 64 and 73."""
    assert told(annas_lay(), goes(ANNA, later(1))) == (Leaving(ANNA),)

    given = after(annas_lay(), goes(ANNA, later(1)))

    assert awaits(given) == Answers((BEN, CARA, DAN), until=later(60))
    assert offers(given, ANNA) == ()
    for command in (lays(ANNA, "7H", at=later(2)), goes(ANNA, later(2))):
        with refused(Reason.LEFT):
            decide(given, command)


def test_a_leavers_turn_is_taken_over_with_the_same_rank_and_a_new_clock() -> None:
    """11.3"""
    given = annas_lay()

    assert told(given, goes(BEN, later(30))) == (Left(BEN, ANNA, Turn(CARA, "T", later(90), 795)),)
    state = after(given, goes(BEN, later(30)))
    assert (in_turn(state), due(state)) == (CARA, "T")
    assert [window.claim_id for window in state.windows] == [4]


def test_have_all_who_are_left_sat_out_the_next_rank_is_due() -> None:
    """3.7, 11.3"""
    given = after(annas_lay(), sits_out(BEN, later(6)), sits_out(CARA, later(6)), sits_out(DAN, later(6)))
    assert (in_turn(given), due(given)) == (ANNA, "T")

    state = after(given, goes(ANNA, later(7)))

    assert (in_turn(state), due(state)) == (BEN, "J")
    assert state.phase.turn.sat_out == ()  # type: ignore[union-attr]


def test_who_sat_out_and_left_is_not_counted() -> None:
    """3.7, 11.1: Dan has not declined the ten yet."""
    given = after(annas_lay(), sits_out(BEN, later(6)), sits_out(CARA, later(6)), goes(BEN, later(7)))

    assert due(given) == "T"
    assert due(after(given, sits_out(DAN, later(7)))) == "T"
    assert due(after(given, sits_out(DAN, later(7)), sits_out(ANNA, later(7)))) == "J"


def test_who_leaves_on_the_last_turn_wins_nothing_by_his_lay() -> None:
    """8.3, 11.2, 11.4: it is settled first, then he is gone, and then the cards are counted."""
    given = after(annas_lay("QS 5C", *HANDS[1:3], max_turns=4, mode="most_wins", rounds=2), goes(ANNA, later(1)))
    assert given.leaving == (ANNA,)

    happened = told(given, accepts(BEN, 3), accepts(CARA, 3))

    left, over = happened[-2:]
    assert left == Left(ANNA, ANNA, None)
    assert isinstance(over, RoundOver)
    assert (over.winners, over.sizes) == ((BEN, CARA), (0, 3, 3))


def test_the_last_one_wins_round_and_match() -> None:
    """8.4, 11.4"""
    given = after(dealt(*HANDS[:3], mode="most_wins"), goes(CARA))

    assert told(given, goes(ANNA)) == (
        Left(ANNA, ANNA, None),
        RoundOver(1, (BEN,), Ending.LAST_IN, (0, 3, 0), 0, (0, 1, 0), (0, 0, 0), deal_at=None),
        MatchOver((BEN,), (0, 1, 0)),
    )


def test_the_last_one_wins_between_rounds_and_who_left_wins_nothing() -> None:
    """11.4"""
    given = after(annas_lay("QS", *HANDS[1:3], mode="first_to"), goes(ANNA, later(1)))
    assert isinstance(given.phase, Pause)

    assert told(given, goes(BEN, later(2))) == (Left(BEN, ANNA, None), MatchOver((CARA,), (1, 0, 0)))


def test_the_next_deal_is_for_those_who_are_there() -> None:
    """1.2, 2.1: two may play on, and the deal passes over the empty seat."""
    given = after(annas_lay("QS", *HANDS[1:3], mode="first_to"), goes(ANNA, later(1)))

    state = house_acts(given, later(5))

    assert [len(hand) for hand in state.hands] == [0, 27, 27]
    assert (state.dealer, state.starter, state.packs, state.aside_size) == (BEN, CARA, 1, 1)


def test_with_the_fifth_player_gone_the_next_deal_is_of_one_pack() -> None:
    """1.2"""
    five = dealt("7H", "KD 9C", "4S", "3C", "QS", mode="first_to")
    given = after(five, goes(DAN), lays(ANNA, "7H", "7"))

    assert [len(hand) for hand in house_acts(given, later(5)).hands] == [13, 13, 13, 0, 13]


def test_the_deal_comes_at_once_when_the_last_one_not_ready_goes() -> None:
    """10.1"""
    given = after(annas_lay("QS", *HANDS[1:3], mode="first_to"), ready(BEN), ready(CARA))
    assert isinstance(given.phase, Pause)

    assert after(given, goes(ANNA, later(2))).round == 2


def test_one_leaves_once_and_not_a_match_that_is_over() -> None:
    given = after(dealt(*HANDS), goes(ANNA))
    with refused(Reason.LEFT):
        decide(given, goes(ANNA))

    over = after(given, goes(BEN), goes(CARA))

    assert awaits(over) == Over((DAN,), (0, 0, 0, 1))
    with refused(Reason.NOT_NOW):
        decide(over, goes(DAN))
