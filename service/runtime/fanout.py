"""News on its way to every process where somebody listens.

A hint over Redis, never the truth: whatever happens to Redis, the worst is that a reader learns a little later, from
the log, what he was not told. One connection of the process listens and one speaks; both are private to this module.
"""

from __future__ import annotations

import asyncio
import random
import struct
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from enum import Enum, auto
from secrets import token_bytes
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID, uuid4

import structlog
from msgspec import Struct
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.exceptions import RedisError, ResponseError

LARGEST: Final = 512 * 1024  # bytes of a body above which only the hint goes out
_HEADER: Final = struct.Struct("<BQQQ")
_FORM: Final = 1

_log: Final = structlog.get_logger(__name__)


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


class Timing(Struct, frozen=True, kw_only=True):
    """Seconds. A reader is late by at most two polls and one query, whatever Redis does."""

    poll: float = 0.5
    patience: float = 1.0  # for any answer of Redis
    confirm: float = 0.25  # how long a subscriber waits for Redis before it goes on without
    canary: float = 2.0  # between two of them
    retry: float = 0.05  # doubled with every failure …
    retry_cap: float = 1.0  # … up to this
    stale: float = 2.0  # news that waited longer is not sent any more: the poll has told it


class Bounds(Struct, frozen=True, kw_only=True):
    """What may wait: for one local reader, and for Redis. Beyond it readers are sent to the log."""

    reader_news: int = 256
    reader_bytes: int = 1024 * 1024
    backlog_news: int = 20_000
    backlog_bytes: int = 32 * 1024 * 1024
    batch_news: int = 256
    batch_bytes: int = 1024 * 1024


class Counters(Struct):
    """Since the start of the process."""

    published: int = 0
    dropped: int = 0  # never sent: too old, too many, or refused by Redis
    received: int = 0
    delivered: int = 0  # handed to local readers
    overflowed: int = 0  # readers sent to the log because they were slow
    looks: int = 0  # readers sent to the log by the poll
    reconnected: int = 0
    deaf: int = 0  # listening connections dropped because a canary did not come back
    poll_failures: int = 0


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
        "_waiter",
        "_woken",
        "held",
        "joining",
        "match",
        "viewer",
    )

    def __init__(
        self, match: UUID, viewer: int, *, bounds: Bounds, counters: Counters, fanout: Fanout | None = None
    ) -> None:
        self.match: Final = match
        self.viewer: Final = viewer
        self.held = 0
        """Bytes of the bodies that wait; they are shared with the other readers of this viewer."""
        self.joining = False
        self._fanout: Final = fanout
        self._bounds: Final = bounds
        self._counters: Final = counters
        self._queue: deque[News] | None = None
        self._look = False
        self._woken = False
        self._waiter: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._queue) if self._queue else 0

    async def __aenter__(self) -> Self:
        if self._fanout:
            await self._fanout.join(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._fanout:
            self._fanout.leave(self)

    async def next(self, timeout: float | None = None) -> News | Look | None:
        """The next thing to know, or None: nothing within ``timeout`` seconds, or woken."""
        if not (self._queue or self._look or self._woken):
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            timer = loop.call_later(timeout, self._release) if timeout is not None else None
            try:
                await self._waiter
            finally:
                self._waiter = None
                if timer:
                    timer.cancel()
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
        self._counters.delivered += 1
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

    def _release(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)


class _Channel:
    """One viewer of one match, while somebody here listens."""

    __slots__ = ("brought", "live", "match", "name", "readers", "seen")

    def __init__(self, name: bytes, match: UUID) -> None:
        self.name: Final = name
        self.match: Final = match
        self.readers: Final[set[Subscription]] = set()
        self.live: asyncio.Event | None = asyncio.Event()
        """Set when Redis has confirmed the subscription; None once that is past."""
        self.brought = 0  # the version of the match that came through here, or that readers were sent to look for
        self.seen = 0  # the version that the poll saw last

    def look(self) -> None:
        for reader in self.readers:
            reader.look()

    def confirmed(self) -> None:
        """Redis tells from now on; who came before may have missed something."""
        for reader in self.readers:
            if not reader.joining:
                reader.look()
        if self.live:
            self.live.set()
            self.live = None


class _Outgoing(Struct):
    channel: bytes
    news: News
    at: float
    taken: bool = False  # Redis said so


class _Canary(Enum):
    BACK = auto()
    LOST = auto()  # Redis took it, and it did not come back
    WAITING = auto()  # Redis did not take it


def channel(match: UUID, viewer: int) -> bytes:
    """The match is the hash tag: in a cluster all viewers of a match live on one shard."""
    return b"mw:{%s}:%d" % (str(match).encode(), viewer)


class Fanout:
    """Tells this process's news to all processes, and all processes' news to this one's readers."""

    def __init__(
        self,
        redis_url: str,
        versions: Callable[[list[UUID]], Awaitable[Mapping[UUID, int]]],
        *,
        timing: Timing,
        bounds: Bounds,
        on_delay: Callable[[float], object] | None,
    ) -> None:
        self.counters: Final = Counters()
        self._timing: Final = timing
        self._bounds: Final = bounds
        self._versions: Final = versions
        self._channels: Final[dict[bytes, _Channel]] = {}
        self._canary: Final = b"mw:{canary:%s}:0" % uuid4().hex.encode()
        self._nonces: Final[dict[bytes, asyncio.Future[None]]] = {}
        self._link: Final = _Link(redis_url, self, on_delay)
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls,
        redis_url: str,
        versions: Callable[[list[UUID]], Awaitable[Mapping[UUID, int]]],
        *,
        timing: Timing | None = None,
        bounds: Bounds | None = None,
        on_delay: Callable[[float], object] | None = None,
    ) -> Fanout:
        """Starts also where Redis is not there yet; ValueError where the URL is none.

        ``versions`` reads the versions of matches from the log; ``on_delay`` is told of every news how many seconds
        it waited until Redis had taken it.
        """
        fanout = cls(redis_url, versions, timing=timing or Timing(), bounds=bounds or Bounds(), on_delay=on_delay)
        fanout._link.want(fanout._canary)
        fanout._tasks = [asyncio.create_task(work) for work in (*fanout._link.work(), fanout._poll(), fanout._watch())]
        await fanout._link.tried.wait()
        return fanout

    async def close(self) -> None:
        running = {task for task in self._tasks if not task.done()}
        while running:  # once is not enough: Python 3.11's TaskGroup swallows it where a task fails in the same moment
            for task in running:
                task.cancel()
            _, running = await asyncio.wait(running, timeout=0.05)

    def publish(self, match: UUID, news: Mapping[int, News]) -> None:
        """Tells viewers (seats 0…n−1, n a spectator) what was committed. Returns at once, whatever Redis does."""
        for viewer, item in news.items():
            if len(item.body) > LARGEST:
                item = News(item.first, item.last, b"", item.version)
            self._link.say(channel(match, viewer), item)

    def subscribe(self, match: UUID, viewer: int) -> Subscription:
        return Subscription(match, viewer, bounds=self._bounds, counters=self.counters, fanout=self)

    async def healthy(self, within: float = 2.0) -> bool:
        """Whether what this process publishes comes back through what it listens with."""
        return await self._sing(within) is _Canary.BACK

    @property
    def listening(self) -> int:
        """Channels with local readers."""
        return len(self._channels)

    @property
    def waiting(self) -> int:
        """News that Redis has not taken yet."""
        return len(self._link.backlog)

    @property
    def backlog_bytes(self) -> int:
        return self._link.backlog_bytes

    # What the other classes of this module need

    async def join(self, reader: Subscription) -> None:
        name = channel(reader.match, reader.viewer)
        place = self._channels.get(name)
        if place is None:
            place = self._channels[name] = _Channel(name, reader.match)
            self._link.want(name)
        place.readers.add(reader)
        if place.live and self._link.up:
            reader.joining = True
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._timing.confirm):
                        await place.live.wait()
            except BaseException:
                self.leave(reader)
                raise
            finally:
                reader.joining = False

    def leave(self, reader: Subscription) -> None:
        name = channel(reader.match, reader.viewer)
        place = self._channels.get(name)
        if place is None:
            return
        place.readers.discard(reader)
        if not place.readers:
            del self._channels[name]
            self._link.unwant(name)

    def heard(self, name: bytes, payload: bytes) -> None:
        self.counters.received += 1
        place = self._channels.get(name)
        if place is None and name != self._canary:
            return  # its last reader has just gone
        try:
            news = unpack(payload)
        except ValueError:
            _log.warning("fanout.not_news", channel=name.decode(errors="replace"))
            if place:
                place.look()
            return
        if place is None:
            nonce = self._nonces.get(news.body)
            if nonce and not nonce.done():
                nonce.set_result(None)
            return
        place.brought = max(place.brought, news.version)
        for reader in place.readers:
            reader.offer(news)

    def confirmed(self, name: bytes) -> None:
        if place := self._channels.get(name):
            place.confirmed()

    def deaf(self, name: bytes | None = None) -> None:
        """This channel, or all, bring nothing until Redis has confirmed them again."""
        for place in self._channels.values() if name is None else filter(None, [self._channels.get(name)]):
            place.live = place.live or asyncio.Event()

    async def _sing(self, within: float) -> _Canary:
        nonce = token_bytes(16)
        back = self._nonces[nonce] = asyncio.get_running_loop().create_future()
        sent = self._link.say(self._canary, News(0, 0, nonce))
        try:
            async with asyncio.timeout(within):
                await back
        except TimeoutError:
            return _Canary.LOST if sent.taken else _Canary.WAITING
        else:
            return _Canary.BACK
        finally:
            del self._nonces[nonce]

    async def _watch(self) -> None:
        """Begins to listen anew where Redis takes news and nothing of it comes back, though nothing says why."""
        while True:
            await asyncio.sleep(self._timing.canary)
            if self._link.up and await self._sing(self._timing.patience) is _Canary.LOST:
                self.counters.deaf += 1
                _log.warning("fanout.deaf")
                self._link.listen_anew()

    async def _poll(self) -> None:
        """Sends readers to the log where it moved on and nothing came of it within one more poll."""
        while True:
            await asyncio.sleep(self._timing.poll)
            matches = list({place.match for place in self._channels.values()})
            if not matches:
                continue
            try:
                async with asyncio.timeout(max(self._timing.poll, 0.5)):
                    versions = await self._versions(matches)
            except Exception as error:  # whatever Postgres has: the next poll may find it well again
                self.counters.poll_failures += 1
                _log.warning("fanout.poll_failed", error=repr(error))
                continue
            for place in self._channels.values():
                version = versions.get(place.match, 0)
                if place.brought < place.seen:
                    self.counters.looks += len(place.readers)
                    if place.brought:  # else nobody knew yet where this match stands
                        self._link.again(place.name)
                    place.brought = version
                    place.look()
                place.seen = version


class _Link:
    """Two connections to one Redis server; whatever becomes of them, it goes on."""

    def __init__(self, url: str, fanout: Fanout, on_delay: Callable[[float], object] | None) -> None:
        # RESP2: in RESP3 redis-py formats every push it reads for a debug log that nobody asked for.
        self._pool: Final = ConnectionPool.from_url(url, protocol=2)
        self._pool.connection_kwargs["socket_timeout"] = None  # who listens waits for ever; who speaks sees to it
        self._fanout: Final = fanout
        self._counters: Final = fanout.counters
        self._timing: Final = fanout._timing
        self._bounds: Final = fanout._bounds
        self._on_delay: Final = on_delay
        self.backlog: Final[deque[_Outgoing]] = deque()
        self.backlog_bytes = 0
        self._to_say: Final = asyncio.Event()
        self._wanted: Final[set[bytes]] = set()
        self._asked: Final[set[bytes]] = set()  # what this listening connection has been asked for
        self._doubted: Final[set[bytes]] = set()  # what it should be asked for once more
        self._changed: dict[bytes, None] = {}  # names where these may differ, in order
        self._to_ask: Final = asyncio.Event()
        self._unanswered: Final[deque[bytes]] = deque()  # Redis answers in the order it was asked
        self._unanswered_by_name: Final[Counter[bytes]] = Counter()
        self._anew: Final = asyncio.Event()
        self.up = False
        self.tried: Final = asyncio.Event()

    def work(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield self._listen()
        yield self._speak()

    def say(self, name: bytes, news: News) -> _Outgoing:
        item = _Outgoing(name, news, asyncio.get_running_loop().time())
        self.backlog.append(item)
        self.backlog_bytes += len(news.body)
        while len(self.backlog) > self._bounds.backlog_news or self.backlog_bytes > self._bounds.backlog_bytes:
            self._next()
            self._counters.dropped += 1
        self._to_say.set()
        return item

    def want(self, name: bytes) -> None:
        self._wanted.add(name)
        self._change(name)

    def unwant(self, name: bytes) -> None:
        self._wanted.discard(name)
        self._change(name)

    def again(self, name: bytes) -> None:
        """Subscribes once more, should Redis have forgotten: it does no harm."""
        self._doubted.add(name)
        self._change(name)

    def listen_anew(self) -> None:
        self._anew.set()

    def _change(self, name: bytes) -> None:
        if self.up:
            self._changed[name] = None
            self._to_ask.set()

    async def _connect(self) -> AbstractConnection:
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        try:
            async with asyncio.timeout(self._timing.patience):
                await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await _hang_up(connection)
            raise
        return connection

    async def _listen(self) -> None:
        failures = 0
        while True:
            try:
                connection = await self._connect()
                if failures:
                    _log.info("fanout.listening_again")
                failures = 0
                await self._listen_with(connection)
            except* Exception as errors:
                failures += 1
                if failures == 1:
                    _log.warning("fanout.not_listening", error=repr(errors.exceptions[0]))
            self.tried.set()
            await self._pause(failures)
            self._counters.reconnected += 1

    async def _listen_with(self, connection: AbstractConnection) -> None:
        self._asked.clear()
        self._doubted.clear()
        self._unanswered.clear()
        self._unanswered_by_name.clear()
        self._changed = dict.fromkeys(self._wanted)
        self._to_ask.set()
        self._anew.clear()
        self.up = True
        self.tried.set()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._ask(connection))
                group.create_task(self._hear(connection))
                group.create_task(self._until_anew())
        finally:
            self.up = False
            self._fanout.deaf()
            await _hang_up(connection)

    async def _until_anew(self) -> None:
        await self._anew.wait()
        raise ConnectionError("nothing comes through")

    async def _ask(self, connection: AbstractConnection) -> None:
        while True:
            await self._to_ask.wait()
            self._to_ask.clear()
            changed, self._changed = self._changed, {}
            asks = []
            for name in changed:
                if name in self._wanted and (name not in self._asked or name in self._doubted):
                    self._asked.add(name)
                    asks.append((b"SSUBSCRIBE", name))  # one by one: a cluster takes no names of several slots
                elif name not in self._wanted and name in self._asked:
                    self._asked.discard(name)
                    asks.append((b"SUNSUBSCRIBE", name))
                self._doubted.discard(name)
            self._unanswered.extend(name for _, name in asks)
            self._unanswered_by_name.update(name for _, name in asks)
            if asks:
                await connection.send_packed_command(connection.pack_commands(asks))

    async def _hear(self, connection: AbstractConnection) -> None:
        while True:
            try:
                kind, name, payload = await connection.read_response()
            except ResponseError as error:
                name = self._answered()
                self._asked.discard(name)
                _log.warning("fanout.not_subscribed", error=str(error), channel=name.decode())
                continue
            if kind == b"smessage":
                self._fanout.heard(name, payload)
            elif self._unanswered and self._unanswered[0] == name:
                self._answered()
                if kind == b"ssubscribe" and not self._unanswered_by_name[name]:
                    self._fanout.confirmed(name)
            else:  # Redis took it from us, as when a cluster moves a slot
                self._fanout.deaf(name)
                self.again(name)

    def _answered(self) -> bytes:
        name = self._unanswered.popleft()
        self._unanswered_by_name[name] -= 1
        if not self._unanswered_by_name[name]:
            del self._unanswered_by_name[name]
        return name

    async def _speak(self) -> None:
        failures = 0
        while True:
            await self._to_say.wait()
            try:
                connection = await self._connect()
                try:
                    while True:
                        await self._to_say.wait()
                        self._to_say.clear()
                        while self.backlog:
                            await self._say_some(connection)
                        if failures:
                            _log.info("fanout.publishing_again")
                        failures = 0
                finally:
                    await _hang_up(connection)
            except Exception as error:
                failures += 1
                if failures == 1:
                    _log.warning("fanout.not_publishing", error=repr(error), waiting=len(self.backlog))
            self._to_say.set()
            await self._pause(failures)

    async def _say_some(self, connection: AbstractConnection) -> None:
        """Sends one batch; what Redis did not answer for goes back to its place, and may be told twice."""
        now = asyncio.get_running_loop().time()
        batch: deque[_Outgoing] = deque()
        size = 0
        while self.backlog and len(batch) < self._bounds.batch_news and size < self._bounds.batch_bytes:
            item = self._next()
            if now - item.at > self._timing.stale:
                self._counters.dropped += 1
                continue
            batch.append(item)
            size += len(item.news.body)
        if not batch:
            return
        refused: ResponseError | None = None
        try:
            async with asyncio.timeout(self._timing.patience):
                await connection.send_packed_command(
                    connection.pack_commands((b"SPUBLISH", item.channel, pack(item.news)) for item in batch)
                )
                while batch:
                    try:
                        await connection.read_response()
                    except ResponseError as error:
                        refused = error
                        self._counters.dropped += 1
                    else:
                        self._counters.published += 1
                        batch[0].taken = True
                    item = batch.popleft()
                    if self._on_delay:
                        self._on_delay(asyncio.get_running_loop().time() - item.at)
        finally:
            self.backlog.extendleft(reversed(batch))
            self.backlog_bytes += sum(len(item.news.body) for item in batch)
            if refused:
                _log.warning("fanout.refused", error=str(refused))

    def _next(self) -> _Outgoing:
        item = self.backlog.popleft()
        self.backlog_bytes -= len(item.news.body)
        return item

    async def _pause(self, failures: int) -> None:
        wait = min(self._timing.retry * 2 ** min(failures, 16), self._timing.retry_cap)
        await asyncio.sleep(wait * random.uniform(0.5, 1))


async def _hang_up(connection: AbstractConnection) -> None:
    with suppress(RedisError, OSError):
        await connection.disconnect(nowait=True)
