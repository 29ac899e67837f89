"""Postgres on a socket in the data folder: no port, no password, for whoever may enter the folder."""

import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from service.servers import CannotStart, binaries
from service.servers.children import Child, until
from service.servers.folder import Folder, private

PATIENCE: Final = 10.0  # seconds for an old postmaster, or backends it left behind, to be gone from the folder
FIRST_ANSWER: Final = 60.0  # seconds to get ready; after a crash it first reads its journal again
STOPPING: Final = 0.6  # seconds for each way of asking

OLD_ONE_STILL_THERE: Final = re.compile(r'lock file ".*" already exists|pre-existing shared memory block')


class Postgres:
    """Loses no row that was answered, whatever is killed: fsync stays on."""

    name = "Postgres"

    def __init__(
        self, folder: Folder, *, programs: Path | None = None, options: Mapping[str, str] | None = None
    ) -> None:
        """`programs` where they shall not be looked for; `options` for tests, whose rows need not last."""
        self._folder = folder
        self._programs = programs
        self._options = options or {}
        self._child: Child | None = None

    @property
    def url(self) -> str:
        return f"postgresql://mogelwerk@/postgres?host={quote(str(self._folder.sockets), safe='')}"

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.running

    def start(self) -> None:
        """Returns when it answers. Raises CannotStart."""
        programs = binaries.postgres(self._folder, self._programs)
        if not self._folder.postgres.exists():
            self._make(programs)
        patient_until = time.monotonic() + PATIENCE
        while complaint := self._try(programs):
            if not OLD_ONE_STILL_THERE.search(complaint) or time.monotonic() > patient_until:
                raise CannotStart(f"Postgres does not start. {self._log} ends with:\n{complaint}")
            time.sleep(0.1)  # the old one is not our child: nothing tells when it is gone

    def stop(self) -> None:
        if self._child is not None:
            self._child.end(signal.SIGINT, signal.SIGQUIT, within=STOPPING)  # fast; at once

    @property
    def _log(self) -> Path:
        return self._folder.path / "postgres.log"

    def _make(self, programs: Path) -> None:
        """Under another name until it is whole: a start may be killed in the middle."""
        unfinished = self._folder.path / "postgres.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        private(unfinished, self._folder.user)
        initdb = [str(programs / "initdb"), "-D", str(unfinished), "--username=mogelwerk"]
        safe = "--no-sync" if self._options.get("fsync") == "off" else "--data-checksums"
        made, said = self._run(
            [
                *initdb,
                "--encoding=UTF8",
                "--no-locale",
                "--auth-local=trust",
                "--auth-host=reject",
                "--no-instructions",
                safe,
            ]
        )
        if not until(lambda: not made.running, FIRST_ANSWER) or made.exit_code != 0:
            made.end(within=0)
            raise CannotStart(f"Postgres cannot make its files. {self._log} ends with:\n{said()}")
        unfinished.rename(self._folder.postgres)

    def _try(self, programs: Path) -> str:
        """Nothing when it answers, else what it said instead."""
        server = [str(programs / "postgres"), "-D", str(self._folder.postgres), "-k", str(self._folder.sockets)]
        options = {"listen_addresses": "", "timezone": "UTC", "log_checkpoints": "off"} | dict(self._options)
        self._child, said = self._run(
            [*server, *(word for name in options for word in ("-c", f"{name}={options[name]}"))]
        )
        until(lambda: self._answers() or not self.running, FIRST_ANSWER)
        if self._answers():
            return ""
        self.stop()
        return said() or "nothing"

    def _run(self, command: list[str]) -> tuple[Child, Callable[[], str]]:
        with self._log.open("ab") as log:
            before = log.tell()
            # Not our environment: it has secrets, and PG… variables that mean another server.
            env = {"LC_ALL": "C", "PATH": os.environ.get("PATH", os.defpath)}
            child = Child(command, death=signal.SIGINT, env=env, user=self._folder.user, output=log)

        def said() -> str:
            return self._log.read_bytes()[before:].decode(errors="replace")[-1500:].strip()

        return child, said

    def _answers(self) -> bool:
        try:
            lines = (self._folder.postgres / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return (
            self.running
            and self._child is not None
            and "".join(lines[7:8]).strip() == "ready"
            and lines[0] == str(self._child.pid)
        )
