"""RULES.md 2–4: the dice, the claim and the doubt."""

from __future__ import annotations

import pytest

from domain.games.liars_dice.actions import BeginRound, CloseWindow, EndMatch, EndRound, Roll, TimeOut, Vacate
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import (
    Challenged,
    Claimed,
    LiarsDiceTurn,
    Rolled,
    RoundBegan,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.house import house
from domain.games.liars_dice.options import LiarsDiceOptions
from domain.games.liars_dice.reasons import LiarsDiceReason
from domain.games.liars_dice.state import begin
from domain.kernel.game import HOUSE, HouseAct
from domain.kernel.reasons import Reason
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    PACE,
    accepts,
    after,
    by,
    dice,
    doubts,
    in_turn,
    said,
    says,
    settled,
    table,
    takes,
    to_beat,
    told,
)

THROWS = "11345 22266 12346 55512"


# ── a round begins ──────────────────────────────────────────────────────────────────────────────


def test_everybody_has_three_tokens_and_somebody_begins_with_five_dice() -> None:
    """1.2, 2.1, 2.2"""
    given = begin(LiarsDiceOptions(), PACE, 4, None)
    act = house(given, CHANCE).action
    assert isinstance(act, BeginRound)

    assert decide(given, by(HOUSE, act)) == (RoundBegan(1, act.starter, (3, 3, 3, 3), 800, 0),)
    state = settled(given)
    assert len(state.dice) == 5
    assert in_turn(state) == act.starter


def test_dice_come_from_the_luck_of_the_match_and_a_retry_throws_the_same() -> None:
    """2.2: every throw has a number of its own."""
    given = settled(begin(LiarsDiceOptions(), PACE, 3, None))
    again = settled(begin(LiarsDiceOptions(), PACE, 3, None))
    assert given == again
    assert given.draws == 2

    assert given.dice == tuple(sorted(map(str, CHANCE.draw(1).dice(5))))


def test_every_seat_is_drawn_to_begin() -> None:
    """2.1"""
    starters = set()
    for match in range(60):
        chance = CHANCE.__class__(CHANCE.seed, f"{match:036d}", b"")
        act = house(begin(LiarsDiceOptions(), PACE, 4, None), chance)
        assert isinstance(act, HouseAct)
        assert isinstance(act.action, BeginRound)
        starters.add(act.action.starter)
    assert starters == {ANNA, BEN, CARA, DAN}


# ── the turn ────────────────────────────────────────────────────────────────────────────────────


def test_a_first_claim_may_be_anything_true_or_not() -> None:
    """3.1, 3.2, 3.6"""
    given = table(THROWS)

    for claim in ("nothing", "pair:1", "five:6"):
        assert decide(given, says(ANNA, claim)) == (Claimed(0, ANNA, said(claim), later(5), later(30), follows=BEN),)


def test_the_next_turn_has_fresh_dice_and_a_claim_to_beat() -> None:
    """3.1, 3.2, 3.7, 6.1"""
    given = after(table(THROWS), says(ANNA, "pair:4"))

    assert told(given, takes(BEN, 0, at=later(6))) == (
        Stood(0, ANNA, follows=BEN),
        Rolled(BEN, dice("22266"), 2, LiarsDiceTurn(BEN, said("pair:4"), later(66), 599)),
    )


@pytest.mark.parametrize("claim", ["nothing", "pair:3", "pair:4"])
def test_what_does_not_beat_the_last_claim_is_refused(claim: str) -> None:
    """3.2: what breaks 30: and a higher kind with lower faces does beat it."""
    given = after(table(THROWS), says(ANNA, "pair:4"), takes(BEN, 0, at=later(6)))

    with refused(LiarsDiceReason.TOO_LOW):
        decide(given, says(BEN, claim, at=later(7)))
    assert decide(given, says(BEN, "two_pairs:2-1", at=later(7)))


def test_one_who_is_not_in_turn_claims_nothing() -> None:
    """3.7"""
    given = table(THROWS)

    with refused(Reason.NOT_YOUR_TURN):
        decide(given, says(BEN, "pair:4"))
    with refused(Reason.NOT_YOUR_TURN):
        decide(after(given, says(ANNA, "pair:4")), says(ANNA, "pair:5"))


def test_who_is_next_must_have_dice_before_he_claims() -> None:
    """5.2, 5.3"""
    with refused(LiarsDiceReason.TAKE_DICE_FIRST):
        decide(after(table(THROWS), says(ANNA, "pair:4")), says(BEN, "pair:5", at=later(6)))


def test_nobody_but_the_house_throws_begins_or_ends_anything() -> None:
    """2.2, 10.1"""
    for action in (Roll(dice("66666"), 2), BeginRound(BEN, 2), EndRound(), EndMatch()):
        with refused(Reason.NOT_NOW):
            decide(table(THROWS), by(ANNA, action))
        with refused(Reason.NOT_NOW):
            decide(table(THROWS), by(HOUSE, action))


def test_nor_acts_a_seat_for_another_whose_time_is_up() -> None:
    """6.3, 5.1, 11.1"""
    claimed = after(table(THROWS), says(ANNA, "pair:4"))
    acts = ((table(THROWS), TimeOut(ANNA), 60), (claimed, CloseWindow(0), 30), (claimed, Vacate(CARA), 1))

    for given, action, at in acts:
        assert decide(given, by(HOUSE, action, later(at)))
        with refused(Reason.NOT_NOW):
            decide(given, by(BEN, action, later(at)))


# ── the challenge ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("challenger", [BEN, CARA])
def test_anybody_may_doubt_and_a_caught_liar_loses_a_token(challenger: int) -> None:
    """4.1, 4.3, 4.4"""
    given = after(table(THROWS), says(ANNA, "pair:4"))
    seat = (ANNA, BEN, CARA)[challenger]

    shown, lost, rolled = told(given, doubts(seat, 0, at=later(1)))

    assert shown == Challenged(0, ANNA, seat, said("pair:4"), dice("11345"), said("pair:1"), stands=False, held=False)
    assert lost == TokenLost(ANNA, 2, follows=BEN, left=599)
    assert rolled == Rolled(BEN, dice("22266"), 2, LiarsDiceTurn(BEN, None, later(61), 599))


def test_who_doubts_the_truth_loses_a_token() -> None:
    """4.3, 4.4: what breaks 24: and nobody else loses anything."""
    given = after(table(THROWS), says(ANNA, "pair:1"))

    shown, lost, _ = told(given, doubts(CARA, 0))

    assert isinstance(shown, Challenged)
    assert shown.stands
    assert lost == TokenLost(CARA, 2, follows=BEN, left=599)
    assert after(given, doubts(CARA, 0)).tokens == (3, 3, 2)


def test_better_dice_than_claimed_are_the_truth() -> None:
    """4.3"""
    given = after(table("44412"), says(ANNA, "pair:6"))

    assert after(given, doubts(BEN, 0)).tokens == (3, 2, 3)


def test_nobody_doubts_himself() -> None:
    """4.1"""
    with refused(Reason.OWN_CLAIM):
        decide(after(table(THROWS), says(ANNA, "pair:4")), doubts(ANNA, 0))


def test_the_first_challenge_counts_and_names_its_claim() -> None:
    """4.2"""
    given = after(table(THROWS), says(ANNA, "pair:4"))
    with refused(Reason.NO_SUCH_CLAIM):
        decide(given, doubts(CARA, 1))

    settled_one = after(given, doubts(CARA, 0))
    with refused(Reason.ALREADY_CHALLENGED):
        decide(settled_one, doubts(BEN, 0))
    stood = after(given, takes(BEN, 0, at=later(6)))
    with refused(Reason.CLAIM_CLOSED):
        decide(stood, doubts(CARA, 0, at=later(6)))


def test_after_a_challenge_the_claimants_left_neighbour_begins_anew_whoever_lost() -> None:
    """4.5"""
    given = after(table(THROWS), says(ANNA, "pair:4"))

    for challenger, claim in ((CARA, "pair:1"), (BEN, "pair:1"), (CARA, "pair:4")):
        state = after(table(THROWS), says(ANNA, claim), doubts(challenger, 0))
        assert (in_turn(state), to_beat(state)) == (BEN, None)
    assert given.dice != after(given, doubts(CARA, 0)).dice


def test_who_has_no_token_left_is_passed_over_and_has_no_say() -> None:
    """1.2, 3.7, 4.1, 4.5"""
    state = table("66666" * 12, 4)
    for number in range(3):  # Ben doubts what is true, again and again, and begins no sequence any more
        state = after(state, says(in_turn(state), "pair:1"), doubts(BEN if in_turn(state) != BEN else CARA, number))
    assert state.tokens[BEN] == 1

    while state.tokens[BEN]:
        claimant = in_turn(state)
        state = after(state, says(claimant, "pair:1"), doubts(CARA if claimant == BEN else BEN, state.claims))

    assert state.playing == tuple(seat for seat in (ANNA, BEN, CARA, DAN) if state.tokens[seat])
    claimant = in_turn(state)
    state = after(state, says(claimant, "pair:1"))
    with refused(Reason.OUT_OF_ROUND):
        decide(state, doubts(BEN, state.claims - 1))
    with refused(Reason.OUT_OF_ROUND):
        decide(state, accepts(BEN, state.claims - 1))
    with refused(Reason.OUT_OF_ROUND):
        decide(state, says(BEN, "five:6"))
