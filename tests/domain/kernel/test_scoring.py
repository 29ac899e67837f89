"""Who wins a match of several rounds."""

from __future__ import annotations

import pytest

from domain.kernel.game import Over, Seat
from domain.kernel.scoring import Mode, Tally, over

ANNA, BEN, CARA = map(Seat, range(3))
ALL = (ANNA, BEN, CARA)


def after(played: int, wins: tuple[int, ...], penalties: tuple[int, ...] = (0, 0, 0)) -> Tally:
    return Tally(played, wins, penalties)


def test_a_single_round_is_a_match() -> None:
    assert over(Mode.SINGLE, 1, after(1, (0, 1, 0)), ALL) == Over((BEN,), (0, 1, 0))


def test_a_shared_round_is_a_shared_match() -> None:
    assert over(Mode.SINGLE, 1, after(1, (1, 1, 0)), ALL) == Over((ANNA, BEN), (1, 1, 0))


@pytest.mark.parametrize("mode", Mode)
def test_nothing_is_won_before_the_first_round(mode: Mode) -> None:
    assert over(mode, 3, after(0, (0, 0, 0)), ALL) is None


def test_the_first_to_so_many_wins() -> None:
    assert over(Mode.FIRST_TO, 3, after(7, (2, 2, 2)), ALL) is None
    assert over(Mode.FIRST_TO, 3, after(8, (2, 3, 2)), ALL) == Over((BEN,), (2, 3, 2))


def test_two_who_are_first_together_share() -> None:
    assert over(Mode.FIRST_TO, 3, after(5, (3, 3, 0)), ALL) == Over((ANNA, BEN), (3, 3, 0))


def test_first_to_goes_on_however_many_rounds_it_takes() -> None:
    assert over(Mode.FIRST_TO, 3, after(1, (1, 0, 0)), ALL) is None
    assert over(Mode.FIRST_TO, 1, after(1, (1, 0, 0)), ALL) == Over((ANNA,), (1, 0, 0))


def test_most_wins_plays_all_rounds() -> None:
    assert over(Mode.MOST_WINS, 5, after(4, (4, 0, 0)), ALL) is None
    assert over(Mode.MOST_WINS, 5, after(5, (2, 2, 1)), ALL) == Over((ANNA, BEN), (2, 2, 1))


@pytest.mark.parametrize("rounds, enough", [(3, 2), (5, 3)])
def test_best_of_ends_when_nobody_can_catch_up(rounds: int, enough: int) -> None:
    """A16"""
    wins = (enough, 0, 0)

    assert over(Mode.BEST_OF, rounds, after(enough, wins), ALL) == Over((ANNA,), wins)
    assert over(Mode.BEST_OF, rounds, after(enough - 1, (enough - 1, 0, 0)), ALL) is None


def test_best_of_ends_after_its_rounds_though_nobody_has_most_of_them() -> None:
    """A16: one each of three."""
    assert over(Mode.BEST_OF, 3, after(3, (1, 1, 1)), ALL) == Over(ALL, (1, 1, 1))
    assert over(Mode.BEST_OF, 5, after(5, (2, 2, 1)), ALL) == Over((ANNA, BEN), (2, 2, 1))


def test_an_extra_round_is_played_where_a_best_of_would_be_shared() -> None:
    """A16: one, among all; who is level after it shares."""
    assert over(Mode.BEST_OF_EXTRA, 3, after(2, (2, 0, 0)), ALL) == Over((ANNA,), (2, 0, 0))
    assert over(Mode.BEST_OF_EXTRA, 3, after(2, (2, 2, 0)), ALL) is None
    assert over(Mode.BEST_OF_EXTRA, 3, after(3, (1, 1, 1)), ALL) is None
    assert over(Mode.BEST_OF_EXTRA, 3, after(4, (1, 2, 1)), ALL) == Over((BEN,), (1, 2, 1))
    assert over(Mode.BEST_OF_EXTRA, 5, after(6, (2, 2, 2)), ALL) == Over(ALL, (2, 2, 2))


def test_the_fewest_penalty_points_win_after_all_rounds() -> None:
    """A17: ties share."""
    assert over(Mode.PENALTY_POINTS, 2, after(1, (1, 0, 0), (0, 9, 9)), ALL) is None
    assert over(Mode.PENALTY_POINTS, 2, after(2, (2, 0, 0), (0, 9, 9)), ALL) == Over((ANNA,), (0, 9, 9))
    assert over(Mode.PENALTY_POINTS, 2, after(2, (1, 1, 0), (5, 5, 9)), ALL) == Over((ANNA, BEN), (5, 5, 9))


def test_penalty_points_do_not_look_at_wins() -> None:
    assert over(Mode.PENALTY_POINTS, 2, after(2, (2, 0, 0), (9, 1, 9)), ALL) == Over((BEN,), (9, 1, 9))


@pytest.mark.parametrize("mode", Mode)
def test_who_has_left_wins_nothing(mode: Mode) -> None:
    """Anna had won the most and been punished the least; but she is gone."""
    end = over(mode, 3, after(3, (3, 2, 3), (0, 4, 8)), (BEN, CARA))

    assert end is not None
    assert ANNA not in end.winners


def test_who_has_left_does_not_end_it_for_the_others() -> None:
    assert over(Mode.FIRST_TO, 3, after(4, (3, 1, 0)), (BEN, CARA)) is None


@pytest.mark.parametrize("mode", Mode)
def test_the_last_one_wins_whatever_has_been_played(mode: Mode) -> None:
    """Rules, *Leaving*: below two seats the last one wins."""
    end = over(mode, 3, after(0, (0, 0, 0), (1, 2, 3)), (CARA,))

    assert end is not None
    assert end.winners == (CARA,)
