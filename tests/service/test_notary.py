"""The notary signs nothing over rows that somebody has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from projections.audit.verify import verify
from service.audit.anomalies import Anomalies
from service.audit.exporting import complete
from service.audit.notary import Notary
from service.audit.refusals import Refusals
from service.dialogue import Asked, Refusal
from service.runtime.book import BrokenLog
from service.runtime.disputes import Judgement
from service.runtime.runtime import Runtime
from service.store.tree import BrokenTree
from tests.service.runtime.table import a_player, a_table, runtime
from tests.service.runtime.test_time import execute


async def over(it: Runtime) -> UUID:
    """A match that is over as soon as it began: one of two leaves. Something was tried in it, and refused."""
    table = await a_table(it, names="Anna Ben", game="liars-dice", seats=2, leaving="cards_leave", sandbox=False)
    with pytest.raises(Refusal):
        await table.act(0, {"type": "liars_dice.challenge", "claim_id": 7})
    await it.referee.leave(table.asked(1), table.match, 1)
    return table.match


def notary(
    it: Runtime, folder: Path, on_broken: Callable[[UUID | None, Exception], None] = lambda match, broken: None
) -> Notary:
    look = Anomalies(it.store.log, Refusals(it.store.log, it.books), it.disputes, it.clock.now).look
    return Notary(it.store, folder, it.clock.now, look=look, on_broken=on_broken)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE attempt SET record = replace(record, 'not_your_turn', 'too_late') WHERE n = 2",
        "UPDATE attempt SET head = decode(repeat('00', 32), 'hex') WHERE n = 2",
        "UPDATE attempt SET outcome = 'accepted' WHERE n = 2",
        "UPDATE attempt SET received_at = received_at - interval '1 us' WHERE n = 2",
        "UPDATE attempt SET head = decode(repeat('00', 32), 'hex') WHERE n = 1",
        "DELETE FROM attempt WHERE n = 1",
    ],
)
async def test_no_receipt_of_an_attempt_that_was_changed(
    database: str, redis_url: str, tmp_path: Path, change: str
) -> None:
    async with runtime(database, redis_url) as it:
        table, commands = await a_table(it), []
        seat = ((await table.sees(0))["awaits"]["seats"][0] + 1) % 3
        for _ in range(2):
            with pytest.raises(Refusal) as no:
                await table.act(seat, {"type": "cheat.play", "cards": (await table.sees(seat))["view"]["hand"][:1]})
            assert no.value.command is not None
            commands.append(no.value.command)
        assert await notary(it, tmp_path).receipt(table.match, commands[1]) is not None

        await execute(database, change)

        with pytest.raises(BrokenLog):
            await notary(it, tmp_path).receipt(table.match, commands[1])


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE stream SET head = decode(repeat('00', 32), 'hex')",
        "UPDATE stream SET tries = 'nothing'",
        "UPDATE event SET salt = decode(repeat('00', 16), 'hex') WHERE version = 2",
        "DELETE FROM event WHERE version = 3",
        "UPDATE attempt SET record = 'nothing'",
        "UPDATE attempt SET record = replace(record, 'action', 'deed')",
        "UPDATE attempt SET outcome = 'uncounted'",
    ],
)
async def test_a_match_that_was_changed_after_its_end_is_left_out_of_the_tree(
    database: str, redis_url: str, tmp_path: Path, change: str
) -> None:
    async with runtime(database, redis_url) as it:
        changed = await over(it)
        await execute(database, change)
        sound, signs = await over(it), notary(it, tmp_path)

        assert await signs.includes(sound)
        assert not await signs.includes(changed)
        latest = await signs.latest()
        assert latest is not None
        assert latest.size == 1


async def test_who_takes_what_is_still_open_in_a_superseded_match_moves_its_leaf_too(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    async with runtime(database, redis_url) as it:
        table, signs = await a_table(it, sandbox=False), notary(it, tmp_path)
        rita = Asked(player=await a_player(it, "Rita"), received_at=it.clock.now())
        raised, open_ = [
            await it.disputes.raise_(table.asked(seat), table.match, seq=None, reason="other", text=None)
            for seat in (0, 1)
        ]
        await it.disputes.assign(rita, raised.id, instead=False)
        await it.disputes.rule(rita, raised.id, Judgement(ruling="branch", rules=("1.1",), text=None, told=None))
        assert await signs.includes(table.match)

        await it.disputes.assign(rita, open_.id, instead=False)

        lines = [line async for line in complete(it.store.log, table.match, in_tree=signs.in_tree)]
        assert b"match.referee_assigned" in lines[-2]
        assert verify(lines).tree == 2


async def test_no_checkpoint_forks_the_one_before_it(database: str, redis_url: str, tmp_path: Path) -> None:
    async with runtime(database, redis_url) as it:
        signs = notary(it, tmp_path)
        for _ in range(3):
            assert await signs.includes(await over(it))
        kept = await signs.latest()
        await execute(database, "UPDATE node SET hash = decode(repeat('ab', 32), 'hex') WHERE level = 1")
        await over(it)

        with pytest.raises(BrokenTree):
            await signs.grow()

        assert await signs.latest() == kept


async def test_no_proof_of_a_leaf_that_was_changed(database: str, redis_url: str, tmp_path: Path) -> None:
    async with runtime(database, redis_url) as it:
        signs, match = notary(it, tmp_path), await over(it)
        assert await signs.includes(match)
        assert await signs.inclusion(match, 1) is not None

        await execute(database, "UPDATE leaf SET data = replace(data, '\"version\":', '\"version\":1')")

        with pytest.raises(BrokenTree):
            await signs.inclusion(match, 1)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM node WHERE level = 0 AND place = 0",
        "UPDATE node SET hash = decode(repeat('ab', 32), 'hex') WHERE level = 0",
        "UPDATE checkpoint SET note = 'nothing'",
    ],
)
async def test_a_tree_that_was_changed_leaves_the_transcripts_whole(
    database: str, redis_url: str, tmp_path: Path, change: str
) -> None:
    async with runtime(database, redis_url) as it:
        signs, one, other = notary(it, tmp_path), await over(it), await over(it)
        assert await signs.includes(one)
        told: list[Exception] = []
        signs = notary(it, tmp_path, lambda match, broken: told.append(broken))
        await execute(database, change)
        new = await over(it)

        for match in (new, one, other):
            summary = verify([line async for line in complete(it.store.log, match, in_tree=signs.in_tree)])
            assert summary.status == "over"
            assert summary.tree is None or match == new, "it may lie where nothing was changed"

        assert {type(broken) for broken in told} == {BrokenTree}
