"""A match that only bots play, each from what its seat was told, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.events import Event
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.state import State
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Over, Pace, Seat
from projections.views.monopoly.redacting import redact
from tests.any_game import NOON

AnyBot = Any


class Played(Struct, frozen=True):
    events: tuple[Event, ...]
    state: State
    commands: int

    @property
    def over(self) -> Over:
        ended = MONOPOLY.awaits(self.state)
        assert isinstance(ended, Over)
        return ended


def play(bots: Sequence[AnyBot], options: MonopolyOptions, seed: int, most: int = 60_000) -> Played:
    seats = len(bots)
    chance = Chance(seed.to_bytes(32, "big"), f"{seed:036d}", b"")
    state = MONOPOLY.begin(options, Pace(), seats, None)
    seen = [state] * seats
    memories = [bot.begin(seat, seats) for seat, bot in enumerate(bots)]
    offered: list[Any] = [None] * seats
    events: list[Event] = []
    at, asked = NOON, [True] * seats
    for n in range(most):
        awaited = MONOPOLY.awaits(state)
        if isinstance(awaited, Over):
            return Played(tuple(events), state, n)
        command: Command[Any] | None = None
        if isinstance(awaited, HouseNow) or (awaited.until is not None and at >= awaited.until):
            command = Command(HOUSE, at, MONOPOLY.house(state, chance).action)
        else:
            for step in range(seats):
                seat = (n + step) % seats
                if not asked[seat]:
                    continue
                if offered[seat] is None:
                    offered[seat] = MONOPOLY.offers(seen[seat], Seat(seat))
                may = [o for o in offered[seat] if (o.not_before or at) <= at and (o.until is None or at < o.until)]
                luck = chance.bot(seat, len(events) + n)
                action = bots[seat].choose(memories[seat], seen[seat], may, luck) if may else None
                if action is not None:
                    command = Command(Seat(seat), at, action)
                    break
                asked[seat] = False
            if command is None:
                at = _next_moment(offered, awaited.until, at)
                asked = [True] * seats
        if command is None:
            continue
        for event in MONOPOLY.decide(state, command):
            for viewer in range(seats):
                heard = redact(event, Seat(viewer))
                if heard is not None:
                    memories[viewer] = bots[viewer].remember(memories[viewer], seen[viewer], heard)
                    seen[viewer] = MONOPOLY.evolve(seen[viewer], heard)
                    asked[viewer] = True
                    offered[viewer] = None
            state = MONOPOLY.evolve(state, event)
            events.append(event)
        at += timedelta(milliseconds=500)
    raise AssertionError("nobody finishes")


def _next_moment(offered: Sequence[Any], until: datetime | None, at: datetime) -> datetime:
    opens = [offer.not_before for offers in offered for offer in offers]
    return min((moment for moment in (*opens, until) if moment is not None and moment > at), default=at)
