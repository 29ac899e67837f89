"""Tokens that lie on somebody's own machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.terminal.accounts import Accounts, Unreadable
from service.terminal.client import Account

HERE, THERE = "http://here", "http://there"
ANNA, BEN = Account("Anna", "mw_a"), Account("Ben", "mw_b")


def test_a_token_is_for_nobody_else_to_read(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "mogelwerk"
    accounts = Accounts(folder)
    accounts.keep(HERE, ANNA)
    assert accounts.path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    accounts.path.chmod(0o644)
    accounts.keep(HERE, BEN)
    assert accounts.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["accounts.json"]


def test_an_account_is_found_by_name_or_was_the_last_one_used(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path)
    assert accounts.find(HERE, None) is None
    for account in (ANNA, BEN):
        accounts.keep(HERE, account)
    assert accounts.find(HERE, None) == BEN
    assert accounts.find(HERE, "Anna") == ANNA
    assert accounts.find(HERE, None, but="Ben") == ANNA
    accounts.keep(HERE, ANNA)
    assert Accounts(tmp_path).find(HERE, None) == ANNA
    assert accounts.find(THERE, "Anna") is None


def test_a_file_that_says_nothing_is_not_written_over(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path)
    accounts.path.write_text("{")
    with pytest.raises(Unreadable, match=r"accounts\.json"):
        accounts.keep(HERE, ANNA)
    assert accounts.path.read_text() == "{"
