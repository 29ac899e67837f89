"""RULES.md 11: somebody goes, and nobody takes the cards over."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.cheat.actions import ConsentPass, ProposePass, Vacate
from domain.games.cheat.decider import decide
from domain.games.cheat.events import (
    CheatEnding,
    CheatTurn,
    Leaving,
    Left,
    MatchOver,
    Passed,
    PileTaken,
    RoundOver,
    Stood,
)
from domain.games.cheat.house import awaits
from domain.games.cheat.offers import offers
from domain.games.cheat.state import State
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, Answers, Command, Over, Seat
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from tests.domain.at_table import later, refused
from tests.domain.cheat.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    accepts,
    after,
    by,
    dealt,
    doubts,
    due,
    house_acts,
    in_turn,
    lays,
    ready,
    told,
)

HANDS = ("QS 7H 2C", "KD 9C 2H", "4S 4H 2S", "3C 3D 3S")


def goes(seat: Seat, at: float = 0) -> Command[Any]:
    return by(HOUSE, Vacate(seat), later(at))


def annas_claim(*hands: str, **chosen: Any) -> State:
    return after(dealt(*(hands or HANDS), **chosen), lays(ANNA, "QS"))


def test_a_hand_leaves_play_face_down_and_what_was_laid_stays() -> None:
    """11.1"""
    given = after(annas_claim(), lays(BEN, "9C", at=later(6)))

    state = after(given, goes(ANNA, 7))

    assert (state.hands[ANNA], state.present) == ((), (BEN, CARA, DAN))
    assert [claim.cards for claim in state.pile] == [cards("QS"), cards("9C")]
    assert set(cards("7H 2C")) <= set(state.away)


def test_who_left_is_passed_over() -> None:
    """11.1: what breaks 72."""
    state = after(annas_claim(), goes(CARA, 1), lays(BEN, "9C", at=later(6)))

    assert in_turn(state) == DAN


def test_an_open_claim_of_who_leaves_is_settled_first() -> None:
    """11.2: what breaks 20: the penalty hits who deserves it."""
    given = after(annas_claim(), goes(ANNA, 1))
    assert given.leaving == (ANNA,)

    _, taken, left = told(given, doubts(CARA, 0, at=later(2)))

    assert isinstance(taken, PileTaken)
    assert taken.seat == ANNA
    assert left == Left(ANNA, (), None)


def test_a_claim_that_nobody_doubts_is_settled_by_the_next_play() -> None:
    """11.2"""
    given = after(annas_claim(), goes(ANNA, 1))

    happened = told(given, lays(BEN, "9C", at=later(6)))

    assert happened[1:] == (Left(ANNA, (), None),)


def test_meanwhile_who_leaves_does_nothing_and_nobody_waits_for_him() -> None:
    """11.2: what breaks 64 and 73."""
    given = after(annas_claim(window="extended"), lays(BEN, "9C", at=later(6)), goes(ANNA, 7))

    assert awaits(given) == Answers((CARA, DAN), until=later(66))
    assert offers(given, ANNA) == ()
    with refused(Reason.LEFT):
        decide(given, doubts(ANNA, 1, at=later(8)))
    with refused(Reason.LEFT):
        decide(given, goes(ANNA, 8))


def test_one_who_waits_for_fewer_may_play_earlier() -> None:
    """5.2, 11.2"""
    given = after(annas_claim(), accepts(CARA, 0, at=later(1)))
    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, lays(BEN, "9C", at=later(2)))

    assert decide(after(given, goes(DAN, 2)), lays(BEN, "9C", at=later(2)))


def test_a_leavers_turn_is_taken_over_with_the_same_rank_and_a_new_clock() -> None:
    """11.3"""
    given = annas_claim()

    (left,) = told(given, goes(BEN, 30))

    assert left == Left(BEN, (), CheatTurn(CARA, "2", until=later(90), left=799))
    state = after(given, goes(BEN, 30))
    assert (in_turn(state), due(state)) == (CARA, "2")
    assert [window.claim_id for window in state.windows] == [0]


def test_a_last_play_wins_the_round_though_its_player_is_going() -> None:
    """11.2"""
    given = after(annas_claim("QS", *HANDS[1:], mode="first_to"), goes(ANNA, 1))

    happened = told(given, accepts(BEN, 0), accepts(CARA, 0), accepts(DAN, 0))

    stood, over, left = happened[3:]
    assert stood == Stood(0, ANNA)
    assert isinstance(over, RoundOver)
    assert over.winners == (ANNA,)
    assert left == Left(ANNA, (), None)


@pytest.mark.parametrize("doubted", [False, True])
def test_when_the_turns_are_over_who_is_going_has_gone_before_the_count(doubted: bool) -> None:
    """6.4, 11.2: his window is settled, and then the fewest cards of those who are there win."""
    given = after(annas_claim("QS 2C", "KD 9C 2H", "4S 4H 2S 3S", mode="first_to", max_turns=1), goes(ANNA, 1))

    happened = told(given, *([doubts(BEN, 0)] if doubted else [accepts(BEN, 0), accepts(CARA, 0)]))

    *_, left, over = happened
    assert left == Left(ANNA, (), None)
    assert isinstance(over, RoundOver)
    assert (over.winners, over.because, over.penalties) == ((BEN,), CheatEnding.TURNS, (0, 0, 4))


def test_a_match_that_ends_while_somebody_is_going_is_over() -> None:
    """11.2: found by a random walk: the House wanted to clear the winner's seat for ever."""
    given = after(annas_claim("QS", *HANDS[1:]), goes(ANNA, 1))

    over = after(given, accepts(BEN, 0), accepts(CARA, 0), accepts(DAN, 0))

    assert awaits(over) == Over((ANNA,), (1, 0, 0, 0))


def test_a_last_play_waits_for_those_who_are_still_there() -> None:
    """7.1, 11.2"""
    given = after(annas_claim("QS", *HANDS[1:]), accepts(BEN, 0), accepts(CARA, 0))

    happened = told(given, goes(DAN, 1))

    assert [type(event) for event in happened] == [Left, Stood, RoundOver, MatchOver]


def test_the_last_one_wins_round_and_match() -> None:
    """11.4"""
    given = after(dealt(*HANDS[:3], mode="most_wins"), goes(CARA))

    happened = told(given, goes(ANNA))

    assert happened == (
        Left(ANNA, (), None),
        RoundOver(1, (BEN,), CheatEnding.LAST_IN, (0, 0, 0), (0, 1, 0), (0, 0, 0), deal_at=None),
        MatchOver((BEN,), (0, 1, 0)),
    )


def test_the_last_one_wins_between_rounds() -> None:
    """11.4"""
    given = after(annas_claim("QS", *HANDS[1:3], mode="first_to"), accepts(BEN, 0), accepts(CARA, 0), goes(ANNA, 1))
    assert isinstance(given.phase, Pause)

    assert told(given, goes(BEN, 2)) == (Left(BEN, (), None), MatchOver((CARA,), (1, 0, 0)))


def test_who_left_wins_nothing_whatever_he_had() -> None:
    """11.4: penalty points grow only for those who stay."""
    given = after(annas_claim("QS", *HANDS[1:3], mode="penalty_points", rounds=1), goes(BEN, 1), accepts(CARA, 0))

    assert awaits(given) == Over((ANNA,), (0, 0, 3))
    lowest_left = after(dealt(*HANDS[:3], mode="penalty_points", rounds=1, max_turns=1), goes(BEN))
    over = after(lowest_left, lays(ANNA, "QS"), accepts(CARA, 0))
    assert awaits(over) == Over((ANNA,), (0, 0, 3))


def test_the_next_deal_is_for_those_who_are_there() -> None:
    """1.2, 2.1: two may play on, and the deal passes over the empty seat."""
    given = after(annas_claim("QS", *HANDS[1:3], mode="first_to"), accepts(BEN, 0), accepts(CARA, 0), goes(ANNA, 1))

    state = house_acts(given, later(5))

    assert [len(hand) for hand in state.hands] == [0, 26, 26]
    assert (state.dealer, in_turn(state), state.packs) == (BEN, CARA, 1)


def test_the_deal_comes_at_once_when_the_last_one_not_ready_goes() -> None:
    """10.1"""
    given = after(annas_claim("QS", *HANDS[1:3], mode="first_to"), accepts(BEN, 0), accepts(CARA, 0))
    given = after(given, ready(BEN, at=later(1)), ready(CARA, at=later(1)))

    assert isinstance(given.phase, Pause)
    assert not isinstance(after(given, goes(ANNA, 2)).phase, Pause)


def test_a_pass_needs_the_consent_of_those_who_are_there() -> None:
    """8.1.3, 11.2"""
    given = after(annas_claim(pass_rule="unanimous"), by(BEN, ProposePass(), at=later(6)))
    given = after(given, by(ANNA, ConsentPass(0), at=later(7)), by(CARA, ConsentPass(0), at=later(7)))

    assert [type(event) for event in told(given, goes(DAN, 8))] == [Left, Passed]


def test_a_question_goes_with_who_asked_it() -> None:
    """8.1.3, 11.3"""
    given = after(annas_claim(pass_rule="unanimous"), by(BEN, ProposePass(), at=later(6)))

    state = after(given, goes(BEN, 7))

    assert in_turn(state) == CARA
    assert decide(state, by(CARA, ProposePass(), at=later(8)))


@pytest.mark.parametrize("phase", ["over", "gone"])
def test_one_leaves_once_and_not_a_match_that_is_over(phase: str) -> None:
    given = after(dealt(*HANDS), goes(ANNA))
    if phase == "over":
        given = after(given, goes(BEN), goes(CARA))

    with refused(Reason.NOT_NOW if phase == "over" else Reason.LEFT):
        decide(given, goes(ANNA))


def test_leaving_is_told_before_it_comes_about() -> None:
    """11.2"""
    assert told(annas_claim(), goes(ANNA, 1)) == (Leaving(ANNA),)
