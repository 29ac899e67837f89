"""The store: one handle for everything that is kept in Postgres."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from service.servers import CannotStart
from service.store.access import Access
from service.store.accounts import Accounts
from service.store.appender import Appender, Batch
from service.store.create import SANDBOXES, create
from service.store.disputes import Disputes
from service.store.lobby import Lobby
from service.store.log import Log
from service.store.postgres import Postgres
from service.store.pulse import Pulse
from service.store.rows import Append, CodeTaken, NewMatch, Outcome, TooMany, Unavailable
from service.store.tree import Tree

T = TypeVar("T")


class Store:
    """Opened once per process; ``log``, ``lobby``, ``accounts`` and the others are what their names say.

    What all above it rests on, and another kind of store would have to keep:

    * an append happens whole or not at all, and only on the version and attempts that it expects; of two at once one
      is told that it came second;
    * versions of a match have no holes, and attempts of a seat have none;
    * what was answered is in the log: who reads after that, at any process, reads it (no read goes to a replica);
    * where an answer was lost (``OutcomeUnknown``), a later look by the command's id tells what became of it;
    * its clock is the one by which outages are measured (``pulse``);
    * the tree grows under a lock, and never from what is not committed.
    """

    def __init__(self, postgres: Postgres, appender: Appender) -> None:
        self._postgres = postgres
        self._appender = appender
        self.log: Final = Log(postgres)
        self.lobby: Final = Lobby(postgres)
        self.accounts: Final = Accounts(postgres)
        self.disputes: Final = Disputes(postgres)
        self.pulse: Final = Pulse(postgres)
        self.tree: Final = Tree(postgres)
        self.access: Final = Access(postgres)

    @classmethod
    async def open(
        cls,
        database_url: str,
        *,
        connections: int = 10,
        observe: Callable[[Batch], None] = lambda batch: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Store:
        """Connects to ``postgresql://…`` (the folder of a socket as ``?host=/folder``), whose tables must be there.

        ``connections``: at most so many, and two more for appends. ``observe`` is told of each statement that appends;
        ``clock`` is the wall clock that an append's ``not_after`` is measured by while it waits here. Raises
        ``Unavailable`` where nothing answers within 2 s.
        """
        postgres = await Postgres.open(database_url, connections=connections)
        appender = Appender(postgres, observe=observe, clock=clock)
        try:
            await appender.start()
        except BaseException:
            await postgres.close()
            raise
        return cls(postgres, appender)

    async def close(self) -> None:
        """Appends that were asked for are still written; what hangs is cut off after 2 s."""
        await self._appender.close()
        await self._postgres.close()

    async def append(self, append: Append) -> Outcome:
        """What one command does to one match, or nothing: see ``Appender.append``."""
        return await self._appender.append(append)

    async def create(self, new: NewMatch, sandboxes: int = SANDBOXES) -> Outcome | CodeTaken | TooMany:
        """A new match with what its opening appends, or nothing: see ``create``."""
        return await create(self._postgres, new, sandboxes)


def with_store(database_url: str, work: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
    """For a command beside a server: opens the store, works, closes. Raises CannotStart where Postgres is away, and
    whatever the work raises."""

    async def run() -> T:
        store = await Store.open(database_url, connections=1)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except Unavailable as why:
        raise CannotStart(str(why)) from why
