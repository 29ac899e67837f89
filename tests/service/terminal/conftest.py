from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.settings import Settings
from service.terminal.client import Client
from tests.api.serving import UNLIMITED, Served, serving


@pytest.fixture
def server(database: str, redis_url: str, tmp_path: Path) -> Iterator[Served]:
    with serving(
        Settings(database_url=database, redis_url=redis_url, keys=tmp_path, limits=UNLIMITED, log_level="error")
    ) as served:
        yield served


@pytest.fixture
def anna(server: Served) -> Iterator[Client]:
    """Anna, who asks by program."""
    client = Client(server.url)
    client.register("Anna")
    yield client
    client.close()


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who speaks English and has played nowhere yet."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith(("MOGELWERK_", "TEST_"))}
    own = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config"), "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
    return {**mine, **own, "DATABASE_URL": "", "REDIS_URL": ""}
