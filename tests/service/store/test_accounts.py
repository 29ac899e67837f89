"""Accounts and tokens: a repeated key creates nothing twice, a revoked token is known as revoked."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import asyncpg
import pytest

from service.store.accounts import nobody
from service.store.engine import Store
from service.store.rows import KeyRow, Player, Token
from tests.service.store.story import ANNA, BEN, CARA, NOON, digest, soon

ANNA_HERSELF = Player(ANNA, "Anna", NOON)
PHONE = Token(uuid4(), ANNA, ("play",), NOON, None, None)
BOT = Token(uuid4(), ANNA, ("play", "read"), NOON + timedelta(days=1), soon(3600), None)


def of_nobody(word: str, created: Player) -> KeyRow:
    player, scope, key = nobody(word)
    return KeyRow(player, scope, key, digest("Anna"), created.id, None, None, NOON, 0, 0)


async def test_an_account_comes_with_a_token(store: Store) -> None:
    assert await store.accounts.create(ANNA_HERSELF, PHONE, digest("phone")) is None

    assert await store.accounts.player(ANNA) == ANNA_HERSELF
    assert await store.accounts.player(BEN) is None
    assert await store.accounts.tokens(ANNA) == [PHONE]
    assert await store.accounts.by_hash(digest("phone")) == PHONE
    assert await store.accounts.by_hash(digest("another")) is None


async def test_names_come_in_bulk(store: Store) -> None:
    for player, name in ((ANNA, "Anna"), (BEN, "Ben")):
        token = Token(uuid4(), player, (), NOON, None, None)
        await store.accounts.create(Player(player, name, NOON), token, digest(name))

    assert await store.accounts.names([ANNA, BEN, CARA]) == {ANNA: "Anna", BEN: "Ben"}
    assert await store.accounts.names([]) == {}


async def test_a_key_that_is_repeated_creates_no_second_account(store: Store) -> None:
    first, second = ANNA_HERSELF, Player(BEN, "Anna", NOON)
    key = of_nobody("k", first)
    assert await store.accounts.create(first, PHONE, digest("phone"), key) is None

    again = Token(uuid4(), BEN, (), NOON, None, None)
    assert await store.accounts.create(second, again, digest("again"), of_nobody("k", second)) == key
    assert await store.accounts.player(BEN) is None
    assert await store.accounts.by_hash(digest("again")) is None


async def test_a_key_that_comes_ten_times_at_once_creates_one_account(store: Store) -> None:
    async def create() -> KeyRow | None:
        player = Player(uuid4(), "Anna", NOON)
        token = Token(uuid4(), player.id, (), NOON, None, None)
        return await store.accounts.create(player, token, digest(player.id), of_nobody("k", player))

    bound = await asyncio.gather(*(create() for _ in range(10)))

    assert bound.count(None) == 1
    assert len({row.command for row in bound if row is not None}) == 1


async def test_a_key_of_nobody_is_not_stored_as_it_is(store: Store, database: str) -> None:
    await store.accounts.create(ANNA_HERSELF, PHONE, digest("phone"), of_nobody("let me in", ANNA_HERSELF))

    connection = await asyncpg.connect(database)
    [row] = await connection.fetch("SELECT key::text FROM key")
    await connection.close()
    assert "let me in" not in row[0]


async def test_further_tokens_are_listed_in_the_order_they_came(store: Store) -> None:
    await store.accounts.create(ANNA_HERSELF, PHONE, digest("phone"))
    key = KeyRow(ANNA, "", "t", digest("bot"), BOT.id, None, None, NOON, 0, 0)

    assert await store.accounts.add_token(BOT, digest("bot"), key) is None
    assert await store.accounts.add_token(BOT, digest("bot"), key) == key
    assert await store.accounts.tokens(ANNA) == [PHONE, BOT]
    assert await store.accounts.tokens(BEN) == []


async def test_a_revoked_token_is_found_as_revoked(store: Store) -> None:
    await store.accounts.create(ANNA_HERSELF, PHONE, digest("phone"))

    assert not await store.accounts.revoke(BEN, PHONE.id)
    assert await store.accounts.revoke(ANNA, PHONE.id)
    found = await store.accounts.by_hash(digest("phone"))
    assert found is not None
    assert found.revoked_at is not None
    assert await store.accounts.revoke(ANNA, PHONE.id)
    assert await store.accounts.by_hash(digest("phone")) == found


async def test_one_question_tells_which_of_many_tokens_let_nobody_in(store: Store) -> None:
    old = Token(uuid4(), ANNA, (), NOON, NOON + timedelta(hours=1), None)
    lost = Token(uuid4(), ANNA, (), NOON, None, None)
    await store.accounts.create(ANNA_HERSELF, PHONE, digest("phone"))
    for token in (BOT, old, lost):
        await store.accounts.add_token(token, digest(token.id))
    await store.accounts.revoke(ANNA, lost.id)
    never = uuid4()

    assert await store.accounts.revoked([PHONE.id, BOT.id, old.id, lost.id, never]) == {old.id, lost.id, never}


async def test_two_tokens_with_one_hash_are_refused(store: Store) -> None:
    await store.accounts.create(ANNA_HERSELF, PHONE, digest("phone"))

    with pytest.raises(asyncpg.UniqueViolationError):
        await store.accounts.add_token(BOT, digest("phone"))
    assert await store.accounts.tokens(ANNA) == [PHONE]
