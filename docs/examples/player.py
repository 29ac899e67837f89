#!/usr/bin/env python3
# ruff: noqa: T201, S310 - it tells its user what happens; its address is its user's own
"""A whole client for Mogelwerk in one file, with nothing but Python's standard library.

It plays any game that the server has: it knows no rules, but picks one of the offers at random and fills in its fields.

    python3 player.py http://127.0.0.1:8000 --seats 3
    python3 player.py http://127.0.0.1:8000 --code 7KQ2M9XA
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import secrets
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

Json = dict[str, Any]


class Problem(Exception):
    """An answer that is no success (RFC 9457)."""

    def __init__(self, status: int, body: Json) -> None:
        super().__init__(f"{body.get('title')}: {body.get('detail')}")
        self.status, self.body = status, body


class Server:
    """Asks, and asks again under the same idempotency key when no answer came."""

    def __init__(self, url: str) -> None:
        self.url, self.token = url.rstrip("/"), ""

    def ask(self, method: str, path: str, body: Json | None = None, **headers: str) -> Json:
        key = {"Idempotency-Key": secrets.token_hex(16)} if method == "POST" else {}
        while True:
            try:
                with urlopen(self._request(method, path, body, {**key, **headers}), timeout=30) as answer:
                    found: Json = json.load(answer)
                    return found
            except HTTPError as error:
                problem = Problem(error.code, json.load(error))
                if error.code not in (429, 503):
                    raise problem from None
                time.sleep(problem.body.get("retry_after", 1))  # the server asks for it
            except (URLError, ConnectionError, TimeoutError):
                time.sleep(1)  # nobody answers: not at once again

    def stream(self, path: str, after: int) -> Iterator[Json]:
        """Every message after this frame; a connection that breaks is made anew with the cursor."""
        while True:
            try:
                request = self._request("GET", f"{path}/stream?after={after}&narrate=en", None, {})
                request.add_header("Accept", "application/x-ndjson")
                with urlopen(request, timeout=25) as lines:  # there is a heartbeat every 10 s
                    for line in lines:
                        message: Json = json.loads(line)
                        after = message["seq"]
                        if message["event"] == "frames":
                            yield message
                        elif message["event"] == "bye" and message["reason"] not in ("closing", "unavailable"):
                            return
            except HTTPError as error:
                if error.code not in (429, 503):
                    raise Problem(error.code, json.load(error)) from None
            except (URLError, ConnectionError, TimeoutError):
                pass
            time.sleep(1)  # the line was cut: not at once again

    def _request(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> Request:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, {"Content-Type": "application/json", **headers}, method=method)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        return request


def fill(bound: Json, entropy: bytes) -> Any:
    """Something that fits: a bound is of one of four kinds."""
    if "one_of" in bound:
        return random.choice(bound["one_of"])
    if "choose" in bound:
        return random.sample(bound["choose"], random.randint(bound["min"], bound["max"]))
    if "sha256" in bound:  # what this seat committed to when it sat down
        return entropy.hex()
    return random.randrange(bound["min"], bound["max"] + 1, bound["step"])


def seconds_until(offer: Json, now: str) -> float:
    """Until it is taken, in match time."""
    first = datetime.fromisoformat(offer.get("not_before", now))
    return max((first - datetime.fromisoformat(now)).total_seconds(), 0)


def play(server: Server, path: str, entropy: bytes) -> Json:
    """Until the match is over; gives how it ended."""
    told = server.ask("GET", f"{path}/events?narrate=en")  # in sentences, which answers to commands are not
    now = {**server.ask("GET", path), "frames": told["frames"]}
    acted = 0  # the seq that our last action led to: what was before it is past
    for state in chain([now], server.stream(path, told["last"])):
        for frame in state["frames"]:
            print(frame["seq"], frame["narration"])
        if state["status"] not in ("open", "playing"):
            break
        if not state["actions"] or state["seq"] < acted:
            continue
        wait = min(seconds_until(offer, state["server_time"]) for offer in state["actions"])
        time.sleep(wait)  # before that the rules would refuse it
        offer = random.choice([one for one in state["actions"] if seconds_until(one, state["server_time"]) <= wait])
        action = {name: fill(bound, entropy) for name, bound in offer["fields"].items()}
        try:
            # Only if nothing has happened that we have not seen: else what we chose from may be old.
            seen = {"If-Match": f'"{state["seq"]}"'}
            acted = server.ask("POST", f"{path}/actions", {"type": offer["type"], **action}, **seen)["seq"]
        except Problem as no:
            if no.status not in (409, 412):  # refused, or behind: the stream tells what is offered now
                raise
    return dict(state)


def main() -> None:
    asked = argparse.ArgumentParser(description="Plays a match of any game at random.")
    asked.add_argument("url")
    asked.add_argument("--name", default="Randy")
    asked.add_argument("--code", help="sit down at the match with this code, instead of opening one")
    asked.add_argument("--game", default="cheat")
    asked.add_argument("--seats", type=int, default=3)
    asked.add_argument("--options", type=json.loads, default={}, help="JSON")
    asked.add_argument("--clock", type=json.loads, default={}, help="JSON")
    asked.add_argument("--show-token", action="store_true", help="so that the match can be looked at afterwards")
    said = asked.parse_args()

    server, entropy = Server(said.url), secrets.token_bytes(32)
    server.token = server.ask("POST", "/v1/players", {"name": said.name})["token"]
    luck = {"entropy_commitment": hashlib.sha256(entropy).hexdigest()}
    if said.code:
        joined = server.ask("POST", "/v1/joins", {"code": said.code, **luck})
        path = f"/v1/matches/{joined['match']}"
    else:
        wish = {"game": said.game, "seats": said.seats, "options": said.options, "clock": said.clock}
        opened = server.ask("POST", "/v1/matches", {**wish, "fill": True, **luck})
        path = f"/v1/matches/{opened['match']}"
        server.ask("POST", f"{path}/start")
    print("match", path.rpartition("/")[2])

    result = play(server, path, entropy)["result"]
    if said.show_token:
        print(server.token)
    print("winners", result["winners"], "scores", result["scores"])


if __name__ == "__main__":
    main()
