"""RULES.md 1 and 13: what can be agreed on, said and stacked."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.liars_dice import LIARS_DICE
from domain.games.liars_dice.actions import PlayerAction, Say
from domain.games.liars_dice.ladder import LADDER
from domain.games.liars_dice.options import LiarsDiceOptions, check
from domain.games.liars_dice.rolling import check_deal
from domain.games.liars_dice.state import StackedDice, begin
from domain.kernel.game import BadDeal, OptionsConflict
from tests.domain.at_table import CHANCE, later
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    after,
    dice,
    doubts,
    in_turn,
    says,
    settled,
    table,
    takes,
    throws_anew,
)


def test_two_to_ten_play() -> None:
    """1.1"""
    assert LIARS_DICE.seats == (2, 10)


@pytest.mark.parametrize("chosen", [{"rounds": 3}, {"mode": "best_of", "rounds": 4}])
def test_two_options_that_exclude_each_other_are_named(chosen: dict[str, Any]) -> None:
    """1.3"""
    with pytest.raises(OptionsConflict) as clash:
        check(msgspec.convert(chosen, LiarsDiceOptions))

    assert (clash.value.first, clash.value.second) == ("rounds", "mode")


@pytest.mark.parametrize("chosen", [{}, {"dice_pass": True, "mode": "best_of", "rounds": 5}, {"rounds": 1}])
def test_everything_else_combines(chosen: dict[str, Any]) -> None:
    """1.3: nothing is raised."""
    check(msgspec.convert(chosen, LiarsDiceOptions))


@pytest.mark.parametrize(
    "chosen", [{"jokers": 2}, {"window": "extended"}, {"rounds": 0}, {"dice_pass": 1}, {"max_turns": 0}]
)
def test_options_of_cards_there_are_not(chosen: dict[str, Any]) -> None:
    """1.4"""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(chosen), type=LiarsDiceOptions)


def test_all_72_claims_can_be_said() -> None:
    """3.5"""
    for claim in LADDER:
        body = msgspec.json.encode({"type": "liars_dice.claim", "claim": claim})
        assert msgspec.json.decode(body, type=PlayerAction) == Say(claim)


@pytest.mark.parametrize(
    "said",
    [
        '{"type": "liars_dice.claim"}',
        '{"type": "liars_dice.claim", "claim": "pair:7"}',
        '{"type": "liars_dice.claim", "claim": "pair:4\\n"}',
        '{"type": "liars_dice.claim", "claim": "two_pairs:2-5"}',
        '{"type": "liars_dice.claim", "claim": "full_house:4-4"}',
        '{"type": "liars_dice.claim", "claim": "straight:4"}',
        '{"type": "liars_dice.claim", "claim": "pair:4", "seat": 1}',
        '{"type": "liars_dice.challenge"}',
        '{"type": "liars_dice.challenge", "claim_id": -1}',
        '{"type": "liars_dice.take_dice"}',
        '{"type": "liars_dice.reroll", "dice": []}',
        '{"type": "liars_dice.reroll", "dice": ["1","1","1","1","1","1"]}',
        '{"type": "liars_dice.reroll", "dice": ["??"]}',
        '{"type": "liars_dice.reroll", "dice": ["7"]}',
        '{"type": "liars_dice.reroll", "dice": [1]}',
        '{"type": "liars_dice.reroll", "dice": ["1\\n"]}',
        '{"type": "liars_dice.roll", "thrown": ["6"], "draw": 1}',
        '{"type": "liars_dice.begin_round", "starter": 0, "draw": 1}',
        '{"type": "liars_dice.time_out", "seat": 1}',
        '{"type": "liars_dice.close_window", "claim_id": 0}',
        '{"type": "liars_dice.vacate", "seat": 1}',
        "{}",
        "[]",
    ],
)
def test_what_is_no_action_does_not_decode(said: str) -> None:
    """2.2: nor does anything that only the House says."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=PlayerAction)


def test_stacked_dice_are_thrown_in_their_order_and_then_luck_goes_on() -> None:
    """13.1"""
    given = table("66666 123")
    assert given.dice == dice("66666")

    state = after(given, says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))

    assert state.stacked == ()
    assert state.dice == tuple(sorted((*dice("123"), *map(str, CHANCE.draw(2).dice(2)))))


def test_dice_thrown_anew_are_taken_from_the_stacked_ones_too() -> None:
    """8.2, 13.1"""
    given = after(table("11345 66 22222", dice_pass=True), says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))

    state = after(given, throws_anew(BEN, "34", at=later(7)), says(BEN, "pair:6", at=later(8)))

    assert state.dice == dice("11566")
    assert after(state, doubts(CARA, 1, at=later(9))).dice == dice("22222")


def test_the_starter_may_be_named_or_drawn() -> None:
    """13.1"""
    named = settled(begin(LiarsDiceOptions(), PACE, 3, StackedDice(dice("66666"), starter=2)))
    drawn = settled(begin(LiarsDiceOptions(), PACE, 3, StackedDice(dice("66666"))))

    assert in_turn(named) == CARA
    assert in_turn(drawn) in (ANNA, BEN, CARA)
    assert drawn.dice == dice("66666")


@pytest.mark.parametrize("starter", [-1, 3])
def test_a_starter_without_a_seat_is_refused(starter: int) -> None:
    """13.1"""
    with pytest.raises(BadDeal, match="no_such_seat"):
        check_deal(LiarsDiceOptions(), 3, StackedDice((), starter))

    check_deal(LiarsDiceOptions(), 3, StackedDice((), 2))


@pytest.mark.parametrize(
    "given", ['{"dice": ["7"]}', '{"dice": ["??"]}', '{"starter": "0"}', '{"dice": [], "seed": 1}']
)
def test_what_no_die_shows_cannot_be_stacked(given: str) -> None:
    """13.1"""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(given, type=StackedDice)
