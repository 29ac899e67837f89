"""Players and their tokens. Every method raises ``Unavailable``, and its kind ``OutcomeUnknown`` where it writes."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from secrets import token_bytes
from typing import Final
from uuid import UUID

from asyncpg import Record
from msgspec import structs
from sqlalchemy import ARRAY, Uuid, and_, any_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql

from service.store import tables
from service.store.log import KEY
from service.store.postgres import Postgres, Query, query
from service.store.rows import KeyRow, OutcomeUnknown, Player, Token

_token, _dispute = tables.token, tables.dispute
_columns = tables.columns(_token, Token)
_IDS: Final = bindparam("ids", type_=ARRAY(Uuid))

_BIND: Final = query(postgresql.insert(tables.key).on_conflict_do_nothing().returning(tables.key.c.command))
_ADD_PLAYER: Final = query(insert(tables.player))
_ADD_TOKEN: Final = query(insert(_token))
_NAMED: Final = query(select(tables.player.c.name, tables.player.c.salt).where(tables.player.c.id == bindparam("id")))
_PLAYER: Final = query(select(*tables.columns(tables.player, Player)).where(tables.player.c.id == bindparam("id")))
_NAMES: Final = query(select(tables.player.c.id, tables.player.c.name).where(tables.player.c.id == any_(_IDS)))
_TOKENS: Final = query(
    select(*_columns).where(_token.c.player == bindparam("player")).order_by(_token.c.created_at, _token.c.id)
)
_BY_HASH: Final = query(select(*_columns).where(_token.c.hash == bindparam("hash")))
_REVOKE: Final = query(
    update(_token)
    .where(_token.c.id == bindparam("token"), _token.c.player == bindparam("owner"))
    .values(revoked_at=func.coalesce(_token.c.revoked_at, func.clock_timestamp()))
    .returning(_token.c.id)
)
_ERASE: Final = (  # what an account's first key made is found by nothing but the account that it made
    query(delete(_token).where(_token.c.player == bindparam("owner"))),
    query(
        delete(tables.key).where(
            or_(
                tables.key.c.player == bindparam("owner"),
                and_(tables.key.c.match.is_(None), tables.key.c.command == bindparam("owner")),
            )
        )
    ),
    query(update(_dispute).where(_dispute.c.player == bindparam("owner")).values(text=None, salt=None)),
    query(update(_dispute).where(_dispute.c.referee == bindparam("owner")).values(note=None, note_salt=None)),
)
_ERASE_PLAYER: Final = query(
    delete(tables.player).where(tables.player.c.id == bindparam("owner")).returning(tables.player.c.id)
)
_GOOD: Final = query(
    select(_token.c.id).where(
        _token.c.id == any_(_IDS),
        _token.c.revoked_at.is_(None),
        or_(_token.c.expires_at.is_(None), _token.c.expires_at > func.clock_timestamp()),
    )
)


def nobody(key: str) -> tuple[UUID, str, str]:
    """Player, scope and key of a ``KeyRow`` for a key that comes without an account, as to create one.

    The key itself is not stored: whoever knows it is given the account's token again.
    """
    digest = hashlib.sha256(key.encode()).digest()
    return UUID(bytes=digest[:16]), digest.hex(), ""


class Accounts:
    """Players, and what their bearers may do."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def create(self, player: Player, token: Token, hash: bytes, key: KeyRow | None = None) -> KeyRow | None:  # noqa: A002
        """A player with a first token; ``hash`` is the token's SHA-256, 32 bytes.

        None: created. Where the key was used before nothing happens, and it comes back as it was bound then (its
        ``command`` names what was created, if the caller puts the id there).
        """
        named = {"id": player.id, "name": player.name, "created_at": player.created_at, "salt": token_bytes(16)}
        return await self._once(key, (_ADD_PLAYER, named), (_ADD_TOKEN, _row(token, hash)))

    async def add_token(self, token: Token, hash: bytes, key: KeyRow | None = None) -> KeyRow | None:  # noqa: A002
        """A further token; the key as with ``create``."""
        return await self._once(key, (_ADD_TOKEN, _row(token, hash)))

    async def player(self, player: UUID) -> Player | None:
        row = await self._postgres.row(_PLAYER, id=player)
        return None if row is None else Player(*row)

    async def name_digest(self, player: UUID) -> str | None:
        """What the log holds of his name: SHA-256, in hex, of a salt of 16 bytes and the name's UTF-8 bytes."""
        row = await self._postgres.row(_NAMED, id=player)
        return None if row is None else hashlib.sha256(row["salt"] + row["name"].encode()).hexdigest()

    async def names(self, players: Collection[UUID]) -> dict[UUID, str]:
        """The names of those of them that exist."""
        return dict(map(tuple, await self._postgres.rows(_NAMES, ids=list(players))))

    async def tokens(self, player: UUID) -> list[Token]:
        """All his tokens, oldest first, also those that are revoked or expired."""
        return [_of(row) for row in await self._postgres.rows(_TOKENS, player=player)]

    async def by_hash(self, hash: bytes) -> Token | None:  # noqa: A002
        """Whose token has this SHA-256. Revoked and expired ones are found too: the caller can say which it is."""
        row = await self._postgres.row(_BY_HASH, hash=hash)
        return None if row is None else _of(row)

    async def revoke(self, player: UUID, token: UUID) -> bool:
        """From now on. False where this player has no such token; one that is revoked keeps its time."""
        return bool(await self._postgres.write(_REVOKE, owner=player, token=token))

    async def revoked(self, tokens: Iterable[UUID]) -> set[UUID]:
        """Which of these ids let nobody in any more: revoked, expired by Postgres's clock, or not there."""
        asked = set(tokens)
        return asked - {row[0] for row in await self._postgres.rows(_GOOD, ids=list(asked))}

    async def erase(self, player: UUID) -> bool:
        """His name with its salt, his tokens and keys, and what he wrote in disputes; the log knows an id. False: there
        is no such player.

        Nobody can prove any more what he was called, and nobody can speak for him.
        """
        async with self._postgres.connection(lost=OutcomeUnknown) as connection, connection.transaction():
            for statement in _ERASE:
                await connection.execute(statement.sql, *statement.arguments({"owner": player}))
            found = await connection.fetchrow(_ERASE_PLAYER.sql, *_ERASE_PLAYER.arguments({"owner": player}))
        return found is not None

    async def _once(self, key: KeyRow | None, *statements: tuple[Query, dict[str, object]]) -> KeyRow | None:
        async with self._postgres.connection(lost=OutcomeUnknown) as connection, connection.transaction():
            if key is not None:
                named = structs.asdict(key)
                if await connection.fetchrow(_BIND.sql, *_BIND.arguments(named)) is None:
                    bound = await connection.fetchrow(KEY.sql, *KEY.arguments(named))
                    assert bound is not None  # it was in the way
                    return KeyRow(*bound)
            for statement, values in statements:
                await connection.execute(statement.sql, *statement.arguments(values))
        return None


def _row(token: Token, digest: bytes) -> dict[str, object]:
    return structs.asdict(token) | {"hash": digest}


def _of(row: Record) -> Token:
    return Token(**{**row, "scopes": tuple(row["scopes"])})
