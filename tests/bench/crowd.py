"""Fifty tables of Cheat, four at each: lean clients that see what their streams tell and do what they are offered.

They play so that a match goes on for ever and is at event 2,000 as it was at event 100: cards go down one by one, who
is not next accepts, and every fifth claim is a lie that the next seat calls. So each seat in its turn takes five cards
up, and as many go down.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from tests.bench.lean import Connection, Stream, request

SEATS: Final = 4
LIES: Final = 5
OPTIONS: Final[dict[str, Any]] = {"max_turns": 10_000}


class Bound(Struct, frozen=True):
    one_of: tuple[Any, ...] = ()
    choose: tuple[str, ...] = ()


class Fields(Struct, frozen=True):
    cards: Bound = Bound()
    rank: Bound = Bound()
    claim_id: Bound = Bound()


class Offer(Struct, frozen=True):
    type: str
    fields: Fields
    not_before: str | None = None


class Seen(Struct):
    """What a client needs of what he sees."""

    seq: int
    actions: tuple[Offer, ...]


_seen: Final = msgspec.json.Decoder(Seen).decode


def choice(offers: tuple[Offer, ...], claims: int) -> bytes | None:
    """The action of a seat that is offered this, after so many claims; None: it waits."""
    by_type = {offer.type: offer for offer in reversed(offers)}
    play, doubt = by_type.get("cheat.play"), by_type.get("cheat.challenge")
    if doubt is not None:
        claim: int = doubt.fields.claim_id.one_of[0]
        if claim % LIES == LIES - 1:
            return b'{"type":"cheat.challenge","claim_id":%d}' % claim if play else None
        if "cheat.accept" in by_type and not play:
            return b'{"type":"cheat.accept","claim_id":%d}' % claim
    if play is None or play.not_before is not None:
        return None
    (rank,), lies = play.fields.rank.one_of, claims % LIES == LIES - 1
    hand = play.fields.cards.choose
    card = next((card for card in hand if (card[0] != rank) is lies), hand[0])
    return b'{"type":"cheat.play","cards":["%b"],"rank":"%b"}' % (card.encode(), rank.encode())


class Seat:
    def __init__(self, table: Table, number: int, token: str, connection: Connection) -> None:
        self.table = table
        self.number = number
        self.token = token
        self.seen = Seen(0, ())
        self.told = 0
        """The seq that its stream has brought."""
        self.stream: Stream | None = None
        self.ready = False
        self._path = f"/v1/matches/{table.match}"
        head, _, _ = request("POST", f"{self._path}/actions", token, b"").partition(b"0\r\n\r\n")
        self._head: Final = head
        self._connection = connection
        self._asked: bytes | None = None
        self._since = 0.0
        connection.answered = self._answered

    @property
    def busy(self) -> bool:
        return self._asked is not None

    def choice(self) -> bytes | None:
        return None if self.busy else choice(self.seen.actions, self.table.claims)

    def act(self, said: bytes) -> None:
        self._asked, self._since = said, time.perf_counter()
        self._connection.send(b"%b%d\r\n\r\n%b" % (self._head, len(said), said))

    async def listen(self, port: int) -> None:
        self.stream = await Stream.open(port, f"{self._path}/stream", self.token, self.seen.seq, self._told)

    def hang_up(self) -> None:
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def _answered(self, status: int, body: bytes) -> None:
        crowd, asked = self.table.crowd, self._asked
        assert asked is not None
        self._asked = None
        crowd.answers[status] += 1
        if status == 201:
            crowd.bodies.append(body)
            crowd.waits.append(time.perf_counter() - self._since)
            self.table.claims += asked.startswith(b'{"type":"cheat.play"')
            self._sees(body)
        else:
            crowd.refusals.append(body)
        self.table.moved()

    def _told(self, kind: bytes, data: bytes) -> None:
        if kind != b"frames":
            return
        self.table.crowd.heard(self, data)
        self.told = self._sees(data)
        self.table.moved()

    def _sees(self, data: bytes) -> int:
        seen = _seen(data)
        if seen.seq > self.seen.seq:
            self.seen = seen
            self.table.crowd.changed(self)
        return seen.seq


class Table:
    def __init__(self, crowd: Crowd, match: str) -> None:
        self.crowd = crowd
        self.match = match
        self.seats: list[Seat] = []
        self.claims = 0
        self.open = True
        """Whether its seats act by themselves, where the crowd does."""
        self._still: asyncio.Future[None] | None = None

    @property
    def seq(self) -> int:
        """Everybody is told of every event, so that this is the match's version too."""
        return max(seat.seen.seq for seat in self.seats)

    async def step(self) -> float:
        """One action from its request until it is answered and all four have seen it; seconds."""
        seat, said = next((seat, said) for seat in self.seats if (said := seat.choice()) is not None)
        began = time.perf_counter()
        seat.act(said)
        self._still = asyncio.get_running_loop().create_future()
        await self._still
        return time.perf_counter() - began

    def moved(self) -> None:
        if self._still is None or self._still.done() or any(seat.busy for seat in self.seats):
            return
        if all(seat.told == self.seq for seat in self.seats):
            self._still.set_result(None)


class Crowd:
    """``open`` says whether seats act by themselves as soon as they can."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.tables: list[Table] = []
        self.answers: Counter[int] = Counter()
        self.bodies: deque[bytes] = deque(maxlen=1001)
        """Of the last answers."""
        self.refusals: deque[bytes] = deque(maxlen=10)
        self.waits: list[float] = []
        self.open = False
        self.heard: Callable[[Seat, bytes], object] = lambda seat, data: None
        self._waiting: deque[Seat] = deque()
        self._paced = False

    @property
    def seats(self) -> Iterator[Seat]:
        return (seat for table in self.tables for seat in table.seats)

    @property
    def accepted(self) -> int:
        return self.answers[201]

    async def sit_down(self, tables: int) -> list[Table]:
        """So many more of them."""
        new = await asyncio.gather(*(self._table() for _ in range(tables)))
        self.tables += new
        return new

    async def _table(self) -> Table:
        lines = [Connection(self.port) for _ in range(SEATS)]
        tokens = [
            (await line.do("POST", "/v1/players", body={"name": f"P {n}"}))["token"] for n, line in enumerate(lines)
        ]
        wish = {"game": "cheat", "seats": SEATS, "options": OPTIONS}
        match = (await lines[0].do("POST", "/v1/matches", tokens[0], wish))["match"]
        for line, token in zip(lines[1:], tokens[1:], strict=True):
            await line.do("POST", f"/v1/matches/{match}/seats", token, {})
        await lines[0].do("POST", f"/v1/matches/{match}/start", tokens[0])
        table = Table(self, match)
        table.seats = [Seat(table, n, token, line) for n, (token, line) in enumerate(zip(tokens, lines, strict=True))]
        return table

    async def listen(self) -> None:
        for seat in self.seats:
            if seat.stream is None:
                await seat.listen(self.port)
        await asyncio.sleep(0.5)  # until all are subscribed; who is not would read the log

    async def hang_up(self) -> None:
        for seat in self.seats:
            seat.hang_up()
        await asyncio.sleep(0.1)

    def changed(self, seat: Seat) -> None:
        if not (self.open and seat.table.open) or seat.ready:
            return
        said = seat.choice()
        if said is None:
            return
        if self._paced:
            seat.ready = True
            self._waiting.append(seat)
        else:
            seat.act(said)

    async def play(self, seconds: float) -> tuple[int, float]:
        """As fast as it goes. How many actions were accepted, in how many seconds."""
        self.begin()
        began, before = time.perf_counter(), self.accepted
        await asyncio.sleep(seconds)
        done, took = self.accepted - before, time.perf_counter() - began
        await self.rest()
        return done, took

    async def play_at(self, rate: float, seconds: float) -> None:
        """So many actions a second, evenly."""
        self._paced = True
        self.begin()
        began = time.perf_counter()
        for n in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + n / rate - time.perf_counter()))
            while self._waiting:
                seat = self._waiting.popleft()
                seat.ready = False
                if (said := seat.choice()) is not None:
                    seat.act(said)
                    break
        await self.rest()
        self._paced = False
        for seat in self._waiting:
            seat.ready = False
        self._waiting.clear()

    def begin(self) -> None:
        self.open = True
        for seat in self.seats:
            self.changed(seat)

    async def rest(self) -> None:
        """Until all is answered and told."""
        self.open = False
        while any(seat.busy for seat in self.seats):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
