"""Valkey on a socket in the data folder. It carries hints that the log can repeat, so it keeps nothing."""

import os
import signal
import socket
from pathlib import Path
from typing import Final
from urllib.parse import quote

from service.servers import CannotStart, binaries
from service.servers.children import Child, until
from service.servers.folder import Folder

FIRST_ANSWER: Final = 10.0
STOPPING: Final = 0.5


class Valkey:
    name = "Valkey"

    def __init__(self, folder: Folder, *, program: Path | None = None) -> None:
        """`program` where it shall not be looked for."""
        self._folder = folder
        self._program = program
        self._child: Child | None = None

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self._socket))}"

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.running

    def start(self) -> None:
        """Returns when it answers. Raises CannotStart."""
        program = str(binaries.valkey(self._folder, self._program))
        place = ["--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"]
        nothing_kept = ["--save", "", "--appendonly", "no", "--dir", str(self._folder.sockets)]
        log = self._folder.path / "valkey.log"
        with log.open("wb") as output:
            # A Valkey that shuts down in good order removes its socket, which may be the next one's by then.
            self._child = Child(
                [program, *place, *nothing_kept],
                death=signal.SIGKILL,
                env={"LC_ALL": "C", "PATH": os.environ.get("PATH", os.defpath)},
                user=self._folder.user,
                output=output,
            )
        until(lambda: self._answers() or not self.running, FIRST_ANSWER)
        if not self._answers():
            self.stop()
            raise CannotStart(f"Valkey does not start. {log} ends with:\n{log.read_text(errors='replace')[-1500:]}")

    def stop(self) -> None:
        if self._child is not None:
            self._child.end(signal.SIGTERM, within=STOPPING)

    @property
    def _socket(self) -> Path:
        return self._folder.sockets / "valkey.sock"

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as trying:
            return self.running and trying.connect_ex(str(self._socket)) == 0
