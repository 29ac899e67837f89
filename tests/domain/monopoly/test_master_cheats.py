"""Free cheats, for which no card lies open: each is caught, and survives."""

from __future__ import annotations

import pytest
from msgspec import Struct

from domain.games.monopoly.actions import DemandRent, FreeCheat, Pay
from domain.games.monopoly.events import Succeeded
from domain.games.monopoly.phases import ToBuy
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import State, true_hotels
from domain.kernel.game import Seat
from tests.domain.at_table import refused
from tests.domain.monopoly.cheaters import afterwards, my_turn_is_done, opened, survives
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    accuses,
    after,
    announced,
    buys,
    by,
    money,
    moves,
    only,
    owning,
    passes,
    rolls,
    told,
    with_hotels,
)


class Free(Struct, frozen=True):
    said: FreeCheat
    who: Seat


FREE = {
    "take_tray": Free(FreeCheat("take_tray", amount=500), CARA),
    "take_player": Free(FreeCheat("take_player", amount=100, target=BEN), CARA),
    "wrong_move": Free(FreeCheat("wrong_move", distance=7), ANNA),
    "skip_payment": Free(FreeCheat("skip_payment", debt_id=0), ANNA),
    "hotel_on": Free(FreeCheat("hotel_on", street="schlossallee"), CARA),
    "hotel_off": Free(FreeCheat("hotel_off", street="chausseestrasse"), CARA),
    "take_deed": Free(FreeCheat("take_deed", street="chausseestrasse"), CARA),
}


def masters_table(kind: str) -> State:
    state = owning(owning(opened("escape", meistermogler=True), BEN, "turmstrasse"), CARA, "schlossallee")
    state = with_hotels(owning(state, BEN, "chausseestrasse"), "chausseestrasse")
    state = after(state, rolls(ANNA))
    if kind == "wrong_move":
        return state
    return after(state, moves(ANNA), by(BEN, DemandRent(0)))


@pytest.mark.parametrize("kind", FREE)
def test_a_free_cheat_that_is_caught_costs_200_and_jail(kind: str) -> None:
    """6.17"""
    free = FREE[kind]
    state = masters_table(kind)
    done = after(state, by(free.who, free.said, 1))
    caught = after(done, accuses(BEN, free.who, kind, 5))

    assert not caught.attempts
    assert caught.prisoner == free.who
    assert true_hotels(caught) == caught.hotels or set(true_hotels(caught)) == set(caught.hotels)
    assert announced(caught, free.who) == money(caught, free.who)
    assert announced(caught, free.who) <= 1_300


@pytest.mark.parametrize("kind", FREE)
def test_a_free_cheat_that_survives_stands_without_a_name(kind: str) -> None:
    """6.17"""
    free = FREE[kind]
    done = after(masters_table(kind), by(free.who, free.said, 1))
    if done.debts:
        done = after(done, by(ANNA, Pay(0), 2))
    if isinstance(done.phase, ToBuy):
        done = after(done, buys(ANNA, 2))
    events = survives(done)

    told_of = only(events, Succeeded)
    assert (told_of.seat, told_of.card) == (None, None)
    end = afterwards(after(done, passes(ANNA, 50)), events)
    assert all(announced(end, seat) == money(end, seat) for seat in end.playing)


def test_free_cheats_are_for_master_cheats() -> None:
    """6.17"""
    with refused(MonopolyReason.NO_FREE_CHEATS):
        told(my_turn_is_done(opened("escape")), by(CARA, FREE["take_tray"].said))
