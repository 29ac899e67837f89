"""Seats around the table: tuples by seat, and who sits next on the left."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeVar

from domain.kernel.game import Seat

T = TypeVar("T")


@cache
def everybody(seats: int) -> tuple[Seat, ...]:
    return tuple(map(Seat, range(seats)))


def next_of(among: Iterable[Seat], seat: Seat) -> Seat:
    """Who of these sits next on the left of this seat: clockwise, the seat itself last."""
    return min(among, key=lambda other: (other <= seat, other))


def with_seat(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The same tuple by seat, but for one seat."""
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
