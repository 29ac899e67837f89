import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest
from redis.asyncio import Redis

from service.servers.children import until
from tests.backends import Backends
from tests.service.processes import Program, gone, program


@contextmanager
def stand_in(data: Path, **env: str) -> Iterator[Program]:
    """The supervisor with two workers of a tiny app."""
    usual = {"DATABASE_URL": "", "REDIS_URL": "", "MOGELWERK_METRICS_PORT": "0"}
    usual |= {"MOGELWERK_DATA": str(data), "MOGELWERK_PORT": "0", "MOGELWERK_WORKERS": "2"}
    with program("-m", "tests.service.stand_in", env=usual | env) as run:
        yield run


def ask(url: str) -> httpx.Response:
    """On a connection of its own, which any of the workers may take."""
    return httpx.get(url, timeout=10)


def pids(url: str, count: int) -> set[int]:
    """Of the workers, when so many have answered."""
    seen: set[int] = set()

    def all_seen() -> bool:
        seen.add(ask(f"{url}/pid").json())
        return len(seen) >= count

    assert until(all_seen, 20)
    return seen


def refuses(url: str) -> bool:
    try:
        ask(url)
    except httpx.ConnectError:
        return True
    return False


async def test_two_workers_answer_on_one_port_with_servers_of_our_own(folder: Path) -> None:
    with stand_in(folder / "data") as run:
        url = run.says("ready ")
        family = run.family()
        assert pids(url, 2) < {process.pid for process in family}

        database, redis = ask(f"{url}/urls").json()
        connection = await asyncpg.connect(database)
        assert await connection.fetchval("SELECT count(*) FROM alembic_version") == 1
        await connection.close()
        async with Redis.from_url(redis) as client:
            assert await client.ping()


@pytest.mark.parametrize("system", [{}, {"NO_DEATH_SIGNALS": "1"}], ids=["this system", "one without death signals"])
def test_kill_9_of_the_parent_leaves_no_process_and_no_port(folder: Path, system: dict[str, str]) -> None:
    with stand_in(folder / "data", **system) as run:
        url = run.says("ready ")
        pids(url, 2)
        family = run.family()
        assert len(family) > 5  # itself, two workers, Valkey, Postgres and its helpers

        run.process.kill()

        assert gone(family)
        assert refuses(f"{url}/pid")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_ends_our_streams_with_a_last_word_and_all_is_over_within_5_s(
    folder: Path, number: signal.Signals
) -> None:
    with stand_in(folder / "data") as run:
        url = run.says("ready ")
        family = run.family()
        with httpx.stream("GET", f"{url}/stream", timeout=10) as told:
            lines = told.iter_lines()
            assert next(lines) == "open"
            began = time.monotonic()

            run.process.send_signal(number)

            assert list(lines) == ["bye"]
        assert run.process.wait(5) == 0
        assert gone(family, within=0)
        assert time.monotonic() - began < 5
        assert refuses(url)


def test_a_stream_that_never_ends_does_not_hold_up_the_stop(folder: Path) -> None:
    with stand_in(folder / "data") as run:
        url = run.says("ready ")
        family = run.family()
        with httpx.stream("GET", f"{url}/endless", timeout=10) as told:
            assert next(told.iter_lines()) == "open"
            began = time.monotonic()

            run.process.terminate()

            assert run.process.wait(10) == 0
        assert gone(family, within=0)
        assert time.monotonic() - began < 5


def test_a_worker_that_hangs_does_not_hold_up_the_stop(folder: Path) -> None:
    with stand_in(folder / "data", MOGELWERK_WORKERS="1") as run:
        (worker,) = pids(run.says("ready "), 1)
        family = run.family()
        os.kill(worker, signal.SIGSTOP)
        began = time.monotonic()

        run.process.terminate()

        assert run.process.wait(10) == 0
        assert gone(family, within=0)
        assert time.monotonic() - began < 5


def test_a_worker_that_dies_is_replaced(folder: Path) -> None:
    with stand_in(folder / "data") as run:
        url = run.says("ready ")
        before = pids(url, 2)
        victim = min(before)

        os.kill(victim, signal.SIGKILL)

        run.says(f"Worker {victim} has ended (SIGKILL); another takes its place")
        assert until(lambda: not pids(url, 2) <= before, 20)


async def test_servers_of_ours_that_die_are_started_again(folder: Path) -> None:
    with stand_in(folder / "data") as run:
        database, redis = ask(f"{run.says('ready ')}/urls").json()
        postmaster = int((folder / "data/postgres/postmaster.pid").read_text().split()[0])
        async with Redis.from_url(redis) as client:
            valkey = (await client.info("server"))["process_id"]

        os.kill(postmaster, signal.SIGKILL)
        run.says("Postgres has ended and is started again")
        os.kill(valkey, signal.SIGKILL)
        run.says("Valkey has ended and is started again")

        assert until(lambda: len([p for p in run.family() if p.name() in ("postgres", "valkey-server")]) > 3, 20)
        connection = await asyncpg.connect(database)
        await connection.close()


def test_what_is_configured_is_used_and_two_servers_share_it(folder: Path, database: str, backends: Backends) -> None:
    configured = {"DATABASE_URL": database, "REDIS_URL": backends.redis_url}
    with stand_in(folder / "data", **configured) as one, stand_in(folder / "data", **configured) as other:
        first, second = one.says("ready "), other.says("ready ")
        assert first != second
        assert ask(f"{first}/urls").json() == ask(f"{second}/urls").json() == list(configured.values())
        assert not (folder / "data").exists()
        assert [p.name() for p in one.family() if p.name() in ("postgres", "valkey-server")] == []


def test_no_password_is_on_a_command_line(folder: Path, database: str, backends: Backends) -> None:
    secret = (
        database.replace("://", "://anna:secret@", 1) if "@" not in database else database.replace("@", ":secret@", 1)
    )
    with stand_in(folder / "data", DATABASE_URL=secret, REDIS_URL=backends.redis_url) as run:
        run.says("ready ")
        assert "secret" not in " ".join(word for process in run.family() for word in process.cmdline())


def test_a_second_server_on_one_folder_is_refused(folder: Path) -> None:
    with stand_in(folder / "data") as one:
        one.says("ready ")
        with stand_in(folder / "data") as other:
            other.says(
                f"service.servers.folder.InUse: Another server, process {one.process.pid}, runs on the data folder"
            )
            assert other.process.wait(10) == 1


def test_that_a_server_runs_on_the_folder_is_told_before_its_ports_are_missed(folder: Path) -> None:
    metrics = str(free_port())
    with stand_in(folder / "data", MOGELWERK_METRICS_PORT=metrics) as one:
        port = one.says("ready ").rpartition(":")[2]
        with stand_in(folder / "data", MOGELWERK_METRICS_PORT=metrics, MOGELWERK_PORT=port) as other:
            other.says(f"service.servers.folder.InUse: Another server, process {one.process.pid}, runs on the data")
            assert other.process.wait(10) == 1
            assert "No metrics" not in other.said
            assert "not to be had" not in other.said


def test_a_taken_port_is_told_before_anything_is_started(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with stand_in(folder / "data", MOGELWERK_PORT=str(port)) as run:
            run.says(f"service.servers.CannotStart: Port {port} on 127.0.0.1 is not to be had: Address already in use")
            assert run.process.wait(10) == 1
    assert not (folder / "data/postgres").exists()


def test_an_app_that_does_not_start_ends_everything(folder: Path) -> None:
    with stand_in(folder / "data", STAND_IN="tests.service.stand_in:broken") as run:
        run.says("RuntimeError: this app does not start")
        run.says("service.servers.CannotStart: A worker ended before it took a request")
        assert run.process.wait(10) == 1
    assert not (folder / "data/postgres/postmaster.pid").exists()


def test_a_database_that_does_not_answer_is_told(folder: Path) -> None:
    with stand_in(
        folder / "data", DATABASE_URL="postgresql://127.0.0.1:1/none", REDIS_URL="redis://127.0.0.1:1"
    ) as run:
        run.says("service.servers.CannotStart: The database cannot be brought up to date: ")
        assert run.process.wait(10) == 1


def test_metrics_of_all_workers_are_told_at_one_address(folder: Path) -> None:
    with stand_in(folder / "data", MOGELWERK_METRICS_PORT=str(free_port())) as run:
        metrics = run.says("Metrics at ")
        url = run.says("ready ")
        before = pids(url, 2)

        def told() -> int:
            lines = ask(metrics).text.splitlines()
            return sum(int(float(line.split()[1])) for line in lines if line.startswith("stand_in_asked_total "))

        asked = told()
        assert asked >= 2
        assert [told() for _ in range(10)] == [asked] * 10  # whoever of them answers

        os.kill(min(before), signal.SIGKILL)

        run.says("Worker ")
        assert told() == asked  # what was counted stays counted
        run.process.terminate()
        assert run.process.wait(10) == 0  # removes the folder of the numbers


def test_a_taken_metrics_port_is_told_and_no_reason_not_to_play(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with stand_in(folder / "data", MOGELWERK_METRICS_PORT=str(port)) as run:
            run.says(f"No metrics. Port {port} on 127.0.0.1 is not to be had")
            assert ask(f"{run.says('ready ')}/pid").status_code == 200
            run.process.terminate()
            assert run.process.wait(10) == 0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
