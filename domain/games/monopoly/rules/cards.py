"""Chance and Community Chest: drawn, read out, kept, used, put back. RULES.md 8."""

from __future__ import annotations

from domain.games.monopoly.course import Course
from domain.games.monopoly.data import (
    Back,
    Card,
    Cash,
    Contest,
    DeckName,
    Each,
    GoTo,
    HalveRent,
    NextStation,
    PerHotel,
    SendToJail,
    SwapTokens,
    ToJail,
)
from domain.games.monopoly.events import CardDrawn, CardKept, CardRead, CardReturned, CardUsed, Halved, Moved
from domain.games.monopoly.phases import Done, Resolving, ToChoose, ToDraw, ToRead, ToRoll
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import jail, movement, undoing
from domain.games.monopoly.rules.money import from_pot, owe
from domain.games.monopoly.state import (
    POT,
    State,
    believed,
    busy,
    clockwise,
    debt_of,
    eyes,
    purse,
    streets_of,
    until,
)
from domain.games.monopoly.things import Cause, How, MonopolySlip
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time

RESHUFFLE_AFTER = 16


def choose_deck(course: Course, by: Seat, deck: DeckName) -> None:
    state = course.state
    if by != state.turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    if not isinstance(state.phase, ToChoose):
        raise Refused(Reason.NOT_NOW)
    if busy(state):
        raise Refused(MonopolyReason.BUSY)
    in_time(course.at, state.phase.until)
    course.come_to(ToDraw(deck))


def draw(course: Course, card: str, k: int) -> None:
    state = course.state
    if not isinstance(state.phase, ToDraw):
        raise Refused(Reason.NOT_NOW)
    deck = state.phase.deck
    reshuffled = state.decks[deck].draws >= RESHUFFLE_AFTER
    course.tell(CardDrawn(state.turn.seat, deck, card, reshuffled, k))
    course.come_to(ToRead(deck, until(state, course.at)))


def reading(course: Course, by: Seat) -> tuple[ToRead, Card]:
    """The drawer, with the card that he alone knows."""
    state = course.state
    if by != state.turn.seat:
        raise Refused(Reason.NOT_YOUR_TURN)
    if not isinstance(state.phase, ToRead) or state.drawn is None:
        raise Refused(Reason.NOT_NOW)
    if busy(state):
        raise Refused(MonopolyReason.BUSY)
    in_time(course.at, state.phase.until)
    return state.phase, state.data.cards[state.drawn]


def use(
    course: Course, by: Seat, card_id: str, target: Seat | None, other: Seat | None, debt_id: int | None, bribe: bool
) -> None:
    """The card just drawn, or one that is held."""
    state = course.state
    reads = isinstance(state.phase, ToRead) and state.turn.seat == by and state.drawn == card_id
    if reads and state.data.cards[card_id].kind == "now":
        phase, card = reading(course, by)
        if bribe and (not isinstance(card.effect, Contest) or believed(state, by) < card.effect.bribe):
            raise Refused(MonopolyReason.CARD_NOT_USABLE)
        read_out(course, by, phase.deck, card.id, card.id, bribe=bribe)
        return
    if card_id not in state.kept[by].values() and not reads:
        raise Refused(MonopolyReason.NO_SUCH_CARD)
    if not usable(state, by, card_id, target, other, debt_id) or bribe:
        raise Refused(MonopolyReason.CARD_NOT_USABLE)
    deck = state.data.deck_of[card_id]
    if reads:
        phase, _ = reading(course, by)
        course.tell(CardRead(by, phase.deck, card_id, card_id, False, (), None, eyes(state, (purse(by),))))
        course.come_to(Resolving())
    else:
        own_turn(course, by)
        course.tell(CardUsed(by, deck, card_id))
        if isinstance(state.phase, ToRead) and state.drawn is not None and not _halves(state, card_id):
            course.tell(CardKept(by, deck, state.drawn))
            course.come_to(Resolving())
    _use_held(course, card_id, target, other, debt_id)


def own_turn(course: Course, by: Seat) -> None:
    """Held cards wait for a deadline of the own turn only."""
    phase = course.state.phase
    if course.state.turn.seat == by and isinstance(phase, ToRoll | Done | ToRead) and not busy(course.state):
        in_time(course.at, phase.until)


def usable(state: State, by: Seat, card_id: str, target: Seat | None, other: Seat | None, debt_id: int | None) -> bool:
    """Whether a card that may be held can be used so, now (8.5)."""
    if state.prisoner == by:
        return False
    in_own_turn = state.turn.seat == by and isinstance(state.phase, ToRoll | Done | ToRead) and not busy(state)
    if isinstance(state.phase, ToRead) and in_own_turn:  # one of two that may be held
        drawn = None if state.drawn is None else state.data.cards.get(state.drawn)
        in_own_turn = drawn is not None and drawn.kind == "keep" and state.data.deck_of[card_id] == state.phase.deck
    match state.data.cards[card_id].effect:
        case SendToJail():
            return in_own_turn and debt_id is other is None and target in movable(state, by)
        case SwapTokens():
            both = movable(state, by)
            return in_own_turn and debt_id is None and target in both and other in both and target != other
        case HalveRent():
            debt = None if debt_id is None else debt_of(state, debt_id)
            rent = debt is not None and debt.binding and debt.cause is Cause.RENT and debt.debtor == by
            return rent and target is other is None
        case _:
            return False


def _halves(state: State, card_id: str) -> bool:
    return isinstance(state.data.cards[card_id].effect, HalveRent)


def movable(state: State, by: Seat) -> tuple[Seat, ...]:
    """Others whose token a card may move: neither parked nor jailed (8.5, 8.6)."""
    return tuple([seat for seat in state.walking if seat not in (by, state.prisoner)])


def _use_held(course: Course, card_id: str, target: Seat | None, other: Seat | None, debt_id: int | None) -> None:
    state = course.state
    match state.data.cards[card_id].effect:
        case SendToJail() if target is not None:
            jail.send(course, target)
        case SwapTokens() if target is not None and other is not None:
            squares = state.tokens[target], state.tokens[other]
            undoing.void_tokens(course, target)
            undoing.void_tokens(course, other)
            course.tell(Moved(target, squares[1], How.SWAP, (), False, None, ()))
            course.tell(Moved(other, squares[0], How.SWAP, (), False, None, ()))
        case HalveRent() if debt_id is not None:
            debt = debt_of(state, debt_id)
            assert debt is not None
            course.tell(Halved(debt_id, half(debt.amount)))
        case _:
            raise Refused(MonopolyReason.CARD_NOT_USABLE)


def half(amount: int) -> int:
    """In notes where the whole is in notes, rounded up (8.7)."""
    step = 10 if amount % 10 == 0 else 1
    return -(-amount // (2 * step)) * step


def held_too(state: State, by: Seat, deck: DeckName) -> bool:
    return deck in state.kept[by]


def keep(course: Course, by: Seat) -> None:
    phase, card = reading(course, by)
    if card.kind == "now":
        raise Refused(MonopolyReason.CARD_MUST_BE_READ)
    if held_too(course.state, by, phase.deck):
        raise Refused(MonopolyReason.CARD_LIMIT)
    course.tell(CardKept(by, phase.deck, card.id))
    course.come_to(Resolving())


def give_back(course: Course, by: Seat, card_id: str) -> None:
    """Of two of one deck, one goes back under it (8.4)."""
    phase, drawn = reading(course, by)
    held = course.state.kept[by].get(phase.deck)
    if drawn.kind == "now" or held is None:
        raise Refused(MonopolyReason.CARD_MUST_BE_READ)
    if card_id not in (drawn.id, held):
        raise Refused(MonopolyReason.NO_SUCH_CARD)
    course.tell(CardReturned(by, phase.deck, card_id, held=card_id == held))
    course.come_to(Resolving())


def read_out(
    course: Course,
    by: Seat,
    deck: DeckName,
    drawn: str,
    announced: str,
    *,
    bribe: bool = False,
    slip: MonopolySlip | None = None,
) -> None:
    """What is announced happens, on the announced board."""
    state, effect = course.state, course.state.data.cards[announced].effect
    match effect:
        case Cash(amount) if amount > 0:
            moved = from_pot(course, purse(by), amount, Cause.CARD)
        case Contest(amount) if not bribe:
            moved = from_pot(course, purse(by), amount, Cause.CARD)
        case Contest(_, _, prize):
            moved = from_pot(course, purse(by), prize, Cause.CARD)
        case _:
            moved = ()
    seen = tuple(sorted({by, *eyes(state, (purse(by),))}))  # the face of a card that is read out
    course.tell(CardRead(by, deck, announced, drawn, bribe, moved, slip, seen))
    course.come_to(Resolving())
    match effect:
        case GoTo(square):
            movement.go_to(course, by, square)
        case NextStation():
            distance = movement.next_station(state, state.tokens[by])
            movement.walk(course, by, distance, How.CARD)
        case Back(squares):
            movement.back(course, by, squares)
        case ToJail():
            jail.send(course, by)
        case Contest(_, cost) if bribe:
            owe(course, by, POT, cost, Cause.CARD)
        case _:
            fine(course, by, announced)


def fine(course: Course, by: Seat, card_id: str) -> None:
    """What a card makes somebody owe; debts of one cause come clockwise from the left (9.1)."""
    match course.state.data.cards[card_id].effect:
        case Cash(amount) if amount < 0:
            owe(course, by, POT, -amount, Cause.CARD)
        case PerHotel(amount):
            owe(course, by, POT, amount * own_hotels(course.state, by), Cause.CARD)
        case Each(amount) if amount < 0:
            for other in clockwise(course.state, by):
                owe(course, by, purse(other), -amount, Cause.CARD)
        case Each(amount):
            for other in clockwise(course.state, by):
                owe(course, other, purse(by), amount, Cause.CARD)
        case _:
            pass


def own_hotels(state: State, seat: Seat) -> int:
    return sum(street in state.hotels for street in streets_of(state, seat))


def bank_money(state: State, seat: Seat, card_id: str) -> int | None:
    """What a card moves between the bank and its reader (negative: to the bank); None: it does something else."""
    match state.data.cards[card_id].effect:
        case Cash(amount):
            return amount
        case PerHotel(amount):
            return -amount * own_hotels(state, seat)
        case Contest(amount):
            return amount
        case _:
            return None
