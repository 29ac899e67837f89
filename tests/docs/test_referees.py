"""The page for referees: its commands run, its tables are complete."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from domain.match.events import Complaint, Ruling
from tests.api.disputing import raises
from tests.api.people import Person
from tests.api.serving import Served
from tests.docs.blocks import ADDRESS, ROOT, goes_as_written

PAGE = ROOT / "docs" / "referees.md"


def test_a_dispute_is_raised_and_ruled_on_as_it_is_written(
    server: Served, database: str, home: dict[str, str], tmp_path: Path
) -> None:
    """Also where somebody else's dispute is open on the same server."""
    with Person.arrive(server.url, "Zoe") as zoe:
        zoe.starts(match := zoe.opens(fill=True))
        raises(zoe, match)
    assert goes_as_written(PAGE, {ADDRESS: server.url}, tmp_path, {**home, "DATABASE_URL": database}) == 7


def test_every_reason_and_every_ruling_stands_in_its_table() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert told == ["reason", *get_args(Complaint), "ruling", *get_args(Ruling)]
