"""Who is out, and what becomes of everything that was his."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.monopoly.events import Bankrupted
from domain.games.monopoly.evolving import board
from domain.games.monopoly.state import Placing, State, purse, seat_of
from domain.games.monopoly.things import MonopolyEffect
from domain.kernel.game import Seat
from domain.kernel.ledger import Account
from domain.kernel.seating import with_seat


def bankrupt(state: State, event: Bankrupted) -> State:
    """Streets, money and cards pass on; what is open on the true board against the seat is now against its heir."""
    gone, heir = purse(event.seat), event.heir
    owner = seat_of(heir)
    owners = {
        street: owner if holder == event.seat else holder
        for street, holder in state.owners.items()
        if holder != event.seat or owner is not None
    }
    unseen = state.private[gone] if event.unseen is None else event.unseen
    private = {**state.private, gone: 0, heir: state.private[heir] + unseen}
    kept, decks = list(state.kept), {**state.decks}
    for deck, card in zip(sorted(state.kept[event.seat]), event.cards, strict=True):
        if owner is not None and deck not in kept[owner]:
            kept[owner] = {**kept[owner], deck: card}
        else:
            decks[deck] = replace(decks[deck], under=(*decks[deck].under, card))
    kept[event.seat] = {}
    return replace(
        state,
        ledger=state.ledger.post(event.moved),
        private=private,
        learned=with_seat(state.learned, event.seat, 0),
        owners={street: holder for street, holder in owners.items() if holder is not None},
        kept=tuple(kept),
        decks=decks,
        out=(*state.out, event.seat),
        parked=tuple(seat for seat in state.parked if seat != event.seat),
        prisoner=None if state.prisoner == event.seat else state.prisoner,
        tries=0 if state.prisoner == event.seat else state.tries,
        attempts={
            seat: replace(attempt, slip=replace(attempt.slip, effect=_inherited(attempt.slip.effect, gone, heir)))
            for seat, attempt in state.attempts.items()
            if seat != event.seat
        },
        debts=tuple(
            replace(debt, creditor=heir) if debt.creditor == gone else debt
            for debt in state.debts
            if debt.debtor != event.seat
            and not (debt.creditor == gone and heir == purse(debt.debtor))
            and (debt.binding or debt.creditor != gone)
        ),
        trades=tuple(trade for trade in state.trades if event.seat not in (trade.seat, trade.to)),
        lots=board.queued(state.data, (*state.lots, *event.lots)),
        auction=None
        if state.auction is None
        else replace(state.auction, bidders=tuple(seat for seat in state.auction.bidders if seat != event.seat)),
        last_hotel=None
        if state.last_hotel is None
        else replace(
            state.last_hotel, claims=tuple(claim for claim in state.last_hotel.claims if claim[0] != event.seat)
        ),
        placing=_placing_without(state.placing, event.seat),
    )


def _inherited(effect: MonopolyEffect, gone: Account, heir: Account) -> MonopolyEffect:
    moved = tuple(
        replace(movement, from_=heir if movement.from_ == gone else movement.from_)
        for movement in effect.moved
        if not (movement.from_ == gone and movement.to == heir)
    )
    return replace(effect, moved=moved)


def _placing_without(placing: Placing | None, seat: Seat) -> Placing | None:
    return None if placing is None or seat in (placing.seat, placing.token) else placing
