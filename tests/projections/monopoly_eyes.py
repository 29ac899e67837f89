"""Matches of Monopoly Cheaters, and what one viewer hears of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec

from domain.games.monopoly.events import Event
from domain.games.monopoly.options import MonopolyOptions
from domain.kernel.game import HOUSE, Seat
from projections.catalogue import CATALOGUE
from projections.views.seam import Viewer
from tests.any_game import Step, walk
from tests.projections.secrecy import Redact, heard

SOME = range(14)


@cache
def match(number: int) -> tuple[Step, ...]:
    options = MonopolyOptions(
        attention="open" if number % 7 == 6 else "watch",
        proof="vote" if number % 3 == 2 else "house",
        meistermogler=number % 2 == 1,
        max_turns=30,
        min_catch=600 if number % 2 else 10,
    )
    return tuple(
        walk(CATALOGUE["monopoly-cheaters"], 2 + number % 5, 900 + number, options=options, leavers=number % 5 == 4)
    )


def saw(witnesses: tuple[Seat, ...], viewer: Viewer) -> bool:
    return viewer in witnesses or HOUSE in witnesses


def frames(tell: Redact, events: Iterable[Event], viewer: Viewer) -> bytes:
    return msgspec.json.encode(heard(tell, events, viewer))
