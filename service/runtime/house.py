"""The House's clock: wakes matches whose deadline has come. Any process may; the log decides who was first."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog

from service.dialogue import NoSuchMatch
from service.runtime.clock import WallClock
from service.store.rows import Deadline, Unavailable

SCAN: Final = 0.2  # seconds between looks at the rows: what no process expects, or who expected it is gone
BATCH: Final = 200
FIRST: Final = UUID(int=0)
AT_ONCE: Final = 8  # matches being woken: after an outage all are due, and players need connections too
SANDBOX_LIFE: Final = timedelta(hours=24)
LONGEST_REST: Final = 60.0  # seconds between tries of a match that cannot be woken
SWEEP: Final = 600.0  # seconds between sweeps of old sandboxes

log = structlog.get_logger()


@contextmanager
def _going_on() -> Iterator[None]:
    """Around one look: whatever goes wrong in it, the House's clock does not stop."""
    try:
        yield
    except Unavailable:
        pass  # the next look finds it
    except Exception:
        log.exception("look_failed")


class House:
    """``wake(match)`` lets happen what is due; ``due(before, limit, without)`` reads the deadlines' rows, and
    ``playing(after, limit)`` the ids of running matches."""

    def __init__(
        self,
        clock: WallClock,
        *,
        wake: Callable[[UUID], Awaitable[None]],
        due: Callable[[datetime, int, Collection[UUID]], Awaitable[Sequence[Deadline]]],
        playing: Callable[[UUID, int], Awaitable[Sequence[UUID]]],
        drop_sandboxes: Callable[[datetime], Awaitable[int]],
    ) -> None:
        self._clock = clock
        self._wake = wake
        self._due = due
        self._playing = playing
        self._drop_sandboxes = drop_sandboxes
        self._outage = asyncio.Event()
        self._behind: UUID | None = None  # up to which match the House has come since the last outage; None: to all
        self._progress = asyncio.Event()  # set, and then another one, when it has come further
        self._expected: dict[UUID, datetime] = {}
        self._queue: list[tuple[datetime, UUID]] = []
        self._queued: dict[UUID, datetime] = {}  # the match's place in the queue: not later than it is expected
        self._news = asyncio.Event()
        self._waking: set[UUID] = set()
        self._failed: dict[UUID, tuple[datetime, float]] = {}  # until when not to try again, and the pause after that
        self._tasks: set[asyncio.Task[None]] = set()
        self._at_once = asyncio.Semaphore(AT_ONCE)

    def expect(self, match: UUID, due: datetime) -> None:
        """A deadline that this process wrote itself: fired on time, where a look at the rows would be late.

        The match's last one counts. Nearly all move on before they come, so a later one waits where the earlier stands.
        """
        self._expected[match] = due
        if match not in self._queued or due < self._queued[match]:
            self._queued[match] = due
            heapq.heappush(self._queue, (due, match))
            if self._queue[0][1] == match:
                self._news.set()

    async def run(self) -> None:
        """For as long as the process lives."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._fire_expected())
            tasks.create_task(self._scan())
            tasks.create_task(self._sweep())
            tasks.create_task(self._after_outages())

    def outage(self) -> None:
        """One has ended. Every running match is told so by the House, in the order of their ids: else the frame that
        tells of it would come when somebody does something, were it what nobody else may know of."""
        self._behind = FIRST
        self._outage.set()

    async def settled(self, match: UUID) -> None:
        """When the House has come to this match after the last outage, or, where that is not under way, right now."""
        while self._behind is not None and match > self._behind:
            await self._progress.wait()
        await self._wake(match)

    async def _after_outages(self) -> None:
        while True:
            await self._outage.wait()
            self._outage.clear()
            self._behind = FIRST
            with _going_on():
                while matches := await self._playing(self._behind, BATCH):
                    if woken := [task for match in matches if (task := self._start(match)) is not None]:
                        await asyncio.wait(woken)
                    self._come_to(matches[-1])
            self._come_to(None)

    def _come_to(self, match: UUID | None) -> None:
        self._behind = match
        self._progress.set()
        self._progress = asyncio.Event()

    async def _fire_expected(self) -> None:
        while True:
            now = self._clock.now()
            while self._queue and self._queue[0][0] <= now:
                self._come(*heapq.heappop(self._queue), now)
            self._news.clear()
            wait = (self._queue[0][0] - now).total_seconds() if self._queue else SCAN
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):  # not wait_for, which on 3.11 may swallow the cancellation
                    await self._news.wait()

    def _come(self, at: datetime, match: UUID, now: datetime) -> None:
        """A match's place in the queue has come: it is woken, or goes on to where its deadline has moved."""
        if self._queued.get(match) != at:
            return  # it had another place before this one
        due = self._expected[match]
        if due > now:
            self._queued[match] = due
            heapq.heappush(self._queue, (due, match))
        else:
            del self._queued[match], self._expected[match]
            self._start(match)

    async def _scan(self) -> None:
        while True:
            with _going_on():
                self._forget()
                resting = [match for match in self._failed if self._rests(match)]  # they must not stand in others' way
                for deadline in await self._due(self._clock.now(), BATCH, resting):
                    self._start(deadline.match)
            await asyncio.sleep(SCAN)  # other processes' deadlines are told by nothing but their rows

    async def _sweep(self) -> None:
        while True:
            with _going_on():
                await self._drop_sandboxes(self._clock.now() - SANDBOX_LIFE)
            await asyncio.sleep(SWEEP)  # nothing tells that a sandbox is a day old

    def _start(self, match: UUID) -> asyncio.Task[None] | None:
        if match in self._waking or self._rests(match):
            return None
        self._waking.add(match)
        task = asyncio.create_task(self._wake_one(match))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _forget(self) -> None:
        """Who was not due again long after its rest is over was woken by another process, or is gone."""
        long_ago = self._clock.now() - timedelta(seconds=LONGEST_REST)
        for match in [match for match, (until, _) in self._failed.items() if until < long_ago]:
            del self._failed[match]

    def _rests(self, match: UUID) -> bool:
        return match in self._failed and self._clock.now() < self._failed[match][0]

    async def _wake_one(self, match: UUID) -> None:
        try:
            async with self._at_once:
                await self._wake(match)
        except NoSuchMatch:
            log.warning("deadline_of_no_match", match=str(match))
            self._failed[match] = (self._clock.now() + timedelta(seconds=LONGEST_REST), LONGEST_REST)
        except Exception:
            log.exception("wake_failed", match=str(match))  # the row stands: it is tried again, ever less often
            pause = min(2 * self._failed.get(match, (None, 0.5))[1], LONGEST_REST)
            self._failed[match] = (self._clock.now() + timedelta(seconds=pause), pause)
        else:
            self._failed.pop(match, None)
        finally:
            self._waking.discard(match)
