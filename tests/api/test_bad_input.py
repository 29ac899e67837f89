"""Whatever is wrong with a request gets a problem of its own, and nothing happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.api.people import Person
from tests.api.serving import Served
from tests.api.tables import ANNA, Table, lie


def problem(answer: httpx.Response, status: int, slug: str, **members: Any) -> dict[str, Any]:
    """It is that problem, with these members among others; and never says more than it should."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert told["type"] == f"/problems/{slug}"
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    assert {name: told.get(name) for name in members} == members
    assert "Traceback" not in answer.text
    return told


def acts(table: Table, who: Person, body: Any) -> httpx.Response:
    return who.try_("POST", table.actions, body)


def seq(table: Table) -> int:
    found: int = table.anna.sees(table.match)["seq"]
    return found


@pytest.mark.parametrize(
    "content,field",
    [
        (b"", None),
        (b"{", None),
        (b"no json", None),
        (b'{"type":"cheat.play","cards":["QS"]} and more', None),
        (b"[]", ""),
        (b"null", ""),
        (b"{}", "/type"),
        (b'{"type":17}', "/type"),
        (b'{"type":"cheat.play"}', "/cards"),
        (b'{"type":"cheat.play","cards":"QS"}', "/cards"),
        (b'{"type":"cheat.play","cards":[]}', "/cards"),
        (b'{"type":"cheat.play","cards":["QS",7]}', "/cards/1"),
        (b'{"type":"cheat.play","cards":["XX"]}', "/cards/0"),
        (b'{"type":"cheat.play","cards":["QS"],"rank":"11"}', "/rank"),
        (b'{"type":"cheat.challenge","claim_id":-1}', "/claim_id"),
        (b'{"type":"cheat.challenge","claim_id":1.5}', "/claim_id"),
        (b'{"type":"cheat.challenge","claim_id":' + b"9" * 400 + b"}", "/claim_id"),
        (b'{"type":"cheat.challenge","claim_id":' + b"[" * 60_000, None),
    ],
)
def test_a_malformed_body(table: Table, content: bytes, field: str | None) -> None:
    before = seq(table)

    answer = table.ben.http.post(table.actions, content=content, headers={"content-type": "application/json"})

    told = problem(answer, 400, "malformed")
    if field is not None:
        assert told["field"] == field
        assert field in told["detail"]
    assert seq(table) == before


@pytest.mark.parametrize(
    "body,english,german",
    [
        (
            {"cards": ["10H"]},
            "“/cards/0”: expected a card, its rank (A 2 3 4 5 6 7 8 9 T J Q K; T is the ten) and its suit (C D H S), "
            "like QS or TH; ** is a joker.",
            "„/cards/0“: erwartet wird eine Karte, ihr Wert (A 2 3 4 5 6 7 8 9 T J Q K; T ist die Zehn) und ihre Farbe "
            "(C D H S), wie QS oder TH; ** ist ein Joker.",
        ),
        (
            {"cards": ["QS"], "rank": "10"},
            "“/rank”: expected a rank: A 2 3 4 5 6 7 8 9 T J Q K; T is the ten.",
            "„/rank“: erwartet wird ein Wert: A 2 3 4 5 6 7 8 9 T J Q K; T ist die Zehn.",
        ),
        (
            {"cards": ["QS"] * 5},
            "“/cards”: expected a list of at most 4 entries.",
            "„/cards“: erwartet wird eine Liste von höchstens 4 Einträgen.",
        ),
        (
            {"cards": []},
            "“/cards”: expected a list, not empty.",
            "„/cards“: erwartet wird eine Liste, nicht leer.",
        ),
        (
            {"cards": "QS"},
            "“/cards”: expected a list and not text.",
            "„/cards“: erwartet wird eine Liste und nicht Text.",
        ),
        (
            {"cards": ["QS"], "rank": 7},
            "“/rank”: expected text or null and not a whole number.",
            "„/rank“: erwartet wird Text oder null und nicht eine ganze Zahl.",
        ),
    ],
)
def test_what_was_expected_is_said_in_words(table: Table, body: dict[str, Any], english: str, german: str) -> None:
    play = {"type": "cheat.play", **body}

    assert problem(acts(table, table.ben, play), 400, "malformed")["detail"] == english
    spoken = table.ben.try_("POST", table.actions, play, accept_language="de")
    assert problem(spoken, 400, "malformed")["detail"] == german


def test_no_pattern_is_ever_shown(anna: Person, table: Table) -> None:
    answers = [
        anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 3, "sandbox": True, "seed": "x"}),
        anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 3, "entropy_commitment": "x"}),
        anna.try_("POST", f"{table.path}/actions", {"type": "match.reveal_entropy", "entropy": "x"}),
        anna.try_("POST", "/v1/players", {"name": " Anna"}),
    ]
    for answer in answers:
        detail = problem(answer, 400, "malformed")["detail"]
        assert "regex" not in detail
        assert "^" not in detail


def test_a_cursor_ahead_of_the_log_is_none_of_ours(table: Table) -> None:
    last = seq(table)

    for query in (f"/events?after={last + 1}", "/events?after=4000", f"?after={last + 1}&wait=30"):
        told = problem(table.anna.try_("GET", f"{table.path}{query}"), 409, "reset", field="after", seq=last)
        assert str(last) in told["detail"]
    assert table.anna.do("GET", f"{table.path}/events?after={last}") == {"frames": [], "last": last}


def test_an_unknown_field(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["AS"], "seat": 1})

    problem(answer, 400, "malformed", field="/seat")


def test_what_does_not_fit_is_never_repeated(table: Table, server: Served) -> None:
    secret = "mw_this-is-nobodys-business-but-mine"
    for body in ({"type": secret}, {"type": "cheat.play", "cards": [secret]}, {"type": "cheat.play", "cards": secret}):
        assert secret not in acts(table, table.ben, body).text
    assert secret not in table.anna.try_("POST", "/v1/matches", {"game": secret, "seats": 3}).text
    assert secret not in table.anna.try_("GET", f"/v1/matches/{secret}").text
    assert secret not in table.anna.try_("GET", f"/v1/{secret}").text
    assert secret not in httpx.get(f"{server.url}/v1/players/me", headers={"authorization": secret}).text


@pytest.mark.parametrize(
    "house",
    [
        {"type": "cheat.deal", "dealer": 0, "hands": [], "stock": [], "away": [], "packs": 1, "draw": 0},
        {"type": "cheat.close_window", "claim_id": 0},
        {"type": "cheat.time_out", "seat": 0},
        {"type": "cheat.vacate", "seat": 0},
        {"type": "Open"},
        {"type": "End", "seed": "00"},
        {"type": "TurnClock", "advance_ms": 1},
    ],
)
def test_what_only_the_house_says_cannot_be_said(table: Table, house: dict[str, Any]) -> None:
    told = problem(acts(table, table.ben, house), 400, "malformed", field="/type")

    assert "cheat.play" in told["detail"]
    assert "cheat.deal" not in told["detail"]


def test_an_action_of_another_game(table: Table) -> None:
    problem(acts(table, table.ben, {"type": "mogler.pass"}), 400, "malformed", field="/type")  # there is none such
    answer = acts(table, table.ben, {"type": "family_mogeln.accept_round"})

    problem(answer, 409, "refused", reason="another_game")


def test_a_card_one_does_not_hold(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["QS"]})

    problem(answer, 409, "refused", reason="not_your_cards", seq=seq(table))


def test_five_cards(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["AS", "KD", "9C", "9D", "9D"]})

    problem(answer, 400, "malformed", field="/cards")


def test_a_rank_that_is_not_due(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["KD"], "rank": "K"})

    problem(answer, 409, "refused", reason="wrong_rank")


def test_an_action_out_of_turn(table: Table) -> None:
    answer = acts(table, table.anna, {"type": "cheat.play", "cards": ["QS"]})

    problem(answer, 409, "refused", reason="not_your_turn")


def test_an_action_too_early(table: Table) -> None:
    lie(table)

    answer = acts(table, table.cara, {"type": "cheat.play", "cards": ["2D"]})

    problem(answer, 409, "refused", reason="too_early", not_before="2000-01-01T00:00:05Z")


def test_an_action_too_late(table: Table) -> None:
    table.ben.acts(table.match, type="cheat.play", cards=["AS", "KD", "9C", "9D"], rank="A")
    turned = table.anna.turns_clock(table.match, seconds=30)
    assert turned["stopped_at_deadline"] is False

    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": 0})

    assert problem(answer, 409, "refused")["reason"] in ("match_over", "too_late", "claim_closed")


def test_a_challenge_of_ones_own_claim(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.challenge", "claim_id": lie(table)})

    problem(answer, 409, "refused", reason="own_claim")


def test_a_challenge_of_a_claim_that_is_closed(table: Table) -> None:
    claim = lie(table)
    table.anna.turns_clock(table.match, seconds=5)
    table.cara.acts(table.match, type="cheat.play", cards=["2D"])

    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": claim})

    problem(answer, 409, "refused", reason="claim_closed")


def test_a_second_challenge(table: Table) -> None:
    claim = lie(table)
    table.cara.acts(table.match, type="cheat.challenge", claim_id=claim)

    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": claim})

    told = problem(answer, 409, "refused", reason="already_challenged")
    frames = table.anna.do("GET", f"{table.path}/events")["frames"]
    beaten = next(frame for frame in frames if frame["seq"] == told["beaten_by"])
    assert beaten["event"]["type"] == "cheat.challenged"


def test_a_challenge_of_nothing(table: Table) -> None:
    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": 99})

    problem(answer, 409, "refused", reason="no_such_claim")


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


def test_someone_elses_token_moves_only_his_own_seat(table: Table) -> None:
    answer = table.anna.try_("DELETE", f"{table.path}/seats/1")

    problem(answer, 403, "not_yours", reason="not_your_seat")
    assert table.anna.sees(table.match)["seats"][1]["name"] == "Ben"


def test_who_holds_no_seat_cannot_act(table: Table, newcomer: Callable[[str], Person]) -> None:
    dora = newcomer("Dora")

    answer = acts(table, dora, {"type": "cheat.challenge", "claim_id": 0})

    problem(answer, 403, "not_yours", reason="not_seated")


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
    problem(answer, answer.status_code, "bad_id" if answer.status_code == 400 else "not_found")


@pytest.mark.parametrize("seat", ["x", "-1", "1.5", "100", "9" * 40])
def test_a_seat_that_is_none(table: Table, seat: str) -> None:
    problem(table.anna.try_("DELETE", f"{table.path}/seats/{seat}"), 400, "bad_id", field="seat")


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


@pytest.mark.parametrize("cursor", ["x", "AAAA", "🂡", "=" * 32])
def test_a_cursor_that_is_none(anna: Person, cursor: str) -> None:
    answer = anna.http.get("/v1/matches", params={"cursor": cursor})

    problem(answer, 400, "bad_parameter", field="cursor")


@pytest.mark.parametrize("last", ["x", "-1", "1e3", "9" * 20])
def test_a_last_event_id_that_is_none(table: Table, last: str) -> None:
    answer = table.anna.try_("GET", f"{table.path}/stream", last_event_id=last)

    problem(answer, 400, "bad_parameter", field="Last-Event-ID")


def test_a_body_of_ten_megabytes(table: Table) -> None:
    body = b'{"type":"cheat.play","cards":["' + b"A" * 10_000_000 + b'"]}'

    answer = table.ben.http.post(table.actions, content=body, headers={"content-type": "application/json"})

    problem(answer, 413, "too_large")
    assert answer.headers["connection"] == "close"
    assert table.ben.sees(table.match)["status"] == "playing"


def test_a_body_of_ten_megabytes_without_a_length(table: Table) -> None:
    def chunks() -> Any:
        for _ in range(1000):
            yield b"A" * 10_000

    answer = table.ben.http.post(table.actions, content=chunks(), headers={"content-type": "application/json"})

    problem(answer, 413, "too_large")


def test_a_body_as_large_as_may_be_is_read(table: Table) -> None:
    play = b'{"type":"cheat.play","cards":["AS"]}'
    padded = play + b" " * (64 * 1024 - len(play))

    answer = table.ben.http.post(table.actions, content=padded, headers={"content-type": "application/json"})

    assert answer.status_code == 201


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b'{"type":"cheat.play","cards":["A\xc3\x28"]}', b'{"type":"cheat.play","x\xff":1}']
)
def test_invalid_utf8(table: Table, content: bytes) -> None:
    answer = table.ben.http.post(table.actions, content=content, headers={"content-type": "application/json"})

    assert "UTF-8" in problem(answer, 400, "malformed")["detail"]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_something_else_than_json(table: Table, content_type: str) -> None:
    answer = table.ben.http.post(
        table.actions, content=b'{"type":"cheat.play","cards":["AS"]}', headers={"content-type": content_type}
    )

    problem(answer, 415, "unsupported_media_type")


def test_json_in_other_words_is_json(table: Table) -> None:
    answer = table.ben.http.post(
        table.actions,
        content=b'{"type":"cheat.play","cards":["AS"]}',
        headers={"content-type": "application/json; charset=utf-8"},
    )

    assert answer.status_code == 201


def test_a_path_where_nothing_is(anna: Person) -> None:
    problem(anna.try_("GET", "/v1/nothing"), 404, "not_found")
    problem(anna.try_("GET", "/"), 404, "not_found")


def test_a_method_that_does_not_go(anna: Person) -> None:
    answer = anna.try_("PUT", "/v1/matches")

    problem(answer, 405, "method_not_allowed")
    assert {"GET", "POST"} <= set(answer.headers["allow"].replace(" ", "").split(","))


def test_a_stream_in_a_form_that_there_is_not(table: Table) -> None:
    problem(table.anna.try_("GET", f"{table.path}/stream", accept="image/png"), 406, "not_acceptable")


def test_who_may_not_look(anna: Person, ben: Person) -> None:
    match = anna.opens(access="code")

    for path in ("", "/events", "/stream", "?after=0&wait=30"):
        problem(ben.try_("GET", f"/v1/matches/{match}{path}"), 403, "not_yours", reason="may_not_see")


def test_only_the_host_starts(table: Table, ben: Person) -> None:
    match = table.anna.opens(fill=True)
    ben.sits(match)

    problem(ben.try_("POST", f"/v1/matches/{match}/start"), 403, "not_yours", reason="not_host")


@pytest.mark.parametrize("bot", ["deep-thought", "", "\x00", "Random"])
def test_a_bot_that_there_is_not(anna: Person, bot: str) -> None:
    answer = anna.try_("POST", f"/v1/matches/{anna.opens()}/seats", {"bot": bot})

    problem(answer, 409, "refused", reason="no_such_bot", detail="The game has no such bot.")


def test_nothing_is_written_of_what_is_malformed(table: Table) -> None:
    before = table.anna.sees(table.match)
    for body in ({}, {"type": "cheat.deal"}, {"type": "cheat.play", "cards": []}):
        acts(table, table.ben, body)

    after = table.anna.sees(table.match)
    assert after == before
    assert after["awaits"]["seats"] != [ANNA]


def test_a_choice_that_there_is_not_is_said_in_words(table: Table) -> None:
    for path in ("/v1/matches?status=never", f"{table.path}/events?narrate=fr"):
        for language, says in (("en", "expected one of what the document lists"), ("de", "eines von dem")):
            told = problem(table.anna.try_("GET", path, accept_language=language), 400, "bad_parameter")
            assert says in told["detail"]
            assert "enum" not in told["detail"]


def test_who_was_first_is_never_oneself(table: Table) -> None:
    play = {"type": "cheat.play", "cards": ["AS"]}
    assert acts(table, table.ben, play).status_code == 201

    told = problem(acts(table, table.ben, {**play, "cards": ["KD"]}), 409, "refused", reason="not_your_turn")

    assert "beaten_by" not in told
