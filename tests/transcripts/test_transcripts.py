"""Matches that were kept are told again, byte for byte, to every viewer: what was said stays said."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from domain import history
from domain.match.decider import step
from projections.catalogue import CATALOGUE
from projections.evidence import next_viewer_head, viewer_head, viewer_name
from tests.transcripts.telling import FOLDER, MATCH, STORIES, tell


@pytest.mark.parametrize("name", STORIES)
def test_the_same_match_is_told_in_the_same_bytes(name: str) -> None:
    assert b"".join(tell(*STORIES[name])) == (FOLDER / f"{name}.ndjson").read_bytes()


@pytest.mark.parametrize("name", STORIES)
def test_a_kept_log_still_folds_to_its_end(name: str) -> None:
    game, state = CATALOGUE[STORIES[name][0]].game, None
    for line in (FOLDER / f"{name}.ndjson").read_bytes().splitlines():
        kept = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        envelope = history.read(game, bytes(kept["envelope"]))
        state = step(game, state, envelope.by, envelope.event)

    assert state is not None
    assert state.status == "over"


@pytest.mark.parametrize("name", STORIES)
def test_every_viewers_frames_make_his_chain(name: str) -> None:
    seats = STORIES[name][1].seats
    heads = [viewer_head(str(MATCH), viewer_name(viewer, seats)) for viewer in range(seats + 1)]
    for line in (FOLDER / f"{name}.ndjson").read_bytes().splitlines():
        frames = msgspec.json.decode(line, type=dict[str, msgspec.Raw])["frames"]
        for viewer, frame in enumerate(msgspec.json.decode(frames, type=list[msgspec.Raw])):
            if bytes(frame) == b"null":  # he was not told, and his chain goes on as if nothing had happened
                continue
            told, _, rest = bytes(frame).rpartition(b',"head":"')
            heads[viewer] = next_viewer_head(heads[viewer], told + b"}")
            assert rest.startswith(heads[viewer].hex().encode())


def test_what_is_kept_is_told() -> None:
    assert {file.stem for file in FOLDER.glob("*.ndjson")} == STORIES.keys()


def test_the_stories_are_not_all_the_same_story() -> None:
    digests = {hashlib.sha256((FOLDER / f"{name}.ndjson").read_bytes()).digest() for name in STORIES}

    assert len(digests) == len(STORIES)
