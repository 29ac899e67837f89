"""What one command does to a match: all of it or nothing."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec.structs import replace

from service.store import appender
from service.store.append import MOST, STATEMENT, arguments
from service.store.appender import Batch
from service.store.engine import Store
from service.store.rows import Outcome, OutcomeUnknown, StreamRow, Unavailable
from tests.service.store.story import ANNA, NOON, append, event, key, opening, refusal, shown, soon


@pytest.fixture
async def postgres(database: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Somebody else who is connected to the same database."""
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


async def opened(store: Store, number: int) -> list[UUID]:
    news = [opening() for _ in range(number)]
    assert set(await asyncio.gather(*map(store.create, news))) == {Outcome.TAKEN}
    return [new.match for new in news]


async def test_what_was_appended_is_read_back_as_it_was(store: Store, match: UUID) -> None:
    play = append(match, 1, events=3, attempts=1, word="k1")

    assert await store.append(play) is Outcome.TAKEN
    assert await store.log.events(match, after_version=1) == list(play.events)
    assert await store.log.attempts(match, 0) == list(play.attempts)
    assert play.key is not None
    assert await store.log.key(ANNA, str(match), "k1") == play.key
    there = StreamRow(match, "cheat", 4, 1, play.head, play.seqs, play.heads, play.tries)
    assert await store.log.stream(match) == there
    assert await store.log.versions([match, uuid4()]) == {match: (4, 1)}


async def test_who_comes_second_finds_that_the_match_has_moved_and_leaves_no_trace(store: Store, match: UUID) -> None:
    first = append(match, 1)
    second = append(match, 1, attempts=1, word="k", due=NOON, lobby=shown(status="over"))

    assert await store.append(first) is Outcome.TAKEN
    assert await store.append(second) is Outcome.MOVED
    assert await store.log.events(match, after_version=1) == list(first.events)
    assert await store.log.attempts(match, 0) == []
    assert await store.log.key(ANNA, str(match), "k") is None
    assert await store.log.due(soon(), 10) == []
    assert await store.lobby.row(match) == shown()


async def test_a_match_that_does_not_exist_has_moved(store: Store) -> None:
    nowhere = uuid4()

    assert await store.append(append(nowhere, 0)) is Outcome.MOVED
    assert await store.log.events(nowhere) == []
    assert await store.log.stream(nowhere) is None


# ── refusals ──


async def test_a_refusal_is_an_attempt_and_no_event(store: Store, match: UUID) -> None:
    no = refusal(match, 1, 0, word="k")

    assert await store.append(no) is Outcome.TAKEN
    assert await store.log.versions([match]) == {match: (1, 1)}
    assert await store.log.attempts(match, 0) == list(no.attempts)
    assert await store.append(append(match, 1, tried=1, word="k")) is Outcome.KEY_USED


async def test_no_refusal_is_taken_from_an_old_state(store: Store, match: UUID) -> None:
    assert await store.append(append(match, 1)) is Outcome.TAKEN

    assert await store.append(refusal(match, 1, 0)) is Outcome.MOVED
    assert await store.log.attempts(match, 0) == []


async def test_a_refusal_in_between_moves_the_match_for_who_did_not_see_it(store: Store, match: UUID) -> None:
    assert await store.append(refusal(match, 1, 0)) is Outcome.TAKEN

    assert await store.append(refusal(match, 1, 0)) is Outcome.MOVED
    assert await store.append(append(match, 1, tried=0, attempts=1)) is Outcome.MOVED
    assert await store.append(append(match, 1, tried=1, attempts=1)) is Outcome.TAKEN


async def test_what_is_only_counted_moves_the_match_too(store: Store, match: UUID) -> None:
    counted = replace(append(match, 1, events=0, tried=0), counted=1)
    assert await store.append(counted) is Outcome.TAKEN

    assert await store.append(counted) is Outcome.MOVED
    assert await store.append(append(match, 1, tried=1, attempts=1)) is Outcome.TAKEN


async def test_a_refusal_leaves_the_deadline_as_it_is(store: Store, match: UUID) -> None:
    await store.append(append(match, 1, due=NOON))
    assert await store.append(refusal(match, 2, 0)) is Outcome.TAKEN

    assert [it.due for it in await store.log.due(soon(), 10)] == [NOON]


# ── keys ──


async def test_a_key_is_bound_once(store: Store, match: UUID) -> None:
    assert await store.append(append(match, 1, word="k")) is Outcome.TAKEN

    assert await store.append(append(match, 2, word="k")) is Outcome.KEY_USED
    assert await store.append(append(match, 1, word="k")) is Outcome.KEY_USED  # also where the match has moved
    assert await store.append(append(match, 2, word="k", not_after=NOON)) is Outcome.KEY_USED  # or it comes too late
    assert await store.log.versions([match]) == {match: (2, 0)}


async def test_one_key_may_be_used_in_each_match(store: Store, match: UUID) -> None:
    [other] = await opened(store, 1)

    assert await store.append(append(match, 1, word="k")) is Outcome.TAKEN
    assert await store.append(append(other, 1, word="k")) is Outcome.TAKEN


async def test_a_key_of_an_account_is_bound_by_one_of_two_matches_at_once(store: Store) -> None:
    matches = await opened(store, 20)
    joins = [replace(append(match, 1), key=key(match, "k", uuid4(), 1, 2, scope="")) for match in matches]

    outcomes = await asyncio.gather(*map(store.append, joins))

    assert outcomes.count(Outcome.TAKEN) == 1
    assert outcomes.count(Outcome.KEY_USED) == 19
    winner = matches[outcomes.index(Outcome.TAKEN)]
    assert {match for match, (version, _) in (await store.log.versions(matches)).items() if version == 2} == {winner}


async def test_a_key_that_another_process_is_binding_just_now_is_waited_for(
    store: Store, match: UUID, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    theirs = replace(append(match, 1), key=key(match, "k", uuid4(), 1, 2, scope=""))
    [other] = await opened(store, 1)
    ours = replace(append(other, 1), key=key(other, "k", uuid4(), 1, 2, scope=""))
    async with postgres.transaction():
        assert await postgres.fetchval(STATEMENT, *arguments([theirs])) == [0]
        asked = asyncio.ensure_future(store.append(ours))
        await waiting_for(postgres)
    assert await asked is Outcome.KEY_USED
    assert await store.log.versions([other]) == {other: (1, 0)}


async def waiting_for(postgres: "asyncpg.Connection[asyncpg.Record]", number: int = 1) -> None:
    """Until as many others wait for a lock: that we hold, or that who waits for us will have first."""
    blocked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with asyncio.timeout(5):
        while await postgres.fetchval(blocked) < number:  # noqa: ASYNC110 - nothing tells when somebody begins to wait
            await asyncio.sleep(0.005)  # between two looks


# ── time ──


async def test_what_comes_too_late_has_not_happened(store: Store, match: UUID) -> None:
    assert await store.append(append(match, 1, word="k", attempts=1, not_after=NOON)) is Outcome.LATE

    assert await store.log.versions([match]) == {match: (1, 0)}
    assert await store.log.key(ANNA, str(match), "k") is None


async def test_the_time_counts_at_which_the_match_was_held_not_at_which_it_was_asked_for(
    store: Store, match: UUID, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """Whoever waits for a lock beyond his time is late, though his statement began in time; and so are all in it."""
    [other] = await opened(store, 1)
    in_time = soon(0.4)
    batch = [append(it, 1, not_after=in_time) for it in (match, other)]
    async with postgres.transaction():
        await postgres.execute("SELECT FROM stream WHERE match = $1 FOR UPDATE", max(match, other))
        asked = [asyncio.ensure_future(store.append(it)) for it in batch]
        await waiting_for(postgres)
        await postgres.execute("SELECT pg_sleep_until($1)", in_time)
    assert await asyncio.gather(*asked) == [Outcome.LATE, Outcome.LATE]


async def test_who_waited_for_the_lock_decides_by_what_stands_there_then(
    store: Store, match: UUID, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    theirs = append(match, 1, events=2)
    old, guessed = append(match, 1), append(match, 3)
    async with postgres.transaction():
        assert await postgres.fetchval(STATEMENT, *arguments([theirs])) == [0]
        asked = asyncio.ensure_future(store.append(old))
        await waiting_for(postgres)
    assert await asked is Outcome.MOVED

    async with postgres.transaction():
        assert await postgres.fetchval(STATEMENT, *arguments([guessed])) == [0]
        asked = asyncio.ensure_future(store.append(append(match, 4)))  # right, once the other has committed
        await waiting_for(postgres)
    assert await asked is Outcome.TAKEN
    assert [it.version for it in await store.log.events(match)] == [1, 2, 3, 4, 5]


async def test_nobody_waits_much_longer_than_his_time(
    store: Store, match: UUID, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """Who was sent cannot know, who was held back behind him knows that nothing happened. Both are told before
    Postgres gives up waiting for the lock, which would be an answer of another kind."""
    async with postgres.transaction():
        await postgres.execute("SELECT FROM stream WHERE match = $1 FOR UPDATE", match)
        asked = (store.append(append(match, version, not_after=soon(0.1))) for version in (1, 2))
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(answer) for answer in told] == [OutcomeUnknown, Unavailable]
    assert await store.log.versions([match]) == {match: (1, 0)}


async def test_a_match_that_is_held_for_long_does_not_hold_up_the_others(
    store: Store, match: UUID, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    others = await opened(store, 5)
    async with postgres.transaction():
        await postgres.execute("SELECT FROM stream WHERE match = $1 FOR UPDATE", match)
        stuck = asyncio.ensure_future(store.append(append(match, 1)))
        outcomes = await asyncio.gather(*(store.append(append(other, 1)) for other in others))
        assert set(outcomes) == {Outcome.TAKEN}
        with pytest.raises(Unavailable):
            await stuck


async def test_matches_are_held_in_the_order_of_their_ids_whatever_the_plan(
    store: Store, database: str, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """One connection finds them as they lie in the table, the other by their ids: opposite orders here, and with them
    a deadlock, if the statement did not say in which order it locks."""
    low, high = sorted((uuid4(), uuid4()))
    for match in (high, low):
        assert await store.create(opening(match)) is Outcome.TAKEN
    no_index = {"enable_indexscan": "off", "enable_bitmapscan": "off"}
    as_they_lie = await asyncpg.connect(database, server_settings=no_index)
    by_id = await asyncpg.connect(database, server_settings={"enable_seqscan": "off", "enable_bitmapscan": "off"})
    asked = []
    async with postgres.transaction():
        await postgres.execute("SELECT FROM stream WHERE match = $1 FOR UPDATE", high)
        for number, connection in enumerate((as_they_lie, by_id), 1):
            batch = arguments([append(match, 1) for match in (low, high)])
            asked.append(asyncio.ensure_future(connection.fetchval(STATEMENT, *batch)))
            await waiting_for(postgres, number)

    assert await asyncio.gather(*asked) == [[0, 0], [3, 3]]
    for connection in (as_they_lie, by_id):
        await connection.close()


# ── deadlines ──


async def test_deadlines_follow_the_match(store: Store, match: UUID) -> None:
    [other] = await opened(store, 1)
    await store.append(append(match, 1, due=NOON + timedelta(seconds=2)))
    await store.append(append(other, 1, due=NOON + timedelta(seconds=1)))
    due = await store.log.due(NOON + timedelta(minutes=1), 10)
    assert [(it.match, it.due) for it in due] == [
        (other, NOON + timedelta(seconds=1)),
        (match, NOON + timedelta(seconds=2)),
    ]
    assert await store.log.due(NOON + timedelta(minutes=1), 1) == due[:1]
    assert await store.log.due(NOON + timedelta(seconds=1), 10) == []

    await store.append(append(other, 2, due=NOON + timedelta(seconds=9)))
    await store.append(append(match, 2))
    assert [(it.match, it.due) for it in await store.log.due(NOON + timedelta(minutes=1), 10)] == [
        (other, NOON + timedelta(seconds=9))
    ]


# ── many at once ──


async def test_a_hundred_matches_at_once_are_one_statement(database: str) -> None:
    batches: list[Batch] = []
    store = await Store.open(database, observe=batches.append)
    matches = await opened(store, MOST + 20)

    outcomes = await asyncio.gather(*(store.append(append(match, 1, events=2)) for match in matches))

    assert set(outcomes) == {Outcome.TAKEN}
    assert sorted((batch.matches, batch.events, batch.answered) for batch in batches) == [
        (20, 40, True),
        (MOST, 2 * MOST, True),
    ]
    await store.close()


async def test_a_match_is_in_a_batch_once_and_in_the_order_it_was_asked(database: str) -> None:
    batches: list[Batch] = []
    store = await Store.open(database, observe=batches.append)
    [match] = await opened(store, 1)

    outcomes = await asyncio.gather(*(store.append(append(match, version)) for version in (1, 2, 3)))

    assert outcomes == [Outcome.TAKEN] * 3
    assert [batch.matches for batch in batches] == [1, 1, 1]
    await store.close()


async def test_what_comes_while_a_statement_is_on_its_way_leaves_together_and_not_later_than_it_must(
    database: str, postgres: "asyncpg.Connection[asyncpg.Record]", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appender, "SLOW", 0.2)  # else this test would have to be quick
    batches: list[Batch] = []
    store = await Store.open(database, observe=batches.append)
    held, first, second = await opened(store, 3)
    async with postgres.transaction():
        await postgres.execute("SELECT FROM stream WHERE match = $1 FOR UPDATE", held)
        stuck = asyncio.ensure_future(store.append(append(held, 1)))
        await waiting_for(postgres)
        early = asyncio.ensure_future(store.append(append(first, 1)))
        for _ in range(10):
            await asyncio.sleep(0)

        assert await store.append(append(second, 1)) is await early is Outcome.TAKEN

        assert [batch.matches for batch in batches] == [2]
    assert await stuck is Outcome.TAKEN
    await store.close()


async def test_each_match_of_a_batch_gets_its_own_outcome(store: Store) -> None:
    well, moved, late, used, well_too = await opened(store, 5)
    await store.append(append(moved, 1))
    await store.append(append(used, 1, word="k"))

    outcomes = await asyncio.gather(
        store.append(append(well, 1)),
        store.append(append(moved, 1)),
        store.append(append(late, 1, not_after=NOON)),
        store.append(append(used, 2, word="k")),
        store.append(append(well_too, 1, events=3)),
    )

    assert list(outcomes) == [Outcome.TAKEN, Outcome.MOVED, Outcome.LATE, Outcome.KEY_USED, Outcome.TAKEN]


async def test_one_that_postgres_does_not_want_spoils_nobody_elses(database: str) -> None:
    batches: list[Batch] = []
    store = await Store.open(database, observe=batches.append)
    good, bad, good_too = await opened(store, 3)
    broken = replace(append(bad, 1), events=(replace(event(bad, 2, uuid4()), salt=b"short"),))
    unencodable = replace(append(bad, 1), head="not bytes")

    for wrong in (broken, unencodable):
        versions = await store.log.versions([good, good_too])
        outcomes = await asyncio.gather(
            store.append(append(good, versions[good][0])),
            store.append(wrong),
            store.append(append(good_too, versions[good_too][0])),
            return_exceptions=True,
        )
        assert outcomes[0] is outcomes[2] is Outcome.TAKEN
        assert isinstance(outcomes[1], asyncpg.CheckViolationError | asyncpg.DataError | asyncpg.InterfaceError)
    assert await store.log.versions([bad]) == {bad: (1, 0)}
    assert Counter(batch.answered for batch in batches) == {False: 4, True: 4}
    await store.close()


@pytest.mark.parametrize(
    "torn",
    [
        lambda match: replace(append(match, 1), expected_version=0),
        lambda match: replace(append(match, 1, events=3), events=append(match, 1, events=3).events[::2]),
        lambda match: replace(append(match, 1), key=key(None, "k", uuid4(), 1, 2)),
    ],
)
async def test_an_append_that_would_tear_a_hole_is_not_sent(store: Store, match: UUID, torn: object) -> None:
    with pytest.raises(ValueError):
        await store.append(torn(match))  # type: ignore[operator]


async def test_who_goes_away_before_it_was_sent_has_not_asked(
    store: Store, match: UUID, postgres: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    async with postgres.transaction():
        await postgres.execute("SELECT FROM stream WHERE match = $1 FOR UPDATE", match)
        first = asyncio.ensure_future(store.append(append(match, 1)))
        second = asyncio.ensure_future(store.append(append(match, 2)))  # held back: the match is under way
        await waiting_for(postgres)
        second.cancel()
    assert await first is Outcome.TAKEN
    assert await store.append(append(match, 2, events=2)) is Outcome.TAKEN


async def test_closing_writes_what_was_asked_for(database: str) -> None:
    store = await Store.open(database)
    [match] = await opened(store, 1)
    asked = asyncio.ensure_future(store.append(append(match, 1)))
    await asyncio.sleep(0)  # so that it is asked
    await store.close()

    assert await asked is Outcome.TAKEN
    with pytest.raises(Unavailable):
        await store.append(append(match, 2))


# ── new matches ──


async def test_a_new_match_has_its_seed_and_its_first_event(store: Store) -> None:
    new = opening(word="k")

    assert await store.create(new) is Outcome.TAKEN
    assert await store.log.seed(new.match) == new.seed
    assert await store.log.seed(uuid4()) is None
    assert await store.log.events(new.match) == list(new.append.events)
    assert await store.log.key(ANNA, "", "k") == new.append.key


async def test_a_key_creates_one_match_however_often_it_comes(store: Store) -> None:
    news = [opening(word="k") for _ in range(8)]

    outcomes = await asyncio.gather(*map(store.create, news))

    assert sorted(map(str, outcomes)) == ["key_used"] * 7 + ["taken"]
    bound = await store.log.key(ANNA, "", "k")
    assert bound is not None
    winner = news[outcomes.index(Outcome.TAKEN)].match
    assert bound.match == winner
    assert set(await store.log.versions([new.match for new in news])) == {winner}


async def test_a_match_is_not_created_twice_nor_late(store: Store, match: UUID) -> None:
    assert await store.create(opening(match)) is Outcome.MOVED
    late = opening()
    late = replace(late, append=replace(late.append, not_after=NOON))
    assert await store.create(late) is Outcome.LATE
    assert await store.log.stream(late.match) is None
    with pytest.raises(ValueError):
        await store.create(replace(opening(), append=append(match, 1)))
