"""What holds in every match, whatever its options and whoever plays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from typing import get_args

import msgspec
import pytest

from domain.games.liars_dice.actions import Action, BeginRound
from domain.games.liars_dice.events import Challenged, Claimed, Event, LiarsDiceEnding, RoundBegan, RoundOver, TokenLost
from domain.games.liars_dice.house import awaits
from domain.games.liars_dice.ladder import DICE, RUNG, TOP, makes
from domain.games.liars_dice.options import TOKENS, LiarsDiceOptions
from domain.games.liars_dice.state import ToAnswer, ToClaim
from domain.kernel.game import Over
from domain.kernel.scoring import Mode
from projections.views.liars_dice import LIARS_DICE_VIEW
from tests.any_game import Step, walk

CHOICES = tuple(product((False, True), Mode, (None, 12)))
NUMBERS = range(5 * len(CHOICES))


def options_of(number: int) -> LiarsDiceOptions:
    dice_pass, mode, max_turns = CHOICES[number % len(CHOICES)]
    rounds = None if mode in (Mode.SINGLE, Mode.BEST_OF, Mode.BEST_OF_EXTRA) else 2
    return LiarsDiceOptions(dice_pass=dice_pass, mode=mode, rounds=rounds, max_turns=max_turns)


def seats_of(number: int) -> int:
    return 2 + number // 3 % 9


@cache
def match(number: int) -> tuple[Step, ...]:
    """Five matches of each combination; somebody leaves in every third. Doubts are rare in some, frequent in others."""
    return tuple(
        walk(
            LIARS_DICE_VIEW,
            seats_of(number),
            number,
            options=options_of(number),
            leavers=number % 3 == 0,
            doubt=2 + 3 * (number % 4),
        )
    )


def events(number: int) -> Iterator[Event]:
    return (event for step in match(number) for event in step.events)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_token_is_lost_but_to_a_challenge_or_with_who_leaves_and_none_is_made(number: int) -> None:
    """1.2, 4.4, 11.1"""
    for step in match(number):
        before, after = step.before.tokens, step.after.tokens
        began = any(isinstance(event, RoundBegan) for event in step.events)
        lost = [event for event in step.events if isinstance(event, TokenLost)]
        for seat, (was, is_) in enumerate(zip(before, after, strict=True)):
            if seat in step.after.left:
                assert is_ == 0
            elif began:
                assert is_ == TOKENS
            else:
                assert is_ == was - sum(event.seat == seat for event in lost)
        assert all(0 <= tokens <= TOKENS for tokens in after)
        assert len(lost) == sum(isinstance(event, Challenged) for event in step.events)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_challenge_costs_the_liar_or_who_was_wrong(number: int) -> None:
    """4.3, 4.4, 5.5: five sixes end a sequence, and no claim is held to be doubted but they"""
    for step in match(number):
        for event, lost in pairwise(step.events):
            if isinstance(event, Challenged):
                assert event.stands == makes(event.dice, event.claim)
                assert isinstance(lost, TokenLost)
                assert lost.seat == (event.challenger if event.stands else event.seat)
                assert event.claim == TOP or not event.held


@pytest.mark.parametrize("number", NUMBERS)
def test_claims_go_up_until_a_challenge_ends_the_sequence(number: int) -> None:
    """3.2"""
    last = -1
    for event in events(number):
        if isinstance(event, Challenged | RoundBegan):
            last = -1
        if isinstance(event, Claimed):
            assert RUNG[event.claim] > last
            last = RUNG[event.claim]


@pytest.mark.parametrize("number", NUMBERS)
def test_everybody_finishes_within_the_turns(number: int) -> None:
    """7.2"""
    ended = awaits(match(number)[-1].after)
    assert isinstance(ended, Over)
    assert ended.winners
    assert set(ended.winners) <= set(match(number)[-1].after.present)
    claims, most = 0, options_of(number).max_turns or 200 * seats_of(number)
    for event in events(number):
        claims = 0 if isinstance(event, RoundBegan) else claims + isinstance(event, Claimed)
        assert claims <= most


@pytest.mark.parametrize("number", NUMBERS)
def test_there_are_five_dice_where_there_are_any(number: int) -> None:
    """2.2, 12.5"""
    for step in match(number):
        state = step.after
        assert len(state.dice) == (DICE if isinstance(state.phase, ToClaim | ToAnswer) else len(state.dice))
        assert list(state.dice) == sorted(state.dice)
        assert len(msgspec.json.encode(state)) < 6_000


@pytest.mark.parametrize("number", NUMBERS)
def test_every_draw_of_luck_has_its_own_number(number: int) -> None:
    """2.2"""
    draws = [event.draw for event in events(number) if hasattr(event, "draw")]

    assert draws == list(range(len(draws)))


def test_walks_reach_every_kind_of_event_action_and_ending() -> None:
    happened = {type(event) for number in NUMBERS for event in events(number)}
    asked = {type(step.command.action) for number in NUMBERS for step in match(number)}
    endings = {event.because for number in NUMBERS for event in events(number) if isinstance(event, RoundOver)}

    assert happened == set(get_args(Event))
    assert asked == set(get_args(Action))
    assert endings == set(LiarsDiceEnding)
    assert any(event.held for number in NUMBERS for event in events(number) if isinstance(event, Challenged))


@pytest.mark.parametrize("number", NUMBERS)
def test_rounds_begin_clockwise_over_empty_seats(number: int) -> None:
    """2.1"""
    for step in match(number):
        if isinstance(step.command.action, BeginRound) and step.before.starter is not None:
            seat = (step.before.starter + 1) % seats_of(number)
            while seat in step.before.left:
                seat = (seat + 1) % seats_of(number)
            assert step.after.starter == seat
