"""What proves that nobody is told too much, and what tries that proof. What differs by game is an argument.

Whatever looks for a fault says where it is; None: nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import product
from random import Random
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.cards import face_down
from domain.kernel.game import Answers, AnyGame, Awaits, Command
from projections.views.seam import AnyView, Sees, Viewer
from tests.any_game import Step, answer, tag

Redact: TypeAlias = Callable[[Any, Viewer], Any]  # the event as he is told it; None: he is not told of it
Table: TypeAlias = Mapping[str, Mapping[str, Sees]]
Matches: TypeAlias = Iterable[Sequence[Step]]
AnyAction: TypeAlias = Callable[[Any, Random], Any]  # of this state: well-formed, mostly wrong
NAMES: Final = ("Anna", "Ben", "Cara", "Dan", "Emil", "Flo", "Gero", "Hanna", "Ina", "Jan")


def heard(redact: Redact, events: Iterable[Any], viewer: Viewer) -> list[Any]:
    """What a viewer is told of them, and nothing of what he is not."""
    return [seen for event in events if (seen := redact(event, viewer)) is not None]


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def as_told(event: Any, field: str, sees: Sees, viewer: Viewer) -> Any:
    """Where cards and dice are all that is hidden: as a back, or not at all."""
    value = getattr(event, field)
    match sees:
        case Sees.ALL:
            return value
        case Sees.NOBODY:
            return face_down(value)
        case Sees.ACTOR:
            return value if event.seat == viewer else face_down(value)
        case Sees.ACTOR_ONLY:
            return value if event.seat == viewer else ()
        case Sees.OWN:
            return tuple(held if seat == viewer else face_down(held) for seat, held in enumerate(value))
        case Sees.OWN_ONLY:
            return tuple(held if seat == viewer else () for seat, held in enumerate(value))
        case _:
            raise AssertionError(f"how {field} is told to {sees} is not said here")


def is_told(event: Any, fields: Mapping[str, Sees], viewer: Viewer) -> bool:
    """Unless nothing of it is anybody else's."""
    return not fields or not {*fields.values()} <= {Sees.ACTOR, Sees.ACTOR_ONLY} or bool(event.seat == viewer)


def told_wrongly(
    table: Table,
    redact: Redact,
    matches: Matches,
    *,
    as_told: Callable[[Any, str, Sees, Viewer], Any] = as_told,
    is_told: Callable[[Any, Mapping[str, Sees], Viewer], bool] = is_told,
) -> str | None:
    """A field, or an event, that is told otherwise than the table says."""
    for number, steps in enumerate(matches):
        for step in steps:
            for event, viewer in product(step.events, step.seen):
                fields, seen = table[tag(event)], redact(event, viewer)
                if (seen is not None) != is_told(event, fields, viewer):
                    return f"{number} {viewer} {tag(event)}"
                for field, sees in fields.items() if seen is not None else ():
                    if getattr(seen, field) != as_told(event, field, sees, viewer):
                        return f"{number} {viewer} {tag(event)}.{field}"
    return None


def open_cards(table: Table, matches: Matches, faces: Callable[[Any], frozenset[str]]) -> set[str]:
    """The fields that all are told and that have shown a card."""
    return {
        f"{tag(event)}.{field}"
        for steps in matches
        for step in steps
        for event in step.events
        for field, sees in table[tag(event)].items()
        if sees is Sees.ALL and faces(getattr(event, field))
    }


def kinds(matches: Matches) -> set[type]:
    """Of the events that happen there."""
    return {type(event) for steps in matches for step in steps for event in step.events}


def overheard(
    view: AnyView,
    matches: Matches,
    spoken: Callable[[str], frozenset[str]],
    faces: Callable[[Any], frozenset[str]],
) -> str | None:
    """A sentence that tells a card which its hearer was not told. ``spoken``: the words for cards in a sentence."""
    for steps in matches:
        for step in steps:
            for viewer in step.seen:
                for event in heard(view.redact, step.events, viewer):
                    for language in ("en", "de"):
                        sentence = view.narrate(event, "de" if language == "de" else "en", lambda seat: NAMES[seat])
                        if not faces(spoken(sentence)) <= faces(event):
                            return f"{viewer} {sentence}"
    return None


def spoken(sentence: str) -> frozenset[str]:
    """Its words, among which cards of two letters are read."""
    return frozenset(re.findall(r"\w+|\*\*", sentence))


# ── two matches that a viewer cannot tell apart ─────────────────────────────────────────────────


class Pair(Struct, frozen=True):
    """The same moment in a match and in its twin, after these events."""

    at: datetime
    mine: Any
    twins: Any
    my_events: tuple[Any, ...]
    twins_events: tuple[Any, ...]


Pairs: TypeAlias = Iterable[tuple[Viewer, Pair]]


def pairs(
    matches: Matches, twins: Callable[[tuple[Step, ...], Viewer, Random], Iterable[Pair]]
) -> Iterator[tuple[Viewer, Pair]]:
    """For each viewer, each match beside its twin that differs only in what this one cannot see."""
    luck = Random(1)
    for steps in matches:
        for viewer in steps[0].seen:
            for pair in twins(tuple(steps), viewer, luck):
                yield viewer, pair


def leak(redact: Redact, pairs: Pairs) -> str | None:
    """Where a viewer could tell a match from its twin by what he is told; so by his view, a fold of that, too."""
    differed = 0
    for viewer, pair in pairs:
        mine, others = heard(redact, pair.my_events, viewer), heard(redact, pair.twins_events, viewer)
        differed += pair.my_events != pair.twins_events
        if msgspec.json.encode(mine) != msgspec.json.encode(others):
            return f"{viewer} {mine} {others}"
    assert differed > 200, "the twins hardly differed"
    return None


def betrayed(game: AnyGame, pairs: Pairs, any_action: AnyAction, luck: Random) -> str | None:
    """Where a viewer could tell a match from its twin by whom it waits for, what he is offered, or how refused."""
    for viewer, pair in pairs:
        if game.awaits(pair.mine) != game.awaits(pair.twins):
            return f"{viewer} awaits {game.awaits(pair.mine)} {game.awaits(pair.twins)}"
        if viewer is None:
            continue
        if game.offers(pair.mine, viewer) != game.offers(pair.twins, viewer):
            return f"{viewer} is offered {game.offers(pair.mine, viewer)} {game.offers(pair.twins, viewer)}"
        command = Command(viewer, near(game, pair.mine, pair.at, luck), any_action(pair.mine, luck))
        if answer(game, pair.mine, command) != answer(game, pair.twins, command):
            return f"{viewer} is answered otherwise: {command}"
    return None


def near(game: AnyGame, state: Any, at: datetime, luck: Random) -> datetime:
    """Now, or a moment at which the House is about to act, long before it or long after."""
    awaited = game.awaits(state)
    if not isinstance(awaited, Answers) or awaited.until is None or luck.random() < 0.3:
        return at
    before = (timedelta(0), timedelta(milliseconds=1), timedelta(seconds=luck.uniform(0, 60)), timedelta(hours=-1))
    return awaited.until - luck.choice(before)


# ── what he sees is a fold of what he was told ──────────────────────────────────────────────────


def beyond_sight(
    game: AnyGame,
    matches: Matches,
    any_action: AnyAction,
    luck: Random,
    awaited: Callable[[Any, Viewer], Awaits] | None = None,
) -> str | None:
    """Where a seat is offered or refused something, or a viewer told to wait, otherwise than his own fold would say.

    ``awaited``: whom the true state lets a viewer wait for, where not all are told the same.
    """
    for steps in matches:
        for step in steps:
            true, at = step.after, step.command.at
            for viewer, own in step.seen.items():
                if game.awaits(own) != (awaited(true, viewer) if awaited else game.awaits(true)):
                    return f"{viewer} awaits {game.awaits(own)} {game.awaits(true)}"
                if viewer is None:
                    continue
                if game.offers(own, viewer) != game.offers(true, viewer):
                    return f"{viewer} is offered {game.offers(own, viewer)} {game.offers(true, viewer)}"
                command = Command(viewer, near(game, true, at, luck), any_action(true, luck))
                if isinstance(game.awaits(true), Answers) and answer(game, own, command) != answer(game, true, command):
                    return f"{viewer} is answered otherwise: {command}"
    return None


# ── redactions that tell otherwise ──────────────────────────────────────────────────────────────


def tells(redact: Redact, kind: type, **fields: Callable[[Any, Any, Viewer], Any]) -> Redact:
    """Tells these fields of one kind of event otherwise: from the event, and from what is rightly told of it."""

    def mutant(event: Any, viewer: Viewer) -> Any:
        told = redact(event, viewer)
        if not isinstance(event, kind) or told is None:
            return told
        return replace(told, **{field: value(event, told, viewer) for field, value in fields.items()})

    return mutant


def shows(redact: Redact, kind: type, **when: Callable[[Any, Viewer], bool]) -> Redact:
    """Shows these fields of one kind of event, to whom it should not."""

    def shown(field: str, to: Callable[[Any, Viewer], bool]) -> Callable[[Any, Any, Viewer], Any]:
        return lambda event, told, viewer: getattr(event if to(event, viewer) else told, field)

    return tells(redact, kind, **{field: shown(field, to) for field, to in when.items()})


def hides(redact: Redact, kind: type, field: str) -> Redact:
    """Tells too little: not even to whom it belongs."""

    def hidden(event: Any, told: Any, viewer: Viewer) -> Any:
        value = getattr(event, field)
        return tuple(map(face_down, value)) if value and isinstance(value[0], tuple) else face_down(value)

    return tells(redact, kind, **{field: hidden})


def peeks(redact: Redact, kind: type, field: str) -> Redact:
    """Shows each seat the first card of its left neighbour."""

    def peeked(event: Any, told: Any, viewer: Viewer) -> Any:
        shown = getattr(told, field)
        if viewer is None:
            return shown
        neighbour = (viewer + 1) % len(shown)
        first = getattr(event, field)[neighbour][:1] + shown[neighbour][1:]
        return (*shown[:neighbour], first, *shown[neighbour + 1 :])

    return tells(redact, kind, **{field: peeked})


def everybody(event: Any, viewer: Viewer) -> bool:
    return True


def spectators(event: Any, viewer: Viewer) -> bool:
    return viewer is None
