"""Tokens, streets, hotels and private money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domain.games.monopoly.data import Data
from domain.games.monopoly.things import How
from domain.kernel.game import Seat
from domain.kernel.ledger import Account, Movement


def parked(parked: tuple[Seat, ...], seat: Seat, how: How, *, parks: bool) -> tuple[Seat, ...]:
    """Who came to stay on LOS by a false move is put right, and walks on."""
    if parks:
        return (*parked, seat)
    return tuple(other for other in parked if other != seat) if how is How.PUT_RIGHT else parked


def with_hotel(hotels: tuple[str, ...], street: str) -> tuple[str, ...]:
    return hotels if street in hotels else (*hotels, street)


def queued(data: Data, lots: Iterable[str]) -> tuple[str, ...]:
    """Lots that wait, in board order (4.6)."""
    return tuple(sorted(lots, key=lambda lot: data.streets[lot.removeprefix("hotel:")]))


def without_owner(owners: Mapping[str, Seat], street: str | None) -> dict[str, Seat]:
    return {other: owner for other, owner in owners.items() if other != street}


def posted(private: Mapping[Account, int], moved: Iterable[Movement]) -> Mapping[Account, int]:
    """Money of private trades, by account."""
    after = dict(private)
    for movement in moved:
        after[movement.from_] -= movement.amount
        after[movement.to] += movement.amount
    return after
