"""What viewers read: themselves now, their frames, their stream from the log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.kernel.game import Seat
from domain.match.state import Finished, Superseded, Void
from projections.evidence import frame, with_frames
from projections.narration.match import called, narrate
from projections.views.seam import Language
from service.dialogue import NotSeated, Seen
from service.fanout.news import News
from service.runtime.book import empty, next_head
from service.runtime.books import Books, Entry
from service.runtime.clock import WallClock
from service.store.engine import Store
from service.store.rows import EventRow

PAGE: Final = 500  # events read from the log at once


class Reader:
    """Raises NoSuchMatch, MayNotSee, and the store's Unavailable."""

    def __init__(self, store: Store, books: Books, clock: WallClock) -> None:
        self._store = store
        self._books = books
        self._clock = clock

    async def viewer(self, match: UUID, player: UUID) -> int:
        """Through whose eyes this player sees the match: a seat's number, or the number of seats for a spectator."""
        entry = await self._books.current(match)
        return entry.book.viewer_of(str(player))

    async def seat(self, match: UUID, player: UUID) -> Seat:
        """The seat that this player holds. NotSeated, NoSuchMatch."""
        entry = await self._books.current(match)
        seat = entry.book.open_state().seat_of(str(player))
        if seat is None:
            raise NotSeated
        return seat

    async def sees(self, match: UUID, player: UUID) -> Seen:
        """What this player sees, through the eyes that he has at that very version."""
        entry = await self._books.current(match)
        return self._look(entry, entry.book.viewer_of(str(player)))

    async def look(self, match: UUID, viewer: int) -> Seen:
        return self._look(await self._books.current(match), viewer)

    def _look(self, entry: Entry, viewer: int) -> Seen:
        book = entry.book
        return Seen(book.sights[viewer].seq, book.body(viewer, book.match_time(self._clock.now()), entry.names))

    async def head(self, match: UUID, viewer: int) -> int:
        return (await self._books.current(match)).book.sights[viewer].seq

    async def has_ended(self, match: UUID) -> bool:
        """Whether it is over, void or superseded: nobody plays there any more."""
        phase = (await self._books.current(match)).book.open_state().phase
        return isinstance(phase, Finished | Void | Superseded)

    async def server_time(self, match: UUID) -> datetime:
        """What the match's clock shows."""
        return (await self._books.entry(match)).book.match_time(self._clock.now())

    async def page(
        self, match: UUID, player: UUID, after: int, limit: int, language: Language | None = None
    ) -> tuple[bytes, int, int]:
        """As ``frames``, through this player's eyes, and his last seq. What came since, another may have been told."""
        entry = await self._books.current(match)
        viewer = entry.book.viewer_of(str(player))
        head = entry.book.sights[viewer].seq
        return *await self._frames(entry, viewer, after, max(min(limit, head - after), 0), language), head

    async def frames(
        self, match: UUID, viewer: int, after: int, limit: int, language: Language | None = None
    ) -> tuple[bytes, int]:
        """The viewer's frames after a seq, as a JSON array, and the last seq in it (``after`` where it is empty)."""
        return await self._frames(await self._books.current(match), viewer, after, limit, language)

    async def _frames(
        self, entry: Entry, viewer: int, after: int, limit: int, language: Language | None
    ) -> tuple[bytes, int]:
        match = entry.book.match
        # One earlier, if there is one: on its head the others' chain stands.
        rows = await self._store.log.told(match, viewer, max(after - 1, 0), limit + (after > 0))
        with self._books.reading(match):
            page = list(entry.book.page(viewer, after, rows))
        frames = [_narrated(entry, told, plain, language) for _, told, plain in page]
        return b"[%b]" % b",".join(frames), page[-1][0].seqs[viewer] if page else after

    async def replay(
        self, match: UUID, viewer: int, after: int, language: Language | None = None
    ) -> AsyncIterator[News]:
        """One message per append, from after + 1 on, with what the viewer saw after it."""
        entry = await self._books.current(match)
        book = entry.book
        if book.sights[viewer].seq <= after:
            return
        known = (older for older in reversed(entry.before) if older.sights[viewer].seq <= after)
        past = next(known, None) or empty(book.view, match, book.seats)  # who lags a little is not read to from event 1
        sight, version, head = past.sights[viewer], past.version, past.head
        while rows := _whole_appends(await self._store.log.events(match, version, version + PAGE)):
            for _, append in groupby(rows, key=lambda row: row.command):
                first, frames = sight.seq + 1, []
                for row in append:
                    with self._books.reading(match):
                        version, head = row.version, next_head(match, head, row)
                        if not row.seqs[viewer]:
                            continue
                        told, text = book.tell(viewer, sight.seq, sight.head, row)
                    sight = sight.then(book.view.game, told, text)
                    if sight.seq > after:
                        frames.append(_narrated(entry, told, frame(text, sight.head, row.head), language))
                if frames:
                    body = sight.body(book.view, book.viewer(viewer), row.at, entry.names)
                    first = max(first, after + 1)
                    yield News(first, sight.seq, with_frames(body, frames), version)


def _narrated(entry: Entry, told: Any, plain: bytes, language: Language | None) -> bytes:
    if language is None:
        return plain
    book = entry.book
    sentence = narrate(book.view, told, language, called(book.open_state().chairs, entry.names, language))
    return b'%b,"narration":%b}' % (plain[:-1], msgspec.json.encode(sentence))


def _whole_appends(rows: list[EventRow]) -> list[EventRow]:
    """A full page without its last append, which the next page may continue."""
    if len(rows) < PAGE or rows[0].command == rows[-1].command:
        return rows
    return [row for row in rows if row.command != rows[-1].command]
