"""A match of Cheat through all eyes at once, and its twin that differs only in what one viewer cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.games.cheat.actions import Action, Deal, Draw, Play, PlayerAction, TimeOut
from domain.games.cheat.dealing import pack
from domain.games.cheat.decider import decide, lay
from domain.games.cheat.events import Claimed, Event
from domain.games.cheat.evolve import evolve
from domain.games.cheat.state import InTurn, StackedDeal, State
from domain.kernel.cards import PACK, Cards, cards, sort
from domain.kernel.game import Command, fold
from projections.views.cheat import CHEAT_VIEW, redact
from projections.views.seam import Viewer
from tests.any_game import Step, texts_in, walk
from tests.domain.cheat.walks import every_combination
from tests.projections.secrecy import Pair, heard

_CARDS: Final = frozenset((*PACK, "**"))

STACKED: Final = StackedDeal(
    (cards("QS 7H 2C AS 9D"), cards("KD 9C 2H 3S 4C"), cards("4S 4H 2S 6D 7C")), dealer=2, stock=cards("5C 5D 5H 8C")
)
COMBINATIONS: Final = tuple(every_combination(max_turns=25))


@cache
def match(number: int) -> tuple[Step, ...]:
    """Every fourth has a stacked deal. Doubts are rare, so that much stays hidden."""
    options = COMBINATIONS[number]
    stacked = options.hand == "fixed7" and number % 2 == 0
    return tuple(
        walk(
            CHEAT_VIEW,
            3 if stacked else 3 + number % 4,
            number,
            options=options,
            deal=STACKED if stacked else None,
            leavers=number % 2 == 0,
            doubt=25 if number % 3 else 6,
        )
    )


def faces(thing: Any) -> frozenset[str]:
    """Every card whose face can be read in it."""
    return texts_in(thing) & _CARDS


def twins(steps: tuple[Step, ...], viewer: Viewer, luck: Random) -> Iterator[Pair]:
    """The match once more, with the cards that this viewer is never shown exchanged among each other."""
    shown = faces([heard(redact, step.events, viewer) for step in steps])
    start = steps[0].before
    hidden = sorted({*pack(start.options, start.seats)} - shown)
    other = luck.sample(hidden, len(hidden))
    swap = dict(zip(hidden, other, strict=True))
    state = start
    for step in steps:
        events = _again(state, step, swap)
        after = fold(evolve, state, events)
        yield Pair(step.command.at, step.after, after, step.events, events)
        state = after


def _again(state: State, step: Step, swap: dict[str, str]) -> tuple[Event, ...]:
    def swapped(held: Cards) -> Cards:
        return sort(swap.get(card, card) for card in held)

    command = step.command
    match command.action:
        case Play(laid, rank):
            action: Action = Play(swapped(laid), rank)
        case Deal(hands=hands, stock=stock, away=away):
            action = replace(command.action, hands=tuple(map(swapped, hands)), stock=swapped(stock), away=swapped(away))
        case Draw(drawn, from_pile):
            action = replace(command.action, cards=swapped(drawn), from_pile=swapped(from_pile))
        case TimeOut():  # the House lays for who sleeps: which card it is stays as hidden as any
            (claim,) = step.events
            assert isinstance(claim, Claimed)
            assert isinstance(state.phase, InTurn)
            return lay(state, state.phase, command.at, swapped(claim.cards), claim.rank)
        case _:
            action = command.action
    return decide(state, Command(command.by, command.at, action))


def any_action(state: State, luck: Random) -> PlayerAction:
    """Well-formed, mostly wrong."""
    deck = pack(state.options, state.seats)
    claim_id = max(0, state.claims - luck.randint(-1, 3))
    proposal_id = max(0, state.proposals - luck.randint(0, 2))
    rank = luck.choice((None, *"A23456789TJQK"))
    hand = luck.choice(state.hands) or deck
    said: list[dict[str, Any]] = [
        {"type": "cheat.play", "cards": luck.sample(deck, luck.randint(1, 4)), "rank": rank},
        {"type": "cheat.play", "cards": luck.sample(hand, min(len(hand), luck.randint(1, 4))), "rank": rank},
        {"type": "cheat.play", "cards": hand[:1]},
        {"type": "cheat.challenge", "claim_id": claim_id},
        {"type": "cheat.accept", "claim_id": claim_id},
        {"type": "cheat.pass"},
        {"type": "cheat.propose_pass"},
        {"type": "cheat.consent_pass", "proposal_id": proposal_id},
        {"type": "cheat.refuse_pass", "proposal_id": proposal_id},
        {"type": "cheat.accept_round"},
    ]
    action: PlayerAction = msgspec.convert(luck.choice(said), PlayerAction)
    return action
