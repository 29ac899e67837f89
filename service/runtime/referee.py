"""The Referee: takes the commands of a match one at a time, has them decided, appends, and only then tells."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import HOUSE, Command, Refused, Seat
from domain.match import actions, decider, events
from domain.match.clock import SANDBOX_START
from domain.match.state import Finished, Lobby, Playing, Revealing
from projections.catalogue import CATALOGUE
from service.runtime import attempts
from service.runtime.answers import (
    Asked,
    Behind,
    Done,
    KeyReused,
    MatchWish,
    NoSuchMatch,
    NotOffered,
    NotSeated,
    Opened,
    Refusal,
    TryAgain,
    WrongCode,
)
from service.runtime.book import Book, Written, empty, with_frames
from service.runtime.books import Books, Entry, took_over
from service.runtime.clock import WallClock
from service.runtime.fanout import Fanout, News
from service.runtime.pulse import Pulse
from service.runtime.turnstile import Turnstile
from service.store.store import Store
from service.store.rows import (
    Access,
    Append,
    KeyRow,
    LobbyRow,
    NewMatch,
    Outcome,
    OutcomeUnknown,
    Unavailable,
)

ANSWER_WITHIN: Final = timedelta(seconds=2)  # what could not be appended by then has not happened
OPEN_FOR: Final = timedelta(hours=24)  # a match that nobody starts is void after that
SANDBOXES: Final = 20  # running at once, per account
CODE_SIGNS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH: Final = 8
GRACE: Final = timedelta(milliseconds=250)  # the House waits so long for what came in time elsewhere
RACED: Final = timedelta(seconds=10)  # what happened longer ago did not beat anybody
MOST_HOUSE_ACTS: Final = 1000  # in one append: a House that never comes to an end is a fault of the game
log = structlog.get_logger()
_LOBBY_EVENTS: Final = (
    events.Opened,
    events.Seated,
    events.Left,
    events.HostChanged,
    events.Started,
    events.Ended,
    events.Voided,
)


class Order(Struct, frozen=True, kw_only=True):
    """A command on its way. ``asked`` is None for the House and for bots; ``raw``: the action's JSON, for its record.

    ``action`` None is a wake-up: whatever is due by ``received_at`` is done, by the House or by a bot.
    """

    id: UUID
    received_at: datetime
    action: Any | None
    asked: Asked | None = None
    raw: bytes | None = None
    if_match: int | None = None
    ours_until: datetime | None = None  # give up after this; None: as long as it takes


class Taken(Struct, frozen=True):
    """What became of an order: the books around it and what was written. ``before`` is after any standstill."""

    before: Book
    after: Book
    written: tuple[Written, ...]


class _Draft(Struct):
    """Events on their way into one append."""

    book: Book
    written: list[Written]

    def write(
        self, happened: Sequence[Any], by: Seat, order: Order, at: datetime, salt: Callable[[int], bytes]
    ) -> None:
        self.book, more = self.book.write(
            happened, by=by, command=order.id, at=at, received_at=order.received_at, salt=salt
        )
        self.written.extend(more)


class Referee:
    """One per process. Decides nothing himself: the deciders do."""

    def __init__(
        self,
        store: Store,
        fanout: Fanout,
        pulse: Pulse,
        clock: WallClock,
        *,
        sandbox: bool = True,
        random: Callable[[int], bytes] = secrets.token_bytes,
        on_action: Callable[[str, str], None] = lambda game, outcome: None,
        on_late: Callable[[float], None] = lambda seconds: None,
        expect: Callable[[UUID, datetime], None] = lambda match, due: None,
    ) -> None:
        self.store: Final = store
        self.books: Final = Books(store)
        self._fanout = fanout
        self._pulse = pulse
        self._clock = clock
        self._sandbox = sandbox
        self._random = random
        self._on_action = on_action
        self._on_late = on_late
        self._expect = expect
        self._turnstile: Turnstile[Order] = Turnstile(self._serve)

    # ── what players ask ────────────────────────────────────────────────────

    async def open(self, asked: Asked, wish: MatchWish) -> Opened:
        """A new match. NotOffered: sandboxes are off or too many; KeyReused; TryAgain."""
        if wish.sandbox and not self._sandbox:
            raise NotOffered("sandbox_off")
        if wish.sandbox and await self._reading(self.store.log.sandboxes(asked.player)) >= SANDBOXES:
            raise NotOffered("too_many_sandboxes")
        while True:
            match, seed = UUID(bytes=self._random(16), version=4), wish.seed or self._random(32)
            new = self._draft_of_new(match, seed, asked, wish)
            try:
                outcome = await self.store.create(new)
            except OutcomeUnknown as unknown:
                raise TryAgain(known=False) from unknown
            except Unavailable as away:
                raise TryAgain(known=True) from away
            match outcome:
                case Outcome.TAKEN:
                    return Opened(match, code_of(seed, match))
                case Outcome.KEY_USED:
                    row = await self._used(asked, "")
                    if row.match is None or (used := await self._reading(self.store.log.seed(row.match))) is None:
                        raise KeyReused
                    return Opened(row.match, code_of(used, row.match))
                case Outcome.LATE:
                    raise TryAgain(known=True)

    async def sit(
        self,
        asked: Asked,
        match: UUID,
        *,
        seat: int | None,
        code: str | None,
        name: str,
        bot: str | None,
        entropy_commitment: str | None,
    ) -> Done:
        """Takes a seat, or sends a bot to one. WrongCode where the match wants one; Refusal by the match's rules."""
        entry = await self._current(match)
        state, player = entry.book.open_state(), str(asked.player)
        known = player == state.host or any(player == chair.held_by for chair in state.chairs)
        if state.access == "code" and not known and not _same(code, code_of(entry.seed, match)):
            raise WrongCode
        return await self._sit(asked, match, Seat(seat) if seat is not None else None, name, bot, entropy_commitment)

    async def join(self, asked: Asked, code: str, *, name: str, entropy_commitment: str | None) -> tuple[UUID, Done]:
        """Sits down by code alone."""
        match = await self._reading(self.store.lobby.by_code(code))
        if match is None:
            raise WrongCode
        return match, await self._sit(asked, match, None, name, None, entropy_commitment)

    async def leave(self, asked: Asked, match: UUID, seat: int) -> Done:
        return await self._ask(asked, match, actions.Leave(str(asked.player), Seat(seat)))

    async def start(self, asked: Asked, match: UUID) -> Done:
        return await self._ask(asked, match, actions.Start(str(asked.player)))

    async def act(self, asked: Asked, match: UUID, action: Struct, raw: bytes, *, if_match: int | None = None) -> Done:
        """A seat's action. NotSeated, Refusal, Behind (``if_match`` is an older seq than the caller's), TryAgain."""
        return await self._ask(asked, match, action, raw, if_match)

    async def turn_clock(self, asked: Asked, match: UUID, advance_ms: int) -> Done:
        """Sandbox: turns the match's clock, to the next deadline at most, and lets happen what is due then."""
        taken = await self._take(asked, match, actions.TurnClock(str(asked.player), advance_ms))
        await self.wake(match)
        entry = await self._current(match)
        turned = (_hands(taken.after) - _hands(taken.before)) // timedelta(milliseconds=1)
        seat = entry.book.open_state().seat_of(str(asked.player))
        viewer = entry.book.seats if seat is None else seat
        body = entry.book.body(viewer, entry.book.match_time(asked.received_at), entry.names)
        stopped = b"true" if turned < advance_ms else b"false"
        told = b',"advanced_ms":%d,"stopped_at_deadline":%b}' % (turned, stopped)
        return Done(entry.book.sights[viewer].seq, body[:-1] + told, seat)

    async def game_of(self, match: UUID) -> str:
        return (await self._entry(match)).book.view.game.id

    # ── the House ───────────────────────────────────────────────────────────

    async def wake(self, match: UUID) -> None:
        """Lets happen what is due in a match by now. Does nothing where nothing is."""
        for _ in range(MOST_HOUSE_ACTS):
            order = Order(id=self._id(), received_at=self._clock.now(), action=None)
            try:
                done = await self._turnstile.pass_through(match, order.received_at, order)
            except (TryAgain, NoSuchMatch, Unavailable):
                return  # the deadline stands in its row: any process fires it later
            if done is None:
                return

    async def drain(self) -> None:
        await self._turnstile.drain()

    # ── the way of a command ────────────────────────────────────────────────

    async def _sit(
        self, asked: Asked, match: UUID, seat: Seat | None, name: str, bot: str | None, commitment: str | None
    ) -> Done:
        sit = actions.Sit(
            player=None if bot else str(asked.player),
            asked_by=str(asked.player),
            bot=bot,
            seat=seat,
            name_digest=None if bot else self._digest(asked.player, name),
            entropy_commitment=commitment,
        )
        return await self._ask(asked, match, sit)

    async def _ask(
        self, asked: Asked, match: UUID, action: Any, raw: bytes | None = None, if_match: int | None = None
    ) -> Done:
        taken = await self._take(asked, match, action, raw, if_match)
        entry, book = await self._entry(match), taken.after
        seat = book.open_state().seat_of(str(asked.player))
        viewer = book.seats if seat is None else seat
        frames = [frame for one in taken.written if (frame := one.frames[viewer]) is not None]
        body = book.body(viewer, book.match_time(self._clock.now()), entry.names)
        return Done(book.sights[viewer].seq, with_frames(body, frames), seat)

    async def _take(
        self, asked: Asked, match: UUID, action: Any, raw: bytes | None = None, if_match: int | None = None
    ) -> Taken:
        order = Order(
            id=self._id(),
            received_at=asked.received_at,
            action=action,
            asked=asked,
            raw=raw,
            if_match=if_match,
            ours_until=asked.received_at + ANSWER_WITHIN,
        )
        taken: Taken = await self._turnstile.pass_through(match, order.received_at, order)
        return taken

    async def _serve(self, match: UUID, order: Order) -> Taken | None:
        unknown = False  # an append of ours may have happened
        try:
            while True:
                if order.ours_until is not None and self._clock.now() >= order.ours_until:
                    raise TryAgain(known=not unknown)
                try:
                    await self._pulse.fresh()
                    entry = await self.books.refresh(match) if unknown else await self.books.entry(match)
                    if unknown and (taken := await self._already(entry, order)) is not None:
                        return taken
                    unknown = False
                    outcome = await self._once(entry, order)
                except OutcomeUnknown:
                    unknown = True
                    continue
                except Unavailable as away:
                    if order.ours_until is None:
                        raise TryAgain(known=True) from away
                    continue
                if isinstance(outcome, Taken) or outcome is None:
                    return outcome
                match outcome:
                    case Outcome.LATE:
                        raise TryAgain(known=True)
                    case Outcome.KEY_USED:
                        return await self._again(match, order)
                    case _:
                        await self.books.refresh(match)
        except Unavailable as away:
            raise TryAgain(known=not unknown) from away

    async def _once(self, entry: Entry, order: Order) -> Taken | Outcome | None:
        """Decides on the book as it is, and appends. The outcome where it has to be done anew; None: nothing to do."""
        draft = _Draft(entry.book, [])
        self._stand_still(draft, order)
        if order.asked is None:
            return await self._whatever_is_due(entry, draft, order)
        before = draft.book
        at = before.match_time(order.received_at)
        by, refused = HOUSE, None
        try:
            by = self._seat_for(before, order)
            action = _to_next_deadline(before, order.action)
            draft.write(self._decided(before, Command(by, at, action)), by, order, at, self._random)
            self._house_at_once(entry, draft, order, at)
        except Refused as no:
            refused = no
        except (NotSeated, Behind):
            if (told := await self._not_from_an_old_state(entry, order)) is not None:
                return told
            raise
        append, book = self._append(entry, draft, before, order, by, refused)
        outcome = await self.store.append(append)
        if outcome is not Outcome.TAKEN:
            return outcome
        await self._took(entry, draft, book)
        if order.raw is not None:
            self._on_action(book.view.game.id, "accepted" if refused is None else "refused")
        if refused is not None:
            raise self._refusal([*entry.before, before], by, refused, order)
        return Taken(before, book, tuple(draft.written))

    async def _whatever_is_due(self, entry: Entry, draft: _Draft, order: Order) -> Taken | Outcome | None:
        """The House at its deadline, or the bot whose time it is: one act."""
        before = draft.book
        now = before.match_time(order.received_at)
        house, bot = before.house_due(), before.bot_due()
        grace = timedelta() if before.open_state().sandbox else GRACE
        by: Seat = HOUSE
        if house is not None and house + grace <= now and (bot is None or house <= bot[0]):
            at = max(house, before.last_at or house)
            wall = before.open_state().clock.wall_time(house)
            order = replace(order, received_at=wall or order.received_at)
            action = decider.house(before.view.game, before.open_state(), entry.seed)
            self._on_late((now - house - grace).total_seconds())
        elif bot is not None and bot[0] <= now:
            at, by = now, bot[1]
            sight = before.sights[by]
            assert sight.seen is not None
            action = before.bots[by].choose(sight.seen.game, at, before.chance(entry.seed).bot(by, sight.seq))
        else:
            return None
        try:
            if action is not None:
                draft.write(self._decided(before, Command(by, at, action)), by, order, at, self._random)
                self._house_at_once(entry, draft, order, at)
        except Refused as no:
            log.error("refused_by_own_rules", game=before.view.game.id, by=by, reason=str(no.reason))
            if by == HOUSE:
                return None
            action = None
        if action is None:
            draft = _Draft(before.with_bot(by, before.bots[by].wait(at)), draft.written)
        append, book = self._append(entry, draft, before, order, by, None)
        outcome = await self.store.append(append)
        if outcome is not Outcome.TAKEN:
            return outcome
        await self._took(entry, draft, book)
        return Taken(before, book, tuple(draft.written))

    async def _not_from_an_old_state(self, entry: Entry, order: Order) -> Outcome | None:
        """What has to be done instead of saying no: the match moved, or the key was used for an earlier answer."""
        match, asked = entry.book.match, order.asked
        now = await self.store.log.versions([match])
        if match not in now:
            self.books.forget(match)
            raise NoSuchMatch
        if now[match][0] != entry.book.version:
            return Outcome.MOVED
        if asked is not None and asked.key is not None:
            if await self.store.log.key(asked.player, str(match), asked.key.key) is not None:
                return Outcome.KEY_USED
        return None

    def _decided(self, book: Book, command: Command[Any]) -> tuple[Any, ...]:
        return decider.decide(book.view.game, book.open_state(), command)

    def _stand_still(self, draft: _Draft, order: Order) -> None:
        state, last = draft.book.open_state(), draft.book.last_received
        if last is None or state.sandbox or not isinstance(state.phase, Revealing | Playing):
            return
        for outage in self._pulse.missed_by(last):
            still = actions.StandStill(outage.began, outage.ended)
            at = draft.book.match_time(outage.began)
            order_of_house = replace(order, received_at=outage.ended)
            happened = self._decided(draft.book, Command(HOUSE, at, still))
            draft.write(happened, HOUSE, order_of_house, at, self._random)

    def _house_at_once(self, entry: Entry, draft: _Draft, order: Order, at: datetime) -> None:
        for _ in range(MOST_HOUSE_ACTS):
            if not draft.book.awaits_house():
                return
            act = decider.house(draft.book.view.game, draft.book.open_state(), entry.seed)
            draft.write(self._decided(draft.book, Command(HOUSE, at, act)), HOUSE, order, at, self._random)
        raise RuntimeError(f"the House never comes to an end in {draft.book.view.game.id}")

    def _seat_for(self, book: Book, order: Order) -> Seat:
        assert order.asked is not None
        seat = book.open_state().seat_of(str(order.asked.player))
        if seat is None:
            if order.raw is not None:
                raise NotSeated
            return HOUSE
        seq = book.sights[seat].seq
        if order.if_match is not None and order.if_match != seq:
            raise Behind(seq)
        return seat

    def _append(
        self, entry: Entry, draft: _Draft, before: Book, order: Order, by: Seat, refused: Refused | None
    ) -> tuple[Append, Book]:
        was, asked = entry.book, order.asked
        book = draft.book.wake_bots() if draft.written else draft.book
        tries, kept = was.tries, ()
        if order.raw is not None:
            tries, kept = attempts.record(
                was.tries,
                match=was.match,
                seats=was.seats,
                seat=by,
                command=order.id,
                received_at=order.received_at,
                version=before.version,
                reason=None if refused is None else str(refused.reason),
                action=order.raw,
            )
        key = None
        if asked is not None and asked.key is not None:
            key = KeyRow(
                player=asked.player,
                scope=str(was.match),
                key=asked.key.key,
                fingerprint=asked.key.fingerprint,
                command=order.id,
                match=was.match,
                seat=book.open_state().seat_of(str(asked.player)),
                received_at=order.received_at,
                before=before.version,
                after=before.version if refused is not None else book.version,
            )
        book = replace(book, tries=tries, attempts=was.attempts + len(kept))
        append = Append(
            match=was.match,
            expected_version=was.version,
            expected_attempts=was.attempts,
            not_after=order.ours_until or self._clock.now() + ANSWER_WITHIN,
            head=book.head,
            seqs=tuple(sight.seq for sight in book.sights),
            heads=b"".join(sight.head for sight in book.sights),
            tries=tries,
            events=tuple(written.row for written in draft.written),
            attempts=kept,
            key=key,
            due=_wall_due(book),
            lobby=self._lobby(entry.seed, book, draft.written),
        )
        return append, book

    async def _took(self, entry: Entry, draft: _Draft, book: Book) -> None:
        """Committed: the book turns, and only now others are told."""
        was = entry.book
        entry.turn_to(book)
        if (due := self._fires_at(book)) is not None:
            self._expect(book.match, due)
        if any(written.row.tag == "match.left" for written in draft.written) and took_over(book):
            self.books.forget(book.match)  # who takes over has to learn what the seat was told before
        players = [chair.player for chair in book.open_state().chairs if chair.player is not None]
        await self.books.name(entry, players)
        self._tell(entry, was, book, draft.written)

    def _tell(self, entry: Entry, was: Book, book: Book, written: Sequence[Written]) -> None:
        news: dict[int, News] = {}
        now = book.last_at
        assert now is not None
        for viewer, sight in enumerate(book.sights):
            frames = [frame for one in written if (frame := one.frames[viewer]) is not None]
            if frames:
                first = was.sights[viewer].seq + 1
                body = book.body(viewer, now, entry.names)
                news[viewer] = News(first, sight.seq, with_frames(body, frames), book.version)
        if news:
            self._fanout.publish(book.match, news)

    def _refusal(self, books: Sequence[Book], by: Seat, no: Refused, order: Order) -> Refusal:
        """``books``: the last few states, the one that refused last."""
        book = books[-1]
        return Refusal(
            str(no.reason),
            seq=book.sights[by].seq,  # who has no seat reads the spectator's numbers: HOUSE is -1, the last
            not_before=no.not_before,
            closes_at=no.closes_at,
            beaten_by=None if by == HOUSE else beaten_by(books, by, order),
        )

    # ── asked again ─────────────────────────────────────────────────────────

    async def _already(self, entry: Entry, order: Order) -> Taken | None:
        """After an append whose outcome was unknown: what became of it, if anything did."""
        match = entry.book.match
        row = await self.store.log.attempted(match, order.id)
        if row is not None and row.outcome == "refused":
            await self._refuse_again(match, order, attempts.version_met(row))
        span = await self.store.log.happened(match, order.id)
        if span is None:
            return None
        return await self._taken_at(match, span[0] - 1 if row is None else attempts.version_met(row), span[1])

    async def _again(self, match: UUID, order: Order) -> Taken:
        """The answer to a repeated key, rendered again from the log at its version."""
        assert order.asked is not None
        row = await self._used(order.asked, str(match))
        if row.before == row.after:
            await self._refuse_again(match, replace(order, received_at=row.received_at, if_match=None), row.before)
        return await self._taken_at(match, row.before, row.after)

    async def _used(self, asked: Asked, scope: str) -> KeyRow:
        assert asked.key is not None
        row = await self._reading(self.store.log.key(asked.player, scope, asked.key.key))
        if row is None:
            raise TryAgain(known=True)
        if row.fingerprint != asked.key.fingerprint:
            raise KeyReused
        return row

    async def _refuse_again(self, match: UUID, order: Order, version: int) -> None:
        books = await self.books.until(match, version)
        book = books[-1]
        by = self._seat_for(book, order)
        try:
            self._decided(book, Command(by, book.match_time(order.received_at), order.action))
        except Refused as no:
            raise self._refusal(books, by, no, order) from None

    async def _taken_at(self, match: UUID, before: int, after: int) -> Taken:
        books = await self.books.until(match, after)
        older = (await self.books.until(match, before))[-1]
        rows = await self.store.log.events(match, after_version=before, upto=after)
        return Taken(older, books[-1], tuple(books[-1].rewritten(row) for row in rows))

    # ── beside the log ──────────────────────────────────────────────────────

    def _draft_of_new(self, match: UUID, seed: bytes, asked: Asked, wish: MatchWish) -> NewMatch:
        view = CATALOGUE[wish.game]
        order = Order(id=self._id(), received_at=asked.received_at, action=None, asked=asked)
        wall = asked.received_at
        opening = actions.Open(
            match=str(match),
            game=wish.game,
            rules_version=view.game.rules_version,
            seats=wish.seats,
            options=wish.options,
            pace=wish.pace,
            leaving=wish.leaving,
            fill=wish.fill,
            access=wish.access,
            sandbox=wish.sandbox,
            deal=wish.deal,
            seed_commitment=hashlib.sha256(seed).hexdigest(),
            host=str(asked.player),
            open_until=(SANDBOX_START if wish.sandbox else wall) + OPEN_FOR,
        )
        draft = _Draft(empty(view, match, wish.seats), [])
        opened = decider.open_match(opening)
        at = decider.begin(view.game, opened[0]).clock.match_time(wall)
        draft.write(opened, HOUSE, order, at, self._random)
        if wish.sit:
            sit = actions.Sit(
                player=str(asked.player),
                asked_by=str(asked.player),
                name_digest=self._digest(asked.player, wish.name),
                entropy_commitment=wish.entropy_commitment,
            )
            draft.write(self._decided(draft.book, Command(HOUSE, at, sit)), HOUSE, order, at, self._random)
        entry = Entry(empty(view, match, wish.seats), seed, [])
        append, _ = self._append(entry, draft, draft.book, replace(order, ours_until=wall + ANSWER_WITHIN), HOUSE, None)
        if append.key is not None:
            append = replace(append, key=replace(append.key, scope="", before=0, after=draft.book.version))
        return NewMatch(match=match, game=wish.game, seed=seed, append=append)

    def _lobby(self, seed: bytes, book: Book, written: Sequence[Written]) -> LobbyRow | None:
        if not any(one.row.tag in _LOBBY_TAGS for one in written):
            return None
        state = book.open_state()
        still_open = isinstance(state.phase, Lobby)
        return LobbyRow(
            game=state.game_id,
            status=state.status,
            access=Access(state.access),
            sandbox=state.sandbox,
            host=UUID(state.host),
            opened_at=book.opened_at or written[0].row.received_at,
            seats=book.seats,
            taken=sum(not chair.free for chair in state.chairs),
            players=tuple({UUID(chair.held_by) for chair in state.chairs if chair.held_by is not None}),
            code=code_of(seed, book.match) if still_open else None,
        )

    def _digest(self, player: UUID, name: str) -> str:
        return hashlib.sha256(self._random(16) + player.bytes + name.encode()).hexdigest()

    def _id(self) -> UUID:
        return UUID(bytes=self._random(16), version=4)

    def _fires_at(self, book: Book) -> datetime | None:
        """Wall time at which there is something to wake the match for."""
        house, bot = book.house_due(), book.bot_due()
        dues = [at for at in (house and house + GRACE, bot and bot[0]) if at is not None]
        return book.open_state().clock.wall_time(min(dues)) if dues else None

    async def _entry(self, match: UUID) -> Entry:
        return await self._reading(self.books.entry(match))

    async def _current(self, match: UUID) -> Entry:
        return await self._reading(self.books.current(match))

    async def _reading(self, read: Any) -> Any:
        try:
            return await read
        except Unavailable as away:
            raise TryAgain(known=True) from away


_LOBBY_TAGS: Final = frozenset(str(kind.__struct_config__.tag) for kind in _LOBBY_EVENTS)


def beaten_by(books: Sequence[Book], by: Seat, order: Order) -> int | None:
    """The caller's seq of the frame without which the same command would have been taken; None if none of the last.

    ``books``: the match after each of the last commands, the newest last.
    """
    for older, newer in zip(books[-2::-1], books[::-1], strict=False):
        if newer.last_received is None or newer.last_received < order.received_at - RACED:
            return None
        try:
            command = Command(by, older.match_time(order.received_at), order.action)
            decider.decide(older.view.game, older.open_state(), command)
        except Refused:
            continue
        told = newer.sights[by].seq
        return told if told > older.sights[by].seq else None
    return None


def _to_next_deadline(book: Book, action: Any) -> Any:
    """A sandbox clock is turned to what happens next at most."""
    if not isinstance(action, actions.TurnClock) or (due := book.due()) is None:
        return action
    left = max(due - _hands(book), timedelta())
    return replace(action, advance_ms=min(action.advance_ms, -(-left // timedelta(milliseconds=1))))


def _hands(book: Book) -> datetime:
    """What a sandbox match's clock shows."""
    return book.match_time(SANDBOX_START)


def code_of(seed: bytes, match: UUID) -> str:
    """The code by which one sits down at a match: from its secret seed, so that it need not be kept."""
    number = int.from_bytes(hmac.digest(seed, b"mogelwerk/code/1" + str(match).encode(), "sha256"), "big")
    signs = []
    for _ in range(CODE_LENGTH):
        number, sign = divmod(number, len(CODE_SIGNS))
        signs.append(CODE_SIGNS[sign])
    return "".join(signs)


def _same(said: str | None, code: str) -> bool:
    return said is not None and hmac.compare_digest(said.upper().encode(), code.encode())


def _wall_due(book: Book) -> datetime | None:
    due = book.due()
    return None if due is None else book.open_state().clock.wall_time(due)
