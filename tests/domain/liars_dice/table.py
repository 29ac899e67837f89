"""Anna, Ben, Cara and Dan with a cup of dice: what their tests say over and over."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.games.liars_dice import LIARS_DICE
from domain.games.liars_dice.actions import Accept, AcceptRound, Action, Challenge, Reroll, Say, TakeDice, Vacate
from domain.games.liars_dice.events import Event
from domain.games.liars_dice.ladder import LADDER, RUNG, Claim
from domain.games.liars_dice.options import LiarsDiceOptions, check
from domain.games.liars_dice.state import StackedDice, State, ToAnswer, ToClaim, begin
from domain.kernel.cards import face_down
from domain.kernel.game import HOUSE, Command, Pace, Seat
from tests.any_game import NOON
from tests.domain.at_table import AtTable

ANNA, BEN, CARA, DAN = map(Seat, range(4))
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
LIES: Final = "12346" * 40  # dice that make nothing
AT: Final = AtTable(LIARS_DICE)
told, after, settled, house_acts, time_is_up = AT.told, AT.after, AT.settled, AT.house_acts, AT.time_is_up


def dice(text: str) -> tuple[str, ...]:
    """`"66612 11345"`, five a throw, is ten dice."""
    return tuple("".join(text.split()))


def options(**chosen: Any) -> LiarsDiceOptions:
    """As a client says them: names and plain values."""
    made = msgspec.convert(chosen, LiarsDiceOptions)
    check(made)
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


def what_the_house_does(state: State, at: datetime) -> tuple[Event, ...]:
    return told(state, time_is_up(state, at))


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
