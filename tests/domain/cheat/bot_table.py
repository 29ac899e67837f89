"""A table of bots, each knowing what its seat was told and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from msgspec import Struct

from domain.games.cheat.actions import Action
from domain.games.cheat.decider import decide
from domain.games.cheat.events import Challenged, Event
from domain.games.cheat.evolve import evolve
from domain.games.cheat.house import awaits, house
from domain.games.cheat.offers import offers
from domain.games.cheat.options import CheatOptions
from domain.games.cheat.state import State, begin
from domain.kernel.bot import Bot
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Over, Pace, Seat, fold
from domain.kernel.offers import Offer
from projections.views.cheat import redact
from tests.any_game import NOON

AnyBot = Bot[Any, State, Action, Event]


class Chosen(Struct, frozen=True):
    """What a bot did, out of what it was offered, and what came of it; None: the House acted."""

    seat: Seat
    offered: tuple[Offer, ...]
    action: Action | None
    events: tuple[Event, ...]
    after: State


def table_of(bots: Sequence[AnyBot], options: CheatOptions, seed: int, pace: Pace | None = None) -> Iterator[Chosen]:
    """A match that nobody but bots plays. Each is asked when it is waited for, and thinks half a second."""
    chance = Chance(seed.to_bytes(32, "big"), f"{seed:036d}", b"")
    seats = len(bots)
    state, at, seq = begin(options, pace or Pace(), seats, None), NOON, 0
    seen = [begin(options, state.pace, seats, None)] * seats
    memories = [bot.begin(seat, seats) for seat, bot in enumerate(bots)]
    while not isinstance(awaited := awaits(state), Over):
        seat, command = HOUSE, None
        offered: tuple[Offer, ...] = ()
        if not isinstance(awaited, HouseNow):
            for asked in sorted(awaited.seats, key=lambda waiting: _opens(offers(seen[waiting], waiting))):
                of_seat = offers(seen[asked], asked)
                action = bots[asked].choose(memories[asked], seen[asked], of_seat, chance.bot(asked, seq))
                if action is not None:
                    at = max(at + timedelta(seconds=0.5), _not_before(of_seat, action) or at)
                    seat, offered, command = asked, of_seat, Command[Action](asked, at, action)
                    break
        if command is None:
            if not isinstance(awaited, HouseNow) and awaited.until is not None:
                at = max(at, awaited.until)
            command = Command(HOUSE, at, house(state, chance).action)
        events = decide(state, command)
        for event in events:
            for viewer, bot in enumerate(bots):
                told = redact(event, Seat(viewer))
                memories[viewer] = bot.remember(memories[viewer], seen[viewer], told)
                seen[viewer] = evolve(seen[viewer], told)
        state = fold(evolve, state, events)
        seq += len(events)
        yield Chosen(seat, offered, None if seat == HOUSE else command.action, events, state)


def _opens(offered: Sequence[Offer]) -> int:
    """Who has something to say at once is asked before who must wait for it."""
    return 0 if any(offer.type != "cheat.play" for offer in offered) else 1


def _not_before(offered: Sequence[Offer], action: Action) -> Any:
    tag = type(action).__struct_config__.tag
    return next(offer.not_before for offer in offered if offer.type == tag)


def doubts(steps: Sequence[Chosen], seat: Seat) -> Counter[bool]:
    """How many of its doubts were right."""
    events = (event for step in steps for event in step.events)
    return Counter(not e.stands for e in events if isinstance(e, Challenged) and e.challenger == seat)
