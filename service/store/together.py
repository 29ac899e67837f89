"""Questions of the same kind, asked together: a crowd that comes at once must not queue for connections."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Together(Generic[K, V]):
    """``ask`` answers for many keys with one statement. Who asks while one is on its way shares the next."""

    def __init__(self, ask: Callable[[list[K]], Awaitable[Mapping[K, V]]]) -> None:
        self._ask: Final = ask
        self._waiting: dict[K, list[asyncio.Future[V | None]]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def about(self, key: K) -> V | None:
        """As it is at some moment after this was called; None: ``ask`` knows nothing of it. Raises what ``ask`` raises,
        to everybody who waits by then: nobody waits longer than one statement may take."""
        answer: asyncio.Future[V | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, []).append(answer)
        if self._asking is None:
            self._asking = asyncio.create_task(self._go_on_asking())
        return await answer

    async def _go_on_asking(self) -> None:
        try:
            while waiting := self._waiting:
                self._waiting = {}
                try:
                    found = await self._ask(list(waiting))
                except Exception as error:
                    _fail(waiting, error)
                    _fail(self._waiting, error)
                    self._waiting = {}
                else:
                    for key, answers in waiting.items():
                        for answer in answers:
                            if not answer.done():
                                answer.set_result(found.get(key))
        finally:
            self._asking = None


def _fail(waiting: Mapping[K, list[asyncio.Future[V | None]]], error: Exception) -> None:
    for answers in waiting.values():
        for answer in answers:
            if not answer.done():  # he may have gone away
                answer.set_exception(error)
