"""A table of bots, each knowing what its seat was told and no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from msgspec import Struct

from domain.games.mogelei.actions import Action
from domain.games.mogelei.decider import decide
from domain.games.mogelei.events import Event
from domain.games.mogelei.evolve import evolve
from domain.games.mogelei.house import awaits, house
from domain.games.mogelei.offers import offers
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import State, begin
from domain.kernel.bot import Bot
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Over, Pace, Seat, fold
from domain.kernel.offers import Offer
from projections.views.mogelei import redact
from tests.any_game import NOON

AnyBot = Bot[Any, State, Action, Event]


class Chosen(Struct, frozen=True):
    """What a bot did, out of what it was offered, and what came of it; None: the House acted."""

    seat: Seat
    offered: tuple[Offer, ...]
    action: Action | None
    events: tuple[Event, ...]
    after: State


def table_of(bots: Sequence[AnyBot], options: MogeleiOptions, seed: int) -> Iterator[Chosen]:
    """A match that nobody but bots plays: whoever is waited for is asked, and somebody always wants something."""
    chance = Chance(seed.to_bytes(32, "big"), f"{seed:036d}", b"")
    state, at, seq = begin(options, Pace(), len(bots), None), NOON, 0
    seen = [state] * len(bots)
    memories = [bot.begin(seat, len(bots)) for seat, bot in enumerate(bots)]
    while not isinstance(awaited := awaits(state), Over):
        seat, choice = HOUSE, None
        offered: tuple[Offer, ...] = ()
        if not isinstance(awaited, HouseNow):
            seat = awaited.seats[0]
            offered = offers(seen[seat], seat)
            choice = bots[seat].choose(memories[seat], seen[seat], offered, chance.bot(seat, seq))
            assert choice is not None, "a bot has nothing to say, and all wait for it"
            at += timedelta(seconds=0.5)
        events = decide(state, Command(seat, at, choice or house(state, chance).action))
        for event in events:
            for viewer, bot in enumerate(bots):
                if (told := redact(event, Seat(viewer))) is not None:
                    memories[viewer] = bot.remember(memories[viewer], seen[viewer], told)
                    seen[viewer] = evolve(seen[viewer], told)
        state = fold(evolve, state, events)
        seq += len(events)
        yield Chosen(seat, offered, choice, events, state)
