"""News on its way to every process where somebody listens.

A hint over Redis, never the truth: whatever happens to Redis, the worst is that a reader learns a little later, from
the log, what he was not told. One connection of the process listens and one speaks (in a cluster, to each node that
serves one of our matches): `link.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID

import structlog
from msgspec.structs import replace
from redis.asyncio.connection import ConnectionPool
from redis.crc import key_slot

from service.fanout.link import Address, Bounds, Canary, Counters, Link, Timing, pool, pool_elsewhere
from service.fanout.news import News, Subscription, channel, pack, unpack

UNHEARD: Final = 100_000  # channels remembered in which nobody listened
LARGEST: Final = 512 * 1024  # bytes of a body above which only the hint goes out

_log: Final = structlog.get_logger(__name__)


class _Channel:
    """One viewer of one match, while somebody here listens."""

    __slots__ = ("brought", "link", "live", "match", "name", "readers", "redirected", "seen")

    def __init__(self, name: bytes, match: UUID, link: Link) -> None:
        self.name: Final = name
        self.match: Final = match
        self.link = link
        self.redirected = 0  # times in a row
        self.readers: Final[set[Subscription]] = set()
        # Set when Redis has confirmed the subscription; None once that is past.
        self.live: asyncio.Event | None = asyncio.Event()
        self.brought = 0  # the version of the match that came through here, or that readers were sent to look for
        self.seen = 0  # the version that the poll saw last

    def look(self) -> None:
        for reader in self.readers:
            reader.look()

    def confirmed(self) -> None:
        """Redis tells from now on; who came before may have missed something."""
        self.redirected = 0
        if self.live is None:
            return  # it was asked again, and had not forgotten
        self.live.set()
        self.live = None
        for reader in self.readers:
            if not reader.joining:
                reader.look()


class Fanout:
    """Tells this process's news to all processes, and all processes' news to this one's readers."""

    def __init__(
        self,
        redis_url: str,
        versions: Callable[[list[UUID]], Awaitable[Mapping[UUID, int]]],
        *,
        timing: Timing,
        bounds: Bounds,
        on_delay: Callable[[float], object] | None,
        on_count: Callable[[str, int], None],
    ) -> None:
        self.counters: Final = Counters()
        self._counted = Counters()
        self._on_count: Final = on_count
        self._timing: Final = timing
        self._bounds: Final = bounds
        self._on_delay: Final = on_delay
        self._versions: Final = versions
        self._channels: Final[dict[bytes, _Channel]] = {}
        self._home: Final = self._link(pool(redis_url))
        self._nodes: Final[dict[Address, Link]] = {}  # of a cluster, where one has pointed to another
        self._slots: Final[dict[int, Link]] = {}
        self._parted: Final[list[Link]] = []
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._unheard: Final[dict[bytes, None]] = {}  # where nobody listened when something was said last

    @classmethod
    async def open(
        cls,
        redis_url: str,
        versions: Callable[[list[UUID]], Awaitable[Mapping[UUID, int]]],
        *,
        timing: Timing | None = None,
        bounds: Bounds | None = None,
        on_delay: Callable[[float], object] | None = None,
        on_count: Callable[[str, int], None] = lambda what, more: None,
    ) -> Fanout:
        """Starts also where Redis is not there yet; ValueError where the URL is none.

        ``versions`` reads the versions of matches from the log; ``on_delay`` is told of every append how many seconds
        it took until Redis had the last of its news, ``on_count``, now and then, of each of the Counters how much more
        it is.
        """
        fanout = cls(
            redis_url,
            versions,
            timing=timing or Timing(),
            bounds=bounds or Bounds(),
            on_delay=on_delay,
            on_count=on_count,
        )
        fanout._home.start()
        fanout._tasks.update(map(asyncio.create_task, (fanout._poll(), fanout._watch())))
        await fanout._home.tried.wait()
        return fanout

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        running = {task for link in (*self._links(), *self._parted) for task in link.stop()}
        await asyncio.gather(*self._tasks, *running, return_exceptions=True)
        self._count()

    def publish(self, match: UUID, news: Mapping[int, News]) -> None:
        """Tells viewers (seats 0…n−1, n a spectator) what was committed. Returns at once, whatever Redis does."""
        last = max(news, default=0)
        for viewer, item in news.items():
            if len(item.body) > LARGEST:
                item = News(item.first, item.last, b"", item.version)
            name = channel(match, viewer)
            self._link_of(name).say(name, pack(item), last=viewer == last)

    def listened_to(self, match: UUID, viewer: int) -> bool:
        """Whether anybody, in whatever process, may be listening. Who has just begun to where nobody did is told that
        there is something, not what: News without a body will do, and sends him to the log."""
        name = channel(match, viewer)
        return name in self._channels or name not in self._unheard

    def subscribe(self, match: UUID, viewer: int) -> Subscription:
        return Subscription(match, viewer, bounds=self._bounds, counters=self.counters, fanout=self)

    async def healthy(self, within: float = 2.0) -> bool:
        """Whether what this process publishes comes back through what it listens with."""
        songs = await asyncio.gather(*(link.sing(within) for link in self._links()))
        return all(song is Canary.BACK for song in songs)

    @property
    def listening(self) -> int:
        """Channels with local readers."""
        return len(self._channels)

    @property
    def waiting(self) -> int:
        """News that Redis has not taken yet."""
        return sum(len(link.backlog) for link in self._links())

    # What subscriptions and links need

    async def join(self, reader: Subscription) -> None:
        name = channel(reader.match, reader.viewer)
        place = self._channels.get(name)
        if place is None:
            place = self._channels[name] = _Channel(name, reader.match, self._link_of(name))
            place.link.want(name)
        place.readers.add(reader)
        if place.live and place.link.up:
            reader.joining = True
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._timing.confirm):
                        await place.live.wait()
            except BaseException:
                self.leave(reader)
                raise
            finally:
                reader.joining = False

    def leave(self, reader: Subscription) -> None:
        name = channel(reader.match, reader.viewer)
        place = self._channels.get(name)
        if place is None:
            return
        place.readers.discard(reader)
        if not place.readers:
            del self._channels[name]
            place.link.unwant(name)

    def heard(self, name: bytes, payload: bytes) -> None:
        place = self._channels.get(name)
        if place is None:
            return  # its last reader has just gone
        try:
            news = unpack(payload)
        except ValueError:
            _log.warning("fanout.not_news", channel=name.decode(errors="replace"))
            place.look()
            return
        place.brought = max(place.brought, news.version)
        for reader in place.readers:
            reader.offer(news)

    def reached(self, name: bytes, listeners: int) -> None:
        if listeners:
            self._unheard.pop(name, None)
        else:
            self._unheard[name] = None
            if len(self._unheard) > UNHEARD:
                del self._unheard[next(iter(self._unheard))]

    def confirmed(self, name: bytes) -> None:
        if place := self._channels.get(name):
            place.confirmed()

    def deaf(self, name: bytes) -> None:
        if place := self._channels.get(name):
            place.live = place.live or asyncio.Event()

    def elsewhere(self, slot: int, address: Address) -> Link:
        link = self._nodes.get(address)
        if link is None:
            link = self._nodes[address] = self._link(pool_elsewhere(self._home.connections, address))
            link.start()
        self._slots[slot] = link
        return link

    def redirect(self, name: bytes, to: Link) -> None:
        place = self._channels.get(name)
        if place is None:
            return
        place.link.unwant(name)
        place.link = to
        place.redirected += 1
        if place.redirected <= 3:
            to.want(name)
        else:  # while a cluster changes, its nodes may point to each other
            asyncio.get_running_loop().call_later(self._timing.retry_cap, self._want_still, place)

    def lost(self, link: Link) -> None:
        other = next((other for other in self._links() if other.up), None)
        if other is None:
            return
        for slot in [slot for slot, served_by in self._slots.items() if served_by is link]:
            del self._slots[slot]
        for place in self._channels.values():
            if place.link is link:
                self.redirect(place.name, other)
        for address in [address for address, known in self._nodes.items() if known is link]:
            del self._nodes[address]
            self.counters.dropped += len(link.backlog)
            self._parted[:] = [parted for parted in (*self._parted, link) if parted.stop()]

    def _link(self, connections: ConnectionPool) -> Link:
        return Link(
            connections,
            self,
            counters=self.counters,
            timing=self._timing,
            bounds=self._bounds,
            on_delay=self._on_delay,
        )

    def _links(self) -> list[Link]:
        return [self._home, *self._nodes.values()]

    def _link_of(self, name: bytes) -> Link:
        """Where nobody has said otherwise, any node will do: it says who."""
        if not self._nodes:
            return self._home
        return self._slots.get(key_slot(name)) or next((link for link in self._links() if link.up), self._home)

    def _want_still(self, place: _Channel) -> None:
        if self._channels.get(place.name) is place:
            place.link.want(place.name)

    async def _watch(self) -> None:
        """Begins to listen anew where Redis takes news and nothing of it comes back, though nothing says why."""
        while True:
            await asyncio.sleep(self._timing.canary)  # silence is all that tells of it: asked by the clock
            self._count()
            links = self._links()
            songs = await asyncio.gather(*(link.sing(self._timing.patience) for link in links))
            for link, song in zip(links, songs, strict=True):
                if link.up and song is Canary.LOST:
                    self.counters.deaf += 1
                    _log.warning("fanout.deaf")
                    link.listen_anew()

    def _count(self) -> None:
        """Says how often each thing has happened since it was said last."""
        before, self._counted = self._counted, replace(self.counters)
        for what in Counters.__struct_fields__:
            if more := getattr(self._counted, what) - getattr(before, what):
                self._on_count(what, more)

    async def _poll(self) -> None:
        """Sends readers to the log where it moved on and nothing came of it within one more poll."""
        while True:
            await asyncio.sleep(self._timing.poll)  # the log tells nobody that it moved: asked by the clock
            matches = list({place.match for place in self._channels.values()})
            if not matches:
                continue
            try:
                async with asyncio.timeout(max(self._timing.poll, 0.5)):
                    versions = await self._versions(matches)
            except Exception as error:  # whatever Postgres has: the next poll may find it well again
                self.counters.poll_failures += 1
                _log.warning("fanout.poll_failed", error=repr(error))
                continue
            for place in self._channels.values():
                version = versions.get(place.match, 0)
                if place.brought < place.seen:
                    self.counters.looks += len(place.readers)
                    if place.brought:  # else nobody knew yet where this match stands
                        place.link.again(place.name)
                    place.brought = version
                    place.look()
                place.seen = version
