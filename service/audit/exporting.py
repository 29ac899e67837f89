"""A match's transcript, from the store, a page at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Mapping, Sequence
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
from projections.catalogue import CATALOGUE
from projections.evidence import next_viewer_head, viewer_name
from service.audit.rights import rights
from service.audit.sealed import is_sealed
from service.dialogue import NoSuchMatch
from service.runtime import attempts
from service.runtime.book import Book, BrokenLog, empty
from service.runtime.books import Books
from service.store.log import MAX_VERSION
from service.store.rows import AttemptRow, EventRow, StreamRow

PAGE: Final = 500  # events, or attempts of a seat, read at once
E = TypeVar("E")


class Log(Protocol):
    """As much of the store as a transcript comes from."""

    async def stream(self, match: UUID) -> StreamRow | None: ...
    async def seed(self, match: UUID) -> bytes | None: ...
    async def events(self, match: UUID, after_version: int = 0, upto: int | None = None) -> list[EventRow]: ...
    async def told(self, match: UUID, viewer_index: int, after_seq: int, limit: int) -> list[EventRow]: ...
    async def attempts(self, match: UUID, seat: int, after: int = 0, limit: int = ...) -> list[AttemptRow]: ...


SigningKey = tuple[str, bytes, datetime]  # id, public key, since when
Keys = Callable[[], Awaitable[Sequence[SigningKey]]]
InTree = Callable[[UUID, int], Awaitable[transcript.InTree | None]]  # a match that ends at this version


class Histories:
    """Who is given which transcript."""

    def __init__(self, log: Log, books: Books, keys: Keys, in_tree: InTree) -> None:
        self._log: Final = log
        self._books: Final = books
        self._keys: Final = keys
        self._in_tree: Final = in_tree

    async def of(self, match: UUID, player: UUID, scopes: Container[str], *, own: bool) -> AsyncIterator[bytes]:
        """The complete one, a line at a time, where nothing is hidden from the caller; else what he was told.

        ``own``: he wants no more than that. Raises NoSuchMatch, MayNotSee and Unavailable.
        """
        book = (await self._books.current(match)).book
        if own:
            return told(self._log, book, book.viewer_of(str(player)))
        sealed = await is_sealed(self._books, book)
        if not rights(book, player, scopes, sealed=sealed).all:
            return told(self._log, book, book.viewer_of(str(player)))
        keys = await self._keys()
        return so_far(self._log, book, keys) if sealed else complete(self._log, match, keys, self._in_tree)


async def complete(
    log: Log,
    match: UUID,
    keys: Sequence[SigningKey] = (),
    in_tree: InTree | None = None,
) -> AsyncIterator[bytes]:
    """Of a match that is over. What the store holds of it is not believed: where columns do not fit, a line says so,
    and nothing follows. ``keys``: that ever signed; those stand in it that were known when the match was opened, so
    that it is always the same; ``in_tree``: where the match lies in the tree. Raises NoSuchMatch and Unavailable."""
    seed = await log.seed(match)
    if seed is None:
        raise NoSuchMatch
    stream, tree = await _standing(log, match, in_tree)
    story = Story(log, match, CATALOGUE[stream.game].game, seed, keys)
    try:
        async for line in story.until(stream.version, (None,) * (len(stream.seqs) - 1)):
            yield transcript.write(line)
        if story.status is None:
            raise Misfit(story.version + 1, "the match is not over, or its end is missing")
        if await log.events(match, stream.version, stream.version + 1) and await log.stream(match) == stream:
            raise Misfit(stream.version + 1, "it stands beyond where the log ends")
        ending = transcript.Ending(
            status=story.status,
            version=stream.version,
            head=stream.head.hex(),
            viewers=transcript.points(stream.seqs, stream.heads),
            attempts=ends(stream.tries, match, len(stream.seqs) - 1, stream.version),
            seed=seed.hex(),
            entropy=story.entropy.hex(),
            tree=tree,
        )
    except Misfit as misfit:
        yield transcript.write(transcript.Fault(version=misfit.version, what=str(misfit)))
    else:
        yield transcript.write(ending)


async def so_far(log: Log, book: Book, keys: Sequence[SigningKey] = ()) -> AsyncIterator[bytes]:
    """Of a match that is not over, nor the last of its branches, up to where the book is: for who may know all that is
    hidden, and nothing of what is to come. So the seed is not in it, unless it was published. Otherwise as
    ``complete``."""
    state = book.open_state()
    status = state.status
    assert status != "over"
    assert status != "void"
    seed = None if state.published is None else bytes.fromhex(state.published)
    story = Story(log, book.match, book.view.game, seed, keys)
    try:
        tries = ends(book.tries, book.match, book.seats, book.version)
        async for line in story.until(book.version, [tried.n for tried in tries]):
            yield transcript.write(line)
        last = transcript.SoFar(
            status=status,
            version=book.version,
            head=book.head.hex(),
            viewers=transcript.points(book.seqs, book.heads),
            attempts=tries,
        )
    except Misfit as misfit:
        yield transcript.write(transcript.Fault(version=misfit.version, what=str(misfit)))
    else:
        yield transcript.write(last)


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
        no history."""
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
        known = [transcript.Key(name, key.hex()) for name, key, since in self._keys if since <= first.received_at]
        return transcript.header(self._game, opened, viewer=None, seed=self._seed, keys=known)


async def _standing(log: Log, match: UUID, in_tree: InTree | None) -> tuple[StreamRow, transcript.InTree | None]:
    """Where a match that is over ends, and where that lies in the tree. It may still be disputed meanwhile, and then
    ends later. Raises NoSuchMatch and Unavailable."""
    stream = await log.stream(match)
    while stream is not None:
        tree = None if in_tree is None else await in_tree(match, stream.version)
        before, stream = stream, await log.stream(match)
        if tree is not None or stream is None or stream.version == before.version:
            return before, tree
    raise NoSuchMatch


async def told(log: Log, book: Book, viewer: int) -> AsyncIterator[bytes]:
    """What a viewer was told up to where the book is. Raises Unavailable; BrokenLog where it was told otherwise."""
    game, state, sight = book.view.game, book.open_state(), book.sights[viewer]
    seq, head, log_head = 0, empty(book.view, book.match, book.seats).sights[viewer].head, b""
    while rows := await log.told(book.match, viewer, seq, min(PAGE, sight.seq - seq)):
        for row in rows:
            shown, text = book.tell(viewer, seq, head, row)
            if seq == 0:
                name = viewer_name(viewer, book.seats)
                yield transcript.write(transcript.header(game, shown, viewer=name, seed=None, keys=()))
            seq, head, log_head = seq + 1, next_viewer_head(head, text), row.head
            frame = transcript.Frame(seq=seq, head=head.hex(), log_head=log_head.hex(), told=text.decode())
            yield transcript.write(frame)
    if (seq, head) != (sight.seq, sight.head):
        raise BrokenLog(f"{book.match} ends otherwise for viewer {viewer}")
    tried = attempts.read(book.tries, book.match, book.seats)[viewer] if viewer < book.seats else None
    yield transcript.write(
        transcript.Until(
            status=state.status,
            seq=seq,
            head=sight.head.hex(),
            log_head=log_head.hex(),
            attempts=None if tried is None else transcript.Tried(tried.n, tried.head),
        )
    )


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
            page = await self._log.attempts(self._match, self._seat, self._last, PAGE)
            self._more = len(page) == PAGE
            self._page.extend(row for row in page if self._most is None or row.n <= self._most)
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
