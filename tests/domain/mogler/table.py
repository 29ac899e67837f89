"""Anna, Ben, Cara and Dan at a table of Mogler: what their tests say over and over."""

from __future__ import annotations

from datetime import datetime
from itertools import cycle
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.games.mogler import MOGLER
from domain.games.mogler.actions import AcceptRound, Action, LayOpening, Play, SDecline, SDiscard, SDraw, Vacate
from domain.games.mogler.deck import Stop
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
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import InTrick, Opening, StackedDeal, State, ToDiscard, ToSwap, begin
from domain.games.mogler.tricks import outcome
from domain.kernel.cards import PACK, Card, cards, sort
from domain.kernel.game import HOUSE, Command, Pace, Seat, fold
from domain.kernel.seating import everybody
from tests.any_game import NOON
from tests.domain.at_table import AtTable, later

ANNA, BEN, CARA, DAN, EMIL = map(Seat, range(5))
PACE: Final = Pace(turn_time=60, round_pause=5)
STOPS: Final[dict[str, Stop]] = {"S": "S", "T": "T", "O": "O", "P": "P"}
AT: Final = AtTable(MOGLER)
told, after, settled, house_acts = AT.told, AT.after, AT.settled, AT.house_acts


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
