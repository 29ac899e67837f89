"""What the tests of all games are told about each, and what no game may go without."""

from __future__ import annotations

from pathlib import Path

import pytest

from projections.catalogue import CATALOGUE
from tests.games import KNOWN, package


def test_the_tests_are_told_of_every_game_and_of_no_other() -> None:
    assert KNOWN.keys() == CATALOGUE.keys()


def test_of_every_game_matches_are_kept_and_bots_are_measured() -> None:
    for known in KNOWN.values():
        assert known.stories
        assert known.variants


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_game_proves_its_secrecy_and_tries_the_proof(game: str) -> None:
    """By tests/projections/secrecy.py."""
    files = (Path(__file__).parent / "projections").glob(f"test_{package(game)}_*.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files)

    assert "def test_fields_are_told_as_the_table_says(" in text
    assert "def test_a_redaction_that_tells_too_much_is_caught" in text
    assert "def test_a_redaction_that_tells_too_little_is_caught(" in text
