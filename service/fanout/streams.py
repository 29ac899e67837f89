"""The live stream of one viewer: the log first, then what the fan-out tells, each frame once and in order.

Nothing here trusts the fan-out: what it tells is taken where it follows on what was sent, and else the log is read.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import datetime
from types import TracebackType
from typing import Final, Literal, Protocol
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.fanout.news import Look, News
from service.store.rows import Unavailable

Form = Literal["sse", "ndjson"]
Now = Callable[[], datetime | Awaitable[datetime]]
# Why this stream has to end, or None; raises Unavailable where nobody knows.
StillAllowed = Callable[[], Awaitable[str | None]]

RETRY: Final = b"retry: 1000\n\n"  # what an SSE answer may begin with: come back after a second

CLOSING: Final = "closing"
UNAVAILABLE: Final = "unavailable"


class Source(Protocol):
    """The log, as one viewer is told it. Both raise Unavailable while it cannot be read."""

    def replay(self, match: UUID, viewer: int, after: int) -> AsyncIterator[News]:
        """One News per append, ascending, without a gap from ``after + 1`` to the viewer's present seq.

        A slow reader may leave it standing for long: it must hold no connection between two items.
        """
        ...

    async def head(self, match: UUID, viewer: int) -> int:
        """The viewer's present seq, as committed."""
        ...


class Ear(Protocol):
    """What a stream needs of a `Subscription`."""

    async def __aenter__(self) -> object: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> object: ...

    async def next(self, timeout: float | None = None) -> News | Look | None: ...

    def wake(self) -> None: ...


class Heartbeat(Struct, frozen=True):
    """Nothing new. `server_time`: match time."""

    seq: int
    server_time: datetime | UnsetType = UNSET


class Bye(Struct, frozen=True):
    """The stream ends: `revoked` (your token), `seat_changed`, `gone` (the match, or your right to see it); `closing`
    (this server) or `unavailable` (what it reads from): come back with this `seq`."""

    reason: str
    seq: int


class Reset(Struct, frozen=True):
    """Your cursor was none of ours: what you have is not this stream's. It goes on from this `seq`."""

    seq: int


async def stream(
    source: Source,
    sub: Ear,
    *,
    match: UUID,
    viewer: int,
    after: int,
    form: Form,
    still_allowed: StillAllowed,
    now: Now,
    closing: asyncio.Event,
    heartbeat: float = 10.0,
    check: float = 1.0,
    may_end: Callable[[bytes], bool] = lambda body: False,
) -> AsyncGenerator[bytes, None]:
    """Whole messages as bytes, from ``after + 1`` on, until the reader goes, may not read on, or ``closing`` is set.

    Enters ``sub`` itself. ``check``: seconds between two looks whether this viewer may still read; while nobody knows
    (Unavailable), no frames go out, and heartbeats do. ``now`` is the match's time, for heartbeats.

    ``may_end``: whether these may be the last frames that this viewer is told: then that is looked at before anything
    else goes out.
    """
    write = _FORMS[form]
    clock = asyncio.get_running_loop().time
    check_at = beat_at = 0.0
    known = True

    def due() -> float:
        return max(0.0, min(check_at, beat_at) - clock())

    async with sub, _waking(sub, closing):
        try:
            sent = min(after, await source.head(match, viewer))
        except Unavailable:
            yield write(b"bye", after, _json(Bye(UNAVAILABLE, after)))
            return
        if after > sent:
            yield write(b"reset", sent, _json(Reset(sent)))
        async with aclosing(_Follower(source, sub, match, viewer, sent)) as appends:
            while True:
                if closing.is_set():
                    yield write(b"bye", sent, _json(Bye(CLOSING, sent)))
                    return
                if clock() >= check_at:
                    try:
                        reason = await still_allowed()
                    except Unavailable:
                        known = False
                    else:
                        known = True
                        if reason is not None:
                            yield write(b"bye", sent, _json(Bye(reason, sent)))
                            return
                    check_at = clock() + check
                news: News | None = None
                if known:
                    news = await appends.next(due())
                else:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(due()):  # wait_for may swallow a cancellation, before Python 3.12
                            await closing.wait()
                if news is not None:
                    sent = news.last
                    if may_end(news.body):
                        check_at = 0.0
                    yield write(b"frames", sent, news.body)
                    beat_at = clock() + heartbeat
                elif clock() >= beat_at and not closing.is_set():
                    yield write(b"heartbeat", sent, _json(Heartbeat(sent, await _time(now))))
                    beat_at = clock() + heartbeat


async def wait_for(
    source: Source, sub: Ear, match: UUID, viewer: int, after: int, timeout: float, closing: asyncio.Event
) -> int:
    """The viewer's seq, as soon as it is above ``after``, at the latest after ``timeout`` seconds or when ``closing``.

    Enters ``sub`` itself. Raises Unavailable only where the log cannot be read at the beginning.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + timeout
    async with sub, _waking(sub, closing):
        seq = await source.head(match, viewer)
        behind = False
        while seq <= after and not closing.is_set() and (left := until - clock()) > 0:
            match await sub.next(min(left, 0.5) if behind else left):
                case News(last=last):
                    seq = max(seq, last)
                case Look():
                    behind = True
            if behind:
                with suppress(Unavailable):
                    seq = await source.head(match, viewer)
                    behind = False
        return seq


class _Follower:
    """Every append after ``sent``, once and in order."""

    __slots__ = ("_behind", "_match", "_replay", "_sent", "_source", "_sub", "_viewer")

    def __init__(self, source: Source, sub: Ear, match: UUID, viewer: int, sent: int) -> None:
        self._source: Final = source
        self._sub: Final = sub
        self._match: Final = match
        self._viewer: Final = viewer
        self._sent = sent
        self._behind = True
        self._replay: AsyncIterator[News] | None = None

    async def next(self, timeout: float) -> News | None:
        """The next append; None at the log's end, and where nothing came within ``timeout`` seconds."""
        if not self._behind:
            match await self._sub.next(timeout):
                case None:
                    return None
                case News(first=first, last=last, body=body) as news if first == self._sent + 1 and body:
                    self._sent = last
                    return news
                case News(last=last) if last <= self._sent:
                    return None
                case _:  # told to look; a gap, an overlap or a hint: the log has it in order
                    self._behind = True
        return await self._from_the_log(timeout)

    async def _from_the_log(self, timeout: float) -> News | None:
        try:
            if self._replay is None:
                self._replay = self._source.replay(self._match, self._viewer, self._sent)
            news = await anext(self._replay, None)
        except Unavailable:
            self._replay = None
            await self._sub.next(timeout)  # whatever it is, the log has it
            return None
        if news is None:
            self._replay, self._behind = None, False
        else:
            self._sent = news.last
        return news

    async def aclose(self) -> None:
        if isinstance(self._replay, AsyncGenerator):
            await self._replay.aclose()


@asynccontextmanager
async def _waking(sub: Ear, closing: asyncio.Event) -> AsyncIterator[None]:
    closed = asyncio.create_task(closing.wait())
    closed.add_done_callback(lambda _: sub.wake())
    try:
        yield
    finally:
        closed.cancel()


async def _time(now: Now) -> datetime | UnsetType:
    try:
        time = now()
        return await time if inspect.isawaitable(time) else time
    except Unavailable:
        return UNSET


def _sse(event: bytes, seq: int, body: bytes) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (seq, event, body)


def _ndjson(event: bytes, seq: int, body: bytes) -> bytes:
    return b'{"event":"%b",%b\n' % (event, body[1:])


_FORMS: Final[dict[Form, Callable[[bytes, int, bytes], bytes]]] = {"sse": _sse, "ndjson": _ndjson}
_json: Final = msgspec.json.Encoder().encode
