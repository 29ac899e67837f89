"""RULES.md 2, 9, 10: dealing, and who wins how many rounds."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.cheat.actions import CloseWindow, Deal
from domain.games.cheat.decider import decide
from domain.games.cheat.events import CheatEnding, Dealt, MatchOver, RoundAccepted, RoundOver
from domain.games.cheat.house import awaits, house
from domain.games.cheat.state import State, begin
from domain.kernel.cards import JOKER, PACK
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, HouseNow, Over, Seat
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from tests.any_game import NOON
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.cheat.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    after,
    by,
    dealt,
    doubts,
    house_acts,
    in_turn,
    lays,
    options,
    ready,
    settled,
    told,
)

HANDS = ("7H", "KD 9C 2H", "4S 4H 2S")  # Anna goes out at once


def won_by_anna(**chosen: Any) -> State:
    """Anna has won the first round 30 seconds after noon."""
    given = after(dealt(*HANDS, **chosen), lays(ANNA, "7H"))
    return after(given, by(HOUSE, CloseWindow(0), at=later(30)))


DEAL_TABLE = [  # seats, packs, cards each, one more for the first …; the same with two jokers
    (3, 1, 17, 1, 18, 0),
    (4, 1, 13, 0, 13, 2),
    (5, 1, 10, 2, 10, 4),
    (6, 2, 17, 2, 17, 4),
    (7, 2, 14, 6, 15, 1),
    (8, 2, 13, 0, 13, 2),
    (9, 2, 11, 5, 11, 7),
    (10, 2, 10, 4, 10, 6),
]


@pytest.mark.parametrize("seats, packs, each, extra, joker_each, joker_extra", DEAL_TABLE)
def test_the_deal_table(seats: int, packs: int, each: int, extra: int, joker_each: int, joker_extra: int) -> None:
    """1.2, 2.2, 8.4.1: who sits first after the dealer has the cards that are over."""
    for jokers, size, more in ((0, each, extra), (2, joker_each, joker_extra)):
        state = settled(begin(options(jokers=jokers), PACE, seats, None))

        assert state.dealer is not None
        in_order = [state.hands[(state.dealer + step) % seats] for step in range(1, seats + 1)]
        assert [len(hand) for hand in in_order] == [size + 1] * more + [size] * (seats - more)
        assert Counter(sum(state.hands, ())) == Counter(PACK * packs + (JOKER,) * jokers)
        assert state.packs == packs


def test_the_first_dealer_is_drawn_by_lot() -> None:
    """2.1"""
    before = begin(options(), PACE, 4, None)
    dealers = set()
    for n in range(40):
        act = house(before, Chance(bytes([n]) * 32, "0" * 36, b"")).action
        assert isinstance(act, Deal)
        dealers.add(act.dealer)

    assert dealers == {0, 1, 2, 3}


def test_then_the_deal_moves_one_seat_to_the_left() -> None:
    """2.1: Cara has dealt the first."""
    state = house_acts(won_by_anna(mode="first_to"), later(35))

    assert (state.dealer, in_turn(state)) == (ANNA, BEN)


def test_hands_are_dealt_sorted() -> None:
    """12.5"""
    state = settled(begin(options(), PACE, 3, None))

    for hand in state.hands:
        assert hand == tuple(sorted(hand, key=PACK.index))


def test_before_the_deal_only_the_house_can_act() -> None:
    """10.1: what breaks 15."""
    state = begin(options(), PACE, 3, None)

    assert isinstance(awaits(state), HouseNow)
    with refused(Reason.NOT_NOW):
        decide(state, lays(ANNA, "7H"))
    with refused(Reason.NOT_NOW):
        decide(state, ready(ANNA))


def test_the_next_deal_comes_after_a_pause() -> None:
    """10.1"""
    given = won_by_anna(mode="first_to")
    deal = house(given, CHANCE).action

    assert awaits(given) == Answers((ANNA, BEN, CARA), until=later(35))
    with refused(Reason.TOO_EARLY, not_before=later(35)):
        decide(given, by(HOUSE, deal, at=later(34)))
    (again,) = told(given, by(HOUSE, deal, at=later(35)))
    assert isinstance(again, Dealt)
    assert again.round == 2


def test_the_next_deal_comes_at_once_when_all_are_ready() -> None:
    """10.1"""
    given = after(won_by_anna(mode="first_to"), ready(ANNA, at=later(31)), ready(BEN, at=later(31)))

    assert awaits(given) == Answers((CARA,), until=later(35))
    accepted, again = told(given, ready(CARA, at=later(32)))
    assert accepted == RoundAccepted(CARA)
    assert isinstance(again, Dealt)


def test_nobody_is_ready_twice_or_too_late_or_in_the_middle_of_a_round() -> None:
    """10.1, 5.4"""
    given = after(won_by_anna(mode="first_to"), ready(ANNA, at=later(31)))

    with refused(Reason.ALREADY_ACCEPTED):
        decide(given, ready(ANNA, at=later(32)))
    with refused(Reason.TOO_LATE, closes_at=later(35)):
        decide(given, ready(BEN, at=later(35)))
    with refused(Reason.NOT_NOW):
        decide(dealt(*HANDS), ready(ANNA))


def test_no_card_of_the_old_round_lies_in_the_new_one() -> None:
    """10.1"""
    state = house_acts(won_by_anna(mode="first_to"), later(35))

    assert Counter(sum(state.hands, ())) == Counter(PACK)
    assert not state.pile
    assert not state.away


def test_who_was_out_is_in_again_with_no_forfeits() -> None:
    """10.2"""
    given = dealt(
        "QS 7H", "KD 9C 2H", "4S 4H 2S", penalty="forfeit", adults_only=True, forfeit_limit=1, mode="first_to"
    )
    given = after(given, lays(ANNA, "QS"), doubts(CARA, 0), lays(BEN, "9C"), doubts(CARA, 1))
    assert isinstance(given.phase, Pause)

    state = house_acts(given, later(5))

    assert state.playing == (ANNA, BEN, CARA)
    assert (state.dealer, in_turn(state)) == (ANNA, BEN)  # Ben was out
    assert state.forfeits == (0, 0, 0)


def play_rounds(state: State, rounds: int) -> tuple[State, datetime]:
    """Each round goes to the seat that begins it, which the House has play its cards one by one, never doubted."""
    at = NOON
    for _ in range(rounds):
        while not isinstance(state.phase, Pause) and not isinstance(awaits(state), Over):
            at = max(at, getattr(awaits(state), "until", at))
            state = house_acts(state, at)
        if isinstance(state.phase, Pause):
            at = state.phase.deal_at
            state = house_acts(state, at)
    return state, at


def test_a_single_round_makes_a_match() -> None:
    """9.1"""
    assert awaits(won_by_anna()) == Over((ANNA,), (1, 0, 0))


@pytest.mark.parametrize(
    "chosen, rounds",
    [
        ({"mode": "most_wins", "rounds": 4}, 4),
        ({"mode": "most_wins"}, 5),
        ({"mode": "penalty_points"}, 5),
        ({"mode": "penalty_points", "rounds": 2}, 2),
    ],
)
def test_a_number_of_rounds(chosen: dict[str, Any], rounds: int) -> None:
    """9.3, 9.5"""
    before, _ = play_rounds(won_by_anna(**chosen, max_turns=60), rounds - 1)
    assert not isinstance(awaits(before), Over)

    over, _ = play_rounds(before, 1)

    assert isinstance(awaits(over), Over)
    assert over.round == rounds


@pytest.mark.parametrize("wins", [(2, 1, 0), (0, 0, 2)])
def test_first_to_three_round_wins(wins: tuple[int, ...]) -> None:
    """9.2"""
    given = after(dealt(*HANDS, mode="first_to"), lays(ANNA, "7H"))
    given = replace(given, wins=wins, round=sum(wins) + 1)

    events = told(given, by(HOUSE, CloseWindow(0), at=later(30)))

    assert isinstance(events[-1], MatchOver if wins[0] == 2 else RoundOver)


@pytest.mark.parametrize("rounds, wins, ends", [(3, (1, 0, 0), True), (5, (1, 1, 0), False), (5, (2, 1, 1), True)])
def test_best_of(rounds: int, wins: tuple[int, ...], ends: bool) -> None:
    """9.4"""
    given = after(dealt(*HANDS, mode="best_of", rounds=rounds), lays(ANNA, "7H"))
    given = replace(given, wins=wins, round=sum(wins) + 1)

    events = told(given, by(HOUSE, CloseWindow(0), at=later(30)))

    assert isinstance(events[-1], MatchOver) is ends


def test_losers_count_their_hands_and_nobody_the_pile() -> None:
    """9.5"""
    given = after(dealt("QS 7H", "KD 9C", "4S 4H 2S", mode="penalty_points"), lays(ANNA, "QS"))
    given = after(given, lays(BEN, "KD", at=later(6)), lays(CARA, "2S", at=later(12)))
    given = after(given, lays(ANNA, "7H", at=later(18)))

    _, over = told(given, by(HOUSE, CloseWindow(3), at=later(48)))

    assert over == RoundOver(1, (ANNA,), CheatEnding.EMPTIED, (0, 1, 2), (1, 0, 0), (0, 1, 2), deal_at=later(53))


def test_who_is_level_shares() -> None:
    """9.6"""
    given = after(dealt("QS 7H", "KD 9C 2H", "4S", max_turns=1), lays(ANNA, "QS"))

    events = told(given, by(HOUSE, CloseWindow(0), at=later(30)))

    assert events[-1] == MatchOver((ANNA, CARA), (1, 0, 1))


def test_the_lowest_total_wins_on_penalty_points() -> None:
    """9.5, 9.6"""
    given = after(dealt(*HANDS, mode="penalty_points", rounds=2), lays(ANNA, "7H"))
    given = replace(given, round=2, points=(9, 6, 6))

    events = told(given, by(HOUSE, CloseWindow(0), at=later(30)))

    assert events[-1] == MatchOver((ANNA, BEN, CARA), (9, 9, 9))


def test_when_a_match_is_over_nothing_can_be_done() -> None:
    given = won_by_anna()

    for seat in map(Seat, range(3)):
        with refused(Reason.NOT_NOW):
            decide(given, lays(seat, "KD"))
        with refused(Reason.NOT_NOW):
            decide(given, ready(seat))
