"""Replay over HTTP: what a viewer was told then, byte for byte, and to whom it lies open."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import httpx
import pytest

from projections.catalogue import CATALOGUE
from service.auth import issue
from service.settings import Settings
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served, serving
from tests.api.tables import ANNA, BEN, Table, lie, table_of
from tests.api.test_history import opened, played


class Listener:
    """Keeps the messages of a live stream, byte for byte, until the match is over."""

    def __init__(self, who: Person, match: str, narrate: str | None = None) -> None:
        self.messages: list[bytes] = []
        self.heard = threading.Event()
        self._who = who
        self._path = f"/v1/matches/{match}/stream{'' if narrate is None else f'?narrate={narrate}'}"
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        assert self.heard.wait(10)

    def _listen(self) -> None:
        with self._who.http.stream("GET", self._path, timeout=60) as answer:
            for line in answer.iter_lines():
                if line.startswith('data: {"match":'):
                    self.messages.append(line.removeprefix("data: ").encode())
                    self.heard.set()
                    if b'"status":"over"' in self.messages[-1]:
                        return

    def all(self) -> list[bytes]:
        self._thread.join(30)
        assert not self._thread.is_alive()
        return self.messages


def replayed(who: Person, match: str, **how: str) -> list[bytes]:
    answer = who.http.get(f"/v1/matches/{match}/replay", params=how, timeout=60)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return answer.content.splitlines()


def step(who: Person, match: str, **how: str) -> bytes:
    answer = asks(who, match, **how)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.content


def asks(who: Person, match: str, **how: str) -> httpx.Response:
    return who.http.get(f"/v1/matches/{match}/replay", params=how)


@pytest.fixture
def table(anna: Person, ben: Person, cara: Person) -> Table:
    """It is Ben's turn, and he has to name aces. Who leaves takes his cards along."""
    return table_of(anna, ben, cara, leaving="cards_leave")


@pytest.fixture
def auditor(server: Served, settings: Settings) -> Person:
    token = issue(settings.database_url, name="Auditor", scopes=("read", "audit"), days=1)
    return Person.again(server.url, token, "Auditor")


@pytest.fixture
def referee(server: Served, settings: Settings) -> Person:
    token = issue(settings.database_url, name="Referee", scopes=("read", "referee"), days=1)
    return Person.again(server.url, token, "Referee")


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_replay_is_what_each_viewer_was_told_then_byte_for_byte(game: str, newcomer: Callable[[str], Person]) -> None:
    anna, ben, sue = (newcomer(name) for name in ("Anna", "Ben", "Sue"))
    match = opened([anna, ben], game)
    live = {
        ("seat:0", None): Listener(anna, match),
        ("seat:1", "de"): Listener(ben, match, "de"),
        ("spectator", None): Listener(sue, match),
    }
    played([anna, ben], game, match)

    for (eyes, language), listener in live.items():
        told = listener.all()
        how = {} if language is None else {"narrate": language}
        again = replayed(sue, match, **{"as": eyes}, **how)
        assert again == told
        assert len(told) > 10
        middle = json.loads(told[len(told) // 2])["frames"][0]["seq"]
        assert step(ben, match, **{"as": eyes, "at": str(middle)}, **how) == told[len(told) // 2]


def test_who_sat_there_once_is_called_by_his_name_there_too(
    anna: Person, ben: Person, cara: Person, newcomer: Callable[[str], Person], settings: Settings
) -> None:
    match = opened([anna, ben, cara], "cheat")
    sue = Listener(newcomer("Sue"), match, "en")
    ben.do("DELETE", f"/v1/matches/{match}/seats/1")
    newcomer("Dan").sits(match)
    played([anna, cara], "cheat", match)

    told = sue.all()
    assert b"Ben sits down." in b"".join(told)
    assert replayed(anna, match, **{"as": "spectator", "narrate": "en"}) == told
    with serving(settings) as other:  # a process that has never heard of Ben
        again = Person.again(other.url, anna.token, "Anna")
        assert replayed(again, match, **{"as": "spectator", "narrate": "en"}) == told


def test_everything_at_once_is_every_viewers_message_and_the_stored_events(anna: Person, ben: Person) -> None:
    match = opened([anna, ben], "cheat")
    played([anna, ben], "cheat", match)

    steps = [json.loads(line) for line in replayed(anna, match, **{"as": "all"})]
    stored = [event for one in steps for event in one["events"]]
    assert [event["version"] for event in stored] == list(range(1, len(stored) + 1))
    assert [one["version"] for one in steps] == [one["events"][-1]["version"] for one in steps]
    for eyes in ("seat:1", "spectator"):
        assert [one["told"][eyes] for one in steps if one["told"][eyes]] == [
            json.loads(line) for line in replayed(anna, match, **{"as": eyes})
        ]


def test_what_was_refused_stands_where_it_was_refused(table: Table) -> None:
    refused = table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4S"], "rank": "A"})
    assert refused.status_code == 409
    finish(table)

    tried = [
        (one, each)
        for one in map(json.loads, replayed(table.anna, table.match, **{"as": "all"}))
        for each in one["refused"]
    ]
    assert [(each["seat"], each["reason"]) for _, each in tried] == [(2, "not_your_turn")]
    assert tried[0][0]["version"] == tried[0][1]["version"]


def test_a_seat_looks_back_at_any_time_at_what_it_was_told_and_at_nothing_else(table: Table) -> None:
    lie(table)
    own = json.loads(step(table.ben, table.match, at=str(table.ben.sees(table.match)["seq"])))
    assert own["frames"][0]["event"]["cards"] == ["KD"]
    assert own["view"]["open_claims"][0]["closes_at"] is None or own["view"]["open_claims"][0]["not_before"]
    assert [offer["type"] for offer in own["actions"]] == []
    seen = replayed(table.anna, table.match)
    assert replayed(table.anna, table.match, **{"as": "seat:0"}) == seen
    assert b"KD" not in b"".join(seen)
    assert b"KD" not in b"".join(replayed(table.anna, table.match, **{"as": "spectator"}))

    for how in (
        {"as": "seat:1"},
        {"as": "all"},
        {"at": "version:1"},
        {"from": "version:1"},
        {"as": "seat:0", "to": "version:3"},
        {"as": "spectator", "at": "version:3"},
    ):
        no = problem(asks(table.anna, table.match, **how), 403, "not_yours")
        assert no["reason"] == "not_over"


def test_nobody_sees_more_before_it_is_over_and_everybody_who_may_see_it_then(
    table: Table, auditor: Person, referee: Person, newcomer: Callable[[str], Person]
) -> None:
    lie(table)
    sue = newcomer("Sue")
    for who in (sue, auditor, referee):
        assert json.loads(replayed(who, table.match)[-1])["seat"] is None
        for eyes in ("seat:0", "seat:1", "all"):
            no = problem(asks(who, table.match, **{"as": eyes}), 403, "not_yours")
            assert no["reason"] == "not_over"
            assert (f"/v1/matches/{table.match}/seal" in no["detail"]) == (who is not sue)
    finish(table)
    for who in (table.anna, sue, auditor, referee):
        assert b"KD" in b"".join(replayed(who, table.match, **{"as": "seat:1"}))
        assert replayed(who, table.match, **{"as": "all"})


def test_a_match_behind_a_code_opens_to_officials_when_it_is_over_and_to_strangers_never(
    anna: Person, ben: Person, cara: Person, auditor: Person, referee: Person
) -> None:
    match = opened([anna, ben], "cheat", access="code")
    for who in (cara, auditor, referee):
        for how in ({}, {"as": "spectator"}, {"as": "seat:0"}, {"as": "all"}):
            assert problem(asks(who, match, **how), 403, "not_yours")["reason"] == "may_not_see"
    played([anna, ben], "cheat", match)
    told = replayed(anna, match, **{"as": "seat:1"})
    for who in (auditor, referee, ben):
        assert replayed(who, match, **{"as": "seat:1"}) == told
    for how in ({}, {"as": "seat:1"}, {"as": "all"}):
        assert asks(cara, match, **how).status_code == 403


def test_at_a_version_one_sees_what_the_seat_could_know_then(table: Table) -> None:
    lie(table)
    finish(table)
    everything = [json.loads(line) for line in replayed(table.cara, table.match, **{"as": "all"})]
    for one in everything:
        for event in one["events"]:
            for seat in (ANNA, BEN):
                known = step(table.cara, table.match, **{"as": f"seat:{seat}", "at": f"version:{event['version']}"})
                told = [
                    each["told"][f"seat:{seat}"]
                    for each in everything
                    if each["events"][0]["version"] <= event["version"]
                ]
                assert json.loads(known) == next(each for each in reversed(told) if each)


def test_a_span_is_the_steps_that_lie_in_it(table: Table) -> None:
    finish(table)
    steps = replayed(table.anna, table.match)
    last = json.loads(steps[-1])["seq"]
    two = json.loads(steps[2])["frames"][0]["seq"]
    assert replayed(table.anna, table.match, **{"from": str(two)}) == steps[2:]
    assert replayed(table.anna, table.match, to=str(two)) == steps[:3]
    assert replayed(table.anna, table.match, **{"from": str(two), "to": str(two)}) == [steps[2]]
    assert replayed(table.anna, table.match, **{"from": str(last + 1)}) == []
    whole = replayed(table.anna, table.match, **{"as": "all", "from": "4", "to": "5"})
    assert replayed(table.anna, table.match, **{"as": "all", "from": "version:4", "to": "version:5"}) == whole
    assert {4, 5} <= {event["version"] for line in whole for event in json.loads(line)["events"]}


@pytest.mark.parametrize(
    "how, field",
    [
        ({"as": "seat:01"}, "as"),
        ({"as": "ben"}, "as"),
        ({"at": "0"}, "at"),
        ({"at": "-1"}, "at"),
        ({"at": "version:"}, "at"),
        ({"from": "x"}, "from"),
        ({"at": "1", "from": "1"}, "at"),
        ({"from": "5", "to": "2"}, "to"),
        ({"from": "version:5", "to": "version:2"}, "to"),
        ({"as": "all", "from": "version:5", "to": "2"}, "to"),
        ({"narrate": "fr"}, "narrate"),
    ],
)
def test_what_is_none_is_named(table: Table, how: dict[str, str], field: str) -> None:
    assert problem(asks(table.anna, table.match, **how), 400, "bad_parameter")["field"] == field


@pytest.mark.parametrize("how, last", [({"as": "seat:3"}, "2"), ({"at": "4000"}, "6")])
def test_the_match_is_not_that_long_nor_that_wide(table: Table, how: dict[str, str], last: str) -> None:
    no = problem(asks(table.anna, table.match, **how), 404, "not_in_this_match")
    assert no["field"] == next(iter(how))
    assert no["detail"].endswith(f"the last is {last}")


def test_there_is_none_of_no_match(anna: Person) -> None:
    assert asks(anna, "6f9619ff-8b86-4d01-b42d-00cf4fc964ff").status_code == 404


def finish(table: Table) -> None:
    """All but Anna leave, and their cards with them."""
    for who, seat in ((table.ben, 1), (table.cara, 2)):
        who.do("DELETE", f"{table.path}/seats/{seat}")
    while table.anna.sees(table.match)["status"] == "playing":
        table.anna.turns_clock(table.match, seconds=60)
    assert table.anna.sees(table.match)["status"] == "over"


def test_who_broke_the_seal_sees_all_of_a_match_that_goes_on_and_nobody_else_does(
    table: Table, auditor: Person, referee: Person
) -> None:
    lie(table)
    early = table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4S"], "rank": "2"})
    assert early.status_code == 409
    auditor.do("POST", f"{table.path}/seal", {"reason": "complaint"})

    assert b"KD" in b"".join(replayed(auditor, table.match, **{"as": "seat:1"}))
    everything = replayed(auditor, table.match, **{"as": "all"})
    assert json.loads(everything[-1])["events"][-1]["event"]["type"] == "match.seal_broken"
    assert [one["reason"] for line in everything for one in json.loads(line)["refused"]] == [early.json()["reason"]]
    assert b'"seed"' not in b"".join(everything)
    (attempt,) = auditor.do("GET", f"{table.path}/attempts")["attempts"]
    assert attempt["action"]["cards"] == ["4S"]

    for who in (table.anna, referee):
        assert asks(who, table.match, **{"as": "seat:1"}).status_code == 403
        assert asks(who, table.match, **{"as": "all"}).status_code == 403
    assert "action" not in referee.do("GET", f"{table.path}/attempts")["attempts"][0]
