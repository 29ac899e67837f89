"""A table of any game, and a House that does at once what it must: what the tests of every game say over and over."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

import pytest
from msgspec import Raw, Struct

from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, AnyGame, Command, Game, HouseNow, Over, Pace, Refused, fold
from domain.match import actions
from domain.match import decider as match
from domain.match.decider import AnyState
from domain.match.events import NO_DEAL, TimedOut
from tests.any_game import NOON

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
CHANCE: Final = Chance(b"a seed of thirty-two bytes, fixed", "0192f0c1-2a6e-7000-8000-000000000000", b"")


class AtTable(Struct, Generic[S, A, E], frozen=True):
    game: Game[S, A, E, Any]

    def told(self, state: S, *commands: Command[A]) -> tuple[E, ...]:
        """All that happens, the House doing at once what it must."""
        happened: tuple[E, ...] = ()
        for command in commands:
            events = self.game.decide(state, command)
            state = fold(self.game.evolve, state, events)
            at_once = self._at_once(state, command.at)
            state = fold(self.game.evolve, state, at_once)
            happened += events + at_once
        return happened

    def after(self, state: S, *commands: Command[A]) -> S:
        return fold(self.game.evolve, state, self.told(state, *commands))

    def settled(self, state: S, at: datetime = NOON) -> S:
        """After what the House must do at once."""
        return fold(self.game.evolve, state, self._at_once(state, at))

    def time_is_up(self, state: S, at: datetime) -> Command[A]:
        """What the House does when nobody else has acted."""
        return Command(HOUSE, at, self.game.house(state, CHANCE).action)

    def house_acts(self, state: S, at: datetime) -> S:
        """After what the House does when time is up."""
        return self.after(state, self.time_is_up(state, at))

    def _at_once(self, state: S, at: datetime) -> tuple[E, ...]:
        happened: tuple[E, ...] = ()
        while isinstance(self.game.awaits(state), HouseNow):
            events = self.game.decide(state, self.time_is_up(state, at))
            state = fold(self.game.evolve, state, events)
            happened += events
        return happened


def nobody_acts(game: AnyGame, seats: int) -> tuple[AnyState, int]:
    """How a match ends in which nobody does anything; and how often the House acted for a seat."""
    players = tuple(map(str, range(seats)))
    state: AnyState = match.evolve(game, None, match.open_match(_a_match(game, seats))[0])
    sits = (actions.Sit(player=player, asked_by=player) for player in players)
    acts: list[Any] = [*sits, actions.Start(players[0])]
    at, timed_out = NOON, 0
    while not isinstance(awaited := match.awaits(game, state), Over):
        if not acts and isinstance(awaited, Answers):
            assert awaited.until is not None
            at = max(at, awaited.until)
        act = acts.pop(0) if acts else match.house(game, state, bytes(32))
        for event in match.decide(game, state, Command(HOUSE, at, act)):
            state = match.step(game, state, HOUSE, event, at)
            timed_out += isinstance(event, TimedOut)
    return state, timed_out


def _a_match(game: AnyGame, seats: int) -> actions.Open:
    return actions.Open(
        match="0192f0c1-2a6e-7000-8000-000000000000",
        game=game.id,
        rules_version=game.rules_version,
        seats=seats,
        options=Raw(b"{}"),
        pace=Pace(),
        leaving="cards_leave",
        fill=None,
        access="public",
        sandbox=False,
        deal=NO_DEAL,
        seed_commitment=hashlib.sha256(bytes(32)).hexdigest(),
        host="0",
        open_until=later(60),
    )


def later(seconds: float) -> datetime:
    """Seconds after noon, when each story begins."""
    return NOON + timedelta(seconds=seconds)


@contextmanager
def refused(reason: StrEnum, **times: datetime) -> Iterator[None]:
    """The block asks for something that is refused for this reason, with these times told."""
    with pytest.raises(Refused) as caught:
        yield
    known = {"not_before": caught.value.not_before, "closes_at": caught.value.closes_at}
    assert caught.value.reason == reason
    assert {name: at for name, at in known.items() if at is not None} == times
