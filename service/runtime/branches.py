"""A branch on its way into the store: a new match whose log begins with a copy of another's. No I/O."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain import history
from domain.kernel.game import AnyGame, Seat
from domain.match import events
from domain.match.branching import Happened, branch_point, branched, opened_again
from domain.match.disputes import OFFICIAL
from domain.match.envelope import SALT_BYTES, command_of
from projections.views.seam import AnyView
from service.runtime.book import Book, empty
from service.runtime.draft import lobby_row
from service.store.rows import Append, EventRow, NewMatch

BREATHE_EVERY: Final = 50  # events copied before others get a turn


class Point(Struct, frozen=True):
    """The version of the old match from which a branch goes on. ``told``: how many frames the viewer had been told
    then; ``at_deal``: a deal is what comes next."""

    version: int
    told: int
    at_deal: bool


def point_of(game: AnyGame, rows: Sequence[EventRow], viewer: int, told: int, *, at_deal: bool) -> Point | None:
    """The last one at which the viewer had been told so many frames at most; ``at_deal``: only just before deals."""
    read = [history.read(game, row.envelope) for row in rows]
    story = (
        Happened(row.command, envelope.by, row.at, envelope.event, row.seqs[viewer], all(row.seqs))
        for row, envelope in zip(rows, read, strict=True)
    )
    version = branch_point(game, story, told, at_deal=at_deal)
    if version is None:
        return None
    seq = max((row.seqs[viewer] for row in rows[:version]), default=0)
    return Point(version, seq, version < len(read) and isinstance(read[version].event, game.deals))


async def branch_of(
    view: AnyView,
    rows: Sequence[EventRow],
    *,
    match: UUID,
    seed: bytes,
    referee: str,
    now: datetime,
    until: datetime,
    random: Callable[[int], bytes],
) -> NewMatch:
    """The new match, going on from the last of these rows of the old one, its clock standing.

    Everybody has been told the same as there, in the same numbers; luck, salts and chains are its own. ``now``,
    ``until``: when it is ruled, and when that must be in the log (wall clock). ``random``: bytes for salts.
    """
    game, old = view.game, rows[-1]
    read = [history.read(game, row.envelope) for row in rows]
    dealt = any(isinstance(envelope.event, game.deals) for envelope in read)
    book, copied = empty(view, match, len(old.seqs) - 1), []
    command = salt = b""
    for number, (row, envelope) in enumerate(zip(rows, read, strict=True)):
        if number % BREATHE_EVERY == BREATHE_EVERY - 1:
            await asyncio.sleep(0)  # a long match must not keep the others waiting
        if number == 0 or row.command != rows[number - 1].command:
            command = command_of(salt := random(SALT_BYTES))
        else:
            salt = random(SALT_BYTES)
        event = envelope.event
        if isinstance(event, events.Opened):
            commitment = hashlib.sha256(seed).hexdigest()
            event = opened_again(event, match=str(match), seed_commitment=commitment, dealt=dealt)
        book, row_again = _written(book, event, envelope.by, command, row.at, row.received_at, salt)
        copied.append(row_again)
    salt = random(SALT_BYTES)
    begins = branched(book.open_state(), of=read[-1].match, log_head=old.head.hex(), referee=referee, at=old.at)
    book, last = _written(book, begins, OFFICIAL, command_of(salt), old.at, now, salt)
    append = Append(
        match=match,
        expected_version=0,
        expected_attempts=0,
        not_after=until,
        head=book.head,
        seqs=book.seqs,
        heads=book.heads,
        tries="",
        events=(*copied, last),
        attempts=(),
        key=None,
        due=None,
        lobby=lobby_row(book.open_state(), now, None),
    )
    return NewMatch(match=match, game=game.id, seed=seed, append=append)


def _written(
    book: Book, event: object, by: Seat, command: bytes, at: datetime, received_at: datetime, salt: bytes
) -> tuple[Book, EventRow]:
    book, (one,) = book.write(
        [event],
        by=by,
        command=UUID(bytes=command),
        at=at,
        received_at=received_at,
        salt=lambda size: salt,
    )
    return book, one.row
