"""RULES.md 8.1: who need not lay a card."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.cheat.actions import CloseProposal, ConsentPass, Pass, ProposePass, RefusePass
from domain.games.cheat.decider import decide
from domain.games.cheat.events import CheatEnding, CheatTurn, PassConsented, PassDenied, Passed, PassProposed, RoundOver
from domain.games.cheat.house import awaits
from domain.games.cheat.reasons import CheatReason
from domain.games.cheat.state import State
from domain.kernel.game import HOUSE, Answers, Pace
from domain.kernel.reasons import Reason
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
    in_turn,
    lays,
    told,
)

HANDS = ("QS 7H 2C", "KD 9C 2H", "4S 4H 2S")


def asked() -> State:
    """Anna has laid, and Ben asks to be let off his turn, six seconds after noon."""
    given = after(dealt(*HANDS, "3C 3D 3S", pass_rule="unanimous"), lays(ANNA, "QS"))
    return after(given, by(BEN, ProposePass(), at=later(6)))


def test_a_rank_is_exhausted_when_all_its_cards_were_claimed_in_this_pile() -> None:
    """8.1.2: whatever they really were."""
    assert decide(_aces_due_again(), by(BEN, Pass(), at=later(100)))


def _aces_due_again() -> State:
    """Thirteen turns at a table of four, nobody doubting: aces were claimed four times and are due from Ben."""
    hand = "2C 3C 4C 5C 6C 7C 8C"
    state = dealt(
        f"{hand} 9C", hand.replace("C", "D"), hand.replace("C", "H"), hand.replace("C", "S"), pass_rule="exhausted"
    )
    state = after(state, lays(ANNA, "2C 3C 4C 5C", "A"))
    for turn in range(12):
        seat = in_turn(state)
        state = after(state, lays(seat, state.hands[seat][0], at=later(6 * (turn + 1))))
    return state


def test_with_two_packs_a_rank_has_eight_cards() -> None:
    """8.1.2"""
    with refused(CheatReason.RANK_NOT_EXHAUSTED):
        decide(replace(_aces_due_again(), packs=2), by(BEN, Pass(), at=later(100)))


def test_a_rank_that_was_not_claimed_often_enough_is_not_exhausted() -> None:
    """8.1.2"""
    given = after(dealt(*HANDS, pass_rule="exhausted"), lays(ANNA, "QS"))

    with refused(CheatReason.RANK_NOT_EXHAUSTED):
        decide(given, by(BEN, Pass(), at=later(6)))


def test_a_passed_turn_is_a_turn() -> None:
    """8.1.4: the rank moves on, and the claim before it locks."""
    given = _aces_due_again()

    happened = told(given, by(BEN, Pass(), at=later(100)))

    assert happened == (Passed(BEN, (12,), 0, CheatTurn(CARA, "2", until=later(160), left=786)),)


def test_passing_is_as_early_as_playing() -> None:
    """5.2"""
    given = _aces_due_again()

    with refused(Reason.TOO_EARLY, not_before=later(77)):
        decide(given, by(BEN, Pass(), at=later(73)))


@pytest.mark.parametrize("window", ["normal", "extended"])
def test_a_pass_may_be_the_last_turn_of_a_round(window: str) -> None:
    """6.4: whatever is still open locks."""
    hands = ("QS 7H", "KD 9C 2H", "4S 4H 3H")
    given = after(dealt(*hands, hand="fixed7", stock="5C", max_turns=2, window=window), lays(ANNA, "QS"))

    passed, _, over, _ = told(given, by(BEN, Pass(), at=later(6)))

    assert isinstance(passed, Passed)
    assert (passed.turn, passed.locks) == (None, (0,))
    assert isinstance(over, RoundOver)
    assert (over.winners, over.because, over.penalties) == ((ANNA,), CheatEnding.TURNS, (0, 4, 3))


def test_ben_may_pass_when_all_others_consent() -> None:
    """8.1.3"""
    given = after(asked(), by(ANNA, ConsentPass(0), at=later(7)), by(CARA, ConsentPass(0), at=later(8)))

    happened = told(given, by(DAN, ConsentPass(0), at=later(9)))

    caras = CheatTurn(CARA, "3", until=later(69), left=798)
    assert happened == (PassConsented(0, DAN), Passed(BEN, (0,), 0, caras))


def test_asking_takes_the_same_wait_as_playing() -> None:
    """8.1.3"""
    given = after(dealt(*HANDS, pass_rule="unanimous"), lays(ANNA, "QS"))

    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, by(BEN, ProposePass(), at=later(4)))
    assert decide(given, by(BEN, ProposePass(), at=later(5))) == (PassProposed(0, BEN, later(5), later(15)),)


def test_one_refusal_and_he_must_play_his_clock_having_stood_still() -> None:
    """8.1.3"""
    (denied,) = told(asked(), by(CARA, RefusePass(0), at=later(9)))

    bens = CheatTurn(BEN, "2", until=later(63), left=799, proposed=True)
    assert denied == PassDenied(0, CARA, bens)


def test_silence_is_no_consent() -> None:
    """8.1.3"""
    given = after(asked(), by(ANNA, ConsentPass(0), at=later(7)), by(CARA, ConsentPass(0), at=later(8)))

    assert awaits(given) == Answers((CARA, DAN), until=later(16))  # Cara has not answered Anna's claim
    with refused(Reason.TOO_EARLY, not_before=later(16)):
        decide(given, by(HOUSE, CloseProposal(0), at=later(15)))
    (denied,) = told(given, by(HOUSE, CloseProposal(0), at=later(16)))
    assert isinstance(denied, PassDenied)
    assert denied.seat is None


def test_a_vote_at_the_last_moment_is_too_late() -> None:
    """8.1.3, 5.4"""
    with refused(Reason.TOO_LATE, closes_at=later(16)):
        decide(asked(), by(DAN, ConsentPass(0), at=later(16)))
    with refused(Reason.TOO_LATE, closes_at=later(16)):
        decide(asked(), by(DAN, RefusePass(0), at=later(16)))


def test_who_asks_does_not_vote_and_nobody_votes_twice() -> None:
    """8.1.3"""
    with refused(Reason.NOT_NOW):
        decide(asked(), by(BEN, ConsentPass(0), at=later(7)))
    given = after(asked(), by(ANNA, ConsentPass(0), at=later(7)))
    with refused(Reason.ALREADY_ACCEPTED):
        decide(given, by(ANNA, ConsentPass(0), at=later(8)))


def test_he_asks_once_a_turn_and_does_not_play_meanwhile() -> None:
    """8.1.3"""
    with refused(CheatReason.PROPOSAL_OPEN):
        decide(asked(), lays(BEN, "9C", at=later(7)))
    given = after(asked(), by(CARA, RefusePass(0), at=later(9)))
    with refused(CheatReason.ALREADY_PROPOSED):
        decide(given, by(BEN, ProposePass(), at=later(10)))
    assert decide(given, lays(BEN, "9C", at=later(62)))


def test_next_round_trip_he_may_ask_again() -> None:
    """8.1.3"""
    given = after(asked(), by(CARA, RefusePass(0), at=later(9)), lays(BEN, "9C", at=later(10)))

    assert decide(given, by(CARA, ProposePass(), at=later(16)))


def test_the_claim_before_stays_open_while_the_table_is_asked() -> None:
    """8.1.3: also beyond the moment at which the turn would have ended."""
    quick = Pace(turn_time=10, min_open=5)
    given = after(dealt(*HANDS, pace=quick, pass_rule="unanimous"), lays(ANNA, "QS"))
    given = after(given, by(BEN, ProposePass(), at=later(9)))

    assert decide(given, accepts(CARA, 0, at=later(15)))
    assert decide(given, doubts(CARA, 0, at=later(15)))


def test_a_doubt_ends_the_question_for_this_turn() -> None:
    """8.1.3"""
    given = after(asked(), doubts(CARA, 0, at=later(8)))

    assert (in_turn(given), due(given)) == (BEN, "2")
    with refused(CheatReason.PROPOSAL_CLOSED):
        decide(given, by(DAN, ConsentPass(0), at=later(9)))
    with refused(CheatReason.ALREADY_PROPOSED):
        decide(given, by(BEN, ProposePass(), at=later(9)))


def test_a_vote_names_its_question() -> None:
    """8.1.3"""
    with refused(CheatReason.NO_SUCH_PROPOSAL):
        decide(asked(), by(DAN, ConsentPass(1), at=later(7)))


def test_without_asking_there_is_no_pass_by_consent() -> None:
    """8.1.3"""
    with refused(CheatReason.NEEDS_CONSENT):
        decide(dealt(*HANDS, pass_rule="unanimous"), by(ANNA, Pass()))
