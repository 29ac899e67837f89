"""Accounts that somebody has made from this terminal, kept in his configuration folder for nobody but him."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from service.terminal.client import Account

Kept = dict[str, dict[str, Account]]  # server → name → account, the one used last at the end


class Unreadable(Exception):
    """The file is there, and nothing can be done with it."""


class Accounts:
    """``folder``: None is where this system keeps such things."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder: Final = folder or platformdirs.user_config_path("mogelwerk", appauthor=False)
        self.path: Final = self._folder / "accounts.json"

    def find(self, server: str, name: str | None, but: str | None = None) -> Account | None:
        """By name, or the one used last; ``but``: not of this name."""
        here = self._read().get(server, {})
        if name is not None:
            return here.get(name)
        return next((account for account in reversed(here.values()) if account.name != but), None)

    def keep(self, server: str, account: Account) -> None:
        kept = self._read()
        here = kept.setdefault(server, {})
        if next(reversed(here.values()), None) == account:
            return
        here.pop(account.name, None)
        here[account.name] = account
        self._write(kept)

    def _read(self) -> Kept:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Kept)
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as why:
            raise Unreadable(f"{self.path}: {why}") from None

    def _write(self, kept: Kept) -> None:
        """Under another name first: it is whole, or it is the old one. mkstemp makes it 0600."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, unfinished = tempfile.mkstemp(dir=self._folder, prefix=".accounts-")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(kept)))
            os.replace(unfinished, self.path)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise
