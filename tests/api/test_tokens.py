"""Secrets, the memory of who bears them, and tokens from the server's own machine."""

from __future__ import annotations

import asyncio
import json
import sys
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import httpx
import msgspec
import pytest

from service.auth import erase, issue
from service.auth.bearers import REMEMBERED, Bearers
from service.auth.names import Name
from service.auth.scopes import Scope
from service.auth.secrets import TOKEN, digest, first_token, further_token
from service.servers import CannotStart
from service.servers.children import until
from service.settings import BadSetting, Settings
from service.store.rows import Player, Token, Unavailable
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ANNA = Player(uuid4(), "Anna", NOON)


def test_a_token_is_made_again_from_its_key_and_id_alone() -> None:
    player = uuid4()

    assert first_token("a key of some length", player) == first_token("a key of some length", player)
    assert first_token("a key of some length", player) != first_token("a key of some length", uuid4())
    assert first_token("a key of some length", player) != first_token("a key of other length", player)
    assert first_token(None, player) != first_token(None, player)
    assert TOKEN.fullmatch(first_token(None, player))


def test_who_knows_a_key_and_an_id_has_no_token_yet() -> None:
    token, anna, ben = uuid4(), first_token(None, uuid4()), first_token(None, uuid4())

    assert further_token("k", token, anna) == further_token("k", token, anna)
    assert further_token("k", token, anna) != further_token("k", token, ben)
    assert TOKEN.fullmatch(further_token("k", token, anna))


class Accounts:
    """A store of one token; counts how often it is asked."""

    def __init__(self, token: Token) -> None:
        self.token = token
        self.asked = 0
        self.away = False

    async def by_hash(self, hash: bytes) -> Token | None:  # noqa: A002 - as the store calls it
        self.asked += 1
        return self.token if hash == digest(TEXT) else None

    async def player(self, player: UUID) -> Player | None:
        return ANNA

    async def revoked(self, tokens: list[UUID]) -> set[UUID]:
        if self.away:
            raise Unavailable
        return {self.token.id} if self.token.revoked_at else set()


TEXT = first_token(None, ANNA.id)


class Time:
    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)


def bearers_of(accounts: Accounts, time: Time) -> Bearers:
    return Bearers(accounts, time.now, time.monotonic)  # type: ignore[arg-type]  # as much of a store as it needs


def a_token(expires_at: datetime | None = None, revoked_at: datetime | None = None) -> Token:
    return Token(uuid4(), ANNA.id, (Scope.READ,), NOON, expires_at, revoked_at)


async def test_a_bearer_is_remembered_for_a_second_at_most() -> None:
    accounts, time = Accounts(a_token()), Time()
    bearers = bearers_of(accounts, time)
    for _ in range(10):
        found = await bearers.find(TEXT)
        assert found is not None
        assert found.player == ANNA
    assert accounts.asked == 1
    assert REMEMBERED <= 1

    accounts.token = msgspec.structs.replace(accounts.token, revoked_at=NOON)
    time.seconds = REMEMBERED + 0.01

    assert await bearers.find(TEXT) is None


async def test_a_token_that_expires_is_good_until_then_and_not_a_moment_longer() -> None:
    time = Time()
    bearers = bearers_of(Accounts(a_token(expires_at=NOON + timedelta(seconds=0.5))), time)

    assert await bearers.find(TEXT) is not None
    time.seconds = 0.5
    assert await bearers.find(TEXT) is None


async def test_what_is_no_token_is_not_asked_for() -> None:
    accounts = Accounts(a_token())
    bearers = bearers_of(accounts, Time())

    for text in ("", "mw_", TEXT + "A", TEXT[:-1], TEXT + "\n", "🂡" * 43):
        assert await bearers.find(text) is None
    assert accounts.asked == 0


async def test_a_stream_is_not_told_it_may_go_on_when_nobody_knows() -> None:
    accounts, time = Accounts(a_token()), Time()
    bearers = bearers_of(accounts, time)
    with bearers.watching(accounts.token.id):
        with pytest.raises(Unavailable):
            bearers.still_good(accounts.token.id)
        bearers.forget(accounts.token.id)
        assert not bearers.still_good(accounts.token.id)


async def test_who_has_a_stream_open_is_known_by_the_looks_at_it_and_not_a_moment_after_its_token_is_revoked() -> None:
    accounts, time = Accounts(a_token()), Time()
    bearers = bearers_of(accounts, time)
    assert await bearers.find(TEXT) is not None

    async def looked_at() -> None:
        watching = asyncio.create_task(bearers.watch())
        await asyncio.sleep(0)
        watching.cancel()

    with bearers.watching(accounts.token.id):
        for _ in range(10):
            time.seconds += REMEMBERED
            await looked_at()
            assert await bearers.find(TEXT) is not None
        assert accounts.asked == 1

        accounts.token = msgspec.structs.replace(accounts.token, revoked_at=NOON)
        await looked_at()
        assert await bearers.find(TEXT) is None


async def test_a_look_that_does_not_come_back_vouches_for_nobody() -> None:
    accounts, time = Accounts(a_token()), Time()
    bearers = bearers_of(accounts, time)
    await bearers.find(TEXT)
    with bearers.watching(accounts.token.id):
        watching = asyncio.create_task(bearers.watch())
        await asyncio.sleep(0)
        watching.cancel()
        accounts.away = True
        accounts.token = msgspec.structs.replace(accounts.token, revoked_at=NOON)
        time.seconds += REMEMBERED + 0.01

        assert await bearers.find(TEXT) is None


@pytest.mark.parametrize("scope", Scope)
def test_who_runs_the_server_gives_out_tokens(server: Served, settings: Settings, scope: Scope) -> None:
    token = issue(settings.database_url, name="Operator", scopes=[scope], days=1)

    me = httpx.get(f"{server.url}/v1/players/me", headers={"authorization": f"Bearer {token}"}).json()

    assert me["token"]["scopes"] == [scope]
    assert me["name"] == "Operator"
    assert me["token"]["expires_at"] is not None


def test_who_was_erased_is_let_in_nowhere(server: Served, settings: Settings) -> None:
    key = "a-key-as-good-as-a-password"
    made = httpx.post(f"{server.url}/v1/players", json={"name": "Dora"}, headers={"idempotency-key": key}).json()
    dora = Person(server.url, made["token"], made["player"], "Dora")
    match = dora.opens()
    with dora.http.stream("GET", f"/v1/matches/{match}/stream", headers={"accept": "application/x-ndjson"}) as answer:
        lines = answer.iter_lines()
        next(lines)

        assert erase(settings.database_url, made["player"])

        assert json.loads(list(lines)[-1])["reason"] == "revoked"
    assert until(lambda: dora.try_("GET", "/v1/players/me").status_code == 401, 10)
    again = httpx.post(f"{server.url}/v1/players", json={"name": "Dora"}, headers={"idempotency-key": key}).json()
    assert again["player"] != made["player"]
    assert not erase(settings.database_url, made["player"])
    with pytest.raises(BadSetting, match="by the id"):
        erase(settings.database_url, "Dora")


def test_he_is_told_what_cannot_be_given_out(settings: Settings) -> None:
    with pytest.raises(BadSetting, match="play, read, audit, referee, operate"):
        issue(settings.database_url, name="Operator", scopes=["everything"], days=1)
    with pytest.raises(BadSetting, match="1 to 40"):
        issue(settings.database_url, name="", scopes=["audit"], days=1)
    with pytest.raises(CannotStart):
        issue("postgresql://localhost:1/nothing", name="Operator", scopes=["audit"], days=1)


def test_no_control_or_direction_is_ever_in_a_name() -> None:
    told = msgspec.json.Decoder(Name)
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Co") or unicodedata.bidirectional(sign) in (
            *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"),
        ):
            with pytest.raises(msgspec.ValidationError):
                told.decode(msgspec.json.encode(f"A{sign}B"))


def test_who_may_audit_may_read(server: Served, api_database: str, newcomer: Callable[[str], Person]) -> None:
    """What an auditor is for is looking; to play is something else."""
    anna = newcomer("Anna")
    match = anna.opens(sandbox=False)
    for scope in ("audit", "referee"):
        with Person.again(server.url, issue(api_database, name="Rhea", scopes=[scope], days=1), "Rhea") as rhea:
            assert rhea.sees(match)["seat"] is None
            refused = rhea.try_("POST", f"/v1/matches/{match}/seats", {})
            problem(refused, 403, "missing_scope", scope="play")
