"""The group-commit writer: callers append one by one, Postgres is sent their appends by the batch.

A batch leaves as soon as none is on its way, with whatever has come by then: nobody waits for company, and the more
come, the larger the batches. Where one takes long, or many wait, a second one leaves beside it. Each caller gets the
outcome of his own match.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import asyncpg
from asyncpg.prepared_stmt import PreparedStatement
from msgspec import Struct

from service.store.append import MOST, STATEMENT, arguments, check, outcomes
from service.store.postgres import PATIENCE, Connection, Postgres, is_passing, was_lost
from service.store.rows import Append, Outcome, OutcomeUnknown, Unavailable

WRITERS: Final = 2  # connections
CROWD: Final = 32  # so many appends need not wait for the statement that is on its way
SLOW: Final = 0.01  # seconds after which nobody waits for it: it may be held up by a lock
GRACE: Final = 0.25  # seconds that a caller waits for an answer beyond his not_after
RETRY: Final = 0.1  # seconds between attempts to reach a Postgres that is away

# One plan for every batch, from the primary keys: planning anew would cost more than running, and a plan made while
# tables were empty must not scan them when they are full. And a match that somebody holds for long must not hold up the
# rest of its batch.
_SETTINGS: Final = {"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "lock_timeout": "500ms"}


class Batch(Struct, frozen=True):
    """A statement that was sent, for the metrics."""

    matches: int
    events: int
    seconds: float
    answered: bool  # False: it failed, or was lost


class _Asked:
    """An append and who waits for it."""

    __slots__ = ("alone", "append", "outcome", "sent")

    def __init__(self, append: Append, outcome: asyncio.Future[Outcome]) -> None:
        self.append = append
        self.outcome = outcome
        self.sent = False  # it is on its way, or was, and may have happened
        self.alone = False  # it was in a batch that failed

    def answer(self, outcome: Outcome) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def fail(self, error: Exception) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(error)

    def give_up(self, why: Exception | None) -> None:
        if self.sent:
            self.fail(OutcomeUnknown("Postgres has not answered in time"))
        else:
            self.fail(Unavailable(f"Postgres could not be asked in time: {why or 'no connection was free'}"))


class _Writer:
    """A connection of its own, with the statement prepared on it."""

    def __init__(self, connection: Connection, prepared: PreparedStatement[asyncpg.Record]) -> None:
        self.connection = connection
        self._prepared = prepared

    @classmethod
    async def reach(cls, postgres: Postgres) -> _Writer:
        connection = await postgres.connect(_SETTINGS)
        try:
            return cls(connection, await connection.prepare(STATEMENT))
        except BaseException:
            connection.terminate()
            raise

    async def run(self, batch: Sequence[Append]) -> list[Outcome]:
        return outcomes(await self._prepared.fetchval(*arguments(batch)))


class Appender:
    """Writes appends. ``observe`` is called after each statement."""

    def __init__(
        self,
        postgres: Postgres,
        *,
        observe: Callable[[Batch], None] = lambda batch: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._postgres = postgres
        self._observe = observe
        self._clock = clock
        self._waiting: deque[_Asked] = deque()
        self._under_way: set[UUID] = set()
        self._on_the_way = 0  # statements
        self._sent_at = 0.0  # when the last one left, by the loop's clock
        self._news = asyncio.Event()
        self._closing = False
        self._unreachable: Exception | None = None  # why no connection could be had, since the last that could
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Connects. Raises ``Unavailable``."""
        writers = [await _Writer.reach(self._postgres) for _ in range(WRITERS)]
        self._tasks = [asyncio.create_task(self._keep_writing(writer)) for writer in writers]

    async def close(self) -> None:
        """Writes what was asked for so far, and takes no more; for 2 s at most."""
        self._closing = True
        self._news.set()
        with suppress(TimeoutError):  # whoever is left is told by his own timer
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*self._tasks)

    async def append(self, append: Append) -> Outcome:
        """Does all of it or nothing.

        Waits until ``not_after`` and a quarter of a second at most. Raises ``Unavailable`` where it certainly did not
        happen, its kind ``OutcomeUnknown`` where it may have (``Log.happened`` and ``attempted`` tell), ``ValueError``
        where the events are not those after the expected version, and asyncpg's own errors where a constraint of the
        tables does not let it in.
        """
        check(append)
        if self._closing:
            raise Unavailable("the store is being closed")
        loop = asyncio.get_running_loop()
        asked = _Asked(append, loop.create_future())
        patience = max(0.0, (append.not_after - self._clock()).total_seconds()) + GRACE
        timer = loop.call_later(patience, self._give_up, asked)
        self._waiting.append(asked)
        self._news.set()
        try:
            return await asked.outcome
        finally:
            timer.cancel()

    async def _keep_writing(self, writer: _Writer | None) -> None:
        try:
            while self._waiting or not self._closing:
                if writer is not None and writer.connection.is_closed():
                    writer = None
                if self._waiting and writer is None:
                    writer = await self._reached_again()
                elif writer is not None and self._may_send() and (batch := self._next_batch()):
                    await self._send(writer, batch)
                    self._under_way.difference_update(asked.append.match for asked in batch)
                    self._news.set()  # for what was held back meanwhile
                else:
                    self._news.clear()
                    await self._news.wait()
            self._news.set()  # for the other writer, which waits for what we wrote
        finally:
            if writer is not None:
                writer.connection.terminate()

    async def _reached_again(self) -> _Writer | None:
        try:
            writer = await _Writer.reach(self._postgres)
        except Exception as error:  # whatever it is: who stopped trying would never write again
            self._unreachable = error
            self._waiting = deque(asked for asked in self._waiting if not asked.outcome.done())
            await asyncio.sleep(RETRY)  # nothing tells us when Postgres is back
            return None
        self._unreachable = None
        return writer

    def _may_send(self) -> bool:
        """Beside another only where that takes long or many wait: two small ones cost nearly twice what one does."""
        if not self._on_the_way or len(self._waiting) >= CROWD:
            return True
        return asyncio.get_running_loop().time() - self._sent_at >= SLOW

    def _give_up(self, asked: _Asked) -> None:
        asked.give_up(self._unreachable)

    def _next_batch(self) -> list[_Asked]:
        """The longest waiting, a match once at most, and none that is under way already."""
        batch: list[_Asked] = []
        held_back: deque[_Asked] = deque()
        while self._waiting and len(batch) < MOST:
            asked = self._waiting.popleft()
            if asked.outcome.done():
                continue  # he has given up, or went away
            if asked.append.match in self._under_way or (asked.alone and batch):
                held_back.append(asked)
                continue
            self._under_way.add(asked.append.match)
            batch.append(asked)
            if asked.alone:
                break
        held_back.extend(self._waiting)
        self._waiting = held_back
        return batch

    async def _send(self, writer: _Writer, batch: Sequence[_Asked]) -> None:
        for asked in batch:
            asked.sent = True
        loop, began = asyncio.get_running_loop(), time.perf_counter()
        slow = loop.call_later(SLOW, self._news.set)
        self._on_the_way, self._sent_at = self._on_the_way + 1, loop.time()
        try:
            answers = await writer.run([asked.append for asked in batch])
        except Exception as error:
            self._observed(batch, began, answered=False)
            if was_lost(writer.connection, error):
                for asked in batch:
                    asked.fail(OutcomeUnknown(f"Postgres was lost: {error!r}"))
            elif len(batch) == 1:
                batch[0].fail(Unavailable(f"Postgres could not: {error}") if is_passing(error) else error)
            else:  # Postgres has undone it all: once more, but so that one spoils nobody else's
                for asked in batch:
                    asked.sent, asked.alone = False, True
                self._waiting.extendleft(reversed(batch))
        else:
            self._observed(batch, began, answered=True)
            for asked, outcome in zip(batch, answers, strict=True):
                asked.answer(outcome)
        finally:
            slow.cancel()
            self._on_the_way -= 1

    def _observed(self, batch: Sequence[_Asked], began: float, *, answered: bool) -> None:
        events = sum(len(asked.append.events) for asked in batch)
        self._observe(Batch(len(batch), events, time.perf_counter() - began, answered))
