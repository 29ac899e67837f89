"""What goes out to whoever listens, and how one who listens in this process waits for it."""

from __future__ import annotations

import asyncio
import struct
from collections import deque
from types import TracebackType
from typing import Final, Protocol, Self
from uuid import UUID

from msgspec import Struct

from service.fanout.link import Bounds, Counters

_HEADER: Final = struct.Struct("<BQQQ")
_FORM: Final = 1


def channel(match: UUID, viewer: int) -> bytes:
    """The match is the hash tag: in a cluster all viewers of a match live on one shard."""
    return b"mw:{%s}:%d" % (str(match).encode(), viewer)


class News(Struct, frozen=True):
    """What one append told one viewer: his seqs ``first``…``last``, and the message as a compact JSON object.

    Without a body it is a hint that the log has them. ``version`` is the match's version after the append; 0, not
    known, costs a look into the log. For a viewer who was told nothing, ``last = first - 1`` may say so.
    """

    first: int
    last: int
    body: bytes
    version: int = 0


def pack(news: News) -> bytes:
    return _HEADER.pack(_FORM, news.first, news.last, news.version) + news.body


def unpack(payload: bytes) -> News:
    """Raises ValueError where it is not ours."""
    if len(payload) < _HEADER.size or payload[0] != _FORM:
        raise ValueError("not news")
    _, first, last, version = _HEADER.unpack_from(payload)
    return News(first, last, payload[_HEADER.size :], version)


class Look(Struct, frozen=True):
    """Something may have happened that you were not told: read the log."""


LOOK: Final = Look()


class Joined(Protocol):
    """Where news come from."""

    async def join(self, reader: Subscription) -> None: ...
    def leave(self, reader: Subscription) -> None: ...


class Subscription:
    """What one local reader waits for; an async context manager with one reader.

    Entered, it holds everything from then on, or says `Look`. While it says so it holds nothing: the log has it all.
    """

    __slots__ = (
        "_bounds",
        "_counters",
        "_fanout",
        "_look",
        "_queue",
        "_timer",
        "_waiter",
        "_woken",
        "held",
        "joining",
        "match",
        "viewer",
    )

    def __init__(
        self, match: UUID, viewer: int, *, bounds: Bounds, counters: Counters, fanout: Joined | None = None
    ) -> None:
        self.match: Final = match
        self.viewer: Final = viewer
        self.held = 0  # bytes of the bodies that wait; they are shared with the other readers of this viewer
        self.joining = False
        self._fanout: Final = fanout
        self._bounds: Final = bounds
        self._counters: Final = counters
        self._queue: deque[News] | None = None
        self._look = False
        self._woken = False
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._queue) if self._queue else 0

    async def __aenter__(self) -> Self:
        if self._fanout:
            await self._fanout.join(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ring_at(None)
        if self._fanout:
            self._fanout.leave(self)

    async def next(self, timeout: float | None = None) -> News | Look | None:
        """The next thing to know, or None: nothing within ``timeout`` seconds, or within those asked for before, or
        woken."""
        if not (self._queue or self._look or self._woken):
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            self._ring_at(None if timeout is None else loop.time() + timeout)
            try:
                await self._waiter
            finally:
                self._waiter = None
        self._woken = False
        if self._look:
            self._look = False
            return LOOK
        if not self._queue:
            return None
        news = self._queue.popleft()
        self.held -= len(news.body)
        if not self._queue:
            self._queue = None  # an empty deque is 600 bytes, and most readers are idle
        return news

    def offer(self, news: News) -> None:
        if self._look:
            return
        if self._queue is None:
            self._queue = deque()
        elif len(self._queue) >= self._bounds.reader_news or self.held + len(news.body) > self._bounds.reader_bytes:
            self._counters.overflowed += 1
            self.look()
            return
        self._queue.append(news)
        self.held += len(news.body)
        self._release()

    def look(self) -> None:
        self._look = True
        self._queue = None
        self.held = 0
        self._release()

    def wake(self) -> None:
        """Lets the reader see at once that something else has changed."""
        self._woken = True
        self._release()

    def _ring_at(self, at: float | None) -> None:
        """At that time of the loop's, or earlier: one timer outlasts many news, each of which would need its own."""
        if self._timer is not None:
            if at is not None and self._timer.when() <= at:
                return
            self._timer.cancel()
        self._timer = None if at is None else asyncio.get_running_loop().call_at(at, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._release()

    def _release(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)
