"""Which Postgres and which Redis the tests run on. Always real ones, and never a silent skip."""

import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from msgspec import Struct

from service.servers.folder import prepared
from service.servers.postgres import Postgres
from service.servers.valkey import Valkey

Kind: TypeAlias = Literal["url", "docker", "embedded"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

NOT_TO_LAST: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}
USUAL_ENGINE: Final = "unix:///var/run/docker.sock"


class Missing(Exception):
    """What was asked for by name is not there."""


class Choice(Struct, frozen=True):
    kind: Kind
    why: str
    database_url: str = ""
    redis_url: str = ""


class Backends(Struct, frozen=True):
    database_url: str
    redis_url: str


def engine_answers(host: str, within: float = 2.0) -> bool:
    """Asks a Docker engine for a sign of life. Its own client would wait a minute for one that says nothing."""
    where = urlsplit(host)
    try:
        if where.scheme == "unix":
            asking = socket.socket(socket.AF_UNIX)
            asking.settimeout(within)
            asking.connect(where.path)
        elif where.scheme == "tcp":
            asking = socket.create_connection((where.hostname or "", where.port or 2375), within)
        else:
            return False
        with asking:
            asking.sendall(b"GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n")
            return b" 200 " in asking.recv(64)
    except (OSError, ValueError):
        return False


def choose(forced: Kind | None, env: Mapping[str, str], answers: Callable[[str], bool] = engine_answers) -> Choice:
    """URLs that are given, else a Docker engine that answers, else servers of our own. Raises Missing."""
    database_url, redis_url = env.get("TEST_DATABASE_URL", ""), env.get("TEST_REDIS_URL", "")
    engine = env.get("DOCKER_HOST") or USUAL_ENGINE
    if bool(database_url) != bool(redis_url):
        raise Missing("TEST_DATABASE_URL and TEST_REDIS_URL are set together or not at all")
    if forced == "url" or (forced is None and database_url):
        if not database_url:
            raise Missing("--backend url needs TEST_DATABASE_URL and TEST_REDIS_URL")
        return Choice("url", "TEST_DATABASE_URL and TEST_REDIS_URL are set", database_url, redis_url)
    if forced == "embedded":
        return Choice("embedded", "asked for")
    if answers(engine):
        return Choice("docker", f"an engine answers at {engine}")
    if forced == "docker":
        raise Missing(f"--backend docker: no engine answers at {engine}")
    return Choice("embedded", f"no TEST_DATABASE_URL, no Docker engine answers at {engine}")


@contextmanager
def running(choice: Choice) -> Iterator[Backends]:
    match choice.kind:
        case "url":
            yield Backends(choice.database_url, choice.redis_url)
        case "docker":
            from testcontainers.community.postgres import PostgresContainer  # takes a second
            from testcontainers.community.redis import RedisContainer

            options = " ".join(f"-c {name}={value}" for name, value in NOT_TO_LAST.items())
            postgres = PostgresContainer("postgres:18-alpine", driver=None).with_command(f"postgres {options}")
            with postgres, RedisContainer("valkey/valkey:9-alpine") as valkey:
                where = f"{valkey.get_container_host_ip()}:{valkey.get_exposed_port(6379)}"
                yield Backends(postgres.get_connection_url(), f"redis://{where}/0")
        case "embedded":
            with short_folder() as place:
                folder = prepared(place / "data")
                own_postgres, own_valkey = Postgres(folder, options=NOT_TO_LAST), Valkey(folder)
                try:
                    own_postgres.start()
                    own_valkey.start()
                    yield Backends(own_postgres.url, own_valkey.url)
                finally:
                    own_valkey.stop()
                    own_postgres.stop()


@contextmanager
def short_folder() -> Iterator[Path]:
    """In place of pytest's `tmp_path`, which is too long for a socket and closed to the servers' user."""
    place = Path(tempfile.mkdtemp(prefix="mw-", dir="/tmp"))
    place.chmod(0o711)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
