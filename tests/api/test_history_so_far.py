"""The whole of a match that goes on, over HTTP, for whoever broke its seal and nobody else."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from projections.audit import transcript
from projections.audit.earlier import earlier
from projections.audit.kept import kept
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from service.cli import app
from service.settings import Settings
from tests.api.disputing import history, play, raises, rules, takes
from tests.api.people import Person
from tests.api.serving import Served, serving
from tests.api.tables import Table, lie, table_of
from tests.api.test_access import log

mogelwerk = CliRunner()
SEED = "5e" * 32


@pytest.fixture
def auditor(official: Callable[..., Person]) -> Person:
    return official("Aud", "audit")


def breaks(person: Person, match: str) -> None:
    person.do("POST", f"/v1/matches/{match}/seal", {"reason": "complaint"})


def last(lines: list[bytes]) -> transcript.Line:
    return transcript.read(lines[-1])


def viewer(lines: list[bytes]) -> str | None:
    header = transcript.read(lines[0])
    assert isinstance(header, transcript.Header)
    return header.viewer


@pytest.mark.parametrize("game", CATALOGUE)
def test_who_broke_the_seal_has_all_of_it_so_far_and_the_rest_goes_on_from_it(
    game: str, newcomer: Callable[[str], Person], auditor: Person
) -> None:
    seats = CATALOGUE[game].game.seats[0]
    options = {"max_turns": 40} if "max_turns" in CATALOGUE[game].game.options.__struct_fields__ else {}
    friends = [newcomer(name) for name in ("Anna", "Ben", "Cara")[:seats]]
    anna, *others = friends
    match, luck = anna.opens(game=game, seats=seats, options=options, seed=SEED), random.Random(game)
    for friend in others:
        friend.sits(match)
    anna.starts(match)
    play(friends, match, luck, until=lambda seen: bool(seen["seq"] > 12))
    breaks(auditor, match)
    lines = history(auditor, match)
    found = verify(lines, kept=kept(history(anna, match)))

    assert (found.status, found.so_far, found.played, found.drawn, found.viewer) == ("playing", True, True, False, None)
    assert SEED.encode() not in b"".join(lines)
    assert history(auditor, match) == lines
    play(friends, match, luck, until=lambda seen: bool(seen["status"] == "over"))
    whole = history(auditor, match)
    assert verify(whole, kept=earlier(lines, match)).kept == found.events
    assert verify(whole).drawn


def test_everybody_else_has_his_own(
    table: Table, auditor: Person, rita: Person, rudi: Person, newcomer: Callable[[str], Person]
) -> None:
    lie(table)
    takes(rita, raises(table.cara, table.match)["dispute"])
    breaks(auditor, table.match)
    for person, eyes in (
        (table.anna, "seat:0"),
        (table.ben, "seat:1"),
        (rita, "spectator"),  # a referee, and assigned
        (rudi, "spectator"),
        (newcomer("Sue"), "spectator"),
    ):
        lines = history(person, table.match)
        assert viewer(lines) == eyes
        assert isinstance(last(lines), transcript.Until)
        assert b"9C" not in b"".join(lines) or person is table.ben
    assert viewer(history(auditor, table.match)) is None
    own = auditor.try_("GET", f"{table.path}/history?own=true").content.splitlines(keepends=True)
    assert viewer(own) == "spectator"


def test_what_was_refused_is_in_it(table: Table, auditor: Person) -> None:
    lie(table)
    early = table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4S"], "rank": "2"})
    breaks(auditor, table.match)
    before = history(auditor, table.match)
    again = table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4H"], "rank": "2"})
    assert (early.status_code, again.status_code) == (409, 409)
    lines = history(auditor, table.match)

    tried = [line for line in map(transcript.read, lines) if isinstance(line, transcript.Attempt)]
    assert [("4S" in one.record, "4H" in one.record) for one in tried if one.seat == 2] == [
        (True, False),
        (False, True),
    ]
    assert verify(lines, kept=earlier(before, table.match)).attempts == verify(before).attempts + 1


def test_another_server_has_what_was_refused_meanwhile(settings: Settings, table: Table, auditor: Person) -> None:
    """A refusal is no event: the match is as it was, and what was tried is not."""
    with serving(settings) as other, Person.again(other.url, auditor.token, "Aud") as there:
        breaks(auditor, table.match)
        before = history(there, table.match)
        refusal = table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4S"], "rank": "2"})
        assert refusal.status_code == 409
        here = history(auditor, table.match)

        assert verify(here).attempts == verify(before).attempts + 1
        assert history(there, table.match) == here


def test_the_old_match_of_a_branch_has_no_seed_in_it_until_the_branch_is_over(
    anna: Person, ben: Person, cara: Person, rita: Person
) -> None:
    table = table_of(anna, ben, cara, seed=SEED)
    lie(table)
    seq = ben.sees(table.match)["seq"]
    dispute = raises(ben, table.match, seq=seq)["dispute"]
    takes(rita, dispute)
    breaks(rita, table.match)
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]
    rita.do("POST", f"/v1/matches/{branch}/resume")
    old = history(rita, table.match)

    found = verify(old)
    assert (found.status, found.so_far, found.drawn) == ("superseded", True, False)
    assert SEED.encode() not in b"".join(old)
    play([anna, ben, cara], branch, random.Random(1), until=lambda seen: bool(seen["status"] == "over"))
    assert verify(history(rita, table.match), kept=earlier(old, table.match)).drawn


def test_a_seed_that_was_published_before_stays_so(anna: Person, ben: Person, cara: Person, official: Any) -> None:
    """A match that was over goes on as a branch from a deal: who broke the seal in time reads the seed in it."""
    rita = official("Rita", "referee")
    table = table_of(anna, ben, cara, seed=SEED, options={"max_turns": 4})
    breaks(rita, table.match)
    play([anna, ben, cara], table.match, random.Random(2), until=lambda seen: bool(seen["status"] == "over"))
    dispute = raises(ben, table.match)["dispute"]
    takes(rita, dispute)
    rules(rita, dispute, "branch")

    found = verify(history(rita, table.match))
    assert (found.status, found.so_far, found.drawn) == ("superseded", True, True)
    assert viewer(history(anna, table.match)) == "seat:0"


def test_it_is_written_verified_and_replayed_from_the_command_line_and_not_imported(
    server: Served, table: Table, auditor: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    lie(table)
    breaks(auditor, table.match)
    file, later = tmp_path / "so_far.ndjson", tmp_path / "later.ndjson"

    def does(*what: str) -> tuple[int, str]:
        done = mogelwerk.invoke(app, list(what))
        return done.exit_code, done.output

    def exports(to: Path) -> None:
        code, said = does("export", table.match, "--server", server.url, "--token", auditor.token, "--out", str(to))
        assert code == 0, said

    exports(file)
    code, said = does("verify", str(file))
    assert code == 0, said
    for words in ("(playing, so far)", "every draw is one that can be", "the seed is not published yet"):
        assert words in said
    table.cara.acts(table.match, type="cheat.challenge", claim_id=0)
    exports(later)
    code, said = does("verify", str(later), "--frames", str(file))
    assert (code, f"{verify(file.read_bytes().splitlines(keepends=True)).events} events that you kept" in said) == (
        0,
        True,
    )
    code, said = does("verify", str(file), "--frames", str(later))
    assert (code, "what was kept goes on beyond this history" in said) == (1, True)
    code, said = does("replay", str(file), "--eyes", "2")
    assert code == 0
    assert "KD" in said
    monkeypatch.setenv("DATABASE_URL", database)
    code, said = does("import", str(file))
    assert (code, "only the complete transcript of a match that is over can be imported" in said) == (1, True)


def test_whoever_reads_it_is_on_record(table: Table, auditor: Person, settings: Settings) -> None:
    breaks(auditor, table.match)
    history(auditor, table.match)

    assert [one.read for one in log(settings, table.match).reads] == ["history so far"]
