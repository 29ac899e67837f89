"""Random legal matches: only what was offered, or what the House must or may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.games.cheat.actions import Action, PlayerAction, Vacate
from domain.games.cheat.decider import decide
from domain.games.cheat.events import Event
from domain.games.cheat.evolve import evolve
from domain.games.cheat.house import awaits, house
from domain.games.cheat.offers import offers
from domain.games.cheat.options import CheatOptions, check
from domain.games.cheat.state import StackedDeal, State, begin
from domain.kernel.bot import fill_all
from domain.kernel.chance import Chance, Draw
from domain.kernel.game import HOUSE, Answers, Command, HouseNow, OptionsConflict, Over, Pace, Seat, fold
from domain.kernel.offers import Offer
from tests.any_game import NOON

CHOICES: Final = {
    "pass_rule": ("strict", "exhausted", "unanimous"),
    "rank_mode": ("sequence", "free"),
    "window": ("normal", "extended"),
    "jokers": (0, 2),
    "joker_mode": ("shield", "card"),
    "penalty": ("pile", "forfeit"),
    "hand": ("all", "fixed7"),
    "mode": ("single", "first_to", "most_wins", "best_of", "penalty_points"),
}


ENDLESS: Final = 5_000  # commands; the longest match here takes a seventh of that


class Step(Struct, frozen=True):
    """A command, the state that it met, and what came of it."""

    before: State
    command: Command[Action]
    events: tuple[Event, ...]
    after: State


def every_combination(**also: Any) -> Iterator[CheatOptions]:
    """Every choice of options that does not contradict itself."""
    for values in product(*CHOICES.values()):
        made = msgspec.convert(dict(zip(CHOICES, values, strict=True)) | {"adults_only": True} | also, CheatOptions)
        try:
            check(made)
        except OptionsConflict:
            continue
        yield made


def walk(
    options: CheatOptions,
    seats: int,
    seed: int,
    *,
    pace: Pace | None = None,
    deal: StackedDeal | None = None,
    leavers: bool = False,
    doubt: int = 3,
    sleep: int = 20,
) -> Iterator[Step]:
    """One match from before the deal to its end. Of offered doubts one in ``doubt`` is taken into account;
    one time in ``sleep`` everybody sleeps until the House must act."""
    chance = Chance(seed.to_bytes(32, "big"), f"{seed:036d}", b"")
    luck = chance.bot(99, 0)
    state, at, steps = begin(options, pace or Pace(), seats, deal), NOON, 0
    while not isinstance(awaited := awaits(state), Over):
        steps += 1
        assert steps < ENDLESS, "nobody finishes"
        if isinstance(awaited, HouseNow):
            command: Command[Action] = Command(HOUSE, at, house(state, chance).action)
        else:
            command = _somebody(state, awaited, chance, luck, at, leavers=leavers, doubt=doubt, sleep=sleep)
        at = command.at
        events = decide(state, command)
        after = fold(evolve, state, events)
        yield Step(state, command, events, after)
        state = after


def _somebody(
    state: State, awaited: Answers, chance: Chance, luck: Draw, at: datetime, *, leavers: bool, doubt: int, sleep: int
) -> Command[Action]:
    stay = [seat for seat in state.present if seat not in state.leaving]
    if leavers and stay and luck.below(150) == 0:
        return Command(HOUSE, at, Vacate(luck.pick(stay)))
    offered = [(seat, offer) for seat in map(Seat, range(state.seats)) for offer in offers(state, seat)]
    wanted = [one for one in offered if one[1].type != "cheat.challenge" or luck.below(doubt) == 0]
    if wanted and (awaited.until is None or luck.below(sleep)):
        seat, offer = luck.pick(wanted)
        if (moment := _moment(offer, at, luck)) is not None:
            return Command(seat, moment, said(offer, luck))
    assert awaited.until is not None, "nobody is left to act"
    return Command(HOUSE, max(at, awaited.until), house(state, chance).action)


def _moment(offer: Offer, at: datetime, luck: Draw) -> datetime | None:
    """A time at which the offer holds: often the first one, sometimes the last."""
    first = max(at, offer.not_before or at)
    moment = first + timedelta(milliseconds=luck.below(4000)) * luck.below(2)
    if offer.until is not None and luck.below(8) == 0:
        moment = offer.until - timedelta(microseconds=1)
    return moment if moment >= first and (offer.until is None or moment < offer.until) else None


def said(offer: Offer, luck: Draw) -> PlayerAction:
    """An action that fits, by way of what a client would send."""
    action: PlayerAction = msgspec.json.decode(msgspec.json.encode(fill_all(offer, luck)), type=PlayerAction)
    return action


def all_cards(state: State) -> Counter[str]:
    lying = (card for claim in state.pile for card in claim.cards)
    held = (card for hand in state.hands for card in hand)
    return Counter((*held, *lying, *state.stock, *state.away))
