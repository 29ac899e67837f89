"""RULES.md 11: somebody goes, and nobody takes the seat over."""

from __future__ import annotations

import pytest

from domain.games.liars_dice.actions import Roll, Vacate
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import (
    Challenged,
    Leaving,
    Left,
    LiarsDiceEnding,
    LiarsDiceTurn,
    MatchOver,
    Rolled,
    RoundOver,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.evolve import evolve
from domain.games.liars_dice.house import awaits, house
from domain.games.liars_dice.offers import offers
from domain.games.liars_dice.state import State
from domain.kernel.game import HOUSE, Answers, Over, fold
from domain.kernel.reasons import Reason
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    LIES,
    accepts,
    after,
    by,
    dice,
    doubts,
    follows,
    goes,
    house_acts,
    in_turn,
    loses,
    ready,
    said,
    says,
    table,
    takes,
    to_beat,
    told,
    what_the_house_does,
    wins_a_round,
)

THROWS = "11345 22266 12346 55512"


def annas_claim(seats: int = 4, claim: str = "pair:4", dice_pass: bool = False) -> State:
    return after(table(THROWS, seats, dice_pass=dice_pass), says(ANNA, claim))


def test_tokens_go_with_who_leaves_and_nobody_waits_for_him() -> None:
    """11.1"""
    state = after(annas_claim(), goes(CARA, at=later(1)))

    assert (state.tokens, state.present) == ((3, 3, 0, 3), (ANNA, BEN, DAN))
    assert awaits(state) == Answers((BEN, DAN), until=later(30))
    with refused(Reason.LEFT):
        decide(state, doubts(CARA, 0, at=later(2)))


def test_an_open_claim_of_who_leaves_is_settled_first() -> None:
    """11.2: what breaks 20: it costs who deserves it"""
    given = after(annas_claim(), goes(ANNA, at=later(1)))
    assert told(annas_claim(), goes(ANNA, at=later(1))) == (Leaving(ANNA),)
    assert offers(given, ANNA) == ()
    for command in (goes(ANNA, at=later(2)), doubts(ANNA, 0, at=later(2))):
        with refused(Reason.LEFT):
            decide(given, command)

    shown, lost, left, rolled = told(given, doubts(CARA, 0, at=later(2)))

    assert isinstance(shown, Challenged)
    assert (lost, left) == (TokenLost(ANNA, 2, follows=BEN, left=799), Left(ANNA, None))
    assert isinstance(rolled, Rolled)
    assert rolled.seat == BEN


def test_the_seat_is_cleared_before_the_next_dice_are_thrown() -> None:
    """11.2"""
    given = after(annas_claim(), goes(ANNA, at=later(1)))
    lost = fold(evolve, given, decide(given, doubts(CARA, 0, at=later(2))))

    with refused(Reason.NOT_NOW):
        decide(lost, by(HOUSE, Roll(dice("66666"), 2), later(2)))
    assert house(lost, CHANCE).action == Vacate(ANNA)


def test_a_doubt_of_a_leavers_true_claim_costs_who_doubted() -> None:
    """11.2"""
    given = after(annas_claim(claim="pair:1"), goes(ANNA, at=later(1)))

    assert after(given, doubts(CARA, 0, at=later(2))).tokens == (0, 3, 2, 3)


def test_a_leavers_claim_that_nobody_doubts_stands_and_is_to_be_beaten() -> None:
    """11.2"""
    given = after(annas_claim(), goes(ANNA, at=later(1)))

    stood, left, rolled = told(given, takes(BEN, 0, at=later(6)))

    assert (stood, left) == (Stood(0, ANNA, follows=BEN), Left(ANNA, None))
    assert isinstance(rolled, Rolled)
    assert rolled.turn == LiarsDiceTurn(BEN, said("pair:4"), later(66), 799)


def test_a_leavers_five_sixes_are_doubted_by_who_is_next() -> None:
    """5.5, 11.2"""
    given = after(annas_claim(claim="five:6"), goes(ANNA, at=later(1)))

    shown, lost, left, _ = what_the_house_does(given, later(30))

    assert isinstance(shown, Challenged)
    assert (shown.challenger, shown.held) == (BEN, True)
    assert (lost, left) == (TokenLost(ANNA, 2, follows=BEN, left=799), Left(ANNA, None))


def test_who_goes_in_his_turn_is_followed_by_the_next_with_fresh_dice_and_the_same_claim_to_beat() -> None:
    """11.3: what breaks 72"""
    given = after(annas_claim(), takes(BEN, 0, at=later(6)))

    left, rolled = told(given, goes(BEN, at=later(20)))

    assert left == Left(BEN, CARA)
    assert rolled == Rolled(CARA, dice("12346"), 3, LiarsDiceTurn(CARA, said("pair:4"), later(80), 799))


def test_dice_handed_on_are_thrown_anew_when_their_holder_goes() -> None:
    """11.3"""
    given = after(annas_claim(dice_pass=True), takes(BEN, 0, at=later(6)))

    state = after(given, goes(BEN, at=later(20)))

    assert (in_turn(state), to_beat(state), state.dice, state.thrown) == (CARA, "pair:4", dice("22266"), 5)


def test_when_the_turns_are_over_who_is_going_has_gone_before_the_count() -> None:
    """7.2, 11.2"""
    given = after(table(THROWS, max_turns=1), says(ANNA, "pair:1"), goes(ANNA, at=later(1)))

    *_, left, over, _ = told(given, doubts(BEN, 0, at=later(2)))

    assert left == Left(ANNA, None)
    assert isinstance(over, RoundOver)
    assert (over.winners, over.because, over.penalties) == ((CARA,), LiarsDiceEnding.TURNS, (0, 1, 0))


def test_who_is_going_wins_the_round_if_his_claim_took_the_last_token_of_the_others() -> None:
    """7.1, 11.2"""
    given = after(loses(table(LIES, 2), BEN, BEN), says(ANNA, "nothing"), goes(ANNA))

    assert awaits(after(given, doubts(BEN, 2))) == Over((ANNA,), (1, 0))


def test_when_who_is_next_goes_the_one_after_him_is_next() -> None:
    """11.3"""
    state = after(annas_claim(), goes(BEN, at=later(1)))

    assert follows(state) == CARA
    with refused(Reason.LEFT):
        decide(state, takes(BEN, 0, at=later(6)))
    assert decide(state, takes(CARA, 0, at=later(6)))
    held = what_the_house_does(after(annas_claim(claim="five:6"), goes(BEN, at=later(1))), later(30))[0]
    assert isinstance(held, Challenged)
    assert held.challenger == CARA


def test_a_window_waits_only_for_those_who_are_there() -> None:
    """5.1, 11.1"""
    given = after(annas_claim(), accepts(BEN, 0), accepts(CARA, 0))

    assert [type(event) for event in told(given, goes(DAN, at=later(1)))] == [Left, Stood, Rolled]


def test_who_waits_for_fewer_may_take_the_dice_earlier() -> None:
    """5.2, 11.2"""
    given = after(annas_claim(), accepts(CARA, 0, at=later(1)))
    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, takes(BEN, 0, at=later(2)))

    assert decide(after(given, goes(DAN, at=later(2))), takes(BEN, 0, at=later(2)))


def test_the_last_one_wins_round_and_match() -> None:
    """11.4"""
    given = after(table(LIES, mode="most_wins"), goes(CARA))

    assert told(given, goes(ANNA)) == (
        Left(ANNA, None),
        RoundOver(1, (BEN,), LiarsDiceEnding.LAST_IN, (0, 0, 0), (0, 1, 0), (0, 0, 0), begins_at=None),
        MatchOver((BEN,), (0, 1, 0)),
    )


def test_who_alone_has_tokens_wins_the_round_though_another_is_still_there() -> None:
    """11.4"""
    given = loses(table(LIES, mode="most_wins"), BEN, BEN, BEN)
    assert given.tokens == (3, 0, 3)

    left, over = told(given, goes(CARA))

    assert isinstance(over, RoundOver)
    assert (left, over.winners, over.penalties) == (Left(CARA, None), (ANNA,), (0, 3, 0))
    state = house_acts(after(given, goes(CARA)), later(5))
    assert (state.tokens, in_turn(state)) == ((3, 3, 0), BEN)


def test_the_last_one_wins_between_rounds() -> None:
    """11.4"""
    given = after(wins_a_round(table(LIES, mode="first_to"), ANNA), goes(ANNA, at=later(1)))

    assert told(given, goes(BEN, at=later(2))) == (Left(BEN, None), MatchOver((CARA,), (1, 0, 0)))


def test_who_left_wins_nothing_whatever_he_had_won() -> None:
    """11.4"""
    given = wins_a_round(table(LIES, mode="most_wins", rounds=2), ANNA)
    state = wins_a_round(house_acts(after(given, goes(ANNA, at=later(1))), later(5)), BEN)

    assert awaits(state) == Over((BEN,), (1, 1, 0))


def test_the_next_round_begins_at_once_when_the_last_one_not_ready_goes() -> None:
    """10.1, 2.1: and who left is passed over"""
    given = after(wins_a_round(table(LIES, mode="first_to"), ANNA), ready(ANNA), ready(CARA))

    state = after(given, goes(BEN, at=later(1)))

    assert (in_turn(state), state.tokens) == (CARA, (3, 0, 3))


def test_a_leaver_may_win_with_the_claim_that_he_left_open() -> None:
    """11.2: and the match is over before his seat is cleared"""
    given = loses(table(LIES, 2), BEN, BEN)
    given = after(given, says(ANNA, "nothing"), goes(ANNA, at=later(1)))

    assert awaits(after(given, doubts(BEN, 2, at=later(2)))) == Over((ANNA,), (1, 0))


@pytest.mark.parametrize("phase", ["over", "gone"])
def test_one_leaves_once_and_not_a_match_that_is_over(phase: str) -> None:
    """11.1"""
    given = after(table(LIES), goes(ANNA))
    if phase == "over":
        given = after(given, goes(BEN))

    with refused(Reason.NOT_NOW if phase == "over" else Reason.LEFT):
        decide(given, goes(ANNA))
