from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.service.runtime.paper_log import PaperLog
from tests.service.runtime.redis_faults import Valkey


@pytest.fixture
async def valkey() -> AsyncIterator[Valkey]:
    async with Valkey() as server:
        yield server


@pytest.fixture
def log() -> PaperLog:
    return PaperLog()
