"""Matches: opened, found, joined, started; their options and the sandbox."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from projections.catalogue import CATALOGUE
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.tables import DEAL, Table


def test_who_opens_a_match_sits_at_seat_0_and_is_its_host(anna: Person) -> None:
    answer = anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 4})

    assert answer.status_code == 201
    match = answer.json()["match"]
    assert answer.headers["location"] == f"/v1/matches/{match}"
    seen = anna.sees(match)
    assert (seen["status"], seen["seat"], seen["host"]) == ("open", 0, anna.id)
    assert [seat["name"] for seat in seen["seats"]] == ["Anna", None, None, None]
    assert seen["pace"] == {
        "turn_time": 60.0,
        "min_open": 5.0,
        "max_open": 30.0,
        "round_pause": 5.0,
        "bot_think": 0.5,
    }


def test_who_opens_a_match_need_not_sit(anna: Person) -> None:
    seen = anna.sees(anna.opens(sit=False))

    assert seen["seat"] is None
    assert [seat["player"] for seat in seen["seats"]] == [None, None, None]


@pytest.mark.parametrize(
    "wish,field",
    [
        ({"game": None}, "/game"),
        ({"seats": 2}, "/seats"),
        ({"seats": 11}, "/seats"),
        ({"seats": "four"}, "/seats"),
        ({"options": {"jokers": 1}}, "/options/jokers"),
        ({"options": {"speed": 1}}, "/options/speed"),
        ({"options": []}, "/options"),
        ({"clock": {"turn_time": 0}}, "/clock/turn_time"),
        ({"clock": {"turn_time": 86401}}, "/clock/turn_time"),
        ({"clock": {"min_open": -1}}, "/clock/min_open"),
        ({"clock": {"min_open": 61}}, "/clock/min_open"),
        ({"clock": {"max_open": 0.5}}, "/clock/max_open"),
        ({"clock": {"max_open": 601}}, "/clock/max_open"),
        ({"clock": {"round_pause": 61}}, "/clock/round_pause"),
        ({"clock": {"bot_think": 0.01}}, "/clock/bot_think"),
        ({"clock": {"bot_think": 11}}, "/clock/bot_think"),
        ({"clock": {"lag": 1}}, "/clock/lag"),
        ({"access": "secret"}, "/access"),
        ({"fill": "genius"}, "/fill"),
        ({"leaving": "burn"}, "/leaving"),
        ({"seed": "abc", "sandbox": True}, "/seed"),
        ({"seed": "0" * 63 + "\n", "sandbox": True}, "/seed"),
        ({"seed": "0" * 64 + "\n", "sandbox": True}, "/seed"),
        ({"entropy_commitment": "0" * 64 + "\n"}, "/entropy_commitment"),
        ({"deal": {"hands": "all"}, "sandbox": True}, "/deal/hands"),
        ({"password": "x"}, "/password"),
    ],
)
def test_wishes_that_cannot_be(anna: Person, wish: dict[str, Any], field: str) -> None:
    answer = anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 3, **wish})

    problem(answer, 400, "malformed", field=field)


@pytest.mark.parametrize(
    "wish,first,second",
    [
        ({"options": {"penalty": "forfeit"}}, "options.penalty", "options.adults_only"),
        (
            {"options": {"penalty": "forfeit", "adults_only": True, "hand": "fixed7"}},
            "options.penalty",
            "options.hand",
        ),
        ({"options": {"pass_rule": "exhausted", "rank_mode": "free"}}, "options.pass_rule", "options.rank_mode"),
        ({"seed": "0" * 64}, "seed", "sandbox"),
        ({"deal": DEAL}, "deal", "sandbox"),
        ({"clock": {"min_open": 10, "max_open": 5}}, "clock.min_open", "clock.max_open"),
        ({"entropy_commitment": "0" * 64, "sit": False}, "entropy_commitment", "sit"),
    ],
)
def test_settings_that_exclude_each_other_are_named(
    anna: Person, wish: dict[str, Any], first: str, second: str
) -> None:
    answer = anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 3, **wish})

    told = problem(answer, 409, "options_conflict", options=[first, second])
    assert told["detail"].startswith(f"“{first}” and “{second}” do not go together so. ")


@pytest.mark.parametrize(
    "wish,english,german",
    [
        (
            {"options": {"penalty": "forfeit"}},
            "A forfeit is played only with adults_only: true.",
            "Um ein Pfand wird nur mit adults_only: true gespielt.",
        ),
        (
            {"deal": DEAL},
            "Luck is set only in a match with sandbox: true.",
            "Den Zufall stellt man nur in einer Partie mit sandbox: true.",
        ),
    ],
)
def test_it_is_said_what_would_do(anna: Person, wish: dict[str, Any], english: str, german: str) -> None:
    for language, says in (("en", english), ("de", german)):
        answer = anna.try_("POST", "/v1/matches", {"game": "cheat", "seats": 3, **wish}, accept_language=language)
        assert problem(answer, 409, "options_conflict")["detail"].endswith(f". {says}")


def test_a_game_that_there_is_not(anna: Person) -> None:
    told = problem(anna.try_("POST", "/v1/matches", {"game": "chess", "seats": 3}), 404, "no_such_game", field="/game")
    assert told["detail"] == f"There is no game with this id, but: {', '.join(CATALOGUE)}."
    for name in ("chess", "Cheat", "%00", "cheat%00", "", "%27%20OR%201%3D1"):
        problem(anna.try_("GET", f"/v1/matches?game={name}"), 404, "no_such_game", field="game")


def test_a_deal_that_the_game_could_not_have_dealt(anna: Person) -> None:
    twice = {"hands": [["QS"], ["QS"], ["2C"]]}
    wish = {"game": "cheat", "seats": 3, "sandbox": True, "deal": twice}

    answer = anna.try_("POST", "/v1/matches", wish)
    auf_deutsch = anna.try_("POST", "/v1/matches", wish, accept_language="de")

    problem(answer, 409, "bad_deal", field="/deal")
    assert answer.json()["detail"] == "The game could not have dealt this. Not there so often: QS."
    assert auf_deutsch.json()["detail"] == "Das kann das Spiel nicht gegeben haben. Nicht so oft da: QS."


def test_a_card_that_there_is_not_is_not_said_to_be_there_too_often(anna: Person) -> None:
    wish = {"game": "monopoly-cheaters", "seats": 3, "sandbox": True, "deal": {"cheats": ["heist"]}}

    told = problem(anna.try_("POST", "/v1/matches", wish), 409, "bad_deal", field="/deal")

    assert told["detail"] == "The game could not have dealt this. Not among its cards: heist."


@pytest.mark.parametrize(
    "game, deal, field",
    [
        ("cheat", {"hands": [["QS"], ["QH"], ["2C"]], "dealer": 9}, "/deal/dealer"),
        ("liars-dice", {"starter": 9}, "/deal/starter"),
        ("monopoly-cheaters", {"first": 4}, "/deal/first"),
        ("cheat", {"hands": [["QS"], ["QH"], ["2C"]], "stock": ["3C"]}, "/deal/stock"),
    ],
)
def test_what_of_a_deal_cannot_be_is_named(anna: Person, game: str, deal: dict[str, Any], field: str) -> None:
    wish = {"game": game, "seats": 3, "sandbox": True, "deal": deal}

    problem(anna.try_("POST", "/v1/matches", wish), 409, "bad_deal", field=field)


def test_asked_again_under_its_key_a_match_is_the_same(anna: Person) -> None:
    wish = {"game": "cheat", "seats": 3}
    first = anna.do("POST", "/v1/matches", wish, idempotency_key="friday")
    again = anna.do("POST", "/v1/matches", wish, idempotency_key="friday")

    assert again == first
    other = anna.try_("POST", "/v1/matches", {**wish, "seats": 4}, idempotency_key="friday")
    problem(other, 422, "key_reused")


def test_the_same_seed_gives_the_same_deal_and_is_committed_to(anna: Person) -> None:
    seed = "5e" * 32
    hands = []
    for _ in range(2):
        match = anna.opens(seed=seed, fill=True)
        opened = anna.do("GET", f"/v1/matches/{match}/events")["frames"][0]["event"]
        assert opened["seed_commitment"] == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
        hands.append(len(anna.starts(match)["view"]["hand"]))
    assert hands[0] in (17, 18)


def test_by_code_alone_one_sits_down(anna: Person, ben: Person) -> None:
    opened = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "access": "code"})
    typed = f" {opened['code'][:4].lower()}-{opened['code'][4:].lower()} "

    answer = ben.try_("POST", "/v1/joins", {"code": typed})

    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/matches/{opened['match']}"
    assert answer.json()["seat"] == 1
    assert ben.sees(opened["match"])["seats"][1]["name"] == "Ben"
    problem(ben.try_("POST", "/v1/joins", {"code": typed}), 409, "refused", reason="already_seated")


def test_with_the_code_one_takes_the_seat_one_wants(anna: Person, ben: Person) -> None:
    opened = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "access": "code"})

    assert ben.sits(opened["match"], code=opened["code"], seat=2)["seat"] == 2


def test_a_code_is_good_until_the_match_starts(anna: Person, ben: Person) -> None:
    opened = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "fill": True, "sandbox": True})
    anna.starts(opened["match"])

    problem(ben.try_("POST", "/v1/joins", {"code": opened["code"]}), 403, "wrong_code")


def test_seats_are_taken_once(table: Table, newcomer: Callable[[str], Person], anna: Person, ben: Person) -> None:
    match = anna.opens()
    problem(ben.try_("POST", f"/v1/matches/{match}/seats", {"seat": 0}), 409, "refused", reason="seat_taken")
    problem(ben.try_("POST", f"/v1/matches/{match}/seats", {"seat": 7}), 409, "refused", reason="no_such_seat")
    ben.sits(match, seat=1)
    problem(ben.try_("POST", f"/v1/matches/{match}/seats", {}), 409, "refused", reason="already_seated")


def test_only_the_host_sends_bots(anna: Person, ben: Person) -> None:
    match = anna.opens()
    problem(ben.try_("POST", f"/v1/matches/{match}/seats", {"bot": "random"}), 403, "not_yours", reason="not_host")

    assert anna.sits(match, bot="random", seat=2)["seats"][2]["bot"] == "random"
    anna.do("DELETE", f"/v1/matches/{match}/seats/2")
    assert anna.sees(match)["seats"][2]["bot"] is None


def test_true_stands_for_the_usual_bot(anna: Person) -> None:
    bots = anna.do("GET", "/v1/games/cheat")["bots"]
    match = anna.opens(fill=True)

    begun = anna.starts(match)

    assert {seat["bot"] for seat in begun["seats"][1:]} == {"careful" if "careful" in bots else bots[0]}


def test_a_match_with_empty_seats_does_not_start(anna: Person) -> None:
    answer = anna.try_("POST", f"/v1/matches/{anna.opens()}/start")

    problem(answer, 409, "refused", reason="seats_empty")


def test_who_leaves_is_replaced_and_may_come_back_to_his_own_seat(table: Table) -> None:
    left = table.ben.do("DELETE", f"{table.path}/seats/1")
    assert left["seats"][1]["bot"] is not None
    assert table.ben.sees(table.match)["seat"] is None

    answer = table.ben.try_("POST", f"{table.path}/seats", {"seat": 2})
    problem(answer, 409, "refused", reason="only_your_old_seat")
    assert table.ben.sits(table.match)["seat"] == 1


def test_the_sandbox_clock_stops_at_the_next_deadline(table: Table) -> None:
    turned = table.anna.turns_clock(table.match, seconds=1)
    assert (turned["advanced_ms"], turned["stopped_at_deadline"]) == (1000, False)

    turned = table.anna.turns_clock(table.match, seconds=3600)

    assert (turned["advanced_ms"], turned["stopped_at_deadline"]) == (59_000, True)
    assert turned["server_time"] == "2000-01-01T00:01:00Z"
    events = [frame["event"]["type"] for frame in table.anna.do("GET", f"{table.path}/events")["frames"]]
    assert "match.timed_out" in events


def test_only_its_host_turns_the_clock_and_only_in_a_sandbox(table: Table, anna: Person) -> None:
    problem(table.ben.try_("POST", f"{table.path}/clock", {"advance_ms": 1}), 403, "not_yours", reason="not_host")
    match = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3})["match"]
    problem(anna.try_("POST", f"/v1/matches/{match}/clock", {"advance_ms": 1}), 409, "refused", reason="not_sandbox")


def test_who_hands_over_the_match_hands_over_its_clock_too(anna: Person, ben: Person) -> None:
    match = anna.opens(fill="careful")
    ben.sits(match)
    anna.do("DELETE", f"/v1/matches/{match}/seats/0")
    ben.starts(match)
    turn = {"advance_ms": 1}

    no = anna.try_("POST", f"/v1/matches/{match}/clock", turn, accept_language="de")

    told = problem(no, 403, "not_yours", reason="not_host")
    assert told["detail"] == "Das darf nur der Gastgeber der Partie."
    assert ben.sees(match)["host"] == ben.id
    assert ben.do("POST", f"/v1/matches/{match}/clock", turn)["advanced_ms"] == 1


def test_a_clock_of_a_match_that_is_over_was_beaten_by_nobody(table: Table) -> None:
    table.ben.acts(table.match, type="cheat.play", cards=["AS", "KD", "9C", "9D"])
    while table.anna.sees(table.match)["status"] == "playing":
        table.anna.turns_clock(table.match, seconds=60)

    answer = table.anna.try_("POST", f"{table.path}/clock", {"advance_ms": 1})

    told = problem(answer, 409, "refused", reason="match_over", seq=table.anna.sees(table.match)["seq"])
    assert "beaten_by" not in told


@pytest.mark.parametrize("advance", [0, -1, 1.5, "1000", 10**12, None])
def test_a_clock_is_turned_forward_by_whole_milliseconds(table: Table, advance: Any) -> None:
    answer = table.anna.try_("POST", f"{table.path}/clock", {"advance_ms": advance})

    problem(answer, 400, "malformed", field="/advance_ms")


def test_the_lobby_turns_its_pages(anna: Person) -> None:
    opened = [anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3})["match"] for _ in range(5)]
    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = anna.do(
            "GET",
            f"/v1/matches?status=open&game=cheat&mine=true&limit=2&cursor={cursor}"
            if cursor
            else "/v1/matches?status=open&game=cheat&mine=true&limit=2",
        )
        assert len(page["matches"]) <= 2
        found += [one["match"] for one in page["matches"]]
        cursor = page["cursor"]

    assert found == opened[::-1]


def test_the_lobby_shows_what_is_public_and_ones_own_shows_all(anna: Person, ben: Person) -> None:
    public = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3})["match"]
    coded = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "access": "code"})
    sandbox = anna.opens()

    seen = {one["match"]: one for one in ben.do("GET", "/v1/matches?limit=100")["matches"]}
    assert public in seen
    assert not {coded["match"], sandbox} & seen.keys()
    assert seen[public]["code"] is None
    assert seen[public]["taken"] == 1
    mine = {one["match"]: one for one in anna.do("GET", "/v1/matches?mine=true")["matches"]}
    assert {public, coded["match"], sandbox} <= mine.keys()
    assert mine[coded["match"]]["code"] == coded["code"]


def test_nothing_in_the_lobby_moves_with_play(table: Table) -> None:
    before = table.anna.do("GET", "/v1/matches?mine=true")
    table.ben.acts(table.match, type="cheat.play", cards=["AS"])

    assert table.anna.do("GET", "/v1/matches?mine=true") == before


def test_a_code_is_told_to_nobody_but_who_opened_the_match(anna: Person, ben: Person) -> None:
    opened = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3})
    ben.sits(opened["match"])

    for path in (f"/v1/matches/{opened['match']}", f"/v1/matches/{opened['match']}/events", "/v1/matches?mine=true"):
        assert opened["code"] not in ben.try_("GET", path).text


def test_entropy_is_promised_and_revealed(anna: Person) -> None:
    entropy = "c0ffee"
    match = anna.opens(fill=True, entropy_commitment=hashlib.sha256(bytes.fromhex(entropy)).hexdigest())
    begun = anna.starts(match)
    assert [offer["type"] for offer in begun["actions"]] == ["match.reveal_entropy"]

    wrong = anna.try_("POST", f"/v1/matches/{match}/actions", {"type": "match.reveal_entropy", "entropy": "00"})
    problem(wrong, 409, "refused", reason="wrong_entropy")
    for bad in ("", "0", "XY", "C0FFEE", "00" * 65):
        answer = anna.try_("POST", f"/v1/matches/{match}/actions", {"type": "match.reveal_entropy", "entropy": bad})
        problem(answer, 400, "malformed", field="/entropy")

    told = anna.acts(match, type="match.reveal_entropy", entropy=entropy)
    assert told["view"]["hand"]


def test_one_sits_down_without_a_word(anna: Person, ben: Person) -> None:
    match = anna.opens()

    assert ben.try_("POST", f"/v1/matches/{match}/seats").status_code == 201
    assert ben.sees(match)["seat"] == 1
