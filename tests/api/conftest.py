from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from service.auth import issue
from service.settings import Settings
from tests.api.people import Person
from tests.api.serving import UNLIMITED, Served, serving
from tests.api.tables import Table, table_of


@pytest.fixture(scope="session")
def api_database(database_url: str, migrated: str) -> Iterator[str]:
    """One for all tests of the API: each plays matches of its own."""
    name = f"mogelwerk_api_{uuid4().hex[:12]}"
    _run(database_url, f"CREATE DATABASE {name} TEMPLATE {migrated}")
    yield urlsplit(database_url)._replace(path=f"/{name}").geturl()
    _run(database_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def settings(api_database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(
        database_url=api_database,
        redis_url=redis_url,
        keys=tmp_path_factory.mktemp("keys"),
        limits=UNLIMITED,
        log_level="error",
    )


@pytest.fixture(scope="session")
def server(settings: Settings) -> Iterator[Served]:
    with serving(settings) as served:
        yield served


@pytest.fixture
def newcomer(server: Served) -> Iterator[Callable[[str], Person]]:
    """Somebody who has just come, with an account of his own."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(Person.arrive(server.url, name))


@pytest.fixture
def anna(newcomer: Callable[[str], Person]) -> Person:
    return newcomer("Anna")


@pytest.fixture
def ben(newcomer: Callable[[str], Person]) -> Person:
    return newcomer("Ben")


@pytest.fixture
def cara(newcomer: Callable[[str], Person]) -> Person:
    return newcomer("Cara")


@pytest.fixture
def table(anna: Person, ben: Person, cara: Person) -> Table:
    """It is Ben's turn, and he has to name aces."""
    return table_of(anna, ben, cara)


def _run(database_url: str, statement: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(database_url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as aside:  # a loop may be running in this thread
        aside.submit(asyncio.run, run()).result()


@pytest.fixture
def official(server: Served, settings: Settings) -> Iterator[Callable[..., Person]]:
    """Somebody to whom the operator has given a token."""
    with ExitStack() as stack:

        def comes(name: str, *scopes: str) -> Person:
            token = issue(settings.database_url, name=name, scopes=("read", "play", *scopes), days=1)
            person = stack.enter_context(Person.again(server.url, token, name))
            person.id = person.do("GET", "/v1/players/me")["player"]
            return person

        yield comes


@pytest.fixture
def rita(official: Callable[..., Person]) -> Person:
    return official("Rita", "referee")


@pytest.fixture
def rudi(official: Callable[..., Person]) -> Person:
    return official("Rudi", "referee")
