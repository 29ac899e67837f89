"""Somebody asks a referee, over HTTP: the match stands still, is ruled on, and goes on from an earlier point."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Barrier, Thread
from typing import Any
from uuid import uuid4

import httpx
import pytest

from projections.audit.fault import Fault
from projections.audit.original import Original
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from service.auth import issue
from service.settings import Settings
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served, serving
from tests.api.tables import ANNA, BEN, Table, first_fit, lie, table_of
from tests.api.test_access import changed
from tests.service.runtime.table import fitting


@pytest.fixture
def official(server: Served, settings: Settings) -> Iterator[Callable[..., Person]]:
    """Somebody to whom the operator has given a token."""
    with ExitStack() as stack:

        def comes(name: str, *scopes: str) -> Person:
            token = issue(settings.database_url, name=name, scopes=("read", "play", *scopes), days=1)
            person = stack.enter_context(Person.again(server.url, token, name))
            person.id = person.do("GET", "/v1/players/me")["player"]
            return person

        yield comes


@pytest.fixture
def rita(official: Callable[..., Person]) -> Person:
    return official("Rita", "referee")


@pytest.fixture
def rudi(official: Callable[..., Person]) -> Person:
    return official("Rudi", "referee")


def raises(person: Person, match: str, reason: str = "timing", **more: Any) -> Any:
    return person.do("POST", f"/v1/matches/{match}/disputes", {"reason": reason, **more})


def takes(referee: Person, dispute: str, **how: Any) -> Any:
    return referee.do("POST", f"/v1/disputes/{dispute}/assign", how)


def rules(referee: Person, dispute: str, ruling: str, **more: Any) -> Any:
    return referee.do("POST", f"/v1/disputes/{dispute}/ruling", {"ruling": ruling, "rules": ["1.1"], **more})


def frames(person: Person, match: str) -> list[Any]:
    told: list[Any] = []
    while page := person.do("GET", f"/v1/matches/{match}/events?after={len(told)}&limit=500")["frames"]:
        told += page
    return told


def history(person: Person, match: str) -> list[bytes]:
    """The whole transcript, in lines."""
    return person.try_("GET", f"/v1/matches/{match}/history").content.splitlines(keepends=True)


def refused(answer: httpx.Response, reason: str, status: int = 409) -> None:
    assert (answer.status_code, answer.json().get("reason")) == (status, reason), answer.text


def play(friends: list[Person], match: str, luck: random.Random, until: Callable[[Any], bool]) -> Any:
    """Clients that know no rules play on, and turn the clock where nobody can act."""
    while True:
        acted = False
        for friend in friends:
            seen = friend.sees(match)
            if until(seen):
                return seen
            now = seen["server_time"]
            may = [offer for offer in seen["actions"] if offer.get("not_before", now) <= now]
            quiet = [offer for offer in may if not _doubt(offer["type"]) or luck.random() < 0.15]
            if quiet:
                friend.acts(match, **fitting(luck.choice(quiet), luck))
                acted = True
        if not acted:
            friends[0].turns_clock(match, seconds=5)


def _doubt(kind: str) -> bool:
    return any(word in kind for word in ("challenge", "control", "doubt", "accuse"))


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
    refused(rita.try_("POST", f"{path}/ruling", {**said, "rules": ["77.1"]}), "no_such_rule")
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
    ben.acts(table.match, type="cheat.play", cards=["AS"])


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
    assert found(new, old[: events[4]]) == (5, "the other match has not come so far")
    assert found(new, foreign) == (1, "it is a branch of another match")
    assert found(foreign, old) == (1, "it is a branch of no match")
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
    refused(rita.try_("POST", path, {**said, "told": 999}), "no_such_frame")
    branch = rita.do("POST", path, {**said, "told": dealt - 1})["ruling"]["branch"]
    assert ben.sees(branch)["seq"] == dealt


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
