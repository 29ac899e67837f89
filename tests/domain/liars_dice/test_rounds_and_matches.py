"""RULES.md 7, 9 and 10: who wins a round, and who all of them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.liars_dice.actions import BeginRound
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import (
    Challenged,
    LiarsDiceEnding,
    MatchOver,
    RoundAccepted,
    RoundBegan,
    RoundOver,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.house import awaits
from domain.games.liars_dice.state import State, ToAnswer, ToClaim
from domain.kernel.game import HOUSE, Answers, Over, Seat
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from tests.domain.at_table import later, refused
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    LIES,
    accepts,
    after,
    by,
    doubts,
    house_acts,
    in_turn,
    loses,
    ready,
    says,
    table,
    takes,
    told,
    what_the_house_does,
    wins_a_round,
)


def test_the_last_one_with_tokens_wins() -> None:
    """7.1, 9.1"""
    given = loses(table(LIES), ANNA, ANNA, ANNA, BEN, BEN)
    assert given.tokens == (0, 1, 3)

    claimant = in_turn(given)
    lost = told(given, says(claimant, "pair:1" if claimant == BEN else "nothing"), doubts((BEN + CARA) - claimant, 5))  # type: ignore[arg-type]

    assert lost[2:] == (
        TokenLost(BEN, 0, follows=None, left=594),
        RoundOver(1, (CARA,), LiarsDiceEnding.LAST_IN, (3, 3, 0), (0, 0, 1), (3, 3, 0), begins_at=None),
        MatchOver((CARA,), (0, 0, 1)),
    )


def test_two_play_until_one_has_nothing_left() -> None:
    """1.1, 7.1"""
    over = wins_a_round(table(LIES, 2), BEN)

    assert awaits(over) == Over((BEN,), (0, 1))


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_a_round_has_two_hundred_turns_for_each_seat(seats: int) -> None:
    """7.2"""
    state = table(LIES, seats)

    assert isinstance(state.phase, ToClaim)
    assert state.phase.turn.left == 200 * seats


def test_after_the_last_turn_the_most_tokens_win() -> None:
    """7.2"""
    given = loses(table(LIES, max_turns=2), ANNA)

    happened = told(given, says(BEN, "pair:1"), doubts(CARA, 1))

    assert happened[2:] == (
        TokenLost(BEN, 2, follows=None, left=0),
        RoundOver(1, (CARA,), LiarsDiceEnding.TURNS, (1, 1, 0), (0, 0, 1), (1, 1, 0), begins_at=None),
        MatchOver((CARA,), (0, 0, 1)),
    )


def test_the_last_claim_has_its_window_but_nobody_takes_dice_after_it() -> None:
    """7.2: what breaks 3 and 4"""
    given = after(table(LIES, max_turns=1), says(ANNA, "pair:1"))
    assert isinstance(given.phase, ToAnswer)
    assert given.phase.follows is None
    with refused(Reason.NOT_YOUR_TURN):
        decide(given, takes(BEN, 0, at=later(6)))

    stood, over, ended = what_the_house_does(given, later(30))

    assert stood == Stood(0, ANNA, follows=None)
    assert isinstance(over, RoundOver)
    assert (over.winners, over.because) == ((ANNA, BEN, CARA), LiarsDiceEnding.TURNS)
    assert ended == MatchOver((ANNA, BEN, CARA), (1, 1, 1))


def test_five_sixes_in_the_last_turn_are_held_to_be_doubted_too() -> None:
    """5.5, 7.2"""
    given = after(table("66666", max_turns=1), says(ANNA, "five:6"))

    shown, lost, over, _ = what_the_house_does(given, later(30))

    assert isinstance(shown, Challenged)
    assert shown.held
    assert lost == TokenLost(BEN, 2, follows=None, left=0)
    assert isinstance(over, RoundOver)
    assert over.winners == (ANNA, CARA)


def test_two_who_have_tokens_when_the_turns_are_over_are_not_the_last_one() -> None:
    """7.2"""
    given = after(table(LIES, 2, max_turns=1), says(ANNA, "pair:1"))

    over = told(given, doubts(BEN, 0))[2]

    assert isinstance(over, RoundOver)
    assert (over.winners, over.because) == ((BEN,), LiarsDiceEnding.TURNS)


def test_claims_that_stand_are_turns_as_well() -> None:
    """7.2"""
    given = after(table(LIES, max_turns=2), says(ANNA, "pair:1"), takes(BEN, 0, at=later(5)))
    given = after(given, says(BEN, "pair:2", at=later(6)), accepts(ANNA, 1, at=later(7)))

    assert [type(event) for event in told(given, accepts(CARA, 1, at=later(7)))][1:] == [Stood, RoundOver, MatchOver]


# ── several rounds ──────────────────────────────────────────────────────────────────────────────


def test_the_next_round_begins_after_the_pause_with_the_next_seat_and_all_tokens() -> None:
    """2.1, 10.1, 10.2"""
    given = wins_a_round(table(LIES, mode="most_wins"), CARA)
    assert awaits(given) == Answers((ANNA, BEN, CARA), until=later(5))

    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, by(HOUSE, BeginRound(BEN, given.draws), later(4.999)))

    began, *_ = what_the_house_does(given, later(5))

    assert began == RoundBegan(2, BEN, (3, 3, 3), 600, began.draw)  # type: ignore[union-attr]
    state = house_acts(given, later(5))
    assert (in_turn(state), state.tokens) == (BEN, (3, 3, 3))


def test_it_begins_at_once_when_all_have_accepted() -> None:
    """10.1"""
    given = after(wins_a_round(table(LIES, mode="most_wins"), CARA), ready(ANNA), ready(CARA, at=later(1)))
    with refused(Reason.ALREADY_ACCEPTED):
        decide(given, ready(CARA, at=later(1)))
    with refused(Reason.TOO_LATE, closes_at=later(5)):
        decide(given, ready(BEN, at=later(5)))

    accepted, began, *_ = told(given, ready(BEN, at=later(2)))

    assert accepted == RoundAccepted(BEN)
    assert isinstance(began, RoundBegan)


def test_between_rounds_nothing_is_claimed_or_accepted_and_in_a_round_nobody_is_ready() -> None:
    """10.1"""
    given = wins_a_round(table(LIES, mode="most_wins"), CARA)
    assert isinstance(given.phase, Pause)

    with refused(Reason.NOT_NOW):
        decide(given, says(BEN, "pair:1"))
    with refused(Reason.NOT_NOW):
        decide(table(LIES), ready(ANNA))


def match(winners: str, **chosen: Any) -> State:
    """Rounds won by Anna, Ben or Cara, as long as there are rounds."""
    state = table(LIES * 5, **chosen)
    for letter in winners:
        state = wins_a_round(state, (ANNA, BEN, CARA)["ABC".index(letter)])
        if isinstance(state.phase, Pause):
            state = house_acts(state, state.phase.deal_at)
    return state


@pytest.mark.parametrize(
    "mode, rounds, before, last, winners, scores",
    [
        ("first_to", None, "ABAB", "A", (ANNA,), (3, 2, 0)),
        ("first_to", 1, "", "B", (BEN,), (0, 1, 0)),
        ("most_wins", None, "ABCA", "B", (ANNA, BEN), (2, 2, 1)),
        ("most_wins", 2, "C", "C", (CARA,), (0, 0, 2)),
        ("best_of", None, "A", "A", (ANNA,), (2, 0, 0)),
        ("best_of", None, "AB", "C", (ANNA, BEN, CARA), (1, 1, 1)),
        ("best_of_extra", None, "ABC", "B", (BEN,), (1, 2, 1)),
        ("best_of", 5, "BBA", "B", (BEN,), (1, 3, 0)),
        ("penalty_points", 2, "A", "A", (ANNA,), (0, 6, 6)),
        ("penalty_points", 2, "A", "B", (ANNA, BEN), (3, 3, 6)),
        ("penalty_points", None, "ABAB", "C", (ANNA, BEN), (9, 9, 12)),
    ],
)
def test_who_wins_the_match(
    mode: str, rounds: int | None, before: str, last: str, winners: tuple[Seat, ...], scores: tuple[int, ...]
) -> None:
    """9.2, 9.3, 9.4, 9.5, 9.6"""
    chosen = {"mode": mode} if rounds is None else {"mode": mode, "rounds": rounds}
    assert not isinstance(awaits(match(before, **chosen)), Over)

    assert awaits(match(before + last, **chosen)) == Over(winners, scores)


def test_penalty_points_are_the_tokens_that_losers_lost() -> None:
    """9.5: who shares the win counts none, though he lost one, too"""
    given = loses(table(LIES, max_turns=4, mode="penalty_points", rounds=1), ANNA, BEN, CARA)

    claimant = in_turn(given)
    over = after(given, says(claimant, "pair:1"), doubts(BEN, 3))

    assert claimant == ANNA
    assert over.tokens == (1, 2, 2)
    assert awaits(over) == Over((BEN, CARA), (2, 0, 0))
