"""A match goes on from an earlier point as another one, because a referee ruled so."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from projections.audit.fault import CannotVerify, Fault
from projections.audit.original import NoOriginal, Original
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from service.settings import Settings
from tests.api.disputing import frames, history, play, raises, refused, rules, takes
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import serving
from tests.api.tables import ANNA, Table, first_fit, lie, table_of


def test_the_match_goes_on_from_before_the_disputed_frame(table: Table, rita: Person) -> None:
    before = {person.name: person.sees(table.match) for person in (table.anna, table.ben, table.cara)}
    claim = lie(table)
    table.cara.acts(table.match, type="cheat.challenge", claim_id=claim)
    disputed = before["Ben"]["seq"] + 1
    dispute = raises(table.ben, table.match, seq=disputed)["dispute"]
    takes(rita, dispute)
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]

    old = table.anna.sees(f"{table.match}?wait=60")  # she would wait in vain, and does not
    assert (old["status"], old["branched_to"], old["actions"]) == ("superseded", branch, [])
    refused(table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}), "superseded")
    for person in (table.anna, table.ben, table.cara):
        was, seen = before[person.name], person.sees(branch)
        assert seen["view"] == was["view"]
        assert (seen["branch_of"], seen["paused"], seen["actions"]) == (table.match, "branch", [])
        assert seen["seats"] == was["seats"]
        assert seen["awaits"] == was["awaits"]
        assert seen["seq"] == was["seq"] + 1  # all that was told there, and that this is a branch
        for then, now in zip(frames(person, table.match)[1:], frames(person, branch)[1 : was["seq"]], strict=False):
            assert (then["seq"], then["at"], then["event"]) == (now["seq"], now["at"], now["event"])
    refused(
        table.ben.try_("POST", f"/v1/matches/{branch}/actions", {"type": "cheat.play", "cards": ["AS"]}), "match_paused"
    )
    rita.do("POST", f"/v1/matches/{branch}/resume")
    told = table.ben.acts(branch, type="cheat.play", cards=["AS"])
    assert told["paused"] is None
    assert branch in [one["match"] for one in table.ben.do("GET", "/v1/matches?mine=true")["matches"]]
    assert table.match in [
        one["match"] for one in table.ben.do("GET", "/v1/matches?mine=true&status=superseded")["matches"]
    ]


def test_a_branch_tells_nobody_when_another_has_laid_unseen(
    anna: Person, ben: Person, cara: Person, rita: Person
) -> None:
    """Not in a match whose clock runs by itself."""
    match = anna.do("POST", "/v1/matches", {"game": "mogelei", "seats": 3})["match"]
    ben.sits(match)
    cara.sits(match)
    anna.starts(match)
    friends = (anna, ben, cara)
    caller = next(friend for friend in friends if friend.sees(match)["actions"])
    caller.acts(match, **first_fit(caller.sees(match)["actions"][0]))
    known = frames(cara, match)
    laid = anna.acts(match, **first_fit(anna.sees(match)["actions"][0]))["frames"][0]["at"]
    dispute = raises(ben, match)["dispute"]
    takes(rita, dispute)
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]

    assert [frame["event"]["type"] for frame in frames(cara, branch)] == [
        *(frame["event"]["type"] for frame in known),
        "match.branched",
    ]
    last = frames(cara, branch)[-1]
    assert laid > known[-1]["at"]
    assert (last["at"], cara.sees(branch)["server_time"]) == (known[-1]["at"], known[-1]["at"])
    assert last["event"]["began"] == known[-1]["at"]
    assert anna.sees(branch)["actions"] == []  # it stands still
    rita.do("POST", f"/v1/matches/{branch}/resume")
    assert anna.acts(branch, **first_fit(anna.sees(branch)["actions"][0]))["frames"]


def test_what_was_hidden_in_the_old_match_stays_so_until_its_branch_is_over(
    anna: Person, ben: Person, cara: Person, rita: Person, official: Any
) -> None:
    table = table_of(anna, ben, cara, seed="5e" * 32)
    auditor, seq = official("Aud", "audit"), ben.sees(table.match)["seq"]
    claim = lie(table)
    cara.acts(table.match, type="cheat.challenge", claim_id=claim)
    dispute = raises(ben, table.match, seq=seq + 1)["dispute"]
    takes(rita, dispute)
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]
    rita.do("POST", f"/v1/matches/{branch}/resume")

    def sealed(match: str) -> bool:
        for person in (anna, ben, cara, rita, auditor):
            told = person.try_("GET", f"/v1/matches/{match}/history").text
            assert told.startswith('{"line":"header"')
            if "5e" * 32 in told or '"line":"event"' in told:
                return False
            if person is not ben:
                assert "9C" not in told  # which Ben holds
        return True

    assert sealed(table.match)
    assert sealed(branch)
    assert anna.sees(table.match)["result"] is None
    play([anna, ben, cara], branch, random.Random(1), until=lambda seen: bool(seen["status"] == "over"))
    assert not sealed(table.match)
    assert not sealed(branch)


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_disputed_match_of_any_game_is_played_on_by_the_same_clients(
    game: str, newcomer: Callable[[str], Person], rita: Person
) -> None:
    seats = CATALOGUE[game].game.seats[0]
    friends = [newcomer(name) for name in ("Anna", "Ben", "Cara")[:seats]]
    anna, *others = friends
    match, luck = anna.opens(game=game, seats=seats, pause_on_dispute=True), random.Random(game)
    for friend in others:
        friend.sits(match)
    anna.starts(match)
    then = play(friends, match, luck, until=lambda seen: seen["seq"] > 12)["seq"]
    views = [friend.sees(match) for friend in friends]
    asks = friends[1]
    mine = asks.sees(match)["seq"]
    play(friends, match, luck, until=lambda seen: seen["seq"] > then + 8 or seen["status"] == "over")
    dispute = raises(asks, match, seq=mine + 1)["dispute"]
    takes(rita, dispute)
    assert rita.sees(match)["seat"] is None
    branch = rules(rita, dispute, "branch", rules=["1.1"])["ruling"]["branch"]

    for friend, was in zip(friends, views, strict=True):
        seen = friend.sees(branch)
        assert seen["seq"] - 1 <= was["seq"]
        told = [(frame["seq"], frame["at"], frame["event"]) for frame in frames(friend, match)]
        again = [(frame["seq"], frame["at"], frame["event"]) for frame in frames(friend, branch)]
        assert again[1:-1] == told[1 : len(again) - 1]
        assert again[-1][2]["type"] == "match.branched"
        assert again[-1][2]["log_head"] is None
    rita.do("POST", f"/v1/matches/{branch}/resume")
    seen = play(friends, branch, luck, until=lambda seen: bool(seen["status"] == "over"))
    assert seen["result"]["seed"]
    assert anna.sees(match)["branched_to"] == branch
    old, new = (history(anna, ended) for ended in (match, branch))
    for lines, status in ((old, "superseded"), (new, "over")):
        found = verify(lines)
        assert (found.status, found.played, found.told) == (status, True, True)
    compared = verify(new, original=Original(old))
    assert compared.compared
    assert compared.branch_of == match
    assert compared.copied >= len(again) - 1  # what somebody was not told is copied as well


def test_a_branch_of_what_never_happened_is_found(anna: Person, ben: Person, cara: Person, rita: Person) -> None:
    table, other = (table_of(anna, ben, cara, options={"max_turns": 9}) for _ in range(2))
    claim = lie(table)
    cara.acts(table.match, type="cheat.challenge", claim_id=claim)
    dispute = raises(ben, table.match)["dispute"]
    takes(rita, dispute)
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]
    rita.do("POST", f"/v1/matches/{branch}/resume")
    for match in (branch, other.match):
        play([anna, ben, cara], match, random.Random(1), until=lambda seen: bool(seen["status"] == "over"))
    old, new, foreign = (history(anna, match) for match in (table.match, branch, other.match))
    events = [place for place, line in enumerate(old) if line.startswith(b'{"line":"event"')]
    copied = verify(new, original=Original(old)).copied
    assert copied == 9

    def found(lines: list[bytes], original: list[bytes]) -> tuple[int, str]:
        with pytest.raises(Fault) as fault:
            verify(lines, original=Original(original))
        return fault.value.version, fault.value.what

    for version in range(2, copied + 1):
        place = events[version - 1]
        assert found(new, old[:place] + old[place + 1 :])[0] == version
    assert found(new, [*old[: events[4]], old[-1]]) == (5, "the other match has not come so far")
    with pytest.raises(NoOriginal, match="it was cut off"):
        verify(new, original=Original(old[: events[4]]))
    with pytest.raises(NoOriginal, match=f"goes on from match {table.match}"):
        verify(new, original=Original(foreign))
    with pytest.raises(CannotVerify, match="a branch of no match"):
        verify(foreign, original=Original(old))
    last = events[copied - 1]
    forged = old[last].replace(b'"head":"', b'"head":"0', 1)
    forged = forged[: forged.index(b'"head":"') + 8] + b"0" * 64 + forged[forged.index(b'"head":"') + 73 :]
    assert found(new, [*old[:last], forged, *old[last + 1 :]])[1] == "the head of the other match's log is another one"


def test_a_match_whose_secrets_are_out_goes_on_with_a_new_deal(
    anna: Person, ben: Person, cara: Person, rita: Person
) -> None:
    table = table_of(anna, ben, cara, options={"max_turns": 9})
    play([anna, ben, cara], table.match, random.Random(3), until=lambda seen: bool(seen["status"] == "over"))
    dispute = raises(ben, table.match, "fault")["dispute"]
    takes(rita, dispute)
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]

    assert anna.sees(table.match)["status"] == "superseded"
    assert "dealt" not in str([frame["event"]["type"] for frame in frames(anna, branch)])
    rita.do("POST", f"/v1/matches/{branch}/resume")
    (dealt,) = [f["event"] for f in frames(anna, branch) if f["event"]["type"] == "cheat.dealt"]
    assert dealt["hands"][ANNA] != ["QS", "7H", "7D", "2C"]
    assert frames(anna, branch)[0]["event"]["stacked"] is False
    play([anna, ben, cara], branch, random.Random(4), until=lambda seen: bool(seen["status"] == "over"))


def test_a_branch_goes_on_from_no_frame_that_nobody_was_told(table: Table, rita: Person) -> None:
    seq = table.ben.sees(table.match)["seq"]
    dispute = raises(table.ben, table.match)["dispute"]
    takes(rita, dispute)
    last = table.ben.sees(table.match)["seq"]
    path, said = f"/v1/disputes/{dispute}/ruling", {"ruling": "branch", "rules": ["1.1"]}

    refused(rita.try_("POST", path, {**said, "told": last + 1}), "no_such_frame")
    slip = rita.try_("POST", path, {**said, "ruling": "void", "told": seq})
    problem(slip, 409, "options_conflict", options=["told", "ruling"])
    assert table.ben.sees(table.match)["status"] == "playing"
    branch = rita.do("POST", path, {**said, "told": seq})["ruling"]["branch"]
    assert table.ben.sees(branch)["seq"] == seq + 1


def test_a_match_whose_secrets_are_out_goes_on_from_no_other_point_than_before_a_deal(
    anna: Person, ben: Person, cara: Person, rita: Person
) -> None:
    table = table_of(anna, ben, cara, options={"max_turns": 9})
    play([anna, ben, cara], table.match, random.Random(3), until=lambda seen: bool(seen["status"] == "over"))
    dealt = next(frame["seq"] for frame in frames(ben, table.match) if frame["event"]["type"] == "cheat.dealt")
    dispute = raises(ben, table.match, "fault")["dispute"]
    takes(rita, dispute)
    path, said = f"/v1/disputes/{dispute}/ruling", {"ruling": "branch", "rules": ["1.1"]}

    for told in (dealt - 2, dealt, dealt + 5):
        refused(rita.try_("POST", path, {**said, "told": told}), "secrets_out")
    never = rita.try_("POST", path, {**said, "told": 999})
    refused(never, "no_such_frame")
    assert never.json()["detail"] == "The seat that asks for a referee has been told no such frame."
    branch = rita.do("POST", path, {**said, "told": dealt - 1})["ruling"]["branch"]
    assert ben.sees(branch)["seq"] == dealt


def test_another_process_plays_the_branch_on(table: Table, rita: Person, settings: Settings) -> None:
    dispute = raises(table.ben, table.match)["dispute"]
    takes(rita, dispute)
    branch = rules(rita, dispute, "branch")["ruling"]["branch"]
    with serving(settings) as other, Person.again(other.url, table.ben.token, "Ben") as ben:
        with Person.again(other.url, rita.token, "Rita") as there:
            assert ben.sees(table.match)["branched_to"] == branch
            there.do("POST", f"/v1/matches/{branch}/resume")
        told = ben.acts(branch, type="cheat.play", cards=["AS"])
    assert table.ben.sees(branch)["seq"] == told["seq"]
