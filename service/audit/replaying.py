"""A match again, from the store: one step of it, or many."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Container
from contextlib import suppress
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match import events
from domain.match.envelope import log_head
from projections.audit.replay import AllEyes, Append, Appends, Eyes, Happened, Step, Whole, read
from projections.views.seam import Language
from service.audit.rights import Rights, rights
from service.audit.sealed import is_sealed
from service.audit.story import PAGE, Log, Misfit, Story, ends, line_of
from service.dialogue import NotOver
from service.runtime.book import next_head
from service.runtime.books import Books, Entry


class Place(Struct, frozen=True):
    """A point of a match: a viewer's ``seq``, or a version of the log."""

    number: int
    version: bool = False


class Span(Struct, frozen=True):
    """From one place to another, both with it; None: the beginning, the end."""

    begin: Place | None = None
    end: Place | None = None

    def versions(self) -> bool:
        return any(place is not None and place.version for place in (self.begin, self.end))

    def is_backwards(self, *, by_version: bool) -> bool:
        """``by_version``: for these eyes every place is one. Where the two are of different kinds, nobody knows yet."""
        if self.begin is None or self.end is None or (self.begin.version != self.end.version and not by_version):
            return False
        return self.end.number < self.begin.number


class NoSuchPlace(Exception):
    """The match is not that long. ``last``: the last number that there is."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last: Final = last


class _Told(Struct, frozen=True):
    """A step with the versions of its append."""

    first: int
    last: int
    step: Step | Whole

    def before(self, place: Place) -> bool:
        return (self.last if place.version else self.step.last) < place.number

    def after(self, place: Place) -> bool:
        return (self.first if place.version else self.step.first) > place.number


class Replay:
    """One caller's look at a match's past, through ``viewer``'s eyes (a viewer's index; None: with nothing hidden)."""

    def __init__(self, log: Log, books: Books, entry: Entry, viewer: int | None, language: Language | None) -> None:
        self._log: Final = log
        self._books: Final = books
        self._entry: Final = entry
        self._book: Final = entry.book
        self._viewer: Final = viewer
        self._language: Final[Language | None] = language

    async def at(self, place: Place) -> bytes:
        """The step in which that was told; of a version that this viewer was not told of, the last one before it.

        Raises NoSuchPlace and Unavailable.
        """
        last = self._last(place)
        if place.number > last:
            raise NoSuchPlace(last)
        found: _Told | None = None
        async for told in self._told():
            if told.after(place):
                break
            found = told
        if found is None:
            raise NoSuchPlace(last)
        return found.step.message(self._entry.names, self._language)

    async def steps(self, span: Span) -> AsyncIterator[bytes]:
        """Lines of JSON, each a step that lies at least in part between these places. Raises Unavailable."""
        async for told in self._told():
            if span.begin is not None and told.before(span.begin):
                continue
            if span.end is not None and told.after(span.end):
                return
            yield told.step.message(self._entry.names, self._language) + b"\n"

    def _last(self, place: Place) -> int:
        if place.version or self._viewer is None:
            return self._book.version
        return self._book.sights[self._viewer].seq

    async def _told(self) -> AsyncIterator[_Told]:
        view, seats = self._book.view, self._book.seats
        if self._viewer is None:
            everybody = AllEyes(view, seats)
            async for append in self._with_attempts():
                whole = everybody.see(append)
                await self._name(whole.happened)
                yield _Told(whole.first, whole.last, whole)
            return
        eyes = Eyes(view, seats, self._viewer)
        async for append in _appends(self._log, self._book.match, self._book.version):
            happened = read(view, append)
            await self._name(happened)
            if (step := eyes.see(happened)) is not None:
                yield _Told(happened[0].envelope.version, happened[-1].envelope.version, step)

    async def _with_attempts(self) -> AsyncIterator[Append]:
        """Where what is stored is no history, it ends there."""
        book, grouped = self._book, Appends()
        story = Story(self._log, book.match, book.view.game, None, ())
        with suppress(Misfit):
            tried = ends(book.tries, book.match, book.seats, book.version)
            async for line in story.until(book.version, [seat.n for seat in tried]):
                if (append := grouped.feed(line)) is not None:
                    yield append
        if (append := grouped.rest()) is not None:
            yield append

    async def _name(self, happened: tuple[Happened, ...]) -> None:
        """Who sat here once is called by his name there, too."""
        sat = [one.envelope.event for one in happened if isinstance(one.envelope.event, events.Seated)]
        if sat:
            await self._books.name(self._entry, [seated.player for seated in sat if seated.player])
        await asyncio.sleep(0)  # a long match must not keep the others waiting


class Replays:
    def __init__(self, log: Log, books: Books) -> None:
        self._log: Final = log
        self._books: Final = books

    async def rights(self, match: UUID, player: UUID, scopes: Container[str]) -> Rights:
        """Raises NoSuchMatch, MayNotSee and Unavailable."""
        book = (await self._books.current(match)).book
        return rights(book, player, scopes, sealed=await is_sealed(self._books, book))

    async def through(
        self, match: UUID, may: Rights, viewer: int | None, language: Language | None, *, versions: bool
    ) -> Replay:
        """``viewer`` None: nothing hidden. ``versions``: places are named by them. Raises NotOver."""
        if viewer is not None:
            may.may_be(viewer)
        if (viewer is None or versions) and not may.all:
            raise NotOver
        return Replay(self._log, self._books, await self._books.current(match), viewer, language)


async def _appends(log: Log, match: UUID, upto: int) -> AsyncIterator[Append]:
    grouped, version, head = Appends(), 0, log_head(str(match))
    while version < upto and (rows := await log.events(match, version, min(version + PAGE, upto))):
        for row in rows:
            head = next_head(match, head, row)
            if (append := grouped.feed(line_of(row))) is not None:
                yield append
        version = rows[-1].version
    if (append := grouped.rest()) is not None:
        yield append
