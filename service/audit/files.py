"""Transcripts as files, read with a bar that shows how far it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from projections.audit import transcript

LONGEST: Final = 4 * 1024 * 1024  # bytes of a line; what is longer is none of a transcript
STEP: Final = 256 * 1024  # bytes between moves of the bar

_LAST: Final = tuple(f'{{"line":"{line.__struct_config__.tag}"'.encode() for line in transcript.LAST)


def lines(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.readline(LONGEST), b"")


def failed(why: OSError, path: Path | None = None) -> str:
    """What a person is told of it: the file, as it was named, and what is the matter with it."""
    named = why.filename or path
    return f"{named}: {why.strerror}" if named else str(why.strerror or why)


class CutOff(Exception):
    """The last line of a transcript is not there."""


@contextmanager
def saving(to: Path | None) -> Iterator[Callable[[bytes], None]]:
    """Takes a transcript's lines, to a file, which is whole or not there, or to standard output. Raises CutOff and
    OSError."""
    last = b""

    def save(line: bytes) -> None:
        nonlocal last
        file.write(line)
        last = line

    if to is None:
        file: BinaryIO = sys.stdout.buffer
        yield save
        file.flush()
        _whole(last)
        return
    unfinished = to.with_name(f".{to.name}.unfinished")
    try:
        file = unfinished.open("wb")
    except OSError as why:
        raise OSError(why.errno, why.strerror, str(to)) from None  # the name that was asked for
    try:
        with file:
            yield save
        _whole(last)
        unfinished.replace(to)
    finally:
        unfinished.unlink(missing_ok=True)


def _whole(last: bytes) -> None:
    if not last.startswith(_LAST):
        raise CutOff("The transcript is not whole: it was cut off on its way.")


@contextmanager
def shown(path: Path, console: Console) -> Iterator[Iterator[bytes]]:
    """The lines of a file; where the console is a terminal, with a bar. Raises OSError."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if not console.is_terminal or size < 4 * STEP:
            yield lines(file)
            return
        columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task(path.name, total=size)

            def counted() -> Iterator[bytes]:
                read = told = 0
                for line in lines(file):
                    read += len(line)
                    if read - told >= STEP:
                        told = read
                        progress.update(task, completed=read)
                    yield line

            yield counted()
