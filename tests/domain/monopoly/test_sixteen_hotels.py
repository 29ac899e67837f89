"""There are sixteen hotels, on the board, in the tray and reserved, whatever is taken silently and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.monopoly.actions import BuyHotel, DeclareBankrupt
from domain.games.monopoly.books import balance
from domain.games.monopoly.events import Caught, DebtArose, Event, Paid, Spent, Succeeded, Undone
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.state import State, begin, hotels_left, true_hotels, true_hotels_left
from domain.kernel.game import Pace, Seat
from projections.catalogue import CATALOGUE
from tests.any_game import Step, walk
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    accuses,
    after,
    all_of,
    by,
    cheats,
    only,
    owning,
    passes,
    rolls,
    table,
    told,
    with_cash,
    with_hotels,
)

FIFTEEN = (  # with that on Poststraße
    "schlossallee",
    *("rathausplatz", "hauptstrasse", "bahnhofstrasse", "parkstrasse"),
    *("lessingstrasse", "schillerstrasse", "goethestrasse", "theaterstrasse", "museumstrasse"),
    *("muenchener_strasse", "wiener_strasse", "berliner_strasse", "opernplatz"),
)


def all_stand_and_one_is_gone(demolished: float = 1, built: float = 3) -> State:
    """Cara has put Anna's hotel into the tray, Dan one of the tray on his street; Ben builds what all take for the last
    one. Anna's turn is over by then."""
    state = with_hotels(table((1, 2), (1, 2), (1, 2), seats=4), *FIFTEEN)
    state = owning(owning(state, ANNA, "schlossallee"), DAN, "elisenstrasse")
    state = owning(state, BEN, "badstrasse", "turmstrasse")
    state = after(state, rolls(ANNA), cheats(DAN, "free_hotel", 2, street="elisenstrasse"))
    state = after(state, cheats(CARA, "demolition", demolished, street="schlossallee"))
    state = after(state, by(BEN, BuyHotel("badstrasse"), built))
    assert (len(state.hotels), len(true_hotels(state)), true_hotels_left(state)) == (16, 16, 0)
    return state


def test_a_hotel_that_was_built_elsewhere_cannot_be_put_back() -> None:
    """6.10: there are sixteen. Its price is owed to who owns the street."""
    state = all_stand_and_one_is_gone()
    events = told(state, accuses(BEN, CARA, "demolition", 4))
    assert only(events, Spent) == Spent(CARA, (), "schlossallee")
    assert [(m.from_, m.to, m.amount) for m in only(events, Paid).moved] == [("seat:2", "seat:0", 400)]
    end = after(state, accuses(BEN, CARA, "demolition", 4))

    assert "schlossallee" not in end.hotels
    assert (len(end.hotels), len(true_hotels(end))) == (15, 16)


def test_a_hotel_that_still_lies_in_the_tray_is_put_back() -> None:
    """6.12"""
    state = after(all_stand_and_one_is_gone(), accuses(BEN, DAN, "free_hotel", 4))
    events = told(state, accuses(BEN, CARA, "demolition", 5))
    end = after(state, accuses(BEN, CARA, "demolition", 5))

    assert not all_of(events, Spent)
    assert (len(end.hotels), set(true_hotels(end))) == (16, set(end.hotels))


def test_who_goes_bankrupt_puts_no_hotel_back_that_is_not_there() -> None:
    """6.10, 9.7"""
    state = after(with_cash(all_stand_and_one_is_gone(), CARA, 90), accuses(CARA, BEN, "demolition", 4))
    events = told(state, by(CARA, DeclareBankrupt(), 5))

    assert only(events, Spent) == Spent(CARA, (), "schlossallee")
    assert [type(event) for event in events if isinstance(event, Spent | Undone | DebtArose)] == [Spent, Undone]


def test_a_hotel_that_is_gone_makes_room_for_one_that_was_put() -> None:
    """6.9: though it was put before the other was gone."""
    state = after(all_stand_and_one_is_gone(demolished=3, built=4), passes(ANNA, 50))
    events = told(state, rolls(BEN, 60))

    assert [event.card for event in all_of(events, Succeeded)] == ["demolition", "free_hotel"]
    assert all(len(after_each.hotels) <= 16 for after_each in states(state, events))


def test_a_hotel_for_which_there_is_no_room_on_the_board_waits() -> None:
    """6.9: for what was gone too late to be announced."""
    state = after(all_stand_and_one_is_gone(demolished=51, built=52), passes(ANNA, 53))
    events = told(state, rolls(BEN, 60))
    assert not all_of(events, Succeeded)
    passed = after(state, rolls(BEN, 60), passes(BEN, 70))

    assert [event.card for event in all_of(told(passed, rolls(CARA, 80)), Succeeded)] == ["demolition", "free_hotel"]


def states(state: State, events: tuple[Event, ...]) -> Iterator[State]:
    """After each of them."""
    for event in events:
        state = evolve(state, event)
        yield state


WALKS = range(24)
SELDOM = dict.fromkeys(
    (f"monopoly_cheaters.{what}" for what in ("offer_trade", "accept_trade", "watch", "sell_to_bank")), 6
)


def crowded(options: MonopolyOptions, pace: Pace, seats: int, deal: Any) -> State:
    """All is sold by groups, and fourteen hotels stand."""
    state = begin(options, pace, seats, deal)
    groups = enumerate(state.data.groups.values())
    owners = {street: Seat(n % seats) for n, group in groups for street in group}
    return replace(state, owners=owners, sold_out=True, hotels=(*state.hotels, *FIFTEEN[:-1]))


@cache
def match(number: int) -> tuple[Step, ...]:
    view = CATALOGUE["monopoly-cheaters"]
    view = replace(view, game=replace(view.game, begin=crowded))
    options = MonopolyOptions(
        attention="open" if number % 2 else "watch", meistermogler=True, max_turns=40, min_catch=1 + number % 10
    )
    leavers = number % 3 == 0
    return tuple(walk(view, 3 + number % 2, number, options=options, leavers=leavers, doubt=4, seldom=SELDOM, sleep=8))


@pytest.mark.parametrize("number", WALKS)
def test_however_hotels_are_taken_and_put_there_are_sixteen(number: int) -> None:
    """4.7, 6.9, 6.10: never more, after every single event; and on the true board, in the tray and reserved, all."""
    for step in match(number):
        assert all(balance(state) is None for state in states(step.before, step.events))
        end = step.after
        assert len(true_hotels(end)) + true_hotels_left(end) + (end.last_hotel is not None) == 16
        assert min(hotels_left(end), true_hotels_left(end)) >= 0


def test_walks_come_where_a_hotel_cannot_be_put_back_and_where_one_waits() -> None:
    steps = [step for number in WALKS for step in match(number)]
    events = [event for step in steps for event in step.events]
    gone = [event.effect.hotel_off for event in events if isinstance(event, Caught | Undone) and event.effect.hotel_off]

    assert any(isinstance(event, Spent) and event.hotel for event in events)
    assert len(gone) > 3
    assert any(len(step.after.hotels) == 16 and set(true_hotels(step.after)) - {*step.after.hotels} for step in steps)
