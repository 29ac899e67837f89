"""A log that somebody has changed: nothing of the match is told, and nothing happens in it."""

from __future__ import annotations

from typing import Final

import msgspec
import pytest
from prometheus_client import REGISTRY

from service.audit.exporting import told
from service.runtime.book import BrokenLog
from tests.service.runtime.table import Table, a_table, runtime
from tests.service.runtime.test_time import execute

DEAL: Final = msgspec.Raw(b'{"dealer":2,"hands":[["AS","7H"],["2D","9C"],["3C","KD"]]}')
EDITS: Final = {
    "a card": """UPDATE event SET envelope = replace(envelope, '"7H"', '"AS"') WHERE tag = 'cheat.claimed'""",
    "no JSON": "UPDATE event SET envelope = '{' WHERE version = 3",
    "salt": "UPDATE event SET salt = decode(repeat('00', 16), 'hex') WHERE version = 2",
    "log head": "UPDATE event SET head = decode(repeat('00', 32), 'hex') WHERE version = 2",
    "viewer heads": "UPDATE event SET heads = overlay(heads PLACING decode('00', 'hex') FROM 3) WHERE version = 2",
    "seqs": "UPDATE event SET seqs[2] = seqs[2] + 5 WHERE version = 7",
    "told to nobody": "UPDATE event SET seqs[2] = 0 WHERE version = 7",
    "at": "UPDATE event SET at = at + interval '1 hour' WHERE version = 2",
    "received_at": "UPDATE event SET received_at = received_at + interval '1 us' WHERE version = 2",
    "by": "UPDATE event SET by = 1 WHERE version = 7",
    "tag": "UPDATE event SET tag = 'cheat.revealed' WHERE version = 7",
    "command": "UPDATE event SET command = gen_random_uuid() WHERE version = 7",
    "a hole": "DELETE FROM event WHERE version = 4",
    "stream head": "UPDATE stream SET head = decode(repeat('00', 32), 'hex')",
    "stream seqs": "UPDATE stream SET seqs[1] = seqs[1] + 1",
    "stream heads": "UPDATE stream SET heads = overlay(heads PLACING decode('0000', 'hex') FROM 3)",
    "stream version": "UPDATE stream SET version = version - 1",
    "game": "UPDATE stream SET game = 'mogelei'",
    "no game": "UPDATE stream SET game = 'whist'",
    "seed": "UPDATE secret SET seed = decode(repeat('00', 32), 'hex')",
}


@pytest.mark.parametrize("what", EDITS)
async def test_a_process_that_folds_a_changed_log_tells_nothing_and_plays_nothing(
    database: str, redis_url: str, what: str
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=DEAL)
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
    await execute(database, EDITS[what])
    async with runtime(database, redis_url) as other:
        twin, counted = Table(other, table.match, table.players), _counted()

        for _ in range(2):
            with pytest.raises(BrokenLog):
                await twin.sees(0)
            with pytest.raises(BrokenLog):
                await other.reader.frames(twin.match, 0, 0, 100)
            with pytest.raises(BrokenLog):
                await twin.act(1, {"type": "cheat.challenge", "claim_id": 0})
        assert _counted() == counted + 1


@pytest.mark.parametrize("what", ["a card", "no JSON", "viewer heads", "at"])
async def test_pages_read_from_a_log_that_was_changed_later_are_not_told(
    database: str, redis_url: str, what: str
) -> None:
    """By a process that has the match in memory, as it was written."""
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=DEAL)
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
        book = (await it.reader._books.current(table.match)).book
        await execute(database, EDITS[what])

        with pytest.raises(BrokenLog):
            [line async for line in told(it.store.log, book, 0)]
        with pytest.raises(BrokenLog):
            await it.reader.frames(table.match, 0, 0 if what != "a card" else 6, 100)


async def test_a_stream_that_is_read_from_a_changed_log_ends(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=DEAL)
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
        (await it.reader._books.entry(table.match)).before.clear()
        await execute(database, EDITS["salt"])

        with pytest.raises(BrokenLog):
            [news async for news in it.reader.replay(table.match, 0, 0)]
        with pytest.raises(BrokenLog):  # nor from memory, now that it is known
            await table.sees(0)


async def test_any_page_of_a_log_as_it_was_written_is_told(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=DEAL)
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
        whole, last = await it.reader.frames(table.match, 1, 0, 100)
        frames = msgspec.json.decode(whole, type=list[msgspec.Raw])
        assert len(frames) == last

        for after in range(last + 1):
            page, upto = await it.reader.frames(table.match, 1, after, 2)
            assert msgspec.json.decode(page, type=list[msgspec.Raw]) == frames[after : after + 2]
            assert upto == min(after + 2, last)


def _counted() -> float:
    return REGISTRY.get_sample_value("mogelwerk_broken_logs_total") or 0.0
