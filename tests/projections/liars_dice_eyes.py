"""A match of Liar's Dice through all eyes at once, and its twin that differs only in dice that one viewer never saw."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.games.liars_dice.actions import Action, PlayerAction, Reroll, Roll
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import Challenged, DiceTaken, RerollAsked, Rerolled, Rolled
from domain.games.liars_dice.evolve import evolve
from domain.games.liars_dice.ladder import DICE, LADDER, Dice
from domain.games.liars_dice.odds import FACES
from domain.games.liars_dice.options import LiarsDiceOptions
from domain.games.liars_dice.state import State
from domain.kernel.game import Command, fold
from domain.kernel.scoring import Mode
from projections.views.liars_dice import LIARS_DICE_VIEW
from projections.views.seam import Viewer
from tests.any_game import Step, walk
from tests.projections.secrecy import Pair

_OF_A_CUP: Final = (Rolled, DiceTaken, Rerolled)
NUMBERS: Final = range(36)


@cache
def match(number: int) -> tuple[Step, ...]:
    """Dice are handed on in every second one; two to six seats. Doubts are rare, so that much stays hidden."""
    mode = Mode.BEST_OF if number % 4 > 1 else Mode.SINGLE
    options = LiarsDiceOptions(dice_pass=number % 2 == 1, mode=mode, max_turns=25 + number)
    return tuple(
        walk(LIARS_DICE_VIEW, 2 + number % 5, number, options=options, leavers=number % 3 == 0, doubt=4 + number)
    )


class Die(Struct):
    """One die from one throw until it is thrown again or gone. ``other``: what it shows in the twin."""

    face: str
    other: str


def twins(steps: tuple[Step, ...], viewer: Viewer, luck: Random) -> Iterator[Pair]:
    """The match once more, each die showing another face where this viewer has no right to see it.

    Who may see which die is said here once more, by the rules (12.2 to 12.4) and not by ``redact``.
    """
    throws, renamed = _others(steps, viewer, luck)
    state: State = steps[0].before
    for number, step in enumerate(steps):
        command = step.command
        match command.action:
            case Roll():
                action: Action = replace(command.action, thrown=tuple(die.other for die in throws[number]))
            case Reroll():
                action = Reroll(tuple(die.other for die in renamed[number]))
            case _:
                action = command.action
        events = decide(state, Command(command.by, command.at, action))
        after = fold(evolve, state, events)
        yield Pair(command.at, step.after, after, step.events, events)
        state = after


def _others(steps: tuple[Step, ...], viewer: Viewer, luck: Random) -> tuple[dict[int, list[Die]], dict[int, list[Die]]]:
    """By step: the dice that the House throws there, and those that a seat puts back."""
    throws: dict[int, list[Die]] = {}
    renamed: dict[int, list[Die]] = {}
    cup: list[Die] = []
    for number, step in enumerate(steps):
        if isinstance(step.command.action, Roll):
            throws[number] = [Die(face, luck.choice(FACES)) for face in step.command.action.thrown]
        for event in step.events:
            match event:
                case Rolled():
                    cup = list(throws[number])
                case Rerolled():
                    cup = [*cup, *throws[number]]
                case RerollAsked(_, dice):
                    renamed[number] = _put_back(cup, dice)
                case _:
                    pass
            if isinstance(event, Challenged) or (isinstance(event, _OF_A_CUP) and event.seat == viewer):
                for die in cup:
                    die.other = die.face
    return throws, renamed


def _put_back(cup: list[Die], dice: Dice) -> list[Die]:
    back = []
    for face in dice:
        die = next(die for die in cup if die.face == face)
        cup.remove(die)
        back.append(die)
    return back


def any_action(state: State, luck: Random) -> PlayerAction:
    """Well-formed, mostly wrong."""
    claim_id = max(0, state.claims - luck.randint(0, 2))
    said: list[dict[str, Any]] = [
        {"type": "liars_dice.claim", "claim": luck.choice(LADDER)},
        {"type": "liars_dice.reroll", "dice": luck.choices(FACES, k=luck.randint(1, DICE))},
        {"type": "liars_dice.take_dice", "claim_id": claim_id},
        {"type": "liars_dice.challenge", "claim_id": claim_id},
        {"type": "liars_dice.accept", "claim_id": claim_id},
        {"type": "liars_dice.accept_round"},
    ]
    action: PlayerAction = msgspec.convert(luck.choice(said), PlayerAction)
    return action
