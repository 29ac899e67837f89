"""The wall clock of this process, disciplined against Postgres's, so that all processes agree."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class WallClock:
    """``now()`` is this machine's time plus the offset measured last; ``read`` is an argument for tests."""

    def __init__(self, read: Callable[[], float] = time.time) -> None:
        self._read = read
        self._offset = timedelta()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._read(), UTC) + self._offset

    def discipline(self, theirs: datetime, before: datetime, after: datetime) -> None:
        """``theirs`` was read between two readings of our own (both from ``now``); half of the way is assumed."""
        self._offset += theirs - (before + (after - before) / 2)
