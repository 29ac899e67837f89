"""Old matches under new code: kept transcripts of every game are folded, verified, and told again to every viewer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain import history
from projections.audit import transcript
from projections.audit.fault import Fault, Part
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from projections.evidence import next_viewer_head
from projections.views.seam import AnyView
from service.audit.importing import rows
from service.runtime.book import Book, empty
from tests.transcripts.keeping import FOLDER, OLD, cheat_now

KEPT = sorted(FOLDER.glob("*.ndjson"))
whole = pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)


def read(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_game_has_two(game: str) -> None:
    missing = {f"{game}-players", f"{game}-bots"} - {file.stem for file in KEPT}

    assert not missing, "run `python -m tests.transcripts.keeping`"


@whole
def test_a_kept_match_is_played_again_and_told_again(file: Path) -> None:
    found = verify(read(file))

    assert found.status == "over"
    assert found.played
    assert found.told


@whole
def test_a_kept_match_is_folded_to_its_end(file: Path) -> None:
    lines = read(file)
    header, ending = transcript.read(lines[0]), transcript.read(lines[-1])
    assert isinstance(header, transcript.Header)
    assert isinstance(ending, transcript.Ending)

    book = folded(CATALOGUE[header.game], header, lines)

    assert book.open_state().status == ending.status
    assert (book.version, book.head.hex()) == (ending.version, ending.head)
    assert [(sight.seq, sight.head.hex()) for sight in book.sights] == [(it.seq, it.head) for it in ending.viewers]


def folded(view: AnyView, header: transcript.Header, lines: list[bytes]) -> Book:
    """As a process folds it; and every frame on the way is the one whose head was told."""
    book = empty(view, UUID(header.match), header.seats)
    for row in [row for events, _ in rows(lines) for row in events]:
        heads = [sight.head for sight in book.sights]
        book = book.read(row)
        event = history.read(view.game, row.envelope).event
        for viewer, seq in enumerate(row.seqs):
            frame = book.frame(row, viewer, event)
            assert (frame is None) == (seq == 0)
            if frame is not None:
                told, _, _ = frame.rpartition(b',"head":"')
                assert next_viewer_head(heads[viewer], told + b"}") == book.sights[viewer].head
    return book


def test_between_them_they_have_nearly_all_that_can_happen() -> None:
    """In each game: what is left out is what only long matches have."""
    seen: Counter[str] = Counter()
    for file in KEPT:
        for line in map(transcript.read, read(file)):
            if isinstance(line, transcript.Event):
                seen[transcript.stored(line.envelope).event.type] += 1
    for name, view in CATALOGUE.items():
        kinds = set(view.fields)
        assert len(kinds & set(seen)) >= 0.6 * len(kinds), (name, kinds - set(seen))


# ── an old shape ────────────────────────────────────────────────────────────


def test_an_event_of_an_old_shape_is_read_as_todays_and_told_as_it_was() -> None:
    lines, today = read(OLD), {"cheat": cheat_now()}
    found = verify(lines, catalogue=today)
    header = transcript.read(lines[0])
    assert isinstance(header, transcript.Header)

    assert b"cheat.let_stand" in b"".join(lines)
    assert b"cheat.accepted" not in b"".join(lines)
    assert (found.rules_version, found.played, found.told) == (1, True, True)
    assert folded(today["cheat"], header, lines).open_state().status == "over"


def test_a_build_that_has_forgotten_the_old_shape_says_where_it_stands() -> None:
    lines, view = read(OLD), cheat_now()
    first = next(n for n, line in enumerate(lines) if b"cheat.let_stand" in line)
    version = sum(line.startswith(b'{"line":"event"') for line in lines[: first + 1])
    forgotten = {"cheat": replace(view, game=replace(view.game, old=()))}

    with pytest.raises(Fault) as found:
        verify(lines, catalogue=forgotten)

    assert found.value.version == version


def test_what_an_old_event_says_is_bound_as_any_is() -> None:
    lines = read(OLD)
    first = next(n for n, line in enumerate(lines) if b"cheat.let_stand" in line)
    changed = lines[first].replace(b'\\"claim\\":0', b'\\"claim\\":1')
    assert changed != lines[first]

    with pytest.raises(Fault) as found:
        verify([*lines[:first], changed, *lines[first + 1 :]], catalogue={"cheat": cheat_now()})

    assert found.value.part == Part.LOG


def test_matches_of_todays_rules_are_written_in_todays_shape() -> None:
    game = cheat_now().game
    accepted = game.old[0].read(game.old[0].stored(2, 7))

    assert history.shaped(game, 1, accepted) == game.old[0].stored(2, 7)
    assert history.shaped(game, 2, accepted) is accepted
