"""The House's luck: who begins, and what the dice show. Rules: RULES.md 2, 13."""

from __future__ import annotations

from collections import Counter

from domain.games.liars_dice.actions import BeginRound, Roll
from domain.games.liars_dice.events import Event, Rerolled, Rolled, RoundBegan
from domain.games.liars_dice.ladder import DICE
from domain.games.liars_dice.options import LiarsDiceOptions
from domain.games.liars_dice.state import StackedDice, State, ToReroll
from domain.kernel.chance import Luck
from domain.kernel.dealing import check_seat
from domain.kernel.seating import next_of


def begin_round(state: State, chance: Luck) -> BeginRound:
    """The first starter is drawn by lot; then it is the next seat's turn to begin (2.1)."""
    drawn = chance.draw(state.draws).pick(state.present)
    if state.starter is not None:
        return BeginRound(next_of(state.present, state.starter), state.draws)
    return BeginRound(drawn if state.first is None else state.first, state.draws)


def roll(state: State, chance: Luck) -> Roll:
    """As many dice as are in the cup; those of a sandbox match first."""
    count = len(state.phase.dice) if isinstance(state.phase, ToReroll) else DICE
    stacked = state.stacked[:count]
    thrown = chance.draw(state.draws).dice(count - len(stacked))
    return Roll((*stacked, *map(str, thrown)), state.draws)


def drawn(state: State, event: Event) -> tuple[object, ...]:
    """What luck gave: the starter, or the dice that the House threw."""
    match event, state.phase:
        case RoundBegan(starter=starter), _:
            return (starter,)
        case Rolled(dice=dice), _:
            thrown = Counter(dice)
        case Rerolled(dice=dice), ToReroll(dice=again):
            thrown = Counter(dice) - (Counter(state.dice) - Counter(again))
        case _:
            return ()
    return tuple(map(int, (thrown - Counter(state.stacked[: thrown.total()])).elements()))


def check_deal(options: LiarsDiceOptions, seats: int, deal: StackedDice) -> None:
    """Raises BadDeal for a starter that has no seat; the shape of the dice is checked when it is decoded."""
    check_seat(deal.starter, seats, "starter")
