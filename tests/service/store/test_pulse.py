"""When nobody could write for more than two seconds, every match stood still: said once, and told to all."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from service.store.engine import Store
from service.store.rows import Outage


@pytest.fixture
async def postgres(database: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


async def silence(postgres: "asyncpg.Connection[asyncpg.Record]", seconds: float) -> datetime:
    """As if the last beat lay so far back; says when that was."""
    back = await postgres.fetchval("UPDATE pulse SET at = at - $1::interval RETURNING at", timedelta(seconds=seconds))
    assert isinstance(back, datetime)
    return back


async def test_a_beat_tells_the_time_of_postgres(store: Store) -> None:
    before = datetime.now(UTC)
    at, outages = await store.pulse.beat()

    assert before <= at <= datetime.now(UTC)  # one machine, one clock
    assert outages == []


async def test_beats_that_follow_each_other_are_no_outage(store: Store) -> None:
    beats = [(await store.pulse.beat())[0] for _ in range(5)]

    assert beats == sorted(set(beats))
    assert await store.pulse.outages() == []


async def test_a_silence_of_more_than_two_seconds_is_an_outage(
    store: Store, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await store.pulse.beat()
    began = await silence(postgres, 2.1)

    ended, outages = await store.pulse.beat()

    assert outages == [Outage(began, ended)]
    assert await store.pulse.beat() != (ended, [])
    assert await store.pulse.outages() == outages


async def test_a_shorter_silence_is_none_and_the_limit_is_given(
    store: Store, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await store.pulse.beat()
    await silence(postgres, 1.5)
    assert (await store.pulse.beat())[1] == []

    await silence(postgres, 1.5)
    assert len((await store.pulse.beat(limit=timedelta(seconds=1)))[1]) == 1


async def test_outages_are_told_from_a_moment_on(store: Store, postgres: "asyncpg.Connection[asyncpg.Record]") -> None:
    await store.pulse.beat()
    await silence(postgres, 100)
    first, _ = await store.pulse.beat()
    await silence(postgres, 5)
    second, newer = await store.pulse.beat(since=first)

    assert [outage.ended for outage in newer] == [second]
    assert [outage.ended for outage in await store.pulse.outages()] == [first, second]
    assert await store.pulse.outages(since=second) == []


async def test_processes_that_beat_at_the_same_moment_record_one_outage_and_all_are_told(
    store: Store, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    for _ in range(20):
        before, _ = await store.pulse.beat()
        await silence(postgres, 10)

        beats = await asyncio.gather(*(store.pulse.beat(since=before) for _ in range(8)))

        assert len(await store.pulse.outages(since=before)) == 1
        assert all(len(outages) == 1 for _, outages in beats)
