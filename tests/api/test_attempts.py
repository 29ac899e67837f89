"""What was refused, over HTTP: when it arrived, why not, what had been first, and who reads it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from service.auth import issue
from service.settings import Settings
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served
from tests.api.tables import Table, first_fit, lie, table_of


@pytest.fixture
def table(anna: Person, ben: Person, cara: Person) -> Table:
    """It is Ben's turn, and he has to name aces. Who leaves takes his cards along."""
    return table_of(anna, ben, cara, leaving="cards_leave")


@pytest.fixture
def auditor(server: Served, settings: Settings) -> Person:
    token = issue(settings.database_url, name="Auditor", scopes=("read", "audit"), days=1)
    return Person.again(server.url, token, "Auditor")


def attempts(who: Person, match: str, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = who.do("GET", f"/v1/matches/{match}/attempts{query}")["attempts"]
    return found


def tries(who: Person, match: str, **action: Any) -> dict[str, Any]:
    """Something that is refused; the problem."""
    return problem(who.try_("POST", f"/v1/matches/{match}/actions", action), 409, "refused")


def ms(later: str, earlier: str) -> float:
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds() * 1000


def test_i_called_before_he_played_can_be_answered(anna: Person, ben: Person, cara: Person) -> None:
    match = anna.opens(sandbox=False, clock={"min_open": 0, "turn_time": 600})
    ben.sits(match)
    cara.sits(match)
    anna.starts(match)
    friends = {0: anna, 1: ben, 2: cara}

    def plays() -> int:
        seat: int = anna.sees(match)["view"]["phase"]["seat"]
        offer = next(o for o in friends[seat].sees(match)["actions"] if o["type"] == "cheat.play")
        friends[seat].acts(match, **first_fit(offer))
        return seat

    first = plays()
    claim = anna.sees(match)["view"]["open_claims"][0]["claim_id"]
    second = plays()
    third = friends[3 - first - second]
    told = tries(third, match, type="cheat.challenge", claim_id=claim)

    (attempt,) = attempts(third, match)
    assert (attempt["reason"], attempt["seq"]) == (told["reason"], told["seq"])
    assert attempt["beaten_by"] == told["beaten_by"]
    assert attempt["action"] == {"type": "cheat.challenge", "claim_id": claim}
    beat = third.do("GET", f"/v1/matches/{match}/events?after={told['beaten_by'] - 1}&limit=1")["frames"][0]
    assert (beat["event"]["type"], beat["event"]["seat"]) == ("cheat.claimed", second)
    assert attempt["missed_by_ms"] == pytest.approx(ms(attempt["at"], attempt["beaten_at"]), abs=0.01)
    assert attempt["missed_by_ms"] > 0
    assert ms(beat["at"], attempt["beaten_at"]) == 0


def test_how_late_or_early_it_was_is_said(table: Table) -> None:
    claim = lie(table)
    offer = next(o for o in table.cara.sees(table.match)["actions"] if o["type"] == "cheat.play")
    early = tries(table.cara, table.match, **first_fit(offer))
    assert early["reason"] == "too_early"
    (attempt,) = attempts(table.cara, table.match)
    assert attempt["not_before"] == early["not_before"]
    assert attempt["missed_by_ms"] == ms(early["not_before"], table.cara.sees(table.match)["server_time"]) == 5000
    tries(table.ben, table.match, type="cheat.challenge", claim_id=claim)
    (own,) = attempts(table.ben, table.match)
    assert own["reason"] == "own_claim"
    assert "missed_by_ms" not in own
    assert "beaten_by" not in own


def test_until_it_is_over_everybody_has_his_own_and_officials_see_when(
    table: Table, auditor: Person, newcomer: Callable[[str], Person]
) -> None:
    tries(table.anna, table.match, type="cheat.play", cards=["QS"], rank="A")
    tries(table.cara, table.match, type="cheat.play", cards=["4S"], rank="A")
    sue = newcomer("Sue")

    (own,) = attempts(table.anna, table.match)
    assert own["action"]["cards"] == ["QS"]
    assert attempts(table.anna, table.match, "?seat=0") == [own]
    assert attempts(table.ben, table.match) == []
    path = f"{table.path}/attempts"
    assert problem(table.anna.try_("GET", f"{path}?seat=2"), 403, "not_yours")["reason"] == "not_over"
    assert problem(sue.try_("GET", path), 403, "not_yours")["reason"] == "not_seated"
    seen = attempts(auditor, table.match)
    assert [set(each) for each in seen] == [{"seat", "n", "received_at", "outcome"}] * 2
    assert [(each["seat"], each["n"]) for each in seen] == [(0, 1), (2, 1)]
    assert own["received_at"] == seen[0]["received_at"]

    for who, seat in ((table.ben, 1), (table.cara, 2)):
        who.do("DELETE", f"{table.path}/seats/{seat}")
    for who in (table.anna, sue, auditor):
        everything = attempts(who, table.match)
        assert [each["action"]["cards"] for each in everything] == [["QS"], ["4S"]]
        assert attempts(who, table.match, "?seat=2") == everything[1:]


def test_who_may_not_know_what_was_tried_does_not_count_what_was_not_refused(table: Table, auditor: Person) -> None:
    """Neither between two that were refused, nor by those beyond twenty, whose number comes with the next on record."""
    tries(table.ben, table.match, type="cheat.challenge", claim_id=7)
    table.ben.acts(table.match, type="cheat.play", cards=["AS"], rank="A")
    for _ in range(21):
        tries(table.ben, table.match, type="cheat.challenge", claim_id=0)
    table.cara.acts(table.match, type="cheat.challenge", claim_id=0)
    last = attempts(table.ben, table.match)[-1]

    seen = attempts(auditor, table.match)
    assert [(each["seat"], each["n"], each["outcome"]) for each in seen] == [
        (1, n, "refused") for n in range(1, len(seen) + 1)
    ]
    assert last["n"] > len(seen)
    page = auditor.do("GET", f"{table.path}/attempts?limit=1")
    assert page["attempts"] == seen[:1]
    assert page["cursor"] == "0.1.0"
    assert auditor.do("GET", f"{table.path}/attempts?cursor=0.1.0")["attempts"] == seen[1:]
    for seat in (1, 2):
        (table.ben, table.cara)[seat - 1].do("DELETE", f"{table.path}/seats/{seat}")


def test_a_match_behind_a_code_tells_strangers_nothing(
    anna: Person, ben: Person, cara: Person, auditor: Person
) -> None:
    match = anna.opens(access="code")
    path = f"/v1/matches/{match}/attempts"
    assert problem(cara.try_("GET", path), 403, "not_yours")["reason"] == "may_not_see"
    assert attempts(auditor, match) == attempts(anna, match) == []


def test_who_held_the_seat_before_keeps_what_he_tried_to_himself(anna: Person, ben: Person, cara: Person) -> None:
    match = anna.opens()
    ben.sits(match, seat=1)
    tries(ben, match, type="cheat.play", cards=["4S"], rank="A")
    ben.do("DELETE", f"/v1/matches/{match}/seats/1")
    cara.sits(match, seat=1)
    tries(cara, match, type="cheat.play", cards=["5S"], rank="A")

    assert [each["action"]["cards"] for each in attempts(cara, match)] == [["5S"]]
    assert ben.try_("GET", f"/v1/matches/{match}/attempts").status_code == 403


def test_who_left_in_the_middle_still_reads_his_own(anna: Person, ben: Person, cara: Person) -> None:
    table = table_of(anna, ben, cara)
    tries(cara, table.match, type="cheat.play", cards=["4S"], rank="A")
    cara.do("DELETE", f"{table.path}/seats/2")

    assert [each["action"]["cards"] for each in attempts(cara, table.match)] == [["4S"]]


def test_page_by_page_it_is_the_same(table: Table, auditor: Person) -> None:
    for card in ("4S", "4H", "2D"):
        tries(table.cara, table.match, type="cheat.play", cards=[card], rank="A")
        tries(table.anna, table.match, type="cheat.play", cards=["QS"], rank="A")
    for who in (table.cara, auditor):
        whole, found, cursor = attempts(who, table.match), [], ""
        while True:
            page = who.do("GET", f"{table.path}/attempts?limit=1{cursor}")
            found += page["attempts"]
            if page["cursor"] is None:
                break
            cursor = f"&cursor={page['cursor']}"
        assert found == whole
        assert len(whole) == (3 if who is table.cara else 6)


def test_what_is_not_on_record_is_counted(table: Table) -> None:
    for _ in range(42):
        tries(table.cara, table.match, type="cheat.play", cards=["4S"], rank="A")
    table.ben.acts(table.match, type="cheat.play", cards=["AS"], rank="A")
    table.cara.acts(table.match, type="cheat.accept", claim_id=0)

    kept = attempts(table.cara, table.match)
    counted = [each for each in kept if each["outcome"] == "uncounted"]
    assert len(kept) - len(counted) + sum(each.get("count", 1) for each in counted) == 42
    assert counted  # in one minute, or in two: at least one had more than it keeps


@pytest.mark.parametrize("cursor", ["x", "1.2", "1..2", "-1", "1.2.3.4"])
def test_a_cursor_that_is_none_of_ours_is_named(table: Table, cursor: str) -> None:
    answer = table.anna.try_("GET", f"{table.path}/attempts?cursor={cursor}")
    assert problem(answer, 400, "bad_parameter")["field"] == "cursor"


def test_there_is_no_such_seat(table: Table) -> None:
    assert problem(table.anna.try_("GET", f"{table.path}/attempts?seat=3"), 404, "not_in_this_match")["field"] == "seat"
