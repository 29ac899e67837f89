"""A program on a terminal of its own: what a person sees there, and types."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

from service.servers.children import until

PROGRAM: Final = [sys.executable, "-c", "from service.cli import main; main()"]
_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Pseudo:
    """``text``: all that was shown, without colours and movements."""

    def __init__(self, process: subprocess.Popen[bytes], keyboard: int) -> None:
        self.process = process
        self.raw = b""
        self._keyboard = keyboard
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def text(self) -> str:
        return _CONTROL.sub("", self.raw.decode(errors="replace"))

    @property
    def mode(self) -> list[Any]:
        """Of the terminal: echo, lines, and the like."""
        return termios.tcgetattr(self._keyboard)

    def shows(self, what: str, within: float = 30.0) -> bool:
        assert until(lambda: what in self.text or self.process.poll() is not None, within), self.text[-3000:]
        assert what in self.text, self.text[-3000:]
        return True

    def type(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def ends(self, within: float = 30.0) -> int:
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end:\n{self.text[-3000:]}") from None

    def _read(self) -> None:
        with suppress(OSError):  # nobody holds the other end any more
            while chunk := os.read(self._keyboard, 65536):
                self.raw += chunk


@contextmanager
def on_a_terminal(*arguments: str, env: Mapping[str, str], term: str = "xterm-256color") -> Iterator[Pseudo]:
    """`mogelwerk` with these arguments."""
    keyboard, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        env={**env, "TERM": term},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C comes from a terminal that is ours
    )
    seen = Pseudo(process, keyboard)
    try:
        yield seen
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
        os.close(keyboard)
