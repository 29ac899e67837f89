"""The access log: what auditors and referees read of a match's past is on record before they are told it.

For each match a chain:
``head_0 = SHA-256("mogelwerk/access/1" ‖ match id)``, ``head_n = SHA-256(head_{n−1} ‖ record)``.
A record names an opaque id; whose name that was lies outside, and can be erased.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from service.auth.bearers import Bearer
from service.auth.scopes import SEEING
from service.settings import BadSetting
from service.store.access import Access, AccessRow
from service.store.engine import with_store

PAGE: Final = 500


class Read(Struct, frozen=True):
    """``who``: the account's id; ``scopes``: by which he reads more than others; ``read``: what."""

    match: str
    n: int
    at: datetime
    who: str
    scopes: tuple[str, ...]
    read: str


class Broken(Exception):
    """The log of a match is not what was written. ``n``: the first that is wrong."""

    def __init__(self, match: UUID, n: int, what: str) -> None:
        super().__init__(f"{match}, read {n}: {what}")
        self.match: Final = match
        self.n: Final = n


class AccessLog:
    def __init__(self, access: Access, now: Callable[[], datetime]) -> None:
        self._access: Final = access
        self._now: Final = now

    async def note(self, caller: Bearer, match: UUID, read: str) -> None:
        """Puts it on record, if he reads by the right of an auditor or a referee. Raises Unavailable: then nothing may
        be told."""
        scopes = tuple(sorted(scope for scope in SEEING if caller.may(scope)))
        if not scopes:
            return
        while True:
            n, head = await self._access.last(match) or (0, first_head(match))
            said = Read(str(match), n + 1, self._now(), str(caller.player.id), scopes, read)
            record = msgspec.json.encode(said)
            if await self._access.add(AccessRow(match, n + 1, record.decode(), next_head(head, record))):
                return


def first_head(match: UUID) -> bytes:
    return hashlib.sha256(b"mogelwerk/access/1" + str(match).encode()).digest()


def next_head(head: bytes, record: bytes) -> bytes:
    return hashlib.sha256(head + record).digest()


def checked(match: UUID, rows: Iterable[AccessRow], n: int, head: bytes) -> list[Read]:
    """These rows, which follow on number ``n`` with this head. Raises Broken."""
    found = []
    for row in rows:
        n += 1
        head = next_head(head, row.record.encode())
        if row.n != n:
            raise Broken(match, n, f"it is missing, {row.n} follows")
        if row.head != head:
            raise Broken(match, n, "its head is not what the records give")
        try:
            said = msgspec.json.decode(row.record, type=Read)
        except msgspec.MsgspecError as why:
            raise Broken(match, n, f"it is no record: {why}") from None
        if (said.match, said.n) != (str(match), n):
            raise Broken(match, n, "it is another's")
        found.append(said)
    return found


class Listed(Struct, frozen=True):
    """The reads of one match, and the head of the last: keep it, and nobody can cut off the end unseen."""

    match: UUID
    reads: tuple[Read, ...]
    head: str


def listed(database_url: str, match: UUID | None, kept: str | None) -> list[Listed]:
    """Of one match or of all, from this machine's database; ``kept``: a head that must be among them.

    Raises Broken, BadSetting and CannotStart.
    """
    found, heads = with_store(database_url, lambda store: _listed(store.access, match))
    if kept is not None and kept.lower() not in heads:
        raise BadSetting(f"The head {kept} is none of these: something was cut off or rewritten")
    return found


async def _listed(access: Access, match: UUID | None) -> tuple[list[Listed], set[str]]:
    found: list[Listed] = []
    heads: set[str] = set()
    for each in await access.matches() if match is None else [match]:
        reads: list[Read] = []
        head = first_head(each)
        async for rows in _pages(access, each):
            reads += checked(each, rows, len(reads), head)
            head = rows[-1].head
            heads.update(row.head.hex() for row in rows)
        found.append(Listed(each, tuple(reads), head.hex()))
    return found, heads


async def _pages(access: Access, match: UUID) -> AsyncIterator[list[AccessRow]]:
    after = 0
    while rows := await access.of(match, after, PAGE):
        yield rows
        after = rows[-1].n
