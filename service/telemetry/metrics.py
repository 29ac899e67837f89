"""Prometheus metrics. Labels name a game, an outcome, a route or a status: never a match, a player, a token, or what
was done.

The workers' listener adds up the numbers of all processes (``PROMETHEUS_MULTIPROC_DIR``).
"""

from __future__ import annotations

from functools import cache
from typing import Final

import structlog
from prometheus_client import Counter, Gauge, Histogram

_log: Final = structlog.get_logger()
_QUICK: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SLOW: Final = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0)

_ACTIONS: Final = Counter("mogelwerk_actions", "Actions of seats, by what came of them", ["game", "outcome"])
_APPEND_BATCH: Final = Histogram(
    "mogelwerk_append_batch", "Matches written by one statement", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)
_APPEND: Final = Histogram("mogelwerk_append_seconds", "One append statement, round trip and commit", buckets=_QUICK)
_FANOUT: Final = Histogram(
    "mogelwerk_fanout_delay_seconds", "From the commit until Redis had taken its last news", buckets=_QUICK
)
_NEWS: Final = Counter("mogelwerk_fanout", "What became of news on its way through Redis", ["what"])
_LATE: Final = Histogram("mogelwerk_deadline_late_seconds", "How late deadlines were fired", buckets=_SLOW)
_STREAMS: Final = Gauge("mogelwerk_streams", "Open streams", multiprocess_mode="livesum")
_BROKEN: Final = Counter("mogelwerk_broken_logs", "Matches whose log is not as it was written")
_BROKEN_TREE: Final = Counter("mogelwerk_broken_tree", "Looks at a tree that is not as it was signed")
_REQUESTS: Final = Counter("mogelwerk_requests", "Requests answered", ["method", "route", "status"])
_REQUEST: Final = Histogram("mogelwerk_request_seconds", "From first byte to last", ["method", "route"], buckets=_SLOW)


def action(game: str, outcome: str) -> None:
    """An action of a seat came to an ``outcome``: accepted, refused, unavailable."""
    _actions(game, outcome).inc()


def append(batch: int, seconds: float) -> None:
    """One append statement wrote ``batch`` matches."""
    _APPEND_BATCH.observe(batch)
    _APPEND.observe(seconds)


def fanout_delay(seconds: float) -> None:
    _FANOUT.observe(seconds)


def fanout(what: str, more: int) -> None:
    """One of the fan-out's counters went up."""
    _NEWS.labels(what).inc(more)


def deadline_late(seconds: float) -> None:
    """A deadline was fired so long after it was due (its grace taken off)."""
    _LATE.observe(max(seconds, 0.0))


def broken_log() -> None:
    """A process found for the first time that a match's log is not as it was written."""
    _BROKEN.inc()


def broken_tree(what: str) -> None:
    """Something was to be signed, or proved, on a tree that is not as it was signed."""
    _BROKEN_TREE.inc()
    _log.error("broken_tree", what=what)


def streams(delta: int) -> None:
    """Streams opened (1) or closed (-1)."""
    _STREAMS.inc(delta)


def request(method: str, route: str, status: int, seconds: float | None) -> None:
    """``route`` is a template. No seconds: a stream or a long poll, whose length says nothing."""
    _requests(method, route, status).inc()
    if seconds is not None:
        _request(method, route).observe(seconds)


@cache
def _requests(method: str, route: str, status: int) -> Counter:
    return _REQUESTS.labels(method, route, str(status))


@cache
def _request(method: str, route: str) -> Histogram:
    return _REQUEST.labels(method, route)


@cache
def _actions(game: str, outcome: str) -> Counter:
    return _ACTIONS.labels(game, outcome)
