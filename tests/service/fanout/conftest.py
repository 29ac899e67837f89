from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.service.fanout.paper_log import PaperLog
from tests.service.fanout.redis_faults import Valkey


@pytest.fixture
async def valkey() -> AsyncIterator[Valkey]:
    async with Valkey() as server:
        yield server


@pytest.fixture
def log() -> PaperLog:
    return PaperLog()
