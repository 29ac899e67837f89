"""The pages: their commands run, their links lead somewhere, their tables are complete and right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import Struct

from domain.games.cheat import CHEAT
from domain.kernel.game import Game
from projections.views.seam import GameView
from service.api.answers.problems import KINDS as PROBLEMS
from service.api.document import openapi
from service.api.routes.matches import new_match_type
from service.app import create_app
from service.settings import Settings
from tests.api.serving import Served
from tests.docs.blocks import ADDRESS, KINDS, ROOT, TEXTS, blocks, documents, goes_as_written

DOCS = ROOT / "docs"
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def test_an_evening_with_the_api_goes_as_it_is_written(server: Served, home: dict[str, str], tmp_path: Path) -> None:
    assert goes_as_written(DOCS / "clients.md", {ADDRESS: server.url}, tmp_path, home) >= 10


def test_every_problem_stands_in_the_table() -> None:
    """As the server explains it at its type's address."""
    rows = re.findall(
        r"^\| `(\w+)` \| (\d{3}) \| (.+) \|$", (DOCS / "clients.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    found = {slug: (int(status), re.sub("`(.+?)`", r"“\1”", what_to_do)) for slug, status, what_to_do in rows}
    assert found == {slug: (kind.status, kind.what_to_do.en) for slug, kind in PROBLEMS.items()}


def test_the_table_of_what_a_match_is_opened_with_is_complete() -> None:
    text = (DOCS / "clients.md").read_text(encoding="utf-8")
    table = text.split("| field | says |")[1].split("\n\n")[0]
    told = [
        name for first in re.findall(r"^\| (`[^|]+`) \|", table, re.MULTILINE) for name in re.findall(r"\w+", first)
    ]

    assert sorted(told) == sorted(["game", *new_match_type(CHEAT).__struct_fields__])


@pytest.mark.parametrize("of, heading", [(Game, "## What it says"), (GameView, "## What its viewers are told")])
def test_whoever_adds_a_game_is_told_of_each_thing_that_it_says(of: type[Struct], heading: str) -> None:
    text = (DOCS / "games.md").read_text(encoding="utf-8").split(heading)[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.+?`) \|", text, re.MULTILINE)

    assert sorted(name for cell in cells for name in re.findall(r"\w+", cell)) == sorted(of.__struct_fields__)


def test_the_table_of_successes_is_right_and_complete() -> None:
    text = (DOCS / "clients.md").read_text(encoding="utf-8")
    told = {
        (method, path): {int(status) for status in re.findall(r"\b\d{3}\b", statuses)}
        for method, path, statuses in re.findall(r"^\| `(POST|DELETE) (/v1/\S+)` \| (.+) \|$", text, re.MULTILINE)
    }
    document = openapi.document(create_app(Settings()))
    ours = {
        (method.upper(), path): {int(status) for status in operation["responses"] if status < "400"}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert told == {call: statuses for call, statuses in ours.items() if call[0] != "GET"}
    assert set().union(*(statuses for call, statuses in ours.items() if call[0] == "GET")) == {200, 304}


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in _LINK.findall(text):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_says_whether_it_is_run(document: Path) -> None:
    for block in blocks(document):
        assert block.language in ("sh", "text", "json"), str(block)
        assert block.kind in (KINDS if block.language == "sh" else TEXTS), str(block)


def anchors(document: Path) -> set[str]:
    """Of its headings, as they are made from them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


DECISIONS = sorted(path for path in (DOCS / "decisions").glob("*.md") if path.name != "README.md")


@pytest.mark.parametrize("record", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_says_why_what_follows_what_else_there_was_and_what_holds_it(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    parts = re.findall(r"^\*\*(\w+)\.\*\* \S", text, re.MULTILINE)
    assert parts == ["Context", "Decision", "Consequences", "Alternatives", "Check"]
    assert len(text.split()) <= 400
    checks = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text.rpartition("**Check.**")[2])
    assert checks
    for file, test in checks:
        assert re.search(rf"^(async )?def {test}\(|^    def {test}\(", (ROOT / file).read_text(), re.MULTILINE), test


def test_every_decision_is_listed() -> None:
    listed = _LINK.findall((DOCS / "decisions" / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == [path.name for path in DECISIONS]
