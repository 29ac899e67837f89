"""What the House must do at once, and what falls due when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TypeAlias

from domain.games.monopoly.actions import (
    CloseAuction,
    CloseHotelWindow,
    CloseTable,
    CloseVote,
    DrawCard,
    HouseAction,
    SetUp,
    Throw,
    TimeOut,
    TurnUp,
)
from domain.games.monopoly.phases import (
    Closing,
    Done,
    Ended,
    ToBuy,
    ToChoose,
    ToDraw,
    ToMove,
    ToRead,
    ToRoll,
    ToSetUp,
    ToThrow,
)
from domain.games.monopoly.rules.movement import waits_for
from domain.games.monopoly.setup import OPEN_CHEATS
from domain.games.monopoly.state import State, busy, first_debt

Immediate: TypeAlias = type[SetUp] | type[TurnUp] | type[Throw] | type[DrawCard] | CloseTable


def immediate(state: State) -> Immediate | None:
    """Before anybody else may act."""
    match state.phase:
        case ToSetUp():
            return SetUp
        case Ended():
            return None
        case _ if len(state.open_cheats) < OPEN_CHEATS:
            return TurnUp
        case ToThrow():
            return Throw
        case ToDraw():
            return DrawCard
        case Closing() if not busy(state) and not waits_for(state):
            return CloseTable()
        case _:
            return None


def deadlines(state: State) -> Iterator[tuple[datetime, HouseAction]]:
    """What the House does, and when, if nobody does anything; the turn's own clock stands still while it is busy."""
    if state.auction is not None:
        yield state.auction.closes_at, CloseAuction(state.auction.auction_id)
    if state.accusation is not None:
        yield state.accusation.until, CloseVote(state.accusation.accusation_id)
    if state.last_hotel is not None and not hotel_is_auctioned(state):
        yield state.last_hotel.closes_at, CloseHotelWindow()
    if state.placing is not None and state.placing.until is not None:
        yield state.placing.until, TimeOut(state.placing.seat)
    for debt in state.debts:
        if debt.until is not None and debt == first_debt(state, debt.debtor):
            yield debt.until, TimeOut(debt.debtor)
    if busy(state):
        return
    match state.phase:
        case Closing(until):
            yield until, CloseTable()
        case ToRoll() | ToMove() | ToBuy() | ToChoose() | ToRead() | Done() as phase if phase.until is not None:
            yield phase.until, TimeOut(state.turn.seat)
        case _:
            pass


def hotel_is_auctioned(state: State) -> bool:
    lots = (*state.lots, "" if state.auction is None else state.auction.lot)
    return any(lot.startswith("hotel:") for lot in lots)
