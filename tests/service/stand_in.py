"""A service of three lines under the real supervisor, for tests of the supervisor alone.

Run as a program: `python -m tests.service.stand_in`, configured by the environment like `mogelwerk serve`.
"""

import asyncio
import os
from collections.abc import AsyncIterator

from litestar import Litestar, get
from litestar.datastructures import State
from litestar.response import Stream
from prometheus_client import Counter

from service import supervisor
from service.servers import children
from service.settings import Settings

ASKED = Counter("stand_in_asked", "How often /pid was asked for")


@get("/pid")
async def pid() -> int:
    ASKED.inc()
    return os.getpid()


@get("/urls")
async def urls(state: State) -> list[str]:
    settings: Settings = state.settings
    return [settings.database_url, settings.redis_url]


@get("/stream")
async def stream(state: State) -> Stream:
    """Open until the server stops, and then with a last word."""

    async def frames() -> AsyncIterator[bytes]:
        yield b"open\n"
        await state.stopping.wait()
        yield b"bye\n"

    return Stream(frames())


@get("/endless")
async def endless() -> Stream:
    """Open for ever."""

    async def frames() -> AsyncIterator[bytes]:
        yield b"open\n"
        await asyncio.Event().wait()

    return Stream(frames())


def create_app(settings: Settings) -> Litestar:
    stopping = asyncio.Event()
    state = State({"settings": settings, "stopping": stopping, "shutdown": stopping.set})
    return Litestar([pid, urls, stream, endless], state=state)


def broken(settings: Settings) -> Litestar:
    raise RuntimeError("this app does not start")


if __name__ == "__main__":
    children.DEATH_SIGNALS &= "NO_DEATH_SIGNALS" not in os.environ  # as on a system that has none
    supervisor.serve(
        os.environ,
        say=lambda text: print(text, flush=True),  # noqa: T201 - the test reads it
        ready=lambda url: print(f"ready {url}", flush=True),  # noqa: T201
        app=os.environ.get("STAND_IN", "tests.service.stand_in:create_app"),
    )
