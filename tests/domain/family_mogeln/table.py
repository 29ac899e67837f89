"""Anna, Ben, Cara and Dan at a table: what their tests say over and over."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, Final

import msgspec

from domain.games.family_mogeln import FAMILY_MOGELN
from domain.games.family_mogeln.actions import Accept, AcceptRound, Action, Control, ControlMulti, Lay, SitOut, Vacate
from domain.games.family_mogeln.options import Options, check
from domain.games.family_mogeln.state import InTurn, StackedDeal, State, begin
from domain.games.family_mogeln.windows import ORDER
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, Command, Pace, Seat
from tests.any_game import NOON
from tests.domain.at_table import AtTable

ANNA, BEN, CARA, DAN = map(Seat, range(4))
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30, round_pause=5)
TWOS: Final = ("2C", "2D", "2H", "2S")
AT: Final = AtTable(FAMILY_MOGELN)
told, after, settled, house_acts = AT.told, AT.after, AT.settled, AT.house_acts


def options(**chosen: Any) -> Options:
    """As a client says them: names and plain values. Three are at the table."""
    made = msgspec.convert(chosen, Options)
    check(made)
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
