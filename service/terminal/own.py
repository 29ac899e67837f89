"""A server of one's own for as long as one plays: the supervisor in a process beside this one."""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from service.servers import CannotStart
from service.servers.children import Child

WITHIN: Final = 120.0  # seconds; the first start on a slow machine makes a database
STOPPING: Final = 8.0
TELL: Final = "MOGELWERK_TERMINAL_TELL"  # the number of the open file that the server tells its parent through


class Said(Struct, frozen=True):
    """``what``: how it goes, the URL, or why there is none."""

    kind: str  # step, ready, failed
    what: str


@contextmanager
def own_server(data: Path | None, say: Callable[[str], None]) -> Iterator[str]:
    """Its URL, when it answers; gone at the end. Ends with this process, however that ends. Raises CannotStart."""
    hearing, telling = os.pipe()
    # What it says in between is for nobody who plays; if it does not start, the end of it may say why.
    with tempfile.TemporaryFile() as log, os.fdopen(hearing, "rb") as heard:
        try:
            server = Child(
                [sys.executable, "-m", "service.terminal.own"],
                death=signal.SIGTERM,
                env=_env(data, telling),
                output=log,
                pass_fds=[telling],
            )
        finally:
            os.close(telling)
        try:
            yield _ready(heard.fileno(), say)
        finally:
            server.end(signal.SIGTERM, within=STOPPING)


def _env(data: Path | None, telling: int) -> dict[str, str]:
    ours = {"MOGELWERK_HOST": "127.0.0.1", "MOGELWERK_PORT": "0", "MOGELWERK_WORKERS": "1"}
    quiet = {"MOGELWERK_METRICS_PORT": "0", "MOGELWERK_LOG_LEVEL": "warning", "MOGELWERK_PUBLIC_URL": ""}
    where = {} if data is None else {"MOGELWERK_DATA": str(data)}
    return {**os.environ, **ours, **quiet, **where, TELL: str(telling)}


def _ready(heard: int, say: Callable[[str], None]) -> str:
    until, rest = time.monotonic() + WITHIN, b""
    while True:
        ready, _, _ = select.select([heard], [], [], max(until - time.monotonic(), 0))
        if not ready:
            raise CannotStart(f"The server does not answer after {WITHIN:.0f} s.")
        if not (more := os.read(heard, 4096)):
            raise CannotStart("The server ended before it answered; `mogelwerk serve` shows why.")
        *lines, rest = (rest + more).split(b"\n")
        for line in lines:
            match msgspec.json.decode(line, type=Said):
                case Said("ready", url):
                    return url
                case Said("failed", why):
                    raise CannotStart(why)
                case Said(_, step):
                    say(step)


def main() -> None:
    from service import supervisor
    from service.servers.folder import InUse
    from service.settings import BadSetting

    telling = int(os.environ.pop(TELL))
    os.set_inheritable(telling, False)

    def tell(kind: str, what: str) -> None:
        with suppress(BrokenPipeError):  # whoever it is for has gone, and we go with him
            os.write(telling, msgspec.json.encode(Said(kind, what)) + b"\n")

    try:
        supervisor.serve(os.environ, say=lambda step: tell("step", step), ready=lambda url: tell("ready", url))
    except InUse as why:
        tell("failed", f"{why} Or play on that server, with --server and its address.")
    except (BadSetting, CannotStart) as why:
        tell("failed", str(why))


if __name__ == "__main__":
    main()
