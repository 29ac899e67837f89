"""The House asks for a referee where somebody was refused who had been there first."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from service.audit import exporting
from service.audit.anomalies import Anomalies
from service.audit.exporting import complete
from service.audit.notary import Notary
from service.audit.refusals import Refusals
from service.dialogue import Asked, Refusal
from service.runtime.disputes import Judgement
from service.runtime.runtime import Runtime
from service.store.rows import DisputeRow
from tests.service.runtime.table import Table, a_player, a_table, runtime

ACTION = msgspec.json.Decoder(CATALOGUE["cheat"].game.player_action)


async def raced(it: Runtime, early_ms: int) -> Table:
    """A match that is over, in which a seat doubted a claim so long before the one whose doubt was taken first: as
    where its own server was slow to write."""
    table = await a_table(it, leaving="cards_leave", sandbox=False)
    seat = (await table.sees(0))["awaits"]["seats"][0]
    first, second = (seat + 1) % 3, (seat + 2) % 3
    played = await table.act(seat, {"type": "cheat.play", "cards": (await table.sees(seat))["view"]["hand"][:1]})
    claim = msgspec.json.decode(played.body)["view"]["open_claims"][0]["claim_id"]
    await _doubts(table, first, claim, timedelta())
    with pytest.raises(Refusal) as no:
        await _doubts(table, second, claim, timedelta(milliseconds=early_ms))
    assert no.value.reason == "already_challenged"
    for leaver in (first, second):
        await it.referee.leave(table.asked(leaver), table.match, leaver)
    return table


async def _doubts(table: Table, seat: int, claim: int, before: timedelta) -> None:
    said: dict[str, Any] = {"type": "cheat.challenge", "claim_id": claim}
    asked = table.asked(seat)
    raw = msgspec.json.encode(said)
    earlier = replace(asked, received_at=asked.received_at - before)
    await table.runtime.referee.act(earlier, table.match, ACTION.decode(raw), raw)


def looks(it: Runtime) -> Anomalies:
    return Anomalies(it.store.log, Refusals(it.store.log, it.books), it.disputes, it.clock.now)


def notary(it: Runtime, folder: Path) -> Notary:
    return Notary(it.store, folder, it.clock.now, look=looks(it).look)


async def disputes(it: Runtime, match: UUID) -> list[DisputeRow]:
    rows, _ = await it.disputes.page(raised_by=None, undecided=None, cursor=None, limit=100)
    return [row for row in rows if row.match == match]


async def test_who_was_there_first_and_was_refused_gets_a_referee(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    async with runtime(database, redis_url) as it:
        table = await raced(it, early_ms=600)
        assert await notary(it, tmp_path).includes(table.match)

        [found] = await disputes(it, table.match)
        assert (found.player, found.seat, found.reason) == (None, None, "anomaly")
        assert found.text is not None
        assert found.text.startswith("Attempt 1 of seat ")
        spectator = len(table.players)
        told = await it.store.log.told(table.match, spectator, (found.seq or 0) - 1, 1)
        assert told[0].tag == "cheat.challenged", "the frame that beat him, in the spectator's numbers"
        lines = [line async for line in complete(it.store.log, table.match, await it.store.tree.keys())]
        assert b"match.dispute_raised" in b"".join(lines)
        verify(lines)


async def test_a_transcript_that_is_asked_for_before_the_house_looked_has_its_question_and_its_place(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    async with runtime(database, redis_url) as it:
        table, signs = await raced(it, early_ms=600), notary(it, tmp_path)
        files = [[line async for line in complete(it.store.log, table.match, in_tree=signs.in_tree)] for _ in range(2)]
        assert files[0] == files[1]
        assert verify(files[0]).tree == 1


async def test_who_disputes_while_a_transcript_is_read_cuts_nothing_off_it(
    database: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "PAGE", 5)
    async with runtime(database, redis_url) as it:
        table, signs = await raced(it, early_ms=0), notary(it, tmp_path)
        before = [line async for line in complete(it.store.log, table.match, in_tree=signs.in_tree)]
        reading = complete(it.store.log, table.match, in_tree=signs.in_tree)
        lines = [await anext(reading)]
        stays = next(seat["seat"] for seat in (await table.sees(0))["seats"] if not seat["left"])
        await it.disputes.raise_(table.asked(stays), table.match, seq=None, reason="other", text=None)
        lines += [line async for line in reading]
        assert lines == before
        assert verify(lines).tree == 1


async def test_it_asks_once(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it, runtime(database, redis_url) as other:
        table = await raced(it, early_ms=600)
        await looks(it).look(table.match)
        await looks(other).look(table.match)
        [found] = await disputes(it, table.match)
        rita = Asked(player=await a_player(it, "Rita"), received_at=it.clock.now())
        await it.disputes.assign(rita, found.id, instead=False)
        await it.disputes.rule(rita, found.id, Judgement(ruling="dismissed", rules=("1.1",), text=None, told=None))
        await looks(other).look(table.match)
        assert len(await disputes(it, table.match)) == 1


async def test_what_two_clocks_may_differ_by_is_no_anomaly(database: str, redis_url: str, tmp_path: Path) -> None:
    async with runtime(database, redis_url) as it:
        table = await raced(it, early_ms=200)
        assert await notary(it, tmp_path).includes(table.match)
        assert await disputes(it, table.match) == []
