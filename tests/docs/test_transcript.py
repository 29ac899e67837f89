"""The page about transcripts: its commands run, its lines are those that there are."""

from __future__ import annotations

import re
from pathlib import Path

from projections.audit.transcript import LINES
from tests.api.serving import Served
from tests.docs.blocks import ADDRESS, ROOT, goes_as_written

PAGE = ROOT / "docs" / "transcript.md"


def test_one_gets_and_checks_a_transcript_as_it_is_written(
    server: Served, home: dict[str, str], tmp_path: Path
) -> None:
    assert goes_as_written(PAGE, {ADDRESS: server.url}, tmp_path, home) == 3


def test_every_kind_of_line_stands_in_the_table() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(told[1:]) == sorted(str(kind.__struct_config__.tag) for kind in LINES)
