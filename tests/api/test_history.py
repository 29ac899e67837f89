"""Transcripts over HTTP: who is given which, and that they hold on a machine without network."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from projections.audit import transcript
from projections.audit.kept import kept
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from service.auth import issue
from service.settings import Settings
from tests.api.people import Person
from tests.api.serving import Served
from tests.api.tables import Table, lie
from tests.service.runtime.table import fitting


def history(person: Person, match: str, **how: str) -> list[bytes]:
    answer = person.http.get(f"/v1/matches/{match}/history", params=how)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return answer.content.splitlines(keepends=True)


def viewer(lines: list[bytes]) -> str | None:
    header = transcript.read(lines[0])
    assert isinstance(header, transcript.Header)
    return header.viewer


@pytest.fixture
def auditor(server: Served, settings: Settings) -> Person:
    token = issue(settings.database_url, name="Auditor", scopes=("read", "audit"), days=1)
    return Person.again(server.url, token, "Auditor")


def short(game: str) -> dict[str, int]:
    """Options with which nobody sits there for long."""
    return {"max_turns": 12} if "max_turns" in CATALOGUE[game].game.options.__struct_fields__ else {}


def opened(friends: list[Person], game: str, **wish: object) -> str:
    """They sit, and bots will sit with them."""
    first, *others = friends
    seats = max(CATALOGUE[game].game.seats[0], len(friends))
    wish = {"game": game, "seats": seats, "sandbox": True, "fill": True, "options": short(game), **wish}
    it = first.do("POST", "/v1/matches", wish)
    for other in others:
        other.do("POST", "/v1/joins", {"code": it["code"]})
    match: str = it["match"]
    return match


def played(friends: list[Person], game: str, match: str) -> None:
    """From the start to the end, by clients that know no rules."""
    first, luck = friends[0], random.Random(game)
    first.starts(match)
    while first.sees(match)["status"] == "playing":
        acted = False
        for friend in friends:
            seen = friend.sees(match)
            now = seen["server_time"]
            may = [offer for offer in seen["actions"] if offer.get("not_before", now) <= now]
            if may:
                action = fitting(luck.choice(may), luck)
                acted |= friend.try_("POST", f"/v1/matches/{match}/actions", action).is_success
        if not acted:
            first.turns_clock(match, seconds=5)


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_match_of_every_game_is_carried_away_and_verified(game: str, newcomer: Callable[[str], Person]) -> None:
    friends = [newcomer(name) for name in ("Anna", "Ben")]
    match = opened(friends, game)
    played(friends, game, match)

    lines = history(friends[1], match)
    found = verify(lines, kept=kept(history(friends[0], match, own="true")))

    assert (viewer(lines), found.status, found.played, found.match) == (None, "over", True, match)
    assert found.kept == friends[0].sees(match)["seq"]
    assert history(friends[0], match) == lines


def test_until_it_is_over_everybody_has_his_own(table: Table, newcomer: Callable[[str], Person]) -> None:
    lie(table)
    own = {name: history(person, table.match) for name, person in (("seat:0", table.anna), ("seat:1", table.ben))}
    own["spectator"] = history(newcomer("Sue"), table.match)

    for name, lines in own.items():
        assert viewer(lines) == name
        assert verify(lines).status == "playing"
    assert b"KD" in b"".join(own["seat:1"])
    assert b"KD" not in b"".join(own["seat:0"])
    assert b"KD" not in b"".join(own["spectator"])


def test_what_was_told_before_lies_in_what_is_told_when_it_is_over(anna: Person, ben: Person) -> None:
    match = opened([anna, ben], "cheat")
    before = history(anna, match)
    played([anna, ben], "cheat", match)

    assert verify(history(anna, match), kept=kept(before)).kept == verify(before).events


def test_an_auditor_is_told_no_more_until_it_is_over_and_everything_then(
    auditor: Person, anna: Person, ben: Person, cara: Person
) -> None:
    match = opened([anna, ben], "cheat", access="code")
    path = f"/v1/matches/{match}/history"
    assert auditor.try_("GET", path).status_code == 403
    played([anna, ben], "cheat", match)

    assert verify(history(auditor, match)).played
    assert viewer(history(ben, match)) is None
    assert cara.try_("GET", path).status_code == 403
    assert auditor.try_("GET", f"{path}?own=true").status_code == 403


def test_there_is_none_of_no_match(anna: Person) -> None:
    assert anna.try_("GET", "/v1/matches/6f9619ff-8b86-4d01-b42d-00cf4fc964ff/history").status_code == 404


def test_a_match_that_never_started_has_a_transcript_too(anna: Person) -> None:
    match = anna.opens()
    while anna.sees(match)["status"] == "open":
        anna.turns_clock(match, seconds=86_400)

    found = verify(history(anna, match))

    assert (found.status, found.played) == ("void", True)


def test_what_comes_after_the_end_changes_no_byte(anna: Person, ben: Person) -> None:
    match = opened([anna, ben], "cheat")
    played([anna, ben], "cheat", match)
    before = history(anna, match)
    assert anna.try_("POST", f"/v1/matches/{match}/actions", {"type": "cheat.pass"}).status_code == 409

    assert history(anna, match) == before
