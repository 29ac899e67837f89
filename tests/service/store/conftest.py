from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from service.store.engine import Store
from service.store.rows import Outcome
from tests.service.store.story import opening


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    store = await Store.open(database)
    yield store
    await store.close()


@pytest.fixture
async def match(store: Store) -> UUID:
    """A match that Anna opened: one event."""
    new = opening()
    assert await store.create(new) is Outcome.TAKEN
    return new.match
