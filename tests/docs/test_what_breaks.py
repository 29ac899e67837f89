"""docs/what-breaks.md: what broke elsewhere, by number, and where it is shown that it does not here."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import ROOT
from tests.games import KNOWN, package

PAGE: Final = ROOT / "docs" / "what-breaks.md"
GAMES: Final = {known.column: package(game) for game, known in KNOWN.items()}
ROWS: Final = re.findall(r"^\| (\d+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
NUMBERS: Final = re.compile(r"(?:\d+_(?:and_)?)+")


@cache
def shown(package: str) -> frozenset[int]:
    """The numbers that this game's tests carry in their names."""
    text = (ROOT / f"tests/projections/test_{package}_what_breaks.py").read_text(encoding="utf-8")
    carried = [NUMBERS.match(name) for name in re.findall(r"^def test_(\w+)", text, re.MULTILINE)]
    return frozenset(int(number) for found in carried if found for number in re.findall(r"\d+", found[0]))


def test_every_number_is_there_once() -> None:
    assert [int(number) for number, _ in ROWS] == list(range(1, 86))


@pytest.mark.parametrize("number, where", ROWS)
def test_a_number_names_the_games_that_show_it_and_no_others(number: str, where: str) -> None:
    named = {GAMES[game] for game in re.split(r"[,;] ", where.strip()) if game in GAMES}
    elsewhere = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", where)

    assert named == {package for package in GAMES.values() if int(number) in shown(package)}
    assert named or elsewhere
    for file, test in elsewhere:
        assert re.search(rf"^(async )?def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), test


def test_what_a_docstring_cites_is_a_number_of_the_page() -> None:
    for path in Path(ROOT / "tests").rglob("test_*.py"):
        cited = re.findall(r"what breaks ((?:\d+(?:, | and )?)+)", path.read_text(encoding="utf-8"), re.IGNORECASE)
        assert {int(number) for numbers in cited for number in re.findall(r"\d+", numbers)} <= set(range(1, 86)), path
