"""A match as it goes on, in sentences."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final

from rich.console import Group
from rich.text import Text

from service.terminal.client import Bye, Client, Frame, Heartbeat, Lost, Match
from service.terminal.match import Failed, Mail, Told, listen
from service.terminal.play import TICK, End
from service.terminal.scene import tells_the_end
from service.terminal.screen import Ended, Screen, Typed
from service.terminal.words import Words


class Watch:
    """Through the eyes of whoever asks: his own seat's, else a spectator's."""

    def __init__(self, client: Client, match: Match, screen: Screen, mail: SimpleQueue[Mail], words: Words) -> None:
        self._client: Final = client
        self._told: Final = Told(match, words)
        self._screen: Final = screen
        self._mail: Final = mail
        self._words: Final = words
        self._last: Final = match.seq if match.finished else None  # nothing comes after this one
        self._end: End | None = None
        self._end_told = False

    def run(self, after: int) -> End:
        """Everything after this frame, until the match is over."""
        listen(self._client, self._told.match.match, after, self._mail)
        if self._last is not None and after >= self._last:
            self._finish()
        while self._end is None:
            with suppress(Empty):
                self._take(self._mail.get(timeout=TICK))
            if self._mail.empty() and self._end is None:
                scene = self._told.scene
                self._screen.show(Group(scene.table()), None)
        return self._end

    def _take(self, mail: Mail) -> None:
        match mail:
            case Match() | Heartbeat() | Lost():
                back = self._told.take(mail)
                if back is not None:
                    self._screen.say(Text(self._words.back_again if back else self._words.lost, style="dim"))
                if isinstance(mail, Match):
                    for frame in mail.frames:
                        self._screen.say(_line(frame))
                    self._end_told |= tells_the_end(mail.frames)
                    if mail.finished and mail.seq >= (self._last or 0):
                        self._finish()
            case Bye(reason=reason):
                self._screen.say(Text(self._words.bye.get(reason, reason), style="red"))
                self._end = End.CUT
            case Failed(why):
                self._screen.say(Text(why, style="red"))
                self._end = End.CUT
            case Typed(text) if text.strip().lower() != "q":
                pass
            case Typed() | Ended():
                self._end = End.WENT
            case _:
                pass

    def _finish(self) -> None:
        for line in self._told.scene.end(told=self._end_told):
            self._screen.say(line)
        self._end = End.OVER


def _line(frame: Frame) -> Text:
    """Match time, and what happened."""
    return Text.assemble((f"{frame.at:%H:%M:%S}  ", "dim"), frame.narration or str(frame.event.get("type", "")))
