"""Headers, parameters, paths and methods that are none, or say what is not so."""

from __future__ import annotations

import pytest

from tests.api.people import Person
from tests.api.problems import problem, seq
from tests.api.tables import Table, lie


def test_a_used_key_with_another_body(table: Table) -> None:
    play = {"type": "cheat.play", "cards": ["AS"]}
    other = {"type": "cheat.play", "cards": ["KD"]}
    assert table.ben.try_("POST", table.actions, play, idempotency_key="turn-1").status_code == 201

    answer = table.ben.try_("POST", table.actions, other, idempotency_key="turn-1")

    problem(answer, 422, "key_reused")


@pytest.mark.parametrize("key", ["", "a" * 256, "two words"])
def test_a_key_that_is_none(table: Table, key: str) -> None:
    answer = table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}, idempotency_key=key)

    problem(answer, 400, "bad_parameter", field="Idempotency-Key")


def test_a_stale_if_match(table: Table) -> None:
    old = table.anna.sees(table.match)["seq"]
    claim = lie(table)

    answer = table.anna.try_("POST", table.actions, {"type": "cheat.challenge", "claim_id": claim}, if_match=f'"{old}"')

    told = problem(answer, 412, "behind", seq=seq(table))
    assert [frame["seq"] for frame in told["frames"]] == list(range(old + 1, told["seq"] + 1))
    assert told["frames"][0]["event"]["cards"] == ["??"]


@pytest.mark.parametrize("tag", ['"41', '"x"', 'W/"41"', '"41", "42"', '"-1"', '"' + "9" * 30 + '"'])
def test_an_if_match_that_is_none(table: Table, tag: str) -> None:
    answer = table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}, if_match=tag)

    problem(answer, 400, "bad_parameter", field="If-Match")


@pytest.mark.parametrize("last", ["x", "-1", "1e3", "9" * 20])
def test_a_last_event_id_that_is_none(table: Table, last: str) -> None:
    answer = table.anna.try_("GET", f"{table.path}/stream", last_event_id=last)

    problem(answer, 400, "bad_parameter", field="Last-Event-ID")


@pytest.mark.parametrize("wait", ["86400", "61", "-1", "x", "nan", "inf", ""])
def test_a_wait_of_a_day(table: Table, wait: str) -> None:
    problem(table.anna.try_("GET", f"{table.path}?wait={wait}"), 400, "bad_parameter", field="wait")


@pytest.mark.parametrize(
    "query,field",
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("after=99999999999", "after"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("narrate=fr", "narrate"),
    ],
)
def test_a_parameter_out_of_bounds(table: Table, query: str, field: str) -> None:
    problem(table.anna.try_("GET", f"{table.path}/events?{query}"), 400, "bad_parameter", field=field)


@pytest.mark.parametrize(
    "path", ["?wait=0&after=1&wait=2", "/events?limit=5&limit=5", "/replay?at=1&as=spectator&as=seat:0"]
)
def test_a_parameter_that_is_said_twice(table: Table, path: str) -> None:
    told = problem(table.anna.try_("GET", f"{table.path}{path}"), 400, "bad_parameter")
    assert told["detail"].endswith("it is said more than once")


def test_a_choice_that_there_is_not_is_told_with_those_that_there_are(table: Table) -> None:
    for path, choices in (
        ("/v1/matches?status=never", "open, over, playing, superseded, void"),
        (f"{table.path}/events?narrate=fr", "de, en"),
    ):
        for language, says in (("en", "expected one of"), ("de", "erwartet wird eines von")):
            told = problem(table.anna.try_("GET", path, accept_language=language), 400, "bad_parameter")
            assert told["detail"].endswith(f": {says} {choices}")


@pytest.mark.parametrize("cursor", ["x", "AAAA", "🂡", "=" * 32])
def test_a_cursor_that_is_none(anna: Person, cursor: str) -> None:
    answer = anna.http.get("/v1/matches", params={"cursor": cursor})

    problem(answer, 400, "bad_parameter", field="cursor")


def test_a_cursor_ahead_of_the_log_is_none_of_ours(table: Table) -> None:
    last = seq(table)

    for query in (f"/events?after={last + 1}", "/events?after=4000", f"?after={last + 1}&wait=30"):
        told = problem(table.anna.try_("GET", f"{table.path}{query}"), 409, "reset", field="after", seq=last)
        assert str(last) in told["detail"]
    assert table.anna.do("GET", f"{table.path}/events?after={last}") == {"frames": [], "last": last}


def test_a_path_where_nothing_is(anna: Person) -> None:
    problem(anna.try_("GET", "/v1/nothing"), 404, "not_found")
    problem(anna.try_("GET", "/"), 404, "not_found")


def test_a_method_that_does_not_go(anna: Person) -> None:
    answer = anna.try_("PUT", "/v1/matches")

    problem(answer, 405, "method_not_allowed")
    assert {"GET", "POST"} <= set(answer.headers["allow"].replace(" ", "").split(","))


def test_a_stream_in_a_form_that_there_is_not(table: Table) -> None:
    problem(table.anna.try_("GET", f"{table.path}/stream", accept="image/png"), 406, "not_acceptable")
