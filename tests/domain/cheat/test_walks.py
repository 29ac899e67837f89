"""What holds in every match, whatever its options and whoever plays."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import get_args

import pytest

from domain.games.cheat.actions import Action
from domain.games.cheat.events import CheatEnding, Dealt, Event, RoundOver
from domain.games.cheat.house import awaits
from domain.games.cheat.offers import offers
from domain.games.cheat.options import CheatOptions
from domain.kernel.cards import sort
from domain.kernel.game import Answers, Over, Seat
from projections.views.cheat import CHEAT_VIEW
from tests.any_game import Step, walk
from tests.domain.cheat.walks import all_cards, every_combination

COMBINATIONS = tuple(every_combination(max_turns=30))


@cache
def match(number: int) -> tuple[Step, ...]:
    """A match of this combination; seats, seed and whether somebody leaves go with its number."""
    options = COMBINATIONS[number]
    return tuple(walk(CHEAT_VIEW, 3 + number % 8, number, options=options, leavers=number % 3 == 0, doubt=3, sleep=20))


EVERY_THIRD = range(0, len(COMBINATIONS), 3)


def test_no_combination_is_left_out() -> None:
    assert len(COMBINATIONS) == 360


@pytest.mark.parametrize("number", EVERY_THIRD)
def test_nothing_is_lost_and_nothing_is_made(number: int) -> None:
    whole = None
    for step in match(number):
        if any(isinstance(event, Dealt) for event in step.events):
            whole = all_cards(step.after)
        assert whole is None or all_cards(step.after) == whole


@pytest.mark.parametrize("number", EVERY_THIRD)
def test_everybody_finishes_within_the_turns(number: int) -> None:
    """6.4"""
    steps = match(number)
    ended = awaits(steps[-1].after)

    assert isinstance(ended, Over)
    assert ended.winners
    assert set(ended.winners) <= set(steps[-1].after.present)
    rounds = [event for step in steps for event in step.events if isinstance(event, RoundOver)]
    taken = Counter(step.before.round for step in steps for event in step.events if _is_turn(event))
    assert all(turns <= COMBINATIONS[number].turns(0) for turns in taken.values())
    assert [over.round for over in rounds] == list(range(1, len(rounds) + 1))


def _is_turn(event: Event) -> bool:
    return type(event).__name__ in ("Claimed", "Passed")


@pytest.mark.parametrize("number", EVERY_THIRD)
def test_a_state_does_not_grow_with_the_match(number: int) -> None:
    """No more claims than cards; nothing of earlier rounds."""
    for step in match(number):
        state = step.after
        assert len(state.pile) <= 52 * max(state.packs, 1) + 2
        assert len(state.windows) <= (2 if state.options.window == "extended" else 1)
        assert all(len(window.accepted) <= state.seats for window in state.windows)


@pytest.mark.parametrize("number", EVERY_THIRD)
def test_cards_are_told_in_the_order_of_a_fresh_pack(number: int) -> None:
    """12.5: an order would tell who laid what."""
    for step in match(number):
        for event in step.events:
            for field in ("cards", "stock", "away", "from_pile"):
                told = getattr(event, field, ())
                assert told == sort(told)
            assert all(hand == sort(hand) for hand in getattr(event, "hands", ()))


def test_walks_reach_every_kind_of_event_action_and_ending() -> None:
    steps = [step for number in EVERY_THIRD for step in match(number)]

    events = {type(event) for step in steps for event in step.events}
    actions = {type(step.command.action) for step in steps}
    endings = {event.because for step in steps for event in step.events if isinstance(event, RoundOver)}
    assert events == set(get_args(Event))
    assert actions == set(get_args(Action))
    assert endings == set(CheatEnding)


def test_a_table_that_never_doubts_and_never_passes_ends_too() -> None:
    """And one that always does."""
    for doubt in (1, 10**9):
        steps = list(walk(CHEAT_VIEW, 3, 7, options=CheatOptions(), doubt=doubt))
        assert isinstance(awaits(steps[-1].after), Over)


def test_a_seat_is_waited_for_only_if_it_may_do_something() -> None:
    """What breaks 8 and 15: nobody waits for who has no button to press."""
    for number in EVERY_THIRD:
        for step in match(number)[::3]:
            awaited = awaits(step.after)
            if isinstance(awaited, Answers):
                assert awaited.seats
                assert all(offers(step.after, seat) for seat in awaited.seats)
                assert set(awaited.seats) <= set(map(Seat, range(step.after.seats)))
