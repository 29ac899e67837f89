"""Anna, Ben, Cara and Dan at a table: what their tests say over and over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import msgspec
import pytest

from domain.games.cheat.actions import Accept, AcceptRound, Action, Challenge, Play
from domain.games.cheat.decider import decide
from domain.games.cheat.events import Event
from domain.games.cheat.evolve import evolve
from domain.games.cheat.house import awaits, house
from domain.games.cheat.options import CheatOptions, check
from domain.games.cheat.state import InTurn, StackedDeal, State, begin
from domain.kernel.cards import cards
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Pace, Refused, Seat, fold

ANNA, BEN, CARA, DAN = map(Seat, range(4))
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
CHANCE: Final = Chance(b"a seed of thirty-two bytes, fixed", "0192f0c1-2a6e-7000-8000-000000000000", b"")


def later(seconds: float) -> datetime:
    """Seconds after noon; the deal is at noon."""
    return NOON + timedelta(seconds=seconds)


def options(**chosen: Any) -> CheatOptions:
    """As a client says them: names and plain values. Three are at the table."""
    made = msgspec.convert(chosen, CheatOptions)
    check(made, 3)
    return made


def dealt(*hands: str, stock: str = "", pace: Pace = PACE, **chosen: Any) -> State:
    """Hands from Anna on. The last seat has dealt, so Anna begins; it is noon."""
    deal = StackedDeal(tuple(cards(hand) for hand in hands), dealer=len(hands) - 1, stock=cards(stock))
    return settled(begin(options(**chosen), pace, len(hands), deal))


def by(seat: Seat, action: Action, at: datetime = NOON) -> Command[Action]:
    return Command(seat, at, action)


def lays(seat: Seat, laid: str, rank: str | None = None, at: datetime = NOON) -> Command[Action]:
    return by(seat, Play(cards(laid), rank), at)


def doubts(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, Challenge(claim_id), at)


def accepts(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, Accept(claim_id), at)


def ready(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, AcceptRound(), at)


def told(state: State, *commands: Command[Action]) -> tuple[Event, ...]:
    """All that happens, the House doing at once what it must."""
    happened: tuple[Event, ...] = ()
    for command in commands:
        events = decide(state, command)
        state = fold(evolve, state, events)
        happened += events
        while isinstance(awaits(state), HouseNow):
            events = decide(state, Command(HOUSE, command.at, house(state, CHANCE).action))
            state = fold(evolve, state, events)
            happened += events
    return happened


def after(state: State, *commands: Command[Action]) -> State:
    return fold(evolve, state, told(state, *commands))


def settled(state: State, at: datetime = NOON) -> State:
    """After what the House must do at once."""
    while isinstance(awaits(state), HouseNow):
        state = fold(evolve, state, decide(state, Command(HOUSE, at, house(state, CHANCE).action)))
    return state


def house_acts(state: State, at: datetime) -> State:
    """After what the House does when time is up."""
    return after(state, Command(HOUSE, at, house(state, CHANCE).action))


@contextmanager
def refused(reason: StrEnum, **times: datetime) -> Iterator[None]:
    """The block asks for something that is refused for this reason, with these times told."""
    with pytest.raises(Refused) as caught:
        yield
    known = {"not_before": caught.value.not_before, "closes_at": caught.value.closes_at}
    assert caught.value.reason == reason
    assert {name: at for name, at in known.items() if at is not None} == times


def in_turn(state: State) -> Seat:
    assert isinstance(state.phase, InTurn)
    return state.phase.turn.seat


def due(state: State) -> str | None:
    assert isinstance(state.phase, InTurn)
    return state.phase.turn.rank
