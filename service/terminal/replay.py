"""`mogelwerk replay`: a match again, step by step, from a transcript; no server is needed for a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from service.audit.reel import ALL, Moment, Reel, Refused
from service.terminal.client import Match
from service.terminal.scene import Scene, tells_the_end
from service.terminal.words import Words

_KEYS: Final = {
    "\x1b[C": "next",
    "\x1bOC": "next",
    "\x1b[D": "back",
    "\x1bOD": "back",
    "\x1b[A": "other",
    "\x1bOA": "other",
    "\x1b[B": "eyes",
    "\x1bOB": "eyes",
    "\x1b[H": "first",
    "\x1b[F": "last",
    " ": "next",
    "\t": "eyes",
    "d": "doubt",
    "D": "doubt before",
    "q": "quit",
    "\x04": "quit",
}
_MILLISECOND: Final = timedelta(milliseconds=1)


class Player:
    """Where one is in the reel, and through whose eyes one looks."""

    def __init__(self, reel: Reel, eyes: str, place: int, words: Words) -> None:
        self.place = place
        self._reel: Final = reel
        self._eyes = reel.eyes.index(eyes)
        self._words: Final = words

    @property
    def eyes(self) -> str:
        return self._reel.eyes[self._eyes]

    def press(self, key: str) -> bool:
        """What a key does; False: it ends."""
        last = len(self._reel.moments) - 1
        match _KEYS.get(key):
            case "next":
                self.place = min(self.place + 1, last)
            case "back":
                self.place = max(self.place - 1, 0)
            case "first":
                self.place = 0
            case "last":
                self.place = last
            case "eyes":
                self._eyes = (self._eyes + 1) % len(self._reel.eyes)
            case "other":
                self._eyes = (self._eyes - 1) % len(self._reel.eyes)
            case "doubt" | "doubt before" as which:
                found = self._reel.next_doubt(self.place, 1 if which == "doubt" else -1)
                self.place = self.place if found is None else found
            case "quit":
                return False
            case None if key in "1234567890" and (eyes := f"seat:{(int(key) - 1) % 10}") in self._reel.eyes:
                self._eyes = self._reel.eyes.index(eyes)
            case _:
                pass
        return True

    def picture(self) -> RenderableType:
        moment, words = self._reel.moments[self.place], self._words
        parts: list[RenderableType] = [self._head(moment), Text(), *self._happened()]
        told = self._reel.message(self.place, self.eyes, words.language)
        beside: RenderableType = Group(*map(Text, self._refused(moment)))
        if told is not None:
            seen = msgspec.json.decode(told, type=Match)
            scene = Scene(seen, moment.at, words)
            table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 4, 0, 0))
            table.add_row(scene.table(), beside)
            parts += [Text(), table, *self._hands()]
            if seen.finished:
                parts += list(scene.end(told=tells_the_end(seen.frames)))
        if not self._reel.whole:
            parts += [Text(), Text(words.replay_cut_off, style="yellow")]
        return Group(*parts, Text(), Text(words.replay_keys, style="dim"))

    def lines(self) -> Iterator[str]:
        """This step as plain text."""
        moment = self._reel.moments[self.place]
        said = self._reel.sentences(self.place, self.eyes, self._words.language)
        clock = _clock(moment.at)
        for sentence in said:
            yield f"{clock}  {sentence}"
        for line in self._refused(moment):
            yield f"{' ' * len(clock)}  {line}"
        if not self._reel.whole and moment is self._reel.moments[-1]:
            yield self._words.replay_cut_off

    def _head(self, moment: Moment) -> Text:
        first, last = moment.versions
        place = f"{first}–{last}" if first < last else str(first)
        words = self._words
        said = words.replay_version if len(self._reel.eyes) > 1 else words.replay_frame
        return Text.assemble(
            (f"{self._reel.game}  ", "bold"),
            f"{self.place + 1}/{len(self._reel.moments)} · {said} {place} · ",
            (_clock(moment.at), "bold yellow"),
            f" · {words.replay_eyes}: ",
            (self._called(self.eyes), "bold cyan"),
        )

    def _happened(self) -> Iterator[Text]:
        said = self._reel.sentences(self.place, self.eyes, self._words.language)
        for sentence in said:
            yield Text(sentence)
        if not said:
            yield Text(self._words.replay_untold, style="dim")

    def _hands(self) -> Iterator[Text]:
        """What each seat holds, where nothing is hidden."""
        if self.eyes != ALL:
            return
        for seat in range(self._reel.seats):
            told = self._reel.message(self.place, f"seat:{seat}", self._words.language)
            view = None if told is None else msgspec.json.decode(told, type=Match).view
            if view and isinstance(hand := view.get("hand"), list) and hand:
                yield Text(f"{self._words.seat} {seat + 1}: {' '.join(map(str, hand))}")

    def _refused(self, moment: Moment) -> Iterator[str]:
        for one in self._reel.refused(self.place, self.eyes):
            yield self._one_refused(one, moment.received_at)

    def _one_refused(self, one: Refused, happened: datetime | None) -> str:
        words = self._words
        who = f"{words.seat} {one.seat + 1}"
        if one.action is None:
            return words.replay_uncounted.format(who=who, count=one.count)
        after = "" if happened is None else f" ({(one.received_at - happened) / _MILLISECOND:+.1f} ms)"
        why = self._reel.why(one.reason or "", words.language)
        return words.replay_refused.format(
            who=who, clock=_clock(one.received_at) + after, action=one.action, why=why, reason=one.reason
        )

    def _called(self, eyes: str) -> str:
        if eyes.startswith("seat:"):
            return f"{self._words.seat} {typed(eyes)}"
        return self._words.replay_all if eyes == ALL else self._words.replay_spectator


def typed(eyes: str) -> str:
    """How a person says whose eyes: a seat's by its number, from 1."""
    seat = eyes.removeprefix("seat:")
    return eyes if seat == eyes else str(int(seat) + 1)


def show(player: Player, reel: Reel) -> None:
    """On a terminal key by key; elsewhere all of it, from where one is."""
    console = Console(highlight=False)
    if not (console.is_terminal and not console.is_dumb_terminal and sys.stdin.isatty() and sys.platform != "win32"):
        for place in range(player.place, len(reel.moments)):
            player.place = place
            for line in player.lines():
                console.print(line, soft_wrap=True, markup=False)
        return
    with _keys() as keys, Live(console=console, auto_refresh=False, screen=True) as live:
        live.update(player.picture(), refresh=True)
        for key in keys:
            if not player.press(key):
                return
            live.update(player.picture(), refresh=True)


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """Key by key, with the terminal in a mode that gives each; Ctrl-C still interrupts."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield _split(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _split(terminal: int) -> Iterator[str]:
    while pressed := os.read(terminal, 1024):
        text = pressed.decode(errors="ignore")
        while text:
            size = 3 if text[0] == "\x1b" and len(text) > 2 else 1
            yield text[:size]
            text = text[size:]


def _clock(moment: datetime) -> str:
    """To the millisecond."""
    return f"{moment:%H:%M:%S}.{moment.microsecond // 1000:03}"
