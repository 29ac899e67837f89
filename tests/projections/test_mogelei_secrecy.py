"""No viewer is ever told a card that he has not been shown, nor who has laid; and what tells that is itself tested."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogelei import deck
from domain.games.mogelei.events import AllLaid, Dealt, Event, Laid, MogeleiHidden, MogeleiTurn, PileKept
from domain.games.mogelei.house import awaits
from domain.games.mogelei.offers import offers
from domain.games.mogelei.state import State, ToLay, ToReveal
from domain.kernel.cards import BACK
from domain.kernel.game import HOUSE, Answers, Awaits, Command, Seat
from domain.kernel.offers import Offer, OneOf
from projections.views.mogelei import FIELDS, MOGELEI_VIEW, redact, view
from projections.views.seam import Viewer
from tests.any_game import answer
from tests.projections import secrecy
from tests.projections.mogelei_eyes import (
    any_action,
    faces,
    laid_by_others,
    laying_otherwise,
    looked_at,
    match,
    twins,
)
from tests.projections.secrecy import (
    Redact,
    betrayed,
    beyond_sight,
    everybody,
    hides,
    kinds,
    leak,
    near,
    open_cards,
    overheard,
    pairs,
    peeks,
    spectators,
    told_wrongly,
)

SOME = range(12)
GAME = MOGELEI_VIEW.game


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole, and so is a card shown at the end: who adds a field must think of that here."""
    assert MogeleiTurn.__struct_fields__ == ("seat", "until")
    assert MogeleiHidden.__struct_fields__ == ("pass_id", "seat", "card")


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.4, 12.5"""
    assert told_wrongly(FIELDS, redact, map(match, SOME)) is None


def test_cards_that_all_are_told_were_shown_to_all() -> None:
    """12.3: a new field of cards that all may see would have to be named here."""
    assert open_cards(FIELDS, map(match, SOME), faces) == {
        "mogelei.revealed.card",
        "mogelei.doubted.card",
        "mogelei.round_ended.hidden",
    }


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert kinds(map(match, SOME)) == set(get_args(Event))


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 12.6: whether a hidden card is a lie, too, for some twins exchange colours."""
    assert leak(redact, pairs(map(match, SOME), twins)) is None


def test_twins_exchange_lies_for_truths() -> None:
    """Else the test above would say less than it does."""
    exchanged = 0
    for _, pair in pairs(map(match, SOME), twins):
        for mine, other in zip(pair.mine.played, pair.twins.played, strict=True):
            exchanged += deck.colour(mine.card) != deck.colour(other.card)

    assert exchanged > 20


def tells_who_lays(telling: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """Where a viewer could tell, before all are in, that the others lay in another order or at other times."""
    luck, compared = Random(2), 0
    for number in numbers:
        steps = match(number)
        for viewer in steps[0].seen:
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
    for step in looked_at(number):
        state = step.after
        if not isinstance(state.phase, ToLay):
            continue
        for viewer, own in step.seen.items():
            if viewer is None or viewer in state.left:
                continue
            other = laid_by_others(state, viewer, [luck.random() < 0.5 for _ in state.present])
            seen_laying += 1
            assert offers(state, viewer) == offers(other, viewer) == offers(own, viewer)
            command = Command(viewer, near(GAME, state, step.command.at, luck), any_action(state, luck))
            assert answer(GAME, state, command) == answer(GAME, other, command) == answer(GAME, own, command)
    assert seen_laying >= 60


@pytest.mark.parametrize("number", SOME)
def test_nor_can_a_viewer_tell_twins_apart_by_asking(number: int) -> None:
    """12.3: the true states refuse his every action for the same reason, and offer and await the same."""
    assert betrayed(GAME, pairs([match(number)], twins), any_action, Random(number)) is None


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


def awaited(true: State, viewer: Viewer) -> Awaits:
    """While all lay, everybody is told that all are awaited, except that a seat knows that it has laid itself."""
    if not isinstance(true.phase, ToLay):
        return awaits(true)
    has_laid = viewer is not None and true.phase.laid[viewer]
    return Answers(tuple(seat for seat in true.present if seat != viewer or not has_laid), true.phase.until)


def test_refusals_offers_and_who_is_awaited_are_functions_of_the_own_view() -> None:
    """4.3: who is awaited is told to all, but not who has laid."""
    assert beyond_sight(GAME, map(looked_at, SOME), any_action, Random(3), awaited) is None


@pytest.mark.parametrize("number", SOME)
def test_a_view_holds_what_is_ones_own_and_the_backs_of_the_others(number: int) -> None:
    """12.1, 12.2, 12.4: counted against the true table."""
    for step in looked_at(number):
        true = step.after
        for viewer, own in step.seen.items():
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
    assert overheard(MOGELEI_VIEW, [match(number)], in_words, faces) is None


def in_words(sentence: str) -> frozenset[str]:
    """Cards as both languages say them."""
    german = {"Schwarz": "black", "Rot": "red", "Gelb": "yellow", "Blau": "blue"}
    return frozenset(german.get(colour, colour) + value for colour, value in re.findall(r"(\w+) (\d+)", sentence))


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


shows = partial(secrecy.shows, redact)


def _laid_as(change: Callable[[Laid], Laid]) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        return change(event) if isinstance(event, Laid) and event.seat != viewer else redact(event, viewer)

    return mutant


CARD_MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "deals with open hands": shows(Dealt, hands=everybody),
    "lets one peek at his neighbour's first card": peeks(redact, Dealt, "hands"),
    "lets spectators see the hands": shows(Dealt, hands=spectators),
    "shows what is laid when all are in": shows(AllLaid, cards=everybody),
    "shows what is laid to spectators": shows(AllLaid, cards=spectators),
    "shows one's neighbour's card when all are in": peeks(redact, AllLaid, "cards"),
    "tells at once what is laid": _laid_as(lambda event: event),
    "shows who keeps what to all": shows(PileKept, cards=everybody),
    "shows who keeps what to spectators": shows(PileKept, cards=spectators),
    "shows small piles": shows(PileKept, cards=lambda event, viewer: len(event.cards) < 7),
}

LAYING_MUTANTS: dict[str, Redact] = {
    "tells who has laid": _laid_as(lambda event: replace(event, card=BACK)),
    "tells that somebody has laid": _laid_as(lambda event: replace(event, card=BACK, seat=HOUSE)),
    "tells spectators who has laid": lambda event, viewer: event if viewer is None else redact(event, viewer),
}


@pytest.mark.parametrize("mutant", CARD_MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(FIELDS, CARD_MUTANTS[mutant], map(match, SOME)) is not None
    assert leak(CARD_MUTANTS[mutant], pairs(map(match, SOME), twins)) is not None


@pytest.mark.parametrize("mutant", LAYING_MUTANTS)
def test_a_redaction_that_tells_of_laying_is_caught_twice(mutant: str) -> None:
    """By the table, and by other orders and times."""
    assert told_wrongly(FIELDS, LAYING_MUTANTS[mutant], map(match, SOME)) is not None
    assert tells_who_lays(LAYING_MUTANTS[mutant]) is not None


def test_a_redaction_that_shows_what_takes_no_part_is_caught() -> None:
    """Only stacked deals have such cards."""
    assert told_wrongly(FIELDS, shows(Dealt, away=everybody), map(match, SOME)) is not None
    assert leak(shows(Dealt, away=everybody), pairs(map(match, (*SOME, 17, 23)), twins)) is not None


@pytest.mark.parametrize("kind, field", [(Dealt, "hands"), (AllLaid, "cards"), (PileKept, "cards")])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event], field: str) -> None:
    assert told_wrongly(FIELDS, hides(redact, kind, field), map(match, SOME)) is not None


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
    assert beyond_sight(replace(GAME, offers=mutant), map(looked_at, SOME), any_action, Random(3), awaited) is not None
