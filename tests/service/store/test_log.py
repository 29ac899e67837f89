"""What is read of a match."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import asyncpg
from msgspec.structs import replace

from service.store import tables
from service.store.access import AccessRow
from service.store.append import STATEMENT, arguments
from service.store.create import counted
from service.store.engine import Store
from service.store.log import MAX_VERSION
from service.store.rows import Outcome, Player, Token, TooMany
from tests.service.store.story import ANNA, BEN, NOON, append, digest, event, key, opening, raised, refusal, shown, soon


async def test_events_are_read_from_a_version_to_a_version(store: Store, match: UUID) -> None:
    await store.append(append(match, 1, events=5))

    async def versions(after: int, upto: int | None = None) -> list[int]:
        return [it.version for it in await store.log.events(match, after, upto)]

    assert await versions(0) == [1, 2, 3, 4, 5, 6]
    assert await versions(2) == [3, 4, 5, 6]
    assert await versions(2, 4) == [3, 4]
    assert await versions(6) == await versions(3, 3) == []
    assert await store.log.events(uuid4()) == []


async def test_each_viewer_is_read_what_he_was_told_by_his_own_numbers(store: Store) -> None:
    """Seat 1 is told of every second event only, the spectator of the last."""
    new = opening()
    told = [(1, 0, 1, 0), (2, 1, 0, 0), (3, 0, 2, 0), (4, 2, 3, 1)]
    log = tuple(event(new.match, n, uuid4(), seqs) for n, seqs in enumerate(told, 1))
    await store.create(replace(new, append=replace(new.append, events=log)))

    async def read(viewer: int, after: int = 0, limit: int = 100) -> list[tuple[int, int]]:
        return [(it.version, it.seqs[viewer]) for it in await store.log.told(new.match, viewer, after, limit)]

    assert await read(0) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert await read(1) == [(2, 1), (4, 2)]
    assert await read(1, after=1) == [(4, 2)]
    assert await read(2, after=1) == [(3, 2), (4, 3)]
    assert await read(2, limit=2) == [(1, 1), (3, 2)]
    assert await read(3) == [(4, 1)]
    assert await read(3, after=1) == []
    assert await read(4) == []


async def test_a_command_is_found_by_what_it_made(store: Store, match: UUID) -> None:
    await store.append(append(match, 1))
    play, no = append(match, 2, events=3, attempts=1), refusal(match, 5, 1)
    await store.append(play)
    await store.append(no)

    assert await store.log.happened(match, play.events[0].command) == (3, 5)
    assert await store.log.attempted(match, play.events[0].command) == play.attempts[0]
    assert await store.log.happened(match, no.attempts[0].command) is None
    assert await store.log.attempted(match, no.attempts[0].command) == no.attempts[0]
    assert await store.log.happened(match, uuid4()) is None
    assert await store.log.attempted(match, uuid4()) is None
    assert await store.log.happened(uuid4(), uuid4()) is None


async def test_attempts_are_read_by_where_they_were_answered(store: Store, match: UUID) -> None:
    await store.append(append(match, 1))
    play, no = append(match, 2, events=3, attempts=1), refusal(match, 5, 1)
    no = replace(no, attempts=(replace(no.attempts[0], record='{"version":5}'),))
    await store.append(play)
    await store.append(no)

    async def answered(first: int, last: int) -> tuple[int, ...]:
        return tuple(it.n for it in await store.log.answered(match, 0, first, last))

    taken, refused = play.attempts[0].n, no.attempts[0].n
    assert await answered(1, MAX_VERSION - 1) == (taken, refused)
    assert await answered(5, 5) == (taken, refused)
    assert await answered(3, 4) == await answered(6, 9) == ()
    assert [it.version for it in await store.log.tagged(match, [play.events[0].tag])][-3:] == [3, 4, 5]
    assert await store.log.tagged(match, ["none.such"]) == []


async def test_whether_a_command_happened_waits_for_who_is_writing_it_just_now(
    store: Store, match: UUID, database: str
) -> None:
    """Answered at once, it would be no; and a moment later it would have been a lie."""
    play = append(match, 1, attempts=1)
    command = play.events[0].command
    postgres = await asyncpg.connect(database)
    async with postgres.transaction():
        assert await postgres.fetchval(STATEMENT, *arguments([play])) == [0]
        asked = asyncio.gather(store.log.happened(match, command), store.log.attempted(match, command))
        done, _ = await asyncio.wait([asked], timeout=0.1)
        assert not done
    await postgres.close()

    assert list(await asked) == [(2, 2), play.attempts[0]]


async def test_attempts_are_read_by_seat(store: Store, match: UUID) -> None:
    for n in range(3):
        await store.append(refusal(match, 1, n))

    assert [it.n for it in await store.log.attempts(match, 0)] == [1, 2, 3]
    assert await store.log.attempts(match, 1) == []


async def test_whose_sandboxes_are_as_many_as_may_run_opens_no_more(store: Store) -> None:
    for status in ("open", "playing", "over", "void"):
        assert await store.create(opening(lobby=shown(sandbox=True, status=status)), sandboxes=2) is Outcome.TAKEN
    more = opening(lobby=shown(sandbox=True))

    assert await store.create(more, sandboxes=2) == TooMany()
    assert await store.log.stream(more.match) is None
    assert await store.create(more, sandboxes=3) is Outcome.TAKEN
    assert await store.create(opening(lobby=shown()), sandboxes=2) is Outcome.TAKEN
    assert await store.create(opening(lobby=shown(sandbox=True, host=BEN)), sandboxes=2) is Outcome.TAKEN


async def test_sandboxes_that_are_being_opened_elsewhere_are_waited_for_and_counted(
    store: Store, database: str
) -> None:
    token = Token(uuid4(), ANNA, ("play",), NOON, None, None)
    await store.accounts.create(Player(ANNA, "Anna", NOON), token, digest("phone"))
    elsewhere = await asyncpg.connect(database)
    async with elsewhere.transaction():
        assert await counted(elsewhere, opening(lobby=shown(sandbox=True)), 1) is Outcome.TAKEN
        asked = asyncio.create_task(store.create(opening(lobby=shown(sandbox=True)), sandboxes=1))
        done, _ = await asyncio.wait([asked], timeout=0.1)
        assert not done
    await elsewhere.close()

    assert await asked == TooMany()


async def test_of_old_sandboxes_no_row_is_left_and_nothing_else_goes(store: Store, database: str) -> None:
    async def full(sandbox: bool, age: timedelta) -> UUID:
        row = shown(sandbox=sandbox, opened_at=soon() - age, code=uuid4().hex[:8].upper())
        new = opening(lobby=row, word=uuid4().hex)
        assert await store.create(new, sandboxes=100) is Outcome.TAKEN
        said = append(new.match, 1, attempts=1, word="k", due=NOON)
        assert await store.disputes.append(said, raised(new.match)) is Outcome.TAKEN
        assert await store.access.add(AccessRow(new.match, 1, "{}", bytes(32)))
        return new.match

    day = timedelta(hours=24)
    old = [await full(True, age=2 * day) for _ in range(23)]  # more than are dropped at once
    kept = {await full(True, age=timedelta(hours=1)), await full(False, age=2 * day)}

    assert await store.log.drop_sandboxes(soon() - day) == len(old)
    assert await store.log.drop_sandboxes(soon() - day) == 0
    postgres = await asyncpg.connect(database)
    of_a_match = [
        table.name for table in tables.metadata.sorted_tables if "match" in table.c and table is not tables.leaf
    ]  # the tree takes in no sandbox, and none of these has ended
    for table in of_a_match:
        rows = await postgres.fetch(f"SELECT DISTINCT match FROM {table}")  # noqa: S608
        assert {row[0] for row in rows} == kept, table
    await postgres.close()
    assert len(of_a_match) == 11


async def test_a_key_is_read_by_player_scope_and_word(store: Store) -> None:
    new = opening(word="k")
    await store.create(new)

    assert await store.log.key(ANNA, "", "k") == new.append.key
    for player, scope, word in ((BEN, "", "k"), (ANNA, str(new.match), "k"), (ANNA, "", "l")):
        assert await store.log.key(player, scope, word) is None
    assert key(new.match, "k", uuid4(), 0, 1) != new.append.key
