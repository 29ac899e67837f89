"""Who one is and what one names: tokens, codes, matches and seats that are none, or another's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served
from tests.api.tables import Table


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer mw_" + "A" * 43,
        "Bearer mw_short",
        "Basic QW5uYTpzZWNyZXQ=",
        "mw_" + "A" * 43,
    ],
)
def test_without_a_good_token(server: Served, authorization: str | None) -> None:
    headers = {} if authorization is None else {"authorization": authorization}

    answer = httpx.get(f"{server.url}/v1/players/me", headers=headers)

    problem(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"].startswith('Bearer realm="mogelwerk"')


def test_a_token_in_an_address_is_none(server: Served, anna: Person) -> None:
    problem(httpx.get(f"{server.url}/v1/players/me?token={anna.token}"), 401, "unauthorized")
    problem(httpx.get(f"{server.url}/v1/players/me?access_token={anna.token}"), 401, "unauthorized")


def test_someone_elses_token_moves_only_his_own_seat(table: Table) -> None:
    answer = table.anna.try_("DELETE", f"{table.path}/seats/1")

    problem(answer, 403, "not_yours", reason="not_your_seat")
    assert table.anna.sees(table.match)["seats"][1]["name"] == "Ben"


def test_who_may_not_look(anna: Person, ben: Person) -> None:
    match = anna.opens(access="code")

    for path in ("", "/events", "/stream", "?after=0&wait=30"):
        problem(ben.try_("GET", f"/v1/matches/{match}{path}"), 403, "not_yours", reason="may_not_see")


@pytest.mark.parametrize("code", ["7KQ2M9XA", "x", "🂡", "' OR 1=1 --"])
def test_a_wrong_room_code(newcomer: Callable[[str], Person], code: str) -> None:
    anna, ben = newcomer("Anna"), newcomer("Ben")
    match = anna.opens(access="code")

    problem(ben.try_("POST", "/v1/joins", {"code": code}), 403, "wrong_code")
    problem(ben.try_("POST", f"/v1/matches/{match}/seats", {"code": code}), 403, "wrong_code")
    problem(ben.try_("POST", f"/v1/matches/{match}/seats", {}), 403, "wrong_code")


@pytest.mark.parametrize(
    "path, body",
    [
        ("/actions", {"type": "mogler.play", "card": "nope"}),
        ("/actions", {"type": "no.such", "x": 1}),
        ("/actions", {"type": "mogler.play", "card": None, "x": 1}),
        ("/seats", {"bot": "deep-thought"}),
        ("/seats", {"bot": "deep-thought", "code": "7KQ2M9XA"}),
        ("/seats", {"bot": "deep-thought", "seat": 7}),
        ("/start", None),
        ("/clock", {"advance_ms": 1}),
    ],
)
def test_what_is_played_behind_a_code_no_stranger_learns(
    anna: Person, ben: Person, path: str, body: dict[str, Any] | None
) -> None:
    matches = [anna.opens(game=game, access="code") for game in ("cheat", "mogler")]

    answers = [ben.try_("POST", f"/v1/matches/{match}{path}", body) for match in matches]

    cheat, mogler = ({**answer.json(), "request_id": None} for answer in answers)
    assert cheat == mogler
    assert answers[0].status_code == 403


def test_who_once_sat_behind_a_code_is_told_that_he_does_not_any_more(anna: Person, ben: Person) -> None:
    match = anna.opens(access="code", sandbox=False)
    code = anna.do("GET", "/v1/matches?mine=true")["matches"][0]["code"]
    ben.sits(match, code=code, seat=1)
    ben.do("DELETE", f"/v1/matches/{match}/seats/1")

    answer = ben.try_("POST", f"/v1/matches/{match}/actions", {"type": "cheat.challenge", "claim_id": 0})

    problem(answer, 403, "not_yours", reason="not_seated")


@pytest.mark.parametrize("method,path", [("GET", ""), ("GET", "/events"), ("GET", "/stream"), ("POST", "/start")])
def test_a_match_that_does_not_exist(anna: Person, method: str, path: str) -> None:
    problem(anna.try_(method, f"/v1/matches/{uuid4()}{path}"), 404, "no_such_match")


def test_no_action_in_a_match_that_does_not_exist(anna: Person) -> None:
    answer = anna.try_("POST", f"/v1/matches/{uuid4()}/actions", {"type": "cheat.pass"})

    problem(answer, 404, "no_such_match")


@pytest.mark.parametrize("name", ["1", "null", "00000000", "x" * 36, "%00", "..%2f..%2fetc"])
@pytest.mark.parametrize("path", ["", "/events", "/stream"])
def test_an_id_that_is_none(anna: Person, name: str, path: str) -> None:
    answer = anna.try_("GET", f"/v1/matches/{name}{path}")

    assert answer.status_code in (400, 404)
    told = problem(answer, answer.status_code, "bad_id" if answer.status_code == 400 else "not_found")
    if answer.status_code == 400:
        assert told["detail"] == "What stands for “match” in the path can be none: expected a UUID."


@pytest.mark.parametrize("seat", ["x", "-1", "1.5", "100", "9" * 40])
def test_a_seat_that_is_none(table: Table, seat: str) -> None:
    told = problem(table.anna.try_("DELETE", f"{table.path}/seats/{seat}"), 400, "bad_id", field="seat")
    assert ": expected a " in told["detail"]


def test_a_seat_that_the_match_has_not(table: Table) -> None:
    told = problem(table.anna.try_("DELETE", f"{table.path}/seats/3"), 404, "not_in_this_match", field="seat")

    assert told["detail"] == "“seat”: The match has no such seat."
