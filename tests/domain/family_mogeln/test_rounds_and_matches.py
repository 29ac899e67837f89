"""RULES.md 8, 9 and 10: who wins a round, who wins the match, and what lies between."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.family_mogeln.actions import CloseWindow
from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Ending, Laid, MatchOver, RoundOver, Stood
from domain.games.family_mogeln.house import awaits
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.state import LastTurn, State
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, Answers, Over, Pace
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from tests.domain.at_table import later, refused
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    accepts,
    after,
    by,
    controls,
    counts,
    dealt,
    house_acts,
    lays,
    ready,
    sits_out,
    told,
    underway,
)

LAST = ("7H", "KD 9C 4D", "4S 4H")


def won(**chosen: Any) -> State:
    """Anna's last card was a lie, and has won the round."""
    return after(underway(*LAST, **chosen), lays(ANNA, "7H"))


# ── the end of a round ──────────────────────────────────────────────────────────────────────────


def test_who_lays_his_last_card_has_won_at_once_lie_or_not() -> None:
    """8.1: rule test B: an empty hand wins with no window."""
    happened = told(underway(*LAST), lays(ANNA, "7H"))

    assert happened[1:] == (
        Laid(3, ANNA, "9", cards("7H"), None, None, None),
        RoundOver(1, (ANNA,), Ending.EMPTIED, (0, 3, 2), 4, (1, 0, 0), (0, 3, 2), None),
        MatchOver((ANNA,), (1, 0, 0)),
    )


def test_nobody_controls_it() -> None:
    """8.1"""
    given = won(mode="first_to")

    for command in (controls(BEN, 3), counts(BEN, 3), accepts(BEN, 3)):
        with refused(Reason.CLAIM_CLOSED):
            decide(given, command)
    assert {offer.type for offer in offers(given, BEN)} == {"family_mogeln.accept_round"}


def test_one_who_laid_several_as_one_wins_before_the_table_expects_it() -> None:
    """8.1, 8.2, 12.4: the others counted two cards more in his hand."""
    given = after(underway("7H QS 4C 5C", *LAST[1:]), lays(ANNA, "7H QS 4C"), sits_out(BEN, later(6)))
    given = after(given, sits_out(CARA, later(6)))
    assert given.sizes[ANNA] == 3

    assert awaits(after(given, lays(ANNA, "5C", at=later(7)))) == Over((ANNA,), (1, 0, 0))


def test_in_the_first_round_of_lays_a_last_card_wins_too() -> None:
    """8.1"""
    assert awaits(after(dealt(*LAST), lays(ANNA, "7H", "Q"))) == Over((ANNA,), (1, 0, 0))


def test_when_the_turns_are_used_up_the_last_lay_can_still_be_controlled() -> None:
    """8.3"""
    given = after(underway("7H QS 5C", *LAST[1:], max_turns=4), lays(ANNA, "7H"))

    assert given.phase == LastTurn(given.windows[0], later(30))
    assert awaits(given) == Answers((BEN, CARA), later(30))
    with refused(Reason.NOT_NOW):
        decide(given, lays(BEN, "KD", at=later(6)))
    with refused(Reason.TOO_EARLY, not_before=later(30)):
        decide(given, by(HOUSE, CloseWindow(3), later(29)))
    with refused(Reason.TOO_LATE, closes_at=later(30)):
        decide(given, controls(BEN, 3, later(30)))
    stood, over, _ = told(given, by(HOUSE, CloseWindow(3), later(30)))
    assert stood == Stood(3, ANNA)
    assert isinstance(over, RoundOver)
    assert (over.winners, over.because) == ((ANNA, CARA), Ending.TURNS)


def test_then_its_liar_takes_the_pile_before_the_cards_are_counted() -> None:
    """8.3"""
    given = after(underway("7H QS 5C", *LAST[1:], max_turns=4), lays(ANNA, "7H"))

    over = told(given, controls(BEN, 3))[-2]

    assert isinstance(over, RoundOver)
    assert (over.winners, over.sizes) == ((CARA,), (6, 3, 2))


def test_its_window_closes_when_all_have_accepted() -> None:
    """8.3"""
    given = after(underway("7H QS", *LAST[1:], max_turns=4), lays(ANNA, "7H"), accepts(BEN, 3))

    assert awaits(after(given, accepts(CARA, 3))) == Over((ANNA,), (1, 0, 0))


def test_the_true_number_counts_when_the_turns_are_used_up() -> None:
    """8.3: Anna truly holds one card, where the table counted two."""
    given = after(underway("7H QS 5C", *LAST[1:], max_turns=4), lays(ANNA, "7H QS"))
    assert given.sizes == (2, 3, 2)

    assert awaits(house_acts(given, later(30))) == Over((ANNA,), (1, 0, 0))


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_last_turn_without_a_window_ends_the_round_at_once(turns: int) -> None:
    """8.3: a lay that cannot be controlled, or sitting out."""
    given = dealt("7H QS", "KD 9C", "4S 4H", max_turns=turns)
    given = after(given, *(lays(s, c, r) for s, c, r in ((ANNA, "7H", "7"), (BEN, "KD", None))[: turns - 1]))

    ended = after(given, sits_out((ANNA, BEN, CARA)[turns - 1]))

    assert isinstance(awaits(ended), Over)
    assert isinstance(awaits(after(dealt("7H QS", "KD 9C", "4S 4H", max_turns=1), lays(ANNA, "7H", "7"))), Over)


def test_max_open_is_never_less_than_min_open() -> None:
    """8.3"""
    given = underway("7H QS", *LAST[1:], pace=Pace(min_open=5, max_open=1), max_turns=4)

    assert awaits(after(given, lays(ANNA, "7H"))) == Answers((BEN, CARA), later(5))


# ── the match ───────────────────────────────────────────────────────────────────────────────────


def test_a_single_round_is_the_match() -> None:
    """9.1"""
    assert awaits(won()) == Over((ANNA,), (1, 0, 0))


def test_first_to_goes_on_until_somebody_has_enough_wins() -> None:
    """9.2"""
    assert isinstance(won(mode="first_to").phase, Pause)
    assert awaits(won(mode="first_to", rounds=1)) == Over((ANNA,), (1, 0, 0))


def test_most_wins_plays_its_rounds() -> None:
    """9.3"""
    given = won(mode="most_wins", rounds=2, max_turns=4)
    again = after(given, *(ready(seat) for seat in (ANNA, BEN, CARA)))

    assert isinstance(given.phase, Pause)
    assert again.round == 2
    assert isinstance(awaits(_all_sit_out(again)), Over)


def _all_sit_out(state: State) -> State:
    while isinstance(awaits(state), Answers):
        assert not isinstance(state.phase, Pause)
        state = after(state, sits_out(state.phase.turn.seat))  # type: ignore[union-attr]
    return state


def test_best_of_is_over_when_more_than_half_are_won() -> None:
    """9.4: all share the second round, so Anna has two."""
    given = won(mode="best_of", max_turns=4)
    assert isinstance(given.phase, Pause)

    over = _all_sit_out(after(given, *(ready(seat) for seat in (ANNA, BEN, CARA))))

    assert awaits(over) == Over((ANNA,), (2, 1, 1))


def test_penalty_points_are_the_cards_that_losers_truly_hold() -> None:
    """9.5: Ben laid two as one."""
    given = after(underway("7H QS", "KD 9C 4D", "4S 4H", mode="penalty_points", rounds=1), lays(ANNA, "QS"))
    given = after(given, lays(BEN, "KD 9C", at=later(6)), sits_out(CARA, later(12)))
    assert given.sizes[BEN] == 2

    assert awaits(after(given, lays(ANNA, "7H", at=later(12)))) == Over((ANNA,), (0, 1, 2))


def test_who_is_level_shares_round_and_match() -> None:
    """9.6"""
    given = dealt("7H QS", "KD 9C", "4S 4H 5C", max_turns=1)

    assert awaits(after(given, sits_out(ANNA))) == Over((ANNA, BEN), (1, 1, 0))


# ── between rounds ──────────────────────────────────────────────────────────────────────────────


def test_the_next_deal_comes_after_the_pause_or_when_all_are_ready() -> None:
    """10.1"""
    given = won(mode="first_to")
    assert awaits(given) == Answers((ANNA, BEN, CARA), later(5))
    some = after(given, ready(ANNA), ready(BEN, later(1)))
    assert awaits(some) == Answers((CARA,), later(5))
    with refused(Reason.ALREADY_ACCEPTED):
        decide(some, ready(ANNA, later(2)))
    with refused(Reason.TOO_LATE, closes_at=later(5)):
        decide(some, ready(CARA, later(5)))

    assert after(some, ready(CARA, later(2))).round == 2
    assert house_acts(given, later(5)).round == 2


def test_nobody_is_ready_in_the_middle_of_a_round() -> None:
    """10.1"""
    with refused(Reason.NOT_NOW):
        decide(dealt(*LAST), ready(ANNA))


def test_the_deal_moves_on_and_everything_is_dealt_anew() -> None:
    """2.1, 10.1"""
    given = won(mode="first_to")
    assert given.dealer == CARA

    state = house_acts(given, later(5))

    assert (state.dealer, state.starter) == (ANNA, BEN)
    assert [len(hand) for hand in state.hands] == [18, 18, 18]
    assert (state.pile, state.pile_size, state.sizes) == ((), 0, (18, 18, 18))


def test_between_rounds_the_public_numbers_are_true() -> None:
    """12.6"""
    given = after(underway("7H QS 4C 5C", *LAST[1:], mode="first_to"), lays(ANNA, "7H QS 4C"), sits_out(BEN, later(6)))
    given = after(given, sits_out(CARA, later(6)), lays(ANNA, "5C", at=later(7)))

    assert (given.sizes, given.pile_size) == ((0, 3, 2), 7)
