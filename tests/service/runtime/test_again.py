"""Asking again under the same key costs the others nothing: logs are seldom read from their beginning, and never at a
stretch."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from service.dialogue import Key, Refusal
from service.runtime import books
from service.runtime.draft import BEATEN_BY
from service.runtime.runtime import Runtime
from service.store.rows import EventRow
from tests.service.runtime.table import Table, a_table, fitting, runtime


class Reads:
    """From where logs were read, and how many at the same time from their beginning."""

    def __init__(self) -> None:
        self.after: list[int] = []
        self.now = self.most = 0

    @property
    def from_the_beginning(self) -> int:
        return self.after.count(0)


@contextmanager
def watched(it: Runtime) -> Iterator[Reads]:
    reads, events = Reads(), it.store.log.events

    async def read(match: Any, after_version: int = 0, upto: int | None = None) -> list[EventRow]:
        reads.after.append(after_version)
        reads.now += after_version == 0
        reads.most = max(reads.most, reads.now)
        try:
            return await events(match, after_version, upto)
        finally:
            reads.now -= after_version == 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(it.store.log, "events", read)
        yield reads


def key(text: str) -> Key:
    return Key(text, hashlib.sha256(text.encode()).digest())


async def a_play(table: Table) -> tuple[int, dict[str, Any]]:
    """Whose turn it is, and a play."""
    for seat in range(3):
        for offer in (await table.sees(seat))["actions"]:
            if offer["type"] == "cheat.play":
                return seat, fitting(offer, random.Random(1))
    raise AssertionError("nobody's turn")


async def played_on(table: Table, acts: int) -> None:
    """Far enough that what was before is not in memory any more."""
    since = (await table.sees(0))["seq"]
    await table.play_on(random.Random(1), until=lambda seen: seen["seq"] > since + acts)


async def test_what_has_just_been_done_is_told_again_from_memory(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        seat, play = await a_play(table)
        first = await table.act(seat, play, key("play"))

        with watched(it) as reads:
            again = await table.act(seat, play, key("play"))

        assert again.body == first.body
        assert 0 not in reads.after


async def test_what_was_long_ago_is_read_once(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        early = {"type": "cheat.challenge", "claim_id": 7}
        with pytest.raises(Refusal) as first:
            await table.act(0, early, key("early"))
        seat, play = await a_play(table)
        done = await table.act(seat, play, key("play"))
        await played_on(table, BEATEN_BY + 8)

        with watched(it) as reads:
            for _ in range(3):
                assert (await table.act(seat, play, key("play"))).body == done.body
            assert reads.from_the_beginning == 1
            for _ in range(3):
                with pytest.raises(Refusal) as again:
                    await table.act(0, early, key("early"))
                assert (again.value.reason, again.value.seq) == (first.value.reason, first.value.seq)
            assert reads.from_the_beginning == 2


async def test_few_logs_are_read_at_once_and_others_get_their_turns(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        await played_on(table, 100)
        entry = await it.books.entry(table.match)
        last, turns = entry.book.version, 0

        with watched(it) as reads:
            await asyncio.gather(*(it.books.until(table.match, version) for version in range(last - 9, last + 1)))
        assert (reads.from_the_beginning, reads.most) == (10, books.FOLDED_AT_ONCE)

        rows, stream = await it.store.log.events(table.match), await it.store.log.stream(table.match)

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async def at_once(result: Any) -> Any:
            return result

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(it.store.log, "events", lambda _, upto: at_once(rows[:upto]))
            patch.setattr(it.store.log, "stream", lambda *_: at_once(stream))
            waiting = asyncio.create_task(others())
            await it.books.until(table.match, last - 10)
            waiting.cancel()
        assert turns >= (last - 10) // 25 > 2
