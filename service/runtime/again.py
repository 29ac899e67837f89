"""Asked again: what became of a command whose answer was lost, rendered from the log."""

from __future__ import annotations

from typing import Final, NoReturn
from uuid import UUID

from msgspec.structs import replace

from domain.kernel.game import HOUSE, Command, Refused
from domain.kernel.reasons import Reason
from projections.evidence import read_record
from service.dialogue import Asked, KeyReused, Refusal, TryAgain
from service.runtime.books import Books
from service.runtime.draft import Order, Taken, decided, refusal, seat_for
from service.store.engine import Store
from service.store.rows import KeyRow


class Again:
    """Raises the Refusal that was answered then; Unavailable where the log cannot be read."""

    def __init__(self, store: Store, books: Books) -> None:
        self._store: Final = store
        self._books: Final = books

    async def after_a_lost_answer(self, match: UUID, order: Order) -> Taken | None:
        """What an append did whose outcome is unknown; None: it did nothing, and will not any more."""
        attempted = None if order.raw is None else await self._store.log.attempted(match, order.id)
        if attempted is not None and attempted.outcome == "refused":
            await self._refuse(match, order, read_record(attempted.record).version, order.id)
        span = await self._store.log.happened(match, order.id)
        if span is None:
            return None
        return await self._taken(match, span[0] - 1, span[1])

    async def under_the_same_key(self, match: UUID, order: Order) -> Taken:
        """The answer to a repeated key, at the version at which it was given."""
        assert order.asked is not None
        row = await self.used(order.asked, str(match))
        if row.before == row.after:
            then = replace(order, received_at=row.received_at, if_match=None)
            await self._refuse(match, then, row.before, row.command)
        return await self._taken(match, row.before, row.after)

    async def used(self, asked: Asked, scope: str) -> KeyRow:
        """What a key was used for. KeyReused: for something else."""
        assert asked.key is not None
        row = await self._store.log.key(asked.player, scope, asked.key.key)
        if row is None:
            raise TryAgain(known=True)  # its match is gone since: a sandbox that was swept away
        if row.fingerprint != asked.key.fingerprint:
            raise KeyReused
        return row

    async def _refuse(self, match: UUID, order: Order, version: int, command: UUID) -> NoReturn:
        """Explained again, or, where these rules do not say no any more, with the reason alone that is on record."""
        books = await self._books.until(match, version)
        newest = books[-1]
        by = seat_for(newest, order)
        if newest.open_state().rules_version >= newest.view.game.decides_since:
            try:
                decided(newest, Command(by, newest.match_time(order.received_at), order.action))
            except Refused as no:
                raise refusal(books, by, no, order, command) from None
        row = await self._store.log.attempted(match, command)
        reason = None if row is None else read_record(row.record).reason
        seq = newest.sights[max(by, HOUSE)].seq
        raise Refusal(reason or Reason.NOT_NOW, game=newest.view.game.id, seq=seq, command=command)

    async def _taken(self, match: UUID, before: int, after: int) -> Taken:
        older, newer = await self._books.around(match, before, after)
        rows = await self._store.log.events(match, after_version=before, upto=after)
        return Taken(older, newer, tuple(newer.rewritten(row) for row in rows))
