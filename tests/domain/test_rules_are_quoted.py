"""Every number of a RULES.md stands in the docstring of a test that shows what it says, and no other number does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from projections.catalogue import CATALOGUE
from tests.games import KNOWN, package

NUMBER: Final = re.compile(r"(?<![\d.])\d+(?:\.\d+){1,2}(?![\d.]*\d)")
SOURCES: Final = re.compile(r"\[(S[0-4]|I|H|M|P:[A-Z]+)[^\]]*\]")
TESTS: Final = Path(__file__).parents[1]

games = pytest.mark.parametrize("game", CATALOGUE)


@cache
def rules(game: str) -> dict[str, str]:
    """Number → text, from the list items of RULES.md."""
    text = CATALOGUE[game].game.rules
    return dict(re.findall(r"^\* \*\*([\d.]+)\*\* (.*?)(?=^\* |^#|\Z)", text, re.MULTILINE | re.DOTALL))


@cache
def quoted(game: str) -> tuple[tuple[str, str], ...]:
    """Number, and the test that quotes it."""
    name = package(game)
    files = (*TESTS.glob(f"domain/{name}/test_*.py"), *TESTS.glob(f"projections/test_{name}_*.py"))
    return tuple(found for path in files for found in _quoted(path))


def _quoted(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for number in NUMBER.findall(ast.get_docstring(node) or ""):
                yield number, node.name


@games
def test_each_rule_is_shown_by_a_test(game: str) -> None:
    shown = {number for number, _ in quoted(game)}

    assert rules(game)
    assert [number for number in rules(game) if number not in shown] == []


@games
def test_no_test_quotes_a_rule_that_there_is_not(game: str) -> None:
    assert {number: test for number, test in quoted(game) if number not in rules(game)} == {}


@games
def test_a_rule_says_where_it_comes_from(game: str) -> None:
    assert [number for number, text in rules(game).items() if not SOURCES.search(text)] == []


@games
def test_every_question_that_the_seed_leaves_open_is_answered(game: str) -> None:
    assert set(re.findall(r"\b[A-E]\d+\b", "".join(rules(game).values()))) == KNOWN[game].answered


@games
def test_the_code_cites_rules_that_there_are(game: str) -> None:
    for path in (TESTS.parent / "domain/games" / package(game)).rglob("*.py"):
        cited = re.findall(r"\(([1-9]\d*\.\d+(?:\.\d+)?(?:, \d+\.\d+(?:\.\d+)?)*)\)", path.read_text(encoding="utf-8"))
        for numbers in cited:
            for number in numbers.split(", "):
                assert any(known == number or known.startswith(number + ".") for known in rules(game)), (path, number)
