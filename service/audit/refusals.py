"""What was refused: to whom, when it arrived, why, and what had been first. Explained again from the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Container, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal, Protocol
from uuid import UUID

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from domain.kernel.game import Command, Refused, Seat
from domain.match import actions
from projections.evidence import Record, read_record
from projections.views.seam import AnyView
from service.audit.rights import Rights, rights_of
from service.audit.sealed import is_sealed
from service.audit.story import PAGE
from service.dialogue import MayNotSee, NotOver, NotSeated, Refusal
from service.runtime.book import Book, empty
from service.runtime.books import BREATHE_EVERY, Books, remembering
from service.runtime.draft import Order, decided, refusal
from service.store.rows import AttemptRow, EventRow

MOST: Final = 100  # on a page
_MILLISECOND: Final = timedelta(milliseconds=1)


class Attempt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a seat tried and was refused.

    `n`: its number in the chain of all that the seat tried; to whoever may not know what that was, among what was
    refused. `outcome`: `refused`, or `uncounted`: so many more
    (`count`), which are not on record. `received_at`: when its last byte was in, wall clock. The rest is left out where
    you may not know it, and where there is nothing to say:

    * `at`: what the match's clock showed then; `seq`: the seat's last frame at that moment;
    * `action`, `reason`: what it asked for, and why the answer was no;
    * `not_before`, `closes_at`: match time from which it would have been taken, or before which it would have been;
    * `beaten_by`: the seat's frame of what was first, without which it would have been taken; `beaten_at`: when that
      had arrived, by the match's clock;
    * `missed_by_ms`: by how much it came after `beaten_at` or `closes_at`, or before `not_before`. Below 0 it had
      arrived before what beat it, which was written first all the same.
    """

    seat: int
    n: int
    received_at: datetime
    outcome: Literal["refused", "uncounted"]
    count: int = 1
    at: datetime | None = None
    seq: int | None = None
    reason: str | None = None
    action: Annotated[Any, Meta(description="As it was decoded.")] = None
    not_before: datetime | None = None
    closes_at: datetime | None = None
    beaten_by: int | None = None
    beaten_at: datetime | None = None
    missed_by_ms: float | None = None


class Page(Struct, frozen=True):
    """``cursor``: by seat, after which number the next page begins; None: this is the last."""

    attempts: tuple[Attempt, ...]
    cursor: tuple[int, ...] | None


class BadCursor(Exception):
    """Not one that came with a page of this match."""


class Log(Protocol):
    """As much of the store as this needs."""

    async def events(self, match: UUID, after_version: int = 0, upto: int | None = None) -> list[EventRow]: ...
    async def refused(self, match: UUID, seat: int, after: int, limit: int) -> list[AttemptRow]: ...
    async def refused_from(self, match: UUID, seat: int, skip: int, limit: int) -> list[AttemptRow]: ...


class Whose(Struct, frozen=True):
    """Of which seats a caller reads, and whether with what was in them; ``only``: what this player tried himself."""

    seats: tuple[Seat, ...]
    content: bool
    only: str | None = None


def whose(book: Book, player: UUID, scopes: Container[str], *, sealed: bool) -> tuple[Whose, Rights]:
    """``sealed``: the match, or a branch of it, is not over. Raises MayNotSee, and NotSeated where there is nothing
    that could be his."""
    may, name = rights_of(book, player, scopes, sealed=sealed), str(player)
    everybody = tuple(map(Seat, range(book.seats)))
    if may.all:
        return Whose(everybody, content=True), may
    if may.official:
        return Whose(everybody, content=False), may
    chairs = book.open_state().chairs
    held = tuple(seat for seat in everybody if name in (chairs[seat].player, chairs[seat].held_by))
    if held:
        return Whose(held, content=True, only=name), may
    raise MayNotSee if may.own is None else NotSeated


class Refusals:
    def __init__(self, log: Log, books: Books) -> None:
        self._log: Final = log
        self._books: Final = books

    async def seats(self, match: UUID, player: UUID, scopes: Container[str]) -> tuple[Whose, Rights]:
        """Raises NoSuchMatch, MayNotSee, NotSeated and Unavailable."""
        book = (await self._books.current(match)).book
        return whose(book, player, scopes, sealed=await is_sealed(self._books, book))

    async def page(self, match: UUID, of: Whose, seat: Seat | None, cursor: Sequence[int] | None, limit: int) -> Page:
        """In the order in which they met the match. Raises NotOver where this seat is another's, and BadCursor."""
        if seat is not None and seat not in of.seats:
            raise NotOver
        book = (await self._books.current(match)).book
        after = list(cursor or [0] * book.seats)
        if len(after) != book.seats:
            raise BadCursor
        read = self._log.refused if of.content else self._without_content
        shown, more = await _next(read, match, of.seats if seat is None else (seat,), after, limit)
        found = [one async for one in self._explained(_Past(book), shown, of.only)] if of.content else map(_bare, shown)
        return Page(tuple(found), tuple(after) if more else None)

    async def everybodys(self, match: UUID) -> AsyncGenerator[Attempt, None]:
        """All of a match that is over, in the order in which they met it; the log is read once."""
        book = (await self._books.current(match)).book
        past, after, more = _Past(book), [0] * book.seats, True
        while more:
            rows, more = await _next(self._log.refused, match, range(book.seats), after, MOST)
            async for attempt in self._explained(past, rows, None):
                yield attempt

    async def _without_content(self, match: UUID, seat: int, after: int, limit: int) -> list[AttemptRow]:
        """Numbered by themselves, and those not on record left out, whose number comes with the next act that is: else
        it would show how often, or when, the seat did something that it was not refused."""
        rows = await self._log.refused_from(match, seat, after, limit)
        return [replace(row, n=n) for n, row in enumerate(rows, after + 1)]

    async def _explained(self, past: _Past, rows: Iterable[AttemptRow], only: str | None) -> AsyncIterator[Attempt]:
        """Each as it was decided then, on the log as it was, which is read as far as it must be."""
        for row in rows:
            record = read_record(row.record)
            while past.version < record.version:
                upto = min(past.version + PAGE, record.version)
                await past.read(await self._log.events(past.book.match, past.version, upto))
            if only is None or past.book.open_state().chairs[row.seat].player == only:
                yield past.explained(row, record)


_Read = Callable[[UUID, int, int, int], Awaitable[list[AttemptRow]]]


async def _next(
    read: _Read, match: UUID, seats: Iterable[int], after: list[int], limit: int
) -> tuple[list[AttemptRow], bool]:
    """Rows of these seats behind ``after``, which moves on; and whether there are more."""
    rows = [row for each in seats for row in await read(match, each, after[each], limit + 1)]
    rows.sort(key=lambda row: (read_record(row.record).version, row.seat, row.n))
    for row in rows[:limit]:
        after[row.seat] = row.n
    return rows[:limit], len(rows) > limit


class _Past:
    """The match as it was, going forward: the newest book, and those after the last few commands before it."""

    def __init__(self, book: Book) -> None:
        self._decide: Final = book.open_state().rules_version >= book.view.game.decides_since
        self._action: Final = _action(book.view)
        self._before: list[Book] = []
        self._rows: list[EventRow] = []  # since the oldest of these books
        self.book = empty(book.view, book.match, book.seats)

    @property
    def version(self) -> int:
        return self.book.version

    async def read(self, rows: Iterable[EventRow]) -> None:
        for row in rows:
            if self._rows and row.command != self._rows[-1].command:
                self._before = remembering(self._before, self.book)
                self._rows = [one for one in self._rows if one.version > self._before[0].version]
            self.book = self.book.read(row)
            self._rows.append(row)
            if row.version % BREATHE_EVERY == 0:
                await asyncio.sleep(0)  # a long match must not keep the others waiting

    def explained(self, row: AttemptRow, record: Record) -> Attempt:
        bare, seat = _bare(row), Seat(row.seat)
        if row.outcome != "refused":
            return bare
        at = self.book.open_state().clock.match_time(row.received_at)
        told = replace(
            bare, at=at, seq=self.book.sights[seat].seq, reason=record.reason, action=Raw(bytes(record.action))
        )
        no = self._again(row, record) if self._decide else None
        if no is None:
            return told
        beaten_at = None if no.beaten_by is None else self._arrived(seat, no.beaten_by)
        return replace(
            told,
            not_before=no.not_before,
            closes_at=no.closes_at,
            beaten_by=no.beaten_by,
            beaten_at=beaten_at,
            missed_by_ms=_missed_by(at, beaten_at or no.closes_at, no.not_before),
        )

    def _again(self, row: AttemptRow, record: Record) -> Refusal | None:
        """The answer that was given then."""
        seat, received_at, action = Seat(row.seat), row.received_at, self._action(bytes(record.action))
        try:
            decided(self.book, Command(seat, self.book.match_time(received_at), action))
        except Refused as no:
            order = Order(salt=b"", received_at=received_at, until=received_at, action=action, raw=b"")
            return refusal([*self._before, self.book], seat, no, order, row.command)
        return None

    def _arrived(self, seat: Seat, seq: int) -> datetime | None:
        clock = self.book.open_state().clock
        return next((clock.match_time(row.received_at) for row in self._rows if row.seqs[seat] == seq), None)


def _missed_by(at: datetime, too_late_from: datetime | None, not_before: datetime | None) -> float | None:
    if too_late_from is not None:
        return (at - too_late_from) / _MILLISECOND
    return None if not_before is None else (not_before - at) / _MILLISECOND


def _bare(row: AttemptRow) -> Attempt:
    """When, and that it came to nothing."""
    record = read_record(row.record)
    outcome: Literal["refused", "uncounted"] = "refused" if row.outcome == "refused" else "uncounted"
    return Attempt(seat=row.seat, n=row.n, received_at=row.received_at, outcome=outcome, count=record.count)


def _action(view: AnyView) -> Any:
    return msgspec.json.Decoder(view.game.player_action | actions.PlayerAction).decode
