"""The tree over ended matches, in Postgres: it grows by what ends, whoever grows it, and never changes what it was."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
from msgspec.structs import replace

from projections.audit.merkle import Stretch, consistency, goes_on, grown, inclusion, leaf_hash, lies_in, stretch_hash
from service.store.engine import Store
from service.store.rows import Outcome
from service.store.tree import Before, EndedMatch
from tests.service.store.story import NOON, append, opening, shown


async def leaf(ended: EndedMatch) -> str:
    return f"{ended.match} {ended.version} {ended.head.hex()}"


def note(size: int, root: bytes, before: Before | None) -> str:
    return msgspec.json.encode([size, root.hex(), before is not None]).decode()


async def ended(store: Store, status: str = "over", **row: Any) -> UUID:
    new = opening(lobby=shown(**row))
    assert await store.create(new) is Outcome.TAKEN
    await moves(store, new.match, status, **row)
    return new.match


async def moves(store: Store, match: UUID, status: str, **row: Any) -> None:
    version, tried = (await store.log.versions([match]))[match]
    told = replace(shown(**row), status=status, code=None)
    assert await store.append(append(match, version, tried=tried, lobby=told)) is Outcome.TAKEN


async def grow(store: Store) -> int:
    return await store.tree.grow(leaf, note, NOON)


async def root(store: Store, size: int) -> bytes:
    return (await store.tree.hashes([Stretch(0, size)]))[0]


async def test_what_has_ended_is_taken_in_once(store: Store) -> None:
    matches = {await ended(store, status) for status in ("over", "void", "superseded")}
    await ended(store, "playing")
    await ended(store, "over", sandbox=True)

    assert await grow(store) == 3
    assert await grow(store) == 0

    leaves = {match: await store.tree.leaf_of(match) for match in matches}
    assert {it.place for it in leaves.values() if it is not None} == {0, 1, 2}
    signed = await store.tree.latest()
    assert signed is not None
    assert msgspec.json.decode(signed.note) == [3, (await root(store, 3)).hex(), False]


async def test_proofs_from_the_database_are_those_of_the_leaves(store: Store) -> None:
    texts: list[str] = []
    for size in (1, 2, 5, 6):
        for _ in range(size - len(texts)):
            await ended(store)
        await grow(store)
        async with store.tree._postgres.connection() as connection:
            texts = [row[0] for row in await connection.fetch("SELECT data FROM leaf ORDER BY place")]
        assert len(texts) == size
    hashes = [leaf_hash(text.encode()) for text in texts]
    for size in range(1, 7):
        whole = await root(store, size)
        assert whole == stretch_hash(Stretch(0, size), grown(hashes[:size]))
        for place in range(size):
            assert lies_in(hashes[place], place, size, await store.tree.hashes(inclusion(place, size)), whole)
        path = await store.tree.hashes(consistency(size, 6))
        assert goes_on(size, 6, path, whole, await root(store, 6))


async def test_what_comes_after_the_end_is_a_leaf_more(store: Store) -> None:
    match = await ended(store)
    await grow(store)
    first = await store.tree.leaf_of(match)

    await moves(store, match, "superseded")
    assert await store.tree.waits(match)
    assert await grow(store) == 1

    last = await store.tree.leaf_of(match)
    assert first is not None
    assert last is not None
    assert (last.place, last.version) == (first.place + 1, first.version + 1)
    assert await store.tree.leaf_of(match, size=1) == first
    assert not await store.tree.waits(match)


async def test_the_oldest_checkpoint_with_a_leaf_stays_the_same(store: Store) -> None:
    match = await ended(store)
    await grow(store)
    first = await store.tree.first_with(0)
    await ended(store)
    await grow(store)

    assert await store.tree.first_with(0) == first
    placed = await store.tree.leaf_of(match)
    assert placed is not None
    assert placed.place == 0
    latest = await store.tree.latest()
    assert latest is not None
    assert latest.size == 2


async def test_several_who_grow_it_at_once_lose_nothing_and_take_nothing_twice(store: Store, database: str) -> None:
    others = [await Store.open(database) for _ in range(3)]
    matches = [await ended(store) for _ in range(20)]
    try:
        while any([await store.tree.waits(match) for match in matches]):
            await asyncio.gather(*(grow(it) for it in (store, *others)))
    finally:
        for it in others:
            await it.close()

    connection = await asyncpg.connect(database)
    rows = await connection.fetch("SELECT place, match FROM leaf ORDER BY place")
    await connection.close()
    assert [row[0] for row in rows] == list(range(20))
    assert {row[1] for row in rows} == set(matches)


async def test_a_key_once_known_stays_as_it_was(store: Store) -> None:
    await store.tree.add_key("a", bytes(32), NOON)
    await store.tree.add_key("a", b"1" * 32, NOON + timedelta(1))
    await store.tree.add_key("b", b"2" * 32, NOON + timedelta(2))

    assert await store.tree.keys() == [("a", bytes(32), NOON), ("b", b"2" * 32, NOON + timedelta(2))]
