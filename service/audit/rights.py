"""What a caller may read of a match's past: the one place where that is decided. Design §5; the table in docs/roles.md.

Until a match is over, and every branch of it, everybody has what he was told himself. Then it lies open: to whoever may
see the match, and to auditors and referees. Before, it does to whoever broke its seal, which every seat
was told, and never sat in it.
"""

from __future__ import annotations

from collections.abc import Container
from uuid import UUID

from msgspec import Struct

from domain.match.state import Superseded
from service.auth.scopes import Scope
from service.dialogue import MayNotSee, NotOver
from service.runtime.book import Book


class Rights(Struct, frozen=True, kw_only=True):
    """``own``: through whose eyes the caller sees the match (a seat, or the number of seats: he looks on); None: he
    does not. ``official``: he is an auditor or a referee, and never sat here. ``all``: nothing is hidden from him.
    ``branch``: as which match it goes on."""

    seats: int
    own: int | None
    official: bool
    all: bool
    branch: str | None

    def may_be(self, viewer: int) -> None:
        """Raises NotOver where these eyes are another's; who looks on sees nothing that a seat could not."""
        if not self.all and viewer not in (self.own, self.seats):
            raise NotOver


def rights(book: Book, player: UUID, scopes: Container[str], *, sealed: bool) -> Rights:
    """``sealed``: the match, or a branch of it, is not over. Raises MayNotSee to whom the match tells nothing."""
    found = rights_of(book, player, scopes, sealed=sealed)
    if found.own is None and not found.all:
        raise MayNotSee
    return found


def rights_of(book: Book, player: UUID, scopes: Container[str], *, sealed: bool) -> Rights:
    name, state = str(player), book.open_state()
    official = (Scope.AUDIT in scopes or Scope.REFEREE in scopes) and name not in state.sat
    try:
        own: int | None = book.viewer_of(name)
    except MayNotSee:
        own = None
    opened = official and name in state.seal_broken_by
    return Rights(
        seats=book.seats,
        own=own,
        official=official,
        all=opened or (not sealed and (own is not None or official)),
        branch=state.phase.branch if isinstance(state.phase, Superseded) else None,
    )
