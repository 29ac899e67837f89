"""No viewer is ever told a die that he has no right to see; and what tells that is itself tested."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from domain.games.liars_dice.events import (
    Challenged,
    DiceTaken,
    Event,
    LiarsDiceTurn,
    RerollAsked,
    Rerolled,
    Rolled,
)
from domain.games.liars_dice.ladder import Dice, makes
from domain.games.liars_dice.offers import offers
from domain.games.liars_dice.state import State, ToAnswer
from domain.kernel.cards import BACK, face_down
from domain.kernel.game import Seat
from domain.kernel.offers import Offer
from projections.narration.liars_dice import narrate
from projections.views.liars_dice import FIELDS, LIARS_DICE_VIEW, redact, view
from projections.views.seam import Sees, Viewer
from tests.projections import secrecy
from tests.projections.liars_dice_eyes import NUMBERS, any_action, match, twins
from tests.projections.secrecy import (
    NAMES,
    Redact,
    betrayed,
    beyond_sight,
    everybody,
    hides,
    kinds,
    leak,
    pairs,
    spectators,
    tells,
    told_wrongly,
)

GAME = LIARS_DICE_VIEW.game


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole: who adds a field to it must think of that here."""
    assert LiarsDiceTurn.__struct_fields__ == ("seat", "beats", "until", "left")


def test_only_dice_are_secret_and_only_a_challenge_tells_all_of_them() -> None:
    """12.1, 12.3"""
    secret = {f"{tag}.{field}" for tag, fields in FIELDS.items() for field, sees in fields.items() if sees != Sees.ALL}
    dice = {f"{kind.__struct_config__.tag}.dice" for kind in get_args(Event) if "dice" in kind.__struct_fields__}

    assert secret == dice - {"liars_dice.challenged.dice"}


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.4"""
    assert told_wrongly(FIELDS, redact, map(match, NUMBERS)) is None


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert kinds(map(match, NUMBERS)) == set(get_args(Event))


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 8.3: neither dice that stood, nor which ones another threw anew."""
    assert leak(redact, pairs(map(match, NUMBERS), twins)) is None


@pytest.mark.parametrize("number", NUMBERS)
def test_nor_by_asking_nor_by_what_he_is_offered(number: int) -> None:
    """12.3: the true tables refuse his every action for the same reason, and offer the same and wait for the same."""
    assert betrayed(GAME, pairs([match(number)], twins), any_action, Random(number)) is None


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


@pytest.mark.parametrize("number", NUMBERS)
def test_refusals_offers_and_who_is_awaited_are_functions_of_the_own_view(number: int) -> None:
    assert beyond_sight(GAME, [match(number)], any_action, Random(number)) is None


@pytest.mark.parametrize("number", NUMBERS)
def test_a_view_shows_the_dice_to_their_holder_and_their_number_to_all(number: int) -> None:
    """12.1, 12.2"""
    for step in match(number):
        true = step.after
        turn = getattr(true.phase, "turn", None)
        holder = true.phase.window.seat if isinstance(true.phase, ToAnswer) else turn.seat if turn else None
        for viewer, own in step.seen.items():
            shown = view(own, viewer)
            assert shown.dice == (true.dice if viewer == holder else face_down(true.dice))
            assert (shown.thrown, shown.tokens) == (true.thrown, true.tokens)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_sentence_tells_no_die_that_its_hearer_was_not_told(number: int) -> None:
    """12.3: dice stand in brackets, and in what a challenge showed."""
    for step in match(number):
        for event in step.events:
            for viewer in step.seen:
                told = redact(event, viewer)
                for language in ("en", "de"):
                    sentence = narrate(told, language, lambda seat: NAMES[seat])
                    if not isinstance(event, Challenged):
                        shown = sentence.partition("(")[2].partition(")")[0].split()
                        assert tuple(shown) in ((), getattr(told, "dice", ()))
                    assert BACK not in sentence


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


shows = partial(secrecy.shows, redact)


def _sixes(event: Rolled, told: Rolled, viewer: Viewer) -> Dice:
    """Hides the faces, but not where a six lies."""
    return told.dice if event.seat == viewer else tuple(die if die == "6" else BACK for die in event.dice)


MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "shows throws to who looks on": shows(Rolled, dice=spectators),
    "shows throws to who sits next": shows(Rolled, dice=lambda event, viewer: viewer == event.seat + 1),
    "shows the first die": tells(redact, Rolled, dice=lambda event, told, viewer: (event.dice[0], *told.dice[1:])),
    "shows sixes": tells(redact, Rolled, dice=_sixes),
    "shows dice that are handed on to all": shows(DiceTaken, dice=everybody),
    "shows dice that are handed on to who looks on": shows(DiceTaken, dice=spectators),
    "shows which dice are thrown anew": shows(RerollAsked, dice=everybody),
    "shows who gave the dice what became of them": shows(Rerolled, dice=lambda event, viewer: viewer == event.seat - 1),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(FIELDS, MUTANTS[mutant], map(match, NUMBERS)) is not None
    assert leak(MUTANTS[mutant], pairs(map(match, NUMBERS), twins)) is not None


@pytest.mark.parametrize("kind", [Rolled, DiceTaken, RerollAsked, Rerolled, Challenged])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event]) -> None:
    assert told_wrongly(FIELDS, hides(redact, kind, "dice"), map(match, NUMBERS)) is not None


def _only_lies_can_be_doubted(state: State, seat: Seat) -> tuple[Offer, ...]:
    true = isinstance(state.phase, ToAnswer) and makes(state.dice, state.phase.claim)
    return tuple(offer for offer in offers(state, seat) if not true or offer.type != "liars_dice.challenge")


def _no_time_for_good_dice(state: State, seat: Seat) -> tuple[Offer, ...]:
    return tuple(replace(offer, until=None) if "6" in state.dice else offer for offer in offers(state, seat))


@pytest.mark.parametrize("mutant", [_only_lies_can_be_doubted, _no_time_for_good_dice])
def test_offers_that_know_too_much_are_caught(mutant: Callable[[State, Seat], tuple[Offer, ...]]) -> None:
    game = replace(GAME, offers=mutant)

    assert betrayed(game, pairs(map(match, NUMBERS), twins), any_action, Random(2)) is not None
