"""Anna, Ben, Cara and Dan at the board: what their tests say over and over."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.actions import (
    Accept,
    Accuse,
    Action,
    Buy,
    Cheat,
    Decline,
    JailRoll,
    Move,
    PassTray,
    PlayerAction,
    Roll,
    Watch,
)
from domain.games.monopoly.events import Event
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.options import MonopolyOptions, check
from domain.games.monopoly.state import POT, Gaze, StackedTable, State, begin, cash, purse
from domain.kernel.game import Command, Pace, Seat, fold
from domain.kernel.ledger import Movement
from domain.kernel.seating import with_seat
from projections.views.monopoly.redacting import redact
from tests.domain.at_table import AtTable, later

ANNA, BEN, CARA, DAN = map(Seat, range(4))
PACE: Final = Pace(turn_time=60, min_open=5, max_open=30)
HONEST: Final = ("bank_heist", "pickpocket", "free_hotel", "deed_theft", "demolition")  # none takes the place of a move
AT: Final = AtTable(MONOPOLY)
told, after, settled = AT.told, AT.after, AT.settled

E = TypeVar("E")


def options(**chosen: Any) -> MonopolyOptions:
    made = msgspec.convert(chosen, MonopolyOptions)
    check(made)
    return made


def table(
    *dice: tuple[int, int],
    seats: int = 3,
    cheats: tuple[str, ...] = HONEST,
    chance: tuple[str, ...] = (),
    chest: tuple[str, ...] = (),
    pace: Pace = PACE,
    first: int = 0,
    **chosen: Any,
) -> State:
    """Noon: all is set up, Anna begins, and these throws will come; five cheat cards lie open."""
    stacked = StackedTable(first=first, dice=dice, chance=chance, chest=chest, cheats=cheats)
    return settled(begin(options(**chosen), pace, seats, stacked))


def by(seat: Seat, action: Action, at: float = 0) -> Command[Action]:
    return Command(seat, later(at), action)


def house_acts(state: State, at: float) -> State:
    """After what the House does when time is up."""
    return AT.house_acts(state, later(at))


def rolls(seat: Seat, at: float = 0) -> Command[Action]:
    return by(seat, Roll(), at)


def passes(seat: Seat, at: float = 0) -> Command[Action]:
    return by(seat, PassTray(), at)


def moves(seat: Seat, at: float = 0) -> Command[Action]:
    return by(seat, Move(), at)


def buys(seat: Seat, at: float = 0) -> Command[Action]:
    return by(seat, Buy(), at)


def declines(seat: Seat, at: float = 0) -> Command[Action]:
    return by(seat, Decline(), at)


def tries_for_a_double(seat: Seat, at: float = 0) -> Command[Action]:
    return by(seat, JailRoll(), at)


def watches(seat: Seat, zone: str, at: float = 0) -> Command[Action]:
    return by(seat, Watch(zone), at)


def accuses(seat: Seat, target: Seat, card: str, at: float = 0) -> Command[Action]:
    return by(seat, Accuse(target, card), at)


def cheats(seat: Seat, card: str, at: float = 0, **fields: Any) -> Command[Action]:
    return by(seat, Cheat(card, **fields), at)


def accepts(seat: Seat, boundary_id: int, at: float = 0) -> Command[Action]:
    return by(seat, Accept(boundary_id), at)


def may(seat: Seat, action: PlayerAction, at: float = 0) -> Command[Action]:
    return by(seat, action, at)


def seen_by(viewer: Seat | None, start: State, events: tuple[Event, ...]) -> State:
    """What a viewer's fold makes of it."""
    heard = (redact(event, viewer) for event in events)
    return fold(evolve, start, (event for event in heard if event is not None))


def money(state: State, seat: Seat) -> int:
    """As it truly is."""
    return cash(state, purse(seat))


def announced(state: State, seat: Seat) -> int:
    return state.ledger[purse(seat)]


def only(events: tuple[Event, ...], kind: type[E]) -> E:
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, found
    return found[0]


def all_of(events: tuple[Event, ...], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


# ── tables that have been played on for a while ─────────────────────────────────────────────────


def owning(state: State, seat: Seat, *streets: str) -> State:
    return replace(state, owners={**state.owners, **dict.fromkeys(streets, seat)})


def standing(state: State, seat: Seat, square: int) -> State:
    return replace(state, tokens=with_seat(state.tokens, seat, square))


def with_cash(state: State, seat: Seat, amount: int) -> State:
    """The seat has that much; the pot the rest."""
    more = amount - state.ledger[purse(seat)]
    source, to = (POT, purse(seat)) if more > 0 else (purse(seat), POT)
    return replace(state, ledger=state.ledger.post([Movement(source, to, abs(more), "test")])) if more else state


def with_hotels(state: State, *streets: str) -> State:
    return replace(state, hotels=(*state.hotels, *streets))


def jailed(state: State, seat: Seat, tries: int = 0) -> State:
    return replace(standing(state, seat, 9), prisoner=seat, tries=tries)


def holding(state: State, seat: Seat, card: str) -> State:
    deck = state.data.deck_of[card]
    lies = state.decks[deck]
    left = replace(lies, stack=tuple(other for other in lies.stack if other != card))
    kept = with_seat(state.kept, seat, {**state.kept[seat], deck: card})
    return replace(state, kept=kept, decks={**state.decks, deck: left})


def all_sold(state: State, **shares: tuple[str, ...]) -> State:
    """Every street has an owner: Anna has what nobody else is said to have."""
    owners = dict.fromkeys(state.data.streets, ANNA)
    for name, streets in shares.items():
        owners.update(dict.fromkeys(streets, {"ben": BEN, "cara": CARA, "dan": DAN}[name]))
    return replace(state, owners=owners, sold_out=True)


def watching(state: State, **zones: str) -> State:
    """Who looks where, long enough to look elsewhere."""
    gazes = state.gazes
    for name, zone in zones.items():
        gazes = with_seat(gazes, {"anna": ANNA, "ben": BEN, "cara": CARA, "dan": DAN}[name], Gaze(zone, None))
    return replace(state, gazes=gazes)
