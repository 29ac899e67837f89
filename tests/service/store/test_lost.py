"""A connection that is lost in the middle: nobody is told what is not so, and nothing is written twice."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from service.store.appender import WRITERS, Batch
from service.store.engine import Store
from service.store.rows import Outcome, OutcomeUnknown, Unavailable
from tests.service.store.story import ANNA, append, opening, refusal, soon
from tests.service.store.wire import Cut, Wire


@pytest.fixture
async def wire(database: str, folder: Path) -> AsyncIterator[Wire]:
    async with Wire(database, folder).open() as wire:
        yield wire


@pytest.fixture
async def batches() -> list[Batch]:
    return []


@pytest.fixture
async def store(wire: Wire, batches: list[Batch]) -> AsyncIterator[Store]:
    """Over a wire that can be cut."""
    store = await Store.open(wire.url, observe=batches.append)
    yield store
    await store.close()


async def test_a_batch_is_one_round_trip_however_many_matches_are_in_it(
    store: Store, wire: Wire, batches: list[Batch]
) -> None:
    news = [opening() for _ in range(60)]
    for new in news:
        await store.create(new)
    for number in (1, 2, 60):
        wire.round_trips = 0
        batches.clear()
        at = (await store.log.versions([new.match for new in news[:number]])).items()
        assert wire.round_trips == 1  # and so is a look at the versions
        plays = (append(match, version, events=2, tried=tried, attempts=1, word=f"{number}", due=soon())
                 for match, (version, tried) in at)  # fmt: skip
        assert set(await asyncio.gather(*map(store.append, plays))) == {Outcome.TAKEN}
        assert [batch.matches for batch in batches] == [number]
        assert wire.round_trips == 1 + 1


async def test_reads_of_the_log_are_one_round_trip_each(store: Store, wire: Wire, match: UUID) -> None:
    await store.log.stream(match)  # prepares
    for read in (
        lambda: store.log.stream(match),
        lambda: store.log.events(match),
        lambda: store.log.told(match, 0, 0, 10),
        lambda: store.log.key(ANNA, "", "k"),
    ):
        await read()
        wire.round_trips = 0
        await read()
        assert wire.round_trips == 1


async def test_what_was_written_when_the_answer_got_lost_is_found_to_have_happened(
    store: Store, wire: Wire, match: UUID
) -> None:
    play, no = append(match, 1, events=2, attempts=1, word="k"), refusal(match, 3, 1)
    for asked in (play, no):
        wire.cut = Cut.BEFORE_IT_IS_ANSWERED
        with pytest.raises(OutcomeUnknown):
            await store.append(asked)

    assert await store.log.happened(match, play.events[0].command) == (2, 3)
    assert await store.log.attempted(match, no.attempts[0].command) == no.attempts[0]
    assert await store.log.versions([match]) == {match: (3, 2)}  # each of them once
    assert await store.append(append(match, 3, tried=2, word="k")) is Outcome.KEY_USED


async def test_what_got_lost_on_the_way_is_found_not_to_have_happened(store: Store, wire: Wire, match: UUID) -> None:
    play = append(match, 1, attempts=1, word="k")
    wire.cut = Cut.BEFORE_IT_IS_ASKED
    with pytest.raises(OutcomeUnknown):
        await store.append(play)

    assert await store.log.happened(match, play.events[0].command) is None
    assert await store.log.attempted(match, play.events[0].command) is None
    assert await store.append(play) is Outcome.TAKEN


async def test_who_was_not_in_the_lost_batch_is_written_on_another_connection(
    store: Store, wire: Wire, match: UUID
) -> None:
    [other] = [opening()]
    await store.create(other)
    wire.cut = Cut.BEFORE_IT_IS_ASKED
    outcomes: list[Outcome | None] = []
    for play in (append(match, 1), append(match, 1), append(other.match, 1)):
        try:
            outcomes.append(await store.append(play))
        except OutcomeUnknown:
            outcomes.append(None)

    assert outcomes == [None, Outcome.TAKEN, Outcome.TAKEN]


async def test_a_new_match_whose_answer_got_lost_is_there_or_is_not(store: Store, wire: Wire) -> None:
    """Lost at the first of its statements, and at the last, which is the commit."""
    await store.create(opening())  # prepares
    wire.round_trips = 0
    await store.create(opening())
    last = wire.round_trips - 1
    for cut, spared, there in (
        (Cut.BEFORE_IT_IS_ASKED, 0, False),
        (Cut.BEFORE_IT_IS_ANSWERED, 0, False),
        (Cut.BEFORE_IT_IS_ASKED, last, False),
        (Cut.BEFORE_IT_IS_ANSWERED, last, True),
    ):
        await store.create(opening())  # so that the pool's connection is one that has prepared all
        new = opening(word=f"{cut} {spared}")
        wire.cut, wire.spared = cut, spared
        with pytest.raises(OutcomeUnknown):
            await store.create(new)
        assert (await store.log.stream(new.match) is not None) == there
        assert await store.create(new) is (Outcome.KEY_USED if there else Outcome.TAKEN)


async def test_reads_over_a_wire_that_was_cut_are_unavailable_and_then_work(
    store: Store, wire: Wire, match: UUID
) -> None:
    for cut in Cut:
        wire.cut = cut
        with pytest.raises(Unavailable):
            await store.log.stream(match)
        assert await store.log.stream(match) is not None


async def test_a_connection_that_is_about_to_go_is_not_used_again(store: Store, wire: Wire, match: UUID) -> None:
    await store.log.stream(match)
    wire.say_last_words()
    await asyncio.sleep(0.05)  # heard by all
    with pytest.raises(Unavailable):
        await store.log.stream(match)
    for _ in range(WRITERS):
        with pytest.raises(Unavailable):
            await store.append(append(match, 1))

    assert await store.log.stream(match) is not None
    assert await store.append(append(match, 1)) is Outcome.TAKEN


async def test_who_was_never_sent_is_told_so(store: Store, wire: Wire, match: UUID) -> None:
    """Postgres says nothing: those whose statements are on the wire cannot know, all behind them can."""
    news = [opening() for _ in range(5)]
    for new in news:
        await store.create(new)
    wire.idle.clear()
    asked = []
    for new in news:
        asked.append(asyncio.ensure_future(store.append(append(new.match, 1, not_after=soon(0.3)))))
        await asyncio.sleep(0.01)  # apart, so that each is a batch of its own
    told = await asyncio.gather(*asked, return_exceptions=True)
    wire.idle.set()

    assert [type(it) for it in told] == [OutcomeUnknown] * WRITERS + [Unavailable] * (5 - WRITERS)
    # What is on the wire arrives after its time: Postgres itself refuses it. Who looks after that is told for good.
    for new in news:
        assert await store.log.happened(new.match, uuid4()) is None
        assert await store.log.versions([new.match]) == {new.match: (1, 0)}
        assert await store.append(append(new.match, 1)) is Outcome.TAKEN


async def test_connections_killed_at_random_lie_to_nobody(database: str) -> None:
    """Somebody kills connections all the time. What a caller was told, at once or when he looked it up, is what the
    log says in the end; and every log is whole."""
    luck = random.Random(7)
    store = await Store.open(database)
    news = [opening() for _ in range(12)]
    for new in news:
        await store.create(new)
    taken: dict[UUID, bool] = {}
    unknown = 0
    over = asyncio.Event()

    async def play(match: UUID) -> None:
        nonlocal unknown
        version, tried, said = 1, 0, random.Random(match.int)
        while not over.is_set():
            command = uuid4()
            events = said.choice((0, 1, 3))
            asked = append(match, version, events=events, tried=tried, attempts=1, command=command, not_after=soon(5))
            try:
                outcome = await store.append(asked)
                assert outcome in (Outcome.TAKEN, Outcome.MOVED)
                taken[command] = outcome is Outcome.TAKEN
            except OutcomeUnknown:
                unknown += 1
                taken[command] = await found(match, command, events)
            except Unavailable:
                taken[command] = False
            (version, tried) = (await patiently(match))[match]

    async def found(match: UUID, command: UUID, events: int) -> bool:
        while True:
            try:
                first_last = await store.log.happened(match, command)
                tried = await store.log.attempted(match, command)
            except Unavailable:
                continue
            assert (first_last is not None) == (tried is not None and events > 0)
            assert first_last is None or first_last[1] - first_last[0] + 1 == events
            return tried is not None

    async def patiently(match: UUID) -> dict[UUID, tuple[int, int]]:
        while True:
            try:
                return await store.log.versions([match])
            except Unavailable:
                continue

    async def kill() -> None:
        connection = await asyncpg.connect(database)
        others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        async with asyncio.timeout(20):
            while unknown < 25:
                pids = [row[0] for row in await connection.fetch(others)]
                if pids:
                    await connection.execute("SELECT pg_terminate_backend($1)", luck.choice(pids))
                await asyncio.sleep(luck.uniform(0, 0.01))  # in the middle of whatever there is
        await connection.close()
        over.set()

    async with asyncio.TaskGroup() as all_at_once:
        for new in news:
            all_at_once.create_task(play(new.match))
        all_at_once.create_task(kill())

    assert set(taken.values()) == {True, False}
    there = set()
    for new in news:
        log, tries = await store.log.events(new.match), await store.log.attempts(new.match, 0)
        assert [it.version for it in log] == list(range(1, len(log) + 1))
        assert [it.n for it in tries] == list(range(1, len(tries) + 1))
        there |= {it.command for it in tries}
        assert {it.command for it in log[1:]} <= there
    assert there == {command for command, it in taken.items() if it}
    await store.close()
