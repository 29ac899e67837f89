"""A body that cannot be read gets a problem of its own, and nothing happens."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest

from service.api.answers.language import Text
from service.api.answers.problems import Problem
from service.api.answers.words import patterns_of
from service.api.requests.decoding import Body
from service.api.routes import disputes, matches, players, seats
from service.api.routes.games import ACTIONS
from tests.api.people import Person
from tests.api.problems import acts, problem, seq
from tests.api.serving import Served
from tests.api.tables import ANNA, Table

BODIES = [
    *ACTIONS.values(),
    *(body for part in (disputes, matches, players, seats) for body in vars(part).values() if isinstance(body, Body)),
]


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


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 400])
def test_a_number_that_is_none_to_a_computer_is_refused_in_both_languages(table: Table, number: str) -> None:
    body = f'{{"type":"cheat.play","cards":{number}}}'.encode()
    said = {
        language: problem(
            table.ben.http.post(
                table.actions,
                content=body,
                headers={"content-type": "application/json", "accept-language": language},
            ),
            400,
            "malformed",
        )["detail"]
        for language in ("en", "de")
    }
    assert said == {
        "en": "“/cards”: expected a number that is nearer to zero.",
        "de": "„/cards“: erwartet wird eine Zahl, die näher bei null liegt.",
    }


BROKEN = [
    *('{"a":', '{"a":!}', '{"a":01}', '{"a":"\\x"}', '{"a":"\\ud800"}', '{"a":"\\ud800\\u0041"}', '{"a":"\\u00g0"}'),
    *('{"a":1}}', '{"a":[1,]}', '{"a":1,}', "{1:2}", '{"a":[1 2]}', '{"a":1 "b"}', '{"a" 1}', "{a:1}", '{"a":-}'),
    *('{"a":' + "[" * 5000, '{"a":tru}', '{"a":1.}'),
]


@pytest.mark.parametrize("body", BROKEN)
def test_where_json_breaks_is_said_in_german_too(body: str) -> None:
    with pytest.raises(Problem) as found:
        Body[Any](dict[str, Any]).decode(body.encode())
    what = found.value.says["what"]
    assert isinstance(what, Text)
    assert what.en.startswith("The body is no JSON: ")
    english, german = (said.partition(": ")[2].partition(" (byte")[0] for said in (what.en, what.de))
    assert german != english


@pytest.mark.parametrize(
    "path,body,field,choices",
    [
        ("matches", {"options": {"mode": "best"}}, "/options/mode", "single, first_to, most_wins, best_of, best_of_e"),
        ("matches", {"options": {"mode": 3}}, "/options/mode", "single, first_to, most_wins, best_of, best_of_extra, "),
        ("matches", {"options": {"jokers": 1}}, "/options/jokers", "0, 2."),
        ("matches", {"options": {"jokers": "two"}}, "/options/jokers", "0, 2."),
        ("matches", {"fill": "clever"}, "/fill", "careful, random, true, false, null."),
        ("matches", {"game": "mogler", "options": {"last_player": 1}}, "/options/last_player", "plays_on, stop."),
        ("matches", {"game": "mogler", "deal": {"hands": [], "stops": ["O", "X"]}}, "/deal/stops/1", "O, P, S, T."),
        ("players/me/tokens", {"scopes": ["read", "admin"]}, "/scopes/1", "play, read, audit, referee, operate."),
    ],
)
def test_what_can_stand_there_is_listed(
    anna: Person, path: str, body: dict[str, Any], field: str, choices: str
) -> None:
    wish = {"game": "cheat", "seats": 3, "sandbox": True, **body} if path == "matches" else body
    english = problem(anna.try_("POST", f"/v1/{path}", wish), 400, "malformed", field=field)
    german = problem(anna.try_("POST", f"/v1/{path}", wish, accept_language="de"), 400, "malformed", field=field)

    assert english["detail"].startswith(f"“{field}” is none of what can stand there: {choices}")
    assert german["detail"].startswith(f"„{field}“ ist nichts von dem, was dort stehen kann: {choices}")


@pytest.mark.parametrize(
    "body, field, there",
    [
        ({"seat": 3}, "/seat", "game, seats, options, clock, "),
        ({"options": {"maxturns": 3}}, "/options/maxturns", "pass_rule, rank_mode, "),
        ({"clock": {"turn": 3}}, "/clock/turn", "turn_time, min_open, max_open, round_pause, bot_think."),
    ],
)
def test_a_field_that_there_is_not_is_told_with_those_that_there_are(
    anna: Person, body: dict[str, Any], field: str, there: str
) -> None:
    wish = {"game": "cheat", "seats": 3, "sandbox": True, **body}
    told = problem(anna.try_("POST", "/v1/matches", wish), 400, "malformed", field=field)
    assert told["detail"].startswith(f"There is no field “{field}” here, but: {there}")


@pytest.mark.parametrize(
    "game,body,choices",
    [
        ("mogelei", b'{"type":"mogelei.call","colour":"pink"}', "black, blue, red, yellow"),
        ("liars-dice", b'{"type":"liars_dice.claim","claim":"six:9"}', "five:1, five:2, five:3, …, two_pairs:6-5"),
        ("family-mogeln", b'{"type":"x","cards":', ", ".join(ACTIONS["family-mogeln"].tags)),
    ],
)
def test_what_a_game_of_its_own_words_knows_is_listed_a_long_list_in_part(game: str, body: bytes, choices: str) -> None:
    with pytest.raises(Problem) as no:
        ACTIONS[game].decode(body)

    detail = msgspec.json.decode(no.value.body("en", None))["detail"]
    assert detail.endswith(f"is none of what can stand there: {choices}.")


@pytest.mark.parametrize("body", BODIES)
def test_what_a_pattern_means_can_follow_expected_in_both_languages(body: Body[Any]) -> None:
    for meant in patterns_of(body.kind).values():
        assert meant.en != meant.de
        for said in (meant.en, meant.de):
            assert not said.endswith(".")
            assert said[0].islower() or said[0].isdecimal() or said.startswith("SHA-256")


@pytest.mark.parametrize(
    "path,body,english,german",
    [
        (
            "/v1/players",
            {"name": "a\nb"},
            "“/name”: expected 1 to 40 characters that can be seen, no blank at either end.",
            "„/name“: erwartet wird 1 bis 40 sichtbare Zeichen, kein Leerzeichen am Anfang oder Ende.",
        ),
        (
            "/v1/players",
            [1],
            "The body: expected an object and not a list.",
            "Der Inhalt: erwartet wird ein Objekt und nicht eine Liste.",
        ),
        (
            f"/v1/matches/{UUID(int=0)}/clock",
            {"advance_ms": 1.5},
            "“/advance_ms”: expected a whole number and not a fraction.",
            "„/advance_ms“: erwartet wird eine ganze Zahl und nicht eine Kommazahl.",
        ),
        (
            f"/v1/matches/{UUID(int=0)}/clock",
            {"advance_ms": "1"},
            "“/advance_ms”: expected a whole number and not text.",
            "„/advance_ms“: erwartet wird eine ganze Zahl und nicht Text.",
        ),
    ],
)
def test_it_reads_as_a_sentence(anna: Person, path: str, body: Any, english: str, german: str) -> None:
    assert problem(anna.try_("POST", path, body), 400, "malformed")["detail"] == english
    assert problem(anna.try_("POST", path, body, accept_language="de"), 400, "malformed")["detail"] == german


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


def test_nothing_is_written_of_what_is_malformed(table: Table) -> None:
    before = table.anna.sees(table.match)
    for body in ({}, {"type": "cheat.deal"}, {"type": "cheat.play", "cards": []}):
        acts(table, table.ben, body)

    after = table.anna.sees(table.match)
    assert after == before
    assert after["awaits"]["seats"] != [ANNA]


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
