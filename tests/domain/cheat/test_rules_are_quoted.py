"""Every number of RULES.md stands in the docstring of a test that shows what it says, and no other number does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games.cheat import CHEAT

NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+){1,2}(?![\d.]*\d)")
TESTS = Path(__file__).parents[2]


def rules() -> dict[str, str]:
    """Number → text, from the list items of RULES.md."""
    items = re.findall(r"^\* \*\*([\d.]+)\*\* (.*?)(?=^\* |^#|\Z)", CHEAT.rules, re.MULTILINE | re.DOTALL)
    return dict(items)


def quoted() -> Iterator[tuple[str, str]]:
    """Number, and the test that quotes it."""
    for path in (*TESTS.glob("domain/cheat/test_*.py"), *TESTS.glob("projections/test_cheat_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in NUMBER.findall(ast.get_docstring(node) or ""):
                    yield number, node.name


@pytest.mark.parametrize("number", rules())
def test_a_rule_is_shown_by_a_test(number: str) -> None:
    assert [test for told, test in quoted() if told == number]


def test_no_test_quotes_a_rule_that_there_is_not() -> None:
    assert {number: test for number, test in quoted() if number not in rules()} == {}


def test_a_rule_says_where_it_comes_from() -> None:
    sources = re.compile(r"\[(S0|I|H|P:[A-Z]+)\]")

    assert len(rules()) > 60
    assert [number for number, text in rules().items() if not sources.search(text)] == []


def test_every_question_that_the_seed_leaves_open_is_answered() -> None:
    answered = {int(number) for number in re.findall(r"\bA(\d+)\b", "".join(rules().values()))}

    assert answered == set(range(1, 22)) - {12}  # there is no A12


def test_the_code_cites_rules_that_there_are() -> None:
    for path in (TESTS.parent / "domain/games/cheat").glob("*.py"):
        cited = re.findall(r"\(([1-9]\d*\.\d+(?:\.\d+)?(?:, \d+\.\d+(?:\.\d+)?)*)\)", path.read_text(encoding="utf-8"))
        for numbers in cited:
            for number in numbers.split(", "):
                assert any(known == number or known.startswith(number + ".") for known in rules()), (path, number)
