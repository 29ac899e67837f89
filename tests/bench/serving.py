"""The servers and the service, each a process of its own, as they run in earnest: fsync on, default middleware."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil
from msgspec import Struct

from service import supervisor
from service.servers.binaries import postgres as postgres_programs
from service.servers.folder import Folder, prepared
from service.servers.postgres import Postgres
from service.servers.valkey import Valkey
from tests.backends import short_folder

READY: Final = "ready "
UNLIMITED: Final = {
    f"MOGELWERK_LIMIT_{name}": "1000000/s:1000000"
    for name in ("TOKEN", "ADDRESS", "ACTIONS", "ACCOUNTS", "MATCHES", "CODES")
}
"""The limiter works, and has nothing to say against a benchmark."""


class Servers(Struct, frozen=True):
    folder: Folder
    database_url: str
    redis_url: str

    @property
    def programs(self) -> Path:
        """Of Postgres: initdb, pgbench."""
        return postgres_programs(self.folder)

    def cpu(self) -> dict[str, float]:
        """Seconds of a core that the servers' processes have used."""
        own = psutil.Process().children(recursive=True)
        return {"Postgres": sum(_of(own, "postgres")), "Valkey": sum(_of(own, "valkey"))}


class Service(Struct, frozen=True):
    """One worker, under its supervisor."""

    url: str
    worker: psutil.Process

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def cpu(self) -> float:
        return _cpu(self.worker)

    def memory(self) -> int:
        """Bytes that are its own or shared, and in RAM."""
        return int(self.worker.memory_info().rss)


@contextmanager
def servers(**options: str) -> Iterator[Servers]:
    """A Postgres and a Valkey on a new folder. ``options`` of Postgres beside its defaults."""
    with short_folder() as place:
        folder = prepared(place / "data")
        postgres, valkey = Postgres(folder, options=options), Valkey(folder)
        try:
            postgres.start()
            valkey.start()
            yield Servers(folder, postgres.url, valkey.url)
        finally:
            valkey.stop()
            postgres.stop()


@contextmanager
def service(backends: Servers, app: str = supervisor.APP, env: Mapping[str, str] | None = None) -> Iterator[Service]:
    """What `mogelwerk serve` runs, on a free port."""
    where = {
        "DATABASE_URL": backends.database_url,
        "REDIS_URL": backends.redis_url,
        "MOGELWERK_HOST": "127.0.0.1",
        "MOGELWERK_PORT": "0",
        "MOGELWERK_METRICS_PORT": str(_free_port()),
    }
    log = backends.folder.path / f"{app.replace(':', '.')}.log"
    with log.open("wb") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.serving", app],
            env={**os.environ, **where, **UNLIMITED, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith(READY):
                workers = psutil.Process(process.pid).children()
                yield Service(line.removeprefix(READY).strip(), workers[0])
                return
        raise RuntimeError(f"the service does not start:\n{log.read_text()[-2000:]}")
    finally:
        process.terminate()
        process.wait(15)


def _cpu(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


def _of(processes: Iterable[psutil.Process], name: str) -> Iterator[float]:
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # Postgres ends what vacuums
            if name in process.name():
                yield _cpu(process)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


if __name__ == "__main__":
    supervisor.serve(
        os.environ,
        say=lambda text: print(text, flush=True),
        ready=lambda url: print(READY + url, flush=True),
        app=sys.argv[1],
    )
