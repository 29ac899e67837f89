"""A command on its way into the log: what it makes happen, and the one append that writes it. No I/O."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import HOUSE, Command, Refused, Seat
from domain.match import actions, decider
from domain.match.clock import SANDBOX_START
from domain.match.decider import AnyState
from domain.match.disputes import OFFICIAL
from domain.match.envelope import command_of
from domain.match.reasons import Reason
from domain.match.state import Finished, Lobby, Playing, Revealing, Superseded, Void
from service.dialogue import Asked, Behind, NotSeated, Refusal
from service.runtime import attempts
from service.runtime.book import Book, Written
from service.runtime.codes import code_of
from service.store.rows import Access, Append, AttemptRow, Beside, KeyRow, LobbyRow, Outage

GRACE: Final = timedelta(milliseconds=250)  # the House waits so long for what came in time elsewhere
BEATEN_BY: Final = 32  # frames: what a seat was told before its last ones did not beat it
RACED: Final = timedelta(seconds=10)  # what happened longer ago did not beat anybody
MOST_HOUSE_ACTS: Final = 1000  # in one append: a House that never comes to an end is a fault of the game
log = structlog.get_logger()
_LOBBY_TAGS: Final = frozenset(
    f"match.{happened}"
    for happened in (
        *("opened", "seated", "left", "host_changed", "started", "ended", "voided", "superseded", "branched"),
        # After its end, too: it then gets another leaf in the tree.
        *("dispute_raised", "referee_assigned", "seal_broken", "ruled"),
    )
)


class Order(Struct, frozen=True, kw_only=True):
    """A command as it came. ``asked`` is None for the House and for bots; ``raw``: the action's JSON, for its record.

    ``salt`` is that of the first event that comes of it. ``action`` None is a wake-up: whatever is due by
    ``received_at`` is done, by the House or by a bot. ``until``: when it must be in the log, or has not happened.
    ``official``: a referee or an auditor asks. ``beside``: what is written together with what happens.
    """

    salt: bytes
    received_at: datetime
    until: datetime
    action: Any | None
    asked: Asked | None = None
    raw: bytes | None = None
    if_match: int | None = None
    official: bool = False
    beside: Beside | None = None

    @property
    def id(self) -> UUID:
        return UUID(bytes=command_of(self.salt))


class Taken(Struct, frozen=True):
    """What became of an order: the books around it and what was written. ``before`` is after any standstill.

    ``told``: by viewer, the message about it that went out to whoever listens.
    """

    before: Book
    after: Book
    written: tuple[Written, ...]
    told: Mapping[int, bytes] = {}


class Draft:
    """``was``: the book that the append expects; ``book``: with what is written so far."""

    def __init__(self, was: Book, seed: bytes, order: Order, random: Callable[[int], bytes]) -> None:
        self.was: Final = was
        self.book = was
        self.written: list[Written] = []
        self.tries = was.tries
        self.tried: list[AttemptRow] = []
        self.counted = 0  # attempts that are not kept
        self.order = order
        self._command: Final = order.id
        self._own_salt: bytes | None = order.salt
        self._seed = seed
        self._random = random

    def write(self, happened: Sequence[Any], by: Seat, at: datetime, received_at: datetime | None = None) -> None:
        self.book, more = self.book.write(
            happened,
            by=by,
            command=self._command,
            at=at,
            received_at=received_at or self.order.received_at,
            salt=self._salt,
        )
        self.written.extend(more)

    def _salt(self, size: int) -> bytes:
        """The order's own for the first event, others for the rest."""
        own, self._own_salt = self._own_salt, None
        return own or self._random(size)

    def stand_still(self, missed_by: Callable[[datetime], Iterable[Outage]]) -> None:
        """First of all: the outages that this match has not stood still for."""
        state, last = self.book.open_state(), self.book.last_received
        if last is None or state.sandbox or state.paused or not isinstance(state.phase, Revealing | Playing):
            return
        for outage in missed_by(last):
            at = self.book.match_time(outage.began)
            still = actions.StandStill(outage.began, outage.ended)
            self.write(decided(self.book, Command(HOUSE, at, still)), HOUSE, at, outage.ended)

    def house_at_once(self, at: datetime) -> None:
        """Whatever the House owes the table now, in the same append."""
        for _ in range(MOST_HOUSE_ACTS):
            if not self.book.awaits_house():
                return
            act = decider.house(self.book.view.game, self.book.open_state(), self._seed)
            self.write(decided(self.book, Command(HOUSE, at, act)), HOUSE, at)
        raise RuntimeError(f"the House never comes to an end in {self.book.view.game.id}")

    def is_unseen(self) -> bool:
        """Whether something happens, in a match that an outage stops, of which somebody is told nothing."""
        seen = any(all(written.row.seqs) for written in self.written)
        return bool(self.written) and not seen and not self.book.open_state().sandbox

    def due(self) -> Due | None:
        """What is to be done by now that nobody asked for; None: nothing."""
        book, state = self.book, self.book.open_state()
        if state.paused is not None:
            return None
        now = book.match_time(self.order.received_at)
        house, bot = book.house_due(), book.bot_due()
        grace = timedelta() if state.sandbox else GRACE
        if house is not None and house + grace <= now and (bot is None or house <= bot[0]):
            action = decider.house(book.view.game, state, self._seed)
            received_at = state.clock.wall_time(house) or self.order.received_at
            late = now - house - grace
            return Due(HOUSE, max(house, book.last_at or house), received_at, action, late)
        if bot is None or bot[0] > now:
            return None
        seat, sight = bot[1], book.sights[bot[1]]
        assert sight.seen is not None
        luck = book.chance(self._seed).bot(seat, sight.seq)
        chosen = book.bots[seat].choose(sight.seen.game, now, luck)
        return Due(seat, now, self.order.received_at, chosen, timedelta())

    def act(self, due: Due) -> None:
        """What was due. A bot that would rather wait is asked again when there is news. Refused: the House's own."""
        try:
            happened = () if due.action is None else decided(self.book, Command(due.by, due.at, due.action))
        except Refused as no:
            log.error("refused_by_own_rules", game=self.book.view.game.id, by=due.by, reason=str(no.reason))
            if due.by == HOUSE:
                raise
            happened = ()
        if happened:
            if due.by != HOUSE:
                self._record(due.by, msgspec.json.encode(due.action), None)
            self.write(happened, due.by, due.at, due.received_at)
            self.house_at_once(due.at)
        else:
            self.book = self.book.keeps_still(due.by, due.at)

    def act_all(self) -> None:
        """All that is due where a sandbox clock was turned to, in the same append as the turn."""
        for _ in range(MOST_HOUSE_ACTS):
            self.book = self.book.wake_bots()
            if (due := self.due()) is None:
                return
            self.act(due)

    def seal(self, before: Book, by: Seat, refused: Refused | None) -> tuple[Append, Book, datetime | None]:
        """The append, the book as it is when it is taken, and when this process is to wake the match then.

        ``before``: the book on which was decided.
        """
        was, order = self.was, self.order
        book = self.book.wake_bots() if self.written else self.book
        due, wake = wall_dues(book)
        if order.raw is not None and not isinstance(before.open_state().phase, Finished | Void | Superseded):
            self._record(by, order.raw, refused, before.version)
        book = replace(book, tries=self.tries, attempts=was.attempts + len(self.tried) + self.counted)
        append = Append(
            match=was.match,
            expected_version=was.version,
            expected_attempts=was.attempts,
            not_after=order.until,
            head=book.head,
            seqs=book.seqs,
            heads=book.heads,
            tries=self.tries,
            events=tuple(written.row for written in self.written),
            attempts=tuple(self.tried),
            key=self._key(before, book, refused),
            due=due,
            lobby=self._lobby(book),
            counted=self.counted,
        )
        return append, book, wake

    def _record(self, seat: Seat, action: bytes, refused: Refused | None, version: int | None = None) -> None:
        """What a seat tried, at the version that it met (None: the present one)."""
        self.tries, rows = attempts.record(
            self.tries,
            match=self.was.match,
            seats=self.was.seats,
            seat=seat,
            command=self._command,
            received_at=self.order.received_at,
            version=self.book.version if version is None else version,
            reason=None if refused is None else str(refused.reason),
            action=action,
        )
        self.tried.extend(rows)
        self.counted += not rows

    def _key(self, before: Book, after: Book, refused: Refused | None) -> KeyRow | None:
        asked = self.order.asked
        if asked is None or asked.key is None:
            return None
        return KeyRow(
            player=asked.player,
            scope=str(after.match),
            key=asked.key.key,
            fingerprint=asked.key.fingerprint,
            command=self._command,
            match=after.match,
            seat=after.open_state().seat_of(str(asked.player)),
            received_at=self.order.received_at,
            before=before.version,
            after=before.version if refused is not None else after.version,
        )

    def _lobby(self, book: Book) -> LobbyRow | None:
        if not any(one.row.tag in _LOBBY_TAGS for one in self.written):
            return None
        code = code_of(self._seed, book.match) if isinstance(book.open_state().phase, Lobby) else None
        return lobby_row(book.open_state(), book.opened_at or self.order.received_at, code)


class Due(Struct, frozen=True):
    """An act that nobody asked for: the House's at a deadline, or a bot's (``action`` None: it would rather wait)."""

    by: Seat
    at: datetime
    received_at: datetime
    action: Any | None
    late: timedelta


def lobby_row(state: AnyState, opened_at: datetime, code: str | None) -> LobbyRow:
    """What the lobby shows of a match. ``code``: by which one can sit down."""
    return LobbyRow(
        game=state.game_id,
        status=state.status,
        access=Access(state.access),
        sandbox=state.sandbox,
        host=UUID(state.host),
        opened_at=opened_at,
        seats=len(state.chairs),
        taken=sum(not chair.free for chair in state.chairs),
        players=tuple(UUID(chair.held_by) for chair in state.chairs if chair.held_by is not None),
        code=code,
    )


def decided(book: Book, command: Command[Any]) -> tuple[Any, ...]:
    match command.action:
        case actions.RaiseDispute(seq=int(seq)) if not 1 <= seq <= book.sights[command.by].seq:
            raise Refused(Reason.NO_SUCH_FRAME)
        case actions.Rule(ruling="branch", told=int(told)) as ruling if told > _told_so_far(book, ruling):
            raise Refused(Reason.NO_SUCH_FRAME)
    return decider.decide(book.view.game, book.open_state(), command)


def _told_so_far(book: Book, ruling: actions.Rule) -> float:
    """How many frames the seat has been told that raised the dispute; no bound to who may not rule on it."""
    for held in book.open_state().disputes:
        if held.dispute == ruling.dispute and held.referee == ruling.referee:
            return book.sights[HOUSE if held.seat is None else held.seat].seq  # the House counts as who looks on: last
    return math.inf


def seat_for(book: Book, order: Order) -> Seat:
    """The seat that asks; HOUSE: it holds none and needs none, or the House itself asks. NotSeated; Behind where
    ``if_match`` is not met."""
    if order.asked is None:
        return HOUSE
    if order.official:
        return OFFICIAL
    seat = book.open_state().seat_of(str(order.asked.player))
    if seat is None:
        if order.raw is not None or isinstance(order.action, actions.RaiseDispute):
            raise NotSeated
        return HOUSE
    seq = book.sights[seat].seq
    if order.if_match is not None and order.if_match != seq:
        raise Behind(seq, seat)
    return seat


def refusal(books: Sequence[Book], by: Seat, no: Refused, order: Order, command: UUID) -> Refusal:
    """``books``: the last few states, the one that refused last; ``command``: by which the attempt is on record."""
    return Refusal(
        str(no.reason),
        game=books[-1].view.game.id,
        seq=books[-1].sights[max(by, HOUSE)].seq,  # who has no seat reads the spectator's numbers: they come last
        not_before=no.not_before,
        closes_at=no.closes_at,
        beaten_by=None if order.raw is None else beaten_by(books, by, order),  # only what seats do is a race
        command=command,
    )


def beyond(book: Book, newest: Book, seat: Seat) -> bool:
    """Whether this seat has been told so much since that whatever came before did not beat it."""
    return newest.sights[seat].seq - book.sights[seat].seq >= BEATEN_BY


def beaten_by(books: Sequence[Book], by: Seat, order: Order) -> int | None:
    """The caller's seq of the frame without which the same command would have been taken; None if none of the last, or
    if it was his own."""
    for older, newer in zip(books[-2::-1], books[::-1], strict=False):
        if beyond(newer, books[-1], by):
            return None
        if newer.last_received is None or newer.last_received < order.received_at - RACED:
            return None
        if newer.actor == by:
            return None
        try:
            decided(older, Command(by, older.match_time(order.received_at), order.action))
        except Refused:
            continue
        first = older.sights[by].seq + 1
        return first if first <= newer.sights[by].seq else None
    return None


def to_next_deadline(book: Book, action: Any) -> Any:
    """A sandbox clock is turned to what happens next at most."""
    if not isinstance(action, actions.TurnClock) or (due := book.due()) is None:
        return action
    left = max(due - hands(book), timedelta())
    return replace(action, advance_ms=min(action.advance_ms, -(-left // timedelta(milliseconds=1))))


def hands(book: Book) -> datetime:
    """What a sandbox match's clock shows."""
    return book.match_time(SANDBOX_START)


def wall_dues(book: Book) -> tuple[datetime | None, datetime | None]:
    """Wall time at which something happens by itself, and when it is to be done: the House's acts after its grace."""
    house, bot, clock = book.house_due(), book.bot_due(), book.open_state().clock
    match house, bot:
        case None, None:
            return None, None
        case _, None:
            assert house is not None
            return clock.wall_time(house), clock.wall_time(house + GRACE)
        case None, (due, _):
            return clock.wall_time(due), clock.wall_time(due)
        case _, (due, _):
            assert house is not None
            return clock.wall_time(min(house, due)), clock.wall_time(min(house + GRACE, due))
