"""One match as a process knows it: the log folded, for the rules and for every viewer. Immutable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain import history
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, AnyGame, HouseNow, Seat
from domain.match import decider
from domain.match.decider import AnyState
from domain.match.envelope import SALT_BYTES, Envelope, command_of, encode, log_head, next_log_head
from domain.match.events import ClockTurned, Opened
from domain.match.state import Playing
from projections import evidence
from projections.views.match import match_view, offers, redact
from projections.views.seam import AnyView, Viewer
from service.dialogue import MayNotSee, OfNewerBuild
from service.runtime.bots import BotSeat
from service.store.rows import EventRow, StreamRow

Salt = Callable[[int], bytes]
_NOT_TOLD: Final = bytes(32)


class Sight(Struct, frozen=True):
    """One viewer's fold of what he was told, the number of the last frame, and the head of his chain."""

    seen: AnyState | None
    seq: int
    head: bytes

    def then(self, game: AnyGame, told: Any, text: bytes) -> Sight:
        """With one event more, which he was told; ``text``: what his chain binds of it."""
        return Sight(decider.evolve(game, self.seen, told), self.seq + 1, evidence.next_viewer_head(self.head, text))

    def body(self, view: AnyView, viewer: Viewer, now: datetime, names: Mapping[str, str]) -> bytes:
        """What he sees now, as JSON."""
        assert self.seen is not None
        return msgspec.json.encode(match_view(view, self.seen, viewer, seq=self.seq, now=now, names=names))


class BrokenLog(Exception):
    """What is stored of a match is not what was written: nothing is told of it before somebody has looked at it."""


def next_head(match: UUID, head: bytes, row: EventRow) -> bytes:
    """The log's head after a stored event, from the one before it. BrokenLog where the event does not follow on it."""
    if (after := next_log_head(head, row.salt, row.envelope.encode())) != row.head:
        raise BrokenLog(f"event {row.version} of {match} does not follow on the one before it")
    return after


class Written(Struct, frozen=True):
    """An event just decided: its row, and each viewer's frame (None where he is not told)."""

    row: EventRow
    frames: tuple[bytes | None, ...]


class _Told(Struct, frozen=True):
    """An event as it is told, by viewer: his sight with it in it; the event as he is told it, and what his chain binds
    of it (None: he is not told); and the row's numbers and heads."""

    sights: tuple[Sight, ...]
    events: Sequence[Any]
    texts: Sequence[bytes | None]
    seqs: tuple[int, ...]
    heads: bytes


class Book(Struct, frozen=True, kw_only=True):
    """``sights`` by viewer's index: seats 0…n−1, then the spectator. ``bots`` by seat, where a bot sits."""

    match: UUID
    view: AnyView
    version: int
    attempts: int
    head: bytes
    command: UUID | None  # that made the last event
    actor: Seat  # whose command that was
    state: AnyState | None
    last_at: datetime | None
    opened_at: datetime | None  # wall clock
    last_received: datetime | None  # the latest so far, wall clock
    sights: tuple[Sight, ...]
    tries: str
    bots: Mapping[Seat, BotSeat]

    @property
    def seats(self) -> int:
        return len(self.sights) - 1

    @property
    def seqs(self) -> tuple[int, ...]:
        """By viewer, the number of the last frame."""
        return tuple(sight.seq for sight in self.sights)

    @property
    def heads(self) -> bytes:
        """By viewer, the head of his chain, in a row."""
        return b"".join(sight.head for sight in self.sights)

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
        official = player in state.referees or player in state.seal_broken_by
        if state.access == "public" or state.takes_part(player) or official:
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
        return decider.chance(self.open_state(), seed)

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
        stored = history.shaped(self.view.game, self._rules(event), event)
        envelope = encode(Envelope(match, version, at, received_at, by, stored))
        grain = salt(SALT_BYTES)
        head = next_log_head(self.head, grain, envelope)
        told = self._tell_all(event, at)
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
            seqs=told.seqs,
            heads=told.heads,
        )
        frames = tuple(
            None if text is None else evidence.frame(text, sight.head, head)
            for sight, text in zip(told.sights, told.texts, strict=True)
        )
        return self._after(event, by, row, told), Written(row, frames)

    def _tell_all(self, event: Any, at: datetime) -> _Told:
        game, rules = self.view.game, self._rules(event)
        sights: list[Sight] = []
        events: list[Any] = []
        texts: list[bytes | None] = []
        seqs, heads = [], []
        for index, sight in enumerate(self.sights):
            told = redact(self.view, event, self.viewer(index))
            events.append(told)
            if told is None:
                sights.append(sight)
                texts.append(None)
                seqs.append(0)
                heads.append(_NOT_TOLD)
                continue
            text = evidence.told_text(game, rules, sight.seq + 1, at, told)
            after = sight.then(game, told, text)
            sights.append(after)
            texts.append(text)
            seqs.append(after.seq)
            heads.append(after.head)
        return _Told(tuple(sights), events, texts, tuple(seqs), b"".join(heads))

    def _rules(self, event: Any) -> int:
        """The rules version that the next event is of."""
        rules: int = event.rules_version if self.state is None else self.state.rules_version
        return rules

    def frame(self, row: EventRow, viewer: int, event: Any) -> bytes | None:
        """The frame of a stored event, as it was told to this viewer."""
        told = redact(self.view, event, self.viewer(viewer)) if row.seqs[viewer] else None
        if told is None:
            return None
        return evidence.frame(self._text(row, viewer, told), evidence.head_of(row.heads, viewer), row.head)

    def tell(self, viewer: int, seq: int, head: bytes, row: EventRow) -> tuple[Any, bytes]:
        """A stored event as it was told to this viewer after ``seq`` frames, the last with this head of his: the event
        as he saw it, and what his chain binds of it. BrokenLog where it was told otherwise."""
        told = redact(self.view, self._read(row).event, self.viewer(viewer))
        if told is not None and row.seqs[viewer] == seq + 1:
            text = self._text(row, viewer, told)
            if evidence.next_viewer_head(head, text) == evidence.head_of(row.heads, viewer):
                return told, text
        raise BrokenLog(f"event {row.version} of {self.match} was told otherwise")

    def page(self, viewer: int, after: int, rows: Sequence[EventRow]) -> Iterator[tuple[EventRow, Any, bytes]]:
        """What this viewer was told after a seq: each row, the event as he saw it, its frame. The first of ``rows`` is
        that of the seq itself, unless that is 0. BrokenLog where one does not follow on the other."""
        seq, head = 0, empty(self.view, self.match, self.seats).sights[viewer].head
        if after and rows:
            seq, head, rows = rows[0].seqs[viewer], evidence.head_of(rows[0].heads, viewer), rows[1:]
        sight = self.sights[viewer]
        for row in rows:
            told, text = self.tell(viewer, seq, head, row)
            seq, head = seq + 1, evidence.head_of(row.heads, viewer)
            yield row, told, evidence.frame(text, head, row.head)
        if seq == sight.seq and head != sight.head:
            raise BrokenLog(f"{self.match}: frame {seq} of viewer {viewer} was another")

    def _text(self, row: EventRow, viewer: int, told: Any) -> bytes:
        rules = self.open_state().rules_version
        return evidence.told_text(self.view.game, rules, row.seqs[viewer], row.at, told)

    def rewritten(self, row: EventRow) -> Written:
        """A stored event as it was when it was written."""
        event = history.read(self.view.game, row.envelope).event
        return Written(row, tuple(self.frame(row, viewer, event) for viewer in range(self.seats + 1)))

    def read(self, row: EventRow) -> Book:
        """The book with one event more, read from the log. BrokenLog where it is not as it was written: its place, its
        chain, the columns beside the envelope, and what each viewer was told. OfNewerBuild."""
        if row.version != self.version + 1:
            raise BrokenLog(f"event {row.version} of {self.match} follows on event {self.version}")
        next_head(self.match, self.head, row)
        event = self._checked(row)
        told = self._tell_all(event, row.at)
        if row.seqs != told.seqs or row.heads != told.heads:
            raise BrokenLog(f"event {row.version} of {self.match} was told otherwise")
        return self._after(event, Seat(row.by), row, told)

    def _read(self, row: EventRow) -> Envelope:
        try:
            return history.read(self.view.game, row.envelope)
        except msgspec.MsgspecError as why:
            raise BrokenLog(f"event {row.version} of {self.match} is none of {self.view.game.id}") from why

    def _checked(self, row: EventRow) -> Any:
        """The row's event."""
        envelope = self._read(row)
        event = envelope.event
        if self.state is None and not (
            isinstance(event, Opened) and (event.game, event.seats) == (self.view.game.id, self.seats)
        ):
            raise BrokenLog(f"{self.match} does not begin as its stream says")
        if isinstance(event, Opened) and event.rules_version > self.view.game.rules_version:
            raise OfNewerBuild
        stored = history.shaped(self.view.game, self._rules(event), event)
        if (
            envelope.version != row.version
            or envelope.at != row.at
            or envelope.received_at != row.received_at
            or envelope.by != row.by
            or stored.__struct_config__.tag != row.tag
            or (row.command != self.command and row.command.bytes != command_of(row.salt))
        ):
            raise BrokenLog(f"the columns of event {row.version} of {self.match} do not fit its envelope")
        return event

    def _after(self, event: Any, by: Seat, row: EventRow, told: _Told) -> Book:
        state = decider.step(self.view.game, self.state, by, event, row.at)
        bots = {
            Seat(seat): (self.bots.get(Seat(seat)) or BotSeat.begin(self.view.game, chair.bot, seat, self.seats))
            for seat, chair in enumerate(state.chairs)
            if chair.bot is not None
        }
        if isinstance(state.phase, Playing):
            for seat, bot in bots.items():
                if told.events[seat] is not None:
                    bots[seat] = self._heard(bot, seat, told, event, by, row.at)
        return replace(
            self,
            version=row.version,
            head=row.head,
            command=row.command,
            actor=by if row.command != self.command or by != HOUSE else self.actor,
            state=state,
            last_at=row.at,
            opened_at=self.opened_at or row.received_at,
            last_received=max(self.last_received or row.received_at, row.received_at),
            sights=told.sights,
            bots=bots,
        )

    def _heard(self, bot: BotSeat, seat: Seat, told: _Told, event: Any, by: Seat, at: datetime) -> BotSeat:
        """A bot that was told of an event."""
        before, seen = self.sights[seat].seen, told.sights[seat].seen
        if before is not None and before.game is not None:
            bot = bot.remember(before.game, told.events[seat])
        if isinstance(event, ClockTurned):
            return bot
        assert seen is not None
        if by == seat and self.view.game.unheard(event) and not _is_awaited(self.view, seen, seat):
            return bot.wait(offers(self.view, seen, seat, at), at, awaited=False)
        return replace(bot, news=at)

    def keeps_still(self, seat: Seat, at: datetime) -> Book:
        """The bot at this seat was asked, and would rather wait."""
        bot, seen = self.bots[seat], self.sights[seat].seen
        assert seen is not None
        return replace(
            self, bots={**self.bots, seat: bot.wait(bot.offers, at, awaited=_is_awaited(self.view, seen, seat))}
        )

    def wake_bots(self) -> Book:
        """After an append: when each bot wants to act next, by what it was offered when it last heard news.

        Of what it is not told it notices nothing: it neither wakes up nor thinks longer.
        """
        state = self.open_state()
        if not self.bots or not isinstance(state.phase, Playing):
            return self if not any(bot.due for bot in self.bots.values()) else replace(self, bots={})
        bots = {}
        for seat, bot in self.bots.items():
            if bot.news is not None:
                seen = self.sights[seat].seen
                assert seen is not None
                bot = bot.offered(offers(self.view, seen, seat, bot.news), bot.news, state.pace.bot_think)
            bots[seat] = bot
        return replace(self, bots=bots)

    def caught_up(self) -> Book:
        """Read from the log: as ``wake_bots``, and in a sandbox whoever was due by what its clock shows has been asked,
        by whoever turned it."""
        book, hands = self.wake_bots(), self.open_state().clock.hands
        if hands is None:
            return book
        for seat, bot in book.bots.items():
            if bot.due is not None and bot.due <= hands:
                book = book.keeps_still(seat, hands)
        return book


def _is_awaited(view: AnyView, seen: AnyState, seat: Seat) -> bool:
    """Whether a seat's answer is waited for, as it sees it."""
    awaited = decider.awaits(view.game, seen)
    return isinstance(awaited, Answers) and seat in awaited.seats


def empty(view: AnyView, match: UUID, seats: int) -> Book:
    """A match before its first event."""
    name = str(match)
    return Book(
        match=match,
        view=view,
        version=0,
        attempts=0,
        head=log_head(name),
        command=None,
        actor=HOUSE,
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
    """The book, folded up to the stream's version, with what the stream knows of the attempts. BrokenLog."""
    if book.version != stream.version:
        raise BrokenLog(f"{book.match} ends at event {book.version} and not at {stream.version}")
    if (book.head, book.seqs, book.heads) != (stream.head, stream.seqs, stream.heads):
        raise BrokenLog(f"{book.match} ends otherwise than its stream says")
    return replace(book, attempts=stream.attempts, tries=stream.tries)
