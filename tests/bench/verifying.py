"""How fast transcripts are verified, on one core: whole, and their chains alone."""

from __future__ import annotations

import time
from typing import Final

from projections.audit.verify import verify
from tests.audit.paper import Paper, Story
from tests.bench.report import Row, Section, rate

NAME: Final = "verifying"
SEATS: Final = 4
MATCHES: Final = 8
TIMES: Final = 7
AIMS: Final = {False: 20_000, True: 250_000}


def run() -> Section:
    stories = (
        Story(game="cheat", luck=luck, seats=SEATS, wild=3, options={"max_turns": 200}) for luck in range(MATCHES)
    )
    papers = [Paper(story) for story in stories]
    files = [paper.lines() for paper in papers]
    events, attempts = sum(len(paper.rows) for paper in papers), sum(len(paper.attempts) for paper in papers)
    size = sum(len(line) for lines in files for line in lines)
    rates: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(TIMES):
        for chain_only, found in rates.items():
            began = time.process_time()
            for lines in files:
                verify(lines, chain_only=chain_only)
            found.append(events / (time.process_time() - began))
    rows = (
        Row(what, rate(rates[which]), f"≥ {AIMS[which]:,}/s", sorted(rates[which])[TIMES // 2] >= AIMS[which])
        for which, what in ((False, "played again, all five viewers' frames made again"), (True, "chains only"))
    )
    return Section(
        NAME,
        "Verifying a transcript",
        f"{MATCHES} matches of Cheat, {SEATS} players, {events:,} events with {attempts:,} attempts, {size:,} bytes, "
        f"in memory; events a second of CPU time, one core; {TIMES} times in turn.",
        tuple(rows),
    )
