"""The worker processes, as their parent sees them."""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec import Struct
from prometheus_client.multiprocess import mark_process_dead

from service.servers import CannotStart
from service.servers.children import Child, until

INHERITED: Final = "MOGELWERK_INHERITED"

# Of the 5 s in which all must be over. The rest is for the servers, which a busy machine slows down too.
STOPPING: Final = 2.5
HEALTHY: Final = 10.0  # seconds after which the end of a worker is an accident and not a habit
SHORTEST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0


class Inherited(Struct, frozen=True):
    """What a worker gets from its parent, in a variable. The numbers are open files."""

    app: str
    listening: int
    ready: int
    """A byte here says that requests are taken."""
    metrics: int | None


class Metrics(Struct, frozen=True):
    listening: socket.socket
    folder: str
    """Where the workers put their numbers: whichever takes a request adds up all of them."""


class Crew:
    def __init__(
        self,
        app: str,
        env: Mapping[str, str],
        listening: socket.socket,
        metrics: Metrics | None,
        say: Callable[[str], None],
    ) -> None:
        self._ready, ready = os.pipe()
        os.set_blocking(self._ready, False)
        self._inherited = Inherited(app, listening.fileno(), ready, metrics.listening.fileno() if metrics else None)
        self._metrics = metrics
        self._env = {**env, INHERITED: msgspec.json.encode(self._inherited).decode()}
        if metrics is not None:
            self._env["PROMETHEUS_MULTIPROC_DIR"] = metrics.folder
        self._say = say
        self._workers: list[_Worker] = []

    def start(self, count: int, within: float) -> None:
        """Returns when all take requests. Raises CannotStart where one ends instead."""
        self._workers += [_Worker(self._begin) for _ in range(count)]
        answering = 0

        def all_answer() -> bool:
            nonlocal answering
            answering += self._newly_ready()
            if not all(worker.child.running for worker in self._workers):
                raise CannotStart("A worker ended before it took a request; why, it says above.")
            return answering == count

        if not until(all_answer, within):
            raise CannotStart(f"The workers take no requests after {within:.0f} s.")

    def tend(self) -> None:
        """Starts again who has ended; after ever longer pauses whoever keeps ending."""
        self._newly_ready()
        for worker in self._workers:
            if (ended := worker.tend()) is not None:
                self._say(f"Worker {ended.pid} has ended ({_how(ended)}); another takes its place")
                if self._metrics is not None:
                    # Takes its gauges away and leaves its counters.
                    mark_process_dead(ended.pid, self._metrics.folder)  # type: ignore[no-untyped-call]  # it has no types

    def stop(self) -> None:
        for worker in self._workers:
            worker.child.tell(signal.SIGTERM)
        until(lambda: not any(worker.child.running for worker in self._workers), STOPPING)
        for worker in self._workers:
            worker.child.end(within=0)

    def _begin(self) -> Child:
        files = (self._inherited.listening, self._inherited.ready, self._inherited.metrics)
        return Child(
            [sys.executable, "-m", "service.worker"],
            death=signal.SIGKILL,  # the parent's sudden end is a crash: nothing answers on its port any more
            env=self._env,
            pass_fds=[number for number in files if number is not None],
        )

    def _newly_ready(self) -> int:
        try:
            return len(os.read(self._ready, 4096))
        except BlockingIOError:
            return 0


class _Worker:
    def __init__(self, begin: Callable[[], Child]) -> None:
        self._begin = begin
        self._pause = SHORTEST_PAUSE
        self._again: float | None = None  # when the next one starts; None while one runs
        self._start()

    def _start(self) -> None:
        self.child = self._begin()
        self._since = time.monotonic()
        self._again = None

    def tend(self) -> Child | None:
        """Who has just been found to have ended."""
        now = time.monotonic()
        if self.child.running:
            return None
        if self._again is None:
            self._pause = SHORTEST_PAUSE if now - self._since > HEALTHY else min(2 * self._pause, LONGEST_PAUSE)
            self._again = now + self._pause
            return self.child
        if now >= self._again:
            self._start()
        return None


def _how(ended: Child) -> str:
    code = ended.exit_code or 0
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
