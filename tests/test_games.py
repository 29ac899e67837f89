"""What the tests of all games are told about each."""

from __future__ import annotations

from projections.catalogue import CATALOGUE
from tests.games import KNOWN


def test_the_tests_are_told_of_every_game_and_of_no_other() -> None:
    assert KNOWN.keys() == CATALOGUE.keys()
