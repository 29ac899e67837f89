"""Money that is not there: streets are sold, and then one is bankrupt. RULES.md 9."""

from __future__ import annotations

from domain.games.monopoly.course import Course
from domain.games.monopoly.events import Bankrupted, Left, LotsQueued, SoldToBank
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import accusing, auction, jail, undoing
from domain.games.monopoly.rules.money import from_pot, move, refill
from domain.games.monopoly.state import (
    POT,
    State,
    bank_value,
    believed,
    in_play,
    purse,
    streets_of,
)
from domain.games.monopoly.things import MonopolyDebt
from domain.kernel.game import Refused, Seat
from domain.kernel.ledger import Account
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time


def short_debt(state: State, seat: Seat) -> MonopolyDebt | None:
    return next((debt for debt in state.debts if debt.debtor == seat and debt.short), None)


def sell(course: Course, by: Seat, street: str) -> None:
    """At face value, with a hotel at the rent with hotel; the hotel stays (9.3)."""
    state = course.state
    debt = short_debt(state, by)
    if debt is None or believed(state, by) >= debt.amount:
        raise Refused(MonopolyReason.NOT_IN_DISTRESS)
    if state.owners.get(street) != by:
        raise Refused(MonopolyReason.NOT_YOUR_STREET)
    in_time(course.at, debt.until)
    sell_to_bank(course, by, street)


def sell_to_bank(course: Course, seat: Seat, street: str) -> None:
    value = bank_value(course.state, street)
    undoing.void_deeds(course, street)
    moved = from_pot(course, purse(seat), value, "sale") if value else ()
    course.tell(SoldToBank(seat, street, moved))
    if course.state.sold_out:
        course.tell(LotsQueued((street,)))


def give_up(course: Course, by: Seat) -> None:
    """Only where nothing is left to sell (9.5)."""
    state = course.state
    debt = short_debt(state, by)
    if debt is None or believed(state, by) >= debt.amount:
        raise Refused(MonopolyReason.NOT_IN_DISTRESS)
    if streets_of(state, by):
        raise Refused(MonopolyReason.STREETS_LEFT)
    in_time(course.at, debt.until)
    bankrupt(course, by, debt.creditor)


def help_out(course: Course, seat: Seat, debt: MonopolyDebt) -> None:
    """The House's way through distress: pay, or sell the street of the lowest value, or nothing is left (11.2)."""
    state = course.state
    streets = streets_of(state, seat)
    if streets:
        cheapest = min(streets, key=lambda street: (bank_value(state, street), state.data.streets[street]))
        sell_to_bank(course, seat, cheapest)
    else:
        bankrupt(course, seat, debt.creditor)


def bankrupt(course: Course, seat: Seat, creditor: Account) -> None:
    """To whoever is owed: streets, cards, and the rest of the money. The bank auctions the streets (9.5, 9.6)."""
    own = course.state.attempts.get(seat)
    if own is not None:
        undoing.silently(course, own, owed=False)
    undoing.void_tokens(course, seat)
    jail.put_back(course, seat)
    accusing.drop_vote(course, seat)
    auction.start_anew(course, seat)
    heir = creditor if creditor != purse(seat) and _solvent(course.state, creditor) else POT
    streets = streets_of(course.state, seat)
    undoing.void_deeds(course, *streets)
    state, account = course.state, purse(seat)
    left = state.ledger[account]
    if heir == POT:
        refill(course, max(0, -left - state.private[account]))
    moved = move(account, heir, left, "bankrupt") if left > 0 else move(heir, account, -left, "bankrupt")
    course.tell(
        Bankrupted(
            seat,
            heir,
            moved,
            state.private[account],
            streets if heir == POT else (),
            tuple(state.kept[seat][deck] for deck in sorted(state.kept[seat])),
        )
    )
    if len(course.state.playing) > 1:
        auction.close_if_all_passed(course)  # nobody is left who could bid (4.3)


def _solvent(state: State, account: Account) -> bool:
    return any(purse(seat) == account for seat in state.playing)


def vacate(course: Course, seat: Seat) -> None:
    """Who leaves and is followed by nobody is bankrupt to the bank (9.8)."""
    state = course.state
    if (not in_play(state) and not state.playing) or seat in state.left:
        raise Refused(Reason.LEFT)
    course.tell(Left(seat))
    if seat in state.playing:
        bankrupt(course, seat, POT)
