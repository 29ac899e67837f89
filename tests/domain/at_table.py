"""A table of any game, and a House that does at once what it must: what the tests of every game say over and over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

import pytest
from msgspec import Struct

from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, Game, HouseNow, Refused, fold
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
