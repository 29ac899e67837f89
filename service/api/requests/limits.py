"""How fast a caller may be: token buckets in this process's memory, each a single number (GCRA)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from typing import Final

from msgspec import Struct

from service.settings import Limits, Rate

MOST: Final = 100_000  # callers remembered by one limit
_EMPTY: Final = 1e-9


class Allowance(Struct, frozen=True):
    """What a bucket answers. ``wait``: seconds until one more fits (0: this one was taken)."""

    policy: str
    quota: int
    window: int  # seconds in which an empty bucket is full again
    left: int
    full_in: int  # seconds
    wait: float

    @property
    def granted(self) -> bool:
        return self.wait == 0

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The fields of draft-ietf-httpapi-ratelimit-headers-10."""
        return [
            (b"ratelimit-policy", b'"%b";q=%d;w=%d' % (self.policy.encode(), self.quota, self.window)),
            (b"ratelimit", b'"%b";r=%d;t=%d' % (self.policy.encode(), self.left, self.full_in)),
        ]


class Buckets:
    """One limit, for many callers. Who has not called for long is forgotten: his bucket is full again."""

    def __init__(self, policy: str, rate: Rate, *, most: int = MOST, now: Callable[[], float] = time.monotonic) -> None:
        self._policy: Final = policy
        self._quota: Final = rate.burst
        self._interval: Final = 1 / rate.per_second
        self._window: Final = rate.burst * self._interval
        self._most: Final = most
        self._now: Final = now
        self._full_at: Final[dict[Hashable, float]] = {}  # when each caller's bucket is full again

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, caller: Hashable) -> Allowance:
        now = self._now()
        full_at = max(self._full_at.get(caller, now), now) + self._interval
        wait = full_at - now - self._window
        if wait > _EMPTY:
            return self._allowance(full_at - self._interval - now, wait)
        self._full_at[caller] = full_at
        if len(self._full_at) > self._most:
            self._forget(now)
        return self._allowance(full_at - now, 0.0)

    def look(self, caller: Hashable) -> Allowance:
        """What ``take`` would answer, taking nothing."""
        now = self._now()
        missing = max(self._full_at.get(caller, now), now) - now
        return self._allowance(missing, max(missing + self._interval - self._window, 0.0))

    def give_back(self, caller: Hashable) -> None:
        """It did not count after all."""
        if caller in self._full_at:
            self._full_at[caller] -= self._interval

    def _allowance(self, missing: float, wait: float) -> Allowance:
        left = max(int((self._window - missing) / self._interval + _EMPTY), 0)
        return Allowance(self._policy, self._quota, math.ceil(self._window), left, math.ceil(missing), wait)

    def _forget(self, now: float) -> None:
        for caller in [caller for caller, full_at in self._full_at.items() if full_at <= now]:
            del self._full_at[caller]
        while len(self._full_at) > self._most * 3 // 4:  # all are busy: the earliest known make way
            del self._full_at[next(iter(self._full_at))]


class AllBuckets(Struct, frozen=True):
    """The limits of this process; each process has its own."""

    token: Buckets
    address: Buckets
    actions: Buckets
    accounts: Buckets
    matches: Buckets
    codes: Buckets
    strays: Buckets  # of whoever acts where he does not sit

    @staticmethod
    def of(limits: Limits) -> AllBuckets:
        named = {name: Buckets(name, getattr(limits, name)) for name in limits.__struct_fields__}
        return AllBuckets(**named, strays=Buckets("token", limits.token))
