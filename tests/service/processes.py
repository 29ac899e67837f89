"""Programs of ours run by tests, and what they leave behind."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psutil

from service.servers.children import until

PATIENCE = 30.0


class Program:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.said = ""

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def says(self, beginning: str, within: float = PATIENCE) -> str:
        """The rest of the first line from here on that begins so."""
        while True:
            try:
                line = self._lines.get(timeout=within)
            except queue.Empty:
                raise AssertionError(f"no line {beginning!r} in {within} s, but:\n{self.said}") from None
            self.said += line + "\n"
            if line.startswith(beginning):
                return line.removeprefix(beginning)

    def family(self) -> list[psutil.Process]:
        """It, its children and theirs."""
        me = psutil.Process(self.process.pid)
        return [me, *me.children(recursive=True)]


@contextmanager
def program(*arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Program]:
    """A Python program. Killed at the end, which must take all its children with it."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Program(process)
    finally:
        process.kill()
        process.wait()


def ports(process: psutil.Process) -> list[object]:
    """What it has open to a network. One that has ended meanwhile, as a backend of Postgres may, has nothing."""
    try:
        return list(process.net_connections("inet"))
    except psutil.NoSuchProcess:
        return []


def gone(family: list[psutil.Process], within: float = 10.0) -> bool:
    """Whether none of them runs any more. Who is dead and not yet buried is gone."""

    def over(process: psutil.Process) -> bool:
        try:
            return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    return until(lambda: all(over(process) for process in family), within)
