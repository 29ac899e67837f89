"""A wire between a client and a server, which can be cut, and can lose what comes back."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    """``lose``: so many requests more reach the server, and their answers nobody."""

    def __init__(self, listening: socket.socket, port: int) -> None:
        self.lose = 0
        self.made = 0
        self._listening = listening
        self._to = ("127.0.0.1", port)
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def cut(self) -> None:
        """Whatever goes through it now."""
        while self._open:
            _hang_up(self._open.pop())

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._to)
                self.made += 1
                self._open += [client, server]
                threading.Thread(target=self._pass_on, args=(client, server, False), daemon=True).start()
                threading.Thread(target=self._pass_on, args=(server, client, True), daemon=True).start()

    def _pass_on(self, there: socket.socket, back: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while chunk := there.recv(65536):
                if answers and self.lose:
                    self.lose -= 1
                    break
                back.sendall(chunk)
        _hang_up(there)
        _hang_up(back)


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        through = Wire(listening, port)
        yield through
        through.cut()


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
