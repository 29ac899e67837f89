"""A match without a server: the Referee's drafts, sealed one after the other, and nothing is written anywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.games.cheat.actions import PlayerAction
from domain.kernel.game import Command, Pace, Seat
from domain.match import actions
from domain.match.envelope import SALT_BYTES
from projections.catalogue import CATALOGUE
from projections.views.match import offers
from service.dialogue import Asked, MatchWish
from service.runtime.book import empty
from service.runtime.draft import Draft, Order, decided, seat_for
from service.runtime.opening import open_match
from service.store.rows import EventRow, StreamRow
from tests.bench.crowd import OPTIONS, SEATS, Offer, choice

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
STEP: Final = timedelta(milliseconds=100)
_action: Final = msgspec.json.Decoder(PlayerAction).decode


class Paper:
    """Four players, as the crowd plays; ``luck`` makes ids and seeds, so that a match can be had again."""

    def __init__(self, luck: int = 1) -> None:
        self._random = random.Random(luck).randbytes
        self.players = [UUID(bytes=self._random(16), version=4) for _ in range(SEATS)]
        self.match = UUID(bytes=self._random(16), version=4)
        self.seed = self._random(32)
        self.now = NOON
        self.claims = 0
        self.rows: list[EventRow] = []
        wish = MatchWish(
            game="cheat",
            seats=SEATS,
            options=msgspec.Raw(msgspec.json.encode(OPTIONS)),
            pace=Pace(),
            access="public",
            leaving="bot",
            fill=None,
            sandbox=False,
            seed=None,
            deal=None,
            sit=True,
            entropy_commitment=None,
        )
        asked = self._asked(0)
        new = open_match(self.match, self.seed, asked, wish, "0" * 64, self._order(0, None), self._random)
        self.book = empty(CATALOGUE["cheat"], self.match, SEATS)
        for row in new.append.events:
            self.book = self.book.read(row)
        self.rows += new.append.events
        for seat in range(1, SEATS):
            me = str(self.players[seat])
            self.take(self._order(seat, actions.Sit(player=me, asked_by=me, name_digest="0" * 64)))
        self.take(self._order(0, actions.Start(str(self.players[0]))))

    def take(self, order: Order) -> Draft:
        """What the Referee does, from his decision to what he appends."""
        draft = Draft(self.book, self.seed, order, self._random)
        draft.stand_still(lambda since: ())
        before = draft.book
        by, at = seat_for(before, order), before.match_time(order.received_at)
        draft.write(decided(before, Command(by, at, order.action)), by, at)
        draft.house_at_once(at)
        self.append, self.book, _ = draft.seal(before, by, None)
        self.rows += self.append.events
        return draft

    def orders(self) -> Iterator[Order]:
        """What the players do next, for ever; each is to be taken before the next is asked for."""
        while True:
            seat, raw = next(self._choices())
            action = _action(raw)
            self.claims += raw.startswith(b'{"type":"cheat.play"')
            yield self._order(seat, action, raw)

    def play(self, events: int) -> None:
        """Until there are so many."""
        orders = self.orders()
        while self.book.version < events:
            self.take(next(orders))

    def stream(self) -> StreamRow:
        book = self.book
        seqs = tuple(sight.seq for sight in book.sights)
        heads = b"".join(sight.head for sight in book.sights)
        return StreamRow(self.match, "cheat", book.version, book.attempts, book.head, seqs, heads, book.tries)

    def _choices(self) -> Iterator[tuple[int, bytes]]:
        for seat in range(SEATS):
            seen = self.book.sights[seat].seen
            assert seen is not None
            offered = msgspec.convert(
                msgspec.to_builtins(offers(self.book.view, seen, Seat(seat), self.now)), tuple[Offer, ...]
            )
            if (said := choice(offered, self.claims)) is not None:
                yield seat, said

    def _asked(self, seat: int) -> Asked:
        self.now += STEP
        return Asked(player=self.players[seat], received_at=self.now)

    def _order(self, seat: int, action: Any, raw: bytes | None = None) -> Order:
        asked = self._asked(seat)
        salt = self._random(SALT_BYTES)
        until = asked.received_at + timedelta(seconds=2)
        return Order(salt=salt, received_at=asked.received_at, until=until, action=action, asked=asked, raw=raw)
