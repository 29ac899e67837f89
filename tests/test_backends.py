import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis

from tests.backends import USUAL_ENGINE, Kind, Missing, choose, engine_answers

GIVEN = {"TEST_DATABASE_URL": "postgresql://db/test", "TEST_REDIS_URL": "redis://cache"}


def nobody(host: str) -> bool:
    return False


def somebody(host: str) -> bool:
    return True


def test_urls_that_are_given_win_over_everything() -> None:
    choice = choose(None, GIVEN, somebody)

    assert choice.kind == "url"
    assert (choice.database_url, choice.redis_url) == ("postgresql://db/test", "redis://cache")


def test_an_engine_that_answers_wins_over_servers_of_our_own() -> None:
    assert choose(None, {}, somebody).kind == "docker"


def test_without_either_the_servers_are_our_own() -> None:
    choice = choose(None, {}, nobody)

    assert choice.kind == "embedded"
    assert USUAL_ENGINE in choice.why


def test_the_url_of_real_data_is_never_taken() -> None:
    assert (
        choose(None, {"DATABASE_URL": "postgresql://db/real", "REDIS_URL": "redis://real"}, nobody).kind == "embedded"
    )


@pytest.mark.parametrize("forced", ["url", "docker", "embedded"])
def test_what_is_forced_is_taken(forced: Kind) -> None:
    assert choose(forced, GIVEN, somebody).kind == forced


@pytest.mark.parametrize("forced", ["url", "docker"])
def test_what_is_forced_and_missing_is_an_error(forced: Kind) -> None:
    with pytest.raises(Missing, match=f"--backend {forced}"):
        choose(forced, {}, nobody)


@pytest.mark.parametrize("name", GIVEN)
def test_one_url_without_the_other_is_an_error(name: str) -> None:
    with pytest.raises(Missing, match="set together"):
        choose(None, {name: GIVEN[name]}, nobody)


def test_the_engine_asked_is_the_one_that_docker_would_use() -> None:
    asked: list[str] = []

    def hears(host: str) -> bool:
        asked.append(host)
        return False

    choose(None, {"DOCKER_HOST": "tcp://10.0.0.1:2375"}, hears)
    choose(None, {}, hears)

    assert asked == ["tcp://10.0.0.1:2375", USUAL_ENGINE]


def test_an_engine_on_a_socket_answers(folder: Path) -> None:
    with engine(socket.AF_UNIX, str(folder / "docker.sock"), b"HTTP/1.0 200 OK\r\n\r\nOK"):
        assert engine_answers(f"unix://{folder}/docker.sock")


def test_an_engine_on_a_port_answers() -> None:
    with engine(socket.AF_INET, ("127.0.0.1", 0), b"HTTP/1.0 200 OK\r\n\r\nOK") as port:
        assert engine_answers(f"tcp://127.0.0.1:{port}")


def test_an_engine_in_trouble_is_none(folder: Path) -> None:
    with engine(socket.AF_UNIX, str(folder / "docker.sock"), b"HTTP/1.0 500 Internal Server Error\r\n\r\n"):
        assert not engine_answers(f"unix://{folder}/docker.sock")


def test_an_engine_that_says_nothing_is_given_up_soon(folder: Path) -> None:
    with engine(socket.AF_UNIX, str(folder / "docker.sock"), answer=None):
        began = time.monotonic()
        assert not engine_answers(f"unix://{folder}/docker.sock", within=0.1)
        assert time.monotonic() - began < 2  # and not the minute of Docker's own client


@pytest.mark.parametrize("host", ["unix:///nowhere/docker.sock", "tcp://127.0.0.1:1", "tcp://:x", "npipe://docker", ""])
def test_where_no_engine_is_none_answers(host: str) -> None:
    assert not engine_answers(host)


async def test_a_test_gets_tables_of_its_own_and_a_redis(database: str, redis_url: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        assert await connection.fetchval("SELECT count(*) FROM alembic_version") == 1
    finally:
        await connection.close()
    async with Redis.from_url(redis_url) as redis:
        assert await redis.ping()


@contextmanager
def engine(family: socket.AddressFamily, address: object, answer: bytes | None) -> Iterator[int]:
    """Says the same to everyone, or hears everyone out in silence. Gives the port, if it has one."""
    with socket.socket(family) as listening:
        listening.bind(address)  # type: ignore[arg-type]  # as the family has it
        listening.listen()
        over = threading.Event()

        def serve() -> None:
            guest, _ = listening.accept()
            with guest:
                if answer is None:
                    over.wait()
                else:
                    guest.recv(1024)
                    guest.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        name = listening.getsockname()
        yield name[1] if family == socket.AF_INET else 0
        over.set()
        thread.join()
