"""Bytes to and from Redis: one connection listens, one speaks, and whatever becomes of them, they go on.

Sharded pub/sub, so that a cluster works: a node that does not serve a channel says who does (MOVED), and the fan-out
turns to that one. Nothing else of a cluster needs to be known.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from secrets import token_bytes, token_hex
from typing import Final, Protocol, TypeAlias

import structlog
from msgspec import Struct
from redis.asyncio.connection import AbstractConnection, Connection, ConnectionPool, UnixDomainSocketConnection
from redis.exceptions import MovedError, RedisError, ResponseError

_log: Final = structlog.get_logger(__name__)

Address: TypeAlias = tuple[str, int]


class Timing(Struct, frozen=True, kw_only=True):
    """Seconds. A reader is late by at most two polls and one query, whatever Redis does."""

    poll: float = 0.5
    patience: float = 1.0  # for any answer of Redis
    confirm: float = 0.25  # how long a subscriber waits for Redis before it goes on without
    canary: float = 2.0  # between two of them
    retry: float = 0.05  # doubled with every failure …
    retry_cap: float = 1.0  # … up to this
    stale: float = 2.0  # what waited longer is not sent any more: the poll has told it


class Bounds(Struct, frozen=True, kw_only=True):
    """What may wait: for one local reader, and for one Redis. Beyond it readers are sent to the log."""

    reader_news: int = 256
    reader_bytes: int = 1024 * 1024
    backlog_news: int = 20_000
    backlog_bytes: int = 32 * 1024 * 1024
    batch_news: int = 256
    batch_bytes: int = 1024 * 1024


class Counters(Struct):
    """Since the start of the process; canaries count as published."""

    published: int = 0
    dropped: int = 0  # never sent: too old, too many, or refused by Redis
    overflowed: int = 0  # readers sent to the log because they were slow
    looks: int = 0  # readers sent to the log by the poll
    reconnected: int = 0
    deaf: int = 0  # listening connections dropped because a canary did not come back
    poll_failures: int = 0


class Canary(Enum):
    BACK = auto()
    LOST = auto()  # Redis took it, and it did not come back; or it never said that it would bring it
    WAITING = auto()  # Redis did not take it


class Switchboard(Protocol):
    """Whom a link works for."""

    def heard(self, name: bytes, payload: bytes) -> None: ...

    def reached(self, name: bytes, listeners: int) -> None:
        """So many connections, of whatever processes, were brought what was said last."""

    def confirmed(self, name: bytes) -> None:
        """From now on this channel brings what is said."""

    def deaf(self, name: bytes) -> None:
        """This channel brings nothing until it is confirmed again."""

    def elsewhere(self, slot: int, address: Address) -> Link:
        """The link to the node that serves this slot of a cluster."""

    def redirect(self, name: bytes, to: Link) -> None: ...

    def lost(self, link: Link) -> None:
        """It cannot be reached, and not for the first time."""


class Outgoing(Struct):
    channel: bytes
    payload: bytes
    at: float
    last: bool = True  # of an append's
    taken: bool = False  # Redis said so
    redirected: int = 0


def pool(redis_url: str) -> ConnectionPool:
    """Raises ValueError where the URL is none."""
    # RESP2: in RESP3 redis-py formats every push it reads for a debug log that nobody asked for.
    made = ConnectionPool.from_url(redis_url, protocol=2)
    made.connection_kwargs["socket_timeout"] = None  # who listens waits for ever; who speaks sees to it
    return made


def pool_elsewhere(known: ConnectionPool, address: Address) -> ConnectionPool:
    """For another node of the same cluster."""
    made, (host, port) = dict(known.connection_kwargs), address
    made |= {"host": host or made.get("host", "localhost"), "port": port}
    made.pop("path", None)
    kind = known.connection_class
    return ConnectionPool(connection_class=Connection if kind is UnixDomainSocketConnection else kind, **made)


class Link:
    """To one server."""

    def __init__(
        self,
        connections: ConnectionPool,
        board: Switchboard,
        *,
        counters: Counters,
        timing: Timing,
        bounds: Bounds,
        on_delay: Callable[[float], object] | None,
    ) -> None:
        self.connections: Final = connections
        self._board: Final = board
        self._counters: Final = counters
        self._timing: Final = timing
        self._bounds: Final = bounds
        self._on_delay: Final = on_delay

        self.backlog: Final[deque[Outgoing]] = deque()
        self.backlog_bytes = 0
        self._to_say: Final = asyncio.Event()

        self._wanted: Final[set[bytes]] = set()
        self._asked: Final[set[bytes]] = set()  # what this listening connection has been asked for
        self._doubted: Final[set[bytes]] = set()  # what it should be asked for once more
        self._changed: dict[bytes, None] = {}  # names where these may differ, in order
        self._to_ask: Final = asyncio.Event()
        self._unanswered: Final[deque[bytes]] = deque()  # Redis answers in the order it was asked

        self._canary = b""
        self._canary_lives: Final = asyncio.Event()
        self._nonces: Final[dict[bytes, asyncio.Future[None]]] = {}
        self._anew: Final = asyncio.Event()

        self.up = False
        self.tried: Final = asyncio.Event()
        self._stopped = False
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def start(self) -> None:
        self._new_canary()
        self._tasks.update(map(asyncio.create_task, (self._listen(), self._speak())))

    def stop(self) -> set[asyncio.Task[None]]:
        """What still runs, and ends within one pause."""
        self._stopped = True  # Python 3.11's TaskGroup loses a cancellation where a task of it fails in the same moment
        for task in self._tasks:
            task.cancel()
        return {task for task in self._tasks if not task.done()}

    def say(self, name: bytes, payload: bytes, *, last: bool = True) -> Outgoing:
        """``last``: of what one append has to tell; that is when its delay is over."""
        item = Outgoing(name, payload, asyncio.get_running_loop().time(), last)
        self._put(item)
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

    async def sing(self, within: float) -> Canary:
        """Sends a canary through Redis and back."""
        nonce = token_bytes(16)
        back = self._nonces[nonce] = asyncio.get_running_loop().create_future()
        sent: Outgoing | None = None
        was_up = self.up
        try:
            async with asyncio.timeout(within):
                await self._canary_lives.wait()
                sent = self.say(self._canary, nonce)
                await back
        except TimeoutError:
            return Canary.LOST if (sent.taken if sent else was_up) else Canary.WAITING
        else:
            return Canary.BACK
        finally:
            del self._nonces[nonce]

    def listen_anew(self) -> None:
        self._anew.set()

    def _new_canary(self) -> None:
        """Of a name that hashes anywhere: where another node serves it, the next one may be ours."""
        self._canary_lives.clear()
        self.unwant(self._canary)
        self._canary = b"mw:{canary-%b}:0" % token_hex(16).encode()
        self.want(self._canary)

    def _change(self, name: bytes) -> None:
        if self.up:
            self._changed[name] = None
            self._to_ask.set()

    async def _connect(self) -> AbstractConnection:
        connection: AbstractConnection = self.connections.make_connection()  # type: ignore[no-untyped-call]
        try:
            async with asyncio.timeout(self._timing.patience):
                await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            await _hang_up(connection)
            raise
        return connection

    # Listening

    async def _listen(self) -> None:
        failures = 0
        while not self._stopped:
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
            if failures >= 3:
                self._board.lost(self)
            await self._pause(failures)
            self._counters.reconnected += 1

    async def _listen_with(self, connection: AbstractConnection) -> None:
        self._asked.clear()
        self._doubted.clear()
        self._unanswered.clear()
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
            for name in self._wanted:
                self._deaf(name)
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
            if asks:
                await connection.send_packed_command(connection.pack_commands(asks))

    async def _hear(self, connection: AbstractConnection) -> None:
        while True:
            try:
                kind, name, payload = await connection.read_response()
            except ResponseError as error:
                self._refused(self._unanswered.popleft(), error)
                continue
            if kind == b"smessage":
                self._heard(name, payload)
            elif self._unanswered and self._unanswered[0] == name:
                self._unanswered.popleft()
                if kind == b"ssubscribe":
                    self._confirmed(name)
            else:  # Redis took it from us, as when a cluster moves a slot
                self._deaf(name)
                self.again(name)

    def _heard(self, name: bytes, payload: bytes) -> None:
        if name == self._canary:
            nonce = self._nonces.get(payload)
            if nonce and not nonce.done():
                nonce.set_result(None)
        else:
            self._board.heard(name, payload)

    def _confirmed(self, name: bytes) -> None:
        if name == self._canary:
            self._canary_lives.set()
        else:
            self._board.confirmed(name)

    def _deaf(self, name: bytes) -> None:
        if name == self._canary:
            self._canary_lives.clear()
        else:
            self._board.deaf(name)

    def _refused(self, name: bytes, error: ResponseError) -> None:
        self._asked.discard(name)
        if isinstance(error, MovedError):
            there = self._board.elsewhere(error.slot_id, (error.host, error.port))
            if name == self._canary:
                self._new_canary()
            else:
                self._board.redirect(name, there)
        else:
            _log.warning("fanout.not_subscribed", error=str(error), channel=name.decode())
            asyncio.get_running_loop().call_later(self._timing.retry_cap, self.again, name)

    # Speaking

    async def _speak(self) -> None:
        failures = 0
        while not self._stopped:
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
        batch: deque[Outgoing] = deque()
        size = 0
        while self.backlog and len(batch) < self._bounds.batch_news and size < self._bounds.batch_bytes:
            item = self._next()
            if now - item.at > self._timing.stale:
                self._counters.dropped += 1
                continue
            batch.append(item)
            size += len(item.payload)
        if not batch:
            return
        refused: ResponseError | None = None
        try:
            async with asyncio.timeout(self._timing.patience):
                await connection.send_packed_command(list(map(_published, batch)))
                while batch:
                    error: ResponseError | None = None
                    reached = 0
                    try:
                        reached = await connection.read_response()
                    except ResponseError as answer:
                        error = answer
                    item = batch.popleft()
                    if error is None:
                        self._taken(item, reached)
                    elif not self._goes_elsewhere(item, error):
                        refused = error
                        self._counters.dropped += 1
        finally:
            self.backlog.extendleft(reversed(batch))
            self.backlog_bytes += sum(len(item.payload) for item in batch)
            if refused:
                _log.warning("fanout.refused", error=str(refused))

    def _taken(self, item: Outgoing, reached: int) -> None:
        item.taken = True
        self._board.reached(item.channel, reached)
        self._counters.published += 1
        if item.last and self._on_delay:
            self._on_delay(asyncio.get_running_loop().time() - item.at)

    def _goes_elsewhere(self, item: Outgoing, error: ResponseError) -> bool:
        if not isinstance(error, MovedError) or item.channel == self._canary or item.redirected > 2:
            return False
        item.redirected += 1
        self._board.elsewhere(error.slot_id, (error.host, error.port))._put(item)
        return True

    def _put(self, item: Outgoing) -> None:
        self.backlog.append(item)
        self.backlog_bytes += len(item.payload)
        while len(self.backlog) > self._bounds.backlog_news or self.backlog_bytes > self._bounds.backlog_bytes:
            self._next()
            self._counters.dropped += 1
        self._to_say.set()

    def _next(self) -> Outgoing:
        item = self.backlog.popleft()
        self.backlog_bytes -= len(item.payload)
        return item

    async def _pause(self, failures: int) -> None:
        wait = min(self._timing.retry * 2 ** min(failures, 16), self._timing.retry_cap)
        await asyncio.sleep(wait * random.uniform(0.5, 1))  # Redis is away: not all at once again


def _published(item: Outgoing) -> bytes:
    """As it goes over the wire; redis-py's own way to write a command takes five times as long."""
    name, payload = item.channel, item.payload
    return b"*3\r\n$8\r\nSPUBLISH\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % (len(name), name, len(payload), payload)


async def _hang_up(connection: AbstractConnection) -> None:
    with suppress(RedisError, OSError):
        await connection.disconnect(nowait=True)
