"""Where all lay at once: over HTTP nobody can tell who has, before all have. A sandbox match of Mogelei."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.api.people import Person

DEAL: Final[dict[str, Any]] = {
    "dealer": 2,
    "hands": [["red8", "red1", "blue2"], ["red7", "blue5", "black4"], ["black1", "yellow3", "yellow9"]],
}


@pytest.fixture
def match(anna: Person, ben: Person, cara: Person) -> str:
    """Anna has called red, and nobody has laid."""
    opened = anna.opens(game="mogelei", deal=DEAL)
    ben.sits(opened)
    cara.sits(opened)
    anna.starts(opened)
    anna.acts(opened, type="mogelei.call", colour="red")
    return opened


def all_that_is_told(who: Person, match: str) -> tuple[Any, ...]:
    """The match as this person sees it, its tag, and every frame."""
    seen = who.try_("GET", f"/v1/matches/{match}")
    frames = who.do("GET", f"/v1/matches/{match}/events")["frames"]
    return seen.json(), seen.headers["etag"], frames


def test_nobody_is_told_who_has_laid(match: str, anna: Person, ben: Person, cara: Person, newcomer: Any) -> None:
    onlooker = newcomer("Dora")
    before = {who: all_that_is_told(who, match) for who in (ben, cara, onlooker)}

    anna.acts(match, type="mogelei.lay", card="red8")

    assert {who: all_that_is_told(who, match) for who in (ben, cara, onlooker)} == before
    assert before[ben][0]["awaits"]["seats"] == [0, 1, 2]
    assert anna.sees(match)["awaits"]["seats"] == [1, 2]

    annas = all_that_is_told(anna, match)
    answer = ben.try_(
        "POST", f"/v1/matches/{match}/actions", {"type": "mogelei.lay", "card": "red7"}, if_match=before[ben][1]
    )

    assert answer.status_code == 201, "what Ben was not told has made nothing of his stale"
    assert all_that_is_told(anna, match) == annas
    assert all_that_is_told(onlooker, match) == before[onlooker]


def test_when_all_are_in_everybody_is_told_at_once(match: str, anna: Person, ben: Person, cara: Person) -> None:
    seqs = {who: who.sees(match)["seq"] for who in (anna, ben)}
    anna.acts(match, type="mogelei.lay", card="red8")
    ben.acts(match, type="mogelei.lay", card="red7")

    told = cara.acts(match, type="mogelei.lay", card="yellow9")

    assert [frame["event"]["type"] for frame in told["frames"]] == ["mogelei.laid", "mogelei.all_laid"]
    for who, own in ((anna, [["red8"], ["??"], ["??"]]), (ben, [["??"], ["red7"], ["??"]])):
        mine, all_in = who.do("GET", f"/v1/matches/{match}/events?after={seqs[who]}")["frames"]
        assert mine["event"]["type"] == "mogelei.laid"
        assert (all_in["event"]["type"], all_in["event"]["cards"]) == ("mogelei.all_laid", own)


def test_who_sleeps_is_laid_for_in_the_same_breath(match: str, anna: Person, ben: Person, cara: Person) -> None:
    """There is no moment at which one of two sleepers has laid: who looked then would be told the other had not."""
    anna.acts(match, type="mogelei.lay", card="red8")
    seq = anna.sees(match)["seq"]

    anna.turns_clock(match, seconds=60)

    seen = anna.sees(match)
    kinds = [frame["event"]["type"] for frame in anna.do("GET", f"/v1/matches/{match}/events?after={seq}")["frames"]]
    assert seen["view"]["phase"]["type"] == "mogelei.to_reveal"
    assert kinds == ["match.clock_turned", "match.timed_out", "match.timed_out", "mogelei.all_laid"]
    assert [card["seat"] for card in seen["view"]["table"]] == [0, 1, 2]
    assert ben.sees(match)["view"]["table"][1]["card"] == "red7"
    assert cara.sees(match)["view"]["table"][2]["card"] == "black1"
