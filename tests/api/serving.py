"""The application on a free port of this machine, served as it is served in earnest."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from litestar import Litestar
from msgspec import Struct

from service.app import create_app
from service.protocol import Bounded
from service.settings import Limits, Rate, Settings

PLENTY = Rate(10_000, 100_000)
UNLIMITED = Limits(PLENTY, PLENTY, PLENTY, PLENTY, PLENTY, PLENTY)


class Served(Struct, frozen=True):
    url: str
    app: Litestar
    port: int


@contextmanager
def serving(settings: Settings) -> Iterator[Served]:
    app = create_app(settings)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, http=Bounded, ws="none", lifespan="on", server_header=False, access_log=False, log_config=None
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server ended before it took a request"
        port = listening.getsockname()[1]
        yield Served(f"http://127.0.0.1:{port}", app, port)
    finally:
        app.state.shutdown()
        server.should_exit = True
        thread.join(10)
        listening.close()
