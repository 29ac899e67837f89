"""RULES.md 2–4, as three friends would explain them."""

from __future__ import annotations

import pytest

from domain.games.cheat.actions import Pass, ProposePass
from domain.games.cheat.decider import decide
from domain.games.cheat.events import Challenged, CheatTurn, Claimed, PileTaken
from domain.games.cheat.reasons import CheatReason
from domain.kernel.cards import cards
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


def test_left_of_the_dealer_begins_with_aces() -> None:
    """2.3: Cara has dealt."""
    given = dealt(*HANDS)

    assert (in_turn(given), due(given)) == (ANNA, "A")


def test_the_middle_is_empty_at_first() -> None:
    """2.4"""
    assert dealt(*HANDS).pile == ()


def test_a_lie_is_a_legal_play() -> None:
    """3.3, 3.4: and looks like any other."""
    given = dealt(*HANDS)
    when = lays(ANNA, "7H QS", "A")

    bens = CheatTurn(BEN, "2", until=later(60), left=599)
    claim = Claimed(0, ANNA, "A", cards("7H QS"), (), not_before=later(5), turn=bens, closes_at=None)
    assert decide(given, when) == (claim,)


def test_the_order_in_which_cards_are_named_tells_nothing() -> None:
    """12.5"""
    given = dealt(*HANDS)

    assert decide(given, lays(ANNA, "QS 7H")) == decide(given, lays(ANNA, "7H QS"))


def test_one_to_four_cards_with_two_packs_as_well() -> None:
    """3.1: five do not even decode, see test_actions.py; here four go, two of them alike."""
    hands = ("AS AS 7H 7H 7C", *("2C",) * 5)
    given = dealt(*hands)
    when = lays(ANNA, "AS AS 7H 7H")

    (claim,) = decide(given, when)

    assert isinstance(claim, Claimed)
    assert claim.cards == cards("AS AS 7H 7H")


def test_cards_one_does_not_hold_stay_where_they_are() -> None:
    """3.1"""
    given = dealt(*HANDS)

    for not_annas in ("KD", "7H 7H", "QS 7H 2C 2C", "**"):
        with refused(Reason.NOT_YOUR_CARDS):
            decide(given, lays(ANNA, not_annas))


def test_the_rank_is_the_next_one_and_may_be_left_unsaid() -> None:
    """3.2"""
    given = dealt(*HANDS)

    assert decide(given, lays(ANNA, "7H")) == decide(given, lays(ANNA, "7H", "A"))
    with refused(CheatReason.WRONG_RANK):
        decide(given, lays(ANNA, "7H", "7"))


def test_after_the_kings_come_the_aces() -> None:
    """3.2"""
    state = dealt("2C " * 4 + "3C 4C 5C 6C", "2C " * 4 + "3C 4C 5C 6C", "2C 2C 2C 2C 3C 4C 5C 6C", *("9C",) * 4)
    ranks = [due(state)]
    for turn in range(13):
        seat = in_turn(state)
        hand = state.hands[seat]
        at = later(6 * (turn + 1))
        if len(hand) == 1:  # the four with one card: their last play is doubted, so that they go on
            state = after(state, lays(seat, hand[0], at=at), doubts(ANNA if seat != ANNA else BEN, state.claims, at=at))
        else:
            state = after(state, lays(seat, hand[0], at=at))
        ranks.append(due(state))

    assert ranks == [*"A23456789TJQK", "A"]


def test_the_turn_goes_round_to_the_left() -> None:
    """3.5"""
    state = dealt(*HANDS)
    order = [in_turn(state)]
    for at, card in enumerate(("QS", "KD", "4S"), start=1):
        state = after(state, lays(in_turn(state), card, at=later(6 * at)))
        order.append(in_turn(state))

    assert order == [ANNA, BEN, CARA, ANNA]


def test_out_of_turn_is_refused() -> None:
    """3.5"""
    with refused(Reason.NOT_YOUR_TURN):
        decide(dealt(*HANDS), lays(CARA, "4S"))


def test_a_caught_liar_takes_the_pile() -> None:
    """4.3: all of it, also what lay there before."""
    given = after(dealt(*HANDS), lays(ANNA, "2C"), lays(BEN, "9C", at=later(6)))
    when = doubts(ANNA, 1, at=later(7))

    caras = CheatTurn(CARA, "3", until=later(67), left=598)
    assert told(given, when) == (
        Challenged(1, BEN, ANNA, "2", cards("9C"), stands=False),
        PileTaken(BEN, cards("2C 9C"), voids=(), turn=caras),
    )
    assert after(given, when).pile == ()


def test_a_wrong_doubt_costs_the_doubter_the_pile() -> None:
    """4.3"""
    given = after(dealt(*HANDS), lays(ANNA, "QS"), lays(BEN, "2H", at=later(6)))
    when = doubts(CARA, 1, at=later(7))

    shown, taken = told(given, when)

    assert shown == Challenged(1, BEN, CARA, "2", cards("2H"), stands=True)
    assert isinstance(taken, PileTaken)
    assert (taken.seat, taken.cards) == (CARA, cards("2H QS"))


def test_a_single_wrong_card_makes_a_lie() -> None:
    """4.3"""
    given = after(dealt("AS AC AD 7H 2C", *HANDS[1:]), lays(ANNA, "AS AC AD 7H"))

    shown, taken = told(given, doubts(CARA, 0))

    assert isinstance(shown, Challenged)
    assert isinstance(taken, PileTaken)
    assert not shown.stands
    assert taken.seat == ANNA


def test_only_the_doubted_cards_are_shown() -> None:
    """4.3"""
    given = after(dealt(*HANDS), lays(ANNA, "QS 2C"), lays(BEN, "9C", at=later(6)))

    shown, _ = told(given, doubts(CARA, 1, at=later(7)))

    assert isinstance(shown, Challenged)
    assert shown.cards == cards("9C")


def test_anyone_may_doubt_not_only_who_is_next() -> None:
    """4.1: what breaks 5."""
    given = after(dealt(*HANDS, "3C 3D 3S"), lays(ANNA, "QS"))

    for doubter in (BEN, CARA, DAN):
        assert isinstance(told(given, doubts(doubter, 0))[0], Challenged)


def test_nobody_doubts_himself() -> None:
    """4.1"""
    with refused(Reason.OWN_CLAIM):
        decide(after(dealt(*HANDS), lays(ANNA, "QS")), doubts(ANNA, 0))


def test_the_first_doubt_counts_and_the_second_is_told_so() -> None:
    """4.2"""
    given = after(dealt(*HANDS), lays(ANNA, "QS"), doubts(CARA, 0))

    with refused(Reason.ALREADY_CHALLENGED):
        decide(given, doubts(BEN, 0))


def test_a_claim_that_was_never_made_cannot_be_doubted() -> None:
    """4.2"""
    with refused(Reason.NO_SUCH_CLAIM):
        decide(dealt(*HANDS), doubts(BEN, 0))


@pytest.mark.parametrize("doubter", [BEN, CARA])
@pytest.mark.parametrize("card", ["AS", "7H"])
def test_whoever_took_the_pile_the_next_seat_plays_the_next_rank(doubter: int, card: str) -> None:
    """4.5: what breaks 2 and 31."""
    seat = BEN if doubter == BEN else CARA
    given = after(dealt("AS 7H 2C", *HANDS[1:]), lays(ANNA, card))

    state = after(given, doubts(seat, 0, at=later(3)))

    assert (in_turn(state), due(state)) == (BEN, "2")


def test_after_a_doubt_the_next_one_may_play_at_once_with_a_clock_of_his_own() -> None:
    """4.5: what breaks 11."""
    given = after(dealt(*HANDS), lays(ANNA, "QS"), doubts(CARA, 0, at=later(59)))

    state = after(given, lays(BEN, "9C", at=later(60.5)))

    assert in_turn(state) == CARA


def test_a_taken_card_is_a_card_like_any_other() -> None:
    """4.4"""
    given = after(dealt(*HANDS), lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)), doubts(CARA, 1, at=later(7)))
    bens_turn = after(given, lays(CARA, "4S", at=later(8)), lays(ANNA, "2C", at=later(14)))

    (claim,) = decide(bens_turn, lays(BEN, "QS", at=later(20)))

    assert isinstance(claim, Claimed)
    assert claim.cards == cards("QS")


def test_accepting_twice_says_nothing_new() -> None:
    """5.3"""
    with refused(Reason.ALREADY_ACCEPTED):
        decide(after(dealt(*HANDS), lays(ANNA, "QS"), accepts(BEN, 0)), accepts(BEN, 0))


def test_in_the_strict_game_a_card_must_be_laid() -> None:
    """3.6, 8.1.1"""

    for way_out in (Pass(), ProposePass()):
        with refused(CheatReason.NO_PASSING):
            decide(dealt(*HANDS), by(ANNA, way_out))
