"""A log on paper: what was committed, and who was told of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Final
from uuid import UUID, uuid4

import msgspec

from service.fanout.news import News
from service.store.rows import Unavailable


class Told(msgspec.Struct):
    seq: int


class Message(msgspec.Struct):
    frames: list[Told]


def news(first: int, last: int, version: int = 0) -> News:
    told = Message([Told(seq) for seq in range(first, last + 1)])
    return News(first, last, msgspec.json.encode(told), version)


def seqs(body: bytes) -> list[int]:
    return [frame.seq for frame in msgspec.json.decode(body, type=Message).frames]


class PaperLog:
    """One match, one viewer; every append is a version."""

    def __init__(self) -> None:
        self.match: Final = uuid4()
        self.appends: Final[list[News]] = []
        self.reads = 0
        self.polls = 0
        self.out_of_reach = False

    @property
    def seq(self) -> int:
        return self.appends[-1].last if self.appends else 0

    def commit(self, frames: int = 1) -> News:
        written = news(self.seq + 1, self.seq + frames, len(self.appends) + 1)
        self.appends.append(written)
        return written

    async def replay(self, match: UUID, viewer: int, after: int) -> AsyncIterator[News]:
        self.reads += 1
        for written in self.appends:  # also what is committed meanwhile
            self._reach()
            if written.last > after:
                await asyncio.sleep(0)
                yield news(max(written.first, after + 1), written.last, written.version)

    async def head(self, match: UUID, viewer: int) -> int:
        self._reach()
        await asyncio.sleep(0)
        return self.seq

    async def versions(self, matches: list[UUID]) -> Mapping[UUID, int]:
        self.polls += 1
        self._reach()
        return {match: len(self.appends) if match == self.match else 0 for match in matches}

    def _reach(self) -> None:
        if self.out_of_reach:
            raise Unavailable
