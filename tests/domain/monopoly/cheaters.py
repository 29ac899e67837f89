"""Tables at which it pays to cheat: what the tests of cheats say over and over."""

from __future__ import annotations

from typing import Any

from domain.games.monopoly.actions import DemandRent
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.state import State
from domain.kernel.game import fold
from tests.domain.monopoly.table import ANNA, BEN, after, by, owning, passes, rolls, table, told


def opened(*cards: str, dice: tuple[tuple[int, int], ...] = ((1, 2), (1, 2), (1, 2)), **chosen: Any) -> State:
    """These cheat cards lie open, and others beside which no move has to be asked for."""
    others = ("escape", "squatter", "overcharge", "fake_chance", "extra_go")
    return table(*dice, cheats=(*cards, *(card for card in others if card not in cards)), **chosen)


def survives(state: State, at: float = 60) -> tuple[Any, ...]:
    """What Ben's first throw brings, when the tray is his."""
    if state.turn.seat == ANNA and state.turn.number == 1:
        state = after(state, passes(ANNA, at - 10))
    return told(state, rolls(BEN, at))


def afterwards(state: State, events: tuple[Any, ...]) -> State:
    return fold(evolve, state, events)


def my_turn_is_done(state: State) -> State:
    """Anna has thrown three and stands on her own street."""
    return after(owning(state, ANNA, "turmstrasse"), rolls(ANNA))


def rent_is_due(*cards: str, **chosen: Any) -> State:
    """Anna stands on Ben's Turmstraße, and he has demanded 30."""
    state = owning(opened(*cards, **chosen), BEN, "turmstrasse")
    return after(state, rolls(ANNA), by(BEN, DemandRent(0)))
