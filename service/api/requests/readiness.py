"""Whether this process can play: Postgres takes writes, and news comes back through the fan-out."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from service.runtime.runtime import Runtime
from service.store.rows import Unavailable

WITHIN: Final = 2.0  # seconds for everything
REMEMBERED: Final = 1.0


class Readiness:
    """Asked as often as anybody likes, it looks once a second."""

    def __init__(self) -> None:
        self._looking: Final = asyncio.Lock()
        self._known: dict[str, bool] = {}
        self._until = 0.0

    async def checks(self, runtime: Runtime, closing: asyncio.Event) -> dict[str, bool]:
        async with self._looking:
            loop = asyncio.get_running_loop()
            if loop.time() >= self._until:
                postgres, fanout = await asyncio.gather(_writes(runtime), runtime.fanout.healthy(WITHIN))
                self._known = {"postgres": postgres, "fanout": fanout}
                self._until = loop.time() + REMEMBERED
            return {**self._known, "open": not closing.is_set()}


async def _writes(runtime: Runtime) -> bool:
    with suppress(Unavailable, TimeoutError):
        async with asyncio.timeout(WITHIN):
            await runtime.store.pulse.beat(runtime.clock.now())
            return True
    return False
