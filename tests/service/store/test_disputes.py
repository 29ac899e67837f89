"""Disputes beside the log: written with the append that makes the event, or not at all; listed, and erased in part."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from service.store.cursors import BadCursor
from service.store.engine import Store
from service.store.rows import Assigned, CodeTaken, DisputeRow, NewMatch, Outcome, Player, RuledOn, Token
from tests.service.store.story import ANNA, BEN, CARA, NOON, append, digest, opening, raised, shown, soon


def ruled(dispute: UUID, new: NewMatch | None = None, ruling: str = "branch") -> RuledOn:
    return RuledOn(
        dispute=dispute,
        ruling=ruling,
        rules=("1.1", "7.2"),
        note="It came in time.",
        note_salt=bytes(16),
        ruled_at=NOON + timedelta(hours=1),
        new=new,
    )


async def stored(store: Store, dispute: UUID) -> DisputeRow | None:
    kept = await store.disputes.get(dispute)
    return None if kept is None else kept.row


async def test_a_dispute_is_written_with_its_event_and_changed_with_others(store: Store, match: UUID) -> None:
    row = raised(match)
    assert await store.disputes.append(append(match, 1), row) is Outcome.TAKEN
    assert await stored(store, row.id) == row

    assert await store.disputes.append(append(match, 2), Assigned(row.id, CARA)) is Outcome.TAKEN
    assert await store.disputes.append(append(match, 3), ruled(row.id, ruling="void")) is Outcome.TAKEN
    found = await stored(store, row.id)
    assert found == replace(
        row,
        referee=CARA,
        ruling="void",
        rules=("1.1", "7.2"),
        note="It came in time.",
        note_salt=bytes(16),
        ruled_at=NOON + timedelta(hours=1),
    )
    assert await store.log.version(match) == (4, 0)
    assert await store.disputes.get(uuid4()) is None


async def test_where_the_match_moved_nothing_is_written_at_all(store: Store, match: UUID) -> None:
    row, branch = raised(match), opening(lobby=shown(status="playing"))
    assert await store.disputes.append(append(match, 0), row) is Outcome.MOVED
    assert await store.disputes.get(row.id) is None
    await store.disputes.append(append(match, 1), row)

    assert await store.disputes.append(append(match, 1), ruled(row.id, branch)) is Outcome.MOVED
    assert await store.disputes.append(append(match, 2, not_after=soon(-1)), ruled(row.id, branch)) is Outcome.LATE
    assert await store.log.version(branch.match) is None
    assert await stored(store, row.id) == row


async def test_a_branch_is_there_with_the_ruling_that_makes_it(store: Store, match: UUID) -> None:
    row, branch = raised(match), opening(lobby=shown(status="playing"))
    await store.disputes.append(append(match, 1), row)

    assert await store.disputes.append(append(match, 2), ruled(row.id, branch)) is Outcome.TAKEN
    assert await store.log.version(branch.match) == (1, 0)
    assert await store.log.seed(branch.match) == branch.seed
    found = await stored(store, row.id)
    assert found is not None
    assert found.branch == branch.match


async def test_a_ruling_whose_branch_cannot_be_made_is_none(store: Store, match: UUID) -> None:
    row, code = raised(match), "23456789"
    await store.disputes.append(append(match, 1), row)
    await store.create(opening(lobby=shown(code=code)))

    taken = opening(lobby=shown(code=code))
    assert isinstance(await store.create(taken), CodeTaken)
    assert await store.disputes.append(append(match, 2), ruled(row.id, taken)) is Outcome.MOVED
    assert await store.log.version(match) == (2, 0)


async def test_disputes_are_listed_newest_first_and_page_by_page(store: Store, match: UUID) -> None:
    rows = [raised(match, player, NOON + timedelta(minutes=n)) for n, player in enumerate((ANNA, BEN, ANNA, ANNA))]
    for version, row in enumerate(rows, 1):
        assert await store.disputes.append(append(match, version), row) is Outcome.TAKEN
    await store.disputes.append(append(match, 5), ruled(rows[2].id, ruling="dismissed"))

    async def listed(**how: object) -> list[UUID]:
        found, cursor = [], None
        while True:
            page = await store.disputes.page(limit=2, cursor=cursor, **how)  # type: ignore[arg-type]
            found += [kept.row.id for kept in page.disputes]
            if (cursor := page.cursor) is None:
                return found

    newest = [row.id for row in reversed(rows)]
    assert await listed() == newest
    assert await listed(undecided=True) == [newest[0], newest[2], newest[3]]
    assert await listed(undecided=False) == [newest[1]]
    assert await listed(raised_by=ANNA) == [newest[0], newest[1], newest[3]]
    assert await listed(raised_by=ANNA, undecided=True) == [newest[0], newest[3]]
    with pytest.raises(BadCursor):
        await store.disputes.page(cursor="x")


async def test_what_somebody_wrote_is_gone_with_him_and_the_dispute_stays(store: Store, match: UUID) -> None:
    for player in (ANNA, CARA):
        token = Token(uuid4(), player, (), NOON, None, None)
        await store.accounts.create(Player(player, "Somebody", NOON), token, digest(player))
    row = raised(match)
    await store.disputes.append(append(match, 1), row)
    await store.disputes.append(append(match, 2), Assigned(row.id, CARA))
    await store.disputes.append(append(match, 3), ruled(row.id, ruling="upheld"))

    assert await store.accounts.erase(ANNA)
    found = await stored(store, row.id)
    assert found is not None
    assert (found.text, found.salt, found.note) == (None, None, "It came in time.")
    assert await store.accounts.erase(CARA)
    found = await stored(store, row.id)
    assert found is not None
    assert (found.note, found.note_salt, found.ruling) == (None, None, "upheld")
