"""Who can write the database changes anything in it, thousands of times: it is found, and the first bad version named.

Clumsily: a column here, a row there. Cleverly: with every chain made to fit again; then what somebody has kept tells.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import cycle, islice
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from msgspec import Raw, Struct
from msgspec.structs import replace

from projections.audit.fault import Fault
from projections.audit.kept import kept as read_kept
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from projections.evidence import Record
from service.store.rows import AttemptRow, EventRow
from tests.audit.forger import change_attempt, rehash, renumber, renumber_attempts
from tests.audit.paper import Kept, Paper, short, stories

WORK: Final = 30_000  # events that are verified, for each game and each kind of forger
MOST: Final = 400  # mutations

games = pytest.mark.parametrize("game", CATALOGUE)


class Done(Struct, frozen=True):
    """``version``: the first that is wrong; ``earliest``: from where on attempts have moved with it. ``seat``: whose
    attempts were changed. ``later``: it may be noticed later, as when a seat's next attempt comes."""

    version: int
    seat: int | None = None
    later: bool = False
    earliest: int | None = None


Mutation = Callable[[Kept, random.Random], Done | None]  # None: it came to nothing


@cache
def paper(game: str) -> Paper:
    """The shortest of some that have attempts of all kinds."""
    told = (Paper(replace(story, options=short(game), wild=30)) for story in stories(game, 4))
    return min((it for it in told if any(row.outcome == "refused" for row in it.attempts)), key=lambda it: len(it.rows))


# ── clumsy ──────────────────────────────────────────────────────────────────


def an_event(kept: Kept, luck: random.Random) -> Done:
    place = luck.randrange(len(kept.rows))
    row = kept.rows[place]
    column = luck.choice(EventRow.__struct_fields__[1:])
    kept.rows[place] = replace(row, **{column: _other(getattr(row, column), luck)})
    return Done(row.version)


def an_attempt(kept: Kept, luck: random.Random) -> Done:
    place = luck.randrange(len(kept.tried))
    row = kept.tried[place]
    before = [_met(it) for it in kept.tried[:place] if it.seat == row.seat]
    column = luck.choice([name for name in AttemptRow.__struct_fields__ if name not in ("seat", "n")])
    kept.tried[place] = replace(row, **{column: _other(getattr(row, column), luck)})
    return Done(_met(row), row.seat, later=True, earliest=before[-1] if before else 0)  # it may be no record any more


def an_event_gone(kept: Kept, luck: random.Random) -> Done:
    return Done(kept.rows.pop(luck.randrange(len(kept.rows))).version)


def an_attempt_gone(kept: Kept, luck: random.Random) -> Done:
    row = kept.tried.pop(luck.randrange(len(kept.tried)))
    return Done(_met(row), row.seat, later=True)


def an_event_twice(kept: Kept, luck: random.Random) -> Done:
    place = luck.randrange(len(kept.rows))
    row = kept.rows[place]
    kept.rows[place + 1 :] = [
        replace(row, version=row.version + 1),
        *(replace(after, version=after.version + 1) for after in kept.rows[place + 1 :]),
    ]
    return Done(row.version + 1)


def two_events_swapped(kept: Kept, luck: random.Random) -> Done:
    one, other = sorted(luck.sample(range(len(kept.rows)), 2))
    first, second = kept.rows[one], kept.rows[other]
    kept.rows[one] = replace(second, version=first.version)
    kept.rows[other] = replace(first, version=second.version)
    return Done(first.version)


def the_end_cut_off(kept: Kept, luck: random.Random) -> Done:
    left = luck.randrange(len(kept.rows))
    del kept.rows[left:]
    if luck.random() < 0.5:
        kept.tried = [row for row in kept.tried if _met(row) < left]
    return Done(left + 1)


def where_it_ends(kept: Kept, luck: random.Random) -> Done:
    column = luck.choice(("version", "head", "seqs", "heads"))
    kept.row = replace(kept.row, **{column: _other(getattr(kept.row, column), luck)})
    return Done(len(kept.rows), later=True)


def the_seed(kept: Kept, luck: random.Random) -> Done:
    kept.secret = _other(kept.secret, luck)
    return Done(1)


CLUMSY: Final[dict[Mutation, int]] = {
    an_event: 12,
    an_attempt: 6,
    an_event_gone: 2,
    an_attempt_gone: 2,
    an_event_twice: 2,
    two_events_swapped: 2,
    the_end_cut_off: 2,
    where_it_ends: 2,
    the_seed: 1,
}

# ── clever ──────────────────────────────────────────────────────────────────


def something_else_happened(kept: Kept, luck: random.Random) -> Done | None:
    place = luck.randrange(1, len(kept.rows))
    row = kept.rows[place]
    said = msgspec.json.decode(row.envelope)
    leaf = luck.choice(_leaves(said["event"]))
    _change(said["event"], leaf, luck)
    text = msgspec.json.encode(said).decode()
    tag = said["event"]["type"]
    kept.rows[place] = replace(row, envelope=text, tag=tag)
    return _refitted(kept, Done(row.version))


def somebody_tried_something_else(kept: Kept, luck: random.Random) -> Done | None:
    place = luck.randrange(len(kept.tried))
    row = kept.tried[place]
    said = msgspec.json.decode(row.record)
    leaf = luck.choice([leaf for leaf in _leaves(said) if leaf[0] not in ("match", "seat", "n", "version")])
    _change(said, leaf, luck)
    try:
        record = msgspec.json.decode(msgspec.json.encode(said), type=Record)
    except msgspec.MsgspecError:
        return None
    change_attempt(kept, place, **{name: getattr(record, name) for name in Record.__struct_fields__})
    kept.tried[place] = replace(
        kept.tried[place], command=UUID(record.command) if _is_id(record.command) else row.command
    )
    return _refitted(kept, Done(_met(row), row.seat, later=True))


def it_never_happened(kept: Kept, luck: random.Random) -> Done | None:
    row = kept.rows.pop(luck.randrange(1, len(kept.rows)))
    renumber(kept)
    return _refitted(kept, Done(row.version, earliest=row.version - 1))


def it_happened_twice(kept: Kept, luck: random.Random) -> Done | None:
    place = luck.randrange(1, len(kept.rows))
    kept.rows.insert(place + 1, replace(kept.rows[place], salt=luck.randbytes(16)))
    renumber(kept)
    return _refitted(kept, Done(place + 2, earliest=place + 1))


def it_happened_the_other_way_round(kept: Kept, luck: random.Random) -> Done | None:
    place = luck.randrange(1, len(kept.rows) - 1)
    kept.rows[place], kept.rows[place + 1] = kept.rows[place + 1], kept.rows[place]
    renumber(kept)
    return _refitted(kept, Done(place + 1))


def nobody_ever_tried(kept: Kept, luck: random.Random) -> Done | None:
    row = kept.tried.pop(luck.randrange(len(kept.tried)))
    renumber_attempts(kept)
    return _refitted(kept, Done(_met(row), row.seat, later=True))


def nothing_but_a_salt(kept: Kept, luck: random.Random) -> Done | None:
    place = luck.randrange(len(kept.rows))
    kept.rows[place] = replace(kept.rows[place], salt=luck.randbytes(16))
    return _refitted(kept, Done(place + 1))


def the_match_ended_earlier(kept: Kept, luck: random.Random) -> Done | None:
    left = luck.randrange(1, len(kept.rows))
    del kept.rows[left:]
    kept.tried = [row for row in kept.tried if _met(row) < left]
    return _refitted(kept, Done(left + 1))


CLEVER: Final[dict[Mutation, int]] = {
    something_else_happened: 8,
    somebody_tried_something_else: 5,
    it_never_happened: 2,
    it_happened_twice: 2,
    it_happened_the_other_way_round: 2,
    nobody_ever_tried: 2,
    nothing_but_a_salt: 2,
    the_match_ended_earlier: 1,
}

# ── found ───────────────────────────────────────────────────────────────────


@games
@pytest.mark.parametrize("mutations", [CLUMSY, CLEVER], ids=["clumsy", "clever"])
def test_it_is_found_and_the_first_bad_version_is_named(game: str, mutations: dict[Mutation, int]) -> None:
    it, luck = paper(game), random.Random(f"{game} is tampered with")
    whole, end = it.lines(), len(it.rows) + 1
    told = {viewer: it.told(viewer) for viewer in range(it.story.seats + 1)}
    order = [mutation for mutation, often in mutations.items() for _ in range(often)]
    for mutation in islice(cycle(order), max(len(order), min(MOST, WORK // end))):
        kept, forged = it.log, None
        while forged is None:
            kept = it.log
            forged = mutation(kept, luck)
        lines = kept.lines()
        assert lines != whole, mutation
        viewer = luck.randrange(it.story.seats + 1) if forged.seat is None else forged.seat
        fault = _fault(lines, told[viewer])
        assert fault is not None, f"{mutation.__name__}: nobody notices version {forged.version}"
        earliest = forged.version if forged.earliest is None else forged.earliest
        latest = end if forged.later else _told_next(it, viewer, forged.version)
        assert earliest <= fault.version <= latest, (mutation, forged, fault)


def _fault(lines: list[bytes], kept: list[bytes]) -> Fault | None:
    try:
        verify(lines, kept=read_kept(kept))
    except Fault as fault:
        return fault
    return None


def _told_next(it: Paper, viewer: int, version: int) -> int:
    """The first version from this one on that this viewer was told of."""
    return next((row.version for row in it.rows[version - 1 :] if row.seqs[viewer]), len(it.rows) + 1)


def _refitted(kept: Kept, done: Done) -> Done | None:
    try:
        rehash(kept)
    except msgspec.MsgspecError:  # what is no event at all can be told to nobody
        return None
    return done


def _met(row: AttemptRow) -> int:
    return msgspec.json.decode(row.record, type=Record).version


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    match value:
        case dict():
            return [leaf for name, inner in value.items() for leaf in _leaves(inner, (*path, name))]
        case list() if value:
            return [leaf for place, inner in enumerate(value) for leaf in _leaves(inner, (*path, place))]
        case _:
            return [path]


def _change(value: Any, path: tuple[Any, ...], luck: random.Random) -> None:
    *way, last = path
    for step in way:
        value = value[step]
    value[last] = _other(value[last], luck)


def _other(value: Any, luck: random.Random) -> Any:
    """Something of the same kind that is not the same."""
    match value:
        case bool():
            return not value
        case int():
            return value + luck.choice((-1, 1))
        case float():
            return value + 1.0
        case None:
            return 0
        case UUID():
            return UUID(bytes=_other(value.bytes, luck))
        case bytes():
            place = luck.randrange(len(value))
            return value[:place] + bytes([value[place] ^ (1 << luck.randrange(8))]) + value[place + 1 :]
        case str() if value:
            place = luck.randrange(len(value))
            others = [sign for sign in "0123456789abcdefKQ:" if sign != value[place]]
            return value[:place] + luck.choice(others) + value[place + 1 :]
        case str() | list():
            return "0"
        case tuple():
            place = luck.randrange(len(value))
            return (*value[:place], _other(value[place], luck), *value[place + 1 :])
        case Raw():
            return Raw(b"0")
        case _:
            return value + (value.resolution if luck.random() < 0.5 else 1000 * value.resolution)
