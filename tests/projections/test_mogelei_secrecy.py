"""No viewer is ever told a card that he has not been shown, nor who has laid; and what tells that is itself tested."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import product
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogelei import deck
from domain.games.mogelei.actions import Action
from domain.games.mogelei.events import AllLaid, Dealt, Event, Laid, MogeleiHidden, MogeleiTurn, PileKept
from domain.games.mogelei.house import awaits
from domain.games.mogelei.offers import offers
from domain.games.mogelei.state import State, ToLay, ToReveal
from domain.kernel.cards import BACK, face_down
from domain.kernel.game import HOUSE, Answers, Command, Seat
from domain.kernel.offers import Offer, OneOf
from projections.narration.mogelei import narrate
from projections.views.mogelei import FIELDS, redact, view
from projections.views.seam import Sees, Viewer
from tests.projections.mogelei_eyes import (
    Redact,
    answer,
    any_action,
    faces,
    laid_by_others,
    laying_otherwise,
    match,
    told,
    twins,
    viewers,
    watched,
)

SOME = range(12)
NAMES = ("Anna", "Ben", "Cara", "Dan", "Emil", "Flo")


def name(seat: Seat) -> str:
    return NAMES[seat]


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole, and so is a card shown at the end: who adds a field must think of that here."""
    assert MogeleiTurn.__struct_fields__ == ("seat", "until")
    assert MogeleiHidden.__struct_fields__ == ("pass_id", "seat", "card")


def told_wrongly(telling: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """A field that is told otherwise than the table says; None: there is none."""
    for number in numbers:
        for step in match(number):
            for event, viewer in product(step.events, viewers(step.before)):
                tag, seen = str(event.__struct_config__.tag), telling(event, viewer)
                fields = FIELDS[tag]
                if set(fields.values()) == {Sees.ACTOR} and getattr(event, "seat") != viewer:  # noqa: B009
                    if seen is not None:  # nothing of it is anybody else's: he is not told at all
                        return f"{number} {viewer} {tag}"
                    continue
                for field, sees in fields.items():
                    if seen is None or getattr(seen, field) != _as_told(event, field, sees, viewer):
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
            return tuple(held if seat == viewer else face_down(held) for seat, held in enumerate(value))


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.4, 12.5"""
    assert told_wrongly(redact) is None


def test_cards_that_all_are_told_were_shown_to_all() -> None:
    """12.3: a new field of cards that all may see would have to be named here."""
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

    assert open_cards == {"mogelei.revealed.card", "mogelei.doubted.card", "mogelei.round_ended.hidden"}


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert {type(e) for number in SOME for step in match(number) for e in step.events} == set(get_args(Event))


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def leak(telling: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """Where a viewer could tell a match from its twin; None: nowhere."""
    luck = Random(1)
    exchanged = 0
    for number in numbers:
        steps = match(number)
        for viewer in viewers(steps[0].before):
            for pair in twins(steps, viewer, redact, luck):
                mine = told(pair.my_events, viewer, telling)
                others = told(pair.twins_events, viewer, telling)
                exchanged += pair.my_events != pair.twins_events
                if msgspec.json.encode(mine) != msgspec.json.encode(others):
                    return f"{number} {viewer} {mine} {others}"
    assert exchanged > 200, "the twins hardly differed"
    return None


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 12.6: whether a hidden card is a lie, too, for some twins exchange colours."""
    assert leak(redact) is None


def test_twins_exchange_lies_for_truths() -> None:
    """Else the test above would say less than it does."""
    luck, exchanged = Random(1), 0
    for number in SOME:
        steps = match(number)
        for viewer in viewers(steps[0].before):
            for pair in twins(steps, viewer, redact, luck):
                for mine, other in zip(pair.mine.played, pair.twins.played, strict=True):
                    exchanged += deck.colour(mine.card) != deck.colour(other.card)

    assert exchanged > 20


def tells_who_lays(telling: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """Where a viewer could tell, before all are in, that the others lay in another order or at other times."""
    luck, compared = Random(2), 0
    for number in numbers:
        steps = match(number)
        for viewer in viewers(steps[0].before):
            for mine, again in laying_otherwise(steps, viewer, luck):
                frames = [
                    [(at, seen) for at, event in laid if (seen := telling(event, viewer)) is not None]
                    for laid in (mine, again)
                ]
                compared += mine != again
                if msgspec.json.encode(frames[0]) != msgspec.json.encode(frames[1]):
                    return f"{number} {viewer} {frames}"
    assert compared > 500, "the orders hardly differed"
    return None


def test_while_all_lay_nobody_can_tell_in_which_order_or_when() -> None:
    """4.3: not by what he is told, nor by how often, nor by its time."""
    assert tells_who_lays(redact) is None


@pytest.mark.parametrize("number", SOME)
def test_nor_by_asking_nor_by_what_he_is_offered(number: int) -> None:
    """4.3, 11.5: whoever of the others has laid, the true state refuses and offers the same."""
    luck, seen_laying = Random(number), 0
    for seen in watched(match(number), redact):
        state = seen.step.after
        if not isinstance(state.phase, ToLay):
            continue
        for viewer, own in seen.after.items():
            if viewer is None or viewer in state.left:
                continue
            other = laid_by_others(state, viewer, [luck.random() < 0.5 for _ in state.present])
            seen_laying += 1
            assert offers(state, viewer) == offers(other, viewer) == offers(own, viewer)
            command = Command[Action](viewer, _near(state, luck), any_action(state, luck))
            assert answer(state, command) == answer(other, command) == answer(own, command)
    assert seen_laying >= 60


@pytest.mark.parametrize("number", SOME)
def test_nor_can_a_viewer_tell_twins_apart_by_asking(number: int) -> None:
    """12.3: the true states refuse his every action for the same reason, and offer and await the same."""
    luck, steps = Random(number), match(number)
    for viewer in map(Seat, range(steps[0].before.seats)):
        for pair in twins(steps, viewer, redact, luck):
            assert offers(pair.mine, viewer) == offers(pair.twins, viewer)
            assert awaits(pair.mine) == awaits(pair.twins)
            if isinstance(awaits(pair.mine), Answers):
                command = Command[Action](viewer, _near(pair.mine, luck), any_action(pair.mine, luck))
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
def test_who_is_awaited_is_told_to_all_but_not_who_has_laid(number: int) -> None:
    """4.3: while all lay, everybody is told to be awaited, except that a seat knows that it has laid itself."""
    for seen in watched(match(number), redact):
        true = seen.step.after
        for viewer, own in seen.after.items():
            if isinstance(true.phase, ToLay):
                has_laid = viewer is not None and true.phase.laid[viewer]
                expected = tuple(seat for seat in true.present if seat != viewer or not has_laid)
                assert awaits(own) == Answers(expected, true.phase.until)
            else:
                assert awaits(own) == awaits(true)


def answers_otherwise(asking: Callable[[State, Seat], tuple[Offer, ...]], numbers: Iterable[int] = SOME) -> str | None:
    """Where a seat is offered, or refused, what does not follow from its own view; None: nowhere."""
    luck = Random(3)
    for number in numbers:
        for seen in watched(match(number), redact):
            true = seen.step.after
            for viewer, own in seen.after.items():
                if viewer is None:
                    continue
                if asking(own, viewer) != asking(true, viewer):
                    return f"{number} {viewer} {asking(own, viewer)} {asking(true, viewer)}"
                if isinstance(awaits(true), Answers):
                    command = Command[Action](viewer, _near(true, luck), any_action(true, luck))
                    assert answer(own, command) == answer(true, command)
    return None


def test_refusals_and_offers_are_functions_of_the_own_view() -> None:
    assert answers_otherwise(offers) is None


@pytest.mark.parametrize("number", SOME)
def test_a_view_holds_what_is_ones_own_and_the_backs_of_the_others(number: int) -> None:
    """12.1, 12.2, 12.4: counted against the true table."""
    for seen in watched(match(number), redact):
        true = seen.step.after
        for viewer, own in seen.after.items():
            assert [len(hand) for hand in own.hands] == [len(hand) for hand in true.hands]
            assert [len(pile) for pile in own.kept] == [len(pile) for pile in true.kept]
            assert (len(own.away), own.eggs, own.points) == (len(true.away), true.eggs, true.points)
            for seat in range(true.seats):
                if seat == viewer:
                    assert (own.hands[seat], own.kept[seat]) == (true.hands[seat], true.kept[seat])
                else:
                    assert {*own.hands[seat], *own.kept[seat]} <= {BACK}
            shown = view(own, viewer)
            may_see = set() if viewer is None else {*true.hands[viewer], *true.kept[viewer]}
            may_see |= {it.card for it in true.played if it.shown or it.seat == viewer}
            assert faces(shown) <= may_see | faces(true.last_round)
            if viewer is not None:
                assert set(shown.own_pile) == set(true.kept[viewer])
                assert shown.own_fried == deck.fried(true.kept[viewer])


@pytest.mark.parametrize("number", SOME)
def test_a_sentence_tells_no_card_that_its_hearer_was_not_told(number: int) -> None:
    """12.3"""
    german = {"Schwarz": "black", "Rot": "red", "Gelb": "yellow", "Blau": "blue"}
    for step in match(number):
        for viewer in viewers(step.before):
            for event in told(step.events, viewer, redact):
                for language in ("en", "de"):
                    words = re.findall(r"(\w+) (\d+)", narrate(event, language, name))
                    spoken = {german.get(colour, colour) + value for colour, value in words} & set(deck.pack(8))
                    assert spoken <= faces(event)


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


def _shows(kind: type[Event], **when: Callable[[Any, Viewer], bool]) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        seen = redact(event, viewer)
        if isinstance(event, kind) and seen is not None:
            return replace(
                seen, **{field: getattr(event, field) for field, shown in when.items() if shown(event, viewer)}
            )
        return seen

    return mutant


def _everybody(event: Any, viewer: Viewer) -> bool:
    return True


def _spectators(event: Any, viewer: Viewer) -> bool:
    return viewer is None


def _peeks(field: str) -> Redact:
    """Shows each seat what its left neighbour has."""

    def mutant(event: Event, viewer: Viewer) -> Event | None:
        seen = redact(event, viewer)
        if not isinstance(event, Dealt | AllLaid) or viewer is None or not hasattr(event, field):
            return seen
        true, shown = getattr(event, field), list(getattr(seen, field))
        neighbour = (viewer + 1) % len(true)
        shown[neighbour] = true[neighbour][:1] + shown[neighbour][1:]
        assert seen is not None
        return replace(seen, **{field: tuple(shown)})

    return mutant


def _laid_as(change: Callable[[Laid], Laid]) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        return change(event) if isinstance(event, Laid) and event.seat != viewer else redact(event, viewer)

    return mutant


CARD_MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "deals with open hands": _shows(Dealt, hands=_everybody),
    "lets one peek at his neighbour's first card": _peeks("hands"),
    "lets spectators see the hands": _shows(Dealt, hands=_spectators),
    "shows what is laid when all are in": _shows(AllLaid, cards=_everybody),
    "shows what is laid to spectators": _shows(AllLaid, cards=_spectators),
    "shows one's neighbour's card when all are in": _peeks("cards"),
    "tells at once what is laid": _laid_as(lambda event: event),
    "shows who keeps what to all": _shows(PileKept, cards=_everybody),
    "shows who keeps what to spectators": _shows(PileKept, cards=_spectators),
    "shows small piles": _shows(PileKept, cards=lambda event, viewer: len(event.cards) < 7),
}

LAYING_MUTANTS: dict[str, Redact] = {
    "tells who has laid": _laid_as(lambda event: replace(event, card=BACK)),
    "tells that somebody has laid": _laid_as(lambda event: replace(event, card=BACK, seat=HOUSE)),
    "tells spectators who has laid": lambda event, viewer: event if viewer is None else redact(event, viewer),
}


@pytest.mark.parametrize("mutant", CARD_MUTANTS)
def test_a_redaction_that_shows_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(CARD_MUTANTS[mutant]) is not None
    assert leak(CARD_MUTANTS[mutant]) is not None


@pytest.mark.parametrize("mutant", LAYING_MUTANTS)
def test_a_redaction_that_tells_of_laying_is_caught_twice(mutant: str) -> None:
    """By the table, and by other orders and times."""
    assert told_wrongly(LAYING_MUTANTS[mutant]) is not None
    assert tells_who_lays(LAYING_MUTANTS[mutant]) is not None


def test_a_redaction_that_shows_what_takes_no_part_is_caught() -> None:
    """Only stacked deals have such cards."""
    assert told_wrongly(_shows(Dealt, away=_everybody)) is not None
    assert leak(_shows(Dealt, away=_everybody), (*SOME, 17, 23)) is not None


@pytest.mark.parametrize("kind, field", [(Dealt, "hands"), (AllLaid, "cards"), (PileKept, "cards")])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event], field: str) -> None:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        seen = redact(event, viewer)
        if not isinstance(event, kind) or seen is None:
            return seen
        value = getattr(event, field)
        return replace(
            seen, **{field: face_down(value) if isinstance(event, PileKept) else tuple(map(face_down, value))}
        )

    assert told_wrongly(mutant) is not None


def _doubts_only_lies(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Leaves out whom to doubt would be wrong, which only the true state knows."""

    def kept(offer: Offer) -> Offer:
        of = offer.fields.get("seat")
        if offer.type != "mogelei.doubt" or not isinstance(of, OneOf):
            return offer
        lying = ((it, state.lying(Seat(int(it)))) for it in of.one_of)
        liars = tuple(it for it, card in lying if card is not None and deck.colour(card.card) == state.colour)
        return replace(offer, fields=offer.fields | {"seat": OneOf(liars)})

    return tuple(map(kept, offers(state, seat)))


def _lays_after_the_others(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Nobody lays first."""
    phase = state.phase
    waits = isinstance(phase, ToLay) and not any(phase.laid)
    return () if waits else offers(state, seat)


def _shows_when_somebody_lies(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Shows are offered only where another hidden card is of the colour."""
    if isinstance(state.phase, ToReveal) and not any(
        deck.colour(it.card) == state.colour for it in state.played if it.seat != seat
    ):
        return tuple(offer for offer in offers(state, seat) if offer.type != "mogelei.reveal")
    return offers(state, seat)


@pytest.mark.parametrize("mutant", [_doubts_only_lies, _lays_after_the_others, _shows_when_somebody_lies])
def test_offers_that_know_too_much_are_caught(mutant: Callable[[State, Seat], tuple[Offer, ...]]) -> None:
    assert answers_otherwise(mutant) is not None
