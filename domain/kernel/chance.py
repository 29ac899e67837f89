"""Luck: numbers that only the House draws, and that anyone can recompute once the seed is published.

Draw k of a match is a stream of blocks, ``HMAC-SHA-256(seed, "mogelwerk/draw/1" ‖ match ‖ entropy ‖ k ‖ block)``:
``match`` the 36 letters of the match's id, ``entropy`` the 32 bytes of SHA-256 over the revealed entropies in
seat order (of nothing, where nobody committed), ``k`` and ``block`` 8 bytes each, big-endian. A block gives four
8-byte big-endian numbers, used in order.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from msgspec import Struct

T = TypeVar("T")

_DRAW: Final = b"mogelwerk/draw/1"
_BOT: Final = b"mogelwerk/bot/1"
_SPAN: Final = 1 << 64


def entropy_of(revealed: Iterable[bytes]) -> bytes:
    """What the seats add to the luck of a match: 32 bytes, from their entropies in seat order."""
    return hashlib.sha256(b"".join(revealed)).digest()


class Draw:
    """One draw: as many numbers as its act needs, each used once."""

    def __init__(self, key: bytes, prefix: bytes) -> None:
        self._numbers = _numbers(key, prefix)

    def below(self, n: int) -> int:
        """A whole number 0 ≤ x < n, all equally likely (rejection sampling)."""
        limit = _SPAN - _SPAN % n
        return next(number for number in self._numbers if number < limit) % n

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def shuffled(self, things: Iterable[T]) -> tuple[T, ...]:
        """All orders equally likely (Fisher–Yates, from the end)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def dice(self, n: int) -> tuple[int, ...]:
        return tuple(self.below(6) + 1 for _ in range(n))


class Luck(Protocol):
    """What the House draws from. ``k``: which draw of the match it is."""

    def draw(self, k: int) -> Draw: ...


class Chance(Struct, frozen=True):
    """The luck of a match. Draws are counted in the state, so that a retried append draws the same."""

    seed: bytes
    match: str
    entropy: bytes

    def draw(self, k: int) -> Draw:
        return Draw(self.seed, _DRAW + self.match.encode() + self.entropy + k.to_bytes(8, "big"))

    def bot(self, seat: int, seq: int) -> Draw:
        """The luck of a bot: of its own, apart from the House's draws; ``seq`` is the last frame it saw."""
        return Draw(self.seed, _BOT + self.match.encode() + seat.to_bytes(8, "big") + seq.to_bytes(8, "big"))


def _numbers(key: bytes, prefix: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(key, prefix + block.to_bytes(8, "big"), "sha256")
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1
