"""Start money, the first five cheat cards, and who throws highest. RULES.md 1."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from domain.games.monopoly.actions import DrawCard, SetUp, Throw, TurnUp
from domain.games.monopoly.course import Course
from domain.games.monopoly.data import CURRENT
from domain.games.monopoly.events import CardDrawn, CardsTurned, Event, SetUpDone, Threw
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.phases import MonopolyTurn, ToDraw, ToRoll, ToSetUp
from domain.games.monopoly.state import POT, StackedTable, State, purse
from domain.kernel.chance import Luck
from domain.kernel.dealing import check_from, check_seat
from domain.kernel.game import BadDeal, Refused, Seat
from domain.kernel.ledger import Movement
from domain.kernel.reasons import Reason
from domain.kernel.windows import turn_until

START_MONEY: Final = 1_500
OPEN_CHEATS: Final = 5
TWO_DICE: Final = range(2, 13)


def plan(state: State, chance: Luck) -> SetUp:
    """All throw; who ties throws again (1.6)."""
    luck, stacked = chance.draw(state.draws), state.stacked
    throws: list[tuple[int, ...]] = []
    among = list(state.playing)
    while len(among) > 1:
        thrown = {seat: sum(luck.dice(2)) for seat in among}
        throws.append(tuple(thrown.get(Seat(seat), 0) for seat in range(state.seats)))
        highest = max(thrown.values())
        among = [seat for seat in among if thrown[seat] == highest]
    wanted = () if stacked is None else stacked.cheats
    cheats = (*wanted, *luck.shuffled(card for card in state.cheats.stack if card not in wanted))[:OPEN_CHEATS]
    if stacked is not None and stacked.first is not None and Seat(stacked.first) in state.playing:
        return SetUp((), Seat(stacked.first), cheats, state.draws)
    return SetUp(tuple(throws), among[0], cheats, state.draws)


def set_up(course: Course, plan: SetUp) -> None:
    state, at = course.state, course.at
    if not isinstance(state.phase, ToSetUp):
        raise Refused(Reason.NOT_NOW)
    moved = tuple(Movement(POT, purse(seat), START_MONEY, "start") for seat in state.playing)
    phase = ToRoll(True, at, turn_until(state.pace, at, at))
    turn = MonopolyTurn(1, plan.first)
    course.tell(SetUpDone(state.data_hash, plan.throws, plan.cheats, moved, turn, phase, plan.draw))


def throw(state: State, chance: Luck) -> Throw:
    if state.stacked is not None and state.throws < len(state.stacked.dice):
        return Throw(state.stacked.dice[state.throws], state.draws)
    first, second = chance.draw(state.draws).dice(2)
    return Throw((first, second), state.draws)


def turn_up(state: State, chance: Luck) -> TurnUp:
    """In the place of those that left the table."""
    count = OPEN_CHEATS - len(state.open_cheats)
    wanted = () if state.stacked is None else state.stacked.cheats
    first = [card for card in wanted if card in state.cheats.stack]
    stack = [card for card in state.cheats.stack if card not in first]
    order = (*first, *chance.draw(state.draws).shuffled(stack), *state.cheats.under)
    return TurnUp(order[:count], state.draws)


def draw_card(state: State, chance: Luck) -> DrawCard:
    """Any of the stack, then what lies under it, in order; all of it after the sixteenth draw (8.8)."""
    assert isinstance(state.phase, ToDraw)
    name = state.phase.deck
    deck = state.decks[name]
    stack, under = deck.stack, deck.under
    if deck.draws >= len(state.data.decks[name]):
        stack, under = tuple(sorted((*stack, *under))), ()
    wanted: tuple[str, ...] = ()
    if state.stacked is not None:
        wanted = state.stacked.chance if name == "chance" else state.stacked.chest
    if deck.draws < len(wanted) and wanted[deck.draws] in stack:
        return DrawCard(wanted[deck.draws], state.draws)
    return DrawCard(chance.draw(state.draws).pick(stack) if stack else under[0], state.draws)


def drawn(state: State, event: Event) -> tuple[object, ...]:
    """What luck gave, in the order in which the House asks for it. Of the throws for the first turn only sums are on
    record, and any dice with that sum will do; behind a sum that two dice never have nothing is worth a look."""
    match event:
        case SetUpDone(throws=throws, cheats=cheats):
            sums = takewhile(TWO_DICE.__contains__, (thrown for once in throws for thrown in once if thrown))
            return (*(die for thrown in sums for die in (max(1, thrown - 6), min(6, thrown - 1))), *cheats)
        case Threw(dice=dice):
            return dice
        case CardsTurned(cards=cards):
            return cards
        case CardDrawn(card=card):
            return (card,)
        case _:
            return ()


def check_deal(options: MonopolyOptions, seats: int, deal: StackedTable) -> None:
    """Raises BadDeal for luck that no table could have."""
    check_seat(deal.first, seats, "first")
    for name, cards in (("chance", deal.chance), ("chest", deal.chest)):
        known = {card.id for card in CURRENT.decks["chance" if name == "chance" else "chest"]}
        if unknown := sorted({*cards} - known):
            raise BadDeal("not_among", field=name, cards=" ".join(unknown))
    check_from(CURRENT.cheat, deal.cheats)
