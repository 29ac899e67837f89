"""What is not configured is started here, and runs as long as the context lasts."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

from service.servers.folder import Folder, InUse, data_folder, locked, prepared
from service.servers.postgres import Postgres
from service.servers.valkey import Valkey
from service.settings import Settings


class Server(Protocol):
    name: str

    @property
    def url(self) -> str: ...
    @property
    def running(self) -> bool: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


class Backends(Struct, frozen=True):
    database_url: str
    redis_url: str
    ours: tuple[Server, ...]


@contextmanager
def own_folder(settings: Settings) -> Iterator[Folder | None]:
    """The data folder, ours alone; None where nothing is to be started in it.

    Raises CannotStart, and InUse where another server runs on it.
    """
    if settings.database_url and settings.redis_url:
        yield None
        return
    folder = prepared(settings.data)
    with locked(folder):
        yield folder


@contextmanager
def backends(settings: Settings, folder: Folder | None, say: Callable[[str], None]) -> Iterator[Backends]:
    """``folder``: as `own_folder` gave it. Raises CannotStart."""
    if folder is None:
        yield Backends(settings.database_url, settings.redis_url, ())
        return
    postgres = Postgres(folder, programs=settings.postgres_bin)
    valkey = Valkey(folder, program=settings.valkey_bin)
    ours: list[Server] = []
    if not settings.database_url:
        ours.append(postgres)
    if not settings.redis_url:
        ours.append(valkey)
    with ExitStack() as stack:
        say(f"Data folder {folder.path}")
        for server in ours:
            stack.callback(server.stop)
            began = time.monotonic()
            server.start()
            say(f"{server.name} ready in {time.monotonic() - began:.1f} s")
        yield Backends(settings.database_url or postgres.url, settings.redis_url or valkey.url, tuple(ours))


def place(settings: Settings) -> str:
    """In words, where `database` leads; without what may be secret."""
    if not settings.database_url:
        return f"the data folder {data_folder(settings)}"
    found = urlsplit(settings.database_url)
    host = found.netloc.rpartition("@")[2] or ",".join(parse_qs(found.query).get("host", ["this machine"]))
    return f"the database {found.path.lstrip('/')} at {host}"


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The URL of the database, for a command beside a server: of the one that runs, or for a moment of our own."""
    if settings.database_url:
        yield settings.database_url
        return
    folder = prepared(settings.data)
    postgres = Postgres(folder, programs=settings.postgres_bin)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(folder))
        except InUse:
            yield postgres.url
        else:
            stack.callback(postgres.stop)
            postgres.start()
            yield postgres.url
