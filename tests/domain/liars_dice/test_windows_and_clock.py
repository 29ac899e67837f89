"""RULES.md 5 and 6: how long a claim can be doubted, and a turn lasts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from domain.games.liars_dice import LIARS_DICE
from domain.games.liars_dice.actions import CloseWindow, TimeOut
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import Accepted, Challenged, Claimed, Rolled, Stood, TokenLost
from domain.games.liars_dice.house import awaits, house
from domain.games.liars_dice.reasons import LiarsDiceReason
from domain.games.liars_dice.state import State, ToAnswer, ToClaim
from domain.kernel.game import HOUSE, Answers, HouseAct, Pace
from domain.kernel.reasons import Reason
from domain.match.state import Finished
from tests.domain.at_table import CHANCE, later, nobody_acts, refused
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    accepts,
    after,
    by,
    doubts,
    house_acts,
    in_turn,
    said,
    says,
    table,
    takes,
    to_beat,
    told,
    what_the_house_does,
)

THROWS = "11345 22266 12346 55512"
A_MOMENT = timedelta(microseconds=1)


def claimed(claim: str = "pair:4", pace: Pace = PACE, throws: str = THROWS) -> State:
    return after(table(throws, pace=pace), says(ANNA, claim))


def test_to_take_the_dice_closes_the_window() -> None:
    """5.1, 5.2"""
    given = after(claimed(), takes(BEN, 0, at=later(5)))

    with refused(Reason.CLAIM_CLOSED):
        decide(given, doubts(CARA, 0, at=later(5)))


def test_the_dice_cannot_be_taken_at_once() -> None:
    """5.2: what breaks 11"""
    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(claimed(), takes(BEN, 0, at=later(5) - A_MOMENT))

    assert decide(claimed(), takes(BEN, 0, at=later(5)))


def test_when_all_others_have_accepted_they_can() -> None:
    """5.2: who takes them counts as having accepted"""
    given = after(claimed(), accepts(CARA, 0, at=later(1)))

    assert told(given, takes(BEN, 0, at=later(1)))[0] == Stood(0, ANNA, follows=BEN)


def test_who_has_accepted_himself_waits_for_the_others_and_the_table_for_him() -> None:
    """5.2: he may still take the dice"""
    assert awaits(after(claimed(), accepts(BEN, 0))) == Answers((BEN, CARA), until=later(30))
    assert awaits(after(claimed("five:6"), accepts(BEN, 0))) == Answers((CARA,), until=later(30))
    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(after(claimed(), accepts(BEN, 0)), takes(BEN, 0, at=later(1)))


@pytest.mark.parametrize("seat", [ANNA, CARA])
def test_only_who_is_next_takes_the_dice(seat: int) -> None:
    """5.2"""
    with refused(Reason.OWN_CLAIM if seat == ANNA else Reason.NOT_YOUR_TURN):
        decide(claimed(), takes((ANNA, BEN, CARA)[seat], 0, at=later(6)))


def test_a_late_double_click_does_not_let_another_claim_stand() -> None:
    """5.2: heads-up, Ben's second click arrives when Anna has claimed again."""
    given = after(table(THROWS, 2), says(ANNA, "pair:4"), takes(BEN, 0, at=later(6)))
    given = after(given, says(BEN, "pair:5", at=later(7)), takes(ANNA, 1, at=later(12)))
    given = after(given, says(ANNA, "pair:6", at=later(13)))

    with refused(Reason.CLAIM_CLOSED):
        decide(given, takes(BEN, 0, at=later(18)))


def test_a_window_closes_when_all_have_accepted_and_then_the_house_throws() -> None:
    """5.1, 5.3"""
    given = after(claimed(), accepts(BEN, 0, at=later(1)))

    accepted, stood, rolled = told(given, accepts(CARA, 0, at=later(2)))

    assert (accepted, stood) == (Accepted(0, CARA), Stood(0, ANNA, follows=BEN))
    assert isinstance(rolled, Rolled)
    assert rolled.turn.until == later(62)


def test_a_window_closes_by_itself_and_then_the_house_throws() -> None:
    """5.1, 5.3, 6.2"""
    given = claimed()
    assert awaits(given) == Answers((BEN, CARA), until=later(30))
    with refused(Reason.TOO_EARLY, not_before=later(30)):
        decide(given, by(HOUSE, CloseWindow(0), later(30) - A_MOMENT))

    stood, rolled = what_the_house_does(given, later(30))

    assert stood == Stood(0, ANNA, follows=BEN)
    assert isinstance(rolled, Rolled)
    assert (rolled.seat, rolled.turn.until) == (BEN, later(90))


def test_no_dice_are_thrown_while_a_claim_can_be_doubted() -> None:
    """5.3: what the next seat will have, not even the House knows."""
    given = after(claimed(), accepts(BEN, 0, at=later(1)))

    assert isinstance(given.phase, ToAnswer)
    assert given.draws == 2  # who begins, and Anna's dice


def test_a_window_is_never_shorter_than_its_least_time() -> None:
    """5.1"""
    given = claimed(pace=Pace(min_open=9, max_open=4))

    assert decide(given, doubts(CARA, 0, at=later(9) - A_MOMENT))
    assert awaits(given) == Answers((BEN, CARA), until=later(9))


def test_who_accepted_may_still_doubt_but_accepts_once() -> None:
    """5.4"""
    given = after(claimed(), accepts(CARA, 0, at=later(1)))

    with refused(Reason.ALREADY_ACCEPTED):
        decide(given, accepts(CARA, 0, at=later(2)))
    assert told(given, doubts(CARA, 0, at=later(2)))[1] == TokenLost(ANNA, 2, follows=BEN, left=599)


@pytest.mark.parametrize("command", [doubts(CARA, 0, later(30)), accepts(CARA, 0, later(30)), takes(BEN, 0, later(30))])
def test_at_the_very_end_it_is_too_late_for_anything(command: object) -> None:
    """5.6: whether or not the House has acted."""
    with refused(Reason.TOO_LATE, closes_at=later(30)):
        decide(claimed(), command)  # type: ignore[arg-type]


def test_in_the_last_moment_it_is_not() -> None:
    """5.6"""
    for command in (doubts(CARA, 0, later(30) - A_MOMENT), takes(BEN, 0, later(30) - A_MOMENT)):
        assert decide(claimed(), command)


# ── five sixes ──────────────────────────────────────────────────────────────────────────────────


def test_nobody_takes_the_dice_after_five_sixes() -> None:
    """5.5: what breaks 25"""
    given = claimed("five:6")

    with refused(LiarsDiceReason.NOTHING_BEATS_IT):
        decide(given, takes(BEN, 0, at=later(6)))
    assert awaits(given) == Answers((BEN, CARA), until=later(30))


@pytest.mark.parametrize("throws, loser", [("66666", BEN), ("66661", ANNA)])
def test_when_their_window_has_run_out_the_next_seat_is_held_to_have_doubted(throws: str, loser: int) -> None:
    """5.5"""
    given = claimed("five:6", throws=throws)

    shown, lost, *_ = what_the_house_does(given, later(30))

    assert isinstance(shown, Challenged)
    assert (shown.challenger, shown.held, shown.stands) == (BEN, True, loser == BEN)
    assert lost == TokenLost((ANNA, BEN)[loser], 2, follows=BEN, left=599)


def test_nor_do_all_who_accept_save_him() -> None:
    """5.5"""
    given = after(claimed("five:6"), accepts(BEN, 0))

    accepted, shown, _, _ = told(given, accepts(CARA, 0))

    assert accepted == Accepted(0, CARA)
    assert isinstance(shown, Challenged)
    assert (shown.challenger, shown.held) == (BEN, True)


def test_another_one_may_doubt_five_sixes_before_that() -> None:
    """4.1, 5.5"""
    given = claimed("five:6", throws="66666")

    assert told(given, doubts(CARA, 0, at=later(2)))[1] == TokenLost(CARA, 2, follows=BEN, left=599)


# ── the clock ───────────────────────────────────────────────────────────────────────────────────


def test_a_turn_lasts_from_when_there_are_dice() -> None:
    """6.1, 5.6"""
    given = after(claimed(), takes(BEN, 0, at=later(20)))

    assert awaits(given) == Answers((BEN,), until=later(80))
    assert decide(given, says(BEN, "pair:5", at=later(80) - A_MOMENT))
    with refused(Reason.TOO_LATE, closes_at=later(80)):
        decide(given, says(BEN, "pair:5", at=later(80)))


def test_who_sleeps_makes_the_lowest_claim_allowed() -> None:
    """6.3"""
    given = after(claimed("pair:6"), takes(BEN, 0, at=later(6)))

    assert house(given, CHANCE) == HouseAct(TimeOut(BEN), for_seat=BEN)
    assert what_the_house_does(given, later(66)) == (
        Claimed(1, BEN, said("two_pairs:2-1"), later(71), later(96), follows=CARA),
    )
    assert what_the_house_does(table(THROWS), later(60))[0] == Claimed(
        0, ANNA, said("nothing"), later(65), later(90), follows=BEN
    )


def test_the_house_acts_for_nobody_before_the_time_or_out_of_turn() -> None:
    """6.3"""
    with refused(Reason.TOO_EARLY, not_before=later(60)):
        decide(table(THROWS), by(HOUSE, TimeOut(ANNA), later(60) - A_MOMENT))
    with refused(Reason.NOT_NOW):
        decide(table(THROWS), by(HOUSE, TimeOut(BEN), later(60)))
    with refused(Reason.NOT_NOW):
        decide(claimed(), by(HOUSE, TimeOut(BEN), later(60)))


def test_without_a_turn_time_a_turn_lasts_for_ever_and_windows_still_end() -> None:
    """6.1"""
    given = table(THROWS, pace=Pace(turn_time=None))

    assert awaits(given) == Answers((ANNA,), until=None)
    state = house_acts(after(given, says(ANNA, "pair:4")), later(30))
    assert awaits(state) == Answers((BEN,), until=None)
    with refused(Reason.NOT_NOW):
        decide(state, by(HOUSE, TimeOut(BEN), later(10**6)))


def test_a_table_of_sleepers_goes_up_the_ladder() -> None:
    """6.3: no phase is stuck, whoever sleeps"""
    state, at = table(THROWS), later(0)
    claims = []
    for _ in range(8):
        assert isinstance(state.phase, ToClaim)
        at = at + timedelta(seconds=60)
        (claim,) = what_the_house_does(state, at)
        assert isinstance(claim, Claimed)
        claims.append(claim.claim)
        at = claim.closes_at
        state = house_acts(house_acts(state, at - timedelta(seconds=30)), at)
    assert claims == [*("nothing", "pair:1", "pair:2", "pair:3", "pair:4", "pair:5", "pair:6", "two_pairs:2-1")]
    assert (in_turn(state), to_beat(state)) == (CARA, "two_pairs:2-1")


def test_a_match_that_the_house_plays_alone_is_abandoned() -> None:
    """6.4"""
    table, acted_for_seats = nobody_acts(LIARS_DICE, 2)

    assert acted_for_seats == 3 * 2
    assert isinstance(table.phase, Finished)
    assert (table.phase.reason, table.phase.winners) == ("abandoned", ())
