"""Anna, Ben, Cara and Dan at a table: what their tests say over and over."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import msgspec

from domain.games.cheat import CHEAT
from domain.games.cheat.actions import Accept, AcceptRound, Action, Challenge, Play
from domain.games.cheat.options import CheatOptions, check
from domain.games.cheat.state import InTurn, StackedDeal, State, begin
from domain.kernel.cards import cards
from domain.kernel.game import Command, Pace, Seat
from tests.any_game import NOON
from tests.domain.at_table import AtTable

ANNA, BEN, CARA, DAN = map(Seat, range(4))
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
AT: Final = AtTable(CHEAT)
told, after, settled, house_acts = AT.told, AT.after, AT.settled, AT.house_acts


def options(**chosen: Any) -> CheatOptions:
    """As a client says them: names and plain values. Three are at the table."""
    made = msgspec.convert(chosen, CheatOptions)
    check(made)
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


def in_turn(state: State) -> Seat:
    assert isinstance(state.phase, InTurn)
    return state.phase.turn.seat


def due(state: State) -> str | None:
    assert isinstance(state.phase, InTurn)
    return state.phase.turn.rank
