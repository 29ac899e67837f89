"""Anna, Ben, Cara and Dan at a table: what their tests say over and over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import msgspec
import pytest

from domain.games.family_mogeln.actions import Accept, AcceptRound, Action, Control, ControlMulti, Lay, SitOut, Vacate
from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Event
from domain.games.family_mogeln.evolve import evolve
from domain.games.family_mogeln.house import awaits, house
from domain.games.family_mogeln.options import Options, check
from domain.games.family_mogeln.state import InTurn, StackedDeal, State, begin
from domain.games.family_mogeln.windows import ORDER
from domain.kernel.cards import cards
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Pace, Refused, Seat, fold

ANNA, BEN, CARA, DAN = map(Seat, range(4))
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
CHANCE: Final = Chance(b"a seed of thirty-two bytes, fixed", "0192f0c1-2a6e-7000-8000-000000000000", b"")
TWOS: Final = ("2C", "2D", "2H", "2S")


def later(seconds: float) -> datetime:
    """Seconds after noon; the deal is at noon."""
    return NOON + timedelta(seconds=seconds)


def options(**chosen: Any) -> Options:
    """As a client says them: names and plain values. Three are at the table."""
    made = msgspec.convert(chosen, Options)
    check(made, 3)
    return made


def dealt(*hands: str, pace: Pace = PACE, **chosen: Any) -> State:
    """Hands from Anna on. The last seat has dealt, so Anna begins; it is noon."""
    deal = StackedDeal(tuple(cards(hand) for hand in hands), dealer=len(hands) - 1)
    return settled(begin(options(**chosen), pace, len(hands), deal))


def underway(*hands: str, due: str = "9", pace: Pace = PACE, **chosen: Any) -> State:
    """After a first round in which everybody laid one of the twos: these hands are left, and Anna is to say ``due``.

    It is still noon. With three at the table three cards lie there, and Anna's lay will be number 3.
    """
    state = dealt(*(f"{hand} {two}" for hand, two in zip(hands, TWOS, strict=False)), pace=pace, **chosen)
    first = ORDER[ORDER.index(due) - len(hands)]
    return after(state, *(lays(Seat(n), TWOS[n], first if n == 0 else None) for n in range(len(hands))))


def by(seat: Seat, action: Action, at: datetime = NOON) -> Command[Action]:
    return Command(seat, at, action)


def lays(seat: Seat, laid: str, rank: str | None = None, at: datetime = NOON) -> Command[Action]:
    return by(seat, Lay(cards(laid), rank), at)


def sits_out(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, SitOut(), at)


def controls(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, Control(claim_id), at)


def counts(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, ControlMulti(claim_id), at)


def accepts(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, Accept(claim_id), at)


def ready(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, AcceptRound(), at)


def goes(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(HOUSE, Vacate(seat), at)


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


def held(state: State, seat: Seat) -> Counter[str]:
    return Counter(state.hands[seat])


def all_cards(state: State) -> Counter[str]:
    lying = (card for lay in state.pile for card in lay.cards)
    return Counter((*(card for hand in state.hands for card in hand), *lying, *state.aside))
