"""The tree over matches that have ended, as Postgres keeps it. It grows apart from the way of a command.

Every function raises ``Unavailable`` where Postgres does not answer within 2 s.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct
from sqlalchemy import ARRAY, BigInteger, LargeBinary, Uuid, all_, bindparam, func, literal_column, select, text
from sqlalchemy.dialects.postgresql import insert

from projections.audit.merkle import Nodes, Spot, Stretch, completed, leaf_hash, node_hash, spots, stretch_hash
from service.store import tables
from service.store.postgres import Connection, Postgres, query

# Who grows the tree holds this, so that only one process at a time does.
LOCK: Final = 7_216_405_598_113_244_161
AT_ONCE: Final = 200  # matches
MOST: Final = 2**63 - 1  # leaves


class BrokenTree(Exception):
    """The tree as it is stored is not the one that was signed: nothing more is signed before somebody has looked."""


class EndedMatch(Struct, frozen=True):
    """Where a match that has ended stands. ``tries``: the heads of its attempts' chains as the stream has them."""

    match: UUID
    version: int
    head: bytes
    tries: str
    seats: int


class Leaf(Struct, frozen=True):
    """``data``: the text whose UTF-8 bytes the leaf's hash binds."""

    place: int
    match: UUID
    version: int
    data: str


class SignedTree(Struct, frozen=True):
    """A checkpoint as it is handed out: ``note`` in C2SP's format."""

    size: int
    note: str


_t = tables
_LOCK = query(select(func.pg_try_advisory_xact_lock(literal_column(str(LOCK)))))
_SIZE = query(select(func.coalesce(func.max(_t.leaf.c.place) + 1, 0)))
_ENDED = query(
    select(_t.stream.c.match, _t.stream.c.version, _t.stream.c.head, _t.stream.c.tries, _t.lobby.c.seats)
    .join_from(_t.lobby, _t.stream, _t.lobby.c.match == _t.stream.c.match)
    .where(_t.LEAFLESS, _t.lobby.c.match != all_(bindparam("matches", type_=ARRAY(Uuid))))
    .order_by(_t.lobby.c.match)
    .limit(AT_ONCE)
)
_NODES = query(
    text(
        "SELECT level, place, hash FROM node JOIN unnest(cast(:levels AS smallint[]), cast(:places AS bigint[]))"
        " AS wanted(level, place) USING (level, place)"
    )
)
_NEW_LEAVES = query(
    text(
        "INSERT INTO leaf (place, match, version, data) SELECT * FROM unnest(cast(:places AS bigint[]),"
        " cast(:matches AS uuid[]), cast(:versions AS int[]), cast(:data AS text[]))"
    )
)
_NEW_NODES = query(
    text(
        "INSERT INTO node (level, place, hash) SELECT * FROM unnest(cast(:levels AS smallint[]),"
        " cast(:places AS bigint[]), cast(:hashes AS bytea[]))"
    )
)
# What moved on meanwhile is taken in again as it is then.
_PLACED = query(
    text(
        "UPDATE lobby SET leaf = placed.place FROM unnest(cast(:places AS bigint[]), cast(:matches AS uuid[]),"
        " cast(:versions AS int[])) AS placed(place, match, version) JOIN stream USING (match)"
        " WHERE lobby.match = placed.match AND stream.version = placed.version"
    )
)
_SIGNED = query(
    insert(_t.checkpoint).values(
        size=bindparam("size", type_=BigInteger), note=bindparam("note"), at=bindparam("at", type_=_t.MOMENT)
    )
)
_LATEST = query(select(_t.checkpoint.c.size, _t.checkpoint.c.note).order_by(_t.checkpoint.c.size.desc()).limit(1))
_FIRST_WITH = query(
    select(_t.checkpoint.c.size, _t.checkpoint.c.note)
    .where(_t.checkpoint.c.size > bindparam("place", type_=BigInteger))
    .order_by(_t.checkpoint.c.size)
    .limit(1)
)
_LEAF_OF = query(
    select(_t.leaf.c.place, _t.leaf.c.match, _t.leaf.c.version, _t.leaf.c.data)
    .where(_t.leaf.c.match == bindparam("match", type_=Uuid), _t.leaf.c.place < bindparam("size", type_=BigInteger))
    .order_by(_t.leaf.c.place.desc())
    .limit(1)
)
_WAITS = query(select(_t.lobby.c.match).where(_t.lobby.c.match == bindparam("match", type_=Uuid), _t.LEAFLESS))
_NEW_KEY = query(
    insert(_t.signing_key)
    .values(
        id=bindparam("id"), public=bindparam("public", type_=LargeBinary), since=bindparam("since", type_=_t.MOMENT)
    )
    .on_conflict_do_nothing()
)
_KEYS = query(
    select(_t.signing_key.c.id, _t.signing_key.c.public, _t.signing_key.c.since).order_by(
        _t.signing_key.c.since, _t.signing_key.c.id
    )
)


class Before(Struct, frozen=True):
    """The last checkpoint, and what the tree that is stored says of it now: how many leaves, which root."""

    note: str
    size: int
    root: bytes


class Tree:
    """The leaves, what is above them, the checkpoints, and the public keys of whoever signed."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._left_out: set[UUID] = set()  # for as long as this process lives

    async def grow(
        self,
        leaf: Callable[[EndedMatch], Awaitable[str | None]],
        sign: Callable[[int, bytes, Before | None], str],
        at: datetime,
    ) -> int:
        """Takes in what has ended, some matches at a time, and keeps the new checkpoint; says how many there were.

        ``leaf``: a match's leaf; None: it is left out, as what is stored of it is not what was written. ``sign``: the
        note for a size, its root and the checkpoint before it, if any. Where another process grows the tree just now,
        nothing is done.
        """
        async with self._postgres.connection() as connection, connection.transaction():
            if not await connection.fetchval(_LOCK.sql, *_LOCK.arguments({})):
                return 0
            without = _ENDED.arguments({"matches": list(self._left_out)})
            ended = [EndedMatch(*row) for row in await connection.fetch(_ENDED.sql, *without)]
            texts = [(one, text) for one in ended if (text := await leaf(one)) is not None]
            self._left_out.update({one.match for one in ended} - {one.match for one, _ in texts})
            if not texts:
                return 0
            size: int = await connection.fetchval(_SIZE.sql, *_SIZE.arguments({}))
            before = await connection.fetchrow(_LATEST.sql, *_LATEST.arguments({}))
            nodes = dict(await self._nodes(connection, spots(Stretch(0, size))))
            known = set(nodes)
            last = None if before is None else Before(before["note"], size, stretch_hash(Stretch(0, size), nodes))
            leaves = [Leaf(place, one.match, one.version, said) for place, (one, said) in enumerate(texts, size)]
            for one in leaves:
                made = nodes[Spot(0, one.place)] = leaf_hash(one.data.encode())
                for spot, left in completed(one.place):
                    made = nodes[spot] = node_hash(nodes[left], made)
            await _insert(connection, leaves, [(spot, hash_) for spot, hash_ in nodes.items() if spot not in known])
            grown = size + len(leaves)
            note = sign(grown, stretch_hash(Stretch(0, grown), nodes), last)
            await connection.execute(_SIGNED.sql, *_SIGNED.arguments({"size": grown, "note": note, "at": at}))
        return len(leaves)

    async def latest(self) -> SignedTree | None:
        row = await self._postgres.row(_LATEST)
        return None if row is None else SignedTree(*row)

    async def first_with(self, place: int) -> SignedTree | None:
        """The oldest checkpoint whose tree holds this leaf."""
        row = await self._postgres.row(_FIRST_WITH, place=place)
        return None if row is None else SignedTree(*row)

    async def waits(self, match: UUID) -> bool:
        """Whether a match has ended and is not in the tree as it is now, though it will be."""
        return match not in self._left_out and await self._postgres.row(_WAITS, match=match) is not None

    async def waiting(self) -> list[UUID]:
        """Some of the matches that have ended and are not in the tree as they are now: as many as it takes in next."""
        rows = await self._postgres.rows(_ENDED, matches=list(self._left_out))
        return [row["match"] for row in rows]

    async def leaf_of(self, match: UUID, size: int = MOST) -> Leaf | None:
        """The last leaf of a match in the tree of this size; it has several where something came after its end."""
        row = await self._postgres.row(_LEAF_OF, match=match, size=size)
        return None if row is None else Leaf(*row)

    async def hashes(self, stretches: Sequence[Stretch]) -> list[bytes]:
        """The hash of each of these parts of the tree. BrokenTree where one is missing."""
        wanted = [spot for stretch in stretches for spot in spots(stretch)]
        async with self._postgres.connection() as connection:
            nodes = await self._nodes(connection, wanted)
        return [stretch_hash(stretch, nodes) for stretch in stretches]

    async def _nodes(self, connection: Connection, wanted: Iterable[Spot]) -> Nodes:
        asked = list(wanted)
        places = {"levels": [spot.level for spot in asked], "places": [spot.place for spot in asked]}
        rows = await connection.fetch(_NODES.sql, *_NODES.arguments(places))
        nodes = {Spot(level, place): hash_ for level, place, hash_ in rows}
        if missing := next((spot for spot in asked if spot not in nodes), None):
            raise BrokenTree(f"node {missing.place} of level {missing.level} is missing")
        return nodes

    async def add_key(self, key: str, public: bytes, since: datetime) -> None:
        """Known from now on, if it was not."""
        await self._postgres.write(_NEW_KEY, id=key, public=public, since=since)

    async def keys(self) -> list[tuple[str, bytes, datetime]]:
        """All that ever signed, the oldest first: id, 32 bytes, since when."""
        return [(key, public, since) for key, public, since in await self._postgres.rows(_KEYS)]


async def _insert(connection: Connection, leaves: Sequence[Leaf], nodes: Sequence[tuple[Spot, bytes]]) -> None:
    columns = {
        "places": [leaf.place for leaf in leaves],
        "matches": [leaf.match for leaf in leaves],
        "versions": [leaf.version for leaf in leaves],
        "data": [leaf.data for leaf in leaves],
    }
    await connection.execute(_NEW_LEAVES.sql, *_NEW_LEAVES.arguments(columns))
    await connection.execute(_PLACED.sql, *_PLACED.arguments(columns))
    above = {
        "levels": [spot.level for spot, _ in nodes],
        "places": [spot.place for spot, _ in nodes],
        "hashes": [hash_ for _, hash_ in nodes],
    }
    await connection.execute(_NEW_NODES.sql, *_NEW_NODES.arguments(above))
