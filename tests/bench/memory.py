"""What stays in memory: for a stream that waits, and for a match that a process knows."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from typing import Final

import psutil

from service.runtime.books import Entry, _begin, _fold
from service.store.rows import EventRow
from tests.bench.crowd import SEATS, Crowd
from tests.bench.lean import Stream
from tests.bench.paper import Paper
from tests.bench.report import Row, Section, kb
from tests.bench.serving import Service, servers, service

NAME: Final = "memory"
TABLES: Final = 50
STREAMS: Final = 1000
MATCHES: Final = 200
EVENTS: Final = 300


def run() -> Section:
    with servers() as backends, service(backends) as own:
        stream, share = asyncio.run(_idle_streams(own))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
        resident, traced = fresh.submit(_cached).result()
    return Section(
        NAME,
        "Memory",
        f"Streams: what a worker's resident memory grows by with {STREAMS:,} of them, over HTTP, {STREAMS // TABLES} "
        f"on each of {TABLES} matches, and its CPU over 10 s in which nothing happens. Matches: {MATCHES} of {SEATS} "
        f"seats, folded from logs of {EVENTS} events, with the states behind them that a process keeps.",
        (
            Row("an idle stream", kb(stream), "≤ 40 kB", met=stream <= 40_000),
            Row("CPU of an idle stream", f"{share * 1e6:.0f} µs/s"),
            Row("a match in the cache, resident", kb(resident)),
            Row("a match in the cache, traced", kb(traced)),
        ),
    )


async def _idle_streams(own: Service) -> tuple[float, float]:
    """Bytes of one, and its share of a core."""
    crowd = Crowd(own.port)
    await crowd.sit_down(TABLES)
    await crowd.listen()  # what the first ones need, all have
    await asyncio.sleep(1)
    before = own.memory()
    seats = list(crowd.seats)
    more = []
    for n in range(STREAMS):
        seat = seats[n % len(seats)]
        path = f"/v1/matches/{seat.table.match}/stream"
        more.append(await Stream.open(own.port, path, seat.token, seat.told, lambda kind, data: None))
    await asyncio.sleep(2)
    grown = own.memory() - before
    busy = own.cpu()
    await asyncio.sleep(10)
    busy = own.cpu() - busy
    for stream in more:
        stream.close()
    await crowd.hang_up()
    return grown / STREAMS, busy / 10 / (STREAMS + len(seats))


def _cached() -> tuple[float, float]:
    """Bytes of a match: resident, and as Python's allocator counts them."""
    paper = Paper()
    paper.play(EVENTS)
    rows = paper.rows
    kept = [_entry(paper, rows)]
    gc.collect()
    process = psutil.Process()
    before = process.memory_info().rss
    kept += [_entry(paper, rows) for _ in range(MATCHES)]
    gc.collect()
    resident = process.memory_info().rss - before
    tracemalloc.start()
    kept += [_entry(paper, rows) for _ in range(20)]
    gc.collect()
    return resident / MATCHES, tracemalloc.get_traced_memory()[0] / 20


def _entry(paper: Paper, rows: list[EventRow]) -> Entry:
    book, before = asyncio.run(_fold(_begin(paper.stream()), rows))
    return Entry(book, paper.seed, before)
