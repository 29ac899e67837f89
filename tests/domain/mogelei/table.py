"""Anna, Ben, Cara and Dan at a table of Mogelei: what their tests say over and over."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import msgspec

from domain.games.mogelei import MOGELEI
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
from domain.games.mogelei.deck import Colour
from domain.games.mogelei.house import awaits
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import MogeleiDeal, State, ToControl, begin
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, Answers, Command, Pace, Seat
from tests.any_game import NOON
from tests.domain.at_table import AtTable

ANNA, BEN, CARA, DAN = map(Seat, range(4))
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
AT: Final = AtTable(MOGELEI)
told, after, settled, time_is_up = AT.told, AT.after, AT.settled, AT.time_is_up


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


def awaited(state: State) -> tuple[Seat, ...]:
    waiting = awaits(state)
    assert isinstance(waiting, Answers)
    return waiting.seats


def in_control(state: State) -> Seat:
    assert isinstance(state.phase, ToControl)
    return state.phase.turn.seat
