"""No viewer is ever told a card that he has not been shown; and what tells that is itself tested."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import get_args

import pytest

from domain.games.cheat.events import CheatTurn, Claimed, Dealt, Drawn, Event, PileTaken
from domain.games.cheat.state import State
from domain.kernel.cards import BACK
from domain.kernel.game import Seat
from projections.views.cheat import CHEAT_VIEW, FIELDS, redact, view
from tests.projections import secrecy
from tests.projections.cheat_eyes import COMBINATIONS, any_action, faces, match, twins
from tests.projections.secrecy import (
    Redact,
    betrayed,
    beyond_sight,
    everybody,
    hides,
    kinds,
    leak,
    open_cards,
    overheard,
    pairs,
    peeks,
    spectators,
    spoken,
    told_wrongly,
)

SOME = range(0, len(COMBINATIONS), 11)
EVERY = sorted(range(len(COMBINATIONS)), key=lambda number: COMBINATIONS[number].hand == "all")  # stocks first: rarer
GAME = CHEAT_VIEW.game


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole: who adds a field to it must think of that here."""
    assert CheatTurn.__struct_fields__ == ("seat", "rank", "until", "left", "proposed")


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.4"""
    assert told_wrongly(FIELDS, redact, map(match, SOME)) is None


def test_every_field_with_cards_is_somebodys_secret_but_what_a_challenge_showed() -> None:
    """12.1, 12.3: a new field of cards that all may see would have to be named here."""
    assert open_cards(FIELDS, map(match, SOME), faces) == {"cheat.challenged.cards"}


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert kinds(map(match, SOME)) == set(get_args(Event))


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 12.5, 12.6"""
    assert leak(redact, pairs(map(match, SOME), twins)) is None


@pytest.mark.parametrize("number", SOME)
def test_nor_can_he_by_asking(number: int) -> None:
    """12.6: the true states refuse his every action for the same reason, and offer and await the same."""
    assert betrayed(GAME, pairs([match(number)], twins), any_action, Random(number)) is None


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


@pytest.mark.parametrize("number", SOME)
def test_refusals_offers_and_who_is_awaited_are_functions_of_the_own_view(number: int) -> None:
    assert beyond_sight(GAME, [match(number)], any_action, Random(number)) is None


@pytest.mark.parametrize("number", SOME)
def test_a_view_holds_the_own_hand_and_the_backs_of_the_others(number: int) -> None:
    """12.1, 12.2: counted against the true table."""
    for step in match(number):
        true = step.after
        for viewer, own in step.seen.items():
            assert [len(hand) for hand in own.hands] == [len(hand) for hand in true.hands]
            assert len(own.stock) == len(true.stock)
            for seat, hand in enumerate(own.hands):
                if seat == viewer:
                    assert hand == true.hands[seat]
                else:
                    assert set(hand) <= {BACK}
            shown = view(own, viewer)
            may_see = set() if viewer is None else {*true.hands[viewer], *_laid_by(true, viewer)}
            may_see |= set(() if true.last is None else true.last.cards)
            assert faces(shown) <= may_see


def _laid_by(state: State, seat: Seat) -> set[str]:
    return {card for claim in state.pile if claim.seat == seat for card in claim.cards}


@pytest.mark.parametrize("number", SOME)
def test_a_sentence_tells_no_card_that_its_hearer_was_not_told(number: int) -> None:
    """12.3"""
    assert overheard(CHEAT_VIEW, [match(number)], spoken, faces) is None


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


shows = partial(secrecy.shows, redact)

MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "deals with open hands": shows(Dealt, hands=everybody),
    "lets one peek at his neighbour's first card": peeks(redact, Dealt, "hands"),
    "lets spectators see the hands": shows(Dealt, hands=spectators),
    "shows the stock": shows(Dealt, stock=everybody),
    "shows what takes no part": shows(Dealt, away=everybody),
    "shows claims to all": shows(Claimed, cards=everybody),
    "shows claims to spectators": shows(Claimed, cards=spectators),
    "shows last plays": shows(Claimed, cards=lambda event, viewer: event.turn is None),
    "shows single cards": shows(Claimed, cards=lambda event, viewer: len(event.cards) == 1),
    "shows the pile to who sits next": shows(PileTaken, cards=lambda event, viewer: viewer == event.seat - 1),
    "shows drawn cards": shows(Drawn, cards=everybody),
    "shows what is shuffled in": shows(Drawn, from_pile=lambda event, viewer: viewer == event.seat),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(FIELDS, MUTANTS[mutant], map(match, EVERY)) is not None
    assert leak(MUTANTS[mutant], pairs(map(match, EVERY), twins)) is not None


@pytest.mark.parametrize("kind, field", [(Dealt, "hands"), (Claimed, "cards"), (PileTaken, "cards"), (Drawn, "cards")])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event], field: str) -> None:
    assert told_wrongly(FIELDS, hides(redact, kind, field), map(match, SOME)) is not None
