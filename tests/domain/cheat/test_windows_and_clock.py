"""RULES.md 5–7: how long one may doubt, how long one may think, and the last play."""

from __future__ import annotations

import pytest

from domain.games.cheat import CHEAT
from domain.games.cheat.actions import CloseWindow, TimeOut
from domain.games.cheat.decider import decide
from domain.games.cheat.events import Challenged, CheatEnding, Claimed, MatchOver, PileTaken, RoundOver, Stood
from domain.games.cheat.house import awaits, house
from domain.games.cheat.state import InTurn, LastPlay
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, Answers, HouseAct, Pace
from domain.kernel.reasons import Reason
from domain.match.state import Finished
from tests.domain.at_table import CHANCE, later, nobody_acts, refused
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
    told,
)

HANDS = ("QS 7H 2C", "KD 9C 2H", "4S 4H 2S")
LAST = ("7H", "KD 9C 2H", "4S 4H 2S")  # Anna has one card


def test_the_next_play_locks_the_claim_before_it() -> None:
    """5.1"""
    given = after(dealt(*HANDS), lays(ANNA, "QS"))

    (claim,) = decide(given, lays(BEN, "9C", at=later(5)))

    assert isinstance(claim, Claimed)
    assert claim.locks == (0,)
    with refused(Reason.CLAIM_CLOSED):
        decide(after(given, lays(BEN, "9C", at=later(5))), doubts(CARA, 0, at=later(5)))


def test_nobody_plays_before_the_others_had_time_to_doubt() -> None:
    """5.2: what breaks 11."""
    given = after(dealt(*HANDS), lays(ANNA, "QS"))

    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, lays(BEN, "9C", at=later(4.999)))
    assert decide(given, lays(BEN, "9C", at=later(5)))


def test_when_all_others_have_accepted_the_next_may_play_at_once() -> None:
    """5.2: Ben, who is next, need not say that he accepts."""
    given = after(dealt(*HANDS, "3C 3D"), lays(ANNA, "QS"), accepts(CARA, 0, at=later(1)))

    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, lays(BEN, "9C", at=later(1)))
    assert decide(after(given, accepts(DAN, 0, at=later(2))), lays(BEN, "9C", at=later(2)))


def test_who_is_next_does_not_open_the_turn_by_accepting_himself() -> None:
    """5.2"""
    given = after(dealt(*HANDS), lays(ANNA, "QS"), accepts(BEN, 0))

    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, lays(BEN, "9C", at=later(1)))


def test_what_is_not_ones_own_is_said_before_that_it_is_too_early() -> None:
    """5.2: a ``not_before`` promises that the same action will be taken then."""
    given = after(dealt(*HANDS), lays(ANNA, "QS"))

    with refused(Reason.NOT_YOUR_CARDS):
        decide(given, lays(BEN, "QS", at=later(1)))


def test_who_accepted_may_still_doubt() -> None:
    """5.3"""
    given = after(dealt(*HANDS), lays(ANNA, "QS"), accepts(CARA, 0))

    assert isinstance(told(given, doubts(CARA, 0))[0], Challenged)


def test_a_claimant_does_not_accept_his_own_claim() -> None:
    """5.3"""
    with refused(Reason.OWN_CLAIM):
        decide(after(dealt(*HANDS), lays(ANNA, "QS")), accepts(ANNA, 0))


def test_the_table_waits_for_the_next_and_for_all_who_have_not_accepted() -> None:
    given = after(dealt(*HANDS, "3C 3D"), lays(ANNA, "QS"), accepts(CARA, 0))

    assert awaits(given) == Answers((BEN, DAN), until=later(60))


def test_at_the_stroke_of_the_clock_it_is_too_late_for_a_play_and_for_a_doubt() -> None:
    """5.4, 6.1: even though the House has not acted yet."""
    given = after(dealt(*HANDS), lays(ANNA, "QS"))

    assert decide(given, lays(BEN, "9C", at=later(59.999)))
    with refused(Reason.TOO_LATE, closes_at=later(60)):
        decide(given, lays(BEN, "9C", at=later(60)))
    with refused(Reason.TOO_LATE, closes_at=later(60)):
        decide(given, doubts(CARA, 0, at=later(60)))
    with refused(Reason.TOO_LATE, closes_at=later(60)):
        decide(given, accepts(CARA, 0, at=later(60)))


def test_a_turn_begins_when_the_play_before_it_was_taken() -> None:
    """6.1"""
    given = after(dealt(*HANDS), lays(ANNA, "QS", at=later(30)))

    assert awaits(given) == Answers((BEN, CARA), until=later(90))


def test_without_a_turn_time_a_turn_lasts_for_ever() -> None:
    """6.1"""
    given = after(dealt(*HANDS, pace=Pace(turn_time=None)), lays(ANNA, "QS"))

    assert awaits(given) == Answers((BEN, CARA), until=None)
    assert decide(given, doubts(CARA, 0, at=later(10**6)))
    with refused(Reason.NOT_NOW):
        decide(given, by(HOUSE, TimeOut(BEN), at=later(10**6)))


@pytest.mark.parametrize("turn_time, min_open, until", [(60, 5, 60), (6, 5, 10), (5, 5, 10), (3, 5, 8), (3, 0, 3)])
def test_a_short_turn_never_ends_before_it_could_be_taken(turn_time: float, min_open: float, until: float) -> None:
    """6.2"""
    pace = Pace(turn_time=turn_time, min_open=min_open, max_open=30)
    given = after(dealt(*HANDS, pace=pace), lays(ANNA, "QS"))

    assert awaits(given) == Answers((BEN, CARA), until=later(until))


def test_who_is_out_of_time_lays_a_card_of_the_rank_if_he_has_one() -> None:
    """6.3: and it is told for whom the House acts."""
    given = after(dealt(*HANDS), lays(ANNA, "QS"))

    assert house(given, CHANCE) == HouseAct(TimeOut(BEN), for_seat=BEN)
    (claim,) = told(given, by(HOUSE, TimeOut(BEN), at=later(60)))
    assert isinstance(claim, Claimed)
    assert (claim.seat, claim.rank, claim.cards) == (BEN, "2", cards("2H"))


def test_who_is_out_of_time_and_has_no_card_of_the_rank_lays_his_first() -> None:
    """6.3"""
    (claim,) = told(dealt(*HANDS), by(HOUSE, TimeOut(ANNA), at=later(60)))

    assert isinstance(claim, Claimed)
    assert (claim.rank, claim.cards) == ("A", cards("2C"))


@pytest.mark.parametrize("hand, laid, rank", [("QS 7H 2C", "2C", "2"), ("** **", "**", "A")])
def test_where_ranks_are_free_the_house_says_the_truth_for_who_is_out_of_time(hand: str, laid: str, rank: str) -> None:
    """6.3"""
    given = dealt(hand, *HANDS[1:], rank_mode="free", jokers=2)
    (claim,) = told(given, by(HOUSE, TimeOut(ANNA), at=later(60)))

    assert isinstance(claim, Claimed)
    assert (claim.rank, claim.cards) == (rank, cards(laid))


def test_the_house_does_not_act_before_time_is_up_nor_for_another() -> None:
    """6.3: what breaks 75 and 77."""
    given = dealt(*HANDS)

    with refused(Reason.TOO_EARLY, not_before=later(60)):
        decide(given, by(HOUSE, TimeOut(ANNA), at=later(59)))
    with refused(Reason.NOT_NOW):
        decide(given, by(HOUSE, TimeOut(BEN), at=later(60)))


def test_a_last_play_opens_a_window_and_no_turn() -> None:
    """7.1: what breaks 3 and 4."""
    given = dealt(*LAST)

    assert decide(given, lays(ANNA, "7H")) == (
        Claimed(0, ANNA, "A", cards("7H"), (), not_before=later(5), turn=None, closes_at=later(30)),
    )
    state = after(given, lays(ANNA, "7H"))
    assert isinstance(state.phase, LastPlay)
    assert awaits(state) == Answers((BEN, CARA), until=later(30))
    with refused(Reason.NOT_NOW):
        decide(state, lays(BEN, "9C", at=later(10)))


def test_a_window_for_the_last_play_is_never_shorter_than_another() -> None:
    """7.1"""
    pace = Pace(min_open=8, max_open=3)

    assert awaits(after(dealt(*LAST, pace=pace), lays(ANNA, "7H"))) == Answers((BEN, CARA), until=later(8))


def test_a_last_play_that_nobody_doubts_in_time_wins_lie_or_not() -> None:
    """7.2"""
    given = after(dealt(*LAST), lays(ANNA, "7H"))

    happened = told(given, by(HOUSE, CloseWindow(0), at=later(30)))

    assert happened == (
        Stood(0, ANNA),
        RoundOver(1, (ANNA,), CheatEnding.EMPTIED, (0, 3, 3), (1, 0, 0), (0, 3, 3), deal_at=None),
        MatchOver((ANNA,), (1, 0, 0)),
    )


def test_the_window_of_a_last_play_stays_open_until_then() -> None:
    """7.1"""
    given = after(dealt(*LAST), lays(ANNA, "7H"), accepts(BEN, 0))

    with refused(Reason.TOO_EARLY, not_before=later(30)):
        decide(given, by(HOUSE, CloseWindow(0), at=later(29)))
    with refused(Reason.NOT_NOW):
        decide(given, by(HOUSE, CloseWindow(1), at=later(30)))
    with refused(Reason.NOT_NOW):
        decide(given, by(BEN, CloseWindow(0), at=later(30)))  # nor is it a player's to say


def test_a_last_play_wins_at_once_when_all_have_accepted() -> None:
    """7.1: what breaks 8."""
    given = after(dealt(*LAST), lays(ANNA, "7H"), accepts(BEN, 0))

    happened = told(given, accepts(CARA, 0, at=later(2)))

    assert [type(event) for event in happened[1:]] == [Stood, RoundOver, MatchOver]


def test_at_the_stroke_of_the_clock_it_is_too_late_to_doubt_a_last_play() -> None:
    """5.4, 7.1"""
    given = after(dealt(*LAST), lays(ANNA, "7H"))

    assert decide(given, doubts(BEN, 0, at=later(29.999)))
    with refused(Reason.TOO_LATE, closes_at=later(30)):
        decide(given, doubts(BEN, 0, at=later(30)))


def test_a_true_last_play_wins_and_its_doubter_takes_the_pile() -> None:
    """7.3: what breaks 7."""
    given = after(dealt("AS", *HANDS[1:]), lays(ANNA, "AS"))

    shown, taken, over, _ = told(given, doubts(CARA, 0, at=later(1)))

    assert shown == Challenged(0, ANNA, CARA, "A", cards("AS"), stands=True)
    assert taken == PileTaken(CARA, cards("AS"), voids=(), turn=None)
    assert over == RoundOver(1, (ANNA,), CheatEnding.EMPTIED, (0, 3, 4), (1, 0, 0), (0, 3, 4), deal_at=None)


def test_a_caught_last_play_takes_the_pile_and_the_round_goes_on() -> None:
    """7.3: what breaks 6 and 8: with the next seat and the next rank."""
    given = after(dealt(*LAST), lays(ANNA, "7H"))

    state = after(given, doubts(CARA, 0, at=later(1)))

    assert state.hands[ANNA] == cards("7H")
    assert (in_turn(state), due(state)) == (BEN, "2")
    assert awaits(state) == Answers((BEN,), until=later(61))


def test_when_no_turn_is_left_the_fewest_cards_win_after_a_last_window() -> None:
    """6.4: the last play can still be doubted."""
    given = after(dealt("QS 7H", "KD 9C", "4S 4H", max_turns=2), lays(ANNA, "QS"))

    state = after(given, lays(BEN, "KD", at=later(5)))
    assert isinstance(state.phase, LastPlay)
    happened = told(state, by(HOUSE, CloseWindow(1), at=later(35)))

    over = RoundOver(1, (ANNA, BEN), CheatEnding.TURNS, (0, 0, 2), (1, 1, 0), (0, 0, 2), deal_at=None)
    assert happened[1:] == (over, MatchOver((ANNA, BEN), (1, 1, 0)))


def test_a_lie_in_the_last_turn_of_all_can_be_caught() -> None:
    """6.4"""
    given = after(dealt("QS 7H", "KD 9C", "4S 4H", max_turns=2), lays(ANNA, "QS"), lays(BEN, "KD", at=later(5)))

    _, _, over, _ = told(given, doubts(CARA, 1, at=later(6)))

    assert isinstance(over, RoundOver)
    assert over.winners == (ANNA,)


def test_who_is_caught_with_his_last_card_in_the_last_turn_of_all_has_not_won() -> None:
    """6.4, 7.3"""
    given = after(dealt("QS 7H", "KD", "4S 4H", max_turns=2), lays(ANNA, "QS"), lays(BEN, "KD", at=later(5)))

    _, _, over, _ = told(given, doubts(CARA, 1, at=later(6)))

    assert isinstance(over, RoundOver)
    assert (over.winners, over.because) == ((ANNA,), CheatEnding.TURNS)


def test_a_round_has_two_hundred_turns_a_seat_if_nothing_else_was_said() -> None:
    """6.4"""
    phase = dealt(*HANDS).phase

    assert isinstance(phase, InTurn)
    assert phase.turn.left == 600


def test_the_house_plays_on_for_a_table_that_sleeps() -> None:
    """6.3: what breaks 72: nobody hangs."""
    state = dealt(*HANDS)
    for turn in range(3):
        state = house_acts(state, later(60 * (turn + 1)))

    assert [len(hand) for hand in state.hands] == [2, 2, 2]


def test_a_match_that_the_house_plays_alone_is_abandoned() -> None:
    """6.5"""
    table, acted_for_seats = nobody_acts(CHEAT, 4)

    assert acted_for_seats == 3 * 4
    assert isinstance(table.phase, Finished)
    assert (table.phase.reason, table.phase.winners) == ("abandoned", ())
