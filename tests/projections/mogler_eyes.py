"""Rounds of Mogler through all eyes, and their twins that differ only in what one viewer has not been shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.games.mogler.actions import Action, Deal, Draw, LayOpening, PlayerAction, TimeOut
from domain.games.mogler.decider import decide
from domain.games.mogler.events import Dealt, Event, OpeningLaid, RoundOver
from domain.games.mogler.evolve import evolve
from domain.games.mogler.state import State
from domain.kernel.cards import PACK, Cards, sort
from domain.kernel.game import Command, fold
from projections.catalogue import CATALOGUE
from projections.views.mogler import redact
from projections.views.seam import Viewer
from tests.any_game import Step, luck_of, some_options, texts_in, walk
from tests.projections.secrecy import Pair, heard

VIEW: Final = CATALOGUE["mogler"]
_CARDS: Final = frozenset(PACK)


@cache
def match(number: int) -> tuple[Step, ...]:
    """Two to five at the table; in every other match somebody may go."""
    seats = 2 + number % 4
    options = some_options(VIEW.game, seats, luck_of(number))
    return tuple(walk(VIEW, seats, number, options=options, leavers=number % 2 == 1))


def rounds(numbers: Iterable[int]) -> Iterator[tuple[Step, ...]]:
    """From deal to deal."""
    for number in numbers:
        yield from _rounds(match(number))


def _rounds(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    deals = [n for n, step in enumerate(steps) if any(isinstance(event, Dealt) for event in step.events)]
    for begins, ends in zip(deals, [*deals[1:], len(steps)], strict=True):
        yield steps[begins:ends]


def faces(thing: Any) -> frozenset[str]:
    """Every card whose face can be read in it."""
    return texts_in(thing) & _CARDS


def twins(steps: tuple[Step, ...], viewer: Viewer, luck: Random) -> Iterator[Pair]:
    """A round up to some moment once more, with the cards exchanged that this viewer has not been shown by then.

    Where hidden cards count, and the count would tell all of them another figure, the twin ends: there the rules
    themselves tell the two apart.
    """
    until = luck.randint(1, len(steps))
    steps = steps[:until]
    shown = faces([heard(redact, step.events, viewer) for step in steps])
    hidden = sorted(_CARDS - shown)
    swap = dict(zip(hidden, luck.sample(hidden, len(hidden)), strict=True))
    state = steps[0].before
    for step in steps:
        events = _again(state, step, swap)
        if any(isinstance(event, RoundOver) for event in events) and events != step.events:
            return
        after = fold(evolve, state, events)
        yield Pair(step.command.at, step.after, after, step.events, events)
        state = after


def _again(state: State, step: Step, swap: dict[str, str]) -> tuple[Event, ...]:
    def swapped(held: Cards) -> Cards:
        return sort([swap.get(card, card) for card in held])

    command = step.command
    match command.action:
        case LayOpening(card):
            action: Action = LayOpening(swap.get(card, card))
        case Deal(hands=hands, stock=stock):
            action = replace(command.action, hands=tuple(map(swapped, hands)), stock=swapped(stock))
        case Draw(card):
            action = replace(command.action, card=swap.get(card, card))
        case TimeOut():  # which card the House picks for who sleeps is as hidden as any
            return tuple(
                replace(event, cards=swapped(event.cards)) if isinstance(event, OpeningLaid) else event
                for event in step.events
            )
        case _:
            action = command.action
    return decide(state, Command(command.by, command.at, action))


def any_action(state: State, luck: Random) -> PlayerAction:
    """Well-formed, mostly wrong."""
    card = luck.choice((*luck.choice((PACK, *state.hands)), "AS"))
    kind = luck.choice(("lay_opening", "s_discard", "play", "s_draw", "s_decline", "accept_round"))
    said: dict[str, Any] = {"type": f"mogler.{kind}"}
    if kind in ("lay_opening", "s_discard", "play"):
        said["card"] = card
    action: PlayerAction = msgspec.convert(said, PlayerAction)
    return action
