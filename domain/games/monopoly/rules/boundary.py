"""Where a turn is officially over: rents lapse, and cheats that survived are announced. RULES.md 2.4, 6.8, 6.9."""

from __future__ import annotations

from typing import Final

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import SoldOut, Succeeded
from domain.games.monopoly.rules import undoing
from domain.games.monopoly.rules.money import from_pot, refill
from domain.games.monopoly.state import POT, Attempt, State, free_streets, hotels_left, purse
from domain.kernel.game import seconds
from domain.kernel.ledger import net

FREE_KINDS: Final = (
    "take_tray",
    "take_player",
    "wrong_move",
    "skip_payment",
    "hotel_on",
    "hotel_off",
    "take_deed",
)


def settle_all(course: Course, *, last: bool = False) -> None:
    """In the order in which they were made: the first on a card wins it; what is too young waits for the next
    boundary, unless this is the ``last`` one, and so does a hotel that was put and has no room on the board yet."""
    won: set[str] = set()
    for attempt in _in_order(course.state):
        age = course.at - attempt.slip.since
        if age < seconds(course.state.options.min_catch) and not last:
            continue
        if attempt.seat not in course.state.attempts:
            continue
        attempt = course.state.attempts[attempt.seat]  # its card may have left the table just now
        card = attempt.slip.card
        if card in won or _came_to_nothing(course.state, attempt):
            undoing.silently(course, attempt)
            continue
        if attempt.slip.effect.hotel_on is not None and hotels_left(course.state) < 1:
            continue
        _succeed(course, attempt)
        if card is not None and card not in FREE_KINDS:
            won.add(card)
    sold_out(course)


def _in_order(state: State) -> list[Attempt]:
    """As they were made; more hotels than there is room for come last, when those that are gone have made some."""
    put = sum(attempt.slip.effect.hotel_on is not None for attempt in state.attempts.values())
    crowded = put > hotels_left(state)
    return sorted(
        state.attempts.values(),
        key=lambda attempt: (crowded and attempt.slip.effect.hotel_on is not None, attempt.slip.since),
    )


def _came_to_nothing(state: State, attempt: Attempt) -> bool:
    """A false demand that nobody paid; an escape from where one is no more."""
    effect = attempt.slip.effect
    if attempt.slip.card in ("overcharge", "squatter"):
        return effect.debt_id not in state.false_paid
    return effect.cuff_off and state.prisoner != attempt.seat


def _succeed(course: Course, attempt: Attempt) -> None:
    card, seat, effect = attempt.slip.card, attempt.seat, attempt.slip.effect
    refill(course, max(0, -net(effect.moved, POT)))  # what was stolen leaves the announced pot now
    if card is None or card in FREE_KINDS:
        course.tell(Succeeded(None, None, effect, (), leaves=False))
        return
    reward = 0 if attempt.orphaned else course.state.data.cheat[card].reward.cash
    moved = from_pot(course, purse(seat), reward, "reward") if reward else ()
    course.tell(Succeeded(seat, card, effect, moved, leaves=not attempt.orphaned))


def sold_out(course: Course) -> None:
    """Latched when the last street finds an owner (10.1)."""
    if not course.state.sold_out and not free_streets(course.state):
        course.tell(SoldOut())
