"""What was done silently: open, found missing, caught, announced, forgotten."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from domain.games.monopoly.evolving import board
from domain.games.monopoly.state import Attempt, Purchase, State, believed, purse, seat_of
from domain.games.monopoly.things import MonopolyEffect, MonopolyLanding, MonopolySlip, Witnesses
from domain.kernel.game import Seat
from domain.kernel.ledger import Movement
from domain.kernel.seating import with_seat


def learned(state: State, seat: Seat, left: int | None) -> State:
    """The seat was told its true money: what was thought to be there besides is missing."""
    if left is None:
        return state
    missing = left - (believed(state, seat) - state.learned[seat])
    return state if missing == state.learned[seat] else replace(state, learned=with_seat(state.learned, seat, missing))


def counted(state: State, slip: MonopolySlip | None, witnesses: Witnesses) -> State:
    """Who watched how it was paid knows what came, and not only what was announced (12.4)."""
    learned = state.learned
    for movement in () if slip is None else slip.effect.moved:
        payee = seat_of(movement.from_)
        if payee is not None and payee in witnesses:
            learned = with_seat(learned, payee, learned[payee] - movement.amount)
    return replace(state, learned=learned)


def slipped(state: State, seat: Seat, slip: MonopolySlip | None, witnesses: Witnesses) -> State:
    """An attempt is open, the only one of its seat; too fat wages are taken once."""
    if slip is None or slip.effect.nothing:
        return state
    attempt = Attempt(seat, slip, witnesses, orphaned=False)
    passed = None if slip.card == "extra_go" else state.passed_go
    return replace(state, attempts={**state.attempts, seat: attempt}, passed_go=passed)


def forget(state: State, seat: Seat, effect: MonopolyEffect) -> State:
    """An attempt is gone, and what it had taken is back: who had found it missing finds it again."""
    return replace(
        state,
        attempts={other: attempt for other, attempt in state.attempts.items() if other != seat},
        learned=_found(state.learned, effect.moved, seat),
    )


def _found(learned: tuple[int, ...], moved: Iterable[Movement], cheater: Seat | None) -> tuple[int, ...]:
    for movement in moved:
        victim = seat_of(movement.from_)
        if victim is not None and victim != cheater and learned[victim] < 0:
            learned = with_seat(learned, victim, min(0, learned[victim] + movement.amount))
    return learned


def lapsed(state: State) -> tuple[MonopolyLanding, ...]:
    """Landings by which an attempt that outlives the boundary is judged: what it demanded for, or where it led."""
    demanded = {attempt.slip.effect.landing_id for attempt in state.attempts.values()}
    return tuple(
        one
        for one in (*state.lapsed, *state.landings)
        if one.landing_id in demanded or _led(state, one.seat, one.street)
    )


def lapsed_purchases(state: State) -> tuple[Purchase, ...]:
    return tuple(one for one in state.purchases if _led(state, one.seat, one.street))


def _led(state: State, seat: Seat, street: str) -> bool:
    """Whether a false move has brought the seat there."""
    attempt = state.attempts.get(seat)
    if attempt is None or attempt.slip.effect.right is None or attempt.slip.effect.square is None:
        return False
    return state.data.board[attempt.slip.effect.square].street == street


def card_gone(state: State, card: str | None) -> State:
    """Under the stack; attempts on it that are still open are judged without it."""
    if card is None:
        return state
    attempts = {
        seat: replace(attempt, orphaned=True) if attempt.slip.card == card else attempt
        for seat, attempt in state.attempts.items()
    }
    if card not in state.open_cheats:
        return replace(state, attempts=attempts)
    return replace(
        state,
        attempts=attempts,
        open_cheats=tuple(other for other in state.open_cheats if other != card),
        cheats=replace(state.cheats, under=(*state.cheats.under, card)),
    )


def caught(state: State, target: Seat, effect: MonopolyEffect) -> State:
    """A false demand is void, and what was paid on it counts as the rent."""
    known = forget(state, target, effect)
    if effect.debt_id is None:
        return known
    landings = known.landings
    if effect.debt_id in state.false_paid:
        landings = tuple(
            replace(one, paid=purse(state.owners[one.street]), amount=one.rent)
            if one.landing_id == effect.landing_id and one.paid is None and one.street in state.owners
            else one
            for one in landings
        )
    return replace(
        known, landings=landings, debts=tuple(debt for debt in known.debts if debt.debt_id != effect.debt_id)
    )


def announced(state: State, seat: Seat | None, effect: MonopolyEffect, moved: tuple[Movement, ...]) -> State:
    """What was done silently enters the announced board."""
    owners = {**state.owners}
    for street, holder in effect.deeds:
        if (owner := seat_of(holder)) is None:
            owners.pop(street, None)
        else:
            owners[street] = owner
    hotels = state.hotels if effect.hotel_on is None else board.with_hotel(state.hotels, effect.hotel_on)
    hotels = tuple(street for street in hotels if street != effect.hotel_off)
    tokens = state.tokens
    if effect.token is not None and effect.square is not None and effect.stays is not None and seat is not None:
        tokens = with_seat(with_seat(tokens, effect.token, effect.square), seat, effect.stays)
    free = effect.cuff_off
    return replace(
        state,
        ledger=state.ledger.post((*effect.moved, *moved)),
        learned=_found(state.learned, effect.moved, None),
        owners=owners,
        hotels=hotels,
        tokens=tokens,
        prisoner=None if free else state.prisoner,
        tries=0 if free else state.tries,
        attempts={
            other: attempt
            for other, attempt in state.attempts.items()
            if other != seat and not (seat is None and attempt.slip.effect == effect)
        },
    )
