"""Matches of any game with everything that makes a log hard to follow, as the Referee writes them, on paper.

Seats act and are refused, bots play, time runs out, people leave and come back, all processes stand still, entropy is
revealed or withheld, a sandbox clock is turned. The same ``luck`` is the same match.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from domain.kernel.bot import fill_all
from domain.kernel.game import Command, Pace, Refused, Seat
from domain.kernel.offers import Offer
from domain.match import actions
from domain.match.envelope import SALT_BYTES
from domain.match.state import Finished, Playing, Void
from projections.catalogue import CATALOGUE
from projections.views.match import offers
from projections.views.seam import AnyView
from service.audit.exporting import InTree, complete, so_far, told
from service.dialogue import Asked, MatchWish, NotSeated
from service.runtime.book import Book, empty
from service.runtime.books import remembered, took_over
from service.runtime.bots import usable
from service.runtime.draft import GRACE, Draft, Order, decided, hands, seat_for, to_next_deadline
from service.runtime.opening import open_match
from service.store.rows import AttemptRow, EventRow, Outage, StreamRow
from tests.any_game import is_doubt, luck_of, some_options

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
MOST: Final = 3000  # orders; a match that is longer is left where it is


class Story(Struct, frozen=True, kw_only=True):
    """``bots``: how many of the seats the House fills. ``wild``: how often in a hundred something odd happens."""

    game: str
    luck: int
    seats: int
    bots: int = 0
    sandbox: bool = False
    commit: bool = False
    leaving: Any = "bot"
    access: Any = "public"
    wild: int = 12
    doubt: float = 0.15
    options: dict[str, Any] | None = None


def stories(game: str, many: int) -> Iterator[Story]:
    fewest, most = CATALOGUE[game].game.seats
    for luck in range(many):
        seats = fewest + luck % (min(most, fewest + 3) - fewest + 1)
        yield Story(
            game=game,
            luck=luck,
            seats=seats,
            bots=(0, 1, seats - 1, 0)[luck % 4],
            sandbox=luck % 5 == 2,
            commit=luck % 2 == 1,
            leaving="cards_leave" if luck % 4 == 3 else "bot",
            access="code" if luck % 3 == 1 else "public",
        )


def short(game: str) -> dict[str, Any] | None:
    """Options with which nobody sits there for long, where a game has such."""
    return {"max_turns": 10} if "max_turns" in CATALOGUE[game].game.options.__struct_fields__ else None


class Paper:
    """A match, played to its end when it is made; ``rows`` and ``attempts`` are what the store would hold, ``books``
    what a server knew after each append."""

    def __init__(self, story: Story, view: AnyView | None = None) -> None:
        self.story: Final = story
        self.view: Final = view or CATALOGUE[story.game]
        self.luck: Final = random.Random(f"{story.game} {story.luck}")
        self._draws: Final = luck_of(story.luck)
        self._bytes: Final = random.Random(story.luck + 1).randbytes
        self.players: Final = [self._uuid() for _ in range(story.seats - story.bots)]
        self.entropies: Final = {str(player): self._bytes(16).hex() for player in self.players}
        self.match: Final = self._uuid()
        self.seed: Final = self._bytes(32)
        self.now = NOON
        self.rows: list[EventRow] = []
        self.attempts: list[AttemptRow] = []
        self.outages: list[Outage] = []
        self.books: list[Book] = []
        self.orders = 0
        self._last: dict[str, Any] | None = None
        self._open()
        self._play()

    # ── what is kept of it ──────────────────────────────────────────────────

    @property
    def log(self) -> Kept:
        """A copy of what the store would hold, to be changed as one likes."""
        book = self.book
        stream = StreamRow(
            match=self.match,
            game=self.story.game,
            version=book.version,
            attempts=book.attempts,
            head=book.head,
            seqs=tuple(sight.seq for sight in book.sights),
            heads=b"".join(sight.head for sight in book.sights),
            tries=book.tries,
        )

        return Kept(stream, self.seed, list(self.rows), list(self.attempts))

    def lines(self) -> list[bytes]:
        return self.log.lines()

    def told(self, viewer: int, upto: Book | None = None) -> list[bytes]:
        """A viewer's own transcript."""
        return _all(told(self.log, upto or self.book, viewer))

    def so_far(self, upto: Book) -> list[bytes]:
        """The whole of it, as far as it had come, without the seed."""
        return _all(so_far(self.log, upto))

    # ── what happens ────────────────────────────────────────────────────────

    def _open(self) -> None:
        story, game = self.story, self.view.game
        if story.options is None:
            options = some_options(game, story.seats, self._draws)
        else:
            options = msgspec.convert(story.options, game.options)
            game.check(options)
        wish = MatchWish(
            game=story.game,
            seats=story.seats,
            options=Raw(msgspec.json.encode(options)),
            pace=Pace(turn_time=30.0, min_open=2.0, max_open=10.0, round_pause=2.0, bot_think=0.2),
            access=story.access,
            leaving=story.leaving,
            fill="careful" if story.bots else None,
            sandbox=story.sandbox,
            seed=None,
            deal=None,
            sit=True,
            entropy_commitment=self._commitment(0),
        )
        new = open_match(self.match, self.seed, self._asked(0), wish, "0" * 64, self._order(0, None), self._bytes)
        self.book = empty(self.view, self.match, story.seats)
        for row in new.append.events:
            self.book = self.book.read(row)
        self.books.append(self.book)
        self.rows += new.append.events
        for n in range(1, len(self.players)):
            self.take(self._order(n, self._sit(n)))
        if story.bots > 1:
            self.take(self._order(0, actions.Sit(player=None, asked_by=str(self.players[0]), bot="random")))
        self.take(self._order(0, actions.Start(str(self.players[0]))))

    def _sit(self, n: int) -> actions.Sit:
        me = str(self.players[n])
        return actions.Sit(player=me, asked_by=me, name_digest="0" * 64, entropy_commitment=self._commitment(n))

    def _commitment(self, n: int) -> str | None:
        if not self.story.commit or n % 3 == 2:
            return None
        return hashlib.sha256(bytes.fromhex(self.entropies[str(self.players[n])])).hexdigest()

    def _play(self) -> None:
        while self.orders < MOST and not isinstance(self.book.open_state().phase, Finished | Void):
            self.orders += 1
            self._pass(timedelta(milliseconds=self.luck.randrange(50, 900)))
            if self.luck.randrange(100) < self.story.wild:
                self._something_odd()
            elif not self._somebody_acts():
                self._wait()
            self.wake()
        if isinstance(self.book.open_state().phase, Finished):  # a last word, which is refused and not recorded
            self._say(0, msgspec.to_builtins(actions.RevealEntropy("00")))

    def _pass(self, time: timedelta) -> None:
        self.now += time

    def _something_odd(self) -> None:
        seat = self.luck.randrange(self.story.seats)
        state = self.book.open_state()
        match self.luck.randrange(7):
            case 0 | 1 | 2:
                self._impossible(seat)
            case 3 if not self.story.sandbox:
                self._pass(timedelta(seconds=self.luck.randrange(3, 40)))
                self.outages.append(Outage(self.now - timedelta(seconds=self.luck.uniform(2, 30)), self.now))
            case 4 if isinstance(state.phase, Playing) and len(self.players) > 2:
                held = next((n for n, player in enumerate(self.players) if state.seat_of(str(player)) == seat), None)
                if held is not None and self.luck.random() < 0.3:
                    self.take(self._order(held, actions.Leave(str(self.players[held]), Seat(seat))))
            case 5:
                away = [n for n, player in enumerate(self.players) if state.seat_of(str(player)) is None]
                if away:
                    self.take(self._order(self.luck.choice(away), self._sit(self.luck.choice(away))))
            case _:
                self._wait()

    def _impossible(self, seat: int) -> None:
        """What another seat is offered, or what somebody has done just now."""
        other, player = (seat + 1) % self.story.seats, self._player_at(seat)
        if player is None:
            return
        if self._last is not None and self.luck.random() < 0.5:
            self._say(player, self._last)
        elif offered := self._offers(other):
            self._say(player, self._fitting(player, self.luck.choice(offered)))

    def _somebody_acts(self) -> bool:
        for seat in self.luck.sample(range(self.story.seats), self.story.seats):
            player = self._player_at(seat)
            able = [
                offer
                for offer in usable(self._offers(seat), self._match_now())
                if self.luck.random() < (self.story.doubt if is_doubt(offer.type) else 0.85)
            ]
            if player is not None and able:
                self._say(player, self._fitting(player, self.luck.choice(able)))
                return True
        return False

    def _fitting(self, player: int, offer: Offer) -> dict[str, Any]:
        if offer.type == "match.reveal_entropy":
            return {"type": offer.type, "entropy": self.entropies[str(self.players[player])]}
        return fill_all(offer, self._draws)

    def _wait(self) -> None:
        """Until the next deadline, or nearly; in the sandbox the host turns the clock."""
        if self.story.sandbox:
            host = next(n for n, player in enumerate(self.players) if str(player) == self.book.open_state().host)
            self.take(self._order(host, actions.TurnClock(self.book.open_state().host, self.luck.randrange(1, 20_000))))
        elif (due := self.book.due()) is not None:
            wall = self.book.open_state().clock.wall_time(due)
            assert wall is not None
            self.now = max(self.now, wall + self.luck.choice((-GRACE, 2 * GRACE)))
        else:
            self._pass(timedelta(seconds=5))

    def _match_now(self) -> datetime:
        return hands(self.book) if self.story.sandbox else self.book.match_time(self.now)

    def _offers(self, seat: int) -> tuple[Offer, ...]:
        seen = self.book.sights[seat].seen
        assert seen is not None
        return offers(self.view, seen, Seat(seat), self._match_now())

    def _player_at(self, seat: int) -> int | None:
        state = self.book.open_state()
        return next((n for n, player in enumerate(self.players) if state.seat_of(str(player)) == seat), None)

    def _say(self, player: int, said: dict[str, Any]) -> None:
        self._last = said
        action = msgspec.convert(said, self.view.game.player_action | actions.PlayerAction)
        self.take(self._order(player, action, msgspec.json.encode(action)))

    # ── as the Referee does ─────────────────────────────────────────────────

    def take(self, order: Order) -> None:
        draft = Draft(self.book, self.seed, order, self._bytes)
        draft.stand_still(self._missed)
        before, by, refused = draft.book, Seat(-1), None
        at = before.match_time(order.received_at)
        try:
            by = seat_for(before, order)
            happened = decided(before, Command(by, at, to_next_deadline(before, order.action)))
        except Refused as no:
            refused = no
        except NotSeated:
            return
        else:
            draft.write(happened, by, at)
            draft.house_at_once(at)
            if isinstance(order.action, actions.TurnClock):
                draft.act_all()
        self._append(draft, before, by, refused)

    def wake(self) -> None:
        """Whatever is due by now."""
        while not isinstance(self.book.open_state().phase, Finished | Void):
            received_at, until = self.now, self.now + timedelta(seconds=2)
            order = Order(salt=self._bytes(SALT_BYTES), received_at=received_at, until=until, action=None)
            draft = Draft(self.book, self.seed, order, self._bytes)
            draft.stand_still(self._missed)
            before, due = draft.book, draft.due()
            if due is None:
                if draft.written:
                    self._append(draft, before, Seat(-1), None)
                return
            draft.act(due)
            self._append(draft, before, due.by, None)

    def _missed(self, last: datetime) -> Sequence[Outage]:
        missed = [outage for outage in self.outages if outage.ended > last]
        return [Outage(max(o.began, last), o.ended) for o in missed]

    def _append(self, draft: Draft, before: Book, by: Seat, refused: Refused | None) -> None:
        append, book, _ = draft.seal(before, by, refused)
        self.rows += append.events
        self.attempts += append.attempts
        if any(row.tag == "match.left" for row in append.events):
            bots = {seat: remembered(book, self.rows, seat) for seat in took_over(book)}
            book = msgspec.structs.replace(book, bots={**book.bots, **bots}).wake_bots()
        self.book = book
        self.books.append(book)

    def _asked(self, player: int) -> Asked:
        return Asked(player=self.players[player], received_at=self.now)

    def _order(self, player: int, action: Any, raw: bytes | None = None) -> Order:
        asked = self._asked(player)
        until = asked.received_at + timedelta(seconds=2)
        salt = self._bytes(SALT_BYTES)
        return Order(salt=salt, received_at=asked.received_at, until=until, action=action, asked=asked, raw=raw)

    def _uuid(self) -> UUID:
        return UUID(bytes=self._bytes(16), version=4)


class Kept(Struct):
    """What a store holds of a match, in memory."""

    row: StreamRow
    secret: bytes
    rows: list[EventRow]
    tried: list[AttemptRow]

    def lines(self, in_tree: InTree | None = None) -> list[bytes]:
        return _all(complete(self, self.row.match, in_tree=in_tree))

    async def stream(self, match: UUID) -> StreamRow | None:
        return self.row

    async def seed(self, match: UUID) -> bytes | None:
        return self.secret

    async def events(self, match: UUID, after_version: int = 0, upto: int | None = None) -> list[EventRow]:
        return sorted(
            (row for row in self.rows if after_version < row.version <= (upto or len(self.rows) + 1)),
            key=lambda row: row.version,
        )

    async def told(self, match: UUID, viewer_index: int, after_seq: int, limit: int) -> list[EventRow]:
        return [row for row in self.rows if row.seqs[viewer_index] > after_seq][:limit]

    async def attempts(self, match: UUID, seat: int, after: int = 0, limit: int = 2**31 - 1) -> list[AttemptRow]:
        of_seat = sorted((row for row in self.tried if row.seat == seat and row.n > after), key=lambda row: row.n)
        return of_seat[:limit]


def _all(lines: AsyncIterator[bytes]) -> list[bytes]:
    """Nothing here waits for anything, so that no loop is needed."""
    found: list[bytes] = []
    while True:
        try:
            lines.__anext__().__await__().__next__()
        except StopIteration as line:
            found.append(line.value)
        except StopAsyncIteration:
            return found
        else:
            raise AssertionError("paper waits")
