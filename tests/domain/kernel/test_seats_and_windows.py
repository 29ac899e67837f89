"""What games share about who sits where, who may doubt what, and the pause between two rounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain.kernel.game import Pace, Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause, may_accept, may_deal
from domain.kernel.scoring import Mode, Tally
from domain.kernel.seating import everybody, next_of, with_seat
from domain.kernel.windows import (
    Window,
    accepted_by,
    answerers,
    in_time,
    not_early,
    open_claim,
    turn_until,
    unanswered,
    waits_until,
)

ANNA, BEN, CARA, DORA = ALL = everybody(4)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CLAIM = Window(7, ANNA, 10, NOON, barred=(ANNA,))


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "among, after, comes",
    [(ALL, ANNA, BEN), (ALL, DORA, ANNA), ((ANNA, DORA), ANNA, DORA), ((ANNA, BEN), CARA, ANNA), ((CARA,), CARA, CARA)],
)
def test_the_next_sits_on_the_left_clockwise_and_the_seat_itself_comes_last(
    among: tuple[Seat, ...], after: Seat, comes: Seat
) -> None:
    assert next_of(among, after) == comes


def test_one_seat_changes_and_the_others_stay() -> None:
    assert with_seat(("a", "b", "c"), BEN, "x") == ("a", "x", "c")
    assert with_seat(("a", "b", "c"), CARA, "x") == ("a", "b", "x")


def test_nobody_doubts_his_own_claim_and_who_has_accepted_still_may() -> None:
    window = accepted_by(CLAIM, CARA)

    assert answerers(window, ALL) == (BEN, CARA, DORA)
    assert unanswered(window, ALL) == (BEN, DORA)
    assert accepted_by(window, CARA) == window
    assert accepted_by(window, ANNA) == window


def test_a_turn_waits_for_all_but_who_takes_it() -> None:
    assert waits_until(BEN, (CLAIM,), ALL) == NOON
    assert waits_until(BEN, (accepted_by(CLAIM, CARA),), ALL) == NOON
    assert waits_until(BEN, (accepted_by(accepted_by(CLAIM, CARA), DORA),), ALL) is None
    assert waits_until(BEN, (), ALL) is None


def test_a_turn_is_open_from_the_very_moment_on() -> None:
    with pytest.raises(Refused) as early:
        not_early(BEN, (CLAIM,), ALL, later(-0.001))
    assert (early.value.reason, early.value.not_before) == (Reason.TOO_EARLY, NOON)
    not_early(BEN, (CLAIM,), ALL, NOON)


def test_an_answer_at_the_moment_of_closing_is_too_late() -> None:
    in_time(later(-0.001), NOON)
    in_time(NOON, None)
    with pytest.raises(Refused) as late:
        in_time(NOON, NOON)
    assert (late.value.reason, late.value.closes_at) == (Reason.TOO_LATE, NOON)


@pytest.mark.parametrize(
    "turn_time, waits, lasts",
    [(60.0, 0, 60), (60.0, 100, 105), (3.0, 10, 13), (None, 0, None)],
)
def test_who_had_to_wait_still_has_time_to_act(turn_time: float | None, waits: int, lasts: int | None) -> None:
    until = turn_until(Pace(turn_time=turn_time, min_open=5), NOON, later(waits))

    assert until == (None if lasts is None else later(lasts))


@pytest.mark.parametrize(
    "claim_id, by, reason",
    [
        (9, BEN, Reason.NO_SUCH_CLAIM),
        (6, BEN, Reason.ALREADY_CHALLENGED),
        (5, BEN, Reason.CLAIM_CLOSED),
        (7, ANNA, Reason.OWN_CLAIM),
    ],
)
def test_an_answer_names_an_open_claim_of_somebody_else(claim_id: int, by: Seat, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        open_claim((CLAIM,), claim_id, 9, 6, by)
    assert refused.value.reason == reason


def test_an_open_claim_is_found() -> None:
    assert open_claim((CLAIM,), 7, 8, None, BEN) == CLAIM


def test_the_next_deal_waits_for_its_time_or_for_all() -> None:
    pause = Pause(NOON).accepted_by(ANNA).accepted_by(BEN)

    may_deal(pause, ALL, NOON)
    may_deal(pause, (ANNA, BEN), later(-1))
    with pytest.raises(Refused) as refused:
        may_deal(pause, ALL, later(-1))
    assert (refused.value.reason, refused.value.not_before) == (Reason.TOO_EARLY, NOON)


def test_one_consents_to_the_next_deal_once_and_in_time() -> None:
    pause = Pause(NOON).accepted_by(ANNA)

    may_accept(pause, BEN, later(-1))
    for by, at, reason in ((ANNA, later(-1), Reason.ALREADY_ACCEPTED), (BEN, NOON, Reason.TOO_LATE)):
        with pytest.raises(Refused) as refused:
            may_accept(pause, by, at)
        assert refused.value.reason == reason


@pytest.mark.parametrize(
    "mode, means, nothing",
    [(Mode.SINGLE, (None, 1), (2,)), (Mode.BEST_OF, (None, 3, 5), (1, 4, 7)), (Mode.FIRST_TO, (None, 1, 50), ())],
)
def test_not_every_number_of_rounds_means_something(
    mode: Mode, means: tuple[int | None, ...], nothing: tuple[int, ...]
) -> None:
    assert all(mode.plays(rounds) for rounds in means)
    assert not any(mode.plays(rounds) for rounds in nothing)


def test_a_round_counts_for_its_winners_and_against_the_others() -> None:
    assert Tally(2, (1, 0), (0, 4)).counted((BEN,), (3, 0)) == Tally(2, (1, 1), (3, 4))
