"""A match's transcript, from the store, a page at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
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
from service.runtime import attempts
from service.runtime.answers import NoSuchMatch
from service.runtime.book import Book, BrokenLog, empty
from service.runtime.books import Books
from service.runtime.sealed import is_sealed
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


Keys = Callable[[], Awaitable[Sequence[tuple[str, bytes, datetime]]]]
InTree = Callable[[UUID, int], Awaitable[transcript.InTree | None]]  # a match that ends at this version


class Histories:
    """Who is given which transcript."""

    def __init__(self, log: Log, books: Books, keys: Keys, in_tree: InTree) -> None:
        self._log: Final = log
        self._books: Final = books
        self._keys: Final = keys
        self._in_tree: Final = in_tree

    async def of(self, match: UUID, player: UUID, *, auditor: bool, own: bool) -> AsyncIterator[bytes]:
        """The complete one when the match is over, else what the caller was told, a line at a time.

        ``auditor``: may have any that is over. ``own``: he wants no more than his own. Raises NoSuchMatch, MayNotSee
        and Unavailable.
        """
        book = (await self._books.current(match)).book
        over = not await is_sealed(self._books, book)
        viewer = None if over and auditor and not own else book.viewer_of(str(player))
        if viewer is None or (over and not own):
            return complete(self._log, match, await self._keys(), self._in_tree)
        return told(self._log, book, viewer)


async def complete(
    log: Log,
    match: UUID,
    keys: Sequence[tuple[str, bytes, datetime]] = (),
    in_tree: InTree | None = None,
) -> AsyncIterator[bytes]:
    """Of a match that is over. What the store holds of it is not believed: where columns do not fit, a line says so,
    and nothing follows. ``keys``: that ever signed; those stand in it that were known when the match was opened, so
    that it is always the same; ``in_tree``: where the match lies in the tree. Raises NoSuchMatch and Unavailable."""
    seed = await log.seed(match)
    if seed is None:
        raise NoSuchMatch
    stream, tree = await _standing(log, match, in_tree)
    game = CATALOGUE[stream.game].game
    tries = [_Tries(log, match, seat) for seat in range(len(stream.seqs) - 1)]
    version, entropy = 0, entropy_of(())
    status: transcript.Ended | None = None
    try:
        while rows := await log.events(match, version, min(version + PAGE, stream.version)):
            for row in rows:
                if version == 0 and row.version != 1:
                    raise _Misfit(1, "it is missing")
                line = _event(match, row)
                if version == 0:
                    opened = _decoded(game, row, events.Opened)
                    known = [transcript.Key(name, key.hex()) for name, key, since in keys if since <= row.received_at]
                    yield transcript.write(transcript.header(game, opened, viewer=None, seed=seed, keys=known))
                elif row.tag == "match.entropy_settled":
                    entropy = bytes.fromhex(_decoded(game, row, events.EntropySettled).digest)
                status = _ENDS.get(row.tag, status)
                async for attempt in _before(tries, row.version):
                    yield transcript.write(_attempt(match, attempt, version))
                version = row.version
                yield transcript.write(line)
        async for attempt in _before(tries, MAX_VERSION):
            yield transcript.write(_attempt(match, attempt, version))
        if status is None:
            raise _Misfit(version + 1, "the match is not over, or its end is missing")
        if await log.events(match, stream.version, stream.version + 1) and await log.stream(match) == stream:
            raise _Misfit(stream.version + 1, "it stands beyond where the log ends")
        ending = transcript.Ending(
            status=status,
            version=stream.version,
            head=stream.head.hex(),
            viewers=transcript.points(stream.seqs, stream.heads),
            attempts=_ends(stream),
            seed=seed.hex(),
            entropy=entropy.hex(),
            tree=tree,
        )
    except _Misfit as misfit:
        yield transcript.write(transcript.Fault(version=misfit.version, what=str(misfit)))
    else:
        yield transcript.write(ending)


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


def _ends(stream: StreamRow) -> tuple[transcript.Tried, ...]:
    """Of the attempts' chains."""
    try:
        tries = attempts.read(stream.tries, stream.match, len(stream.seqs) - 1)
    except msgspec.MsgspecError as why:
        raise _Misfit(stream.version, f"where the attempts end cannot be read: {why}") from None
    return tuple(transcript.Tried(tried.n, tried.head) for tried in tries)


class _Misfit(Exception):
    """What is stored is no history, from this version on."""

    def __init__(self, version: int, what: str) -> None:
        super().__init__(what)
        self.version: Final = version


def _decoded(game: AnyGame, row: EventRow, kind: type[E]) -> E:
    try:
        event = history.read(game, row.envelope).event
    except msgspec.MsgspecError as why:
        raise _Misfit(row.version, f"it is no event of this game: {why}") from None
    if not isinstance(event, kind):
        raise _Misfit(row.version, f"{kind.__name__} is expected here")
    return event


def _event(match: UUID, row: EventRow) -> transcript.Event:
    columns = {
        "match": str(match),
        **{name: getattr(row, name) for name in ("version", "at", "received_at", "by", "tag")},
    }
    if what := transcript.misfit(row.envelope, columns):
        raise _Misfit(row.version, what)
    if any(evidence.head_of(row.heads, n) != bytes(32) for n, seq in enumerate(row.seqs) if not seq):
        raise _Misfit(row.version, "there is a head of somebody who was not told")
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
        raise _Misfit(version, f"attempt {row.n} of seat {row.seat}: {what}")
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
    """The attempts of a seat, in order."""

    def __init__(self, log: Log, match: UUID, seat: int) -> None:
        self._log: Final = log
        self._match: Final = match
        self._seat: Final = seat
        self._page: deque[AttemptRow] = deque()
        self._last = 0
        self._more = True

    async def next(self, version: int) -> AttemptRow | None:
        """The next one, if it met a version before this one."""
        if not self._page and self._more:
            self._page.extend(await self._log.attempts(self._match, self._seat, self._last, PAGE))
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
