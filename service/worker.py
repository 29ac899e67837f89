"""One worker process: the app, on the socket that its parent has opened."""

import gc
import os
import socket
import threading
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from importlib import import_module
from typing import Final, Protocol

import msgspec
import uvicorn
from litestar import Litestar
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import MetricsHandler
from prometheus_client.multiprocess import MultiProcessCollector

from service.crew import INHERITED, Inherited
from service.protocol import Bounded
from service.settings import Settings, from_env

OPEN_REQUESTS: Final = 2  # seconds that they get when we stop: whole ones, so uvicorn will have it
# When garbage is looked for. Matches in memory are many small values without cycles, which a look at all of them
# finds again and again: at Python's usual (700, 10, 10) that is a sixth of a busy worker's time.
RARELY: Final = (20_000, 20, 50)


class CreateApp(Protocol):
    """``state.shutdown()`` of the app lets its streams end at once."""

    def __call__(self, settings: Settings) -> Litestar: ...


class Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, app: Litestar, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Our own streams first: uvicorn waits for open connections, and a stream does not end by itself."""
        self._app.state.shutdown()
        await super().shutdown(sockets)


def main() -> None:
    inherited = msgspec.json.decode(os.environ.pop(INHERITED), type=Inherited)
    settings = from_env(os.environ)
    module, _, name = inherited.app.partition(":")
    create_app: CreateApp = getattr(import_module(module), name)
    app = create_app(settings)
    if inherited.metrics is not None:
        metrics = socket.socket(fileno=inherited.metrics)
        threading.Thread(target=_tell_metrics, args=(metrics,), daemon=True).start()
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=Bounded,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=OPEN_REQUESTS,
        proxy_headers=False,  # whom to believe is for settings.trusted_proxies
        server_header=False,
        access_log=False,  # the app writes its own
        log_config=None,
    )
    gc.freeze()  # what was imported stays
    gc.set_threshold(*RARELY)
    Server(config, app, lambda: _say_ready(inherited.ready)).run([socket.socket(fileno=inherited.listening)])


def _say_ready(to: int) -> None:
    os.write(to, b".")
    os.close(to)


def _tell_metrics(listening: socket.socket) -> None:
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    handler = MetricsHandler.factory(registry)
    server = ThreadingHTTPServer(listening.getsockname()[:2], handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    server.serve_forever()


if __name__ == "__main__":
    main()
