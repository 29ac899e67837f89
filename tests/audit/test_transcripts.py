"""A match as a file: always the same bytes, whole or as one viewer was told it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from msgspec.structs import replace

from projections.audit import transcript
from projections.audit.fault import Fault, Part
from projections.audit.kept import NothingKept, kept
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from projections.evidence import viewer_name
from tests.audit.paper import Paper, Story, short, stories

SCHEMA = Path(__file__).parents[2] / "openapi" / "transcript.schema.json"
SOME = range(6)
games = pytest.mark.parametrize("game", CATALOGUE)
some = pytest.mark.parametrize("number", SOME)


@cache
def match(game: str, number: int) -> Paper:
    """The first of a game is as long as it gets."""
    story = list(stories(game, number + 1))[number]
    return Paper(story if number == 0 else replace(story, options=short(game)))


@games
@some
def test_a_match_that_was_played_is_found_whole(game: str, number: int) -> None:
    paper = match(game, number)
    found = verify(paper.lines())

    assert found.status == paper.book.open_state().status == "over"
    assert (found.events, found.attempts) == (len(paper.rows), len(paper.attempts))
    assert found.played
    assert found.told


def test_the_matches_have_all_that_makes_a_log_hard_to_follow() -> None:
    papers = [match(game, number) for game in CATALOGUE for number in SOME]
    tags = {row.tag for paper in papers for row in paper.rows}
    outcomes = {attempt.outcome for paper in papers for attempt in paper.attempts}

    assert tags >= {
        "match.left",
        "match.timed_out",
        "match.stood_still",
        "match.clock_turned",
        "match.entropy_revealed",
        "match.entropy_settled",
    }
    assert outcomes >= {"accepted", "refused"}


@games
def test_the_same_match_is_the_same_bytes(game: str) -> None:
    story = next(stories(game, 1))

    assert Paper(story).lines() == Paper(story).lines() == match(game, 0).lines()


@games
@some
def test_every_line_is_as_the_schema_says(game: str, number: int) -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema_rs.meta.validate(schema)
    valid, inside = jsonschema_rs.validator_for(schema), schema["$defs"]
    texts = {
        field: jsonschema_rs.validator_for({"$defs": inside, **inside[name]})
        for field, name in (("envelope", "Envelope"), ("record", "Record"), ("told", "ToldText"))
    }
    paper = match(game, number)
    for line in (*paper.lines(), *paper.told(0)):
        said = json.loads(line)
        valid.validate(said)
        for field, valid_inside in texts.items():
            if isinstance(text := said.get(field), str):
                valid_inside.validate(json.loads(text))


@games
@some
def test_what_every_viewer_was_told_holds_alone_and_lies_in_the_whole(game: str, number: int) -> None:
    paper = match(game, number)
    seats = paper.story.seats
    for viewer in range(seats + 1):
        own = paper.told(viewer)
        found = verify(own)
        assert (found.viewer, found.events) == (viewer_name(viewer, seats), paper.book.sights[viewer].seq)
        assert verify(paper.lines(), kept=kept(own)).kept == found.events


@games
def test_while_a_match_goes_on_its_own_transcript_holds_nothing_that_was_not_told(game: str) -> None:
    paper = match(game, 0)
    own = b"".join(paper.told(1))

    for secret in (b'version":', b'"salt"', b'"record"', b'"command"', b'"envelope"'):
        assert secret not in own.replace(b"rules_version", b"")
    assert transcript.read(paper.told(1)[0]).seed is None  # type: ignore[union-attr]


def test_frames_are_taken_as_the_api_gives_them() -> None:
    paper = match("cheat", 0)
    frames = [_frame(line) for line in paper.told(0)[1:-1]]
    page = b'{"frames":[%b],"last":3}' % b",".join(frames)
    events = b"retry: 1000\n\nid: 3\nevent: frames\ndata: " + page + b"\n\n"
    pretty = json.dumps(json.loads(page)).encode()
    narrated = b'{"frames":[%b]}' % b",".join(b'%b,"narration":"Anna, \\"head\\":\\"0\\""}' % it[:-1] for it in frames)
    for text in (b"\n".join(frames), page, events, pretty, narrated):
        assert verify(paper.lines(), kept=kept(text.splitlines(keepends=True))).kept == len(frames)


def test_a_frame_of_another_match_is_not_in_this_one() -> None:
    with pytest.raises(Fault) as found:
        verify(match("cheat", 0).lines(), kept=kept(match("cheat", 1).told(0)))

    assert (found.value.version, found.value.part) == (1, Part.KEPT)
    with pytest.raises(NothingKept, match="of another match"):
        kept(match("cheat", 1).told(0), str(match("cheat", 0).match))
    assert len(kept(match("cheat", 1).told(0), str(match("cheat", 1).match))) > 0


def test_what_goes_on_beyond_the_history_is_missed() -> None:
    """A match whose tail was cut off and ended another way: who was told more than is there, says so."""
    story = Story(game="cheat", luck=1, seats=3)
    paper = Paper(story)
    own, whole = paper.told(1), paper.lines()
    more = [*own[:-1], _later(own[-2]), own[-1]]

    with pytest.raises(Fault) as found:
        verify(whole, kept=kept(more))

    assert (found.value.version, found.value.part) == (len(paper.rows) + 1, Part.KEPT)


@pytest.mark.parametrize("text", [b"", b"nothing\n", b"{}\n", b'{"frames":[]}\n', b'{"frames":[{"seq":1}]}\n', b"{\n"])
def test_where_no_frame_is_that_is_said(text: bytes) -> None:
    with pytest.raises(NothingKept):
        kept(text.splitlines(keepends=True))


def _frame(line: bytes) -> bytes:
    """As a page of frames has it."""
    it = transcript.read(line)
    assert isinstance(it, transcript.Frame)
    return b'%b,"head":"%b","log_head":"%b"}' % (it.told.encode()[:-1], it.head.encode(), it.log_head.encode())


def _later(line: bytes) -> bytes:
    it: Any = transcript.read(line)
    return transcript.write(msgspec.structs.replace(it, seq=it.seq + 1))
