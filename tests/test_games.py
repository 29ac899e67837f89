"""What the tests of all games are told about each."""

from __future__ import annotations

from projections.catalogue import CATALOGUE
from tests.games import KNOWN


def test_the_tests_are_told_of_every_game_and_of_no_other() -> None:
    assert KNOWN.keys() == CATALOGUE.keys()


def test_of_every_game_matches_are_kept_and_bots_are_measured() -> None:
    for known in KNOWN.values():
        assert known.stories
        assert known.variants
