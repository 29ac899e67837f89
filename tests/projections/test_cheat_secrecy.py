"""No viewer is ever told a card that he has not been shown; and what tells that is itself tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import product
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.cheat.actions import Action
from domain.games.cheat.events import CheatTurn, Claimed, Dealt, Drawn, Event, PileTaken
from domain.games.cheat.house import awaits
from domain.games.cheat.offers import offers
from domain.games.cheat.state import State
from domain.kernel.cards import BACK, face_down
from domain.kernel.game import Answers, Command, Seat
from projections.narration.cheat import narrate
from projections.views.cheat import FIELDS, redact, view
from projections.views.seam import Sees, Viewer
from tests.projections.cheat_eyes import (
    COMBINATIONS,
    Redact,
    answer,
    any_action,
    faces,
    match,
    twins,
    viewers,
    watched,
)

SOME = range(0, len(COMBINATIONS), 11)
EVERY = sorted(range(len(COMBINATIONS)), key=lambda number: COMBINATIONS[number].hand == "all")  # stocks first: rarer
NAMES = ("Anna", "Ben", "Cara", "Dan", "Emil", "Flo")


def name(seat: Seat) -> str:
    return NAMES[seat]


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole: who adds a field to it must think of that here."""
    assert CheatTurn.__struct_fields__ == ("seat", "rank", "until", "left", "proposed")


def told_wrongly(told: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """A field that is told otherwise than the table says; None: there is none."""
    for number in numbers:
        for step in match(number):
            for event, viewer in product(step.events, viewers(step.before)):
                tag, seen = str(event.__struct_config__.tag), told(event, viewer)
                for field, sees in FIELDS[tag].items():
                    if getattr(seen, field) != _as_told(event, field, sees, viewer):
                        return f"{number} {viewer} {tag}.{field}"
    return None


def _as_told(event: Event, field: str, sees: Sees, viewer: Viewer) -> Any:
    value = getattr(event, field)
    match sees:
        case Sees.ALL:
            return value
        case Sees.NOBODY:
            return face_down(value)
        case Sees.ACTOR:
            return value if getattr(event, "seat") == viewer else face_down(value)  # noqa: B009
        case Sees.OWN:
            return tuple(hand if seat == viewer else face_down(hand) for seat, hand in enumerate(value))


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.4"""
    assert told_wrongly(redact) is None


def test_every_field_with_cards_is_somebodys_secret_but_what_a_challenge_showed() -> None:
    """12.1, 12.3: a new field of cards that all may see would have to be named here."""
    open_cards = set()
    for number in SOME:
        for step in match(number):
            for event in step.events:
                tag = str(event.__struct_config__.tag)
                open_cards |= {
                    f"{tag}.{field}"
                    for field, sees in FIELDS[tag].items()
                    if sees is Sees.ALL and faces(getattr(event, field))
                }

    assert open_cards == {"cheat.challenged.cards"}


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert {type(e) for number in SOME for step in match(number) for e in step.events} == set(get_args(Event))


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def leak(told: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """Where a viewer could tell a match from its twin; None: nowhere."""
    luck = Random(1)
    exchanged = 0
    for number in numbers:
        steps = match(number)
        for viewer in viewers(steps[0].before):
            for pair in twins(steps, viewer, redact, luck):
                mine = [told(event, viewer) for event in pair.my_events]
                others = [told(event, viewer) for event in pair.twins_events]
                exchanged += pair.my_events != pair.twins_events
                if msgspec.json.encode(mine) != msgspec.json.encode(others):
                    return f"{number} {viewer} {mine} {others}"
    assert exchanged > 200, "the twins hardly differed"
    return None


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 12.5, 12.6"""
    assert leak(redact) is None


@pytest.mark.parametrize("number", SOME)
def test_nor_can_he_by_asking(number: int) -> None:
    """12.6: the true states refuse his every action for the same reason, and offer and await the same."""
    luck, steps = Random(number), match(number)
    for viewer in map(Seat, range(steps[0].before.seats)):
        for pair in twins(steps, viewer, redact, luck):
            assert offers(pair.mine, viewer) == offers(pair.twins, viewer)
            assert awaits(pair.mine) == awaits(pair.twins)
            if isinstance(awaits(pair.mine), Answers):
                at = steps[-1].command.at if luck.random() < 0.2 else _near(pair.mine, luck)
                command = Command[Action](viewer, at, any_action(pair.mine, luck))
                assert answer(pair.mine, command) == answer(pair.twins, command)


def _near(state: State, luck: Random) -> datetime:
    """A moment at which the House is about to act, or long before."""
    awaited = awaits(state)
    assert isinstance(awaited, Answers)
    assert awaited.until is not None
    return awaited.until - luck.choice(
        (timedelta(0), timedelta(milliseconds=1), timedelta(seconds=luck.uniform(0, 60)))
    )


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


@pytest.mark.parametrize("number", SOME)
def test_refusals_offers_and_who_is_awaited_are_functions_of_the_own_view(number: int) -> None:
    luck = Random(number)
    for seen in watched(match(number), redact):
        true = seen.step.after
        for viewer, own in seen.after.items():
            assert awaits(own) == awaits(true)
            if viewer is None:
                continue
            assert offers(own, viewer) == offers(true, viewer)
            if isinstance(awaits(true), Answers):
                command = Command[Action](viewer, _near(true, luck), any_action(true, luck))
                assert answer(own, command) == answer(true, command)


@pytest.mark.parametrize("number", SOME)
def test_a_view_holds_the_own_hand_and_the_backs_of_the_others(number: int) -> None:
    """12.1, 12.2: counted against the true table."""
    for seen in watched(match(number), redact):
        true = seen.step.after
        for viewer, own in seen.after.items():
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
    for step in match(number):
        for event in step.events:
            for viewer in viewers(step.before):
                told = redact(event, viewer)
                for language in ("en", "de"):
                    sentence = narrate(told, language, name)
                    words = sentence.replace("(", " ").replace(")", " ").replace(",", " ").replace(".", " ").split()
                    assert faces(words) <= faces(told)


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


def _deal_with(**shown: Callable[[Dealt, Viewer], Any]) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event:
        told = redact(event, viewer)
        if isinstance(event, Dealt):
            return replace(told, **{field: value(event, viewer) for field, value in shown.items()})
        return told

    return mutant


def _shows(kind: type[Event], **when: Callable[[Any, Viewer], bool]) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event:
        told = redact(event, viewer)
        if isinstance(event, kind):
            return replace(
                told, **{field: getattr(event, field) for field, shown in when.items() if shown(event, viewer)}
            )
        return told

    return mutant


def _everybody(event: Any, viewer: Viewer) -> bool:
    return True


def _first_of_next(event: Dealt, viewer: Viewer) -> Any:
    told = redact(event, viewer)
    assert isinstance(told, Dealt)
    if viewer is None:
        return told.hands
    neighbour = (viewer + 1) % len(event.hands)
    peeked = (event.hands[neighbour][:1] + told.hands[neighbour][1:]) if event.hands[neighbour] else ()
    return (*told.hands[:neighbour], peeked, *told.hands[neighbour + 1 :])


MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "deals with open hands": _deal_with(hands=lambda event, viewer: event.hands),
    "lets one peek at his neighbour's first card": _deal_with(hands=_first_of_next),
    "lets spectators see the hands": _shows(Dealt, hands=lambda event, viewer: viewer is None),
    "shows the stock": _shows(Dealt, stock=_everybody),
    "shows what takes no part": _shows(Dealt, away=_everybody),
    "shows claims to all": _shows(Claimed, cards=_everybody),
    "shows claims to spectators": _shows(Claimed, cards=lambda event, viewer: viewer is None),
    "shows last plays": _shows(Claimed, cards=lambda event, viewer: event.turn is None),
    "shows single cards": _shows(Claimed, cards=lambda event, viewer: len(event.cards) == 1),
    "shows the pile to who sits next": _shows(PileTaken, cards=lambda event, viewer: viewer == event.seat - 1),
    "shows drawn cards": _shows(Drawn, cards=_everybody),
    "shows what is shuffled in": _shows(Drawn, from_pile=lambda event, viewer: viewer == event.seat),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(MUTANTS[mutant], EVERY) is not None
    assert leak(MUTANTS[mutant], EVERY) is not None


@pytest.mark.parametrize("kind, field", [(Dealt, "hands"), (Claimed, "cards"), (PileTaken, "cards"), (Drawn, "cards")])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event], field: str) -> None:
    def mutant(event: Event, viewer: Viewer) -> Event:
        if not isinstance(event, kind):
            return redact(event, viewer)
        value = getattr(event, field)
        hidden = tuple(map(face_down, value)) if field == "hands" else face_down(value)
        return replace(redact(event, viewer), **{field: hidden})

    assert told_wrongly(mutant) is not None
