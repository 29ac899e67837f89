"""The lobby: what is open to all, what is one's own, page by page."""

import random
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec.structs import replace

from service.store import lobby
from service.store.cursors import BadCursor
from service.store.engine import Store
from service.store.lobby import Listed
from service.store.rows import Access, CodeTaken, LobbyRow, Outcome
from tests.service.store.story import ANNA, BEN, CARA, NOON, append, opening, shown


async def opened(store: Store, row: LobbyRow) -> UUID:
    new = opening(lobby=row)
    assert await store.create(new) is Outcome.TAKEN
    return new.match


async def changed(store: Store, match: UUID, row: LobbyRow) -> None:
    version, tried = (await store.log.versions([match]))[match]
    assert await store.append(append(match, version, tried=tried, lobby=row)) is Outcome.TAKEN


async def all_pages(store: Store, limit: int, **filters: object) -> list[Listed]:
    found: list[Listed] = []
    cursor = None
    while True:
        page = await store.lobby.page(cursor=cursor, limit=limit, **filters)  # type: ignore[arg-type]
        assert len(page.matches) <= limit
        found += page.matches
        assert len(found) < 1000  # pages that lead nowhere
        if (cursor := page.cursor) is None:
            return found


def matches(listed: Sequence[Listed]) -> list[UUID]:
    return [it.match for it in listed]


async def test_a_match_is_listed_as_it_was_written(store: Store) -> None:
    row = shown(players=(ANNA, BEN))
    match = await opened(store, row)

    assert (await store.lobby.page()).matches == (Listed(match, row),)
    assert await store.lobby.row(match) == row
    assert await store.lobby.row(uuid4()) is None


async def test_the_newest_comes_first(store: Store) -> None:
    old = await opened(store, shown(opened_at=NOON))
    new = await opened(store, shown(opened_at=NOON + timedelta(minutes=1)))

    assert matches((await store.lobby.page()).matches) == [new, old]


async def test_status_and_game_choose(store: Store) -> None:
    cheat = await opened(store, shown())
    begun = await opened(store, shown(status="playing"))
    other = await opened(store, shown(game="mogler"))

    assert matches((await store.lobby.page(status="playing")).matches) == [begun]
    assert matches((await store.lobby.page(game="mogler")).matches) == [other]
    assert matches((await store.lobby.page(game="cheat", status="open")).matches) == [cheat]
    assert (await store.lobby.page(status="void")).matches == ()


async def test_what_is_behind_a_code_or_a_sandbox_only_its_own_players_see(store: Store) -> None:
    private = await opened(store, shown(access=Access.CODE, code="ABCDEFGH", players=(ANNA, BEN)))
    sandbox = await opened(store, shown(sandbox=True, opened_at=NOON + timedelta(seconds=1)))

    assert (await store.lobby.page()).matches == ()
    assert matches((await store.lobby.page(mine=ANNA)).matches) == [sandbox, private]
    assert matches((await store.lobby.page(mine=BEN)).matches) == [private]
    assert (await store.lobby.page(mine=CARA)).matches == ()


async def test_who_opened_a_match_without_sitting_down_finds_it_among_his_own(store: Store) -> None:
    match = await opened(store, shown(players=(BEN,), host=ANNA))

    assert matches((await store.lobby.page(mine=ANNA)).matches) == [match]


async def test_who_leaves_for_good_finds_it_no_more(store: Store) -> None:
    match = await opened(store, shown(players=(ANNA, BEN)))
    await changed(store, match, shown(players=(ANNA, CARA), status="playing"))

    assert (await store.lobby.page(mine=BEN)).matches == ()
    assert matches((await store.lobby.page(mine=CARA, status="playing")).matches) == [match]


@pytest.mark.parametrize("limit", [1, 3, 7, 50])
async def test_pages_are_all_matches_once_also_where_many_opened_in_one_moment(store: Store, limit: int) -> None:
    rows = [shown(opened_at=NOON + timedelta(seconds=n // 5)) for n in range(20)]
    there = {await opened(store, row) for row in rows}

    listed = await all_pages(store, limit)
    assert len(listed) == 20
    assert set(matches(listed)) == there
    assert [it.row.opened_at for it in listed] == sorted((row.opened_at for row in rows), reverse=True)
    assert await all_pages(store, limit, mine=ANNA) == listed


async def test_matches_that_open_meanwhile_move_nothing(store: Store) -> None:
    there = [await opened(store, shown(opened_at=NOON + timedelta(seconds=n))) for n in range(12)]
    seen: list[UUID] = []
    cursor = None
    for n in range(4):
        page = await store.lobby.page(cursor=cursor, limit=3)
        seen += matches(page.matches)
        cursor = page.cursor
        await opened(store, shown(opened_at=NOON + timedelta(minutes=1, seconds=n)))

    assert cursor is None
    assert seen == there[::-1]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("filters", [{}, {"status": "open"}, {"game": "cheat"}, {"mine": ANNA, "status": "playing"}])
async def test_whatever_changes_meanwhile_what_fits_all_the_time_is_seen_once(
    store: Store, seed: int, filters: dict[str, Any]
) -> None:
    dice = random.Random(seed)
    there: dict[UUID, LobbyRow] = {}
    never, always = set[UUID](), set[UUID]()  # fitted at no moment of the walk, at every moment

    def fits(row: LobbyRow) -> bool:
        public = row.access is Access.PUBLIC and not row.sandbox
        named = all(getattr(row, name) == value for name, value in filters.items() if name != "mine")
        return named and (ANNA in (row.host, *row.players) if "mine" in filters else public)

    def a_row() -> LobbyRow:
        return shown(
            opened_at=NOON + timedelta(seconds=dice.randrange(12)),  # several in one moment, and clocks that differ
            status=dice.choice(["open", "playing"]),
            game=dice.choice(["cheat", "other"]),
            sandbox=dice.random() < 0.2,
            host=dice.choice([ANNA, BEN]),
            players=tuple(dice.sample([ANNA, BEN, CARA], dice.randrange(4))),
            code=None,
        )

    async def something_happens() -> None:
        if dice.random() < 0.3:
            row = a_row()
            match = await opened(store, row)
            there[match] = row
            never.add(match)
        else:
            match = dice.choice(list(there))
            row = replace(
                there[match],
                status=dice.choice(["open", "playing", "over"]),
                players=tuple(dice.sample([ANNA, BEN, CARA], dice.randrange(4))),
            )
            await changed(store, match, row)
            there[match] = row
        if fits(row):
            never.discard(match)
        else:
            always.discard(match)

    for _ in range(25):
        row = a_row()
        there[await opened(store, row)] = row
    always |= {match for match, row in there.items() if fits(row)}
    never |= there.keys() - always
    seen: list[Listed] = []
    cursor = None
    while True:
        page = await store.lobby.page(cursor=cursor, limit=dice.randrange(1, 5), **filters)
        assert all(fits(it.row) and it.row == there[it.match] for it in page.matches)
        seen += page.matches
        if (cursor := page.cursor) is None:
            break
        for _ in range(dice.randrange(4)):
            await something_happens()

    assert len(set(matches(seen))) == len(seen)
    assert always <= set(matches(seen))
    assert not never & set(matches(seen))
    places = [(it.row.opened_at, it.match) for it in seen]
    assert places == sorted(places, reverse=True)


@pytest.mark.parametrize("cursor", ["", "x", "🂡", "AAAA", urlsafe_b64encode(b"\x7f" * 24).decode(), "A" * 31 + "="])
async def test_a_cursor_of_somebody_elses_making_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(BadCursor):
        await store.lobby.page(cursor=cursor)


async def test_a_code_leads_to_its_match_until_nobody_can_sit_down(store: Store) -> None:
    match = await opened(store, shown(code="ABCDEFGH"))
    assert await store.lobby.by_code("ABCDEFGH") == match
    assert await store.lobby.by_code("abcdefgh") is None

    await changed(store, match, shown(code="ABCDEFGH", players=(ANNA, BEN)))
    assert await store.lobby.by_code("ABCDEFGH") == match

    await changed(store, match, shown(status="playing", players=(ANNA, BEN)))
    assert await store.lobby.by_code("ABCDEFGH") is None


async def test_two_open_matches_never_have_one_code(store: Store) -> None:
    first = await opened(store, shown(code="ABCDEFGH"))
    second = opening(lobby=shown(code="ABCDEFGH"))

    assert await store.create(second) == CodeTaken("ABCDEFGH")
    assert await store.log.stream(second.match) is None
    assert await store.log.seed(second.match) is None

    await changed(store, first, shown(status="over"))
    assert await store.create(second) is Outcome.TAKEN
    assert await store.lobby.by_code("ABCDEFGH") == second.match


async def test_the_public_lobby_is_read_by_an_index(store: Store, database: str) -> None:
    """With a condition that is not spelt as the index's, Postgres would read every match that ever was."""
    connection = await asyncpg.connect(database, server_settings={"enable_seqscan": "off"})
    for status, game in product((False, True), repeat=2):
        asked = lobby._page(status, game, mine=False, further=True)
        values = {"status": "open", "game": "cheat", "opened_at": NOON, "match": uuid4(), "most": 10}
        plan = await connection.fetch("EXPLAIN " + asked.sql, *asked.arguments(values))
        text = "\n".join(row[0] for row in plan)
        assert "using lobby_listed" in text
        assert "Sort" not in text
    await connection.close()
