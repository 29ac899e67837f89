"""A match again from its file: what a process told then, and the same as from each viewer's own file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import msgspec
import pytest

from projections.audit import transcript
from projections.audit.replay import NO_NAMES, Eyes, Step, Whole, of_lines
from projections.catalogue import CATALOGUE
from projections.evidence import read_record, with_frames
from service.runtime.book import Book, empty
from service.store.rows import EventRow
from tests.audit.test_transcripts import match

games = pytest.mark.parametrize("game", CATALOGUE)
some = pytest.mark.parametrize("number", range(2))


def whole(game: str, number: int) -> list[Whole]:
    paper = match(game, number)
    lines = map(transcript.read, paper.lines()[1:])
    return list(of_lines(lines, paper.view, paper.book.seats))


def books(game: str, number: int) -> Iterator[tuple[Book, list[EventRow]]]:
    """The match after each append as a process folds it, and the append."""
    paper = match(game, number)
    book = empty(paper.view, paper.book.match, paper.book.seats)
    for _, rows in groupby(paper.rows, key=lambda row: row.command):
        append = list(rows)
        for row in append:
            book = book.read(row)
        yield book, append


@games
@some
def test_every_message_is_the_one_that_a_process_told(game: str, number: int) -> None:
    steps = whole(game, number)
    played = list(books(game, number))
    assert len(steps) == len(played) > 10
    for one, (book, rows) in zip(steps, played, strict=True):
        for viewer, step in enumerate(one.told):
            frames = [frame for row in rows if (frame := book.rewritten(row).frames[viewer]) is not None]
            if step is None:
                assert frames == []
            else:
                assert step.message(NO_NAMES) == with_frames(book.body(viewer, rows[-1].at, {}), frames)


@games
@some
def test_the_own_file_of_a_viewer_shows_him_the_same(game: str, number: int) -> None:
    paper = match(game, number)
    steps, seats = whole(game, number), paper.book.seats
    for viewer in range(seats + 1):
        told = [step for one in steps if (step := one.told[viewer]) is not None]
        eyes = Eyes(paper.view, seats, viewer)
        own = [
            eyes.frame(line) for line in map(transcript.read, paper.told(viewer)) if isinstance(line, transcript.Frame)
        ]
        assert frames(own) == frames(told)
        by_seq = {step.last: step for step in own}
        assert [by_seq[step.last].seen for step in told] == [step.seen for step in told]


@games
def test_all_that_was_refused_stands_behind_the_version_that_it_met(game: str) -> None:
    found = []
    for number in range(3):
        for one in whole(game, number):
            for attempt in one.refused:
                assert read_record(attempt.record).version == one.last
                found.append((number, attempt.seat, attempt.n))
    stored = [
        (number, attempt.seat, attempt.n)
        for number in range(3)
        for attempt in match(game, number).attempts
        if attempt.outcome != "accepted"
    ]
    assert sorted(found) == sorted(stored) != []


@games
def test_a_whole_step_is_json_with_a_sentence_for_each_event(game: str) -> None:
    for one in whole(game, 0):
        said = msgspec.json.decode(one.message(NO_NAMES, "en"))
        assert [event["version"] for event in said["events"]] == list(range(one.first, one.last + 1))
        assert all(event["narration"] for event in said["events"])
        assert list(said["told"])[-1] == "spectator"


def frames(steps: list[Step]) -> list[bytes]:
    return [frame for step in steps for frame, _ in step.frames]
