"""The matches that a process has in memory: folded from the log, never trusted without a look at its version."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final
from uuid import UUID
from weakref import WeakValueDictionary

import structlog
from msgspec.structs import replace

from domain import history
from domain.kernel.game import Seat
from projections.catalogue import CATALOGUE
from projections.views.match import redact
from service.dialogue import NoSuchMatch
from service.runtime.book import Book, BrokenLog, at_stream, empty
from service.runtime.bots import BotSeat
from service.runtime.draft import beyond
from service.store.engine import Store
from service.store.rows import EventRow, StreamRow

NAMES: Final = 1000  # looked up at once
BREATHE_EVERY: Final = 25  # events folded before others get a turn
PASTS: Final = 64  # points of matches kept at which somebody asked again
FOLDED_AT_ONCE: Final = 2  # logs read from their beginning for who asks again
log = structlog.get_logger()


class Entry:
    """One match in memory: its newest book, the ones before it, and what of it lies outside the log."""

    def __init__(self, book: Book, seed: bytes, before: Sequence[Book]) -> None:
        self.book = book
        self.seed: Final = seed
        self.before = list(before)
        self.names: dict[str, str] = {}
        self.nameless: set[str] = set()  # players of whom no name is known: they were erased

    def turn_to(self, book: Book) -> None:
        if book.version != self.book.version:
            self.before = remembering(self.before, self.book)
        self.book = book


class Books:
    """``most``: how many matches are kept; the one unused longest makes way. Where a log is not as it was written,
    whatever reads it raises BrokenLog; ``on_broken`` is told so once per match.
    """

    def __init__(self, store: Store, most: int = 2000, on_broken: Callable[[], None] = lambda: None) -> None:
        self._store = store
        self._most = most
        self._on_broken = on_broken
        self._broken: set[UUID] = set()
        self._entries: OrderedDict[UUID, Entry] = OrderedDict()
        self._loading: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()  # as long as somebody holds one
        self._pasts: OrderedDict[tuple[UUID, int], list[Book]] = OrderedDict()
        self._folding = asyncio.Semaphore(FOLDED_AT_ONCE)

    def __len__(self) -> int:
        return len(self._entries)

    async def entry(self, match: UUID) -> Entry:
        """From memory or the log; as old as it may be: the append's guard finds out."""
        if (entry := self._entries.get(match)) is not None:
            self._entries.move_to_end(match)
            return entry
        return await self._load(match)

    async def current(self, match: UUID) -> Entry:
        """Not older than the log was when this was called: one look, by primary key, at its version and at how many
        attempts there are, as a refusal is no event."""
        entry = self._entries.get(match)
        if entry is not None:
            now = await self._store.log.version(match)
            if now is None:
                self.forget(match)
                raise NoSuchMatch
            if (entry.book.version, entry.book.attempts) >= now:
                if match in self._entries:  # it may have been forgotten while the log was asked
                    self._entries.move_to_end(match)
                return entry
        return await self.refresh(match)

    async def refresh(self, match: UUID) -> Entry:
        """Reads what the log has beyond the book."""
        lock = self._loading.setdefault(match, asyncio.Lock())
        async with lock:
            with self.reading(match):
                return await self._refresh_locked(match)

    async def _refresh_locked(self, match: UUID) -> Entry:
        entry = self._entries.get(match)
        if entry is None:
            return await self._load_locked(match)
        stream = await self._stream(match)
        known = entry.book
        if stream.version < known.version:
            return entry
        rows = await self._store.log.events(match, after_version=known.version, upto=stream.version)
        if any(row.tag == "match.left" for row in rows):
            return await self._load_locked(match)
        book, before = await _fold(known, rows)
        if book.version >= entry.book.version:
            for step in (*before, at_stream(book, stream).caught_up()):
                entry.turn_to(step)
        await self._name(entry)
        return entry

    @contextmanager
    def reading(self, match: UUID) -> Iterator[None]:
        """While its log is read: if that is found broken, what is in memory of it is believed no more."""
        try:
            yield
        except BrokenLog as broken:
            self.found_broken(match, broken)
            raise

    def found_broken(self, match: UUID, broken: Exception) -> None:
        """What is in memory of it is believed no more, and whoever runs the server is told, once."""
        self.forget(match)
        for point in [point for point in self._pasts if point[0] == match]:
            del self._pasts[point]
        if match not in self._broken:
            self._broken.add(match)
            log.error("broken_log", match=str(match), what=str(broken))
            self._on_broken()

    def forget(self, match: UUID) -> None:
        self._entries.pop(match, None)

    def put(self, match: UUID, entry: Entry) -> None:
        self._entries[match] = entry
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)

    async def until(self, match: UUID, version: int) -> list[Book]:
        """The match after each of the last few commands up to a version, that version last.

        The log is read from its beginning, a few at a time; who asks once more finds it kept.
        """
        point = match, version
        async with self._folding:
            if (past := self._pasts.get(point)) is None:
                stream = await self._stream(match)
                rows = await self._store.log.events(match, upto=version)
                with self.reading(match):
                    book, before = await _fold(_begin(stream), rows)
                    if book.version != version:
                        raise BrokenLog(f"{match} has no event {version}")
                past = self._pasts[point] = [*before, book]
                if len(self._pasts) > PASTS:
                    self._pasts.popitem(last=False)
            else:
                self._pasts.move_to_end(point)
        return past

    async def around(self, match: UUID, before: int, after: int) -> tuple[Book, Book]:
        """The match before and after a command, at these versions. What has just been is in memory."""
        entry = self._entries.get(match)
        known = {} if entry is None else {book.version: book for book in (*entry.before, entry.book)}
        if before not in known or after not in known:
            known = {book.version: book for book in await self.until(match, after)}
        older = known[before] if before in known else (await self.until(match, before))[-1]
        return older, known[after]

    async def name(self, entry: Entry, names: Iterable[str]) -> None:
        """Players' names, which lie outside the log."""
        missing = [player for player in names if player not in entry.names and player not in entry.nameless]
        if missing:
            found = await self._store.accounts.names(list(map(UUID, missing)))
            entry.names.update({str(player): name for player, name in found.items()})
            entry.nameless.update(set(missing) - entry.names.keys())

    async def forget_names(self) -> None:
        """Of players who have been erased. Raises Unavailable."""
        known = list({player for entry in self._entries.values() for player in entry.names})
        for chunk in (known[begin : begin + NAMES] for begin in range(0, len(known), NAMES)):
            found = await self._store.accounts.names(list(map(UUID, chunk)))
            gone = set(chunk) - set(map(str, found))
            for entry in self._entries.values() if gone else ():
                entry.nameless |= gone & entry.names.keys()
                entry.names = {player: name for player, name in entry.names.items() if player not in gone}

    async def _name(self, entry: Entry) -> None:
        await self.name(entry, [chair.player for chair in entry.book.open_state().chairs if chair.player])

    async def _load(self, match: UUID) -> Entry:
        lock = self._loading.setdefault(match, asyncio.Lock())
        async with lock:
            if (entry := self._entries.get(match)) is not None:
                return entry
            with self.reading(match):
                return await self._load_locked(match)

    async def _load_locked(self, match: UUID) -> Entry:
        stream = await self._stream(match)
        rows = await self._store.log.events(match, upto=stream.version)
        book, before = await _fold(_begin(stream), rows)
        book = at_stream(book, stream)
        for seat in took_over(book):
            book = replace(book, bots={**book.bots, seat: remembered(book, rows, seat)})
        seed = await self._store.log.seed(match)
        if seed is None:
            raise NoSuchMatch
        if hashlib.sha256(seed).hexdigest() != book.open_state().seed_commitment:
            raise BrokenLog(f"{match} has another seed than it began with")
        old = self._entries.get(match)
        entry = Entry(book.caught_up(), seed, before)
        if old is not None:
            entry.names.update(old.names)
            entry.nameless.update(old.nameless)
        await self._name(entry)
        self.put(match, entry)
        return entry

    async def _stream(self, match: UUID) -> StreamRow:
        stream = await self._store.log.stream(match)
        if stream is None or stream.version == 0:
            self.forget(match)
            raise NoSuchMatch
        return stream


def _begin(stream: StreamRow) -> Book:
    if stream.game not in CATALOGUE:
        raise BrokenLog(f"{stream.match} is of no game")
    return empty(CATALOGUE[stream.game], stream.match, len(stream.seqs) - 1)


def remembering(before: Sequence[Book], book: Book) -> list[Book]:
    """The books after the last few commands with one more: as many as tell each seat what beat a late action of his.

    How many depends on what each seat was told alone: else what he is not told of would show by what is forgotten.
    """
    books = [*before, book]
    while len(books) > 1 and all(beyond(books[1], book, Seat(seat)) for seat in range(book.seats)):
        del books[0]
    return books


async def _fold(book: Book, rows: Sequence[EventRow]) -> tuple[Book, list[Book]]:
    """The book with these rows read, and the books after the last few commands before it."""
    before: list[Book] = []
    for number, row in enumerate(rows):
        if number and row.command != rows[number - 1].command:
            before = remembering(before, book)
        book = book.read(row)
        if number % BREATHE_EVERY == BREATHE_EVERY - 1:
            await asyncio.sleep(0)  # a long match must not keep the others waiting
    return book, before


def took_over(book: Book) -> list[Seat]:
    """Seats whose bot came in the middle of the match, so that its memory must be made from before it came."""
    chairs = book.open_state().chairs
    return [Seat(seat) for seat, chair in enumerate(chairs) if chair.bot is not None and chair.held_by is not None]


def remembered(book: Book, rows: Sequence[EventRow], seat: Seat) -> BotSeat:
    """The bot at this seat, knowing all that was told to the seat since the match began, and due as it was."""
    kind = book.open_state().chairs[seat].bot
    assert kind is not None
    view = book.view
    bot = BotSeat.begin(view.game, kind, seat, book.seats)
    fold = empty(view, book.match, book.seats)
    for row in rows:
        seen = fold.sights[seat].seen
        fold = fold.read(row)
        if row.seqs[seat] and seen is not None and seen.game is not None:
            told = redact(view, history.read(view.game, row.envelope).event, seat)
            bot = bot.remember(seen.game, told)
    return replace(book.bots.get(seat, bot), memory=bot.memory)
