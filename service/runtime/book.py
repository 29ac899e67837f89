"""One match as a process knows it: the log folded, for the rules and for every viewer. Immutable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain import history
from domain.kernel.chance import Chance
from domain.kernel.game import Answers, HouseNow, Seat
from domain.match import decider
from domain.match.decider import AnyState
from domain.match.envelope import SALT_BYTES, Envelope, encode, log_head, next_log_head
from domain.match.state import Playing
from projections import evidence
from projections.views.match import match_view, offers, redact
from projections.views.seam import AnyView, Viewer
from service.runtime.answers import MayNotSee
from service.runtime.bots import BotSeat
from service.store.rows import EventRow, StreamRow

Salt = Callable[[int], bytes]


class Sight(Struct, frozen=True):
    """One viewer's fold of what he was told, the number of the last frame, and the head of his chain."""

    seen: AnyState | None
    seq: int
    head: bytes

    def read(self, view: AnyView, viewer: Viewer, index: int, row: EventRow) -> Sight:
        """With one event more, which he was told."""
        told = redact(view, history.read(view.game, row.envelope).event, viewer)
        head = evidence.head_of(row.heads, index)
        return Sight(decider.evolve(view.game, self.seen, told), row.seqs[index], head)

    def body(self, view: AnyView, viewer: Viewer, now: datetime, names: Mapping[str, str]) -> bytes:
        """What he sees now, as JSON."""
        assert self.seen is not None
        return msgspec.json.encode(match_view(view, self.seen, viewer, seq=self.seq, now=now, names=names))


class BrokenLog(Exception):
    """The log of a match has a hole: nothing is told of it before somebody has looked at it."""


class Written(Struct, frozen=True):
    """An event just decided: its row, and each viewer's frame (None where he is not told)."""

    row: EventRow
    frames: tuple[bytes | None, ...]


class Book(Struct, frozen=True, kw_only=True):
    """``sights`` by viewer's index: seats 0…n−1, then the spectator. ``bots`` by seat, where a bot sits."""

    match: UUID
    view: AnyView
    version: int
    attempts: int
    head: bytes
    state: AnyState | None
    last_at: datetime | None
    opened_at: datetime | None  # wall clock
    last_received: datetime | None  # the latest so far, wall clock
    sights: tuple[Sight, ...]
    tries: str
    bots: Mapping[Seat, BotSeat]

    # ── asking ──────────────────────────────────────────────────────────────

    @property
    def seats(self) -> int:
        return len(self.sights) - 1

    def open_state(self) -> AnyState:
        """The state, of a match that has its first event."""
        assert self.state is not None
        return self.state

    def viewer(self, index: int) -> Viewer:
        return None if index == self.seats else Seat(index)

    def viewer_of(self, player: str) -> int:
        """Through whose eyes a player sees the match: a seat's number, or the number of seats. MayNotSee."""
        state = self.open_state()
        seat = state.seat_of(player)
        if seat is not None:
            return seat
        known = player == state.host or any(player == chair.held_by for chair in state.chairs)
        known |= player in state.referees or player in state.seal_broken_by
        if state.access == "public" or known:
            return self.seats
        raise MayNotSee

    def is_seen_by(self, player: str) -> bool:
        try:
            self.viewer_of(player)
        except MayNotSee:
            return False
        return True

    def match_time(self, wall: datetime) -> datetime:
        """What a command received at this wall time is dated; never before the last event."""
        at = self.open_state().clock.match_time(wall)
        return at if self.last_at is None else max(at, self.last_at)

    def chance(self, seed: bytes) -> Chance:
        state = self.open_state()
        return Chance(seed, state.match, state.entropy)

    def awaits_house(self) -> bool:
        return isinstance(decider.awaits(self.view.game, self.open_state()), HouseNow)

    def house_due(self) -> datetime | None:
        """The match time at which the House acts if nobody else does."""
        awaited = decider.awaits(self.view.game, self.open_state())
        return awaited.until if isinstance(awaited, Answers) else None

    def bot_due(self) -> tuple[datetime, Seat] | None:
        """Which bot acts next, and at which match time."""
        dues = [(bot.due, seat) for seat, bot in self.bots.items() if bot.due is not None]
        return min(dues, default=None)

    def due(self) -> datetime | None:
        """The next match time at which something happens by itself."""
        house, bot = self.house_due(), self.bot_due()
        return min((at for at in (house, bot and bot[0]) if at is not None), default=None)

    def body(self, viewer: int, now: datetime, names: Mapping[str, str]) -> bytes:
        """What this viewer sees, as JSON."""
        return self.sights[viewer].body(self.view, self.viewer(viewer), now, names)

    # ── writing ─────────────────────────────────────────────────────────────

    def write(
        self, events: Iterable[Any], *, by: Seat, command: UUID, at: datetime, received_at: datetime, salt: Salt
    ) -> tuple[Book, list[Written]]:
        """The book with these events appended."""
        book, written = self, []
        for event in events:
            book, one = book._write(event, by, command, at, received_at, salt)
            written.append(one)
        return book, written

    def _write(
        self, event: Any, by: Seat, command: UUID, at: datetime, received_at: datetime, salt: Salt
    ) -> tuple[Book, Written]:
        match, version = str(self.match), self.version + 1
        game = self.view.game
        rules = event.rules_version if self.state is None else self.state.rules_version
        stored = history.shaped(game, rules, event)
        envelope = encode(Envelope(match, version, at, received_at, by, stored))
        grain = salt(SALT_BYTES)
        head = next_log_head(self.head, grain, envelope)
        sights: list[Sight] = []
        frames: list[bytes | None] = []
        seqs, heads = [], []
        for index, sight in enumerate(self.sights):
            told = redact(self.view, event, self.viewer(index))
            if told is None:
                sights.append(sight)
                frames.append(None)
                seqs.append(0)
                heads.append(bytes(32))
                continue
            core = evidence.told_text(game, rules, sight.seq + 1, at, told)
            now_head = evidence.next_viewer_head(sight.head, core)
            sights.append(Sight(decider.evolve(game, sight.seen, told), sight.seq + 1, now_head))
            frames.append(evidence.frame(core, now_head, head))
            seqs.append(sight.seq + 1)
            heads.append(now_head)
        row = EventRow(
            version=version,
            at=at,
            received_at=received_at,
            by=by,
            tag=stored.__struct_config__.tag,
            command=command,
            envelope=envelope.decode(),
            salt=grain,
            head=head,
            seqs=tuple(seqs),
            heads=b"".join(heads),
        )
        return self._after(event, by, row, tuple(sights)), Written(row, tuple(frames))

    def frame(self, row: EventRow, viewer: int, event: Any) -> bytes | None:
        """The frame of a stored event, as it was told to this viewer."""
        told = redact(self.view, event, self.viewer(viewer)) if row.seqs[viewer] else None
        if told is None:
            return None
        core = evidence.told_text(self.view.game, self.open_state().rules_version, row.seqs[viewer], row.at, told)
        return evidence.frame(core, evidence.head_of(row.heads, viewer), row.head)

    def rewritten(self, row: EventRow) -> Written:
        """A stored event as it was when it was written."""
        event = history.read(self.view.game, row.envelope).event
        return Written(row, tuple(self.frame(row, viewer, event) for viewer in range(self.seats + 1)))

    def read(self, row: EventRow) -> Book:
        """The book with one event more, read from the log."""
        if row.version != self.version + 1:
            raise BrokenLog(f"event {row.version} of {self.match} follows on event {self.version}")
        envelope = history.read(self.view.game, row.envelope)
        sights = []
        for index, sight in enumerate(self.sights):
            told = redact(self.view, envelope.event, self.viewer(index)) if row.seqs[index] else None
            if told is None:
                sights.append(sight)
                continue
            head = evidence.head_of(row.heads, index)
            sights.append(Sight(decider.evolve(self.view.game, sight.seen, told), row.seqs[index], head))
        return self._after(envelope.event, envelope.by, row, tuple(sights))

    def _after(self, event: Any, by: Seat, row: EventRow, sights: tuple[Sight, ...]) -> Book:
        state = decider.step(self.view.game, self.state, by, event, row.at)
        bots = {
            Seat(seat): (self.bots.get(Seat(seat)) or BotSeat.begin(self.view.game, chair.bot, seat, self.seats))
            for seat, chair in enumerate(state.chairs)
            if chair.bot is not None
        }
        if isinstance(state.phase, Playing) and bots:
            for seat, bot in bots.items():
                before, sight = self.sights[seat], sights[seat]
                if sight.seq != before.seq and before.seen is not None and before.seen.game is not None:
                    told = redact(self.view, event, seat)
                    bots[seat] = bot.remember(before.seen.game, told)
        return replace(
            self,
            version=row.version,
            head=row.head,
            state=state,
            last_at=row.at,
            opened_at=self.opened_at or row.received_at,
            last_received=max(self.last_received or row.received_at, row.received_at),
            sights=sights,
            bots=bots,
        )

    def with_bot(self, seat: Seat, bot: BotSeat) -> Book:
        return replace(self, bots={**self.bots, seat: bot})

    def wake_bots(self) -> Book:
        """After an append: when each bot wants to act next, by what it is offered now."""
        state = self.open_state()
        if not self.bots or not isinstance(state.phase, Playing) or self.last_at is None:
            return self if not any(bot.due for bot in self.bots.values()) else replace(self, bots={})
        bots = {}
        for seat, bot in self.bots.items():
            seen = self.sights[seat].seen
            assert seen is not None
            bots[seat] = bot.offered(offers(self.view, seen, seat, self.last_at), self.last_at, state.pace.bot_think)
        return replace(self, bots=bots)


def empty(view: AnyView, match: UUID, seats: int) -> Book:
    """A match before its first event."""
    name = str(match)
    return Book(
        match=match,
        view=view,
        version=0,
        attempts=0,
        head=log_head(name),
        state=None,
        last_at=None,
        opened_at=None,
        last_received=None,
        sights=tuple(
            Sight(None, 0, evidence.viewer_head(name, evidence.viewer_name(index, seats))) for index in range(seats + 1)
        ),
        tries="",
        bots={},
    )


def at_stream(book: Book, stream: StreamRow) -> Book:
    """The book, folded up to the stream's version, with what the stream knows of the attempts."""
    if book.version != stream.version:
        raise BrokenLog(f"{book.match} ends at event {book.version} and not at {stream.version}")
    return replace(book, attempts=stream.attempts, tries=stream.tries)
