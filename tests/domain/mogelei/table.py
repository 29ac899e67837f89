"""Anna, Ben, Cara and Dan at a table of Mogelei: what their tests say over and over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import msgspec
import pytest

from domain.games.mogelei.actions import (
    AcceptHand,
    Action,
    Call,
    ContinueRound,
    Doubt,
    EndRound,
    KeepHidden,
    Lay,
    Reveal,
    Vacate,
)
from domain.games.mogelei.decider import decide
from domain.games.mogelei.deck import Colour
from domain.games.mogelei.events import Event
from domain.games.mogelei.evolve import evolve
from domain.games.mogelei.house import awaits, house
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import MogeleiDeal, State, ToControl, begin
from domain.kernel.cards import cards
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, Command, HouseNow, Pace, Refused, Seat, fold

ANNA, BEN, CARA, DAN = map(Seat, range(4))
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
CHANCE: Final = Chance(b"a seed of thirty-two bytes, fixed", "0192f0c1-2a6e-7000-8000-000000000000", b"")


def later(seconds: float) -> datetime:
    """Seconds after noon; the deal is at noon."""
    return NOON + timedelta(seconds=seconds)


def dealt(*hands: str, pace: Pace = PACE, dealer: int | None = None, **chosen: Any) -> State:
    """Hands from Anna on. The last seat has dealt, so Anna calls; it is noon."""
    stacked = MogeleiDeal(tuple(map(cards, hands)), dealer=len(hands) - 1 if dealer is None else dealer)
    return settled(begin(msgspec.convert(chosen, MogeleiOptions), pace, len(hands), stacked))


def by(seat: Seat, action: Action, at: datetime = NOON) -> Command[Action]:
    return Command(seat, at, action)


def calls(seat: Seat, colour: Colour, at: datetime = NOON) -> Command[Action]:
    return by(seat, Call(colour), at)


def lays(seat: Seat, card: str, at: datetime = NOON) -> Command[Action]:
    return by(seat, Lay(card), at)


def shows(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, Reveal(), at)


def hides(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, KeepHidden(), at)


def continues(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, ContinueRound(), at)


def ends(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, EndRound(), at)


def doubts(seat: Seat, doubted: Seat, pass_id: int = 0, at: datetime = NOON) -> Command[Action]:
    return by(seat, Doubt(pass_id, doubted), at)


def ready(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, AcceptHand(), at)


def goes(seat: Seat, at: datetime = NOON) -> Command[Action]:
    """Somebody leaves for good, and nobody takes the seat over."""
    return by(HOUSE, Vacate(seat), at)


def all_lay(*laid: str, at: datetime = NOON) -> tuple[Command[Action], ...]:
    """A card each, from Anna on."""
    return tuple(lays(Seat(seat), card, at) for seat, card in enumerate(laid))


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


def time_is_up(state: State, at: datetime) -> Command[Action]:
    """What the House does when nobody else has acted."""
    return Command(HOUSE, at, house(state, CHANCE).action)


@contextmanager
def refused(reason: StrEnum, **times: datetime) -> Iterator[None]:
    """The block asks for something that is refused for this reason, with these times told."""
    with pytest.raises(Refused) as caught:
        yield
    known = {"not_before": caught.value.not_before, "closes_at": caught.value.closes_at}
    assert caught.value.reason == reason
    assert {name: at for name, at in known.items() if at is not None} == times


def awaited(state: State) -> tuple[Seat, ...]:
    waiting = awaits(state)
    assert isinstance(waiting, Answers)
    return waiting.seats


def in_control(state: State) -> Seat:
    assert isinstance(state.phase, ToControl)
    return state.phase.turn.seat
