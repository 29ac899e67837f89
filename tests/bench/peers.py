"""What others do on the same Postgres: `eventsourcing`'s recorder, and single inserts by pgbench."""

from __future__ import annotations

import asyncio
import re
import subprocess
import threading
import time
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import asyncpg

from tests.bench.serving import Servers

THREADS: Final = 8
CLIENTS: Final = 32
STATE: Final = b"x" * 350  # bytes, about as large as an envelope
TABLE: Final = """
CREATE TABLE IF NOT EXISTS single (
    match uuid, version int, at timestamptz, received_at timestamptz, by int, tag text, command uuid, envelope text,
    salt bytea, head bytea, seqs int[], heads bytea, PRIMARY KEY (match, version)
)"""
INSERT: Final = (
    "INSERT INTO single VALUES (gen_random_uuid(), 1, now(), now(), 0, 'cheat.claimed', gen_random_uuid(), "
    "repeat('x', 350), decode(repeat('00', 16), 'hex'), decode(repeat('00', 32), 'hex'), '{1,1,1,1,1}', "
    "decode(repeat('00', 160), 'hex'))"
)


class Recorder:
    """`eventsourcing`'s application recorder, one event per save, in threads that each wait for their own."""

    def __init__(self, servers: Servers) -> None:
        from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

        where = urlsplit(servers.database_url)
        self._datastore = PostgresDatastore(
            dbname=where.path.strip("/"),
            host=parse_qs(where.query)["host"][0],
            port=5432,
            user=where.username or "",
            password="",
            pool_size=THREADS,
        )
        self._recorder = PostgresApplicationRecorder(self._datastore)
        self._recorder.create_table()

    def close(self) -> None:
        self._datastore.close()

    def save(self, seconds: float) -> float:
        """Events a second."""
        done, began = [0] * THREADS, time.perf_counter()
        threads = [threading.Thread(target=self._save, args=(done, n, began + seconds)) for n in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(done) / (time.perf_counter() - began)

    def _save(self, done: list[int], number: int, until: float) -> None:
        from eventsourcing.persistence import StoredEvent

        originator = uuid4()
        while time.perf_counter() < until:
            done[number] += 1
            self._recorder.insert_events([StoredEvent(originator, done[number], "cheat:Claimed", STATE)])


async def inserts(servers: Servers, seconds: int) -> tuple[float, str]:
    """Events a second, one per transaction, as fast as 32 clients can; and whose clients they were."""
    connection = await asyncpg.connect(servers.database_url)
    await connection.execute(TABLE)
    await connection.close()
    if (program := servers.programs / "pgbench").exists():
        return await asyncio.to_thread(_pgbench, program, servers, seconds), "pgbench"
    done = await asyncio.gather(*(_insert(servers.database_url, seconds) for _ in range(CLIENTS)))
    return sum(done) / seconds, "asyncpg"


def _pgbench(program: Path, servers: Servers, seconds: int) -> float:
    script = servers.folder.path / "insert.sql"
    script.write_text(INSERT)
    clients = ["-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds), "-f", str(script)]
    ran = subprocess.run([program, *clients, servers.database_url], capture_output=True, text=True, check=True)
    found = re.search(r"tps = ([\d.]+)", ran.stdout)
    assert found is not None, ran.stdout
    return float(found[1])


async def _insert(url: str, seconds: float) -> int:
    connection = await asyncpg.connect(url)
    statement, done, until = await connection.prepare(INSERT), 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        await statement.fetch()
        done += 1
    await connection.close()
    return done
