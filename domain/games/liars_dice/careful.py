"""The careful bot: it knows the odds, tells the truth where it can, and doubts what it holds for a lie.

It knows its own dice, those that it handed on, what challenges showed, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.games.liars_dice.actions import (
    Accept,
    AcceptRound,
    Challenge,
    PlayerAction,
    Reroll,
    Say,
    TakeDice,
)
from domain.games.liars_dice.events import Challenged, Event, Stood, TokenLost
from domain.games.liars_dice.ladder import TOP, Dice, above, beats, best, makes
from domain.games.liars_dice.odds import best_keep, chance, chance_with_reroll, keeps
from domain.games.liars_dice.state import State, ToAnswer, ToClaim
from domain.kernel.cards import without
from domain.kernel.chance import Draw
from domain.kernel.game import Seat
from domain.kernel.offers import Offer, OneOf
from domain.kernel.seating import with_seat

HONEST: Final = 2.0  # a claim that can be true is so much rather made by whoever does not lie
DOUBTED: Final = 0.4  # how often a lie is called
LIES: Final = 3  # how many of the lowest rungs it lies with


class Watching(Struct, frozen=True):
    """``lies`` and ``truths``: by seat, how often its claims were shown to be that. ``handed``: the dice that this
    seat handed to whoever has them now (``dice_pass``)."""

    seat: Seat
    lies: tuple[int, ...]
    truths: tuple[int, ...]
    handed: Dice = ()


def begin(seat: int, seats: int) -> Watching:
    return Watching(Seat(seat), (0,) * seats, (0,) * seats)


def remember(memory: Watching, seen: State, event: Event) -> Watching:
    match event:
        case Challenged(_, seat, stands=True):
            return replace(memory, truths=with_seat(memory.truths, seat, memory.truths[seat] + 1))
        case Challenged(_, seat):
            return replace(memory, lies=with_seat(memory.lies, seat, memory.lies[seat] + 1))
        case Stood(_, seat):
            kept = seen.dice if seat == memory.seat and seen.options.dice_pass else ()
            return replace(memory, handed=kept)
        case TokenLost():
            return replace(memory, handed=())
        case _:
            return memory


def choose(memory: Watching, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    by_type = {offer.type: offer for offer in offers}
    match seen.phase:
        case ToClaim() as phase if "liars_dice.claim" in by_type:
            return _turn(seen, phase, by_type, luck)
        case ToAnswer() as phase if "liars_dice.challenge" in by_type:
            return _answer(memory, seen, phase, by_type)
        case _:
            return AcceptRound() if "liars_dice.accept_round" in by_type else None


def _answer(memory: Watching, seen: State, phase: ToAnswer, by_type: dict[str, Offer]) -> PlayerAction | None:
    (claim_id,) = to_answer(by_type["liars_dice.challenge"])
    asked = "liars_dice.accept" in by_type
    if asked and lie(memory, seen, phase) > _threshold(memory, seen, phase):
        return Challenge(claim_id)
    if "liars_dice.take_dice" in by_type:
        return TakeDice(claim_id)
    return Accept(claim_id) if asked else None


def to_answer(offer: Offer) -> tuple[int, ...]:
    bound = offer.fields["claim_id"]
    assert isinstance(bound, OneOf)
    return tuple(int(claim_id) for claim_id in bound.one_of)


def lie(memory: Watching, seen: State, phase: ToAnswer) -> float:
    """How probably the open claim is a lie, by the odds and by what is known of who made it."""
    seat = phase.window.seat
    true = _true(memory, seen, phase)
    trust = HONEST * (1 + memory.truths[seat]) / (1 + memory.lies[seat])
    return (1 - true) / (1 - true + true * trust)


def _true(memory: Watching, seen: State, phase: ToAnswer) -> float:
    """The odds, of fresh dice, of dice that it knew before some were thrown anew, and of dice handed on by others."""
    claim, thrown = phase.claim, seen.thrown
    if memory.handed and not thrown:
        return float(makes(memory.handed, claim))
    if memory.handed:
        kept = (dice for dice in keeps(memory.handed) if len(dice) == len(seen.dice) - thrown)
        return max(chance(claim, dice) for dice in kept)
    return chance_with_reroll(claim) if seen.options.dice_pass else chance(claim)


def _threshold(memory: Watching, seen: State, phase: ToAnswer) -> float:
    """A token of one's own is worth as much as one of each of the others; who is next must else beat the claim."""
    others = len(seen.playing) - 1
    if phase.follows != memory.seat:
        return others / (others + 1)
    if phase.claim == TOP:
        return -1.0  # it will be held to have doubted anyway
    beaten = chance(above(phase.claim)[0])
    return (1 - (1 - beaten) * DOUBTED) * others / (others + 1)


def _turn(seen: State, phase: ToClaim, by_type: dict[str, Offer], luck: Draw) -> PlayerAction:
    made, lowest = best(seen.dice), above(phase.turn.beats)
    if beats(made, phase.turn.beats):
        return Say(made)
    if "liars_dice.reroll" in by_type:
        return Reroll(without(seen.dice, best_keep(seen.dice, lowest[0])))
    return Say(luck.pick(lowest[:LIES]))
