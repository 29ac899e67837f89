"""Anna, Ben, Cara and Dan with a cup of dice: what their tests say over and over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.liars_dice.actions import Accept, AcceptRound, Action, Challenge, Reroll, Say, TakeDice, Vacate
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import Event
from domain.games.liars_dice.evolve import evolve
from domain.games.liars_dice.house import awaits, house
from domain.games.liars_dice.ladder import LADDER, RUNG, Claim
from domain.games.liars_dice.options import LiarsDiceOptions, check
from domain.games.liars_dice.state import StackedDice, State, ToAnswer, ToClaim, begin
from domain.kernel.cards import face_down
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Pace, Refused, Seat, fold

ANNA, BEN, CARA, DAN = map(Seat, range(4))
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
LIES: Final = "12346" * 40  # dice that make nothing
CHANCE: Final = Chance(b"a seed of thirty-two bytes, fixed", "0192f0c1-2a6e-7000-8000-000000000000", b"")


def later(seconds: float) -> datetime:
    """Seconds after noon; Anna's first dice are thrown at noon."""
    return NOON + timedelta(seconds=seconds)


def dice(text: str) -> tuple[str, ...]:
    """`"66612 11345"`, five a throw, is ten dice."""
    return tuple("".join(text.split()))


def options(**chosen: Any) -> LiarsDiceOptions:
    """As a client says them: names and plain values."""
    made = msgspec.convert(chosen, LiarsDiceOptions)
    check(made, 3)
    return made


def table(throws: str, seats: int = 3, pace: Pace = PACE, **chosen: Any) -> State:
    """Anna begins, with the first of these throws; the House takes the next ones in their order."""
    return settled(begin(options(**chosen), pace, seats, StackedDice(dice(throws), starter=0)))


def as_seen(given: State, viewer: Seat | None) -> State:
    """What a viewer sees of a table where Anna is about to claim."""
    assert in_turn(given) == ANNA
    return replace(given, stacked=(), dice=given.dice if viewer == ANNA else face_down(given.dice))


def by(seat: Seat, action: Action, at: datetime = NOON) -> Command[Action]:
    return Command(seat, at, action)


def says(seat: Seat, claim: str, at: datetime = NOON) -> Command[Action]:
    return by(seat, Say(said(claim)), at)


def said(claim: str) -> Claim:
    return LADDER[RUNG[claim]]


def doubts(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, Challenge(claim_id), at)


def accepts(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, Accept(claim_id), at)


def takes(seat: Seat, claim_id: int, at: datetime = NOON) -> Command[Action]:
    return by(seat, TakeDice(claim_id), at)


def throws_anew(seat: Seat, faces: str, at: datetime = NOON) -> Command[Action]:
    return by(seat, Reroll(dice(faces)), at)


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
    return fold(evolve, state, what_the_house_does(state, at))


def what_the_house_does(state: State, at: datetime) -> tuple[Event, ...]:
    return told(state, Command(HOUSE, at, house(state, CHANCE).action))


@contextmanager
def refused(reason: StrEnum, **times: datetime) -> Iterator[None]:
    """The block asks for something that is refused for this reason, with these times told."""
    with pytest.raises(Refused) as caught:
        yield
    known = {"not_before": caught.value.not_before, "closes_at": caught.value.closes_at}
    assert caught.value.reason == reason
    assert {name: at for name, at in known.items() if at is not None} == times


def in_turn(state: State) -> Seat:
    assert isinstance(state.phase, ToClaim)
    return state.phase.turn.seat


def to_beat(state: State) -> str | None:
    assert isinstance(state.phase, ToClaim)
    return state.phase.turn.beats


def follows(state: State) -> Seat | None:
    assert isinstance(state.phase, ToAnswer)
    return state.phase.follows


def loses(state: State, *losers: Seat) -> State:
    """Each of these loses a token in turn: whoever claims tells a lie, or the truth, as it takes. Dice make nothing."""
    for loser in losers:
        claimant = in_turn(state)
        claim = "pair:1" if claimant == loser else "nothing"
        doubter = next(seat for seat in state.playing if seat != claimant) if claimant == loser else loser
        state = after(state, says(claimant, claim), doubts(doubter, state.claims))
    return state


def wins_a_round(state: State, winner: Seat) -> State:
    for loser in [seat for seat in state.playing if seat != winner]:
        state = loses(state, *(loser,) * state.tokens[loser])
    return state
