"""No viewer is told a card before it is shown to him, or anything of a lay before all lie there; and the guards of
that are tested themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import permutations, product
from random import Random
from typing import Final, get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogler.events import (
    Caught,
    Dealt,
    Drawn,
    Event,
    MoglerScore,
    MoglerTurn,
    OpeningLaid,
    TrickCard,
)
from domain.games.mogler.evolve import evolve
from domain.games.mogler.house import awaits
from domain.games.mogler.offers import offers
from domain.games.mogler.state import Opening, State, begin
from domain.kernel.cards import BACK, face_down
from domain.kernel.game import Answers, Awaits, Command, HouseNow, Seat, fold
from domain.kernel.offers import Offer
from projections.views.mogler import FIELDS, MOGLER_VIEW, redact, view
from projections.views.seam import Viewer
from tests.any_game import answer
from tests.domain.at_table import later
from tests.domain.mogler.table import ANNA, BEN, CARA, DAN, PACE, after, dealt, lays
from tests.domain.mogler.table import told as happens
from tests.projections import secrecy
from tests.projections.mogler_eyes import any_action, faces, match, rounds, twins
from tests.projections.secrecy import (
    Redact,
    betrayed,
    beyond_sight,
    everybody,
    heard,
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

SOME: Final = range(16)
GAME: Final = MOGLER_VIEW.game
numbers = pytest.mark.parametrize("number", SOME)

# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn, a card in a trick and a score are told to all, whole: who adds a field to one must think of that."""
    assert MoglerTurn.__struct_fields__ == ("seat", "until")
    assert TrickCard.__struct_fields__ == ("seat", "card")
    assert MoglerScore.__struct_fields__ == ("suit_tricks", "trump_tricks", "mogelstich", "no_trick")


def test_fields_are_told_as_the_table_says() -> None:
    """11.1, 11.2"""
    assert told_wrongly(FIELDS, redact, map(match, SOME)) is None


def test_every_field_with_cards_is_somebodys_secret_but_what_lies_open_on_the_table() -> None:
    """11.1: a new field of cards that all may see would have to be named here."""
    assert open_cards(FIELDS, map(match, SOME), faces) == {
        "mogler.opening_turned.lays",
        "mogler.s_discarded.card",
        "mogler.played.card",
        "mogler.caught.card",
        "mogler.caught.hand",
        "mogler.trick_taken.plays",
        "mogler.round_over.shown",
    }


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert kinds(map(match, SOME)) == set(get_args(Event))


# ── two rounds that a viewer cannot tell apart ──────────────────────────────────────────────────


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """11.2, 11.4"""
    assert leak(redact, pairs(rounds(SOME), twins)) is None


Offers = Callable[[State, Seat], tuple[Offer, ...]]


def test_nor_can_he_by_asking() -> None:
    """11.2: the true states offer, await and refuse the same."""
    assert betrayed(GAME, pairs(rounds(SOME), twins), any_action, Random(2)) is None


OFFERS: dict[str, Offers] = {
    "offers to draw only where the draw pile holds an ace": lambda state, seat: tuple(
        offer for offer in offers(state, seat) if offer.type != "mogler.s_draw" or any("A" in c for c in state.stock)
    ),
    "gives less time where another could win": lambda state, seat: tuple(
        replace(offer, until=None) if any("AS" in hand for hand in state.hands) else offer
        for offer in offers(state, seat)
    ),
    "offers all that the table holds": lambda state, seat: tuple(
        Offer(offer.type, {}, until=offer.until) if "AS" in state.stock else offer for offer in offers(state, seat)
    ),
}


@pytest.mark.parametrize("mutant", OFFERS)
def test_offers_that_look_into_other_hands_are_caught(mutant: str) -> None:
    game = replace(GAME, offers=OFFERS[mutant])

    assert betrayed(game, pairs(rounds(SOME), twins), any_action, Random(2)) is not None


# ── the first lead: nothing before all are in ───────────────────────────────────────────────────

HANDS = ("2C 3C 4C 5C 6C 7C 8C", "2D 3D 4D 5D 6D 7D 8D", "2H 3H 4H 5H 6H 7H 8H", "2S 3S 4S 5S 6S 7S 8S")


class Eyes:
    """All that one viewer can get out of the match: frames, view, offers, whom it waits for, refusals."""

    def __init__(self, told: Redact, viewer: Viewer, given: State, happened: Iterable[Event]) -> None:
        deal = Dealt(1, given.hands, given.stock, 0, later(60))
        self.frames = heard(told, (deal, *happened), viewer)
        own = fold(evolve, begin(given.options, PACE, given.seats, None), self.frames)
        self.view = view(own, viewer)
        self.awaits = awaits(own)
        self.offers = () if viewer is None else offers(own, viewer)

    def bytes(self) -> bytes:
        return msgspec.json.encode((self.frames, self.view, self.awaits, self.offers))


def betrayed_lay(told: Redact) -> str | None:
    """Where somebody could tell who of the others has laid, in which order, when, or what; None: nowhere."""
    given = dealt(*HANDS)
    for viewer in (ANNA, None):
        others = (BEN, CARA, DAN) if viewer == ANNA else (ANNA, BEN, CARA)
        for own in ((), (lays(ANNA, "3C", at=later(9)),)) if viewer == ANNA else ((),):
            seen = set()
            for count in range(len(others) + (not own)):
                for who in permutations(others, count):
                    for card, at in product((0, 6), (1, 30)):
                        laid = [lays(seat, given.hands[seat][card], at=later(at + n)) for n, seat in enumerate(who)]
                        seen.add(Eyes(told, viewer, given, happens(given, *own, *laid)).bytes())
            if len(seen) != 1:
                return f"{viewer} {own}"
    return None


def test_nobody_is_told_who_else_has_laid_how_many_or_when() -> None:
    """2.2: not by a frame, nor by the view, nor by whom it waits for: the same bytes, whatever the others did."""
    assert betrayed_lay(redact) is None


LAYS: dict[str, Redact] = {
    "tells that somebody has laid": lambda event, viewer: (
        replace(event, cards=face_down(event.cards)) if isinstance(event, OpeningLaid) else redact(event, viewer)
    ),
    "tells it to spectators": lambda event, viewer: event if viewer is None else redact(event, viewer),
    "tells it to the next on the left": lambda event, viewer: (
        event if isinstance(event, OpeningLaid) and viewer == (event.seat + 1) % 4 else redact(event, viewer)
    ),
    "tells that some seat has laid, not which": lambda event, viewer: (
        replace(event, seat=Seat((viewer or 0) + 1), cards=(BACK,))
        if isinstance(event, OpeningLaid) and event.seat != viewer
        else redact(event, viewer)
    ),
}


@pytest.mark.parametrize("mutant", LAYS)
def test_a_redaction_that_tells_of_a_lay_is_caught_twice(mutant: str) -> None:
    """2.2"""
    assert betrayed_lay(LAYS[mutant]) is not None
    assert told_wrongly(FIELDS, LAYS[mutant], map(match, SOME)) is not None


def test_who_has_not_laid_waits_for_everybody_and_who_has_for_all_others() -> None:
    """2.2: as the view says it, to each."""
    given = dealt(*HANDS)
    happened = happens(given, lays(BEN, "2D"), lays(CARA, "3H"))

    waits = {viewer: Eyes(redact, viewer, given, happened).awaits for viewer in (ANNA, BEN, CARA, DAN, None)}

    everybody = Answers((ANNA, BEN, CARA, DAN), later(60))
    assert waits[ANNA] == waits[DAN] == waits[None] == everybody
    assert waits[BEN] == Answers((ANNA, CARA, DAN), later(60))
    assert waits[CARA] == Answers((ANNA, BEN, DAN), later(60))


def test_refusals_of_a_lay_tell_nothing_of_the_others() -> None:
    """2.2: whatever a seat tries, it is answered the same whether the others have laid or not."""
    given, luck = dealt(*HANDS), Random(3)
    some_laid = after(given, lays(BEN, "2D"), lays(CARA, "3H"))
    for _ in range(300):
        action = any_action(given, luck)
        at = later(luck.choice((5, 59, 60, 61)))
        assert answer(GAME, given, Command(ANNA, at, action)) == answer(GAME, some_laid, Command(ANNA, at, action))


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


def awaited(true: State, viewer: Viewer) -> Awaits:
    """While all lay, everybody is told that all are awaited, except that a seat knows that it has laid itself."""
    told = awaits(true)
    if not isinstance(true.phase, Opening) or not isinstance(told, Answers):
        return told
    laid = viewer is not None and true.phase.laid[viewer]
    return Answers(tuple(seat for seat in true.present if seat != viewer or not laid), told.until)


@numbers
def test_refusals_offers_and_who_is_awaited_are_functions_of_the_own_view(number: int) -> None:
    """2.2, 11.2"""
    looked_at = [step for step in match(number) if not isinstance(awaits(step.after), HouseNow)]

    assert beyond_sight(GAME, [looked_at], any_action, Random(number), awaited) is None


@numbers
def test_a_view_holds_the_own_hand_and_what_lies_open(number: int) -> None:
    """11.1, 11.2: counted against the true table; only a lay that is not turned makes a hand look fuller."""
    for step in match(number):
        true: State = step.after
        for viewer, own in step.seen.items():
            assert len(own.stock) == len(true.stock)
            assert (own.tricks, own.out, own.caught, own.stars) == (true.tricks, true.out, true.caught, true.stars)
            for seat, hand in enumerate(own.hands):
                hidden_lay = getattr(true.phase, "laid", ((),) * true.seats)[seat] if seat != viewer else ()
                assert len(hand) == len(true.hands[seat]) + (len(hidden_lay) if seat not in true.left else 0)
                assert hand == true.hands[seat] if seat == viewer else set(hand) <= {BACK}


@numbers
def test_a_view_shows_no_card_that_was_not_told(number: int) -> None:
    """11.2, 11.3"""
    for steps in rounds([number]):
        known: dict[Viewer, set[str]] = {viewer: set() for viewer in steps[0].seen}
        before = steps[0].before.last_round
        for step in steps:
            for viewer, own in step.seen.items():
                known[viewer] |= faces(heard(redact, step.events, viewer))
                assert faces(view(own, viewer)) <= known[viewer] | faces(before)


@numbers
def test_a_sentence_tells_no_card_that_its_hearer_was_not_told(number: int) -> None:
    """11.2"""
    assert overheard(MOGLER_VIEW, [match(number)], spoken, faces) is None


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


shows = partial(secrecy.shows, redact)

MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "deals with open hands": shows(Dealt, hands=everybody),
    "lets one peek at his neighbour's first card": peeks(redact, Dealt, "hands"),
    "lets spectators see the hands": shows(Dealt, hands=spectators),
    "shows the draw pile": shows(Dealt, stock=everybody),
    "shows the draw pile to spectators": shows(Dealt, stock=spectators),
    "shows what is drawn": shows(Drawn, cards=everybody),
    "shows what is drawn to who plays next": shows(
        Drawn, cards=lambda event, viewer: viewer is not None and viewer != event.seat
    ),
    "shows lays before all are in": lambda event, viewer: (
        event if isinstance(event, OpeningLaid) else redact(event, viewer)
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(FIELDS, MUTANTS[mutant], map(match, SOME)) is not None
    assert leak(MUTANTS[mutant], pairs(rounds(SOME), twins)) is not None


@pytest.mark.parametrize("kind, field", [(Dealt, "hands"), (Drawn, "cards"), (Caught, "hand")])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event], field: str) -> None:
    assert told_wrongly(FIELDS, hides(redact, kind, field), map(match, SOME)) is not None
