"""The Referee: takes the commands of a match one at a time, has them decided, appends, and only then tells."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import HOUSE, Command, Refused, Seat
from domain.match import actions
from domain.match.envelope import SALT_BYTES
from projections.evidence import with_frames
from service.dialogue import (
    Asked,
    Behind,
    Done,
    KeyReused,
    MatchWish,
    MayNotSee,
    NoSuchBot,
    NoSuchMatch,
    NotOffered,
    NotSeated,
    Opened,
    TryAgain,
    WrongCode,
)
from service.fanout.hub import Fanout
from service.fanout.news import News
from service.runtime.again import Again
from service.runtime.book import Book, Written
from service.runtime.books import Books, Entry, took_over
from service.runtime.clock import WallClock
from service.runtime.codes import code_of, heard, is_code, same_code
from service.runtime.draft import (
    MOST_HOUSE_ACTS,
    Draft,
    Order,
    Taken,
    decided,
    hands,
    refusal,
    seat_for,
    to_next_deadline,
)
from service.runtime.opening import open_match
from service.runtime.pulse import Pulse
from service.runtime.turnstile import Turnstile
from service.store.engine import Store
from service.store.rows import Beside, Outcome, OutcomeUnknown, RuledOn, TooMany, Unavailable

ANSWER_WITHIN: Final = timedelta(seconds=2)  # what could not be appended by then has not happened
SHORT: Final = 0.05  # seconds between tries while Postgres is away
T = TypeVar("T")
log = structlog.get_logger()


class _HouseFirst(Exception):
    """The match has not been told yet that it stood still: the House says so, at a time that nobody's command sets."""


class Referee:
    """One per process. Decides nothing himself: the deciders do.

    ``random``: bytes for ids, salts and seeds. ``expect(match, due)`` is told of each new deadline; ``settled(match)``
    waits until the House has told the match of the last outage.
    """

    def __init__(
        self,
        store: Store,
        books: Books,
        fanout: Fanout,
        pulse: Pulse,
        clock: WallClock,
        *,
        sandbox: bool = True,
        random: Callable[[int], bytes] = secrets.token_bytes,
        expect: Callable[[UUID, datetime], None] = lambda match, due: None,
        on_action: Callable[[str, str], None] = lambda game, outcome: None,
        on_late: Callable[[float], None] = lambda seconds: None,
        settled: Callable[[UUID], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._books = books
        self._fanout = fanout
        self._pulse = pulse
        self._clock = clock
        self._sandbox = sandbox
        self._random = random
        self._expect = expect
        self._on_action = on_action
        self._on_late = on_late
        self._settled = settled or self.wake
        self._again = Again(store, books)
        self._opening: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()  # by player
        self._turnstile: Turnstile[Order] = Turnstile(self._serve)

    async def open(self, asked: Asked, wish: MatchWish) -> Opened:
        """A new match. NotOffered: sandboxes are off or too many; KeyReused; TryAgain."""
        if wish.sandbox and not self._sandbox:
            raise NotOffered("sandbox_off")
        digest = await self._name_digest(asked) if wish.sit else None
        while True:
            match, seed = UUID(bytes=self._random(16), version=4), wish.seed or self._random(32)
            new = open_match(match, seed, asked, wish, digest, self._order(asked, None), self._random)
            async with self._opening.setdefault(asked.player, asyncio.Lock()):  # one connection each, not all
                outcome = await available(self._store.create(new))
            match outcome:
                case Outcome.TAKEN:
                    return Opened(match, code_of(seed, match))
                case Outcome.LATE:
                    raise TryAgain(known=True)
                case Outcome.KEY_USED:
                    return await self._opened_before(asked)
                case TooMany():
                    raise NotOffered("too_many_sandboxes")
                case _:
                    pass  # the code, or the id, is another match's: once more with others

    async def sit(
        self,
        asked: Asked,
        match: UUID,
        *,
        seat: int | None,
        code: str | None,
        bot: str | None,
        entropy_commitment: str | None,
    ) -> Done:
        """Takes a seat, or sends a bot to one. WrongCode where the match wants one, before anything is said of it;
        NoSuchBot; Refusal by the match's rules."""
        entry = await available(self._books.current(match))
        state, player = entry.book.open_state(), str(asked.player)
        if state.access == "code" and not state.takes_part(player) and not same_code(code, code_of(entry.seed, match)):
            raise WrongCode
        if bot is not None and bot not in entry.book.view.game.bots:
            raise NoSuchBot(state.game_id)
        sit = actions.Sit(
            player=None if bot else player,
            asked_by=player,
            bot=bot,
            seat=None if seat is None else Seat(seat),
            name_digest=None if bot else await self._name_digest(asked),
            entropy_commitment=entropy_commitment,
        )
        return await self._ask(match, self._order(asked, sit))

    async def join(self, asked: Asked, code: str, *, entropy_commitment: str | None) -> tuple[UUID, Done]:
        """Sits down by code alone."""
        code = heard(code)
        match = await available(self._store.lobby.by_code(code)) if is_code(code) else None
        if match is None:
            raise WrongCode
        player = str(asked.player)
        sit = actions.Sit(
            player=player,
            asked_by=player,
            name_digest=await self._name_digest(asked),
            entropy_commitment=entropy_commitment,
        )
        return match, await self._ask(match, self._order(asked, sit))

    async def leave(self, asked: Asked, match: UUID, seat: int) -> Done:
        await self._may_know(asked, match)
        return await self._ask(match, self._order(asked, actions.Leave(str(asked.player), Seat(seat))))

    async def start(self, asked: Asked, match: UUID) -> Done:
        await self._may_know(asked, match)
        return await self._ask(match, self._order(asked, actions.Start(str(asked.player))))

    async def act(self, asked: Asked, match: UUID, action: Struct, raw: bytes, *, if_match: int | None = None) -> Done:
        """A seat's action; ``raw`` is its JSON. NotSeated, Refusal, Behind, KeyReused, TryAgain."""
        return await self._ask(match, replace(self._order(asked, action), raw=raw, if_match=if_match))

    async def turn_clock(self, asked: Asked, match: UUID, advance_ms: int) -> Done:
        """Sandbox: turns the match's clock, to the next deadline at most, and lets happen what is due then."""
        await self._may_know(asked, match)
        taken = await self._take(match, self._order(asked, actions.TurnClock(str(asked.player), advance_ms)))
        turned = (hands(taken.after) - hands(taken.before)) // timedelta(milliseconds=1)
        stopped = b"true" if turned < advance_ms else b"false"
        done = await self._done(asked, match, taken)
        told = b',"advanced_ms":%d,"stopped_at_deadline":%b}' % (turned, stopped)
        return replace(done, body=done.body[:-1] + told)

    async def of_dispute(
        self, asked: Asked, match: UUID, action: actions.OfDisputes, *, beside: Beside | None = None, official: bool
    ) -> tuple[Taken, Done]:
        """What is asked about a dispute, by a seat or (``official``) by a referee or an auditor; ``beside`` is written
        with it. Refusal, NotSeated, KeyReused, TryAgain."""
        order = replace(self._order(asked, action), official=official, beside=beside)
        if isinstance(beside, RuledOn):  # a branch is not copied in a moment
            order = replace(order, until=self._clock.now() + ANSWER_WITHIN)
        taken = await self._take(match, order)
        return taken, await self._done(asked, match, taken)

    async def for_house(self, match: UUID, action: actions.RaiseDispute, at: datetime, *, beside: Beside) -> None:
        """What the House does that is not due; ``beside`` is written with it. Refusal, TryAgain."""
        salt, until = self._random(SALT_BYTES), at + ANSWER_WITHIN
        await self._take(match, Order(salt=salt, received_at=at, until=until, action=action, beside=beside))

    async def game_of(self, match: UUID, player: UUID) -> str:
        """Of which game it is, for whoever sees the match or once sat in it. MayNotSee: others are told nothing."""
        for look in (self._books.entry, self._books.current):  # what is in memory may not know him yet
            book = (await available(look(match))).book
            if str(player) in book.open_state().sat or book.is_seen_by(str(player)):
                return book.view.game.id
        raise MayNotSee

    async def wake(self, match: UUID) -> None:
        """Lets happen what is due in a match by now. Does nothing where nothing is."""
        for _ in range(MOST_HOUSE_ACTS):
            now = self._clock.now()
            order = Order(salt=self._random(SALT_BYTES), received_at=now, until=now + ANSWER_WITHIN, action=None)
            try:
                if await self._turnstile.pass_through(match, now, order) is None:
                    return
            except TryAgain:
                return  # the deadline stands in its row: any process fires it later

    async def drain(self) -> None:
        """Until no command is under way."""
        await self._turnstile.drain()

    async def _ask(self, match: UUID, order: Order) -> Done:
        taken = await self._take(match, order)
        assert order.asked is not None
        return await self._done(order.asked, match, taken)

    async def _take(self, match: UUID, order: Order) -> Taken:
        while True:
            try:
                taken: Taken = await self._turnstile.pass_through(match, order.received_at, order)
            except _HouseFirst:
                left = (order.until - self._clock.now()).total_seconds()
                with suppress(TimeoutError):  # then there is no time left for it
                    async with asyncio.timeout(max(left, SHORT)):
                        await self._settled(match)
            else:
                return taken

    async def _done(self, asked: Asked, match: UUID, taken: Taken) -> Done:
        book, names = taken.after, {}
        with suppress(Unavailable):  # it is committed and has happened: a name may be missing
            names = (await self._books.entry(match)).names
        seat = book.open_state().seat_of(str(asked.player))
        viewer = book.seats if seat is None else seat
        now = book.match_time(asked.received_at)
        body = taken.told.get(viewer) if now == book.last_at else None  # he sees what his stream tells: the same bytes
        if body is None:
            frames = [frame for one in taken.written if (frame := one.frames[viewer]) is not None]
            body = with_frames(book.body(viewer, now, names), frames)
        return Done(book.sights[viewer].seq, body, seat, taken.written[0].row.command)

    async def _serve(self, match: UUID, order: Order) -> Taken | None:
        """One command from its turn to its end. TryAgain when its time is over."""
        lost = False  # an append of ours may have happened
        while True:
            left = (order.until - self._clock.now()).total_seconds()
            try:
                if not self._pulse.is_fresh():
                    async with asyncio.timeout(max(left, SHORT)):
                        await self._pulse.fresh()
                if lost and (taken := await self._again.after_a_lost_answer(match, order)) is not None:
                    await self._books.refresh(match)
                    return taken
                if left <= 0:
                    raise TryAgain(known=True)
                outcome = await self._once(await self._books.entry(match), order)
            except OutcomeUnknown:
                lost = True
            except (Unavailable, TimeoutError) as away:
                if left <= 0:
                    raise TryAgain(known=not lost) from away
                await asyncio.sleep(SHORT)  # Postgres is away: no wait for a window, and only until the order's time
            else:
                match outcome:
                    case Outcome.LATE:
                        raise TryAgain(known=True)
                    case Outcome.KEY_USED:
                        return await available(self._again.under_the_same_key(match, order))
                    case Outcome.MOVED:
                        await available(self._books.refresh(match))
                    case Taken() | None:
                        return outcome
                    case _:
                        raise AssertionError(outcome)

    async def _once(self, entry: Entry, order: Order) -> Taken | Outcome | None:
        """Decides on the book as it is, and appends. The outcome where it has to be done anew; None: nothing to do."""
        draft = Draft(entry.book, entry.seed, order, self._random)
        draft.stand_still(self._pulse.missed_by)
        if order.action is None:
            return await self._whatever_is_due(entry, draft)
        if draft.written:
            raise _HouseFirst
        before = draft.book
        at = before.match_time(order.received_at)
        by, refused = HOUSE, None
        try:
            by = seat_for(before, order)
            happened = decided(before, Command(by, at, to_next_deadline(before, order.action)))
        except Refused as no:
            refused = no
        except (NotSeated, Behind):
            if (told := await self._not_from_an_old_state(entry, order)) is not None:
                return told
            raise
        else:
            draft.write(happened, by, at)
            draft.house_at_once(at)
            if isinstance(order.action, actions.TurnClock):
                draft.act_all()
        outcome = await self._append(entry, draft, before, by, refused)
        if isinstance(outcome, Taken):
            if order.raw is not None:
                self._on_action(before.view.game.id, "accepted" if refused is None else "refused")
            if refused is not None:
                raise refusal([*entry.before, before], by, refused, order, order.id)
        return outcome

    async def _whatever_is_due(self, entry: Entry, draft: Draft) -> Taken | Outcome | None:
        """The House at its deadline, or the bot whose time it is: one act."""
        before, due = draft.book, draft.due()
        if due is None:
            return await self._append(entry, draft, before, HOUSE, None) if draft.written else None
        draft.act(due)
        self._on_late(due.late.total_seconds())
        return await self._append(entry, draft, before, due.by, None)

    async def _append(
        self, entry: Entry, draft: Draft, before: Book, by: Seat, refused: Refused | None
    ) -> Taken | Outcome:
        if draft.is_unseen() and not self._pulse.is_beyond(draft.order.received_at):
            # An outage must not seem to begin before it: the frame that tells of the outage would be dated as this.
            left = (draft.order.until - self._clock.now()).total_seconds()
            async with asyncio.timeout(max(left, SHORT)):
                await self._pulse.beyond(draft.order.received_at)
            return Outcome.MOVED  # and there may just have been one
        append, book, wake = draft.seal(before, by, refused)
        beside = draft.order.beside
        if beside is not None and refused is None:
            outcome = await self._store.disputes.append(append, beside)
        else:
            outcome = await self._store.append(append)
        if outcome is not Outcome.TAKEN:
            return outcome
        if wake is not None:
            self._expect(book.match, wake)
        return Taken(before, book, tuple(draft.written), await self._took(entry, draft, book))

    async def _took(self, entry: Entry, draft: Draft, book: Book) -> Mapping[int, bytes]:
        """Committed: the book turns, and only now others are told; what, by viewer."""
        entry.turn_to(book)
        if any(written.row.tag == "match.left" for written in draft.written) and took_over(book):
            self._books.forget(book.match)  # who takes over has to learn what the seat was told before
        with suppress(Unavailable):  # it is committed: a name is missing until the next look
            await self._books.name(entry, [chair.player for chair in book.open_state().chairs if chair.player])
        return self._tell(entry, draft.was, book, draft.written)

    def _tell(self, entry: Entry, was: Book, book: Book, written: Sequence[Written]) -> Mapping[int, bytes]:
        if not written or book.last_at is None:
            return {}
        news: dict[int, News] = {}
        for viewer, sight in enumerate(book.sights):
            frames = [frame for one in written if (frame := one.frames[viewer]) is not None]
            listened = self._fanout.listened_to(book.match, viewer)
            if frames:
                body = with_frames(book.body(viewer, book.last_at, entry.names), frames) if listened else b""
                news[viewer] = News(was.sights[viewer].seq + 1, sight.seq, body, book.version)
            elif listened:  # nothing for him: else the poll would send him to the log to find that out
                news[viewer] = News(sight.seq + 1, sight.seq, b"", book.version)
        self._fanout.publish(book.match, news)
        return {viewer: one.body for viewer, one in news.items() if one.body}

    async def _not_from_an_old_state(self, entry: Entry, order: Order) -> Outcome | None:
        """What has to be done instead of saying no: the match moved, or the key was used for an earlier answer."""
        match, asked = entry.book.match, order.asked
        now = await self._store.log.version(match)
        if now is None:
            self._books.forget(match)
            raise NoSuchMatch
        if now[0] != entry.book.version:
            return Outcome.MOVED
        if asked is None or asked.key is None:
            return None
        used = await self._store.log.key(asked.player, str(match), asked.key.key)
        return None if used is None else Outcome.KEY_USED

    async def _may_know(self, asked: Asked, match: UUID) -> None:
        """MayNotSee: who is told nothing of a match is refused nothing either, and learns no number of it."""
        (await available(self._books.current(match))).book.viewer_of(str(asked.player))

    async def _name_digest(self, asked: Asked) -> str | None:
        return await available(self._store.accounts.name_digest(asked.player))

    async def _opened_before(self, asked: Asked) -> Opened:
        row = await available(self._again.used(asked, ""))
        seed = None if row.match is None else await available(self._store.log.seed(row.match))
        if row.match is None or seed is None:
            raise KeyReused
        return Opened(row.match, code_of(seed, row.match))

    def _order(self, asked: Asked, action: Any | None) -> Order:
        received_at = asked.received_at
        return Order(
            salt=self._random(SALT_BYTES),
            received_at=received_at,
            until=received_at + ANSWER_WITHIN,
            action=action,
            asked=asked,
        )


async def available(answer: Awaitable[T]) -> T:
    """Where Postgres is away, nothing happened, or nobody knows."""
    try:
        return await answer
    except OutcomeUnknown as unknown:
        raise TryAgain(known=False) from unknown
    except Unavailable as away:
        raise TryAgain(known=True) from away
