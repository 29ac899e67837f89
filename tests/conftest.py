import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from service.store import migrate
from tests.backends import KINDS, Backends, Choice, Missing, choose, running, short_folder

CHOICE = pytest.StashKey[Choice]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--backend", choices=KINDS, help="Postgres and Redis to test on; default: the first that is there")


def pytest_configure(config: pytest.Config) -> None:
    try:
        choice = choose(config.getoption("backend"), os.environ)
    except Missing as why:
        raise pytest.UsageError(str(why)) from None
    config.stash[CHOICE] = choice
    config.option.backend = choice.kind  # xdist hands it to its workers, which so do not choose again


def pytest_report_header(config: pytest.Config) -> str:
    choice = config.stash[CHOICE]
    return f"backend: {choice.kind} ({choice.why})"


@pytest.fixture(scope="session")
def backends(request: pytest.FixtureRequest) -> Iterator[Backends]:
    with running(request.config.stash[CHOICE]) as found:
        yield found


@pytest.fixture(scope="session")
def database_url(backends: Backends) -> str:
    """Of a server on which databases can be made. Tests with tables want `database`."""
    return backends.database_url


@pytest.fixture(scope="session")
def redis_url(backends: Backends) -> str:
    """One server for the whole run: keep apart what two tests publish by using matches of your own."""
    return backends.redis_url


@pytest.fixture(scope="session")
def migrated(database_url: str) -> Iterator[str]:
    """The name of a database that is there to be copied."""
    name = f"mogelwerk_template_{uuid4().hex[:12]}"
    _run(database_url, f"CREATE DATABASE {name}")
    migrate.upgrade(_named(database_url, name))
    yield name
    _run(database_url, f"DROP DATABASE {name}")


@pytest.fixture
def database(database_url: str, migrated: str) -> Iterator[str]:
    """The URL of a database with all tables and nothing in them, for this test alone."""
    name = f"mogelwerk_test_{uuid4().hex[:12]}"
    _run(database_url, f"CREATE DATABASE {name} TEMPLATE {migrated}")
    yield _named(database_url, name)
    _run(database_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Short enough for sockets, and open to the user that servers run as under root."""
    with short_folder() as place:
        yield place


def _named(database_url: str, name: str) -> str:
    return urlsplit(database_url)._replace(path=f"/{name}").geturl()


def _run(database_url: str, statement: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(database_url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as aside:  # a loop may be running in this thread
        aside.submit(asyncio.run, run()).result()
