"""Anna, Ben, Cara and Dan at a table of Mogler: what their tests say over and over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import cycle
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogler.actions import (
    AcceptRound,
    Action,
    LayOpening,
    Play,
    SDecline,
    SDiscard,
    SDraw,
    Stop,
    Vacate,
)
from domain.games.mogler.decider import decide
from domain.games.mogler.events import (
    Dealt,
    Event,
    MoglerTurn,
    OpeningTurned,
    StopTurned,
    TrickCard,
    TrickTaken,
)
from domain.games.mogler.evolve import evolve
from domain.games.mogler.house import awaits, house
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import InTrick, Opening, StackedDeal, State, ToDiscard, ToSwap, begin
from domain.games.mogler.tricks import outcome
from domain.kernel.cards import PACK, Card, cards, sort
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Pace, Refused, Seat, fold
from domain.kernel.seating import everybody

ANNA, BEN, CARA, DAN, EMIL = map(Seat, range(5))
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
PACE: Final = Pace(turn_time=60, round_pause=5)
CHANCE: Final = Chance(b"a seed of thirty-two bytes, fixed", "0192f0c1-2a6e-7000-8000-000000000000", b"")
STOPS: Final[dict[str, Stop]] = {"S": "S", "T": "T", "O": "O", "P": "P"}


def later(seconds: float) -> datetime:
    """Seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def options(**chosen: Any) -> MoglerOptions:
    return msgspec.convert(chosen, MoglerOptions)


# ── a table ─────────────────────────────────────────────────────────────────────────────────────


def dealt(*hands: str, stops: str = "", draws: str = "", pace: Pace = PACE, **chosen: Any) -> State:
    """Seven cards each, from Anna on; it is noon, and everybody lays for the lead."""
    deal = StackedDeal(tuple([cards(hand) for hand in hands]), tuple([STOPS[s] for s in stops]), cards(draws))
    return settled(begin(options(**chosen), pace, len(hands), deal))


def trick(*hands: str, row: str = "T", leader: Seat = ANNA, pace: Pace = PACE, **chosen: Any) -> State:
    """In the middle of a round: what each still holds, and the STOP cards that lie there; ``leader`` is about to lead,
    or if the last one is an S, about to say whether he draws. The hands may be of any size."""
    held = tuple([sort(cards(hand)) for hand in hands])
    stock = tuple([card for card in PACK if all(card not in hand for hand in held)])
    turn = MoglerTurn(leader, None if pace.turn_time is None else later(pace.turn_time))
    happened: list[Event] = [
        Dealt(1, held, stock, 0, turn.until),
        OpeningTurned(((),) * len(hands), leader),
        *(StopTurned(number, leader, STOPS[stop], number, turn) for number, stop in enumerate(row, start=1)),
    ]
    return fold(evolve, begin(options(**chosen), pace, len(hands), None), happened)


def took(state: State, seat: Seat, *tricks: str) -> State:
    """The same moment, this seat having taken these tricks before: each its cards, the led one first."""
    phase, last = state.phase, state.last_trick
    for number, lying in enumerate(tricks, start=1):
        plays = tuple([TrickCard(other, card) for other, card in zip(cycle(everybody(state.seats)), cards(lying))])
        state = evolve(state, TrickTaken(number, seat, plays, outcome(plays, ())[0], seat))
    return replace(state, phase=phase, last_trick=last)


# ── what is said and done ───────────────────────────────────────────────────────────────────────


def by(seat: Seat, action: Action, at: datetime = NOON) -> Command[Action]:
    return Command(seat, at, action)


def lays(seat: Seat, card: Card, at: datetime = NOON) -> Command[Action]:
    return by(seat, LayOpening(card), at)


def plays(seat: Seat, card: Card, at: datetime = NOON) -> Command[Action]:
    return by(seat, Play(card), at)


def draws(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, SDraw(), at)


def declines(seat: Seat, at: datetime = NOON) -> Command[Action]:
    return by(seat, SDecline(), at)


def discards(seat: Seat, card: Card, at: datetime = NOON) -> Command[Action]:
    return by(seat, SDiscard(card), at)


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


# ── what one looks at ───────────────────────────────────────────────────────────────────────────


def in_turn(state: State) -> Seat:
    """Whose turn it is, to play or at an S."""
    assert isinstance(state.phase, InTrick | ToSwap | ToDiscard)
    return state.phase.turn.seat


def lying(state: State) -> tuple[Card, ...]:
    """The cards of the trick."""
    assert isinstance(state.phase, InTrick)
    return tuple([play.card for play in state.phase.plays])


def one(kind: type[Any], events: tuple[Event, ...]) -> Any:
    """The one event of this kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def all_cards(state: State) -> list[Card]:
    """Every card, wherever it is, sorted."""
    hands = [card for hand in state.hands for card in hand]
    taken = [card for seat in state.tricks for trick in seat for card in trick.cards]
    return sorted([*hands, *taken, *state.stock, *state.out, *state.away, *_on_the_table(state)])


def _on_the_table(state: State) -> list[Card]:
    if isinstance(state.phase, Opening):
        return [card for laid in state.phase.laid for card in laid]
    return [play.card for play in getattr(state.phase, "plays", ())]
