"""Two processes that append to the same matches all the time."""

import asyncio
import json
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from service.store.engine import Store
from service.store.rows import Outcome
from tests.service.store.story import opening

ROOT = Path(__file__).parents[3]
MATCHES, WORDS = 50, 40


async def rival(database: str, matches: list[str], seed: int, ready: asyncio.Barrier) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.service.store.rival",
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**20,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asked = {"url": database, "matches": matches, "words": WORDS, "seed": seed}
    process.stdin.write(json.dumps(asked).encode() + b"\n")
    assert await process.stdout.readline() == b"ready\n"
    await ready.wait()
    process.stdin.write(b"go\n")
    said, _ = await process.communicate()
    assert process.returncode == 0
    told: dict[str, Any] = json.loads(said)
    return told


async def test_two_processes_with_fifty_matches_in_every_batch(store: Store, database: str) -> None:
    """No deadlock, no hole, nothing by halves, no refusal from an old state, no read that goes backwards, and a key
    that comes in both processes at once is bound by one of them."""
    news = [opening() for _ in range(MATCHES)]
    for new in news:
        assert await store.create(new) is Outcome.TAKEN
    matches = [new.match for new in news]

    ready = asyncio.Barrier(2)
    rivals = await asyncio.gather(*(rival(database, [str(it) for it in matches], seed, ready) for seed in (1, 2)))

    assert [it["failed"] for it in rivals] == [0, 0]  # a deadlock would be a failed batch
    assert [it["backwards"] for it in rivals] == [0, 0]
    assert [statistics.median(it["batches"]) for it in rivals] == [MATCHES, MATCHES]
    assert all(it["taken"] for it in rivals)
    bound = Counter((match, word) for it in rivals for match, word in it["taken"])
    assert bound == {(str(match), f"k{n}"): 1 for match in matches for n in range(WORDS)}
    assert sum(it["used"] for it in rivals) == MATCHES * WORDS

    versions = await store.log.versions(matches)
    for match in matches:
        log, tries = await store.log.events(match), await store.log.attempts(match, 0)
        assert [it.version for it in log] == list(range(1, len(log) + 1))
        assert [it.n for it in tries] == list(range(1, WORDS + 1))
        assert versions[match] == (len(log), WORDS)
        at = 1
        for it in tries:  # in the order in which they were taken: each found what it expected, and made all it made
            expected = json.loads(it.record)
            assert expected["version"] == at
            made = [event.version for event in log if event.command == it.command]
            assert made == list(range(at + 1, at + 1 + expected["events"]))
            at += expected["events"]
        assert at == len(log)
        stream = await store.log.stream(match)
        assert stream is not None
        assert stream.head == log[-1].head
        assert stream.tries == tries[-1].record
