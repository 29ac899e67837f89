"""Attempts that come to nothing without anybody hearing of it. RULES.md 6.9, 6.10."""

from __future__ import annotations

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import Spent, Undone
from domain.games.monopoly.rules.money import charge, from_pot, move
from domain.games.monopoly.state import POT, Attempt, cash, deed, eyes, purse, seat_of, true_hotels_left
from domain.games.monopoly.things import Cause
from domain.kernel.game import Seat
from domain.kernel.ledger import Account, net


def silently(course: Course, attempt: Attempt, *, owed: bool = True) -> None:
    """Told to whoever did it, who saw it, who looks on now, and whose money is there again after he missed it."""
    state, effect, cheater = course.state, attempt.slip.effect, attempt.seat
    victims = [seat_of(movement.from_) for movement in effect.moved]
    zones = {purse(cheater), *("tray" if m.from_ == POT else m.from_ for m in effect.moved)}
    told = {cheater, *attempt.witnesses, *eyes(state, zones)}
    told |= {victim for victim in victims if victim is not None and state.learned[victim] < 0}
    creditor, spent = missing(course, attempt)
    course.tell(Undone(cheater, effect, tuple(sorted(told))))
    if owed:
        charge(course, cheater, creditor, spent, Cause.MISSING)


def missing(course: Course, attempt: Attempt) -> tuple[Account, int]:
    """What of the loot is not there any more: it cannot be undone, and is announced. To whom it is owed, and how much
    (6.10)."""
    effect, account = attempt.slip.effect, purse(attempt.seat)
    if effect.hotel_off is not None:
        return _missing_hotel(course, attempt.seat, effect.hotel_off)
    spent = max(0, net(effect.moved, account) - max(0, cash(course.state, account)))
    if not spent:
        return account, 0
    source = effect.moved[0].from_
    gone = from_pot(course, account, spent, Cause.MISSING) if source == POT else ()
    course.tell(Spent(attempt.seat, gone or move(source, account, spent, Cause.MISSING)))
    return source, spent


def _missing_hotel(course: Course, cheater: Seat, street: str) -> tuple[Account, int]:
    """One that lay in the tray, was built elsewhere, and left none to put back."""
    state = course.state
    if true_hotels_left(state) > 0:
        return POT, 0
    course.tell(Spent(cheater, (), street))
    owner = state.owners.get(street)
    return POT if owner is None else purse(owner), deed(state, street).hotel_price


def lapse_escape(course: Course, seat: Seat) -> None:
    """He is free by other means: his attempt to escape lapses."""
    attempt = course.state.attempts.get(seat)
    if attempt is not None and attempt.slip.effect.cuff_off:
        silently(course, attempt)


def void_tokens(course: Course, seat: Seat) -> None:
    """A token that is moved by an announced act stands where it was put: what was done with it silently is void."""
    for attempt in tuple(course.state.attempts.values()):
        effect = attempt.slip.effect
        if effect.token is not None and seat in (effect.token, attempt.seat):
            silently(course, attempt)


def void_deeds(course: Course, *streets: str) -> None:
    """A deed that is handed over by an announced act lies with its new owner."""
    for attempt in tuple(course.state.attempts.values()):
        if any(street in streets for street, _ in attempt.slip.effect.deeds):
            silently(course, attempt)


def void_hotel(course: Course, street: str) -> None:
    """Where a hotel is announced, one that was put silently is not needed."""
    for attempt in tuple(course.state.attempts.values()):
        if attempt.slip.effect.hotel_on == street:
            silently(course, attempt)
