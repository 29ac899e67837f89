from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.settings import Settings
from tests.api.serving import Served, serving


@pytest.fixture
def server(database: str, redis_url: str, tmp_path: Path) -> Iterator[Served]:
    """With the usual limits, as a reader has them."""
    with serving(Settings(database_url=database, redis_url=redis_url, keys=tmp_path, log_level="error")) as served:
        yield served


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has just come, and speaks English."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith(("MOGELWERK_", "TEST_"))}
    own = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config"), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    return {**mine, **own, "DATABASE_URL": "", "REDIS_URL": "", "MOGELWERK_METRICS_PORT": "0"}
