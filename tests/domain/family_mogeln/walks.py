"""Random whole matches, each played once for all tests of a module."""

from __future__ import annotations

from functools import cache

from projections.views.family_mogeln import FAMILY_MOGELN_VIEW
from tests.any_game import Step, walk

SOME = range(100)


@cache
def match(number: int) -> tuple[Step, ...]:
    """Seats, options, how often anybody controls and whether somebody leaves go with the number."""
    return tuple(
        walk(FAMILY_MOGELN_VIEW, 3 + number % 8, number, leavers=number % 3 == 0, doubt=(2, 6, 30)[number % 3])
    )
