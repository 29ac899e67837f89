#!/usr/bin/env python3
# ruff: noqa: T201 - it tells its user what happens
"""Three friends play two turns of Cheat, and who looks on doubts the first claim when the second one lies there.

    python3 too_late.py http://127.0.0.1:8000

It prints the match, the token of who came too late, and the answer, signed.
"""

from __future__ import annotations

import json
import sys

from player import Problem, Server


def main(url: str) -> None:
    friends = [Server(url) for _ in range(3)]
    for friend, name in zip(friends, ("Anna", "Ben", "Cara"), strict=True):
        friend.token = friend.ask("POST", "/v1/players", {"name": name})["token"]
    wish = {"game": "cheat", "seats": 3, "options": {"max_turns": 2}, "clock": {"min_open": 0, "max_open": 3}}
    opened = friends[0].ask("POST", "/v1/matches", wish)
    for friend in friends[1:]:
        friend.ask("POST", "/v1/joins", {"code": opened["code"]})
    path = f"/v1/matches/{opened['match']}"
    friends[0].ask("POST", f"{path}/start")
    seats = [play(friends, path), play(friends, path)]
    late = friends[next(seat for seat in range(3) if seat not in seats)]
    print("match", opened["match"])
    print("token", late.token)
    try:
        late.ask("POST", f"{path}/actions", {"type": "cheat.challenge", "claim_id": 0}, Prefer="receipt")
    except Problem as no:
        print("answer", json.dumps(no.body, separators=(",", ":")))


def play(friends: list[Server], path: str) -> int:
    """Whose turn it is lays a card, and gives his seat."""
    while True:
        for seat, friend in enumerate(friends):
            for offer in friend.ask("GET", path)["actions"]:
                if offer["type"] == "cheat.play":
                    fields = offer["fields"]
                    card, rank = fields["cards"]["choose"][0], fields["rank"]["one_of"][0]
                    friend.ask("POST", f"{path}/actions", {"type": "cheat.play", "cards": [card], "rank": rank})
                    return seat


if __name__ == "__main__":
    main(*sys.argv[1:])
