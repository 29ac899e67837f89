"""Which transcript of a match is whose, and each from its first line to its last."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Container, Sequence
from typing import Final
from uuid import UUID

from projections.audit import transcript
from projections.catalogue import CATALOGUE
from projections.evidence import next_viewer_head, viewer_name
from service.audit.rights import rights
from service.audit.sealed import is_sealed
from service.audit.story import PAGE, Log, Misfit, SigningKey, Story, ends
from service.dialogue import NoSuchMatch
from service.runtime import attempts
from service.runtime.book import Book, BrokenLog, empty
from service.runtime.books import Books
from service.store.rows import StreamRow

Keys = Callable[[], Awaitable[Sequence[SigningKey]]]
InTree = Callable[[UUID, int], Awaitable[transcript.InTree | None]]  # a match that ends at this version
Given = tuple[str, AsyncIterator[bytes]]  # what it is, for the access log; and its lines


class Histories:
    """Who is given which transcript."""

    def __init__(self, log: Log, books: Books, keys: Keys, in_tree: InTree) -> None:
        self._log: Final = log
        self._books: Final = books
        self._keys: Final = keys
        self._in_tree: Final = in_tree

    async def of(self, match: UUID, player: UUID, scopes: Container[str], *, own: bool) -> Given:
        """The complete one where nothing is hidden from the caller, else what he was told.

        ``own``: he wants no more than that. Raises NoSuchMatch, MayNotSee and Unavailable.
        """
        book = (await self._books.current(match)).book
        sealed = await is_sealed(self._books, book)
        if own or not rights(book, player, scopes, sealed=sealed).all:
            viewer = book.viewer_of(str(player))
            return f"history as={viewer_name(viewer, book.seats)}", told(self._log, book, viewer)
        keys = await self._keys()
        if sealed:
            return "history so far", so_far(self._log, book, keys)
        return "history", complete(self._log, match, keys, self._in_tree)


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
    assert status in ("playing", "superseded")  # in the lobby no seal is broken
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
