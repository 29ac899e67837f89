"""`mogelwerk export`, `import` and `verify`, as they are typed."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from projections.audit import transcript
from projections.catalogue import CATALOGUE
from service.cli import app
from service.servers.own import place
from service.settings import Settings
from tests.api.people import Person
from tests.api.serving import serving
from tests.audit.forger import rehash, renumber_attempts
from tests.audit.paper import Paper, Story

mogelwerk = CliRunner()
A_MATCH = Story(game="cheat", luck=5, seats=3, bots=1, options={"max_turns": 20})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.ndjson"
    path.write_bytes(b"".join(Paper(A_MATCH).lines()))
    return path


@pytest.fixture
def own_database(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DATABASE_URL", database)
    return database


def test_an_empty_server_that_imports_a_match_arrives_at_the_same_head_and_gives_it_out_again(
    own_database: str, redis_url: str, file: Path, tmp_path: Path
) -> None:
    paper, back = Paper(A_MATCH), tmp_path / "back.ndjson"
    taken = mogelwerk.invoke(app, ["import", str(file)])
    assert taken.exit_code == 0, taken.output
    assert taken.output.startswith(
        f"Imported {paper.match}, version {paper.book.version}, head {paper.book.head.hex()}"
    )
    assert mogelwerk.invoke(app, ["import", str(file)]).output.startswith("Already there")

    assert mogelwerk.invoke(app, ["export", str(paper.match), "--out", str(back)]).exit_code == 0
    assert back.read_bytes() == file.read_bytes()

    with (
        serving(Settings(database_url=own_database, redis_url=redis_url, log_level="error")) as server,
        Person.arrive(server.url, "Sue") as sue,
    ):
        assert sue.sees(str(paper.match))["status"] == "over"
        (listed,) = sue.do("GET", "/v1/matches")["matches"]
        assert (listed["match"], listed["status"]) == (str(paper.match), "over")
        told = mogelwerk.invoke(app, ["export", str(paper.match), "--server", server.url, "--token", sue.token])
        assert told.exit_code == 0, told.output
        *lines, ending = told.stdout_bytes.splitlines(keepends=True)
        *before, last = file.read_bytes().splitlines(keepends=True)
        own = transcript.read(ending)
        assert isinstance(own, transcript.Ending)
        assert own.tree is not None, "it lies in this server's tree now"
        assert [*lines, transcript.write(replace(own, tree=None))] == [*before, last]
        refused = sue.try_("POST", f"/v1/matches/{paper.match}/seats", {})
        assert (refused.status_code, refused.json()["reason"]) == (409, "match_over")


def test_a_match_that_is_there_with_another_history_is_said_to_be(own_database: str, file: Path) -> None:
    """Another attempt, refused once more: the log's head is the same."""
    log = Paper(A_MATCH).log
    place = next(n for n, row in enumerate(log.tried) if row.outcome == "refused")
    log.tried.insert(place + 1, log.tried[place])
    renumber_attempts(log)
    rehash(log)
    assert mogelwerk.invoke(app, ["import", str(file)]).exit_code == 0
    file.write_bytes(b"".join(log.lines()))
    other = mogelwerk.invoke(app, ["import", str(file)])

    assert other.exit_code == 1
    assert f"there already with another history, up to version {log.row.version}" in " ".join(other.output.split())


def test_what_a_newer_build_opened_is_not_exported_with_the_data_of_this_one(
    own_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(CATALOGUE, dict)
    today, file, out = CATALOGUE["cheat"], tmp_path / "match.ndjson", tmp_path / "out.ndjson"
    data = {"ranks.json": "ab" * 32}
    with monkeypatch.context() as upgraded:
        upgraded.setitem(
            CATALOGUE,
            "cheat",
            replace(today, game=replace(today.game, rules_version=today.game.rules_version + 1, data=data)),
        )
        paper = Paper(A_MATCH)
        file.write_bytes(b"".join(paper.lines()))
        taken = mogelwerk.invoke(app, ["import", str(file)])
        assert taken.exit_code == 0, taken.output
    made = mogelwerk.invoke(app, ["export", str(paper.match), "--out", str(out)])

    assert (made.exit_code, out.exists()) == (1, False)
    assert "A newer build opened the match" in " ".join(made.output.split())


def test_a_token_is_all_of_the_output_and_where_it_was_made_is_said_beside(own_database: str) -> None:
    made = mogelwerk.invoke(app, ["token", "Rita", "--scope", "referee"])

    assert re.fullmatch(r"mw_[\w-]{43}\n", made.stdout)
    assert made.stderr == f"Made in {place(Settings(database_url=own_database))}\n"


def test_the_place_of_a_database_is_told_without_what_is_secret(tmp_path: Path) -> None:
    assert place(Settings(database_url="postgresql://me:secret@host:5433/db?password=secret")) == (
        "the database db at host:5433"
    )
    assert place(Settings(database_url="postgresql://me@/db?host=%2Frun")) == "the database db at /run"
    assert place(Settings(data=tmp_path)) == f"the data folder {tmp_path}"


def test_a_pipe_is_not_imported(own_database: str, tmp_path: Path) -> None:
    """It is read twice, verified and then written, and a pipe would wait for ever, or say something else."""
    os.mkfifo(pipe := tmp_path / "pipe")

    bad = mogelwerk.invoke(app, ["import", str(pipe)])
    assert bad.exit_code == 1
    assert "pipe: it is no file" in bad.output


def test_what_is_not_whole_is_not_imported(own_database: str, file: Path) -> None:
    text = file.read_bytes()
    file.write_bytes(text.replace(b'"salt":"', b'"salt":"0', 1)[: len(text)])
    bad = mogelwerk.invoke(app, ["import", str(file)])
    file.write_bytes(b"".join(Paper(A_MATCH).told(0)))
    own = mogelwerk.invoke(app, ["import", str(file)])

    assert (bad.exit_code, own.exit_code) == (1, 1)
    assert "match.ndjson: version 1 · form" in bad.output
    assert "only the complete transcript of a match that is over can be imported" in own.output
    assert mogelwerk.invoke(app, ["export", str(Paper(A_MATCH).match)]).output.startswith("There is no match")


def test_a_file_that_cannot_be_read_or_written_is_named_as_it_was_asked_for(
    own_database: str, redis_url: str, file: Path, tmp_path: Path
) -> None:
    none, nowhere = tmp_path / "none" / "nix", tmp_path / "none" / "out.ndjson"
    assert mogelwerk.invoke(app, ["import", str(none)]).output == f"{none}: No such file or directory\n"
    assert mogelwerk.invoke(app, ["import", str(file)]).exit_code == 0

    match = str(Paper(A_MATCH).match)
    for to, why in ((nowhere, "No such file or directory"), (file / "out.ndjson", "Not a directory")):
        written = mogelwerk.invoke(app, ["export", match, "--out", str(to)])
        assert (written.exit_code, written.output) == (1, f"{to}: {why}\n")
    with (
        serving(Settings(database_url=own_database, redis_url=redis_url, log_level="error")) as server,
        Person.arrive(server.url, "Sue") as sue,
    ):
        fetched = mogelwerk.invoke(
            app, ["export", match, "--server", server.url, "--token", sue.token, "--out", str(nowhere)]
        )
        assert (fetched.exit_code, fetched.output) == (1, f"{nowhere}: No such file or directory\n")


def test_verify_says_what_it_has_looked_at(file: Path, tmp_path: Path) -> None:
    frames = tmp_path / "frames.ndjson"
    frames.write_bytes(b"".join(Paper(A_MATCH).told(1)))
    whole = mogelwerk.invoke(app, ["verify", str(file), "--frames", str(frames)])
    chains = mogelwerk.invoke(app, ["verify", str(file), "--chain-only"])
    own = mogelwerk.invoke(app, ["verify", str(frames)])
    both = mogelwerk.invoke(app, ["verify", str(frames), "--frames", str(frames)])
    neither = mogelwerk.invoke(app, ["verify", str(file), "--chain-only", "--frames", str(frames)])

    assert (whole.exit_code, chains.exit_code, own.exit_code, both.exit_code) == (0, 0, 0, 0)
    assert "frames that you kept lie in it" in both.output
    keys = tmp_path / "keys.json"
    keys.write_text('{"keys":[]}')
    nowhere = mogelwerk.invoke(app, ["verify", str(file), "--keys", str(keys)])
    assert (nowhere.exit_code, "names no place in the tree: a sandbox's" in nowhere.output) == (0, True)
    going_on = next(book for book in reversed(Paper(A_MATCH).books) if book.open_state().status == "playing")
    file.write_bytes(b"".join(Paper(A_MATCH).so_far(going_on)))
    so_far = mogelwerk.invoke(app, ["verify", str(file), "--keys", str(keys)])
    assert (so_far.exit_code, "names no place in the tree: one so far has none" in so_far.output) == (0, True)
    alone = mogelwerk.invoke(app, ["verify", str(frames), "--keys", str(keys)])
    assert (alone.exit_code, "tree" in alone.output) == (0, False)
    assert "place in the tree" not in whole.output
    assert (neither.exit_code, "--chain-only looks at" in neither.output) == (2, True)
    for words in ("✓ cheat, rules version 1", "played again by the rules", "frames made again", "that you kept"):
        assert words in whole.output
    assert "played again" not in chains.output
    assert "what seat:1 was told" in own.output


@pytest.mark.parametrize("flag", ["frames", "receipts", "tree", "checkpoint", "keys", "of"])
def test_nothing_that_was_kept_is_passed_over_for_being_given_twice(file: Path, flag: str) -> None:
    twice = mogelwerk.invoke(app, ["verify", str(file), f"--{flag}", str(file), f"--{flag}", str(file)])

    assert twice.exit_code == 2
    assert f"--{flag}" in twice.output
    assert "more than once" in twice.output


@pytest.mark.parametrize(
    "old, new, says",
    [
        (b'"line":"event"', b'"line": "event"', "version 1 · form"),
        (b'\\"version\\":7,', b'\\"version\\":8,', "version 7 · log"),
        (b"\n", b"\r\n", "version 1 · form: a line ends with a newline alone, and this one otherwise"),
    ],
)
def test_a_changed_byte_is_located(file: Path, old: bytes, new: bytes, says: str) -> None:
    file.write_bytes(file.read_bytes().replace(old, new, 1))

    found = mogelwerk.invoke(app, ["verify", str(file)])

    assert found.exit_code == 1
    assert says in found.output


@pytest.mark.parametrize("command", ["export", "access"])
def test_what_is_no_id_of_a_match_is_told_in_words(command: str) -> None:
    found = mogelwerk.invoke(app, [command, "nonsense"])

    assert found.exit_code == 2
    assert "'nonsense' is no match's id, which is a UUID" in found.output


def test_what_is_no_transcript_is_not_called_a_false_one(tmp_path: Path) -> None:
    other = tmp_path / "other.ndjson"
    other.write_text("Anna has won.\n")
    unknown = tmp_path / "unknown.ndjson"
    unknown.write_bytes(Paper(A_MATCH).lines()[0].replace(b'"cheat"', b'"chess"'))

    for path in (other, unknown, tmp_path / "none.ndjson"):
        assert mogelwerk.invoke(app, ["verify", str(path)]).exit_code == 2


def test_what_is_too_deep_to_be_read_is_told(file: Path, tmp_path: Path) -> None:
    deep = tmp_path / "deep.ndjson"
    deep.write_bytes(b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n")
    beside = (["--frames"], ["--keys"], ["--keys", str(deep), "--receipts"], ["--keys", str(deep), "--tree"])
    for command in (*(["verify", str(file), *flags, str(deep)] for flags in beside), ["verify", str(deep), "--frames"]):
        done = mogelwerk.invoke(app, command if command[-1] == str(deep) else [*command, str(file)])
        assert (done.exit_code, type(done.exception)) == (2, SystemExit), command


def test_a_kept_checkpoint_is_not_passed_over(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "checkpoint.json"
    kept.write_text("Anna has won.\n")

    found = mogelwerk.invoke(app, ["verify", str(file), "--checkpoint", str(kept)])

    assert found.exit_code == 2
    assert "--tree" in found.stderr


@pytest.mark.parametrize("game", CATALOGUE)
def test_verify_needs_nothing_but_the_file(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, socket_disabled: None
) -> None:
    path = tmp_path / "match.ndjson"
    path.write_bytes(b"".join(Paper(Story(game=game, luck=1, seats=CATALOGUE[game].game.seats[0])).lines()))

    assert mogelwerk.invoke(app, ["verify", str(path)]).exit_code == 0


@pytest.fixture
def socket_disabled(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object) -> None:
        raise AssertionError("verify asks the network")

    monkeypatch.setattr("socket.socket.connect", nowhere)
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
