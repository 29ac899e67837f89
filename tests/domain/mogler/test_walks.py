"""What holds in every match of Mogler, whoever plays, sleeps or goes."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final, TypeVar, get_args

import pytest

from domain.games.mogler.actions import Action
from domain.games.mogler.events import (
    Caught,
    Dealt,
    Drawn,
    Event,
    Left,
    MatchOver,
    MoglerScore,
    OpeningLaid,
    OpeningTurned,
    Played,
    RoundOver,
    SDiscarded,
    StopTurned,
    TrickTaken,
)
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import Phase, State, ToDeal
from domain.games.mogler.tricks import STOPS, complete, locked, suit
from domain.kernel.cards import PACK
from domain.kernel.game import Answers, Over
from projections.catalogue import CATALOGUE
from tests.any_game import Step, walk
from tests.domain.mogler.table import all_cards

E = TypeVar("E")
VIEW: Final = CATALOGUE["mogler"]
MATCHES: Final = range(120)


@cache
def match(number: int) -> tuple[Step, ...]:
    """Two to five, with both options; in every third somebody may go, and in every fifth most of them sleep."""
    return tuple(
        walk(
            VIEW,
            2 + number % 4,
            number,
            options=MoglerOptions("stop" if number % 2 else "plays_on"),
            leavers=number % 3 == 0,
            sleep=2 if number % 5 == 0 else 15,
        )
    )


def rounds(number: int) -> list[list[Step]]:
    """From deal to deal."""
    found: list[list[Step]] = []
    for step in match(number):
        if any(isinstance(event, Dealt) for event in step.events):
            found.append([])
        found[-1].append(step)
    return found


def events(steps: list[Step], kind: type[E]) -> list[E]:
    return [event for step in steps for event in step.events if isinstance(event, kind)]


matches = pytest.mark.parametrize("number", MATCHES)


@matches
def test_nothing_is_lost_and_nothing_is_made(number: int) -> None:
    whole = sorted(PACK)
    for step in match(number):
        assert isinstance(step.after.phase, ToDeal) or all_cards(step.after) == whole


@matches
def test_everybody_finishes_and_the_most_stars_win(number: int) -> None:
    """7.1, 7.2, 9.5"""
    last: State = match(number)[-1].after
    end = VIEW.game.awaits(last)

    assert isinstance(end, Over)
    assert set(end.winners) <= set(last.present)
    best = max(last.stars[seat] for seat in last.present)
    assert all(last.stars[seat] == best for seat in end.winners)
    assert best >= 20 or len(last.present) == 1
    ends = [event for step in match(number) for event in step.events if isinstance(event, MatchOver)]
    assert len(ends) == 1


@matches
def test_a_round_has_six_tricks_at_most_and_never_more_stop_cards(number: int) -> None:
    """3.1, 3.4, 3.6: a row that is complete is the last thing that happens in it."""
    for steps in rounds(number):
        turned = events(steps, StopTurned)
        row = [event.stop for event in turned]
        assert [event.trick for event in turned] == list(range(1, len(turned) + 1))
        assert len(row) <= 6
        assert not Counter(row) - Counter(STOPS)
        assert not complete(row[:-1])
        for over in events(steps, RoundOver):
            assert complete(row) or not over.early


@matches
def test_hands_are_as_large_as_there_are_tricks_left(number: int) -> None:
    """2.1, 2.4, 3.2: seven, six, and one less after each trick; whoever has drawn holds one more."""
    for step in match(number):
        state: State = step.after
        match type(state.phase).__name__:
            case "ToStop":
                expected = {6 - state.trick}
            case "ToSwap" | "ToDraw":
                expected = {7 - state.trick}
            case "InTrick":
                expected = {7 - state.trick, 6 - state.trick}
            case _:
                continue
        assert {len(state.hands[seat]) for seat in state.playing} <= expected


@matches
def test_who_plays_a_locked_card_is_caught_and_nobody_else_is(number: int) -> None:
    """5.1, 5.2, 5.3"""
    for step in match(number):
        for event in step.events:
            if isinstance(event, Played | Caught):
                dead = locked(step.before.tricks[event.seat])
                assert (suit(event.card) in dead) == isinstance(event, Caught)


@matches
def test_what_is_won_is_what_was_taken(number: int) -> None:
    """6.1, 6.2, 6.3, 5.4, 9.1: recounted from the tricks alone."""
    for steps in rounds(number):
        caught = {event.seat for event in events(steps, Caught)}
        taken = events(steps, TrickTaken)
        for over in events(steps, RoundOver):
            before: State = next(step.before for step in steps if over in step.events)
            for seat, score in enumerate(over.scores):
                own = [trick for trick in taken if trick.seat == seat]
                if seat in caught or seat in before.left:
                    assert score == MoglerScore()
                    continue
                shows = Counter(trick.plays[0].card[1] for trick in own if trick.trump)
                hoard = sum(shows[card[1]] for card in before.hands[seat])
                assert score == MoglerScore(
                    suit_tricks=3 * sum(not trick.trump for trick in own),
                    trump_tricks=2 * sum(bool(trick.trump) for trick in own),
                    mogelstich=2 * hoard if over.early else 0,
                    no_trick=0 if own else before.players,
                )
                assert (len(over.shown[seat]) > 0) == (score.mogelstich > 0)


@matches
def test_each_plays_once_to_a_trick_and_in_turn(number: int) -> None:
    """4.1"""
    for steps in rounds(number):
        for taken in events(steps, TrickTaken):
            seats = [play.seat for play in taken.plays]
            assert len(set(seats)) == len(seats)
            turned = [(seat - seats[0]) % len(steps[0].after.hands) for seat in seats]
            assert turned == sorted(turned)


@matches
def test_no_card_is_drawn_that_is_not_in_the_pile_and_none_is_seen_twice(number: int) -> None:
    """3.2, 3.3"""
    for steps in rounds(number):
        for step in steps:
            for event in step.events:
                if isinstance(event, Drawn):
                    assert event.cards[0] in step.before.stock
                    assert event.cards[0] not in step.after.stock
        gone = [event.card for event in events(steps, SDiscarded)]
        gone += [event.card for event in events(steps, Played)]
        gone += [card for event in events(steps, OpeningTurned) for lay in event.lays for card in lay]
        assert len(set(gone)) == len(gone)


@matches
def test_a_state_does_not_grow_with_the_match(number: int) -> None:
    for step in match(number):
        state: State = step.after
        assert len(state.out) <= 52
        assert len(state.row) <= 6
        assert sum(map(len, state.tricks)) <= 6


def test_a_seat_is_waited_for_only_if_it_may_do_something() -> None:
    for number in MATCHES[::4]:
        for step in match(number):
            awaited = VIEW.game.awaits(step.after)
            if isinstance(awaited, Answers):
                assert awaited.seats
                assert all(VIEW.game.offers(step.after, seat) for seat in awaited.seats)


def test_walks_reach_every_kind_of_event_action_phase_and_end() -> None:
    steps = [step for number in MATCHES for step in match(number)]

    assert {type(event) for step in steps for event in step.events} == set(get_args(Event))
    assert {type(step.command.action) for step in steps} == set(get_args(Action))
    assert {type(step.after.phase) for step in steps} | {ToDeal} == set(get_args(Phase))
    happened = [event for step in steps for event in step.events]
    assert any(isinstance(event, OpeningLaid) and event.timed_out for event in happened)
    assert {event.ends for event in happened if isinstance(event, Caught)} == {True, False}
    assert {event.ends for event in happened if isinstance(event, Left)} == {True, False}
    assert {event.early for event in happened if isinstance(event, RoundOver)} == {True, False}
    assert any(isinstance(event, TrickTaken) and len(event.plays) == 1 for event in happened)
