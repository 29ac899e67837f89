"""While a server is upgraded, a process of the old build meets matches that the new one opened."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from projections.catalogue import CATALOGUE
from service.api.requests.failures import problem_of
from service.audit.anomalies import Anomalies
from service.audit.refusals import Refusals
from service.dialogue import OfNewerBuild
from tests.service.runtime.table import Table, a_table, runtime
from tests.service.runtime.test_broken_log import DEAL


async def test_a_build_that_does_not_know_a_match_rules_yet_lets_it_alone(
    database: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(CATALOGUE, dict)
    today = CATALOGUE["cheat"]
    tomorrow = replace(today, game=replace(today.game, rules_version=today.game.rules_version + 1))
    async with runtime(database, redis_url) as old:
        with monkeypatch.context() as upgraded:
            upgraded.setitem(CATALOGUE, "cheat", tomorrow)
            async with runtime(database, redis_url) as new:
                table = await a_table(new, deal=DEAL)
                before = await new.store.log.stream(table.match)

        twin = Table(old, table.match, table.players)
        for ask in (
            lambda: twin.sees(0),
            lambda: twin.act(0, {"type": "cheat.play", "cards": ["7H"]}),
            lambda: twin.turn_clock(60_000),
            lambda: old.referee.wake(table.match),
            lambda: old.books.until(table.match, 3),
        ):
            with pytest.raises(OfNewerBuild) as no:
                await ask()
            assert problem_of(no.value).kind.status == 503
        await Anomalies(old.store.log, Refusals(old.store.log, old.books), old.disputes, old.clock.now).look(
            table.match
        )
        assert await old.store.log.stream(table.match) == before
