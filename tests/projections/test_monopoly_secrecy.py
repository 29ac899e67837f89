"""What a false act looks like to the others, and what is seen by who looks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.monopoly.actions import UseCard
from domain.games.monopoly.events import RentDemanded, Slipped, Watched
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.state import CARD_BACK, State
from domain.kernel.game import Command, Refused, fold
from projections.views.monopoly.redacting import redact
from projections.views.monopoly.viewing import view
from projections.views.seam import Viewer
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    after,
    by,
    cheats,
    holding,
    moves,
    owning,
    rolls,
    table,
    told,
    watches,
    watching,
)
from tests.projections.monopoly_eyes import frames


def heard_by(viewer: Viewer, state: State, *commands: Command[Any]) -> tuple[bytes, bytes]:
    """The frames, and the view after them."""
    events = told(state, *commands)
    seen = fold(evolve, state, (heard for event in events if (heard := redact(event, viewer)) is not None))
    return frames(redact, events, viewer), msgspec.json.encode(view(seen, viewer))


@pytest.mark.parametrize("watched", ["tray", "seat:2", "seat:1"])
def test_loaded_dice_look_like_another_throw(watched: str) -> None:
    """12.3: who does not watch the dice hears the same, the view included."""
    cards = ("trick_dice", "escape", "squatter", "overcharge", "extra_go")
    honest = watching(table((2, 3), cheats=cards), ben=watched)
    loaded = watching(table((1, 2), cheats=cards), ben=watched)
    commands_honest = (rolls(ANNA), moves(ANNA, 1))
    commands_loaded = (rolls(ANNA), cheats(ANNA, "trick_dice", 1, distance=5))

    assert heard_by(BEN, honest, *commands_honest) == heard_by(BEN, loaded, *commands_loaded)
    assert heard_by(None, honest, *commands_honest) == heard_by(None, loaded, *commands_loaded)


def test_a_mistaken_identity_looks_like_a_move() -> None:
    """12.3, 6.6"""
    state = watching(after(table((1, 2), cheats=("identity", "escape", "squatter")), rolls(ANNA)), ben="tray")

    assert heard_by(BEN, state, moves(ANNA)) == heard_by(BEN, state, cheats(ANNA, "identity", target=CARA))


def test_a_tall_story_looks_like_the_card_itself() -> None:
    """12.3"""
    cards = ("fake_chance", "escape", "squatter", "overcharge", "extra_go")
    true = watching(after(table((1, 1), chest=("cc_bonus",), cheats=cards), rolls(ANNA)), ben="tray")
    false = watching(after(table((1, 1), chest=("cc_go",), cheats=cards), rolls(ANNA)), ben="tray")

    assert (
        heard_by(BEN, true, by(ANNA, UseCard("cc_bonus")))[0]
        == heard_by(BEN, false, cheats(ANNA, "fake_chance", read="cc_bonus"))[0]
    )


def test_a_false_demand_is_told_without_saying_that_it_is_one() -> None:
    """6.2, 6.5: anyone who knows the deeds sees it."""
    state = after(owning(table((1, 2), cheats=("overcharge",)), CARA, "turmstrasse"), rolls(ANNA))
    (event,) = told(state, cheats(CARA, "overcharge", landing_id=0, amount=60))
    assert isinstance(event, RentDemanded)
    heard = redact(event, BEN)

    assert isinstance(heard, RentDemanded)
    assert (heard.slip, heard.debt) == (None, event.debt)


def test_what_lay_there_on_arrival_is_seen_rough_and_ones_own_exactly() -> None:
    """6.3"""
    state = after(table((1, 2), cheats=("bank_heist",)), cheats(CARA, "bank_heist", amount=470))
    for zone, cash_there in (("tray", 15_000), ("seat:2", 1_900), ("seat:1", 1_500)):
        (event,) = told(state, watches(BEN, zone, 1))
        assert isinstance(event, Watched)
        assert event.sight.cash == cash_there


def test_who_arrives_after_the_deed_does_not_see_it_done() -> None:
    """6.3: but what lies there now."""
    state = owning(table((1, 2), cheats=("deed_theft",)), ANNA, "schlossallee")
    state = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    events = told(state, watches(BEN, "seat:0", 1))
    seen = fold(evolve, replace(state, attempts={}), (heard for e in events if (heard := redact(e, BEN)) is not None))

    assert seen.attempts == {}
    sight = seen.gazes[BEN].seen
    assert sight is not None
    assert "schlossallee" not in sight.deeds


def test_one_looks_elsewhere_at_most_every_ten_seconds() -> None:
    """6.3"""
    state = after(table((1, 2)), watches(BEN, "tray", 1))
    with pytest.raises(Refused, match="too_early"):
        told(state, watches(BEN, "dice", 10.9))

    assert told(state, watches(BEN, "dice", 11))


def test_who_watches_what_is_told_to_nobody_else() -> None:
    """12.5"""
    (event,) = told(table((1, 2)), watches(BEN, "tray"))

    assert [redact(event, viewer) for viewer in (ANNA, CARA, None)] == [None, None, None]
    assert redact(event, BEN) == event


def test_witnesses_are_told_of_themselves_alone() -> None:
    """12.5"""
    state = watching(table((1, 2), cheats=("bank_heist",)), ben="tray", anna="tray")
    (event,) = told(state, cheats(CARA, "bank_heist", amount=10))
    assert isinstance(event, Slipped)
    assert event.witnesses == (ANNA, BEN, CARA)
    heard = redact(event, BEN)

    assert isinstance(heard, Slipped)
    assert (heard.witnesses, heard.slip.card) == ((BEN,), None)


def test_a_held_card_is_seen_by_its_seat() -> None:
    """12.2"""
    state = holding(table((1, 2)), ANNA, "ch_send")
    seen = replace(state, kept=({"chance": CARD_BACK}, {}, {}))

    assert view(state, ANNA).own is not None
    assert view(state, ANNA).own.cards == ("ch_send",)  # type: ignore[union-attr]
    assert (view(seen, BEN).held[ANNA], view(seen, BEN).own.cards) == (("chance",), ())  # type: ignore[union-attr]
