"""Paying: from the pot, to it, among seats; and what happens when the money is not there. RULES.md 3, 9."""

from __future__ import annotations

from typing import Final

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import DebtArose, FellShort, Paid, PotRefilled
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import (
    POT,
    RESERVE,
    announced_pot,
    believed,
    cash,
    debt_of,
    eyes,
    first_debt,
    landing_of,
    purse,
    seat_of,
    until,
)
from domain.games.monopoly.things import Cause, MonopolyDebt, MonopolySlip, Moved_, What
from domain.kernel.game import Refused, Seat
from domain.kernel.ledger import Account, Movement
from domain.kernel.windows import in_time

REFILL: Final = 5_000
FLOOR: Final = 3_000  # six open attempts of 500 never find the pot empty, so that a refill tells nothing of them


def move(source: Account, to: Account, amount: int, why: str) -> Moved_:
    return (Movement(source, to, amount, why),) if amount and source != to else ()


def from_pot(course: Course, to: Account, amount: int, why: str) -> Moved_:
    """What the bank pays."""
    refill(course, amount)
    return move(POT, to, amount, why)


def refill(course: Course, amount: int) -> None:
    """Before the pot would run low, the reserve fills it up (9.9)."""
    while announced_pot(course.state) - amount < FLOOR:
        course.tell(PotRefilled(move(RESERVE, POT, REFILL, "refill")))


def owe(course: Course, debtor: Seat, creditor: Account, amount: int, cause: Cause) -> None:
    """A debt that its seat pays itself."""
    state = course.state
    if amount > 0 and debtor in state.playing and purse(debtor) != creditor:
        due = until(state, course.at)
        course.tell(DebtArose(MonopolyDebt(state.debt_ids, debtor, creditor, amount, cause, due)))


def charge(course: Course, debtor: Seat, creditor: Account, amount: int, cause: Cause) -> None:
    """Taken at once, where the money is there; else a debt, and streets must be sold for it."""
    state = course.state
    if amount <= 0 or debtor not in state.playing or purse(debtor) == creditor:
        return
    there = cash(state, purse(debtor))
    if there >= amount:
        course.tell(Paid(debtor, None, move(purse(debtor), creditor, amount, cause), there - amount, None, ()))
        return
    due = until(state, course.at)
    course.tell(DebtArose(MonopolyDebt(state.debt_ids, debtor, creditor, amount, cause, due, short=True)))


def settle(course: Course, by: Seat, debt_id: int, *, slip: MonopolySlip | None = None, in_hand: int = 0) -> None:
    """Pays a debt, or a demand as it was made. ``slip``: in truth ``in_hand`` less of it."""
    debt = _own(course, by, debt_id)
    state, account = course.state, purse(by)
    need = debt.amount - in_hand
    if (not debt.binding or debt.short) and believed(state, by) < need:
        raise Refused(MonopolyReason.CANNOT_AFFORD)
    there = cash(state, account)
    if there < need:
        what = What.DEBT if debt.binding else What.DEMAND
        course.tell(FellShort(by, what, need, debt_id, until(state, course.at), there))
        return
    zones = (account, "tray" if debt.creditor == POT else debt.creditor)
    witnesses = tuple(sorted({by, *eyes(state, zones)})) if slip else ()
    moved = move(account, debt.creditor, debt.amount, debt.cause)
    course.tell(Paid(by, debt_id, moved, there - need, slip, witnesses))


def _own(course: Course, by: Seat, debt_id: int) -> MonopolyDebt:
    debt = debt_of(course.state, debt_id)
    if debt is None:
        raise Refused(MonopolyReason.NO_SUCH_DEBT)
    if debt.debtor != by:
        raise Refused(MonopolyReason.NOT_YOUR_DEBT)
    if debt.binding and debt != first_debt(course.state, by):
        raise Refused(MonopolyReason.OTHER_DEBT_FIRST)
    in_time(course.at, debt.until)
    return debt


def pay(course: Course, by: Seat, debt_id: int) -> None:
    settle(course, by, debt_id)


def pay_right(course: Course, by: Seat, debt_id: int) -> None:
    """The sum on the deed, to the owner who asks for more (5.6)."""
    state = course.state
    debt = _own(course, by, debt_id)
    right = right_answer(course, debt)
    if right is None:
        raise Refused(MonopolyReason.NOTHING_RIGHT_TO_PAY)
    if believed(state, by) < right:
        raise Refused(MonopolyReason.CANNOT_AFFORD)
    there = cash(state, purse(by))
    if there < right:
        course.tell(FellShort(by, What.DEMAND, right, debt_id, None, there))
        return
    course.tell(Paid(by, debt_id, move(purse(by), debt.creditor, right, Cause.RENT), there - right, None, ()))


def right_answer(course: Course, debt: MonopolyDebt) -> int | None:
    """What the deed says, if it is its owner who asks for something else; None: nothing is due to whoever asks."""
    landing = None if debt.landing_id is None else landing_of(course.state, debt.landing_id)
    if debt.binding or landing is None or landing.debt_id is not None or landing.paid is not None:
        return None
    return landing.rent if course.state.owners.get(landing.street) == seat_of(debt.creditor) else None
