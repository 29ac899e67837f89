"""Accounts, tokens, and what a token lets its bearer do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served


def create(server: Served, name: str, key: str | None = None) -> httpx.Response:
    headers = {} if key is None else {"idempotency-key": key}
    return httpx.post(f"{server.url}/v1/players", json={"name": name}, headers=headers)


def bearing(server: Served, token: str) -> httpx.Client:
    return httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {token}"})


def test_a_name_is_enough(server: Served) -> None:
    answer = create(server, "Anna")

    assert answer.status_code == 201
    assert re.fullmatch(r"mw_[A-Za-z0-9_-]{43}", answer.json()["token"])
    with bearing(server, answer.json()["token"]) as anna:
        me = anna.get("/v1/players/me").json()
    assert me["player"] == answer.json()["player"]
    assert me["name"] == "Anna"
    assert me["token"]["scopes"] == ["play", "read"]
    assert me["token"]["expires_at"] is None


def test_two_of_one_name_are_two(server: Served) -> None:
    one, other = create(server, "Anna").json(), create(server, "Anna").json()

    assert one["player"] != other["player"]
    assert one["token"] != other["token"]


@pytest.mark.parametrize("name", ["A", "Jürgen", "Анна", "安娜", "O'Neill-Smith 3rd", "Zoë 🎲", "x" * 40, "🂡" * 40])
def test_names_that_are_names(server: Served, name: str) -> None:
    answer = create(server, name)

    assert answer.status_code == 201
    assert answer.json()["name"] == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        " Anna",
        "Anna ",
        "An\nna",
        "Anna\n",
        "Anna\x00",
        "\x1b[31mAnna",
        "An\u202ena",
        "\u2066Anna\u2069",
        "Anna\u200b",
        "\ufeffAnna",
        "Anna\u2028",
        "Anna\x85",
        "An\U000e0041na",
        "x" * 41,
        7,
        None,
        ["Anna"],
    ],
)
def test_names_that_are_none(server: Served, name: Any) -> None:
    answer = httpx.post(f"{server.url}/v1/players", json={"name": name})

    problem(answer, 400, "malformed", field="/name")


def test_half_a_sign_is_no_name(server: Served) -> None:
    answer = httpx.post(
        f"{server.url}/v1/players", content=rb'{"name":"\ud83c"}', headers={"content-type": "application/json"}
    )

    problem(answer, 400, "malformed")


def test_asked_again_under_its_key_an_account_is_the_same(server: Served) -> None:
    key = uuid4().hex
    first, again = create(server, "Anna", key), create(server, "Anna", key)

    assert again.status_code == 201
    assert again.json() == first.json()
    problem(create(server, "Ben", key), 422, "key_reused")
    assert create(server, "Anna", uuid4().hex).json()["token"] != first.json()["token"]


def test_the_key_of_an_account_must_be_a_secret(server: Served) -> None:
    told = problem(create(server, "Anna", "fifteen-letters"), 400, "bad_parameter", field="Idempotency-Key")

    assert "16" in told["detail"]


def test_a_token_makes_tokens_that_may_less(server: Served, anna: Person) -> None:
    made = anna.do("POST", "/v1/players/me/tokens", {"scopes": ["read"], "expires_in": 3600})

    assert made["scopes"] == ["read"]
    assert made["expires_at"] is not None
    with bearing(server, made["token"]) as reader:
        assert reader.get("/v1/players/me").json()["player"] == anna.id
        problem(reader.post("/v1/matches", json={"game": "cheat", "seats": 3}), 403, "missing_scope", scope="play")
        more = reader.post("/v1/players/me/tokens", json={"scopes": ["read", "play"]})
        problem(more, 403, "missing_scope", scope="play")
        heir = reader.post("/v1/players/me/tokens", json={}).json()
        assert heir["scopes"] == ["read"]
        assert heir["expires_at"] <= made["expires_at"]


def test_a_scope_that_is_named_twice_counts_once(anna: Person) -> None:
    made = anna.do("POST", "/v1/players/me/tokens", {"scopes": ["read", "read", "play", "read"]})

    assert made["scopes"] == ["read", "play"]
    assert [token["scopes"] for token in anna.do("GET", "/v1/players/me")["tokens"]][1] == ["read", "play"]


@pytest.mark.parametrize("scope", ["audit", "referee", "operate"])
def test_a_guest_makes_himself_no_referee(anna: Person, scope: str) -> None:
    answer = anna.try_("POST", "/v1/players/me/tokens", {"scopes": [scope]})

    problem(answer, 403, "missing_scope", scope=scope)


@pytest.mark.parametrize(
    "wish,field",
    [
        ({"scopes": []}, "/scopes"),
        ({"scopes": ["everything"]}, "/scopes/0"),
        ({"expires_in": 0}, "/expires_in"),
        ({"expires_in": 10**12}, "/expires_in"),
        ({"expires": 60}, "/expires"),
    ],
)
def test_wishes_for_tokens_that_cannot_be(anna: Person, wish: dict[str, Any], field: str) -> None:
    problem(anna.try_("POST", "/v1/players/me/tokens", wish), 400, "malformed", field=field)


def test_asked_again_under_its_key_a_token_is_the_same(server: Served, anna: Person) -> None:
    wish = {"scopes": ["read"]}
    first = anna.do("POST", "/v1/players/me/tokens", wish, idempotency_key="reader")
    again = anna.do("POST", "/v1/players/me/tokens", wish, idempotency_key="reader")

    assert again == first
    with bearing(server, again["token"]) as reader:
        assert reader.get("/v1/players/me").status_code == 200
        problem(
            reader.post("/v1/players/me/tokens", json=wish, headers={"idempotency-key": "reader"}), 422, "key_reused"
        )
    problem(anna.try_("POST", "/v1/players/me/tokens", {}, idempotency_key="reader"), 422, "key_reused")
    problem(
        anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 3}, idempotency_key="reader"), 422, "key_reused"
    )


def test_a_revoked_token_lets_nobody_in(server: Served, anna: Person) -> None:
    made = anna.do("POST", "/v1/players/me/tokens", {})
    with bearing(server, made["token"]) as other:
        assert other.get("/v1/players/me").status_code == 200

        assert anna.try_("DELETE", f"/v1/players/me/tokens/{made['id']}").status_code == 204

        problem(other.get("/v1/players/me"), 401, "unauthorized")
    assert anna.try_("DELETE", f"/v1/players/me/tokens/{made['id']}").status_code == 204
    assert [token["id"] for token in anna.do("GET", "/v1/players/me")["tokens"]] != [made["id"]]


def test_a_token_can_revoke_itself(server: Served, anna: Person) -> None:
    own = anna.do("GET", "/v1/players/me")["token"]["id"]

    assert anna.try_("DELETE", f"/v1/players/me/tokens/{own}").status_code == 204

    problem(anna.try_("GET", "/v1/players/me"), 401, "unauthorized")


def test_a_token_revokes_none_that_may_more(server: Served, anna: Person) -> None:
    own = anna.do("GET", "/v1/players/me")["token"]["id"]
    made = anna.do("POST", "/v1/players/me/tokens", {"scopes": ["read"]})

    with bearing(server, made["token"]) as reader:
        problem(reader.delete(f"/v1/players/me/tokens/{own}"), 403, "missing_scope", scope="play")


def test_nobody_revokes_anothers_token(anna: Person, ben: Person) -> None:
    his = ben.do("GET", "/v1/players/me")["token"]["id"]

    problem(anna.try_("DELETE", f"/v1/players/me/tokens/{his}"), 404, "no_such_token")
    problem(anna.try_("DELETE", f"/v1/players/me/tokens/{uuid4()}"), 404, "no_such_token")
    problem(anna.try_("DELETE", "/v1/players/me/tokens/mine"), 400, "bad_id", field="token")
    assert ben.try_("GET", "/v1/players/me").status_code == 200


def test_no_answer_but_the_first_tells_a_token(anna: Person, newcomer: Callable[[str], Person]) -> None:
    match = anna.opens(fill=True)
    anna.starts(match)
    for path in ("/v1/players/me", "/v1/matches?mine=true", f"/v1/matches/{match}", f"/v1/matches/{match}/events"):
        answer = anna.try_("GET", path)
        assert answer.status_code == 200
        assert anna.token not in answer.text
        assert "mw_" not in answer.text
