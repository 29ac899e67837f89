"""Match time: wall time less what the match has stood still; in the sandbox, what its clock was turned to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

SANDBOX_START: Final = datetime(2000, 1, 1, tzinfo=UTC)  # every sandbox match begins here, so that two can be compared


class Clock(Struct, frozen=True):
    """``lag``: how long the match has stood still; ``hands``: a manual clock's time (None: it runs by itself).

    ``paused``: since when it stands still, without an end in sight yet (wall clock; None: it runs).
    """

    lag: timedelta = timedelta()
    stood: tuple[datetime, datetime] | None = None  # the last standstill, wall clock, half-open
    hands: datetime | None = None
    paused: datetime | None = None

    def match_time(self, wall: datetime) -> datetime:
        """What the match's clock shows at this wall time."""
        if self.hands is not None:
            return self.hands
        if self.paused is not None:
            wall = min(wall, self.paused)
        if self.stood is not None and wall < self.stood[1]:
            began, ended = self.stood
            return min(wall, began) - (self.lag - (ended - began))
        return wall - self.lag

    def wall_time(self, match_time: datetime) -> datetime | None:
        """When the match's clock will show this, if it does not stand still again; None for a manual clock, and while
        it stands still."""
        return None if self.hands is not None or self.paused is not None else match_time + self.lag

    def pause(self, began: datetime) -> Clock:
        return replace(self, paused=began)

    def stand_still(self, began: datetime, ended: datetime) -> Clock:
        """It runs again, or ran again: whatever it was that began then is over."""
        return replace(self, lag=self.lag + (ended - began), stood=(began, ended), paused=None)
