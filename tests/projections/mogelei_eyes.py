"""A match of Mogelei through all eyes at once, and its twins that differ only in what one viewer cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.games.mogelei.actions import Action, Call, Deal, Lay, PlayerAction, TimeOut
from domain.games.mogelei.decider import decide
from domain.games.mogelei.deck import COLOURS, FRIED_EGGS, pack, sort
from domain.games.mogelei.events import ColourCalled, Event, Laid
from domain.games.mogelei.evolve import evolve
from domain.games.mogelei.house import awaits
from domain.games.mogelei.state import MogeleiDeal, State, ToCall, ToLay
from domain.kernel.cards import Cards, cards
from domain.kernel.game import Command, HouseNow, Refused, Seat, fold
from domain.kernel.seating import with_seat
from projections.views.mogelei import redact
from projections.views.seam import Viewer
from tests.any_game import Step, texts_in
from tests.domain.mogelei.walks import COMBINATIONS, walk
from tests.projections.secrecy import Pair, heard

_CARDS: Final = frozenset(pack(8))

STACKED: Final = MogeleiDeal((cards("red1 red8 blue2"), cards("red7 blue5 black4"), cards("black1 yellow3 yellow9")))


@cache
def match(number: int) -> tuple[Step, ...]:
    """Every sixth has a stacked deal, every third leavers. Endings are rare in most, so that much stays hidden."""
    stacked = number % 6 == 5
    return tuple(
        walk(
            COMBINATIONS[number % 4],
            3 if stacked else 3 + number % 4,
            number,
            deal=STACKED if stacked else None,
            leavers=number % 3 == 0,
            ending=10 if number % 4 else 1,
        )
    )


def looked_at(number: int) -> list[Step]:
    """Moments at which somebody can look: not while the House is about to act in the same append."""
    return [step for step in match(number) if not isinstance(awaits(step.after), HouseNow)]


def faces(thing: Any) -> frozenset[str]:
    """Every card whose face can be read in it."""
    return texts_in(thing) & _CARDS


def twins(steps: tuple[Step, ...], viewer: Viewer, luck: Random) -> Iterator[Pair]:
    """The match once more, with cards exchanged that this viewer is never shown in their hand.

    Cards change places with others that carry as many fried eggs, for how many lie in a pile is told in the end.
    """
    for _, of_hand in groupby(steps, key=lambda step: step.after.hand):
        hand = tuple(of_hand)
        shown = faces([heard(redact, step.events, viewer) for step in hand])
        hidden = sorted({*pack(len(hand[0].before.present))} - shown)
        yield from _twin_of_hand(hand, hidden, luck)


def _twin_of_hand(steps: tuple[Step, ...], hidden: list[str], luck: Random) -> list[Pair]:
    """With as many exchanges as the rules allow: who must follow suit cannot lay just anything."""
    swap: dict[str, str] = {}
    pairs = _again(steps, swap)
    assert pairs is not None
    for one, other in [luck.sample(hidden, 2) for _ in range(4)] if len(hidden) > 1 else []:
        if FRIED_EGGS.get(one, 0) == FRIED_EGGS.get(other, 0):
            tried = swap | {one: swap.get(other, other), other: swap.get(one, one)}
            again = _again(steps, tried)
            if again is not None:
                swap, pairs = tried, again
    return pairs


def _again(steps: tuple[Step, ...], swap: dict[str, str]) -> list[Pair] | None:
    """None: the twin would have had to play otherwise."""
    state = steps[0].before
    pairs = []
    for step in steps:
        try:
            events = _events_again(state, step, swap)
        except Refused:
            return None
        after = fold(evolve, state, events)
        pairs.append(Pair(step.command.at, step.after, after, step.events, events))
        state = after
    return pairs


def _events_again(state: State, step: Step, swap: dict[str, str]) -> tuple[Event, ...]:
    def swapped(held: Cards) -> Cards:
        return sort(swap.get(card, card) for card in held)

    command = step.command
    match command.action:
        case Lay(card):
            action: Action = Lay(swap.get(card, card))
        case Deal(hands=hands, away=away):
            action = replace(command.action, hands=tuple(map(swapped, hands)), away=swapped(away))
        case TimeOut(seat) if isinstance(state.phase, ToCall):  # which colour it is depends on the hand, as at a table
            (asked,) = step.events
            assert isinstance(asked, ColourCalled)
            action = Call(asked.colour)  # type: ignore[arg-type]
            return _in_the_name_of(state, seat, command.at, action)
        case TimeOut(seat) if isinstance(state.phase, ToLay):
            laid = step.events[0]
            assert isinstance(laid, Laid)
            happened = _in_the_name_of(state, seat, command.at, Lay(swap.get(laid.card, laid.card)))
            first = happened[0]
            assert isinstance(first, Laid)
            return replace(first, late=True), *happened[1:]
        case _:
            action = command.action
    return decide(state, Command(command.by, command.at, action))


def _in_the_name_of(state: State, seat: Seat, at: datetime, action: Action) -> tuple[Event, ...]:
    """What the House did for who slept, done by the seat itself, with no clock running."""
    phase = state.phase
    if isinstance(phase, ToLay):
        phase = replace(phase, until=None, late=False)
    elif isinstance(phase, ToCall):
        phase = replace(phase, turn=replace(phase.turn, until=None))
    return decide(replace(state, phase=phase), Command(seat, at, action))


def laying_otherwise(steps: tuple[Step, ...], viewer: Viewer, luck: Random) -> Iterator[tuple[list[Any], list[Any]]]:
    """Each pass as it was laid, and as it might have been: the others in another order and at other times, but the last
    when it was. Both as moments and events."""
    at = steps[0].command.at
    for key, of_pass in groupby(steps, key=lambda step: (step.before.passes, isinstance(step.before.phase, ToLay))):
        laying = tuple(of_pass)
        begins, at = at, laying[-1].command.at
        if not key[1] or not all(isinstance(step.command.action, Lay) for step in laying):
            continue
        others = [n for n, step in enumerate(laying[:-1]) if step.command.by != viewer]
        placed = dict(zip(others, luck.sample(others, len(others)), strict=True))
        order = [placed.get(n, n) for n in range(len(laying))]
        moments = [laying[n].command.at for n in range(len(laying))]
        earliest = begins
        state, again = laying[0].before, []
        for place, n in enumerate(order):
            if place in placed:
                room = next(m for k, m in enumerate(moments) if k >= place and k not in placed) - earliest
                moments[place] = earliest + timedelta(seconds=luck.random() * room.total_seconds())
            earliest = moments[place]
            events = decide(state, replace(laying[n].command, at=earliest))
            state = fold(evolve, state, events)
            again += [(earliest, event) for event in events]
        yield [(step.command.at, event) for step in laying for event in step.events], again


def any_action(state: State, luck: Random) -> PlayerAction:
    """Well-formed, mostly wrong."""
    deck = pack(state.seats)
    hand = luck.choice(state.hands) or deck
    said: list[dict[str, Any]] = [
        {"type": "mogelei.call", "colour": luck.choice(COLOURS)},
        {"type": "mogelei.lay", "card": luck.choice(deck)},
        {"type": "mogelei.lay", "card": luck.choice(hand)},
        {"type": "mogelei.reveal"},
        {"type": "mogelei.keep_hidden"},
        {"type": "mogelei.continue_round"},
        {"type": "mogelei.end_round"},
        {"type": "mogelei.doubt", "pass_id": max(0, state.passes - luck.randint(0, 2)), "seat": luck.randrange(8)},
        {"type": "mogelei.accept_hand"},
    ]
    action: PlayerAction = msgspec.convert(luck.choice(said), PlayerAction)
    return action


def laid_by_others(state: State, viewer: Viewer, laid: Iterable[bool]) -> State:
    """The same moment with other seats having laid, or not: any of their cards."""
    phase = state.phase
    assert isinstance(phase, ToLay)
    now = phase.laid
    for seat, has in zip(state.present, laid, strict=True):
        if seat != viewer:
            now = with_seat(now, seat, state.hands[seat][:1] if has else ())
    return replace(state, phase=replace(phase, laid=now))
