"""Whether what a branch begins with is what happened in the match that it goes on from: from both transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final, NoReturn

import msgspec
from msgspec import Raw, Struct

from domain.match import events
from domain.match.branching import opened_again
from projections.audit import transcript
from projections.audit.fault import Fault, Part
from projections.audit.kept import NothingKept


class NoOriginal(NothingKept):
    """It is not the other match's transcript, or not so much of it that the branch can be held against it."""


class _Happened(Struct, frozen=True):
    """An envelope without the match."""

    version: int
    at: datetime
    received_at: datetime
    by: int
    event: Raw


_happened: Final = msgspec.json.Decoder(_Happened).decode
_opened: Final = msgspec.json.Decoder(events.Opened).decode


class Original:
    """The complete transcript of the other match, read beside the branch's, line by line, as far as it was copied.

    Where it is none, or too short, that is nothing against the branch: both methods raise NoOriginal."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._events: Final = _events(lines)
        self._commands: tuple[str, str] | None = None
        self._head = ""
        self.copied = 0

    def event(self, line: transcript.Event, event: Any) -> None:
        """The branch's next event, which is copied. Raises Fault where the other match has another one here."""
        version = self.copied + 1
        old = next(self._events, None)
        if old is None:
            self._fault("the other match has not come so far")
        then, now = _happened(old.envelope), _happened(line.envelope)
        if isinstance(event, events.Opened):
            self._opened(_opened(then.event), event)
            then = msgspec.structs.replace(then, event=now.event)
        if then != now:
            self._fault("in the other match something else happened here")
        together = (old.command, line.command) if self._commands is None else self._commands
        if (old.command == together[0]) != (line.command == together[1]):
            self._fault("what happened at once in the other match did not here, or the other way")
        self._commands = (old.command, line.command)
        self._head, self.copied = old.head, version

    def ends(self, event: events.Branched) -> None:
        """The copy is whole. Raises Fault where it is not of that log."""
        if event.log_head != self._head:
            self._fault("the head of the other match's log is another one")

    def _opened(self, then: events.Opened, now: events.Opened) -> None:
        if now.branch_of != then.match:
            raise NoOriginal(f"it is of match {then.match}, and the branch goes on from match {now.branch_of}")
        again = [
            opened_again(then, match=now.match, seed_commitment=now.seed_commitment, dealt=dealt)
            for dealt in (True, False)
        ]
        if now not in again:
            self._fault("it was opened with other options than the match that it goes on from")

    def _fault(self, what: str) -> NoReturn:
        raise Fault(self.copied + 1, Part.LOG, what)


def _events(lines: Iterable[bytes]) -> Iterator[transcript.Event]:
    for raw in lines:
        try:
            line = transcript.read(raw)
        except (msgspec.MsgspecError, RecursionError) as why:
            raise NoOriginal(f"a line of it is none of a transcript: {why}") from None
        match line:
            case transcript.Header(viewer=str(viewer)):
                raise NoOriginal(f"it is what {viewer} was told: a branch is held against the whole match")
            case transcript.Event():
                yield line
            case transcript.Ending():
                return
            case transcript.SoFar():
                raise NoOriginal("it was taken before the point from which the branch goes on")
            case _:
                pass
    raise NoOriginal("it ends before the point from which the branch goes on: it was cut off")
