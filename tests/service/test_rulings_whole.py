"""Rulings on `mogelwerk serve`: two servers at once, and killed in the middle of one."""

from __future__ import annotations

import random
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from service.auth import issue
from tests.api.people import Person
from tests.service.processes import gone
from tests.service.test_whole import a_match, play, server, three

BRANCH = {"ruling": "branch", "rules": ["1.1"]}


def referee(url: str, database: str) -> Person:
    token = issue(database, name="Rita", scopes=("read", "referee"), days=1)
    return Person.again(url, token, "Rita")


def disputed(people: list[Person], rita: Person) -> tuple[str, str]:
    """A match that stands still, and the dispute, which Rita has taken."""
    match = a_match(people, pause_on_dispute=True)
    dispute: str = people[1].do("POST", f"/v1/matches/{match}/disputes", {"reason": "fault"})["dispute"]
    rita.do("POST", f"/v1/disputes/{dispute}/assign", {})
    return match, dispute


def test_killed_around_a_ruling_there_is_all_of_it_or_nothing(database: str, redis_url: str, tmp_path: Path) -> None:
    luck, urls = random.Random(5), {"DATABASE_URL": database, "REDIS_URL": redis_url}
    tokens: list[tuple[str, str]] = []
    rulings: dict[str, str] = {}
    for round_ in range(5):
        with server(tmp_path, **urls) as (run, url):
            people = [Person.again(url, token, name) for token, name in tokens] or three(url)
            rita = referee(url, database) if not tokens else Person.again(url, tokens[-1][0], "Rita")
            tokens = tokens or [(person.token, person.name) for person in (*people, rita)]
            people = people[:3]
            for match, dispute in rulings.items():
                whole(people[0], rita, match, dispute)
            if round_ == 4:
                break
            match, dispute = disputed(people, rita)
            rulings[match] = dispute
            family = run.family()
            killer = threading.Timer(luck.uniform(0.0, 0.04), run.process.kill)
            killer.start()
            with suppress(httpx.TransportError):
                rita.try_("POST", f"/v1/disputes/{dispute}/ruling", BRANCH, idempotency_key=f"ruling-{dispute}")
            killer.join()
            assert gone(family)
    with server(tmp_path, **urls) as (_, url):
        people = [Person.again(url, token, name) for token, name in tokens]
        for match, dispute in rulings.items():
            ruled = people[3].do("POST", f"/v1/disputes/{dispute}/ruling", BRANCH, idempotency_key=f"ruling-{dispute}")[
                "ruling"
            ]
            assert people[0].sees(match)["branched_to"] == ruled["branch"]
            people[3].do("POST", f"/v1/matches/{ruled['branch']}/resume")
        assert play(people[:3], ruled["branch"], luck) == "over"
    assert len(rulings) == 4


def whole(anna: Person, rita: Person, match: str, dispute: str) -> None:
    """What became of a ruling that nobody answered."""
    seen, told = anna.sees(match), rita.do("GET", f"/v1/disputes/{dispute}")
    mine = {one["match"]: one for one in anna.do("GET", "/v1/matches?mine=true")["matches"]}
    branches = {anna.sees(one)["branch_of"]: one for one in mine if one != match}
    if seen["status"] == "playing":
        assert (seen["paused"], told["status"], told["ruling"]) == ("dispute", "open", None)
        assert match not in branches
    else:
        assert (seen["status"], seen["paused"], told["status"]) == ("superseded", None, "ruled")
        assert seen["branched_to"] == told["ruling"]["branch"] == branches[match]


def test_two_referees_at_two_servers_rule_at_once_and_one_of_them_has(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    urls = {"DATABASE_URL": database, "REDIS_URL": redis_url}
    with server(tmp_path, **urls) as (_, one), server(tmp_path, **urls) as (_, other):
        people = three(one)
        rita = referee(one, database)
        there = Person.again(other, rita.token, "Rita")
        for round_ in range(6):
            match, dispute = disputed(people, rita)
            answers: dict[str, httpx.Response] = {}
            barrier = threading.Barrier(2)
            path = f"/v1/disputes/{dispute}/ruling"

            def rules(who: Person, body: dict[str, Any], barrier: Any, path: str, into: Any) -> None:
                barrier.wait()
                into[body["ruling"]] = who.try_("POST", path, body)

            said = [(rita, BRANCH), (there, {"ruling": "void", "rules": ["1.1"]})]
            threads = [
                threading.Thread(target=rules, args=(who, body, barrier, path, answers))
                for who, body in (said if round_ % 2 else said[::-1])
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(20)
            (won,) = [ruling for ruling, answer in answers.items() if answer.status_code == 200]
            (lost,) = [answer for answer in answers.values() if answer.status_code != 200]
            assert (lost.status_code, lost.json()["reason"]) == (409, "dispute_closed")
            seen = people[0].sees(match)
            assert seen["status"] == {"branch": "superseded", "void": "void"}[won]
            assert there.do("GET", f"/v1/disputes/{dispute}")["ruling"]["ruling"] == won
