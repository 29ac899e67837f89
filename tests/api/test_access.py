"""The access log: what auditors and referees read is on record, and nothing of it can be changed or dropped unseen."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from typer.testing import CliRunner

from projections.audit.kept import kept
from projections.audit.verify import verify
from service.audit.access import Broken, Listed, listed
from service.auth import erase, issue
from service.cli import app
from service.settings import BadSetting, Settings
from tests.api.people import Person
from tests.api.serving import Served
from tests.api.test_history import history, opened


@pytest.fixture
def auditor(server: Served, settings: Settings) -> Person:
    token = issue(settings.database_url, name="Auditor", scopes=("read", "audit"), days=1)
    return Person.again(server.url, token, "Auditor")


@pytest.fixture
def referee(server: Served, settings: Settings) -> Person:
    token = issue(settings.database_url, name="Referee", scopes=("read", "referee"), days=1)
    return Person.again(server.url, token, "Referee")


def log(settings: Settings, match: str) -> Listed:
    def run() -> Listed:
        (found,) = listed(settings.database_url, UUID(match), None)
        return found

    with ThreadPoolExecutor(1) as aside:
        return aside.submit(run).result()


def changed(settings: Settings, statement: str, *values: Any) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(settings.database_url)
        try:
            await connection.execute(statement, *values)
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, run()).result()


def reads(who: Person, match: str) -> None:
    encoded = "%61%74=%32&%61%73=%73%70%65%63%74%61%74%6f%72"
    for path in ("history", "replay", f"replay?{encoded}", "attempts", "attempts?seat=1"):
        assert who.try_("GET", f"/v1/matches/{match}/{path}").is_success


def test_what_officials_read_is_on_record_and_what_players_read_is_not(
    settings: Settings, anna: Person, ben: Person, auditor: Person, referee: Person
) -> None:
    match = opened([anna, ben], "cheat")
    anna.starts(match)
    reads(auditor, match)
    for path in ("history", "replay", "attempts"):
        assert anna.try_("GET", f"/v1/matches/{match}/{path}").is_success
    assert auditor.try_("GET", f"/v1/matches/{match}/replay?as=all").status_code == 403
    referee.do("GET", f"/v1/matches/{match}/attempts")

    found = log(settings, match).reads
    me = {who: who.do("GET", "/v1/players/me")["player"] for who in (auditor, referee)}
    assert [(one.who, one.scopes, one.read) for one in found] == [
        (me[auditor], ("audit",), "history as=spectator"),
        (me[auditor], ("audit",), "replay"),
        (me[auditor], ("audit",), "replay as=spectator&at=2"),
        (me[auditor], ("audit",), "attempts of all, without content"),
        (me[auditor], ("audit",), "attempts of seat 1, without content"),
        (me[referee], ("referee",), "attempts of all, without content"),
    ]


def test_many_who_read_at_once_stand_one_behind_the_other(settings: Settings, anna: Person, auditor: Person) -> None:
    match = opened([anna], "cheat")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: auditor.try_("GET", f"/v1/matches/{match}/attempts"), range(24)))
    assert all(answer.is_success for answer in answers)
    assert [one.n for one in log(settings, match).reads] == list(range(1, 25))


@pytest.mark.parametrize(
    "statement, n",
    [
        ("UPDATE access SET record = replace(record, '\"attempts', '\"Attempts') WHERE match = $1 AND n = 3", 3),
        ("UPDATE access SET head = decode(repeat('00', 32), 'hex') WHERE match = $1 AND n = 2", 2),
        ("DELETE FROM access WHERE match = $1 AND n = 2", 2),
        ("DELETE FROM access WHERE match = $1 AND n = 1", 1),
        ("UPDATE access SET n = CASE n WHEN 2 THEN 5 ELSE n END WHERE match = $1", 2),
    ],
)
def test_whatever_is_changed_is_found(
    settings: Settings, anna: Person, auditor: Person, statement: str, n: int
) -> None:
    match = opened([anna], "cheat")
    for _ in range(4):
        auditor.do("GET", f"/v1/matches/{match}/attempts")
    assert len(log(settings, match).reads) == 4
    changed(settings, statement, UUID(match))
    with pytest.raises(Broken) as found:
        log(settings, match)
    assert found.value.n == n


def test_who_kept_a_head_sees_that_the_end_was_cut_off(settings: Settings, anna: Person, auditor: Person) -> None:
    match = opened([anna], "cheat")
    for _ in range(3):
        auditor.do("GET", f"/v1/matches/{match}/attempts")
    head = log(settings, match).head
    env = {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}

    def run(*arguments: str) -> Any:
        with ThreadPoolExecutor(1) as aside:
            return aside.submit(CliRunner().invoke, app, ["access", match, *arguments], env=env).result()

    shown = run("--kept", head)
    assert shown.exit_code == 0, shown.output
    assert f"{match}: 3 reads, none missing, none changed; head {head}" in shown.output
    changed(settings, "DELETE FROM access WHERE match = $1 AND n = 3", UUID(match))
    assert run().exit_code == 0
    assert run("--kept", head).exit_code == 1
    with ThreadPoolExecutor(1) as aside, pytest.raises(BadSetting):
        aside.submit(listed, settings.database_url, UUID(match), head).result()
    changed(settings, "DELETE FROM access WHERE match = $1 AND n = 1", UUID(match))
    assert run().exit_code == 1


def test_a_match_of_players_who_were_erased_verifies_and_their_attempts_are_still_there(
    settings: Settings, anna: Person, ben: Person, auditor: Person
) -> None:
    match = opened([anna, ben], "cheat")
    anna.starts(match)
    assert ben.try_("POST", f"/v1/matches/{match}/actions", {"type": "cheat.accept", "claim_id": 99}).status_code == 409
    before = history(anna, match)
    while anna.sees(match)["status"] == "playing":
        anna.turns_clock(match, seconds=60)
    whole = history(auditor, match)
    with ThreadPoolExecutor(1) as aside:
        for who in (anna, ben):
            assert aside.submit(erase, settings.database_url, who.id).result()

    again = history(auditor, match)
    assert again == whole
    assert verify(again, kept=kept(before)).played
    refused = auditor.do("GET", f"/v1/matches/{match}/attempts")["attempts"]
    assert [one["action"]["claim_id"] for one in refused if one["seat"] == 1] == [99]
    assert b"Anna" not in b"".join(whole)
    assert b"Ben" not in b"".join(whole)
