"""Where all lay at once, nobody can tell over HTTP who of the others has: not by an answer, a header or a stream."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import httpx
import pytest

from tests.api.people import Person
from tests.api.test_streams import streaming

DEAL = {
    "hands": [
        ["8C", "3C", "4C", "5C", "6C", "7C", "2C"],
        ["2D", "3D", "4D", "5D", "6D", "7D", "8D"],
        ["2H", "3H", "4H", "5H", "6H", "7H", "8H"],
    ],
    "stops": ["T"],
}
LAYS = {"Anna": "8C", "Ben": "2D", "Cara": "4H"}


def a_table(friends: list[Person]) -> str:
    anna, *others = friends
    match = anna.opens(game="mogler", seats=len(friends), deal=DEAL)
    for friend in others:
        friend.sits(match)
    anna.starts(match)
    return match


def lays(friend: Person, match: str) -> Any:
    return friend.acts(match, type="mogler.lay_opening", card=LAYS[friend.name])


def looks(friend: Person, match: str) -> tuple[bytes, str, bytes]:
    """All that he can ask for: the table and its ETag, and what happened so far."""
    table, frames = friend.try_("GET", f"/v1/matches/{match}"), friend.try_("GET", f"/v1/matches/{match}/events")
    return table.content, table.headers["etag"], frames.content


@pytest.mark.parametrize("first, second, last", tuple(permutations(range(3))))
def test_the_same_bytes_before_and_after_others_have_laid(
    first: int, second: int, last: int, anna: Person, ben: Person, cara: Person, newcomer: Callable[[str], Person]
) -> None:
    friends = [anna, ben, cara]
    match, looks_on = a_table(friends), newcomer("Dora")
    before, from_outside = looks(friends[last], match), looks(looks_on, match)

    lays(friends[first], match)
    own = looks(friends[first], match)
    lays(friends[second], match)

    assert looks(friends[last], match) == before
    assert looks(looks_on, match) == from_outside
    assert looks(friends[first], match) == own
    news = friends[last].try_("GET", f"/v1/matches/{match}", if_none_match=before[1])
    assert news.status_code == 304


def test_who_has_laid_is_no_longer_waited_for_in_his_own_eyes_only(anna: Person, ben: Person, cara: Person) -> None:
    match = a_table([anna, ben, cara])

    told = lays(ben, match)

    assert told["awaits"]["seats"] == [0, 2]
    assert told["view"]["phase"]["laid"] == "2D"
    assert told["actions"] == []
    assert anna.sees(match)["awaits"]["seats"] == cara.sees(match)["awaits"]["seats"] == [0, 1, 2]


def test_a_stream_is_silent_until_the_last_one_has_laid(anna: Person, ben: Person, cara: Person) -> None:
    match = a_table([anna, ben, cara])
    seq = anna.sees(match)["seq"]
    with streaming(anna, match, f"?after={seq}") as stream:
        lays(ben, match)
        lays(cara, match)
        own = lays(anna, match)

        message = stream.next("frames")

    assert [frame["seq"] for frame in message["frames"]] == [seq + 1, seq + 2, seq + 3]
    assert [frame["event"]["type"] for frame in message["frames"]] == [
        "mogler.opening_laid",
        "mogler.opening_turned",
        "mogler.stop_turned",
    ]
    assert message["frames"][1]["event"]["lays"] == [["8C"], ["2D"], ["4H"]]
    assert message["frames"] == own["frames"]


def test_a_refusal_is_the_same_whether_others_have_laid_or_not(anna: Person, ben: Person, cara: Person) -> None:
    def told(answer: httpx.Response) -> dict[str, Any]:
        body: dict[str, Any] = answer.json()
        return {name: value for name, value in body.items() if name != "request_id"}

    match = a_table([anna, ben, cara])
    tries = ({"type": "mogler.lay_opening", "card": "AS"}, {"type": "mogler.play", "card": "2C"})
    before = [told(anna.try_("POST", f"/v1/matches/{match}/actions", said)) for said in tries]

    lays(ben, match)
    lays(cara, match)

    assert [told(anna.try_("POST", f"/v1/matches/{match}/actions", said)) for said in tries] == before
