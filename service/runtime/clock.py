"""The wall clock of this process, disciplined against Postgres's, so that all processes agree."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

QUICK: Final = timedelta(milliseconds=100)  # there and back: from then on half of the way is a guess


class WallClock:
    """``now()`` is this machine's time plus the offset measured last; ``read`` is an argument for tests."""

    def __init__(self, read: Callable[[], float] = time.time) -> None:
        self._read = read
        self._offset = timedelta()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._read(), UTC) + self._offset

    def discipline(self, theirs: datetime, before: datetime, after: datetime) -> bool:
        """``theirs`` was read between two readings of our own (both from ``now``); half of a quick way is assumed.

        False: the way was long, where this process stood still perhaps. That says no more than that theirs lay between
        ours, and our clock is moved only as far as is needed for that.
        """
        if quick := after - before <= QUICK:
            self._offset += theirs - (before + (after - before) / 2)
        else:
            self._offset += theirs - min(max(theirs, before), after)
        return quick
