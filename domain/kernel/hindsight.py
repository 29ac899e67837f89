"""Luck in hindsight: what came of it is known, and the seed is not.

Where a transcript is read before its seed is published, the House does again what it did, and luck gives what happened
if it can: only what is among the things that it was asked for, each as often as it is there. So what comes of that is
what happened, or what happened no luck could have given.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from domain.kernel.chance import Draw

T = TypeVar("T")


class Hindsight(Struct, frozen=True):
    """``outcome``: what came of a draw, in the order in which the House asks for it; what it does not ask for does no
    harm."""

    outcome: Sequence[object]

    def draw(self, k: int) -> Draw:
        return _Known(self.outcome)


class _Known(Draw):
    """Where nothing fitting is left, any luck will do: something else happened."""

    def __init__(self, outcome: Sequence[object]) -> None:
        super().__init__(b"", b"")
        self._left: Final = deque(outcome)

    def pick(self, things: Sequence[T]) -> T:
        found = self._first(1, things)
        return found[0] if found else super().pick(things)

    def shuffled(self, things: Iterable[T]) -> tuple[T, ...]:
        every = tuple(things)
        first = self._first(len(every), every)
        return (*first, *(Counter(every) - Counter(first)).elements())

    def dice(self, n: int) -> tuple[int, ...]:
        thrown = self._first(n, tuple(range(1, 7)) * n)
        return (*thrown, *super().dice(n - len(thrown)))

    def _first(self, n: int, things: Sequence[T]) -> tuple[T, ...]:
        """The first n that are left of the outcome and among these things, each as often as it is among them."""
        there, found, passed = Counter(things), list[T](), list[object]()
        while self._left and len(found) < n:
            one = self._left.popleft()
            if there[one] > 0:  # type: ignore[index]  # whatever it is, it is among them or not
                there[one] -= 1  # type: ignore[index]
                found.append(one)  # type: ignore[arg-type]
            else:
                passed.append(one)
        self._left.extendleft(reversed(passed))
        return tuple(found)
