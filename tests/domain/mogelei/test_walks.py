"""What holds in every match, whatever its options and whoever plays."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import get_args

import pytest

from domain.games.mogelei.actions import Action
from domain.games.mogelei.deck import pack, sort
from domain.games.mogelei.events import (
    AllLaid,
    ColourCalled,
    ControlTaken,
    Dealt,
    Event,
    HandOver,
    KeptHidden,
    Left,
    PileKept,
    Revealed,
)
from domain.games.mogelei.house import awaits
from domain.games.mogelei.offers import offers
from domain.games.mogelei.options import MogeleiOptions
from domain.kernel.game import HOUSE, Answers, Over, Pace, Seat
from tests.any_game import Step
from tests.domain.mogelei.walks import COMBINATIONS, all_cards, walk

MATCHES = range(120)


@cache
def match(number: int) -> tuple[Step, ...]:
    """Options, seats, seed, and whether somebody leaves or the clock stands, go with its number."""
    return tuple(
        walk(
            COMBINATIONS[number % 4],
            3 + number % 6,
            number,
            leavers=number % 5 == 0,
            pace=Pace(turn_time=None) if number % 7 == 0 else None,
        )
    )


@pytest.mark.parametrize("number", MATCHES)
def test_nothing_is_lost_and_nothing_is_made(number: int) -> None:
    """1.2, 1.3: not a card, at any moment; and each hand begins with the cards for those who are there."""
    whole: Counter[str] = Counter()
    for step in match(number):
        if any(isinstance(event, Dealt) for event in step.events):
            whole = Counter(pack(len(step.after.present)))
        if step.after.hand:
            assert all_cards(step.after) == whole


@pytest.mark.parametrize("number", MATCHES)
def test_everybody_finishes(number: int) -> None:
    """9.4, 11.6: after five hands, or when only one is left; points are the sum of the hands."""
    steps = match(number)
    ended = awaits(steps[-1].after)
    counted = [event for step in steps for event in step.events if isinstance(event, HandOver)]

    assert isinstance(ended, Over)
    assert ended.winners
    assert set(ended.winners) <= set(steps[-1].after.present)
    assert len(counted) == 5 or len(steps[-1].after.present) == 1
    sums = tuple(map(sum, zip(*(event.gained for event in counted), strict=True)))
    assert ended.scores == (sums or (0,) * steps[0].before.seats)


@pytest.mark.parametrize("number", MATCHES)
def test_a_hand_has_twelve_passes_and_never_more_eggs_than_there_are(number: int) -> None:
    """1.5, 9.1"""
    passes: Counter[int] = Counter()
    rounds: Counter[int] = Counter()
    for step in match(number):
        for event in step.events:
            passes[step.before.hand] += isinstance(event, AllLaid)
            rounds[step.before.hand] += isinstance(event, PileKept)
            if isinstance(event, HandOver):
                assert passes[event.hand] == 12
                assert sum(event.eggs) <= rounds[event.hand] <= 12


@pytest.mark.parametrize("number", MATCHES)
def test_who_is_there_answers_once_in_each_pass(number: int) -> None:
    """5.1, 11.2: with a card of his own, and nobody is forgotten who is still there when control is taken."""
    answered: Counter[Seat] = Counter()
    for step in match(number):
        for event in step.events:
            match event:
                case AllLaid():
                    answered = Counter()
                case Revealed(_, seat) | KeptHidden(_, seat):
                    answered[seat] += 1
                case ControlTaken():
                    assert set(step.after.present) <= set(answered)
                    assert set(answered.values()) == {1}
                case _:
                    pass


@pytest.mark.parametrize("number", MATCHES)
def test_cards_are_told_in_a_fixed_order(number: int) -> None:
    """12.6: an order would tell who laid what."""
    for step in match(number):
        for event in step.events:
            match event:
                case PileKept(_, cards) | Dealt(away=cards):
                    assert cards == sort(cards)
                case _:
                    pass
            if isinstance(event, Dealt):
                assert event.hands == tuple(map(sort, event.hands))


@pytest.mark.parametrize("number", MATCHES)
def test_a_seat_is_waited_for_only_if_it_may_do_something(number: int) -> None:
    """What breaks 8 and 15: nobody waits for who has no button to press, nor for who has left."""
    for step in match(number):
        state, awaited = step.after, awaits(step.after)
        if isinstance(awaited, Answers):
            assert awaited.seats
            assert {seat for seat in state.present if offers(state, seat)} == set(awaited.seats)
        else:
            assert not any(offers(state, seat) for seat in state.present)


@pytest.mark.parametrize("number", MATCHES)
def test_who_is_there_holds_as_many_cards_as_the_others(number: int) -> None:
    """4.1"""
    for step in match(number):
        assert len({len(step.after.hands[seat]) for seat in step.after.present}) <= 1


def test_walks_reach_every_kind_of_event_and_action_and_every_way_to_leave() -> None:
    steps = [step for number in MATCHES for step in match(number)]

    assert {type(event) for step in steps for event in step.events} == set(get_args(Event))
    assert {type(step.command.action) for step in steps} == set(get_args(Action))
    left_in = {type(step.before.phase).__name__ for step in steps if any(isinstance(e, Left) for e in step.events)}
    assert left_in == {"ToCall", "ToLay", "ToReveal", "ToControl", "Pause"}


def test_where_everybody_sleeps_the_match_ends_all_the_same() -> None:
    """10.2, 10.3: the House calls, lays for all at once, hides and ends, for five hands."""
    steps = list(walk(MogeleiOptions(), 4, 3, sleep=1))

    assert isinstance(awaits(steps[-1].after), Over)
    calls = [event for step in steps for event in step.events if isinstance(event, ColourCalled)]
    assert len(calls) == 5 * 12
    assert all(step.command.by == HOUSE for step in steps)
