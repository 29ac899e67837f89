#!/usr/bin/env python3
# ruff: noqa: T201, S310 - it tells its user what it found; its address is its user's own
"""Checks what one was told of a match, with nothing but the standard library: that no frame is missing or changed, and,
when the match is over, that the server kept to the seed and the entropies that it was bound to.

    MOGELWERK_TOKEN=mw_… python3 check.py http://127.0.0.1:8000 <match>

For Cheat it also deals the first round again, from the published seed, and compares the cards of one's own hand.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar
from urllib.request import Request, urlopen

T = TypeVar("T")
Json = dict[str, Any]


def fetch(url: str) -> str:
    with urlopen(Request(url, headers={"Authorization": f"Bearer {os.environ['MOGELWERK_TOKEN']}"})) as answer:
        text: str = answer.read().decode()
        return text


def frames(url: str) -> Iterator[str]:
    """Each frame as the text that it came in: hashes are of bytes, not of meanings."""
    after, decoder = 0, json.JSONDecoder()
    while True:
        page = fetch(f"{url}/events?after={after}&limit=500")
        place = page.index("[") + 1
        while page[place] != "]":
            frame, end = decoder.raw_decode(page, place)
            yield page[place:end]
            after, place = frame["seq"], end + (page[end] == ",")
        if json.loads(page)["frames"] == []:
            return


def chained(match: str, viewer: str, texts: Sequence[str]) -> str:
    """The head after these frames. Raises ValueError where one is missing, or not what it was."""
    head = hashlib.sha256(b"mogelwerk/view/1" + match.encode() + viewer.encode()).digest()
    for seq, text in enumerate(texts, 1):
        told = text[: text.rindex(',"head":"')] + "}"
        head = hashlib.sha256(head + told.encode()).digest()
        frame = json.loads(text)
        if (frame["seq"], frame["head"]) != (seq, head.hex()):
            raise ValueError(f"frame {seq} is not what the chain says")
    return head.hex()


class Draw:
    """Draw ``k`` of a match's luck: as many numbers as are asked for, each used once."""

    def __init__(self, seed: bytes, match: str, entropy: bytes, k: int) -> None:
        self._numbers = self._blocks(seed, b"mogelwerk/draw/1" + match.encode() + entropy + k.to_bytes(8, "big"))

    @staticmethod
    def _blocks(seed: bytes, prefix: bytes) -> Iterator[int]:
        block = 0
        while True:
            digest = hmac.digest(seed, prefix + block.to_bytes(8, "big"), "sha256")
            yield from (int.from_bytes(digest[start : start + 8], "big") for start in range(0, 32, 8))
            block += 1

    def below(self, n: int) -> int:
        limit = 2**64 - 2**64 % n
        return next(number for number in self._numbers if number < limit) % n

    def shuffled(self, things: Sequence[T]) -> list[T]:
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def first_hand(opened: Json, dealt: Json, seat: int, seed: bytes, entropy: bytes) -> set[str]:
    """What this seat was dealt in round 1 of Cheat (one pack, all seats present)."""
    seats = opened["seats"]
    luck = Draw(seed, opened["match"], entropy, dealt["draw"])
    dealer = luck.below(seats)
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    shuffled = luck.shuffled(pack + ["**"] * opened["options"]["jokers"])
    if opened["options"]["hand"] == "fixed7":
        shuffled = shuffled[: 7 * seats]
    return set(shuffled[(seat - dealer - 1) % seats :: seats])


def main() -> None:
    url, match = sys.argv[1].rstrip("/"), sys.argv[2]
    here = f"{url}/v1/matches/{match}"
    seat: int | None = json.loads(fetch(here))["seat"]
    texts = list(frames(here))
    head = chained(match, "spectator" if seat is None else f"seat:{seat}", texts)
    print(f"{len(texts)} frames, none missing, none changed; head {head}")

    told: dict[str, Json] = {}
    for text in texts:
        event = json.loads(text)["event"]
        told.setdefault(event["type"], event)
    opened, revealed = told["match.opened"], told.get("match.seed_revealed")
    if revealed is None:
        print("the seed is not published yet")
        return
    seed = bytes.fromhex(revealed["seed"])
    if hashlib.sha256(seed).hexdigest() != opened["seed_commitment"]:
        raise ValueError("the seed is not the one that the first frame commits to")
    print("the seed is the one that the first frame commits to")

    said = [json.loads(text)["event"] for text in texts if '"match.entropy_revealed"' in text]
    joined = b"".join(bytes.fromhex(event["entropy"]) for event in sorted(said, key=lambda event: event["seat"]))
    entropy = hashlib.sha256(joined).digest()
    if "match.entropy_settled" in told and told["match.entropy_settled"]["digest"] != entropy.hex():
        raise ValueError("the entropies that were revealed are not those that count")
    print(f"{len(said)} seats have added to the luck")

    dealt = told.get("cheat.dealt")
    if dealt and seat is not None and opened["seats"] <= 5 and not opened["stacked"]:
        if set(dealt["hands"][seat]) != first_hand(opened, dealt, seat, seed, entropy):
            raise ValueError("the first hand is not what the luck gives")
        print("the first hand is what the luck gives")


if __name__ == "__main__":
    main()
