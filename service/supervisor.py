"""The parent of `mogelwerk serve`: holds the data folder and the socket, and keeps everything else running.

It has one thread and no event loop: a child's death signal follows the thread that started it, and forking is safe only
where there is no other.
"""

import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Final

from service.crew import Crew, Metrics
from service.servers import CannotStart
from service.servers.own import backends, own_folder
from service.settings import Settings, from_env

APP: Final = "service.app:create_app"
FIRST_ANSWER: Final = 60.0
LOOKING: Final = 0.1


class Stopped(BaseException):
    """A signal told us to end. No Exception, so that nobody on the way takes it for a failure."""


def serve(env: Mapping[str, str], *, say: Callable[[str], None], ready: Callable[[str], None], app: str = APP) -> None:
    """Until a signal says stop. `say` hears how it goes, `ready` the URL once requests are answered there.

    Raises BadSetting and CannotStart. Another `app` is for tests.
    """
    settings = from_env(env)
    with _until_told(), ExitStack() as stack:
        folder = stack.enter_context(own_folder(settings))  # first: who serves already is a better reason than a port
        listening = stack.enter_context(_listening(settings.host, settings.port, "--port"))
        metrics = _metrics(settings, stack, say)
        own = stack.enter_context(backends(settings, folder, say))
        began = time.monotonic()
        migrate(own.database_url)
        say(f"Tables ready in {time.monotonic() - began:.1f} s")

        urls = {"DATABASE_URL": own.database_url, "REDIS_URL": own.redis_url}
        crew = Crew(app, {**env, **urls}, listening, metrics, say)
        stack.callback(crew.stop)
        crew.start(settings.workers, FIRST_ANSWER)
        ready(settings.public_url or _url(listening))

        while True:
            for server in own.ours:
                if not server.running:
                    say(f"{server.name} has ended and is started again")
                    server.start()
            crew.tend()
            time.sleep(LOOKING)  # no one call waits on every system for a child that ends or for a time


def migrate(database_url: str) -> None:
    """Brings the tables up to date. Raises CannotStart."""
    from asyncpg import InterfaceError, PostgresError
    from sqlalchemy.exc import SQLAlchemyError

    from service.store.migrate import upgrade

    try:
        upgrade(database_url)
    except (OSError, InterfaceError, PostgresError, SQLAlchemyError) as why:
        raise CannotStart(f"The database cannot be brought up to date: {type(why).__name__}: {why}") from why


@contextmanager
def _until_told() -> Iterator[None]:
    """Ends quietly at the first signal; further ones do not disturb the clearing up."""
    told = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        told.append(signal.SIGHUP)

    def stop(number: int, frame: FrameType | None) -> None:
        for each in told:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped

    before = {each: signal.signal(each, stop) for each in told}
    try:
        with suppress(Stopped):
            yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _listening(host: str, port: int, setting: str) -> socket.socket:
    """At once, before anything is started: two that are only bound to a port do not notice each other."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as why:
        reason = (why.strerror or str(why)).partition(" (")[0]  # the address once more
        raise CannotStart(f"Port {port} on {host} is not to be had: {reason}. Choose another with {setting}.") from why


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"


def _metrics(settings: Settings, stack: ExitStack, say: Callable[[str], None]) -> Metrics | None:
    """A second server on this machine finds the port taken, which is no reason not to play."""
    if settings.metrics_port == 0:
        return None
    try:
        listening = _listening(settings.metrics_host, settings.metrics_port, "MOGELWERK_METRICS_PORT")
    except CannotStart as why:
        say(f"No metrics. {why}")
        return None
    stack.enter_context(listening)
    say(f"Metrics at {_url(listening)}/metrics")
    return Metrics(listening, stack.enter_context(tempfile.TemporaryDirectory(prefix="mogelwerk-metrics-")))
