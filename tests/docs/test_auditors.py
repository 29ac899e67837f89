"""The page for auditors: its commands run."""

from __future__ import annotations

from pathlib import Path

from tests.api.serving import Served
from tests.docs.blocks import ADDRESS, ROOT, goes_as_written


def test_a_match_is_audited_from_end_to_end_as_it_is_written(
    server: Served, database: str, home: dict[str, str], tmp_path: Path
) -> None:
    page = ROOT / "docs" / "auditors.md"
    assert goes_as_written(page, {ADDRESS: server.url}, tmp_path, {**home, "DATABASE_URL": database}) == 10
