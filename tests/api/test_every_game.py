"""Clients that know the API and none of the rules finish a match of every game."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from projections.catalogue import CATALOGUE
from tests.api.people import Person
from tests.service.runtime.table import fitting


@pytest.mark.parametrize("game", CATALOGUE)
def test_four_clients_that_know_no_rules_finish_a_match(game: str, newcomer: Callable[[str], Person]) -> None:
    friends = [newcomer(name) for name in ("Anna", "Ben", "Cara", "Dan")]
    anna, *others = friends
    match, luck = anna.opens(game=game, seats=len(friends)), random.Random(game)
    for friend in others:
        friend.sits(match)
    anna.starts(match)
    while (seen := anna.sees(match))["status"] == "playing":
        acted = False
        for friend in friends:
            seen = friend.sees(match)
            now = seen["server_time"]
            may = [offer for offer in seen["actions"] if offer.get("not_before", now) <= now]
            quiet = [offer for offer in may if not _doubt(offer["type"]) or luck.random() < 0.15]
            if quiet:
                friend.acts(match, **fitting(luck.choice(quiet), luck))
                acted = True
        if not acted:
            anna.turns_clock(match, seconds=5)

    assert seen["status"] == "over"
    assert seen["result"]["winners"]
    for friend in friends:
        frames = friend.do("GET", f"/v1/matches/{match}/events?limit=500")["frames"]
        assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))


def _doubt(kind: str) -> bool:
    return any(word in kind for word in ("challenge", "control", "doubt", "accuse"))
