"""What holds for every request: headers, other sites' pages, what is logged, and who is ready."""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import structlog
from msgspec.structs import replace
from prometheus_client import REGISTRY, generate_latest

from service.dialogue import TryAgain
from service.settings import Settings
from service.telemetry import logs
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served, serving
from tests.api.tables import Table, lie, table_of

SITE = "https://play.example"


@pytest.mark.parametrize(
    "path", ["/v1/players/me", "/v1/games", "/v1/nothing", "/docs", "/openapi.json", "/health/live"]
)
def test_every_answer_has_the_headers_that_protect(anna: Person, path: str) -> None:
    answer = anna.try_("GET", path)

    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "server" not in answer.headers
    assert "access-control-allow-origin" not in answer.headers
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["x-request-id"])


def test_private_answers_are_kept_by_nobody(table: Table) -> None:
    for path in ("/v1/players/me", table.path, f"{table.path}/events", "/v1/matches?mine=true"):
        assert table.anna.try_("GET", path).headers["cache-control"] == "no-store"
    assert table.anna.try_("GET", "/v1/nothing").headers["cache-control"] == "no-store"
    with table.anna.http.stream("GET", f"{table.path}/stream") as answer:
        assert answer.headers["cache-control"] == "no-store, no-transform"
        assert "content-encoding" not in answer.headers
        assert "content-length" not in answer.headers


def test_a_request_keeps_the_name_that_it_came_with(anna: Person) -> None:
    assert anna.try_("GET", "/v1/games", x_request_id="shop-42.a_b").headers["x-request-id"] == "shop-42.a_b"
    for odd in ("short", "x" * 65, "with blanks in it", "new\tline-and-more"):
        assert anna.try_("GET", "/v1/games", x_request_id=odd).headers["x-request-id"] != odd
    told = anna.try_("GET", "/v1/nothing", x_request_id="shop-42.a_b").json()
    assert told["request_id"] == "shop-42.a_b"


@pytest.fixture
def shared(settings: Settings) -> Iterator[Served]:
    with serving(replace(settings, cors_origins=(SITE,))) as served:
        yield served


def test_a_page_of_a_site_that_is_configured_may_call(shared: Served) -> None:
    asked = {
        "origin": SITE,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, content-type, idempotency-key",
    }
    before = httpx.options(f"{shared.url}/v1/players", headers=asked)
    assert before.status_code == 204
    assert before.headers["access-control-allow-origin"] == SITE
    assert "POST" in before.headers["access-control-allow-methods"]
    assert {"authorization", "idempotency-key", "if-match", "last-event-id"} <= set(
        before.headers["access-control-allow-headers"].split(", ")
    )

    for answer in (
        httpx.post(f"{shared.url}/v1/players", json={"name": "Anna"}, headers={"origin": SITE}),
        httpx.get(f"{shared.url}/v1/nothing", headers={"origin": SITE}),
        httpx.get(f"{shared.url}/v1/players/me", headers={"origin": SITE}),
        httpx.post(f"{shared.url}/v1/players", content=b"x" * 100_000, headers={"origin": SITE}),
    ):
        assert answer.headers["access-control-allow-origin"] == SITE
        assert "origin" in answer.headers["vary"]
        assert "etag" in answer.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "https://play.example.evil.example", "null", ""])
def test_a_page_of_another_site_may_not(shared: Served, origin: str) -> None:
    before = httpx.options(
        f"{shared.url}/v1/players", headers={"origin": origin, "access-control-request-method": "POST"}
    )
    answer = httpx.get(f"{shared.url}/v1/games", headers={"origin": origin})

    assert "access-control-allow-origin" not in before.headers
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["vary"] == "origin"


def test_without_configuration_no_page_may(server: Served) -> None:
    before = httpx.options(
        f"{server.url}/v1/players", headers={"origin": SITE, "access-control-request-method": "POST"}
    )

    assert "access-control-allow-origin" not in before.headers


def test_bytes_that_are_no_http(server: Served) -> None:
    for words in (
        b"GARBAGE\r\n\r\n",
        b"GET /v1/games HTTP/1.1\r\nHost: a b\r\n\r\n",
        b"GET /%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), 5) as line:
            line.sendall(words)
            line.settimeout(5)
            answer = line.recv(65536)
        assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 404"))
        assert b"Traceback" not in answer
    assert httpx.get(f"{server.url}/health/live").status_code == 200


def test_who_goes_in_the_middle_of_a_body_does_no_harm(server: Served, anna: Person) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 5) as line:
        line.sendall(
            b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )

    assert anna.try_("GET", "/v1/players/me").status_code == 200


def test_alive_and_ready(server: Served) -> None:
    assert httpx.get(f"{server.url}/health/live").json() == {"status": "live"}

    answer = httpx.get(f"{server.url}/health/ready")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "checks": {"postgres": True, "fanout": True, "open": True}}


def test_not_ready_while_the_fan_out_is_deaf(settings: Settings) -> None:
    with serving(replace(settings, redis_url="unix:///nowhere/at/all.sock")) as server:
        answer = httpx.get(f"{server.url}/health/ready", timeout=10)

        told = problem(answer, 503, "not_ready", checks={"postgres": True, "fanout": False, "open": True})
        assert "fanout" in told["detail"]
        assert answer.headers["retry-after"]
        assert httpx.get(f"{server.url}/health/live").status_code == 200
        with Person.arrive(server.url, "Anna") as anna:
            anna.opens()  # commands go on


def test_not_ready_when_it_is_about_to_stop(settings: Settings) -> None:
    with serving(settings) as server:
        server.app.state.shutdown()

        told = problem(httpx.get(f"{server.url}/health/ready"), 503, "not_ready")
        assert told["checks"]["open"] is False


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """What the logs have said since this was last asked."""
    before, handlers, level = structlog.get_config(), logging.getLogger().handlers[:], logging.getLogger().level
    yield lambda: capsys.readouterr().err
    structlog.configure(**before)
    logging.getLogger().handlers[:] = handlers
    logging.getLogger().setLevel(level)


def test_the_log_tells_what_operators_need_and_no_secret(settings: Settings, written: Callable[[], str]) -> None:
    with serving(replace(settings, log_json=True, log_level="debug")) as server:
        friends = [Person.arrive(server.url, name) for name in ("Annabella", "Benedikt", "Caramella")]
        table = table_of(*friends)
        lie(table)
        table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4S"], "rank": "2"})
        table.cara.try_("POST", "/v1/joins", {"code": "SECRETCODE"})
        table.anna.try_("GET", f"{table.path}/events?narrate=de&after=1", x_request_id="shop-42.a")
        table.anna.try_("GET", f"/v1/matches/{table.anna.token}?token={table.anna.token}")
        table.anna.try_("GET", f"/{table.anna.token}")
        with table.anna.http.stream("GET", f"{table.path}/stream"):
            pass
        for friend in friends:
            friend.http.close()
    text = written()
    lines = [json.loads(line) for line in text.splitlines()]

    requests = [line for line in lines if line["event"] == "request"]
    looked = next(line for line in requests if line.get("request_id") == "shop-42.a")
    assert looked["match"] == table.match
    assert looked["route"] == "/v1/matches/{match}/events"
    assert (looked["method"], looked["status"]) == ("GET", 200)
    assert looked["ms"] > 0
    assert {"refused", "wrong_code", "bad_parameter", "not_found"} <= {line.get("problem") for line in requests}
    for secret in (
        *(friend.token for friend in friends),
        *(friend.name for friend in friends),
        *(friend.id for friend in friends),
        "mw_",
        "KD",
        "cheat.play",
        "SECRETCODE",
        "narrate",
        "token",
    ):
        assert secret not in text


def test_a_mistake_of_ours_is_told_to_operators_and_not_to_callers(
    settings: Settings, written: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> Any:
        raise RuntimeError("the hand of Anna is QS 7H")

    with serving(replace(settings, log_json=True)) as server, Person.arrive(server.url, "Anna") as anna:
        monkeypatch.setattr(server.app.state.parts.runtime.store.accounts, "tokens", broken)
        answer = anna.try_("GET", "/v1/players/me")

    told = problem(answer, 500, "internal")
    assert "QS" not in answer.text
    assert "RuntimeError" not in answer.text
    text = written()
    failed = next(line for line in map(json.loads, text.splitlines()) if line["event"] == "failed")
    assert failed["error"] == "RuntimeError"
    assert failed["request_id"] == told["request_id"]
    assert any("players.py" in frame for frame in failed["trace"])
    assert "QS 7H" not in text


def test_tokens_are_blotted_out_wherever_they_get_into_a_line(written: Callable[[], str]) -> None:
    logs.configure(json=True, level="info")
    structlog.get_logger().info("odd", url="/x?token=mw_" + "A" * 43)
    logging.getLogger("library").warning("saw mw_%s", "B" * 43)

    text = written()
    assert "AAAA" not in text
    assert "BBBB" not in text
    assert [json.loads(line)["level"] for line in text.splitlines()] == ["info", "warning"]


@pytest.mark.parametrize("known,slug", [(True, "unavailable"), (False, "outcome_unknown")])
def test_actions_that_could_not_be_taken_are_counted(
    table: Table, server: Served, monkeypatch: pytest.MonkeyPatch, known: bool, slug: str
) -> None:
    async def away(*_: object, **__: object) -> None:
        raise TryAgain(known=known)

    def counted() -> float:
        return REGISTRY.get_sample_value("mogelwerk_actions_total", {"game": "cheat", "outcome": "unavailable"}) or 0

    before = counted()
    monkeypatch.setattr(server.app.state.parts.runtime.referee, "_take", away)

    problem(table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}), 503, slug)
    problem(table.anna.try_("POST", f"{table.path}/clock", {"advance_ms": 1}), 503, slug)  # which is no action

    assert counted() == before + 1


def test_metrics_name_games_and_routes_and_nobody(table: Table) -> None:
    lie(table)
    table.anna.try_("POST", table.actions, {"type": "cheat.play", "cards": ["QS"]})
    table.anna.try_("GET", f"/v1/matches/{table.match}x")
    table.anna.http.request("PROPFIND", "/v1/coffee")

    text = generate_latest(REGISTRY).decode()

    assert 'mogelwerk_actions_total{game="cheat",outcome="accepted"}' in text
    assert 'mogelwerk_actions_total{game="cheat",outcome="refused"}' in text
    assert 'route="/v1/matches/{match}/actions",status="201"' in text
    assert "mogelwerk_append_batch_bucket" in text
    assert "mogelwerk_append_seconds_bucket" in text
    assert "mogelwerk_fanout_delay_seconds_bucket" in text
    assert "mogelwerk_deadline_late_seconds_bucket" in text
    assert "mogelwerk_streams " in text
    for word in (table.match, table.anna.id, "cheat.play", "Anna", "PROPFIND", "coffee"):
        assert word not in text
