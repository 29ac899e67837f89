"""The vectors in openapi/vectors hold for this verifier and for the second one, in another language."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.chance import Chance, Draw, entropy_of
from domain.match.envelope import command_of, log_head, next_log_head
from projections.audit.fault import Fault
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from projections.evidence import attempts_head, next_attempts_head, next_viewer_head, viewer_head
from tests.audit.paper import Paper, short, stories
from tests.audit.vectors import CHAINS, FOLDER, MANIFEST

KNOWN: list[dict[str, Any]] = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))
VERIFIER = FOLDER / "verify.mjs"
NODE = shutil.which("node")
with_node = pytest.mark.skipif(NODE is None, reason="no `node` on this machine: the second verifier is not run")


def read(name: str) -> list[bytes]:
    return (FOLDER / name).read_bytes().splitlines(keepends=True)


def fault(lines: list[bytes], *, chain_only: bool = False) -> list[Any] | None:
    try:
        verify(lines, chain_only=chain_only)
    except Fault as found:
        return [found.version, str(found.part)]
    return None


def test_every_file_is_in_the_list() -> None:
    assert sorted(known["file"] for known in KNOWN) == sorted(path.name for path in FOLDER.glob("*.ndjson"))


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: str(known["file"]))
def test_the_first_fault_is_named(known: dict[str, Any]) -> None:
    lines = read(known["file"])
    quick = fault(lines, chain_only=True)

    assert fault(lines) == known["fault"]
    if quick is not None:  # the chains of log and attempts alone tell less, and nothing else
        assert quick[0] >= known["chains"]


def test_worked_examples_of_chains() -> None:
    for chain in json.loads((FOLDER / CHAINS).read_text(encoding="utf-8"))["chains"]:
        match, rest = chain["of"][0], chain["of"][1:]
        first = {"log": log_head, "view": viewer_head, "attempts": attempts_head}[chain["kind"]]
        head = first(match, *(int(it) if it.isdecimal() else it for it in rest))  # type: ignore[operator]
        assert head.hex() == chain["head_0"]
        for link in chain["links"]:
            text = link["text"].encode()
            match chain["kind"]:
                case "log":
                    head = next_log_head(head, bytes.fromhex(link["salt"]), text)
                case "view":
                    head = next_viewer_head(head, text)
                case "attempts":
                    head = next_attempts_head(head, text)
            assert head.hex() == link["head"]


def test_worked_examples_of_commands_and_luck() -> None:
    known = json.loads((FOLDER / CHAINS).read_text(encoding="utf-8"))
    for it in known["commands"]:
        assert command_of(bytes.fromhex(it["salt"])).hex() == it["command"].replace("-", "")
    for it in known["entropy"]:
        assert entropy_of(map(bytes.fromhex, it["seats"])).hex() == it["entropy"]
    for it in known["draws"]:
        for name, expected in it.items():
            draw = _draw(it)
            if name == "below":
                assert [[n, draw.below(n)] for n, _ in expected] == expected
            if name == "shuffled":
                assert list(draw.shuffled(it["things"])) == expected


def _draw(it: dict[str, Any]) -> Draw:
    chance = Chance(bytes.fromhex(it["seed"]), it["match"], bytes.fromhex(it.get("entropy", "")))
    return chance.bot(it["bot"]["seat"], it["bot"]["seq"]) if "bot" in it else chance.draw(it["k"])


@with_node
def test_a_second_verifier_agrees_on_all_of_them() -> None:
    found = _asked("--vectors")

    assert found == {"ok": True, "files": len(KNOWN), "wrong": []}


@with_node
@pytest.mark.parametrize("game", CATALOGUE)
def test_a_second_verifier_agrees_on_matches_of_every_game(game: str, tmp_path: Path) -> None:
    for story in stories(game, 4):
        paper = Paper(replace(story, options=short(game)))
        for lines, last in ((paper.lines(), len(paper.rows)), (paper.told(0), paper.book.sights[0].seq)):
            path = tmp_path / "match.ndjson"
            path.write_bytes(b"".join(lines))
            found = _asked(str(path))
            assert (found["ok"], found["version"]) == (True, last)


def _asked(what: str) -> Any:
    assert NODE is not None
    done = subprocess.run([NODE, str(VERIFIER), what], capture_output=True, text=True, timeout=60)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)
