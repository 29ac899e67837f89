"""Child processes that do not outlive their parent, however it ends."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import IO, Final, TypedDict

from msgspec import Struct

DEATH_SIGNALS = sys.platform == "linux"
PR_SET_PDEATHSIG: Final = 1


class User(Struct, frozen=True):
    """Whom a child runs as, where that is not us."""

    name: str
    uid: int
    gid: int


class Identity(TypedDict, total=False):
    """Arguments of `subprocess`."""

    user: int
    group: int
    extra_groups: list[int]


def as_user(user: User | None) -> Identity:
    return {} if user is None else {"user": user.uid, "group": user.gid, "extra_groups": []}


class Child:
    """Gets `death` when this process ends, even by kill −9, and no signal of the terminal: those are for the parent."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        death: signal.Signals,
        env: Mapping[str, str],
        user: User | None = None,
        output: IO[bytes] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the death signal comes when the thread that started the child ends: start it from main")
        self._process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=pass_fds,
            preexec_fn=_ask_for(death) if DEATH_SIGNALS else None,
            **as_user(user),
        )
        self._minder = None if DEATH_SIGNALS else _minder(self.pid, death)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; minus the signal that ended it."""
        code = self._process.poll()
        if code is not None and self._minder is not None:
            self._minder.kill()  # before the number can belong to another process
            self._minder.wait()
            self._minder = None
        return code

    @property
    def running(self) -> bool:
        return self.exit_code is None

    def tell(self, number: signal.Signals) -> None:
        if self.running:
            self._process.send_signal(number)

    def end(self, *asking: signal.Signals, within: float) -> None:
        """Asks in one way after the other, waiting `within` seconds each time, and then does not ask."""
        for number in asking:
            self.tell(number)
            if until(lambda: not self.running, within):
                return
        self.tell(signal.SIGKILL)
        self._process.wait()
        assert not self.running  # looks, and so ends the minder


def until(come: Callable[[], bool], within: float) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + within
    while not come():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)  # neither processes nor the servers in them have a way to tell that works everywhere
    return True


def _ask_for(death: signal.Signals) -> Callable[[], None]:
    libc, parent = ctypes.CDLL(None), os.getpid()

    def in_child() -> None:
        libc.prctl(PR_SET_PDEATHSIG, death)
        if os.getppid() != parent:  # gone before we could ask
            os._exit(1)

    return in_child


def _minder(pid: int, death: signal.Signals) -> subprocess.Popen[bytes]:
    """Where the system tells no child of its parent's death, a shell waits for it and passes it on."""
    return subprocess.Popen(
        ["/bin/sh", "-c", 'read -r _; kill -s "$1" "$2"', "minder", death.name.removeprefix("SIG"), str(pid)],
        stdin=_lifeline(),
        start_new_session=True,
    )


@cache
def _lifeline() -> int:
    """The reading end of a pipe that ends when this process does. Its other end is never handed to anyone."""
    reading, _ = os.pipe()
    return reading
