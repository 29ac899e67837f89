"""A person at a table: what is told is shown, what is typed becomes one of the offered actions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from enum import Enum, auto
from queue import Empty, SimpleQueue
from typing import Any, Final

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.text import Text

from service.terminal import choosing
from service.terminal.choosing import Choice, Unclear
from service.terminal.client import Bye, Client, Heartbeat, Lost, Match, Offer, Problem, Unreachable
from service.terminal.match import Failed, Mail, Told, listen
from service.terminal.scene import tells_the_end
from service.terminal.screen import Edited, Ended, Screen, Typed
from service.terminal.words import Words

TICK: Final = 0.25  # seconds between two looks at the clock
A_DAY: Final = 86_400_000  # milliseconds: a sandbox clock stops at the next deadline anyway
CLOCK_TURNED: Final = "match.clock_turned"


class End(Enum):
    OVER = auto()
    WENT = auto()  # the seat is kept
    LEFT = auto()  # the seat is given up
    CUT = auto()  # nothing more is told


class Pending(Struct, frozen=True):
    """An action that may not be sent yet."""

    offer: Offer
    action: dict[str, Any]


class Play:
    """``secrets``: what this seat has committed to, by its SHA-256; revealed without asking."""

    def __init__(
        self,
        client: Client,
        match: Match,
        screen: Screen,
        mail: SimpleQueue[Mail],
        words: Words,
        secrets: dict[str, str],
    ) -> None:
        self._client: Final = client
        self._id: Final = match.match
        self._told: Final = Told(match, words)
        self._heard = 0  # the last frame whose sentence was shown
        self._screen: Final = screen
        self._mail: Final = mail
        self._words: Final = words
        self._secrets: Final = secrets
        self._choice: Choice | None = None
        self._pending: Pending | None = None
        self._letting_pass: tuple[Offer, ...] | None = None  # sandbox: until something else than this is offered
        self._revealed: dict[str, Any] | None = None
        self._end: End | None = None
        self._end_told = False

    def run(self, after: int) -> End:
        """Until the match is over, or the person goes."""
        if self._told.match.finished:
            self._finish()
        else:
            listen(self._client, self._id, after, self._mail)
            self._weigh()
        while self._end is None:
            with suppress(Empty):
                self._take(self._mail.get(timeout=TICK))
            if self._mail.empty() and self._end is None:
                self._on_time()
                self._look()
        return self._end

    def _take(self, mail: Mail) -> None:
        match mail:
            case Match() | Heartbeat() | Lost():
                self._hear(mail)
            case Bye(reason=reason):
                self._say(self._words.bye.get(reason, reason))
                self._end = End.CUT
            case Failed(why):
                self._complain(why)
                self._end = End.CUT
            case Typed(text):
                self._typed(text.strip())
            case Ended():
                self._say(self._words.end_of_input)
                self._end = End.WENT
            case Edited():
                pass

    def _hear(self, message: Match | Heartbeat | Lost) -> None:
        back = self._told.take(message)
        if back is not None:
            self._say(self._words.back_again if back else self._words.lost)
        if not isinstance(message, Match):
            return
        self._heard = message.seq
        for frame in message.frames:
            if frame.narration and frame.event.get("type") != CLOCK_TURNED:
                self._screen.say(Text(frame.narration))
        self._end_told |= tells_the_end(message.frames)
        if message.finished:
            self._finish()
        else:
            self._weigh()

    def _finish(self) -> None:
        for line in self._told.scene.end(told=self._end_told):
            self._screen.say(line)
        self._end = End.OVER

    def _weigh(self) -> None:
        """What becomes of what the person had begun, now that it stands as it stands."""
        seen = self._told.match
        if (self._choice and not _still(self._choice.offer, seen)) or (
            self._pending and not _still(self._pending.offer, seen)
        ):
            self._choice = self._pending = None
            self._say(self._words.changed)
        if seen.actions != self._letting_pass:
            self._letting_pass = None
        self._reveal(seen)

    def _reveal(self, match: Match) -> None:
        """What we have committed to is revealed as soon as it can be: there is nothing to choose."""
        for offer in match.actions:
            if any(bound.sha256 in self._secrets for bound in offer.fields.values() if bound.sha256):
                made = choosing.begin(offer, self._secrets)
                if made.done and made.action != self._revealed:
                    self._revealed = made.action
                    self._send(made.action)

    def _typed(self, text: str) -> None:
        match text.lower():
            case "x":
                self._choice = self._pending = None
            case "?":
                self._say(self._words.help)
            case "+":
                for table in self._told.scene.whole():
                    self._screen.say(table)
            case _ if self._choice is not None:
                self._answer(self._choice, text)
            case "q" | "quit":
                self._end = End.WENT
            case "leave":
                self._leave()
            case "":
                if self._turns_clock:
                    self._letting_pass = self._told.match.actions
            case _:
                self._choose(text)

    def _choose(self, text: str) -> None:
        """``1 3 5``: the first offer, and 3 and 5 for the first thing that it asks."""
        first, _, rest = text.partition(" ")
        if self._told.match.status == "open":
            if first == "1" and self._is_host:
                self._attempt(lambda: self._client.start(self._id))
            return
        offers = self._told.match.actions
        if not offers:
            self._say(self._words.nothing_to_do)
            return
        if not (first.isascii() and first.isdecimal() and 1 <= int(first) <= len(offers)):
            self._say(self._words.unclear.format(text=text))
            return
        choice = choosing.begin(offers[int(first) - 1], self._secrets)
        if not rest.strip() or (choice.done and rest.strip() == "1"):  # the one thing that there is to choose
            self._go_on(choice)
        elif choice.done:  # something was meant by the rest, and it is not known what
            self._say(self._words.unclear.format(text=text))
        else:
            self._answer(choice, rest)

    def _answer(self, choice: Choice, text: str) -> None:
        try:
            self._go_on(choosing.answer(choice, text))
        except Unclear:
            self._choice = choice
            self._say(self._words.unclear.format(text=text) if text else self._words.unclear_number)

    def _go_on(self, choice: Choice) -> None:
        self._choice = None if choice.done else choice
        if not choice.done:
            return
        first = choice.offer.not_before
        if first is not None and first > self._told.now:
            self._pending = Pending(choice.offer, choice.action)
            self._say(self._words.waits)
        else:
            self._send(choice.action)

    def _on_time(self) -> None:
        waiting = self._pending
        if waiting is not None and (waiting.offer.not_before or self._told.now) <= self._told.now:
            self._pending = None
            self._send(waiting.action)
        elif self._turns_clock and (not self._told.match.actions or self._letting_pass is not None or waiting):
            by = A_DAY
            if waiting is not None and waiting.offer.not_before is not None:
                by = -((self._told.now - waiting.offer.not_before) // timedelta(milliseconds=1))
            self._attempt(lambda: self._client.turn_clock(self._id, by))

    @property
    def _turns_clock(self) -> bool:
        seen = self._told.match
        return seen.sandbox and seen.status == "playing" and self._is_host

    def _send(self, action: dict[str, Any]) -> None:
        self._attempt(lambda: self._client.act(self._id, action))

    def _leave(self) -> None:
        seat = self._told.match.seat
        if seat is not None and self._attempt(lambda: self._client.leave(self._id, seat)):
            self._say(self._words.gave_up)
            self._end = End.LEFT

    def _attempt(self, request: Callable[[], Match]) -> bool:
        """Whether it was done. How it stands then is in the answer; what happened is told by the stream."""
        try:
            seen = request()
        except (Problem, Unreachable) as why:
            self._complain(str(why))
            self._letting_pass = self._pending = None
            return False
        self._told.take(seen)
        if not seen.finished:
            self._weigh()
        return True

    @property
    def _is_host(self) -> bool:
        match = self._told.match
        return any(chair.seat == match.seat and chair.player == match.host for chair in match.seats)

    def _look(self) -> None:
        """Not before what has led to it was told."""
        if self._told.connected and self._heard < self._told.match.seq:
            return
        match, scene = self._told.match, self._told.scene
        parts: list[RenderableType] = [scene.table()]
        moment: object = None
        if match.status == "open":
            moment = (match.status, match.seats)
            if self._is_host:
                parts.append(Text(f"1  {self._words.start}"))
        elif self._choice is not None:
            parts.append(scene.question(self._choice))
            moment = (self._choice.offer, self._choice.asks)
        elif match.actions and self._pending is None and self._letting_pass is None:
            parts += [scene.menu(match.actions), Text(self._words.ask_what, style="dim")]
            if any(scene.whole()):
                parts.append(Text(self._words.plus_shows_all, style="dim"))
            if self._turns_clock:
                parts.append(Text(self._words.enter_waits, style="dim"))
            moment = match.actions
        self._screen.show(Group(*parts), moment)
        if moment is not None:
            self._screen.ask()

    def _say(self, text: str) -> None:
        self._screen.say(Text(text, style="dim"))

    def _complain(self, text: str) -> None:
        self._screen.say(Text(text, style="red"))


def _still(offer: Offer, match: Match) -> bool:
    """Whether it can be chosen as before; when it may be may have changed."""
    return any(other.type == offer.type and other.fields == offer.fields for other in match.actions)
