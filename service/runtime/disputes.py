"""Disputes, from raised to ruled on: what is asked of the Referee, and what lies outside the log beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.match import actions
from domain.match.events import Complaint, Ruling, SealReason
from domain.match.state import Finished, Void
from service.dialogue import Asked, Done, NoSuchDispute
from service.runtime.book import BrokenLog
from service.runtime.books import Books, Entry
from service.runtime.branches import branch_of, point_of
from service.runtime.draft import Taken
from service.runtime.held import held_against_the_log
from service.runtime.referee import Referee, available
from service.store.engine import Store
from service.store.rows import Assigned, DisputeRow, NewMatch, RuledOn

SALT: Final = 16  # bytes, before a text that is hashed
COPIED_WITHIN: Final = timedelta(seconds=10)


class Judgement(Struct, frozen=True, kw_only=True):
    """What a referee decides. ``text``: in his own words. ``told``: of a branch, how many frames the seat that raised
    the dispute has been told when it goes on (None: all before the disputed one)."""

    ruling: Ruling
    rules: tuple[str, ...]
    text: str | None
    told: int | None


class _Dispute(Struct, frozen=True):
    dispute: str


class _Raised(Struct, frozen=True):
    """As much of an envelope as is needed here."""

    event: _Dispute


class Disputes:
    """``random``: bytes for ids, salts and seeds. Raises NoSuchMatch, NoSuchDispute, and what the Referee does."""

    def __init__(self, referee: Referee, store: Store, books: Books, random: Callable[[int], bytes]) -> None:
        self._referee = referee
        self._store = store
        self._books = books
        self._random = random

    async def get(self, dispute: UUID) -> DisputeRow:
        """BrokenLog where it is not what its match says of it."""
        kept = await available(self._store.disputes.get(dispute))
        if kept is None:
            raise NoSuchDispute
        with self._books.reading(kept.row.match):
            return held_against_the_log(kept)

    async def page(
        self, *, raised_by: UUID | None, undecided: bool | None, cursor: str | None, limit: int
    ) -> tuple[tuple[DisputeRow, ...], str | None]:
        """The newest first, without those that are not what their match says of them, and where the next page begins.
        BadCursor."""
        page = await available(
            self._store.disputes.page(raised_by=raised_by, undecided=undecided, cursor=cursor, limit=limit)
        )
        rows: list[DisputeRow] = []
        for kept in page.disputes:
            with suppress(BrokenLog), self._books.reading(kept.row.match):
                rows.append(held_against_the_log(kept))
        return tuple(rows), page.cursor

    async def sat(self, row: DisputeRow) -> frozenset[str]:
        """Who sits in its match, or ever sat there: to them a referee is a player."""
        return (await available(self._books.current(row.match))).book.open_state().sat

    async def raise_(
        self, asked: Asked, match: UUID, *, reason: Complaint, seq: int | None, text: str | None
    ) -> DisputeRow:
        """A seat asks a referee. NotSeated; Refusal."""
        book = (await available(self._books.current(match))).book
        book.viewer_of(str(asked.player))
        salt, digest = self._bound(text)
        row = DisputeRow(
            id=self._id(),
            match=match,
            game=book.view.game.id,
            raised_at=asked.received_at,
            player=asked.player,
            seat=book.open_state().seat_of(str(asked.player)),
            seq=seq,
            reason=reason,
            text=text,
            salt=salt,
        )
        asks = actions.RaiseDispute(dispute=str(row.id), reason=reason, seq=seq, text_digest=digest)
        taken, _ = await self._referee.of_dispute(asked, match, asks, beside=row, official=False)
        return await self.get(_raised(taken))

    async def raise_for_house(self, match: UUID, at: datetime, *, seq: int | None, text: str) -> None:
        """The House asks a referee. ``seq``: the spectator's frame that it is about. Refusal, above all where it has
        asked before."""
        game = (await available(self._books.current(match))).book.view.game.id
        salt, digest = self._bound(text)
        row = DisputeRow(
            id=self._id(),
            match=match,
            game=game,
            raised_at=at,
            player=None,
            seat=None,
            seq=seq,
            reason="anomaly",
            text=text,
            salt=salt,
        )
        asks = actions.RaiseDispute(dispute=str(row.id), reason="anomaly", seq=seq, text_digest=digest)
        await self._referee.for_house(match, asks, at, beside=row)

    async def assign(self, asked: Asked, dispute: UUID, *, instead: bool) -> DisputeRow:
        """A referee takes it; ``instead``: also where another has it."""
        row, referee = await self.get(dispute), asked.player
        takes = actions.Assign(dispute=str(dispute), referee=str(referee), instead=instead)
        await self._referee.of_dispute(asked, row.match, takes, beside=Assigned(dispute, referee), official=True)
        return await self.get(dispute)

    async def rule(self, asked: Asked, dispute: UUID, judgement: Judgement) -> DisputeRow:
        """The referee who has it rules; a branch is there when this is."""
        row = await self.get(dispute)
        entry = await available(self._books.current(row.match))
        salt, digest = self._bound(judgement.text)
        branch, at_deal = None, False
        held = next((d for d in entry.book.open_state().disputes if d.dispute == str(dispute)), None)
        if judgement.ruling == "branch" and held is not None and held.referee == str(asked.player):
            branch, at_deal = await self._branch(asked, entry, row, judgement.told)
        ruling = actions.Rule(
            dispute=str(dispute),
            referee=str(asked.player),
            ruling=judgement.ruling,
            rules=judgement.rules,
            now=asked.received_at,
            seed=entry.seed.hex(),
            text_digest=digest,
            branch=None if branch is None else str(branch.match),
            at_deal=at_deal,
            told=judgement.told,
        )
        beside = RuledOn(
            dispute=dispute,
            ruling=judgement.ruling,
            rules=judgement.rules,
            note=judgement.text,
            note_salt=salt,
            ruled_at=asked.received_at,
            new=branch,
        )
        await self._referee.of_dispute(asked, row.match, ruling, beside=beside, official=True)
        return await self.get(dispute)

    async def resume(self, asked: Asked, match: UUID) -> Done:
        """A referee lets the clock of a match that stands still go on: of a branch, or before he has ruled."""
        go_on = actions.Resume(referee=str(asked.player), now=asked.received_at)
        return (await self._referee.of_dispute(asked, match, go_on, official=True))[1]

    async def break_seal(self, asked: Asked, match: UUID, reason: SealReason) -> Done:
        """A referee or an auditor sees what is hidden, and every seat is told so."""
        looks = actions.BreakSeal(by=str(asked.player), reason=reason)
        return (await self._referee.of_dispute(asked, match, looks, official=True))[1]

    async def _branch(
        self, asked: Asked, entry: Entry, row: DisputeRow, told: int | None
    ) -> tuple[NewMatch | None, bool]:
        """The match as it goes on, if it can; and whether with a new deal, as it must where secrets are out.

        ``told``: as the referee said; None: from the last point before the dispute.
        """
        book = entry.book
        game, viewer = book.view.game, book.seats if row.seat is None else row.seat
        rows = await available(self._store.log.events(row.match, upto=book.version))
        out = isinstance(book.open_state().phase, Finished | Void)
        upto = told
        if upto is None:
            upto = (row.seq or next(r.seqs[viewer] for r in rows if _is_raised(r.tag, r.envelope, row.id))) - 1
        point = point_of(game, rows, viewer, upto, at_deal=out)
        if out and told is not None and (point is None or point.told != told):
            return None, False  # what the referee named is not just before a deal
        if point is None:
            return None, out
        new = await branch_of(
            book.view,
            rows[: point.version],
            match=self._id(),
            seed=self._random(32),
            referee=str(asked.player),
            now=asked.received_at,
            until=asked.received_at + COPIED_WITHIN,
            random=self._random,
        )
        return new, point.at_deal

    def _bound(self, text: str | None) -> tuple[bytes | None, str | None]:
        """A salt, and SHA-256 of it and the text, in hex."""
        if text is None:
            return None, None
        salt = self._random(SALT)
        return salt, hashlib.sha256(salt + text.encode()).hexdigest()

    def _id(self) -> UUID:
        return UUID(bytes=self._random(16), version=4)


def _raised(taken: Taken) -> UUID:
    """Which dispute came of it: under a repeated key it is the first one's."""
    row = next(written.row for written in taken.written if written.row.tag == "match.dispute_raised")
    return UUID(msgspec.json.decode(row.envelope, type=_Raised).event.dispute)


def _is_raised(tag: str, envelope: str, dispute: UUID) -> bool:
    return tag == "match.dispute_raised" and msgspec.json.decode(envelope, type=_Raised).event.dispute == str(dispute)
