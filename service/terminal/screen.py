"""Where things are shown and typed: a terminal whose lower part is kept up to date, or plain lines, one after the
other, where there is no terminal, or a dumb one."""

from __future__ import annotations

import codecs
import os
import select
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Final, Protocol, Self

from msgspec import Struct
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.segment import Segment
from rich.text import Text

PROMPT: Final = "> "


class Typed(Struct, frozen=True):
    text: str


class Edited(Struct, frozen=True):
    """Something on the line that is being typed has changed."""


class Ended(Struct, frozen=True):
    """Nothing will be typed any more."""


Input = Typed | Edited | Ended
Put = Callable[[Input], object]


class Screen(AbstractContextManager["Screen"], Protocol):
    def say(self, what: RenderableType) -> None:
        """One line more of what has happened."""
        ...

    def show(self, what: RenderableType, moment: object) -> None:
        """How it stands. ``moment``: equal as long as nothing about it has to be read again; None: nothing to read."""
        ...

    def ask(self) -> None:
        """Something is to be typed."""
        ...


def screen(put: Put, typing: bool = True) -> Screen:
    """``put`` is given what is typed, from another thread; not ``typing``: nobody is asked anything."""
    console = Console(highlight=False)
    if console.is_terminal and not console.is_dumb_terminal and sys.stdin.isatty() and sys.platform != "win32":
        return Lively(console, put, typing)
    return Plain(console, put, sys.stdin if typing else None, echo=not sys.stdin.isatty())


class Plain(Screen):
    """Reads like a protocol; works with pipes and files, of which a line is read only when something is asked."""

    def __init__(self, console: Console, put: Put, lines: Iterable[str] | None, echo: bool) -> None:
        """``echo``: what is typed is not to be seen by itself."""
        self._console: Final = console
        self._put: Final = put
        self._lines: Final = lines
        self._echo: Final = echo
        self._wanted: Final = threading.Semaphore(0)
        self._moment: object = None
        self._prompted = False

    def __enter__(self) -> Self:
        if self._lines is not None:
            threading.Thread(target=self._read, args=(iter(self._lines),), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._fresh_line()

    def say(self, what: RenderableType) -> None:
        self._fresh_line()
        self._console.print(what, soft_wrap=True)
        if self._moment is not None:
            self._moment = ()  # what stands there has moved up: once more

    def show(self, what: RenderableType, moment: object) -> None:
        if moment is None or moment == self._moment:
            return
        self._fresh_line()
        self._console.print(what)
        self._moment = moment

    def ask(self) -> None:
        if not self._prompted:
            self._prompted = True
            self._console.print(PROMPT, end="")
            self._wanted.release()

    def _fresh_line(self) -> None:
        if self._prompted:
            self._console.print()
            self._prompted = False

    def _read(self, lines: Iterator[str]) -> None:
        while True:
            if self._echo:
                self._wanted.acquire()
            if (line := next(lines, None)) is None:
                self._put(Ended())
                return
            text = line.rstrip("\r\n")
            if self._echo:
                self._console.print(text, markup=False)
            self._prompted = False
            self._put(Typed(text))


class Lively(Screen):
    """What has happened scrolls by above; below stand the table, the choices and what is being typed."""

    def __init__(self, console: Console, put: Put, typing: bool) -> None:
        self._console: Final = console
        self._live: Final = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="visible")
        self._keys: Final = Keyboard(put) if typing else None
        self._raw: AbstractContextManager[None] | None = None
        self._asking = False

    def __enter__(self) -> Self:
        if self._keys is not None:
            self._raw = self._keys.reading()
            self._raw.__enter__()
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)
        if self._raw is not None:
            self._raw.__exit__(kind, error, trace)

    def say(self, what: RenderableType) -> None:
        self._live.console.print(what)

    def show(self, what: RenderableType, moment: object) -> None:
        parts: list[RenderableType] = [Text("─" * min(self._console.width, 60), style="dim"), what]
        if self._keys is not None:
            parts.append(Text(PROMPT + self._keys.line + "▏"))
        self._live.update(_Bottom(parts), refresh=True)

    def ask(self) -> None:
        pass


class _Bottom(Struct, frozen=True):
    """As much of the end of it as there is room for: what one types is at the end."""

    parts: list[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [line for part in self.parts for line in console.render_lines(part, options, pad=False)]
        for line in lines[-(console.height - 1) :]:
            yield from line
            yield Segment.line()


class Keyboard:
    """A line as it is typed, key by key, so that it can be shown again while other things are shown."""

    def __init__(self, put: Put) -> None:
        self.line = ""
        self._put: Final = put
        self._decode: Final = codecs.getincrementaldecoder("utf-8")("ignore").decode
        self._stop, self._stopped = os.pipe()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """With the terminal in a mode that gives every key; Ctrl-C still interrupts."""
        import termios
        import tty

        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        thread = threading.Thread(target=self._read, args=(terminal,), daemon=True)
        try:
            tty.setcbreak(terminal)
            thread.start()
            yield
        finally:
            os.close(self._stopped)
            thread.join(1)
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    def _read(self, terminal: int) -> None:
        while True:
            ready, _, _ = select.select([terminal, self._stop], [], [])
            if self._stop in ready:
                return
            if not (keys := os.read(terminal, 1024)) or not self.take(keys):
                self._put(Ended())
                return

    def take(self, keys: bytes) -> bool:
        """What these keys do to the line; False: Ctrl-D."""
        text = self._decode(keys)
        if text.startswith("\x1b"):
            return True  # an arrow or the like
        for key in text:
            match key:
                case "\r" | "\n":
                    typed, self.line = self.line, ""
                    self._put(Typed(typed))
                case "\x7f" | "\b":
                    self.line = self.line[:-1]
                case "\x15":
                    self.line = ""
                case "\x04":
                    if not self.line:
                        return False
                case _ if key.isprintable():
                    self.line += key
                case _:
                    pass
        self._put(Edited())
        return True
