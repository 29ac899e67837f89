"""Nobody sees how many cards another lays, nor which, until a rule shows it; and what tells that is itself tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.games.family_mogeln.actions import Action, ControlMulti
from domain.games.family_mogeln.events import Dealt, Event, Laid, PileTaken, Turn
from domain.games.family_mogeln.evolve import evolve
from domain.games.family_mogeln.house import awaits
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.state import InTurn, State, begin
from domain.kernel.cards import BACK, PACK, face_down
from domain.kernel.game import Answers, Awaits, Command, Pace, Seat, fold
from domain.kernel.offers import Offer
from domain.kernel.reasons import Reason
from projections.narration.family_mogeln import narrate
from projections.views.family_mogeln import FIELDS, redact, view
from projections.views.seam import Sees, Viewer
from tests.any_game import eyes, texts_in
from tests.domain.family_mogeln.walks import match
from tests.projections.family_mogeln_eyes import Pair, answer, any_action, near, twins

MATCHES: Final = range(40)
WALKS: Final = range(24)
NAMES: Final = ("Anna", "Ben", "Cara", "Dan", "Emil", "Flo", "Gero", "Hanna", "Ina", "Jan")
FACES: Final = frozenset((*PACK, "**"))
Redact = Callable[[Event, Viewer], Event]


class Table(Struct, frozen=True):
    """All ways in which a viewer learns something; his view is a fold of what he was told, and of nothing else."""

    redact: Redact = redact
    offers: Callable[[State, Seat], tuple[Offer, ...]] = offers
    awaits: Callable[[State], Awaits] = awaits
    answer: Callable[[State, Command[Action]], Any] = answer


@cache
def pairs(number: int, viewer: Viewer) -> tuple[Pair, ...]:
    return tuple(twins(number, viewer))


def every_pair(numbers: Iterable[int] = MATCHES) -> Iterable[tuple[Viewer, tuple[Pair, ...]]]:
    for number in numbers:
        for viewer in eyes(3 + number % 4):
            yield viewer, pairs(number, viewer)


def faces(thing: Any) -> frozenset[str]:
    """Every card whose face can be read in it."""
    return texts_in(thing) & FACES


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


def leak(table: Table, numbers: Iterable[int] = MATCHES) -> str | None:
    """Where a viewer could tell a match from its twin; None: nowhere."""
    luck = Random(1)
    for viewer, moments in every_pair(numbers):
        if not moments:
            continue
        before = begin(moments[0].mine.options, Pace(), moments[0].mine.seats, None)
        mine = other = before
        for pair in moments:
            heard, twin_heard = (
                [table.redact(event, viewer) for event in events] for events in (pair.my_events, pair.twins_events)
            )
            if msgspec.json.encode(heard) != msgspec.json.encode(twin_heard):
                return f"told: {heard} {twin_heard}"
            mine = fold(evolve, mine, (redact(event, viewer) for event in pair.my_events))
            other = fold(evolve, other, (redact(event, viewer) for event in pair.twins_events))
            sights = [msgspec.json.encode(view(seen, viewer)) for seen in (mine, other)]
            if sights[0] != sights[1]:
                return f"seen: {sights}"
            if table.awaits(pair.mine) != table.awaits(pair.twins):
                return f"awaited: {table.awaits(pair.mine)} {table.awaits(pair.twins)}"
            if viewer is None:
                continue
            if msgspec.json.encode(table.offers(pair.mine, viewer)) != msgspec.json.encode(
                table.offers(pair.twins, viewer)
            ):
                return f"offered: {table.offers(pair.mine, viewer)} {table.offers(pair.twins, viewer)}"
            command = Command[Action](viewer, near(pair.mine, pair.at, luck), any_action(pair.mine, luck))
            if table.answer(pair.mine, command) != table.answer(pair.twins, command):
                return f"answered: {command}"
    return None


def test_a_viewer_cannot_tell_apart_what_he_cannot_see() -> None:
    """12.2, 12.3, 12.4, 12.8: in no event, view, offer, refusal, deadline, length or order."""
    assert leak(Table()) is None


def test_the_twins_differ_in_how_many_cards_others_laid_and_still_do_after_a_pile_was_taken() -> None:
    """12.5: nobody learns who laid more than one: else the property above would say little."""
    unlike = Counter[str]()
    for _, moments in every_pair():
        was_unlike = False
        for pair in moments:
            unlike["moments"] += 1
            unlike["lays"] += pair.differ
            taken = any(isinstance(event, PileTaken) for event in pair.my_events)
            unlike["piles taken of lays that differed"] += taken and was_unlike
            was_unlike = pair.differ

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
    luck = Random(number)
    for step in match(number):
        for viewer, own in step.seen.items():
            assert awaits(own) == awaits(step.after)
            if viewer is None:
                continue
            assert offers(own, viewer) == offers(step.after, viewer)
            if isinstance(awaits(step.after), Answers):
                command = Command[Action](viewer, near(own, step.command.at, luck), any_action(own, luck))
                assert answer(own, command) == answer(step.after, command)


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
    for step in match(number):
        for event, viewer, language in product(step.events, step.seen, ("en", "de")):
            heard = redact(event, viewer)
            sentence = narrate(heard, "de" if language == "de" else "en", lambda seat: NAMES[seat])
            words = sentence.translate(str.maketrans("().,:;", "      ")).split()
            assert faces(words) <= faces(heard)


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_field_is_public_too() -> None:
    """A turn is told to all, whole: who adds a field to it must think of that here."""
    assert Turn.__struct_fields__ == ("seat", "rank", "until", "left", "sat_out")


def told_wrongly(told: Redact, numbers: Iterable[int] = WALKS) -> str | None:
    """A field that is told otherwise than the table says; None: there is none."""
    for number in numbers:
        for step in match(number):
            for event, viewer in product(step.events, step.seen):
                tag, heard = str(event.__struct_config__.tag), told(event, viewer)
                for field, sees in FIELDS[tag].items():
                    if getattr(heard, field) != _as_told(event, field, sees, viewer):
                        return f"{number} {viewer} {tag}.{field}"
    return None


def _as_told(event: Event, field: str, sees: Sees, viewer: Viewer) -> Any:
    value = getattr(event, field)
    match sees:
        case Sees.ALL:
            return value
        case Sees.NOBODY:
            return face_down(value)
        case Sees.ACTOR_ONLY:
            return value if getattr(event, "seat") == viewer else ()  # noqa: B009
        case Sees.OWN_ONLY:
            return tuple(hand if seat == viewer else () for seat, hand in enumerate(value))
        case _:
            raise AssertionError(f"nothing here is told to {sees}")


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3"""
    assert told_wrongly(redact) is None


def test_every_field_with_cards_is_somebodys_secret_but_what_a_control_showed() -> None:
    """12.1, 12.3: a new field of cards that all may see would have to be named here."""
    open_cards = {
        f"{tag}.{field}"
        for number in WALKS
        for step in match(number)
        for event in step.events
        for tag in (str(event.__struct_config__.tag),)
        for field, sees in FIELDS[tag].items()
        if sees is Sees.ALL and faces(getattr(event, field))
    }

    assert open_cards == {"family_mogeln.controlled.card"}


def test_what_is_looked_at_here_is_every_kind_of_event() -> None:
    assert {type(e) for number in WALKS for step in match(number) for e in step.events} == set(get_args(Event))


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


def _tells(kind: type[Event], **fields: Callable[[Any, Any, Viewer], Any]) -> Redact:
    """Tells these fields of one kind of event otherwise: from the event, and from what is rightly told of it."""

    def mutant(event: Event, viewer: Viewer) -> Event:
        told = redact(event, viewer)
        if not isinstance(event, kind):
            return told
        return replace(told, **{field: value(event, told, viewer) for field, value in fields.items()})

    return mutant


REDACTIONS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "shows lays from behind": _tells(Laid, cards=lambda e, told, v: told.cards or face_down(e.cards)),
    "shows a back too many where there are three": _tells(
        Laid, cards=lambda e, told, v: told.cards or (BACK,) * (len(e.cards) == 3)
    ),
    "shows lays to spectators": _tells(Laid, cards=lambda e, told, v: e.cards if v is None else told.cards),
    "shows the top": _tells(Laid, cards=lambda e, told, v: told.cards or e.cards[-1:]),
    "shows single cards": _tells(Laid, cards=lambda e, told, v: e.cards if len(e.cards) == 1 else told.cards),
    "lets one wait a millisecond longer for several": _tells(
        Laid,
        not_before=lambda e, told, v: e.not_before and e.not_before + timedelta(milliseconds=len(e.cards) - 1),
    ),
    "counts turns by cards": _tells(
        Laid, turn=lambda e, told, v: e.turn and replace(e.turn, left=e.turn.left - len(e.cards) + 1)
    ),
    "shows the pile to who sits next": _tells(
        PileTaken, cards=lambda e, told, v: e.cards if v == e.seat - 1 else told.cards
    ),
    "deals with open hands": _tells(Dealt, hands=lambda e, told, v: e.hands),
    "lets spectators see the hands": _tells(Dealt, hands=lambda e, told, v: e.hands if v is None else told.hands),
    "shows what was put aside": _tells(Dealt, aside=lambda e, told, v: e.aside),
}


@pytest.mark.parametrize("mutant", REDACTIONS)
def test_a_redaction_that_tells_too_much_is_caught_twice(mutant: str) -> None:
    """By the table, and by the twins."""
    assert told_wrongly(REDACTIONS[mutant]) is not None
    assert leak(Table(redact=REDACTIONS[mutant])) is not None


@pytest.mark.parametrize("kind, field", [(Dealt, "hands"), (Laid, "cards"), (PileTaken, "cards")])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event], field: str) -> None:
    mutant = _tells(kind, **{field: lambda e, told, v: ((),) * len(e.hands) if field == "hands" else ()})

    assert told_wrongly(mutant) is not None


def _top_lay(state: State) -> int:
    return len(state.pile[-1].cards) if state.pile else 0


def _multi_only_for_several(state: State, seat: Seat) -> tuple[Offer, ...]:
    return tuple(o for o in offers(state, seat) if not o.type.endswith("multi") or _top_lay(state) > 1)


def _more_time_for_several(state: State, seat: Seat) -> tuple[Offer, ...]:
    longer = timedelta(seconds=_top_lay(state) > 1)
    return tuple(replace(o, until=o.until and o.until + longer) for o in offers(state, seat))


def _refuses_to_count_one(state: State, command: Command[Action]) -> Any:
    if isinstance(command.action, ControlMulti) and answer(state, command) is None and _top_lay(state) == 1:
        return Reason.NOT_NOW, None, None
    return answer(state, command)


def _waits_for_fewer(state: State) -> Awaits:
    awaited = awaits(state)
    several = isinstance(awaited, Answers) and isinstance(state.phase, InTurn) and _top_lay(state) > 1
    return Answers(awaited.seats[:1], awaited.until) if several and isinstance(awaited, Answers) else awaited


LEAKS: dict[str, Table] = {
    "offers to count only what is more than one": Table(offers=_multi_only_for_several),
    "gives a second more for several": Table(offers=_more_time_for_several),
    "refuses to count a single card": Table(answer=_refuses_to_count_one),
    "waits for fewer where there are several": Table(awaits=_waits_for_fewer),
}


@pytest.mark.parametrize("mutant", LEAKS)
def test_an_offer_a_refusal_or_a_wait_that_tells_too_much_is_caught(mutant: str) -> None:
    assert leak(LEAKS[mutant]) is not None
