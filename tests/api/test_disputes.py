"""Somebody asks a referee, over HTTP: the match may stand still, and is ruled on."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import Any
from uuid import uuid4

import httpx
import pytest

from projections.audit.verify import verify
from service.settings import Settings
from tests.api.disputing import frames, history, raises, refused, rules, takes
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served
from tests.api.tables import BEN, Table, table_of
from tests.api.test_access import changed


def test_a_seat_asks_and_all_are_told_but_not_what_it_said(table: Table, rita: Person, newcomer: Any) -> None:
    seq = table.ben.sees(table.match)["seq"]
    dispute = raises(table.ben, table.match, seq=seq, text="I was first.\nLook at the clock.")

    assert (dispute["status"], dispute["seat"], dispute["seq"]) == ("open", BEN, seq)
    for person, sees_seq in ((table.anna, None), (table.ben, seq), (newcomer("Dan"), None)):
        (told,) = person.sees(table.match)["disputes"]
        assert told == {
            "dispute": dispute["dispute"],
            "seat": BEN,
            "seq": sees_seq,
            "reason": "timing",
            "referee": None,
        }
        assert "I was first" not in str(frames(person, table.match))
    path = f"/v1/disputes/{dispute['dispute']}"
    assert rita.do("GET", path)["text"] == "I was first.\nLook at the clock."
    assert table.ben.do("GET", path)["text"] == "I was first.\nLook at the clock."
    assert (seen := table.anna.do("GET", path))["text"] is None
    assert seen["seq"] is None


def test_a_body_in_which_nothing_has_to_be_said_may_be_left_out(table: Table, server: Served, rita: Person) -> None:
    dispute = raises(table.ben, table.match)["dispute"]
    assert rita.do("POST", f"/v1/disputes/{dispute}/assign")["referee"] == rita.id
    assert rita.try_("POST", f"/v1/disputes/{dispute}/ruling").status_code == 400

    paths = httpx.get(f"{server.url}/openapi.json").json()["paths"]
    needed = {
        path: operation["post"]["requestBody"]["required"]
        for path, operation in paths.items()
        if "requestBody" in operation.get("post", {})
    }
    left_out = {path for path, required in needed.items() if not required}
    assert left_out == {"/v1/matches/{match}/seats", "/v1/disputes/{dispute}/assign", "/v1/players/me/tokens"}


def test_what_is_no_dispute(table: Table, newcomer: Any) -> None:
    path = f"{table.path}/disputes"
    seq = table.ben.sees(table.match)["seq"]

    refused(table.ben.try_("POST", path, {"reason": "timing", "seq": seq + 1}), "no_such_frame")
    refused(newcomer("Dan").try_("POST", path, {"reason": "rule"}), "not_seated", 403)
    for body in ({"reason": "bad"}, {"reason": "rule", "seq": 0}, {"reason": "rule", "text": "a\u0000b"}, {}):
        assert table.ben.try_("POST", path, body).status_code == 400
    raises(table.ben, table.match, seq=seq)
    refused(table.ben.try_("POST", path, {"reason": "rule"}), "dispute_open")


def test_a_dispute_is_raised_once_under_one_key(table: Table) -> None:
    first = table.ben.do("POST", f"{table.path}/disputes", {"reason": "rule"}, idempotency_key="k" * 20)
    again = table.ben.do("POST", f"{table.path}/disputes", {"reason": "rule"}, idempotency_key="k" * 20)

    assert first == again
    other = table.ben.try_("POST", f"{table.path}/disputes", {"reason": "fault"}, idempotency_key="k" * 20)
    assert other.status_code == 422


@pytest.mark.parametrize(
    "change",
    [
        *(
            "text = 'Ben was late.'",
            "note = 'He was late.'",
            "salt = note_salt",
            "seat = 0",
            "seq = 2",
            "reason = 'rule'",
        ),
        *("referee = player", "player = referee", "ruling = 'dismissed'", "ruling = NULL", "rules = '{1.2}'"),
        *("branch = match", "game = 'mogler'", "raised_at = ruled_at", "ruled_at = raised_at", "rules = NULL"),
    ],
)
def test_a_dispute_that_was_changed_is_told_to_nobody(
    table: Table, rita: Person, settings: Settings, change: str
) -> None:
    """It lies beside the log, which binds all of it; somebody has written into the database."""
    dispute = raises(table.ben, table.match, seq=1, text="I was first.")["dispute"]
    takes(rita, dispute)
    rules(rita, dispute, "upheld", text="He was.")
    path = f"/v1/disputes/{dispute}"
    assert table.anna.do("GET", path)["ruling"]["text"] == "He was."
    assert dispute in str(rita.do("GET", "/v1/disputes"))

    changed(settings, f"UPDATE dispute SET {change} WHERE id = $1::text::uuid", dispute)  # noqa: S608
    for person in (table.anna, table.ben, rita):
        assert problem(person.try_("GET", path), 500, "broken_log")
        assert dispute not in str(person.do("GET", "/v1/disputes"))


def test_referees_see_all_disputes_and_players_their_own(table: Table, rita: Person) -> None:
    bens = raises(table.ben, table.match)["dispute"]
    caras = raises(table.cara, table.match)["dispute"]

    def listed(person: Person, query: str = "") -> list[str]:
        found: list[str] = []
        page = person.do("GET", f"/v1/disputes?limit=1{query}")
        while True:
            found += [one["dispute"] for one in page["disputes"]]
            if page["cursor"] is None or len(found) > 20:
                return found
            page = person.do("GET", f"/v1/disputes?limit=1&cursor={page['cursor']}{query}")

    assert listed(table.ben) == [bens]
    assert listed(rita, "&status=open")[:2] == [caras, bens]
    takes(rita, bens)
    rules(rita, bens, "dismissed")
    assert listed(table.ben, "&status=open") == []
    assert listed(table.ben, "&status=ruled") == [bens]
    assert listed(table.anna) == []
    assert rita.try_("GET", "/v1/disputes?cursor=x").status_code == 400


def test_only_referees_rule_and_only_who_never_sat_there(table: Table, rita: Person, official: Any) -> None:
    dispute = raises(table.ben, table.match)["dispute"]
    path = f"/v1/disputes/{dispute}"
    said = {"ruling": "dismissed", "rules": ["1.1"]}

    for person in (table.anna, official("Aud", "audit")):
        assert person.try_("POST", f"{path}/assign", {}).json()["scope"] == "referee"
        assert person.try_("POST", f"{path}/ruling", said).json()["scope"] == "referee"
        assert person.try_("POST", f"{table.path}/resume").json()["scope"] == "referee"
    assert table.anna.try_("POST", f"{table.path}/seal", {"reason": "dispute"}).status_code == 403
    assert rita.try_("POST", f"/v1/disputes/{uuid4()}/assign", {}).status_code == 404
    refused(rita.try_("POST", f"{path}/ruling", said), "not_assigned", 403)
    takes(rita, dispute)
    unknown = rita.try_("POST", f"{path}/ruling", {**said, "rules": ["1.1", "77.1", "4.1", "99.9"]})
    told = problem(unknown, 409, "refused", reason="no_such_rule", field="/rules/1")
    assert told["detail"].startswith("The game has no rule of this number: 77.1, 99.9.")
    assert rita.try_("POST", f"{path}/ruling", {**said, "rules": []}).status_code == 400
    ruled = rules(rita, dispute, "upheld", text="It was so, and changes nothing.")
    assert (ruled["status"], ruled["ruling"]["ruling"], ruled["ruling"]["rules"]) == ("ruled", "upheld", ["1.1"])
    assert table.anna.do("GET", path)["ruling"]["text"] == "It was so, and changes nothing."
    narrated = table.anna.do("GET", f"{table.path}/events?narrate=de")["frames"][-1]
    assert narrated["event"]["type"] == "match.ruled"
    assert "1.1" in narrated["narration"]


def test_a_player_who_is_a_referee_elsewhere_is_none_at_his_own_table(official: Any, newcomer: Any) -> None:
    rita, ben, cara = official("Rita", "referee"), newcomer("Ben"), newcomer("Cara")
    match = rita.opens()
    ben.sits(match)
    cara.sits(match)
    rita.starts(match)
    dispute = raises(ben, match, seq=ben.sees(match)["seq"], text="Rita looks into my cards.")["dispute"]
    hers = raises(rita, match, seq=1, text="Ben lies.")["dispute"]

    listed = rita.do("GET", "/v1/disputes?limit=2")["disputes"]
    assert [(one["dispute"], one["seq"], one["text"]) for one in listed] == [
        (hers, 1, "Ben lies."),
        (dispute, None, None),
    ]
    assert rita.do("GET", f"/v1/disputes/{dispute}") == listed[1]
    assert official("Rudi", "referee").do("GET", "/v1/disputes?limit=1")["disputes"][0]["text"] == "Ben lies."
    assert ben.do("GET", f"/v1/disputes/{dispute}")["text"] == "Rita looks into my cards."
    refused(rita.try_("POST", f"/v1/disputes/{dispute}/assign", {}), "sat_here", 403)
    refused(rita.try_("POST", f"/v1/matches/{match}/seal", {"reason": "dispute"}), "sat_here", 403)
    refused(rita.try_("POST", f"/v1/matches/{match}/resume"), "sat_here", 403)


def test_a_match_that_was_opened_so_stands_still_until_the_ruling(
    anna: Person, ben: Person, cara: Person, rita: Person
) -> None:
    table = table_of(anna, ben, cara, pause_on_dispute=True)
    dispute = raises(ben, table.match)["dispute"]

    seen = ben.sees(table.match)
    assert (seen["paused"], seen["actions"]) == ("dispute", [])
    refused(ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}), "match_paused")
    refused(anna.try_("POST", f"{table.path}/clock", {"advance_ms": 5}), "match_paused")
    takes(rita, dispute)
    rules(rita, dispute, "dismissed")
    seen = ben.sees(table.match)
    assert (seen["paused"], seen["disputes"]) == (None, [])
    assert seen["actions"]
    for language, words in (("en", "The clock goes on."), ("de", "Die Uhr geht weiter.")):
        page = ben.do("GET", f"{table.path}/events?narrate={language}&limit=500")
        assert page["frames"][-1]["narration"] == words
    ben.acts(table.match, type="cheat.play", cards=["AS"])
    rules(rita, takes(rita, raises(ben, table.match)["dispute"])["dispute"], "void")
    assert verify(history(anna, table.match)).played


def test_who_breaks_the_seal_is_known_to_every_seat(table: Table, official: Any) -> None:
    auditor = official("Aud", "audit")
    auditor.do("POST", f"{table.path}/seal", {"reason": "complaint"})

    told = frames(table.cara, table.match)[-1]["event"]
    assert told == {"type": "match.seal_broken", "by": auditor.id, "reason": "complaint"}
    refused(auditor.try_("POST", f"{table.path}/seal", {"reason": "complaint"}), "seal_broken")


def test_a_match_that_is_void_is_told_whole(table: Table, rita: Person) -> None:
    dispute = raises(table.ben, table.match)["dispute"]
    takes(rita, dispute)
    rules(rita, dispute, "void")

    seen = table.anna.sees(table.match)
    assert (seen["status"], seen["result"]["reason"]) == ("void", "ruled")
    assert len(seen["result"]["seed"]) == 64


def test_of_two_rulings_at_once_the_first_counts_and_the_other_is_told(table: Table, rita: Person) -> None:
    dispute = raises(table.ben, table.match)["dispute"]
    takes(rita, dispute)
    said = [{"ruling": "branch", "rules": ["1.1"]}, {"ruling": "void", "rules": ["1.1"]}]
    barrier, answers = Barrier(2), list[httpx.Response]()

    def one(body: Any) -> None:
        barrier.wait()
        answers.append(
            httpx.post(
                rita.http.base_url.join(f"/v1/disputes/{dispute}/ruling"),
                json=body,
                headers={"authorization": f"Bearer {rita.token}"},
                timeout=20,
            )
        )

    threads = [Thread(target=one, args=(body,)) for body in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second = sorted(answers, key=lambda answer: answer.status_code)
    assert first.status_code == 200
    refused(second, "dispute_closed")
    assert table.anna.sees(table.match)["status"] == ("superseded" if first.json()["ruling"]["branch"] else "void")


def test_a_ruling_is_made_once_under_one_key(table: Table, rita: Person) -> None:
    dispute = raises(table.ben, table.match)["dispute"]
    takes(rita, dispute)
    said = {"ruling": "branch", "rules": ["1.1"]}
    first = rita.do("POST", f"/v1/disputes/{dispute}/ruling", said, idempotency_key="r" * 20)
    again = rita.do("POST", f"/v1/disputes/{dispute}/ruling", said, idempotency_key="r" * 20)

    assert first == again
    mine = table.ben.do("GET", "/v1/matches?mine=true")["matches"]
    assert [one["match"] for one in mine] == [first["ruling"]["branch"], table.match]


def test_two_referees_take_one_dispute_and_one_of_them_has_it(table: Table, rita: Person, rudi: Person) -> None:
    dispute = raises(table.ben, table.match)["dispute"]
    takes(rita, dispute)

    refused(rudi.try_("POST", f"/v1/disputes/{dispute}/assign", {}), "already_assigned")
    assert takes(rudi, dispute, instead=True)["referee"] == rudi.id
    refused(
        rita.try_("POST", f"/v1/disputes/{dispute}/ruling", {"ruling": "void", "rules": ["1.1"]}), "not_assigned", 403
    )


def test_a_referee_sees_a_match_behind_a_code_once_he_has_its_dispute(
    anna: Person, ben: Person, cara: Person, rita: Person
) -> None:
    match = anna.opens(access="code")
    code = anna.do("GET", "/v1/matches?mine=true")["matches"][0]["code"]
    ben.do("POST", "/v1/joins", {"code": code})
    cara.do("POST", "/v1/joins", {"code": code})
    anna.starts(match)
    dispute = raises(ben, match)["dispute"]

    refused(rita.try_("GET", f"/v1/matches/{match}"), "may_not_see", 403)
    takes(rita, dispute)
    assert rita.sees(match)["seat"] is None
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]
    assert rita.sees(branch)["paused"] == "branch"
