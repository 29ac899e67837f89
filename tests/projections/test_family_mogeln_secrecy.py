"""Nobody sees how many cards another lays, nor which, until a rule shows it; and what tells that is itself tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import cache, partial
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.family_mogeln.actions import Action, ControlMulti
from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Dealt, Event, Laid, PileTaken, Turn
from domain.games.family_mogeln.house import awaits
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.state import InTurn, State
from domain.kernel.cards import BACK, PACK, face_down
from domain.kernel.game import Answers, AnyGame, Awaits, Command, Refused, Seat
from domain.kernel.offers import Offer
from domain.kernel.reasons import Reason
from projections.views.family_mogeln import FAMILY_MOGELN_VIEW, FIELDS, redact, view
from projections.views.seam import Viewer
from tests.any_game import eyes, texts_in
from tests.domain.family_mogeln.walks import match
from tests.projections import secrecy
from tests.projections.family_mogeln_eyes import any_action, differ, twins
from tests.projections.secrecy import (
    Pair,
    Redact,
    betrayed,
    beyond_sight,
    kinds,
    leak,
    open_cards,
    overheard,
    spoken,
    told_wrongly,
)

EYES: Final = [(number, viewer) for number in range(40) for viewer in eyes(3 + number % 4)]
WALKS: Final = range(24)
FACES: Final = frozenset((*PACK, "**"))
GAME: Final = FAMILY_MOGELN_VIEW.game


@cache
def beside(number: int, viewer: Viewer) -> tuple[Pair, ...]:
    """A match and its twin."""
    return tuple(twins(number, viewer))


def every_pair() -> Iterator[tuple[Viewer, Pair]]:
    return ((viewer, pair) for number, viewer in EYES for pair in beside(number, viewer))


def faces(thing: Any) -> frozenset[str]:
    """Every card whose face can be read in it."""
    return texts_in(thing) & FACES


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 12.8: in no event, view, offer, refusal, deadline, length or order."""
    assert leak(redact, every_pair()) is None
    assert betrayed(GAME, every_pair(), any_action, Random(1)) is None


def test_the_twins_differ_in_how_many_cards_others_laid_and_still_do_after_a_pile_was_taken() -> None:
    """12.5: nobody learns who laid more than one: else the property above would say little."""
    unlike = Counter[str]()
    for number, viewer in EYES:
        was_unlike = False
        for pair in beside(number, viewer):
            unlike["moments"] += 1
            unlike["lays"] += differ(pair)
            taken = any(isinstance(event, PileTaken) for event in pair.my_events)
            unlike["piles taken of lays that differed"] += taken and was_unlike
            was_unlike = differ(pair)

    assert unlike["moments"] > 2_000
    assert unlike["lays"] > 700
    assert unlike["piles taken of lays that differed"] > 10


def test_a_lay_of_three_is_told_in_as_many_bytes_as_one_of_one() -> None:
    """12.3: a frame's size tells nothing; and to who laid them it does tell."""
    lay = Laid(7, Seat(0), "9", ("7H",), None, None, None)
    three = replace(lay, cards=("7H", "QS", "4C"))

    assert len(msgspec.json.encode(redact(lay, Seat(1)))) == len(msgspec.json.encode(redact(three, Seat(1))))
    assert redact(three, Seat(0)) == three


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


@pytest.mark.parametrize("number", WALKS)
def test_refusals_offers_and_who_is_awaited_are_functions_of_the_own_view(number: int) -> None:
    assert beyond_sight(GAME, [match(number)], any_action, Random(number)) is None


@pytest.mark.parametrize("number", WALKS)
def test_a_viewer_knows_his_hand_and_what_all_know_and_no_other_card(number: int) -> None:
    """12.1, 12.2, 12.4: counted against the true table."""
    for step in match(number):
        true = step.after
        for viewer, own in step.seen.items():
            assert (own.sizes, own.pile_size, own.aside_size) == (true.sizes, true.pile_size, true.aside_size)
            for seat, hand in enumerate(own.hands):
                assert hand == (true.hands[seat] if seat == viewer else ())
            assert all(lay.cards == () for lay in own.pile if lay.seat != viewer)
            may_see = set() if viewer is None else {*true.hands[viewer], *_laid_by(true, viewer)}
            shown = faces(view(own, viewer))
            last = faces(true.last) if true.last else set()
            assert shown <= may_see | last


def _laid_by(state: State, seat: Seat) -> set[str]:
    return {card for lay in state.pile if lay.seat == seat for card in lay.cards}


@pytest.mark.parametrize("number", WALKS)
def test_a_sentence_tells_no_card_that_its_hearer_was_not_told(number: int) -> None:
    """12.3"""
    assert overheard(FAMILY_MOGELN_VIEW, [match(number)], spoken, faces) is None


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole: who adds a field to it must think of that here."""
    assert Turn.__struct_fields__ == ("seat", "rank", "until", "left", "sat_out")


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3"""
    assert told_wrongly(FIELDS, redact, map(match, WALKS)) is None


def test_every_field_with_cards_is_somebodys_secret_but_what_a_control_showed() -> None:
    """12.1, 12.3: a new field of cards that all may see would have to be named here."""
    assert open_cards(FIELDS, map(match, WALKS), faces) == {"family_mogeln.controlled.card"}


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert kinds(map(match, WALKS)) == set(get_args(Event))


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


tells = partial(secrecy.tells, redact)

REDACTIONS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "shows lays from behind": tells(Laid, cards=lambda e, told, v: told.cards or face_down(e.cards)),
    "shows a back too many where there are three": tells(
        Laid, cards=lambda e, told, v: told.cards or (BACK,) * (len(e.cards) == 3)
    ),
    "shows lays to spectators": tells(Laid, cards=lambda e, told, v: e.cards if v is None else told.cards),
    "shows the top": tells(Laid, cards=lambda e, told, v: told.cards or e.cards[-1:]),
    "shows single cards": tells(Laid, cards=lambda e, told, v: e.cards if len(e.cards) == 1 else told.cards),
    "lets one wait a millisecond longer for several": tells(
        Laid,
        not_before=lambda e, told, v: e.not_before and e.not_before + timedelta(milliseconds=len(e.cards) - 1),
    ),
    "counts turns by cards": tells(
        Laid, turn=lambda e, told, v: e.turn and replace(e.turn, left=e.turn.left - len(e.cards) + 1)
    ),
    "shows the pile to who sits next": tells(
        PileTaken, cards=lambda e, told, v: e.cards if v == e.seat - 1 else told.cards
    ),
    "deals with open hands": tells(Dealt, hands=lambda e, told, v: e.hands),
    "lets spectators see the hands": tells(Dealt, hands=lambda e, told, v: e.hands if v is None else told.hands),
    "shows what was put aside": tells(Dealt, aside=lambda e, told, v: e.aside),
}


@pytest.mark.parametrize("mutant", REDACTIONS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(FIELDS, REDACTIONS[mutant], map(match, WALKS)) is not None
    assert leak(REDACTIONS[mutant], every_pair()) is not None


@pytest.mark.parametrize("kind, field", [(Dealt, "hands"), (Laid, "cards"), (PileTaken, "cards")])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event], field: str) -> None:
    mutant = tells(kind, **{field: lambda e, told, v: ((),) * len(e.hands) if field == "hands" else ()})

    assert told_wrongly(FIELDS, mutant, map(match, WALKS)) is not None


def _top_lay(state: State) -> int:
    return len(state.pile[-1].cards) if state.pile else 0


def _multi_only_for_several(state: State, seat: Seat) -> tuple[Offer, ...]:
    return tuple(o for o in offers(state, seat) if not o.type.endswith("multi") or _top_lay(state) > 1)


def _more_time_for_several(state: State, seat: Seat) -> tuple[Offer, ...]:
    longer = timedelta(seconds=_top_lay(state) > 1)
    return tuple(replace(o, until=o.until and o.until + longer) for o in offers(state, seat))


def _refuses_to_count_one(state: State, command: Command[Action]) -> tuple[Event, ...]:
    happened = decide(state, command)
    if isinstance(command.action, ControlMulti) and _top_lay(state) == 1:
        raise Refused(Reason.NOT_NOW)
    return happened


def _waits_for_fewer(state: State) -> Awaits:
    awaited = awaits(state)
    several = isinstance(awaited, Answers) and isinstance(state.phase, InTurn) and _top_lay(state) > 1
    return Answers(awaited.seats[:1], awaited.until) if several and isinstance(awaited, Answers) else awaited


LEAKS: dict[str, AnyGame] = {
    "offers to count only what is more than one": replace(GAME, offers=_multi_only_for_several),
    "gives a second more for several": replace(GAME, offers=_more_time_for_several),
    "refuses to count a single card": replace(GAME, decide=_refuses_to_count_one),
    "waits for fewer where there are several": replace(GAME, awaits=_waits_for_fewer),
}


@pytest.mark.parametrize("mutant", LEAKS)
def test_an_offer_a_refusal_or_a_wait_that_tells_too_much_is_caught(mutant: str) -> None:
    assert betrayed(LEAKS[mutant], every_pair(), any_action, Random(1)) is not None
