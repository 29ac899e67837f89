"""Whether the secrets of a match are out: when it is over, and no branch of it goes on."""

from __future__ import annotations

from uuid import UUID

from domain.match.state import Finished, Superseded, Void
from service.dialogue import NoSuchMatch
from service.runtime.book import Book
from service.runtime.books import Books


async def is_sealed(books: Books, book: Book) -> bool:
    """What only the log knows of this match may not be told: it, or the last of its branches, is not over. Raises
    Unavailable."""
    while isinstance(phase := book.open_state().phase, Superseded):
        try:
            book = (await books.current(UUID(phase.branch))).book
        except NoSuchMatch:
            return False  # a transcript was brought here without the branch, which therefore was over
    return not isinstance(phase, Finished | Void)
