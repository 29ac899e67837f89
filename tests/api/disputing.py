"""What players and referees do about a dispute."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import httpx

from tests.api.people import Person
from tests.service.runtime.table import fitting


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
