"""No viewer is ever told a die that he has no right to see; and what tells that is itself tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from random import Random
from typing import Any, get_args

import msgspec
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
from domain.games.liars_dice.house import awaits
from domain.games.liars_dice.ladder import Dice, makes
from domain.games.liars_dice.offers import offers
from domain.games.liars_dice.state import State, ToAnswer
from domain.kernel.cards import BACK, face_down
from domain.kernel.game import Answers, Command, Seat
from domain.kernel.offers import Offer
from projections.narration.liars_dice import narrate
from projections.views.liars_dice import FIELDS, redact, view
from projections.views.seam import Sees, Viewer
from tests.any_game import eyes
from tests.projections.liars_dice_eyes import NUMBERS, Redact, answer, any_action, match, twins

NAMES = ("Anna", "Ben", "Cara", "Dan", "Emil", "Flo")


def name(seat: Seat) -> str:
    return NAMES[seat]


def viewers(number: int) -> tuple[Viewer, ...]:
    return eyes(match(number)[0].before.seats)


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole: who adds a field to it must think of that here."""
    assert LiarsDiceTurn.__struct_fields__ == ("seat", "beats", "until", "left")


def test_only_dice_are_secret_and_only_a_challenge_tells_all_of_them() -> None:
    """12.1, 12.3"""
    secret = {f"{tag}.{field}" for tag, fields in FIELDS.items() for field, sees in fields.items() if sees != Sees.ALL}
    dice = {f"{kind.__struct_config__.tag}.dice" for kind in get_args(Event) if "dice" in kind.__struct_fields__}

    assert secret == dice - {"liars_dice.challenged.dice"}


def told_wrongly(told: Redact, numbers: Iterable[int] = NUMBERS) -> str | None:
    """A field that is told otherwise than the table says; None: there is none."""
    for number in numbers:
        for step in match(number):
            for event in step.events:
                for viewer in viewers(number):
                    tag, seen = str(event.__struct_config__.tag), told(event, viewer)
                    for field, sees in FIELDS[tag].items():
                        value = getattr(event, field)
                        hidden = sees is Sees.ACTOR and event.seat != viewer
                        if getattr(seen, field) != (face_down(value) if hidden else value):
                            return f"{number} {viewer} {tag}.{field}"
    return None


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.4"""
    assert told_wrongly(redact) is None


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert {type(e) for number in NUMBERS for step in match(number) for e in step.events} == set(get_args(Event))


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def leak(told: Redact, numbers: Iterable[int] = NUMBERS) -> str | None:
    """Where a viewer could tell a match from its twin; None: nowhere."""
    luck, differed = Random(1), 0
    for number in numbers:
        for viewer in viewers(number):
            for pair in twins(match(number), viewer, luck):
                mine = [told(event, viewer) for event in pair.my_events]
                others = [told(event, viewer) for event in pair.twins_events]
                differed += pair.my_events != pair.twins_events
                if msgspec.json.encode(mine) != msgspec.json.encode(others):
                    return f"{number} {viewer} {mine} {others}"
    assert differed > 200, "the twins hardly differed"
    return None


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 8.3: neither dice that stood, nor which ones another threw anew."""
    assert leak(redact) is None


Offers = Callable[[State, Seat], tuple[Offer, ...]]


def offers_leak(offered: Offers, numbers: Iterable[int] = NUMBERS) -> str | None:
    """Where a seat is offered something because of dice that it cannot see; None: nowhere."""
    luck = Random(2)
    for number in numbers:
        for viewer in viewers(number)[:-1]:
            assert viewer is not None
            for pair in twins(match(number), viewer, luck):
                if offered(pair.mine, viewer) != offered(pair.twins, viewer):
                    return f"{number} {viewer}"
    return None


def test_nor_by_what_he_is_offered() -> None:
    """12.3"""
    assert offers_leak(offers) is None


@pytest.mark.parametrize("number", NUMBERS)
def test_nor_by_asking(number: int) -> None:
    """12.3: the true tables refuse his every action for the same reason, and wait for the same seats."""
    luck = Random(number)
    for viewer in viewers(number)[:-1]:
        assert viewer is not None
        for pair in twins(match(number), viewer, luck):
            awaited = awaits(pair.mine)
            assert awaited == awaits(pair.twins)
            if isinstance(awaited, Answers) and awaited.until is not None:
                command = Command(viewer, _near(awaited.until, luck), any_action(pair.mine, luck))
                assert answer(pair.mine, command) == answer(pair.twins, command)


def _near(until: datetime, luck: Random) -> datetime:
    """A moment at which the House is about to act, or long before."""
    return until - luck.choice((timedelta(0), timedelta(milliseconds=1), timedelta(seconds=luck.uniform(0, 60))))


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


@pytest.mark.parametrize("number", NUMBERS)
def test_refusals_offers_and_who_is_awaited_are_functions_of_the_own_view(number: int) -> None:
    luck = Random(number)
    for step in match(number):
        awaited = awaits(step.after)
        for viewer, own in step.seen.items():
            assert awaits(own) == awaited
            if viewer is None:
                continue
            assert offers(own, viewer) == offers(step.after, viewer)
            if isinstance(awaited, Answers) and awaited.until is not None:
                command = Command(viewer, _near(awaited.until, luck), any_action(step.after, luck))
                assert answer(own, command) == answer(step.after, command)


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
            for viewer in viewers(number):
                told = redact(event, viewer)
                for language in ("en", "de"):
                    sentence = narrate(told, language, name)
                    if not isinstance(event, Challenged):
                        shown = sentence.partition("(")[2].partition(")")[0].split()
                        assert tuple(shown) in ((), getattr(told, "dice", ()))
                    assert BACK not in sentence


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


def _shows(kind: type[Event], to: Callable[[Any, Viewer], bool]) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event:
        told = redact(event, viewer)
        if isinstance(event, kind) and to(event, viewer):
            return replace(told, dice=getattr(event, "dice"))  # noqa: B009
        return told

    return mutant


def _first_die(event: Event, viewer: Viewer) -> Event:
    told = redact(event, viewer)
    if isinstance(event, Rolled) and isinstance(told, Rolled):
        return replace(told, dice=(event.dice[0], *told.dice[1:]))
    return told


def _sorts_open(event: Event, viewer: Viewer) -> Event:
    """Hides the faces, but not where a six lies."""
    told = redact(event, viewer)
    if isinstance(event, Rolled) and event.seat != viewer:
        return replace(told, dice=tuple(die if die == "6" else BACK for die in event.dice))
    return told


MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "shows throws to who looks on": _shows(Rolled, lambda event, viewer: viewer is None),
    "shows throws to who sits next": _shows(Rolled, lambda event, viewer: viewer == event.seat + 1),
    "shows the first die": _first_die,
    "shows sixes": _sorts_open,
    "shows dice that are handed on to all": _shows(DiceTaken, lambda event, viewer: True),
    "shows dice that are handed on to who looks on": _shows(DiceTaken, lambda event, viewer: viewer is None),
    "shows which dice are thrown anew": _shows(RerollAsked, lambda event, viewer: True),
    "shows who gave the dice what became of them": _shows(Rerolled, lambda event, viewer: viewer == event.seat - 1),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(MUTANTS[mutant]) is not None
    assert leak(MUTANTS[mutant]) is not None


@pytest.mark.parametrize("kind", [Rolled, DiceTaken, RerollAsked, Rerolled, Challenged])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event]) -> None:
    def mutant(event: Event, viewer: Viewer) -> Event:
        told = redact(event, viewer)
        dice: Dice = getattr(told, "dice", ())
        return replace(told, dice=face_down(dice)) if isinstance(told, kind) else told

    assert told_wrongly(mutant) is not None


def _only_lies_can_be_doubted(state: State, seat: Seat) -> tuple[Offer, ...]:
    true = isinstance(state.phase, ToAnswer) and makes(state.dice, state.phase.claim)
    return tuple(offer for offer in offers(state, seat) if not true or offer.type != "liars_dice.challenge")


def _no_time_for_good_dice(state: State, seat: Seat) -> tuple[Offer, ...]:
    return tuple(replace(offer, until=None) if "6" in state.dice else offer for offer in offers(state, seat))


@pytest.mark.parametrize("mutant", [_only_lies_can_be_doubted, _no_time_for_good_dice])
def test_offers_that_know_too_much_are_caught(mutant: Offers) -> None:
    assert offers_leak(mutant) is not None
