"""Random legal matches: only what was offered, or what the House must or may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from typing import Final

import msgspec
from msgspec import Struct

from domain.games.mogelei.actions import Action, PlayerAction, Vacate
from domain.games.mogelei.decider import decide
from domain.games.mogelei.events import Event
from domain.games.mogelei.evolve import evolve
from domain.games.mogelei.house import awaits, house
from domain.games.mogelei.offers import offers
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import MogeleiDeal, State, begin
from domain.kernel.bot import fill_all
from domain.kernel.chance import Chance, Draw
from domain.kernel.game import HOUSE, Answers, Command, HouseNow, Over, Pace, Seat, fold
from domain.kernel.offers import Offer
from tests.any_game import NOON

COMBINATIONS: Final = tuple(
    msgspec.convert({"round_pile": pile, "false_doubt_egg": egg}, MogeleiOptions)
    for pile, egg in product(("controller", "liar"), (False, True))
)
MOST: Final = (
    12 * 5 * (2 * 8 + 3) + 5 * 10 + 1
)  # commands of eight: 12 passes of laying, answering, controlling; 5 hands


class Step(Struct, frozen=True):
    """A command, the state that it met, and what came of it."""

    before: State
    command: Command[Action]
    events: tuple[Event, ...]
    after: State


def walk(
    options: MogeleiOptions,
    seats: int,
    seed: int,
    *,
    pace: Pace | None = None,
    deal: MogeleiDeal | None = None,
    leavers: int = 0,
    sleep: int = 20,
    ending: int = 1,
) -> Iterator[Step]:
    """One match from before the deal to its end. One command in ``leavers`` is a seat's leaving (0: none); one time in
    ``sleep`` everybody sleeps until the House must act; of offers to end a round one in ``ending`` is considered, so
    that much stays hidden."""
    chance = Chance(seed.to_bytes(32, "big"), f"{seed:036d}", b"")
    luck = chance.bot(99, 0)
    state, at, steps = begin(options, pace or Pace(), seats, deal), NOON, 0
    while not isinstance(awaited := awaits(state), Over):
        steps += 1
        assert steps <= MOST, "nobody finishes"
        if isinstance(awaited, HouseNow):
            command: Command[Action] = Command(HOUSE, at, house(state, chance).action)
        else:
            command = _somebody(state, awaited, chance, luck, at, leavers=leavers, sleep=sleep, ending=ending)
        at = command.at
        events = decide(state, command)
        after = fold(evolve, state, events)
        yield Step(state, command, events, after)
        state = after


def _somebody(
    state: State, awaited: Answers, chance: Chance, luck: Draw, at: datetime, *, leavers: int, sleep: int, ending: int
) -> Command[Action]:
    if leavers and luck.below(leavers) == 0:
        return Command(HOUSE, at, Vacate(luck.pick(state.present)))
    offered = [(seat, offer) for seat in map(Seat, range(state.seats)) for offer in offers(state, seat)]
    wanted = [one for one in offered if one[1].type != "mogelei.end_round" or luck.below(ending) == 0]
    if awaited.until is None or luck.below(sleep):
        seat, offer = luck.pick(wanted or offered)
        if (moment := _moment(offer, at, luck)) is not None:
            return Command(seat, moment, said(offer, luck))
    assert awaited.until is not None, "nobody is left to act"
    return Command(HOUSE, max(at, awaited.until), house(state, chance).action)


def _moment(offer: Offer, at: datetime, luck: Draw) -> datetime | None:
    """A time at which the offer holds: often the first one, sometimes the last."""
    moment = at + timedelta(milliseconds=luck.below(4000)) * luck.below(2)
    if offer.until is not None and luck.below(8) == 0:
        moment = offer.until - timedelta(microseconds=1)
    return moment if moment >= at and (offer.until is None or moment < offer.until) else None


def said(offer: Offer, luck: Draw) -> PlayerAction:
    """An action that fits, by way of what a client would send."""
    action: PlayerAction = msgspec.json.decode(msgspec.json.encode(fill_all(offer, luck)), type=PlayerAction)
    return action


def all_cards(state: State) -> Counter[str]:
    """Wherever they are. What is laid leaves its hand when all are in, so it counts once."""
    held = (card for zone in (*state.hands, *state.kept, state.away) for card in zone)
    return Counter((*held, *(it.card for it in state.played)))
