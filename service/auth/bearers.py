"""Who a token speaks for: remembered for a moment, so that not every request asks the store."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct

from service.auth.scopes import SEEING, Scope
from service.auth.secrets import TOKEN, digest
from service.store.accounts import Accounts
from service.store.rows import Player, Token, Unavailable

REMEMBERED: Final = 1.0  # seconds for which a revoked token may still be taken
MOST: Final = 50_000
WATCH: Final = 0.5  # seconds between looks at the tokens of open streams


class Bearer(Struct, frozen=True):
    """Somebody who may do something."""

    player: Player
    token: Token

    def may(self, scope: Scope) -> bool:
        granted = self.token.scopes
        return scope in granted or (scope is Scope.READ and not SEEING.isdisjoint(granted))


class Bearers:
    """Of one process. ``now``: the wall clock."""

    def __init__(
        self, accounts: Accounts, now: Callable[[], datetime], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._accounts: Final = accounts
        self._now: Final = now
        self._monotonic: Final = monotonic
        self._known: Final[dict[bytes, tuple[float, Bearer]]] = {}
        self._watched: Final[Counter[UUID]] = Counter()
        self._gone: set[UUID] = set()
        self._vouched: set[UUID] = set()  # good when they were looked at
        self._looked = float("-inf")

    def remembered(self, text: str) -> Bearer | None:
        """Without asking anybody: read a moment ago or, of one who has a stream open, looked at a moment ago."""
        found = self._known.get(digest(text))
        if found is None:
            return None
        read, bearer = found
        known = max(read, self._looked) if bearer.token.id in self._vouched else read
        if self._monotonic() - known > REMEMBERED or not self._good(bearer.token):
            return None
        return bearer

    async def find(self, text: str) -> Bearer | None:
        """Who bears this token; None: nobody, or not any more. Raises Unavailable."""
        if not TOKEN.fullmatch(text):
            return None
        if (bearer := self.remembered(text)) is not None:
            return bearer
        hashed = digest(text)
        began = self._monotonic()
        token = await self._accounts.by_hash(hashed)
        if token is None or not self._good(token):
            return None
        player = await self._accounts.player(token.player)
        if player is None:
            return None
        bearer = Bearer(player, token)
        self._known.pop(hashed, None)
        self._known[hashed] = (began, bearer)
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return bearer

    def forget(self, token: UUID) -> None:
        """It was revoked here: from this moment on in this process."""
        for hashed in [hashed for hashed, (_, bearer) in self._known.items() if bearer.token.id == token]:
            del self._known[hashed]
        if token in self._watched:
            self._gone.add(token)

    def _good(self, token: Token) -> bool:
        return token.revoked_at is None and (token.expires_at is None or self._now() < token.expires_at)

    @contextmanager
    def watching(self, token: UUID) -> Iterator[None]:
        """For as long as a stream of this token is open."""
        self._watched[token] += 1
        try:
            yield
        finally:
            self._watched[token] -= 1
            if not self._watched[token]:
                del self._watched[token]

    def watched(self, token: UUID) -> int:
        """How many streams it has open."""
        return self._watched[token]  # a Counter: asking adds nothing

    def still_good(self, token: UUID) -> bool:
        """Whether a watched token lets its bearer in. Raises Unavailable where nobody could tell lately."""
        if token in self._gone:
            return False
        if self._monotonic() - self._looked > 3 * WATCH:
            raise Unavailable("no look at the tokens came back lately")
        return True

    async def watch(self) -> None:
        """For as long as the process lives: one question for all streams."""
        while True:
            began = self._monotonic()
            with suppress(Unavailable):
                asked = set(self._watched)
                self._gone = await self._accounts.revoked(asked) if asked else set()
                self._vouched = asked - self._gone
                self._looked = began
            await asyncio.sleep(WATCH)  # nothing tells of a token that another process revoked
