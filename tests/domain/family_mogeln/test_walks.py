"""What holds in every match, whatever its options and whoever plays."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from domain.games.family_mogeln.actions import Action
from domain.games.family_mogeln.dealing import pack
from domain.games.family_mogeln.events import Dealt, Ending, Event, Laid, PileTaken, RoundOver, SatOut
from domain.games.family_mogeln.house import awaits
from domain.games.family_mogeln.state import InTurn
from domain.kernel.cards import sort
from domain.kernel.game import Over
from tests.domain.family_mogeln.table import all_cards
from tests.domain.family_mogeln.walks import SOME, match

some = pytest.mark.parametrize("number", SOME)


@some
def test_nothing_is_lost_and_nothing_is_made(number: int) -> None:
    """1.2"""
    whole: Counter[str] | None = None
    for step in match(number):
        if any(isinstance(event, Dealt) for event in step.events):
            whole = Counter(pack(sum(map(bool, step.after.hands))))
        assert whole is None or all_cards(step.after) == whole


@some
def test_a_public_number_is_never_below_the_true_one(number: int) -> None:
    """12.4, 12.5: of hands; of the pile it is never above."""
    for step in match(number):
        state = step.after
        assert all(len(hand) <= size for hand, size in zip(state.hands, state.sizes, strict=True))
        assert state.pile_size <= sum(len(lay.cards) for lay in state.pile)
        if isinstance(state.phase, InTurn):
            assert all(state.hands[seat] for seat in state.present)


@some
def test_what_is_hidden_and_what_is_public_add_up_at_the_end_of_a_round(number: int) -> None:
    """12.6"""
    for step in match(number):
        for event in step.events:
            if isinstance(event, RoundOver):
                assert event.sizes == tuple(len(hand) for hand in step.after.hands)
                assert sum(event.sizes) + event.pile + len(step.after.aside) == sum(all_cards(step.after).values())


@some
def test_everybody_finishes_within_the_turns(number: int) -> None:
    """8.3"""
    steps = match(number)
    end = awaits(steps[-1].after)

    assert isinstance(end, Over)
    assert set(end.winners) <= set(steps[-1].after.present)
    taken = Counter(step.before.round for step in steps for event in step.events if isinstance(event, Laid | SatOut))
    most = steps[0].before.options.turns(steps[0].before.seats)
    assert all(turns <= most for turns in taken.values())


@some
def test_a_taken_pile_and_a_hand_are_told_in_the_order_of_a_fresh_pack(number: int) -> None:
    """12.7"""
    for step in match(number):
        for event in step.events:
            if isinstance(event, PileTaken):
                assert event.cards == sort(event.cards)
                assert event.size == len(event.cards)
            if isinstance(event, Dealt):
                assert all(hand == sort(hand) for hand in event.hands)
                assert len(set(event.sizes) - {0}) == 1


@some
def test_a_state_does_not_grow_with_the_match(number: int) -> None:
    """No more lays than cards; nothing of earlier rounds."""
    for step in match(number):
        assert len(step.after.pile) <= 55 * max(step.after.packs, 1)
        assert len(step.after.windows) <= 1


def test_walks_reach_every_kind_of_event_action_and_ending() -> None:
    steps = [step for number in SOME for step in match(number)]

    assert {type(event) for step in steps for event in step.events} == set(get_args(Event))
    assert {type(step.command.action) for step in steps} == set(get_args(Action))
    endings = {event.because for step in steps for event in step.events if isinstance(event, RoundOver)}
    assert endings == set(Ending)
    assert {len(event.cards) for step in steps for event in step.events if isinstance(event, Laid)} == {1, 2, 3}
