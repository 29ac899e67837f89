"""What is owed: settled, or not there."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from domain.games.monopoly.phases import ToBuy
from domain.games.monopoly.state import State, purse
from domain.games.monopoly.things import What
from domain.kernel.game import Seat
from domain.kernel.ledger import Movement


def settled(state: State, debt_id: int | None, moved: tuple[Movement, ...]) -> State:
    """A debt or demand is answered. Whoever pays the owner has paid the landing; a squatter is somebody else."""
    debt = next((debt for debt in state.debts if debt.debt_id == debt_id), None)
    if debt is None:
        return state
    amount = sum(movement.amount for movement in moved)
    landing = next((one for one in state.landings if one.landing_id == debt.landing_id), None)
    gone = {debt.debt_id}
    if landing is not None and debt.creditor == purse(state.owners.get(landing.street, Seat(-1))):
        gone |= {
            other.debt_id
            for other in state.debts
            if other.landing_id == debt.landing_id and other.creditor == debt.creditor
        }
        state = replace(
            state,
            landings=tuple(
                replace(one, paid=debt.creditor, amount=amount) if one is landing else one for one in state.landings
            ),
        )
    falsely = not debt.binding and amount == debt.amount
    return replace(
        state,
        debts=tuple(other for other in state.debts if other.debt_id not in gone),
        false_paid=(*state.false_paid, debt.debt_id)[-12:] if falsely else state.false_paid,
    )


def short(state: State, what: What, debt_id: int | None, until: datetime | None, seat: Seat) -> State:
    """What comes of money, or a hotel, that was not there."""
    match what:
        case What.DEBT:
            debts = tuple(
                replace(debt, short=debt.short or debt.debt_id == debt_id, until=until)
                if debt.debtor == seat and debt.binding
                else debt
                for debt in state.debts
            )
            return replace(state, debts=debts)
        case What.DEMAND:
            return replace(state, debts=tuple(debt for debt in state.debts if debt.debt_id != debt_id))
        case What.STREET:
            assert isinstance(state.phase, ToBuy)
            return replace(state, phase=replace(state.phase, short=True))
        case What.BID:
            assert state.auction is not None
            return replace(state, auction=replace(state.auction, passed=(*state.auction.passed, seat)))
        case What.HOTEL | What.NO_HOTEL:
            return replace(state, no_hotel_for=(*state.no_hotel_for, seat))
        case What.JAIL:
            return state
        case _:
            assert_never(what)
