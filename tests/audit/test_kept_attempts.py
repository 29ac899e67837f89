"""What somebody has kept says how often a seat had tried something by then: nothing is slipped in behind it later."""

from __future__ import annotations

import math
from functools import cache

import pytest
from msgspec.structs import replace

from projections.audit import transcript
from projections.audit.earlier import earlier
from projections.audit.fault import Fault, Part
from projections.audit.kept import Kept, NothingKept, Point, Try, kept
from projections.audit.leaf import AttemptsHead, Leaf
from projections.audit.signed import Held, Placed
from projections.audit.verify import verify
from projections.evidence import read_record
from service.runtime.book import Book
from tests.audit.forger import rehash, renumber_attempts
from tests.audit.paper import Paper, Story


@cache
def paper() -> Paper:
    """The last that some seat tried was refused, before the end."""
    stories = (Story(game="cheat", luck=luck, seats=3, wild=40, options={"max_turns": 12}) for luck in range(50))
    return next(it for it in map(Paper, stories) if last_refused(it) is not None)


def last_refused(it: Paper) -> int | None:
    """Whose, if something happened after it, before the end."""
    last, end = {row.seat: row for row in it.attempts}, going_on(it).version
    refused = (seat for seat, row in last.items() if row.outcome == "refused" and read_record(row.record).version < end)
    return next(refused, None)


def going_on(it: Paper) -> Book:
    return [book for book in it.books if book.open_state().status == "playing"][-1]


def forged() -> list[bytes]:
    """It is refused once more, at the same version, with chains that fit."""
    log, seat = paper().log, last_refused(paper())
    place = max(n for n, row in enumerate(log.tried) if row.seat == seat)
    log.tried.insert(place + 1, log.tried[place])
    renumber_attempts(log)
    rehash(log)
    return log.lines()


def found(held: Held) -> Fault:
    assert verify(forged()).played, "alone it is as possible as the true one"
    with pytest.raises(Fault) as fault:
        verify(forged(), kept=held)
    assert fault.value.part is Part.KEPT
    return fault.value


def test_a_leaf_in_the_tree_is_all_that_was_tried() -> None:
    ending = transcript.read(paper().lines()[-1])
    assert isinstance(ending, transcript.Ending)
    tries = tuple(AttemptsHead(tried.n, tried.head) for tried in ending.attempts)
    leaf = Leaf(match=str(paper().match), version=ending.version, head=ending.head, attempts=tries)
    verify(paper().lines(), kept=Placed(leaf))

    assert "has tried" in found(Placed(leaf)).what


def test_where_a_seat_kept_its_own_transcript_nothing_was_tried_before() -> None:
    seat = last_refused(paper())
    assert seat is not None
    own = paper().told(seat)
    verify(paper().lines(), kept=kept(own))

    assert "was tried after frame" in found(kept(own)).what


def test_where_somebody_kept_all_of_it_so_far_nothing_was_tried_before() -> None:
    lines = paper().so_far(going_on(paper()))
    verify(paper().lines(), kept=earlier(lines, str(paper().match)))

    assert "had not been tried" in found(earlier(lines, str(paper().match))).what


def test_what_was_tried_at_the_very_moment_of_the_kept_one_can_have_come_later() -> None:
    """A refusal changes no version."""
    it = paper()
    for one, other in zip(it.books, it.books[1:], strict=False):
        if one.version == other.version and one.open_state().status == "playing":
            before, after = it.so_far(one), it.so_far(other)
            assert len(before) < len(after)
            verify(after, kept=earlier(before, str(it.match)))
            for seat in range(it.story.seats):
                verify(after, kept=kept(it.told(seat, one)))
            return
    raise AssertionError("nothing was refused")


def test_who_was_told_is_held_too() -> None:
    lines = paper().lines()
    place = next(n for n, line in enumerate(lines) if line.startswith(b'{"line":"event"'))
    event = transcript.read(lines[place])
    assert isinstance(event, transcript.Event)
    lines[place] = transcript.write(replace(event, told=(None, *event.told[1:])))
    with pytest.raises(Fault) as fault:
        verify(paper().lines(), kept=earlier(lines, str(paper().match)))

    assert (fault.value.version, fault.value.what) == (1, "it was told otherwise, by what was kept")


def test_two_lines_of_one_frame_say_the_same() -> None:
    *lines, last = paper().told(0)
    until = transcript.read(last)
    assert isinstance(until, transcript.Until)
    with pytest.raises(NothingKept, match="two frames"):
        kept([*lines, transcript.write(replace(until, log_head="0" * 64))])


class Number(int):
    """Of an attempt; it counts how often one was compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Number.compared += 1
        return int(self) < int(other)


def test_however_many_receipts_somebody_kept_an_attempt_is_looked_up_among_them() -> None:
    """And not held against each, or a file that a referee is handed would keep him busy for hours."""
    many = 2_000
    held = Kept([Point(1, b"", b"")], None, [Try(Number(n), b"", 1) for n in range(1, many + 1)])
    held.event(1, b"", [(1, b""), None], [None, None])
    Number.compared = 0
    for n in range(1, many + 1):
        held.attempt(1, 0, n, b"")

    assert Number.compared <= many * math.log2(2 * many)
