"""How fast a log is read: folded for the rules and every viewer, and its chains made again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from domain import history
from domain.match.envelope import log_head, next_log_head
from projections import evidence
from projections.views.match import redact
from service.runtime.books import _begin, _fold
from service.store.rows import EventRow
from tests.bench.crowd import SEATS
from tests.bench.paper import Paper
from tests.bench.report import Row, Section, rate

NAME: Final = "folding"
EVENTS: Final = 2000
TIMES: Final = 5


def run() -> Section:
    paper = Paper()
    paper.play(EVENTS)
    cases: dict[str, Callable[[Paper], None]] = {
        "fold: rules, and five viewers": fold,
        "decode": decode,
        "verify the log's chain": verify_log,
        "verify the log's and five viewers' chains": verify_all,
    }
    rates: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(TIMES):
        for name, case in cases.items():
            began = time.perf_counter()
            case(paper)
            rates[name].append(len(paper.rows) / (time.perf_counter() - began))
    return Section(
        NAME,
        "Folding and verifying",
        f"A log of {len(paper.rows):,} events of a match of {SEATS} seats, in memory; one core; {TIMES} times in turn.",
        tuple(Row(name, rate(found)) for name, found in rates.items()),
    )


def fold(paper: Paper) -> None:
    book, _ = asyncio.run(_fold(_begin(paper.stream()), paper.rows))
    assert book.head == paper.book.head


def decode(paper: Paper) -> None:
    for row in paper.rows:
        history.read(paper.book.view.game, row.envelope)


def verify_log(paper: Paper) -> None:
    head = log_head(str(paper.match))
    for row in paper.rows:
        head = next_log_head(head, row.salt, row.envelope.encode())
        assert head == row.head


def verify_all(paper: Paper) -> None:
    """As an auditor would who trusts only the envelopes."""
    verify_log(paper)
    view, match = paper.book.view, str(paper.match)
    heads = [evidence.viewer_head(match, evidence.viewer_name(n, SEATS)) for n in range(SEATS + 1)]
    seqs = [0] * len(heads)
    for row in paper.rows:
        event = history.read(view.game, row.envelope).event
        for index in range(len(heads)):
            told = redact(view, event, paper.book.viewer(index))
            if told is not None:
                seqs[index] += 1
                core = evidence.encode(evidence.Told(seqs[index], row.at, told))
                heads[index] = evidence.next_viewer_head(heads[index], core)
        _same(row, seqs, heads)


def _same(row: EventRow, seqs: list[int], heads: list[bytes]) -> None:
    assert row.seqs == tuple(seqs)
    assert row.heads == b"".join(heads)
