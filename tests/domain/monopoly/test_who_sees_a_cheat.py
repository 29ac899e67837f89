"""Who watches the zone sees what is done there, and nobody else does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.monopoly.actions import Action, Pay
from domain.games.monopoly.events import Threw
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.state import State, believed
from domain.kernel.game import Command, Seat, fold
from projections.views.monopoly.redacting import redact
from tests.domain.monopoly.cheaters import afterwards, my_turn_is_done, opened, rent_is_due
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    accuses,
    after,
    by,
    cheats,
    jailed,
    money,
    only,
    owning,
    passes,
    rolls,
    seen_by,
    standing,
    table,
    told,
    watching,
    with_hotels,
)

SEEN_IN: dict[str, tuple[tuple[Command[Action], ...], State, tuple[str, ...]]] = {}


def _seen(card: str, ready: State, zones: tuple[str, ...], *commands: Command[Action]) -> None:
    SEEN_IN[card] = (commands, ready, zones)


_seen("bank_heist", my_turn_is_done(opened("bank_heist")), ("tray", "seat:2"), cheats(CARA, "bank_heist", amount=50))

_seen(
    "pickpocket",
    my_turn_is_done(opened("pickpocket")),
    ("seat:0", "seat:2"),
    cheats(CARA, "pickpocket", target=ANNA, amount=50),
)

_seen(
    "fake_chance",
    after(opened("fake_chance", dice=((1, 1),), chest=("cc_go",)), rolls(ANNA)),
    ("seat:0",),
    cheats(ANNA, "fake_chance", read="cc_tax"),
)

_seen("escape", jailed(my_turn_is_done(opened("escape")), CARA), ("seat:2",), cheats(CARA, "escape"))

_seen(
    "extra_go",
    after(standing(owning(opened("extra_go"), ANNA, "badstrasse"), ANNA, 34), rolls(ANNA)),
    ("tray", "seat:0"),
    cheats(ANNA, "extra_go"),
)

_seen("free_stay", rent_is_due("free_stay"), ("seat:0", "seat:1"), cheats(ANNA, "free_stay", debt_id=0))

_seen(
    "short_change",
    rent_is_due("short_change"),
    ("seat:0", "seat:1"),
    cheats(ANNA, "short_change", debt_id=0, amount=10),
)

_seen("identity", after(opened("identity"), rolls(ANNA)), ("dice",), cheats(ANNA, "identity", target=CARA))

_seen("trick_dice", after(opened("trick_dice"), rolls(ANNA)), ("dice",), cheats(ANNA, "trick_dice", distance=5))

_seen(
    "deed_theft",
    owning(my_turn_is_done(opened("deed_theft")), ANNA, "schlossallee"),
    ("seat:0", "seat:2"),
    cheats(CARA, "deed_theft", street="schlossallee"),
)

_seen(
    "deed_swap",
    owning(my_turn_is_done(opened("deed_swap")), CARA, "badstrasse"),
    ("tray", "seat:2"),
    cheats(CARA, "deed_swap", give="badstrasse", street="schlossallee"),
)

_seen(
    "demolition",
    with_hotels(owning(my_turn_is_done(opened("demolition")), ANNA, "schlossallee"), "schlossallee"),
    ("tray", "seat:0"),
    cheats(CARA, "demolition", street="schlossallee"),
)

_seen(
    "free_hotel",
    owning(my_turn_is_done(opened("free_hotel")), CARA, "schlossallee"),
    ("tray", "seat:2"),
    cheats(CARA, "free_hotel", street="schlossallee"),
)

ZONES = ("tray", "dice", "seat:0", "seat:1", "seat:2")


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("card", SEEN_IN)
def test_who_watches_its_zone_sees_it_and_nobody_else_does(card: str, zone: str) -> None:
    """6.2, 6.3, 12.3: Ben looks there, does nothing, and says nothing."""
    commands, ready, zones = SEEN_IN[card]
    state = watching(ready, ben=zone)
    cheater = commands[0].by
    events = told(state, *commands)
    seen = seen_by(BEN, state, events)

    assert (cheater in seen.attempts) == (zone in zones)
    if zone in zones:
        assert seen.attempts[cheater].slip.card is None
        assert seen.attempts[cheater].slip.effect == afterwards(state, events).attempts[cheater].slip.effect


@pytest.mark.parametrize("card", SEEN_IN)
def test_at_a_childrens_table_everybody_sees_everything(card: str) -> None:
    """6.19"""
    commands, ready, _ = SEEN_IN[card]
    state = replace(ready, options=replace(ready.options, attention="open"))
    cheater = commands[0].by
    events = told(state, *commands)

    for viewer in (ANNA, BEN, CARA, None):
        assert cheater in seen_by(viewer, state, events).attempts


def test_who_watches_the_dice_sees_the_pips() -> None:
    """6.2"""
    state = watching(owning(table((1, 2)), ANNA, "turmstrasse"), ben="dice", cara="tray")
    events = told(state, rolls(ANNA))

    assert only(events, Threw).dice == (1, 2)
    assert [seen_by(seat, state, events).throw for seat in (ANNA, BEN, CARA, None)] == [(1, 2), (1, 2), (), ()]


def test_paid_in_full_or_not_sounds_the_same() -> None:
    """12.3"""
    state = watching(rent_is_due("free_stay", "short_change"), cara="tray")
    heard = {
        tuple(map(repr, _heard(CARA, told(state, command))))
        for command in (
            by(ANNA, Pay(0)),
            cheats(ANNA, "free_stay", debt_id=0),
            cheats(ANNA, "short_change", debt_id=0, amount=10),
        )
    }

    assert len(heard) == 1


def _heard(viewer: Seat, events: tuple[Any, ...]) -> list[Any]:
    return [told_event for event in events if (told_event := redact(event, viewer)) is not None]


@pytest.mark.parametrize("zone, thinks", [("seat:1", 1_510), ("dice", 1_530)])
def test_who_watches_himself_being_paid_short_knows_what_he_has(zone: str, thinks: int) -> None:
    """12.4: in the log's fold and in his own, until it is put right or announced."""
    ready = watching(rent_is_due("short_change"), ben=zone)
    events = told(ready, cheats(ANNA, "short_change", debt_id=0, amount=20))
    state = fold(evolve, ready, events)
    assert (believed(state, BEN), believed(seen_by(BEN, ready, events), BEN)) == (thinks, thinks)

    caught = after(state, accuses(CARA, ANNA, "short_change", 5))
    assert believed(caught, BEN) == money(caught, BEN) == 1_630
    survived = after(state, passes(ANNA, 20), rolls(BEN, 30))
    assert believed(survived, BEN) == money(survived, BEN) == 1_510
