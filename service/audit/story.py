"""What happened in a match, from the store: events and attempts in the order of a transcript, a page at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol, TypeVar
from uuid import UUID

import msgspec

from domain import history
from domain.kernel.chance import entropy_of
from domain.kernel.game import AnyGame, Seat
from domain.match import events
from projections import evidence
from projections.audit import transcript
from service.dialogue import OfNewerBuild
from service.runtime import attempts
from service.store.log import MAX_VERSION
from service.store.rows import AttemptRow, EventRow, StreamRow

PAGE: Final = 500  # events, or attempts of a seat, read at once
E = TypeVar("E")

SigningKey = tuple[str, bytes, datetime]  # id, public key, since when


class Log(Protocol):
    """As much of the store as a transcript comes from."""

    async def stream(self, match: UUID) -> StreamRow | None: ...
    async def seed(self, match: UUID) -> bytes | None: ...
    async def events(self, match: UUID, after_version: int = 0, upto: int | None = None) -> list[EventRow]: ...
    async def told(self, match: UUID, viewer_index: int, after_seq: int, limit: int) -> list[EventRow]: ...
    async def attempts(self, match: UUID, seat: int, after: int = 0, limit: int = ...) -> list[AttemptRow]: ...


class Story:
    """Header, events and attempts, and what is known after them: version, entropy, and how the match has ended."""

    def __init__(self, log: Log, match: UUID, game: AnyGame, seed: bytes | None, keys: Sequence[SigningKey]) -> None:
        self._log: Final = log
        self._match: Final = match
        self._game: Final = game
        self._seed: Final = seed
        self._keys: Final = keys
        self.version = 0
        self.entropy = entropy_of(())
        self.status: transcript.Ended | None = None

    async def until(self, version: int, tried: Sequence[int | None]) -> AsyncIterator[transcript.Line]:
        """Up to this version, and so many attempts by seat at most (None: all). Raises Misfit where what is stored is
        no history, and OfNewerBuild."""
        log, match = self._log, self._match
        tries = [_Tries(log, match, seat, last) for seat, last in enumerate(tried)]
        while rows := await log.events(match, self.version, min(self.version + PAGE, version)):
            for row in rows:
                if self.version == 0 and row.version != 1:
                    raise Misfit(1, "it is missing")
                line = _event(match, row)
                if self.version == 0:
                    yield self._header(row)
                elif row.tag == "match.entropy_settled":
                    self.entropy = bytes.fromhex(_decoded(self._game, row, events.EntropySettled).digest)
                self.status = _ENDS.get(row.tag, self.status)
                async for attempt in _before(tries, row.version):
                    yield _attempt(match, attempt, self.version)
                self.version = row.version
                yield line
        async for attempt in _before(tries, MAX_VERSION):
            yield _attempt(match, attempt, self.version)

    def _header(self, first: EventRow) -> transcript.Header:
        opened = _decoded(self._game, first, events.Opened)
        if opened.rules_version > self._game.rules_version:
            raise OfNewerBuild  # its data would be named wrong
        known = [transcript.Key(name, key.hex()) for name, key, since in self._keys if since <= first.received_at]
        return transcript.header(self._game, opened, viewer=None, seed=self._seed, keys=known)


_ENDS: Final[Mapping[str, transcript.Ended]] = {
    "match.ended": "over",
    "match.voided": "void",
    "match.superseded": "superseded",
}


def ends(tries: str, match: UUID, seats: int, version: int) -> tuple[transcript.Tried, ...]:
    """Of the attempts' chains."""
    try:
        chains = attempts.read(tries, match, seats)
    except msgspec.MsgspecError as why:
        raise Misfit(version, f"where the attempts end cannot be read: {why}") from None
    return tuple(transcript.Tried(tried.n, tried.head) for tried in chains)


class Misfit(Exception):
    """What is stored is no history, from this version on."""

    def __init__(self, version: int, what: str) -> None:
        super().__init__(what)
        self.version: Final = version


def _decoded(game: AnyGame, row: EventRow, kind: type[E]) -> E:
    try:
        event = history.read(game, row.envelope).event
    except msgspec.MsgspecError as why:
        raise Misfit(row.version, f"it is no event of this game: {why}") from None
    if not isinstance(event, kind):
        raise Misfit(row.version, f"{kind.__name__} is expected here")
    return event


def _event(match: UUID, row: EventRow) -> transcript.Event:
    columns = {
        "match": str(match),
        **{name: getattr(row, name) for name in ("version", "at", "received_at", "by", "tag")},
    }
    if what := transcript.misfit(row.envelope, columns):
        raise Misfit(row.version, what)
    if any(evidence.head_of(row.heads, n) != bytes(32) for n, seq in enumerate(row.seqs) if not seq):
        raise Misfit(row.version, "there is a head of somebody who was not told")
    return line_of(row)


def line_of(row: EventRow) -> transcript.Event:
    """An event as a transcript has it."""
    return transcript.Event(
        command=str(row.command),
        salt=row.salt.hex(),
        head=row.head.hex(),
        told=transcript.told(row.seqs, row.heads),
        envelope=row.envelope,
    )


def _attempt(match: UUID, row: AttemptRow, version: int) -> transcript.Attempt:
    columns = {
        "match": str(match),
        "command": str(row.command),
        **{name: getattr(row, name) for name in ("seat", "n", "received_at", "outcome")},
    }
    if what := transcript.attempt_misfit(row.record, columns):
        raise Misfit(version, f"attempt {row.n} of seat {row.seat}: {what}")
    return transcript.Attempt(seat=Seat(row.seat), n=row.n, head=row.head.hex(), record=row.record)


async def _before(tries: Sequence[_Tries], version: int) -> AsyncIterator[AttemptRow]:
    """The attempts that met a version before this one and were not given yet: what was refused first, seat by seat, and
    then what was accepted, of which the next events came."""
    while True:
        accepted: _Tries | None = None
        for seat in tries:
            while (row := await seat.next(version)) is not None and row.outcome != "accepted":
                yield seat.take()
            accepted = accepted or (None if row is None else seat)
        if accepted is None:
            return
        yield accepted.take()


class _Tries:
    """The first ``most`` attempts of a seat, in order."""

    def __init__(self, log: Log, match: UUID, seat: int, most: int | None) -> None:
        self._log: Final = log
        self._match: Final = match
        self._seat: Final = seat
        self._most: Final = most
        self._page: deque[AttemptRow] = deque()
        self._last = 0
        self._more = True

    async def next(self, version: int) -> AttemptRow | None:
        """The next one, if it met a version before this one."""
        if not self._page and self._more:
            many = PAGE if self._most is None else min(PAGE, self._most - self._last)
            self._page.extend(await self._log.attempts(self._match, self._seat, self._last, many) if many else ())
            self._more = len(self._page) == PAGE
        return self._page[0] if self._page and _met(self._page[0]) < version else None

    def take(self) -> AttemptRow:
        row = self._page.popleft()
        self._last = row.n
        return row


def _met(row: AttemptRow) -> int:
    try:
        return evidence.read_record(row.record).version
    except msgspec.MsgspecError:
        return 0  # it comes next, and is found to be none
