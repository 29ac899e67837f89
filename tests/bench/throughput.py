"""Accepted actions a second: through HTTP, commit and fan-out, against doing nothing, and against others' stores."""

from __future__ import annotations

import asyncio
import statistics
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tests.bench.crowd import Crowd
from tests.bench.lean import Connection, request
from tests.bench.noop import ANSWER
from tests.bench.peers import CLIENTS, THREADS, Recorder, inserts
from tests.bench.report import Row, Section, rate, ratio, us
from tests.bench.serving import Servers, Service, servers, service

NAME: Final = "throughput"
TABLES: Final = 50
ROUNDS: Final = 7
SECONDS: Final = 3.0
OF_OTHERS: Final = 2  # seconds
LINES: Final = 100  # connections to the service that does nothing
AIMS: Final = {"nothing": 0.35, "eventsourcing": 2.5}
IDLE: Final = "worker that does nothing"
BARE: Final = "bare worker that does nothing"
PAIR: Final = "two workers"
SAID: Final = b'{"type":"cheat.play","cards":["7H"],"rank":"7"}'


class Rounds:
    """What each round found, by who worked in it."""

    def __init__(self) -> None:
        self.rates: dict[str, list[float]] = {}
        self.cpu: dict[str, list[float]] = {}  # seconds of a core for one action
        self.waits: list[float] = []

    def against(self, other: str, own: str = "Mogelwerk") -> list[float]:
        return [ours / theirs for ours, theirs in zip(self.rates[own], self.rates[other], strict=True)]

    def add(self, who: str, rate: float) -> None:
        self.rates.setdefault(who, []).append(rate)

    def spent(self, before: dict[str, float], after: dict[str, float], actions: int) -> None:
        for who, used in after.items():
            self.cpu.setdefault(who, []).append((used - before[who]) / actions)


def run() -> Section:
    with ExitStack() as stack:
        backends = stack.enter_context(servers())
        answer = backends.folder.path / "answer.json"
        own = stack.enter_context(service(backends, "tests.bench.noop:create_app", {ANSWER: str(answer)}))
        bare = stack.enter_context(service(backends, "tests.bench.noop:create_bare", {ANSWER: str(answer)}))
        pair = stack.enter_context(service(backends, env={"MOGELWERK_WORKERS": "2"}))
        return asyncio.run(_run(backends, own, bare, pair, answer, stack))


async def _run(
    backends: Servers, own: Service, bare: Service, pair: Service, answer: Path, stack: ExitStack
) -> Section:
    crowd, others, found = Crowd(own.port), Crowd(pair.port), Rounds()
    for each in (crowd, others):
        await each.sit_down(TABLES)
        await each.listen()
        await each.play(SECONDS)  # warm
        await each.hang_up()
    size = statistics.median_low(len(body) for body in crowd.bodies)
    typical = next(body for body in crowd.bodies if len(body) == size)
    await asyncio.to_thread(answer.write_bytes, typical)
    recorder = Recorder(backends)
    stack.callback(recorder.close)
    crowd.waits.clear()
    crowd.answers.clear()
    for _ in range(ROUNDS):
        whose = await _round(found, crowd, others, own, bare, backends, recorder)
    streams = len(list(crowd.seats))
    refused = sum(crowd.answers.values()) - crowd.accepted
    return Section(
        NAME,
        "Actions through HTTP, commit and fan-out",
        f"{TABLES} matches of 4 seats, {streams} open streams, one worker with its default middleware, clients in "
        f"another process that act as soon as they are offered something; {ROUNDS} rounds of {SECONDS:.0f} s, in turn "
        f"with the others. Nothing: a POST that decodes an action and encodes an answer of {size:,.0f} bytes, in the "
        f"same worker and behind the same middleware, with {LINES} connections; bare, the same in a worker of "
        "Litestar's that has neither log nor metrics. Two workers: as many matches and clients of their own. "
        f"eventsourcing: its Postgres recorder, one event per save, {THREADS} threads. "
        f"Inserts: one row per transaction, {CLIENTS} clients of {whose}.",
        (
            Row("accepted actions", rate(found.rates["Mogelwerk"])),
            _aimed(found, "nothing"),
            _aimed(found, "eventsourcing"),
            Row("against nothing, bare", ratio(found.against("nothing, bare"))),
            Row("against single inserts", ratio(found.against("inserts"))),
            Row("two workers against eventsourcing", ratio(found.against("eventsourcing", own=PAIR))),
            *(Row(f"{who}, on its own", rate(rates)) for who, rates in found.rates.items() if who != "Mogelwerk"),
            *(Row(f"CPU of an action, {who}", us(used)) for who, used in found.cpu.items()),
            Row("answer after, median, as busy as that", us(crowd.waits)),
            Row("answers other than 201", f"{refused} of {sum(crowd.answers.values()):,}"),
        ),
        _note(found),
    )


def _aimed(found: Rounds, other: str) -> Row:
    ratios, least = found.against(other), AIMS[other]
    return Row(f"against {other}", ratio(ratios), f"≥ {least}", met=statistics.median(ratios) >= least)


def _note(found: Rounds) -> str:
    wanted = max(least * statistics.median(found.rates[other]) for other, least in AIMS.items())
    return (
        f"One core of the worker is the limit. The aims come to {wanted:,.0f} actions/s, or {1e6 / wanted:.0f} µs of "
        f"that core for each; doing nothing takes {us(found.cpu[IDLE])} of it."
    )


async def _round(
    found: Rounds,
    crowd: Crowd,
    others: Crowd,
    own: Service,
    bare: Service,
    backends: Servers,
    recorder: Recorder,
) -> str:
    def used() -> dict[str, float]:
        return {"worker": own.cpu(), **backends.cpu(), "clients": time.process_time()}

    await crowd.listen()
    before = used()
    done, took = await crowd.play(SECONDS)
    found.spent(before, used(), done)
    await crowd.hang_up()
    found.add("Mogelwerk", done / took)

    for what, who, which in (("nothing", IDLE, own), ("nothing, bare", BARE, bare)):
        busy = which.cpu()
        done, took = await _nothing(which.port)
        found.spent({who: busy}, {who: which.cpu()}, done)
        found.add(what, done / took)

    await others.listen()
    done, took = await others.play(SECONDS)
    await others.hang_up()
    found.add(PAIR, done / took)

    found.add("eventsourcing", await asyncio.to_thread(recorder.save, OF_OTHERS))
    rate, whose = await inserts(backends, OF_OTHERS)
    found.add("inserts", rate)
    return whose


async def _nothing(port: int) -> tuple[int, float]:
    """Answers of the service that does nothing, and in how many seconds."""
    lines = [Connection(port) for _ in range(LINES)]
    asked, done, going = request("POST", "/noop", body=SAID), 0, True

    def go_on(line: Connection) -> None:
        def answered(status: int, _: bytes) -> None:
            nonlocal done
            assert status == 201
            done += 1
            if going:
                line.send(asked)

        line.answered = answered
        line.send(asked)

    began = time.perf_counter()
    for line in lines:
        go_on(line)
    await asyncio.sleep(OF_OTHERS)
    found, took, going = done, time.perf_counter() - began, False
    await asyncio.sleep(0.1)
    for line in lines:
        line.close()
    return found, took
