"""How fast one may be: told before it hurts, and never felt by who plays at a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from ipaddress import ip_network
from typing import Any
from uuid import UUID, uuid4

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from service.api.requests import guards
from service.api.requests.limits import Allowance, Buckets
from service.auth.address import address
from service.servers.children import until
from service.settings import Limits, Rate, Settings
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import PLENTY, Served, serving
from tests.api.tables import table_of

SLOWLY = 0.001  # a second: nothing comes back while a test runs


class Watch:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate(watch: Watch) -> None:
    bucket = Buckets("actions", Rate(2, 3), now=watch)

    assert [bucket.take("anna").granted for _ in range(4)] == [True, True, True, False]
    assert bucket.take("anna").wait == pytest.approx(0.5)
    watch.now += 0.5
    assert bucket.take("anna").granted
    assert not bucket.take("anna").granted
    watch.now += 3600
    assert [bucket.take("anna").granted for _ in range(4)] == [True, True, True, False]


def test_everybody_has_a_bucket_of_his_own(watch: Watch) -> None:
    bucket = Buckets("actions", Rate(1, 1), now=watch)

    assert bucket.take("anna").granted
    assert bucket.take("ben").granted
    assert not bucket.take("anna").granted


def test_what_is_left_is_told(watch: Watch) -> None:
    bucket = Buckets("actions", Rate(50, 100), now=watch)

    assert bucket.take("anna").headers == [
        (b"ratelimit-policy", b'"actions";q=100;w=2'),
        (b"ratelimit", b'"actions";r=99;t=1'),
    ]
    assert bucket.look("anna").left == 99
    bucket.give_back("anna")
    assert bucket.look("anna").left == 100


def test_looking_takes_nothing(watch: Watch) -> None:
    bucket = Buckets("codes", Rate(1, 1), now=watch)

    assert all(bucket.look("anna").granted for _ in range(5))
    assert bucket.take("anna").granted
    assert not bucket.look("anna").granted


def test_buckets_of_who_does_not_call_are_forgotten(watch: Watch) -> None:
    bucket = Buckets("address", Rate(1, 10), most=100, now=watch)
    for caller in range(100):
        bucket.take(caller)
    watch.now += 20
    bucket.take("anna")

    assert len(bucket) == 1


def test_memory_is_bounded_even_if_all_are_busy(watch: Watch) -> None:
    bucket = Buckets("address", Rate(1, 10), most=100, now=watch)
    for caller in range(10_000):
        bucket.take(caller)

    assert len(bucket) <= 100


@pytest.mark.parametrize(
    "peer,forwarded,found",
    [
        ("203.0.113.7", [], "203.0.113.7"),
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),  # not a proxy of ours: what he says is not believed
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["192.0.2.66, 198.51.100.1"], "198.51.100.1"),  # the left one he wrote himself
        ("10.0.0.1", ["192.0.2.66", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["nonsense"], "10.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        (None, [], "local"),
    ],
)
def test_from_where_somebody_calls(peer: str | None, forwarded: list[str], found: str) -> None:
    assert address(peer, forwarded, (ip_network("10.0.0.0/8"),)) == found


@pytest.fixture
def limited(settings: Settings) -> Iterator[Callable[..., Served]]:
    """A server with some limits in earnest."""
    opened: list[Any] = []

    def start(**limits: Rate) -> Served:
        plenty = dict.fromkeys(Limits.__struct_fields__, PLENTY)
        server = serving(
            replace(settings, limits=Limits(**{**plenty, **limits}), trusted_proxies=(ip_network("127.0.0.0/8"),))
        )
        opened.append(server)
        served: Served = server.__enter__()
        return served

    yield start
    for server in opened:
        server.__exit__(None, None, None)


def too_fast(answer: httpx.Response, policy: str) -> None:
    told = problem(answer, 429, "rate_limited")
    assert int(answer.headers["retry-after"]) >= told["retry_after"] >= 0.01
    assert told["detail"].endswith(f" in {told['retry_after']:g} s.")
    assert answer.headers["ratelimit"].startswith(f'"{policy}";r=0;t=')
    assert answer.headers["ratelimit-policy"].startswith(f'"{policy}";q=')


def test_what_is_said_of_a_short_wait_is_what_the_member_says_and_never_nothing() -> None:
    for wait, member, en, de, whole in ((0.0004, 0.01, "0.01", "0,01", "1"), (2.4, 2.4, "2.4", "2,4", "3")):
        told = guards.too_fast(Allowance("actions", 100, 2, 0, 2, wait))
        assert (told.members["retry_after"], told.headers["retry-after"]) == (member, whole)
        assert msgspec.json.decode(told.body("en", None))["detail"].endswith(f"Try again in {en} s.")
        assert msgspec.json.decode(told.body("de", None))["detail"].endswith(f"Versuche es in {de} s wieder.")


def test_one_address_creates_few_accounts(limited: Callable[..., Served]) -> None:
    server = limited(accounts=Rate(SLOWLY, 2))

    def create(here: str) -> httpx.Response:
        return httpx.post(f"{server.url}/v1/players", json={"name": "Anna"}, headers={"x-forwarded-for": here})

    assert create("198.51.100.1").status_code == 201
    assert create("198.51.100.1").headers["ratelimit"].startswith('"accounts";r=0')
    too_fast(create("198.51.100.1"), "accounts")
    assert create("198.51.100.2").status_code == 201


def test_one_account_opens_few_matches(limited: Callable[..., Served]) -> None:
    server = limited(matches=Rate(SLOWLY, 2))
    with Person.arrive(server.url, "Anna") as anna, Person.arrive(server.url, "Ben") as ben:
        anna.opens()
        anna.opens()
        too_fast(anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 3}), "matches")
        ben.opens()


def test_codes_are_tried_seldom_and_a_right_one_is_no_try(limited: Callable[..., Served]) -> None:
    server = limited(codes=Rate(SLOWLY, 2))
    with Person.arrive(server.url, "Anna") as anna, Person.arrive(server.url, "Ben") as ben:
        for _ in range(4):
            code = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "access": "code"})["code"]
            assert ben.try_("POST", "/v1/joins", {"code": code}).status_code == 201
        for _ in range(4):
            problem(ben.try_("POST", "/v1/joins", {"code": code}), 409, "refused", reason="already_seated")
        for _ in range(2):
            problem(ben.try_("POST", "/v1/joins", {"code": "XXXXXXXX"}), 403, "wrong_code")

        too_fast(ben.try_("POST", "/v1/joins", {"code": code}), "codes")
        match = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "access": "code"})["match"]
        too_fast(ben.try_("POST", f"/v1/matches/{match}/seats", {"code": "XXXXXXXX"}), "codes")


def test_codes_are_tried_seldom_from_one_address_with_however_many_accounts(limited: Callable[..., Served]) -> None:
    server = limited(codes=Rate(SLOWLY, 3))
    for _ in range(3):
        with Person.arrive(server.url, "Eve") as eve:
            problem(eve.try_("POST", "/v1/joins", {"code": "XXXXXXXX"}), 403, "wrong_code")
    with Person.arrive(server.url, "Eve") as eve:
        too_fast(eve.try_("POST", "/v1/joins", {"code": "XXXXXXXX"}), "codes")


def test_a_seat_that_acts_is_not_slowed_by_what_its_player_reads(limited: Callable[..., Served]) -> None:
    server = limited(token=Rate(SLOWLY, 6), actions=Rate(SLOWLY, 3))
    friends = [Person.arrive(server.url, name) for name in ("Anna", "Ben", "Cara")]
    table = table_of(*friends)
    while table.ben.try_("GET", table.path).status_code == 200:
        pass
    too_fast(table.ben.try_("GET", table.path), "token")

    told = table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]})

    assert told.status_code == 201
    assert told.headers["ratelimit"].startswith('"actions";r=2')
    for _ in range(2):
        problem(table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["KD"]}), 409, "refused")
    too_fast(table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["KD"]}), "actions")
    assert table.cara.try_("POST", table.actions, {"type": "cheat.accept", "claim_id": 0}).status_code == 201
    for friend in friends:
        friend.http.close()


def test_who_tries_tokens_is_stopped_before_the_store_is_asked(
    limited: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = limited(address=Rate(SLOWLY, 2))
    with Person.arrive(server.url, "Anna") as anna:
        anna.do("GET", "/v1/players/me")
        for letter in "AB":
            answer = httpx.get(f"{server.url}/v1/players/me", headers={"authorization": "Bearer mw_" + letter * 43})
            problem(answer, 401, "unauthorized")
        asked: list[str] = []
        monkeypatch.setattr(server.app.state.parts.bearers, "find", asked.append)
        answer = httpx.get(f"{server.url}/v1/players/me", headers={"authorization": "Bearer mw_" + "C" * 43})
        assert asked == []
        problem(answer, 429, "rate_limited")
        too_fast(httpx.get(f"{server.url}/v1/games"), "address")
        assert httpx.get(f"{server.url}/health/live").status_code == 200


def test_one_token_has_so_many_streams_and_long_polls_open(settings: Settings) -> None:
    with serving(replace(settings, streams=2)) as server, ExitStack() as stack:
        friends = [stack.enter_context(Person.arrive(server.url, name)) for name in ("Anna", "Ben", "Cara")]
        table = table_of(*friends)
        path = f"{table.path}/stream?after={table.anna.sees(table.match)['seq']}"
        first = stack.enter_context(ExitStack())
        for opened in (first, stack):
            assert opened.enter_context(table.anna.http.stream("GET", path)).status_code == 200

        for query in ("/stream", "?wait=30"):
            with table.anna.http.stream("GET", f"{table.path}{query}") as answer:
                assert answer.status_code == 429
                answer.read()
            told = problem(answer, 429, "rate_limited", retry_after=1.0)
            assert "“streams”" in told["detail"]
        assert table.anna.sees(table.match)["status"] == "playing"
        second = table.anna.do("POST", "/v1/players/me/tokens", {"scopes": ["read"]})["token"]
        for other in (Person.again(server.url, second, "Anna"), table.ben):
            with stack.enter_context(other).http.stream("GET", path) as answer:
                assert answer.status_code == 200

        first.close()
        assert until(lambda: table.anna.try_("GET", f"{table.path}?after=0&wait=1").status_code == 200, 10)
        assert server.app.state.parts.bearers.watched(UUID(int=0)) == 0


def test_usual_limits_are_not_felt_at_a_table() -> None:
    usual = Limits()

    assert usual.actions.per_second >= 10
    assert usual.actions.burst >= 20


def test_who_acts_where_he_does_not_sit_has_one_limit_over_all_matches(limited: Callable[..., Served]) -> None:
    server = limited(token=Rate(SLOWLY, 3))
    with Person.arrive(server.url, "Eve") as eve:
        for _ in range(3):
            problem(eve.try_("POST", f"/v1/matches/{uuid4()}/actions", {"type": "cheat.pass"}), 404, "no_such_match")
        problem(eve.try_("POST", f"/v1/matches/{uuid4()}/actions", {"type": "cheat.pass"}), 429, "rate_limited")


def test_a_match_is_the_same_however_its_id_is_written(limited: Callable[..., Served]) -> None:
    server = limited(actions=Rate(SLOWLY, 2))
    with Person.arrive(server.url, "Anna") as anna:
        match = anna.opens()
        written = (match, match.upper(), match.replace("-", ""))
        answers = [anna.try_("POST", f"/v1/matches/{name}/actions", {"type": "cheat.pass"}) for name in written]

    assert [answer.status_code for answer in answers] == [409, 409, 429]
