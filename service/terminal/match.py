"""A match as this program knows it: what it was told last, and what its clock shows by now."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from queue import SimpleQueue
from threading import Thread
from typing import Final

from msgspec import Struct

from service.terminal.client import Bye, Client, Heartbeat, Lost, Match, Message, Problem
from service.terminal.scene import Scene
from service.terminal.screen import Input
from service.terminal.words import Words


class Failed(Struct, frozen=True):
    """No more will come of the stream."""

    why: str


Mail = Message | Input | Failed


class Told:
    """``now``: match time, as far as one can tell between two messages."""

    def __init__(self, match: Match, words: Words, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.match = match
        self.connected = True
        self._words: Final = words
        self._monotonic: Final = monotonic
        self._tell_time(match.server_time)

    @property
    def now(self) -> datetime:
        if self.match.sandbox or self.match.finished:
            return self._time
        return self._time + timedelta(seconds=self._monotonic() - self._at)

    @property
    def scene(self) -> Scene:
        return Scene(self.match, self.now, self._words)

    def take(self, message: Message) -> bool | None:
        """What was told. Whether that changes the connection: True, it is back; False, it is gone."""
        was = self.connected
        match message:
            case Match() if message.seq >= self.match.seq:
                self.match = message
                self._tell_time(message.server_time)
            case Heartbeat(server_time=datetime() as moment):
                self._tell_time(moment)
        if isinstance(message, Match | Heartbeat | Lost):
            self.connected = not isinstance(message, Lost)
        return None if was == self.connected else self.connected

    def _tell_time(self, moment: datetime) -> None:
        self._time = moment
        self._at = self._monotonic()


def listen(client: Client, match: str, after: int, mail: SimpleQueue[Mail]) -> None:
    """Puts what the stream tells into the mail, from a thread of its own."""

    def work() -> None:
        try:
            for message in client.stream(match, after):
                mail.put(message)
                if isinstance(message, Bye):
                    return
        except Problem as why:
            mail.put(Failed(str(why)))
        except Exception as unforeseen:  # else nobody would hear of it
            mail.put(Failed(repr(unforeseen)))

    Thread(target=work, daemon=True).start()
