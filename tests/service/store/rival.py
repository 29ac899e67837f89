"""A process that plays all matches at once, against another that does the same: `python -m tests.service.store.rival`.

Reads ``{url, matches, words, seed}`` as a line of JSON, says ``ready``, and begins at the next line. Both use the same
keys, in each match in another order. Every wave asks for all matches together, in a shuffled order, one batch; a
refusal is as good a command as a play. Writes what it was told as JSON: ``{taken, used, batches, failed, backwards}``.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from uuid import UUID, uuid4

from msgspec.structs import replace

from service.store.appender import Batch
from service.store.engine import Store
from service.store.rows import Append, Outcome
from tests.service.store.story import append, attempt, soon


def command(match: UUID, version: int, tried: int, word: str, events: int) -> Append:
    """Its attempt says what it expected, so that afterwards one can see whether it was so."""
    asked = append(match, version, events=events, tried=tried, word=word, not_after=soon(30), due=soon())
    made = uuid4() if not asked.events else asked.events[0].command
    record = json.dumps({"version": version, "events": events})
    said = replace(attempt(match, tried + 1, made), record=record)
    return replace(asked, attempts=(said,), tries=record)


async def play(url: str, matches: list[UUID], words: int, seed: int) -> dict[str, object]:
    luck = random.Random(seed)
    batches: list[Batch] = []
    store = await Store.open(url, observe=batches.append)
    known = await store.log.versions(matches)
    left = {match: luck.sample(range(words), words) for match in matches}
    taken: list[tuple[str, str]] = []
    used = backwards = 0
    print("ready", flush=True)  # noqa: T201
    sys.stdin.readline()

    async def one(match: UUID) -> Outcome:
        word, events = f"k{left[match][-1]}", luck.choice((0, 1, 2, 3))
        outcome = await store.append(command(match, *known[match], word, events))
        if outcome is Outcome.TAKEN:
            taken.append((str(match), word))
            known[match] = known[match][0] + events, known[match][1] + 1
        if outcome is not Outcome.MOVED:
            left[match].pop()
        return outcome

    while unfinished := [match for match in matches if left[match]]:
        luck.shuffle(unfinished)
        outcomes = await asyncio.gather(*map(one, unfinished))
        used += outcomes.count(Outcome.KEY_USED)
        for match, now in (await store.log.versions(matches)).items():
            backwards += now < known[match]
            known[match] = now
    await store.close()
    failed = sum(not batch.answered for batch in batches)
    sizes = [batch.matches for batch in batches]
    return {"taken": taken, "used": used, "batches": sizes, "failed": failed, "backwards": backwards}


if __name__ == "__main__":
    asked = json.loads(sys.stdin.readline())
    told = asyncio.run(play(asked["url"], [UUID(it) for it in asked["matches"]], asked["words"], asked["seed"]))
    json.dump(told, sys.stdout)
