"""The same over a Redis cluster: a match lives where its slot does, also when that changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from typing import Final
from uuid import UUID, uuid4

import pytest
from redis.crc import key_slot

from service.fanout.hub import Fanout
from service.fanout.link import Timing
from service.fanout.news import Look, News, Subscription, channel
from tests.service.fanout.paper_log import news
from tests.service.fanout.redis_cluster import SLOTS, Cluster

ANNA: Final = 0
NO_POLL: Final = Timing(poll=3600, patience=0.3, confirm=2, canary=3600, retry=0.01, retry_cap=0.1)
LONG: Final = 30.0  # seconds after which something will not come any more


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    async with asyncio.timeout(LONG), Cluster() as nodes:
        yield nodes


async def nothing_moves(matches: list[UUID]) -> Mapping[UUID, int]:
    return {}


def in_slots(third: int) -> UUID:
    """A match in the first, second or last third of the slots."""
    while True:
        match = uuid4()
        if SLOTS * third // 3 <= key_slot(channel(match, ANNA)) < SLOTS * (third + 1) // 3:
            return match


async def hears(fanout: Fanout, reader: Subscription, wanted: News) -> None:
    """Told until it arrives: while a cluster changes, news gets lost, and the poll is off."""
    async with asyncio.timeout(LONG):
        while True:
            fanout.publish(reader.match, {ANNA: wanted})
            while heard := await reader.next(0.2):
                if heard == wanted:
                    return


async def errors(cluster: Cluster, kind: str) -> int:
    """How often its nodes have said so."""
    answers = [await node.tell("INFO", "errorstats") for node in cluster.nodes]
    return sum(answer.get(f"errorstat_{kind}", {"count": 0})["count"] for answer in answers)


async def test_every_match_is_heard_wherever_it_lives(cluster: Cluster) -> None:
    here = await Fanout.open(cluster.nodes[0].url, nothing_moves, timing=NO_POLL)
    there = await Fanout.open(cluster.nodes[1].url, nothing_moves, timing=NO_POLL)
    async with AsyncExitStack() as seats:
        matches = [in_slots(third) for third in range(3) for _ in range(10)]
        readers = [await seats.enter_async_context(there.subscribe(match, ANNA)) for match in matches]
        for match in matches:
            here.publish(match, {ANNA: news(1, 1)})
        for reader in readers:
            assert await reader.next(LONG) == news(1, 1), "not even a look is needed once Redis has confirmed"
        for n, node in enumerate(cluster.nodes[:3]):
            held = {name for name in await node.tell("PUBSUB", "SHARDCHANNELS", "mw:*") if b"canary" not in name}
            assert held == {channel(match, ANNA) for match in matches[10 * n : 10 * n + 10]}
        moved = await errors(cluster, "MOVED")
        for match in matches:
            here.publish(match, {ANNA: news(2, 2)})
        for reader in readers:
            assert await reader.next(LONG) == news(2, 2)
        assert await errors(cluster, "MOVED") == moved, "they know the way by now"
        assert await here.healthy(LONG)
        assert await there.healthy(LONG)
        assert here.counters.dropped == there.counters.dropped == 0
    moved = await errors(cluster, "MOVED")
    for node in cluster.nodes:
        await node.tell("CLIENT", "KILL", "TYPE", "PUBSUB")
    assert await there.healthy(LONG)
    assert await errors(cluster, "MOVED") == moved, "nobody asks any more for what nobody listens to"
    await here.close()
    await there.close()


async def test_a_slot_that_moves_is_followed(cluster: Cluster) -> None:
    fanout = await Fanout.open(cluster.nodes[0].url, nothing_moves, timing=NO_POLL)
    match = in_slots(0)
    async with fanout.subscribe(match, ANNA) as anna:
        for n, (old, new) in enumerate(((0, 1), (1, 2), (2, 0)), start=1):
            node = cluster.nodes[new]
            await cluster.move(key_slot(channel(match, ANNA)), cluster.nodes[old], node)
            assert isinstance(await anna.next(LONG), Look), "something may have been told in between"
            await hears(fanout, anna, news(n, n))
            assert await node.tell("PUBSUB", "SHARDNUMSUB", channel(match, ANNA)) == [channel(match, ANNA), 1]
    await fanout.close()


@pytest.mark.parametrize("known_by", [0, 2])
async def test_the_replica_of_a_node_that_died_is_found(known_by: int, cluster: Cluster) -> None:
    fanout = await Fanout.open(cluster.nodes[known_by].url, nothing_moves, timing=NO_POLL)
    async with fanout.subscribe(in_slots(2), ANNA) as anna, fanout.subscribe(in_slots(0), ANNA) as ben:
        await hears(fanout, anna, news(1, 1))
        await hears(fanout, ben, news(1, 1))
        cluster.nodes[2].kill()
        await hears(fanout, ben, news(2, 2))
        await hears(fanout, anna, news(2, 2))
        listeners = await cluster.nodes[3].tell("PUBSUB", "SHARDNUMSUB", channel(anna.match, ANNA))
        assert listeners == [channel(anna.match, ANNA), 1]
    await fanout.close()
