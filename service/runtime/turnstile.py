"""Commands of one match, one at a time, in the order in which they were received."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from datetime import datetime
from itertools import count
from typing import Any, Generic, TypeVar
from uuid import UUID

T = TypeVar("T")


class Turnstile(Generic[T]):
    """``serve(match, thing)`` is called for one thing of a match at a time, the earliest received first."""

    def __init__(self, serve: Callable[[UUID, T], Awaitable[Any]]) -> None:
        self._serve = serve
        self._waiting: dict[UUID, list[tuple[datetime, int, T, asyncio.Future[Any]]]] = {}
        self._tickets = count()
        self._tasks: set[asyncio.Task[None]] = set()

    async def pass_through(self, match: UUID, received_at: datetime, thing: T) -> Any:
        """What ``serve`` answers, or its exception. Goes on when the caller is gone: half a command is none."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        queue = self._waiting.get(match)
        ticket = (received_at, next(self._tickets), thing, answer)
        if queue is None:
            self._waiting[match] = [ticket]
            task = asyncio.create_task(self._run(match))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            heapq.heappush(queue, ticket)
        return await answer

    async def _run(self, match: UUID) -> None:
        queue = self._waiting[match]
        while queue:
            _, _, thing, answer = heapq.heappop(queue)
            try:
                result = await self._serve(match, thing)
            except Exception as error:  # it is the caller's, who may be gone
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(result)
        del self._waiting[match]

    async def drain(self) -> None:
        """Until nothing is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)
