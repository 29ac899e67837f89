"""Playing: by offers alone, once and not twice, with one cursor."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.settings import Settings
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import serving
from tests.api.tables import ANNA, BEN, CARA, Table, first_fit, lie


def test_three_clients_that_know_no_rules_finish_a_match(anna: Person, ben: Person, cara: Person) -> None:
    match = anna.opens(options={"max_turns": 12})
    ben.sits(match)
    cara.sits(match)
    anna.starts(match)
    friends = (anna, ben, cara)
    for _ in range(500):
        seen = [friend.sees(match) for friend in friends]
        if seen[0]["status"] == "over":
            break
        now = seen[0]["server_time"]
        may = [
            (friend, offer)
            for friend, own in zip(friends, seen, strict=True)
            for offer in own["actions"]
            if offer.get("not_before", now) <= now
        ]
        if may:
            friend, offer = may[0]
            friend.acts(match, **first_fit(offer))
        else:
            anna.turns_clock(match, seconds=60)
    assert anna.sees(match)["status"] == "over"
    result = anna.sees(match)["result"]
    assert result["reason"] == "won"
    assert result["winners"]
    assert len(result["seed"]) == 64
    assert anna.sees(match)["actions"] == []
    answer = anna.try_("POST", f"/v1/matches/{match}/actions", {"type": "cheat.challenge", "claim_id": 0})
    problem(answer, 409, "refused", reason="match_over")


def test_an_answer_holds_what_the_action_told(table: Table) -> None:
    told = table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["KD"]})

    body = told.json()
    assert told.status_code == 201
    assert told.headers["etag"] == f'"{body["seq"]}"'
    assert [frame["seq"] for frame in body["frames"]] == [body["seq"]]
    assert body["frames"][0]["event"]["cards"] == ["KD"]
    assert "KD" not in body["view"]["hand"]
    assert body["view"] == table.ben.sees(table.match)["view"]


def test_a_lie_is_a_legal_play_and_looks_like_the_truth(table: Table) -> None:
    lie(table)

    for other in (table.anna, table.cara):
        events = other.do("GET", f"{table.path}/events")["frames"]
        assert events[-1]["event"]["cards"] == ["??"]
        assert "KD" not in other.try_("GET", f"{table.path}/events").text
        assert "KD" not in other.try_("GET", table.path).text


def test_asked_again_under_its_key_an_action_is_done_once(table: Table) -> None:
    play = {"type": "cheat.play", "cards": ["AS"]}
    first = table.ben.try_("POST", table.actions, play, idempotency_key="once")
    table.cara.acts(table.match, type="cheat.accept", claim_id=0)

    again = table.ben.try_("POST", table.actions, play, idempotency_key="once")

    assert again.status_code == 201
    assert again.json()["frames"] == first.json()["frames"]
    assert again.json()["seq"] == first.json()["seq"]
    assert again.json()["view"] == first.json()["view"]
    assert len(table.ben.sees(table.match)["view"]["hand"]) == 3


def test_a_refusal_binds_its_key(table: Table) -> None:
    early = {"type": "cheat.play", "cards": ["4S"]}
    first = table.cara.try_("POST", table.actions, early, idempotency_key="early")
    problem(first, 409, "refused", reason="not_your_turn")
    table.ben.acts(table.match, type="cheat.play", cards=["AS"])
    table.anna.turns_clock(table.match, seconds=5)

    again = table.cara.try_("POST", table.actions, early, idempotency_key="early")

    problem(again, 409, "refused", reason="not_your_turn", seq=first.json()["seq"])


def test_what_was_malformed_binds_no_key(table: Table) -> None:
    problem(table.ben.try_("POST", table.actions, {"type": "x"}, idempotency_key="k"), 400, "malformed")

    play = {"type": "cheat.play", "cards": ["AS"]}
    assert table.ben.try_("POST", table.actions, play, idempotency_key="k").status_code == 201


def test_a_key_is_ones_own(table: Table) -> None:
    table.ben.do("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}, idempotency_key="mine")

    accept = {"type": "cheat.accept", "claim_id": 0}
    assert table.cara.try_("POST", table.actions, accept, idempotency_key="mine").status_code == 201
    assert table.anna.try_("POST", table.actions, accept, idempotency_key="mine").status_code == 201


def test_two_who_challenge_at_once_one_is_first(table: Table) -> None:
    claim = lie(table)
    answers: list[Any] = []

    def challenge(who: Person) -> None:
        answers.append(who.try_("POST", table.actions, {"type": "cheat.challenge", "claim_id": claim}))

    threads = [threading.Thread(target=challenge, args=(who,)) for who in (table.anna, table.cara)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(answer.status_code for answer in answers) == [201, 409]


def test_what_one_has_is_not_sent_again(table: Table) -> None:
    first = table.anna.try_("GET", table.path)
    tag = first.headers["etag"]
    assert tag == f'"{first.json()["seq"]}"'

    for known in (tag, f"W/{tag}", f'"1", {tag}'):
        again = table.anna.try_("GET", table.path, if_none_match=known)
        assert again.status_code == 304
        assert again.headers["etag"] == tag
        assert again.content == b""
    lie(table)
    assert table.anna.try_("GET", table.path, if_none_match=tag).status_code == 200


def test_if_match_takes_an_action_in_the_present_state(table: Table) -> None:
    tag = table.ben.try_("GET", table.path).headers["etag"]

    assert table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}, if_match=tag).is_success
    answer = table.cara.try_("POST", table.actions, {"type": "cheat.accept", "claim_id": 0}, if_match="*")
    assert answer.is_success


def test_one_state_takes_one_action_however_many_come_at_once(table: Table) -> None:
    seq = table.ben.sees(table.match)["seq"]
    play = {"type": "cheat.play", "cards": ["AS"]}

    with ThreadPoolExecutor(8) as hands:
        asked = [hands.submit(table.ben.try_, "POST", table.actions, play, if_match=f'"{seq}"') for _ in range(16)]
        answers = [each.result() for each in asked]

    assert sorted(answer.status_code for answer in answers) == [201] + [412] * 15
    done = next(answer.json() for answer in answers if answer.status_code == 201)
    for answer in answers:
        if answer.status_code == 412:
            assert answer.json()["frames"] == done["frames"]
            assert answer.json()["seq"] == done["seq"] == seq + 1
    assert len(table.ben.sees(table.match)["view"]["hand"]) == 3


@pytest.mark.parametrize("seed", range(3))
def test_in_a_race_by_if_match_nobody_is_refused_and_nobody_misses_a_frame(
    settings: Settings, newcomer: Callable[[str], Person], seed: int
) -> None:
    """At two servers: what is offered in a state is taken in that state, and a 412 tells exactly what came between."""
    anna, ben, cara = newcomer("Anna"), newcomer("Ben"), newcomer("Cara")
    match = anna.opens(options={"max_turns": 14, "window": "extended"}, clock={"min_open": 0})
    ben.sits(match)
    cara.sits(match)
    anna.starts(match)

    def play(who: Person, luck: random.Random) -> tuple[list[Any], int]:
        frames: list[Any] = []
        beaten = 0
        while len(frames) < 5000:
            seen = who.sees(match)
            if seen["status"] == "over" or not (offers := seen["actions"]):
                if seen["status"] == "over":
                    break
                time.sleep(0.002)  # somebody else's turn, whom nothing but a look tells of
                continue
            if not frames or frames[-1]["seq"] < seen["seq"]:
                after = frames[-1]["seq"] if frames else 0
                frames += who.do("GET", f"/v1/matches/{match}/events?after={after}&limit=500")["frames"]
                if frames[-1]["seq"] != seen["seq"]:
                    continue
            action = first_fit(luck.choice(offers))
            answer = who.try_("POST", f"/v1/matches/{match}/actions", action, if_match=f'"{seen["seq"]}"')
            assert answer.status_code in (201, 412), answer.text
            beaten += answer.status_code == 412
            frames += answer.json()["frames"]
            assert frames[-1]["seq"] == answer.json()["seq"]
        frames += who.do("GET", f"/v1/matches/{match}/events?after={frames[-1]['seq']}&limit=500")["frames"]
        assert frames == who.do("GET", f"/v1/matches/{match}/events?limit=500")["frames"]
        assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
        return frames, beaten

    with serving(settings) as other, Person.again(other.url, ben.token, "Ben") as bens, ThreadPoolExecutor(3) as hands:
        people = (anna, bens, cara)
        stories = [hands.submit(play, who, random.Random(10 * seed + n)) for n, who in enumerate(people)]
        ended = [story.result(60) for story in stories]
    assert {frames[-1]["event"]["type"] for frames, _ in ended} == {"match.seed_revealed"}
    assert sum(beaten for _, beaten in ended) > 0


def test_waiting_ends_with_the_news(table: Table) -> None:
    seq = table.anna.sees(table.match)["seq"]
    threading.Timer(0.3, lie, (table,)).start()
    began = time.monotonic()

    seen = table.anna.do("GET", f"{table.path}?after={seq}&wait=30")

    assert seen["seq"] == seq + 1
    assert 0.2 < time.monotonic() - began < 10


def test_waiting_for_what_is_there_already_ends_at_once(table: Table) -> None:
    began = time.monotonic()

    assert table.anna.do("GET", f"{table.path}?after=0&wait=30")["seq"] > 0
    assert time.monotonic() - began < 5


def test_nobody_is_kept_waiting_for_a_match_that_has_ended(table: Table, anna: Person) -> None:
    table.ben.acts(table.match, type="cheat.play", cards=["AS", "KD", "9C", "9D"])
    while table.anna.sees(table.match)["status"] == "playing":
        table.anna.turns_clock(table.match, seconds=60)
    never = anna.opens()
    while anna.sees(never)["status"] == "open":
        anna.turns_clock(never, seconds=86_400)
    began = time.monotonic()

    for match, status in ((table.match, "over"), (never, "void")):
        seen = anna.do("GET", f"/v1/matches/{match}?after={anna.sees(match)['seq']}&wait=15")
        assert seen["status"] == status
    assert time.monotonic() - began < 10


def test_waiting_in_vain_gives_what_there_is(table: Table) -> None:
    seq = table.anna.sees(table.match)["seq"]

    assert table.anna.do("GET", f"{table.path}?after={seq}&wait=1")["seq"] == seq
    assert table.anna.try_("GET", f"{table.path}?wait=1", if_none_match=f'"{seq}"').status_code == 304


def test_a_token_revoked_while_it_waits_learns_nothing(table: Table) -> None:
    seq = table.anna.sees(table.match)["seq"]
    made = table.anna.do("POST", "/v1/players/me/tokens", {"scopes": ["read"]})

    def revoked_then_news() -> None:
        table.anna.try_("DELETE", f"/v1/players/me/tokens/{made['id']}")
        lie(table)

    threading.Timer(0.3, revoked_then_news).start()
    answer = table.cara.http.get(
        f"{table.path}?after={seq}&wait=10", headers={"authorization": f"Bearer {made['token']}"}
    )

    problem(answer, 401, "unauthorized")


def test_who_leaves_his_seat_while_he_waits_sees_no_more_than_others(table: Table) -> None:
    seq = table.ben.sees(table.match)["seq"]
    other = Person(str(table.ben.http.base_url), table.ben.token, table.ben.id, table.ben.name)
    threading.Timer(0.3, other.do, ("DELETE", f"{table.path}/seats/{BEN}")).start()

    seen = table.ben.do("GET", f"{table.path}?after={seq}&wait=30")

    assert seen["seats"][BEN]["bot"] is not None
    assert seen["seat"] is None
    assert seen["view"]["hand"] == []
    assert seen["actions"] == []


def test_frames_are_ones_own_and_without_holes(table: Table) -> None:
    lie(table)
    table.cara.acts(table.match, type="cheat.challenge", claim_id=0)
    frames = table.anna.do("GET", f"{table.path}/events")["frames"]

    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    pages: list[Any] = []
    after = 0
    while page := table.anna.do("GET", f"{table.path}/events?after={after}&limit=3"):
        if not page["frames"]:
            break
        assert len(page["frames"]) <= 3
        pages += page["frames"]
        after = page["last"]
    assert pages == frames
    assert page["last"] == after == frames[-1]["seq"]
    problem(table.anna.try_("GET", f"{table.path}/events?after=100000"), 409, "reset")


@pytest.mark.parametrize("language", ["en", "de"])
def test_frames_are_told_in_sentences_if_one_likes(table: Table, language: str) -> None:
    lie(table)

    frames = table.cara.do("GET", f"{table.path}/events?narrate={language}")["frames"]

    assert all(frame["narration"] for frame in frames)
    assert "KD" not in str(frames)
    assert "Ben" in frames[-1]["narration"]


def test_a_spectator_sees_backs_only(table: Table, anna: Person, newcomer: Any) -> None:
    match = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "fill": "random"})["match"]
    anna.starts(match)
    dora = newcomer("Dora")

    seen = dora.sees(match)

    assert seen["seat"] is None
    assert seen["view"]["hand"] == []
    assert seen["actions"] == []
    hands = next(
        frame["event"]["hands"]
        for frame in dora.do("GET", f"/v1/matches/{match}/events")["frames"]
        if frame["event"]["type"] == "cheat.dealt"
    )
    assert {card for hand in hands for card in hand} == {"??"}


def test_offers_say_all_that_one_may_do(table: Table) -> None:
    assert [offer["type"] for offer in table.ben.sees(table.match)["actions"]] == ["cheat.play"]
    assert table.anna.sees(table.match)["actions"] == []
    lie(table)
    assert [offer["type"] for offer in table.anna.sees(table.match)["actions"]] == ["cheat.challenge", "cheat.accept"]
    assert {ANNA, CARA} >= set(table.anna.sees(table.match)["awaits"]["seats"])
    assert BEN not in table.anna.sees(table.match)["awaits"]["seats"]
