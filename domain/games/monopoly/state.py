"""Where a match of Monopoly Cheaters stands: the announced board, and what this fold knows of the true one.

The true board is the announced one and, over against it, the effects of the open attempts and the money of private
trades. A viewer's fold holds those of them that he was told: so one evolve folds the log and every viewer's frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Final

from msgspec import Meta, Struct, field

from domain.games.monopoly.actions import CardId
from domain.games.monopoly.data import CURRENT, VERSIONS, Data, DeckName, Deed, Profile
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.phases import Closing, Ended, MonopolyTurn, Phase, ToSetUp
from domain.games.monopoly.things import (
    MonopolyAccusation,
    MonopolyAuction,
    MonopolyDebt,
    MonopolyLanding,
    MonopolySight,
    MonopolySlip,
    MonopolyTrade,
    Witnesses,
)
from domain.kernel.game import Pace, Seat, seconds
from domain.kernel.ledger import Account, Ledger, net
from domain.kernel.seating import everybody, next_of

POT: Final = "pot"
RESERVE: Final = "reserve"
AUCTION: Final = "auction"
MONEY: Final = 20_400
HOTELS: Final = 16
CARD_BACK: Final = "??"

Pip = Annotated[int, Meta(ge=1, le=6)]


class StackedTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Luck that was arranged (sandbox): who begins, throws, and the order of cards. What is not named, luck decides.

    ``cheats``: up to all fifteen, the first five lie open. A card that is not in its deck when it is due is skipped.
    """

    first: Annotated[Annotated[int, Meta(ge=0, le=5)] | None, Meta(description="Who begins; null: luck decides.")] = (
        None
    )
    dice: Annotated[tuple[tuple[Pip, Pip], ...], Meta(max_length=500), Meta(description="Throws, in order.")] = ()
    chance: Annotated[tuple[CardId, ...], Meta(max_length=100), Meta(description="The order of Chance cards.")] = ()
    chest: Annotated[
        tuple[CardId, ...], Meta(max_length=100), Meta(description="The order of Community Chest cards.")
    ] = ()
    cheats: Annotated[
        tuple[CardId, ...],
        Meta(max_length=15),
        Meta(description="The order of cheat cards; the first five lie open."),
    ] = ()


class Deck(Struct, frozen=True):
    """``stack`` is a set: each draw picks when it is drawn; what comes back lies ``under`` it, in order."""

    stack: tuple[str, ...]
    under: tuple[str, ...] = ()
    draws: int = 0


class Attempt(Struct, frozen=True):
    """``orphaned``: its card has left the table meanwhile."""

    seat: Seat
    slip: MonopolySlip
    witnesses: Witnesses
    orphaned: bool = False


class Gaze(Struct, frozen=True):
    """``seen``: what lay there when one began to look; None at the start of the match."""

    zone: str
    not_before: datetime | None
    seen: MonopolySight | None = None


class LastHotel(Struct, frozen=True):
    """The last hotel, and who wants it."""

    claims: Annotated[tuple[tuple[Seat, str], ...], Meta(description="Who wants it, and on which street, in order.")]
    closes_at: Annotated[datetime, Meta(description="Then it closes.")]


class Placing(Struct, frozen=True):
    """A cheater's token is to be set."""

    seat: Annotated[Seat, Meta(description="Who says where it goes.")]
    token: Annotated[Seat, Meta(description="Whose token.")]
    until: Annotated[datetime | None, Meta(description="Then the House acts; null: never.")]


class Purchase(Struct, frozen=True):
    seat: Seat
    street: str
    price: int


class State(Struct, frozen=True, kw_only=True):
    """Tuples as long as the table is wide are by seat. ``private``: money of private trades, by account.

    ``learned``: what a seat has found missing in its own purse. ``kept``: by seat, deck → card.
    """

    options: MonopolyOptions
    pace: Pace
    seats: int
    stacked: StackedTable | None
    data_hash: str
    ledger: Ledger
    private: Mapping[Account, int]
    learned: tuple[int, ...]
    tokens: tuple[int, ...]
    kept: tuple[Mapping[DeckName, str], ...]
    gazes: tuple[Gaze, ...]
    decks: Mapping[DeckName, Deck]
    cheats: Deck
    trade_from: tuple[datetime | None, ...]
    open_cheats: tuple[str, ...] = ()
    phase: Phase = ToSetUp()
    turn: MonopolyTurn = MonopolyTurn(0, Seat(0))
    throw: tuple[int, ...] = ()
    drawn: str | None = None
    owners: Mapping[str, Seat] = field(default_factory=dict)
    hotels: tuple[str, ...] = ()
    parked: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    left: tuple[Seat, ...] = ()
    prisoner: Seat | None = None
    tries: int = 0
    passed_go: Seat | None = None
    attempts: Mapping[Seat, Attempt] = field(default_factory=dict)
    landings: tuple[MonopolyLanding, ...] = ()
    lapsed: tuple[MonopolyLanding, ...] = ()  # before the boundary, of an attempt that was too young for it
    purchases: tuple[Purchase, ...] = ()  # since the boundary, and of such an attempt
    debts: tuple[MonopolyDebt, ...] = ()
    false_paid: tuple[int, ...] = ()  # the last demands that were paid without being owed
    lots: tuple[str, ...] = ()
    auction: MonopolyAuction | None = None
    last_hotel: LastHotel | None = None
    no_hotel_for: tuple[Seat, ...] = ()  # who reached for one in vain since the boundary
    accusation: MonopolyAccusation | None = None
    placing: Placing | None = None
    trades: tuple[MonopolyTrade, ...] = ()
    sold_out: bool = False
    draws: int = 0
    throws: int = 0
    last_throws: tuple[int, ...]  # by seat: how many had been thrown after its last one
    debt_ids: int = 0
    landing_ids: int = 0
    auction_ids: int = 0
    accusation_ids: int = 0
    trade_ids: Mapping[str, int] = field(default_factory=dict)

    @property
    def data(self) -> Data:
        return VERSIONS[self.data_hash]

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Who is neither bankrupt nor gone."""
        return _without(everybody(self.seats), self.out)

    @property
    def walking(self) -> tuple[Seat, ...]:
        """Who still takes turns."""
        return _without(self.playing, self.parked)


@cache
def _without(seats: tuple[Seat, ...], gone: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat in seats if seat not in gone)


@cache
def purse(seat: Seat) -> Account:
    return f"seat:{seat}"


@cache
def seat_of(account: Account) -> Seat | None:
    """The seat of an account; None: it is no seat's."""
    return Seat(int(account[5:])) if account.startswith("seat:") else None


def begin(
    options: MonopolyOptions, pace: Pace, seats: int, stacked: StackedTable | None, data: Data = CURRENT
) -> State:
    """Before the set-up: all money lies in the pot. What a viewer sees begins without the arranged luck."""
    accounts = {POT: MONEY, RESERVE: 0, AUCTION: 0} | {purse(seat): 0 for seat in everybody(seats)}
    return State(
        options=options,
        pace=pace,
        seats=seats,
        stacked=stacked,
        data_hash=data.hash,
        ledger=Ledger(accounts),
        private=dict.fromkeys(accounts, 0),
        learned=(0,) * seats,
        tokens=(0,) * seats,
        last_throws=(0,) * seats,
        kept=({},) * seats,
        gazes=tuple(Gaze(purse(seat), None) for seat in everybody(seats)),
        decks={name: Deck(tuple(sorted(card.id for card in deck))) for name, deck in data.decks.items()},
        cheats=Deck(tuple(sorted(data.cheat))),
        trade_from=(None,) * seats,
        hotels=("poststrasse",),
    )


def deed(state: State, street: str) -> Deed:
    return state.data.by_street[state.options.deeds][street]


def has_group(state: State, seat: Seat, street: str) -> bool:
    group = state.data.groups[deed(state, street).group]
    return all(state.owners.get(other) == seat for other in group)


def rent(state: State, street: str) -> int:
    """What a landing costs as the board is announced now."""
    return rent_of(state.data, state.options.deeds, state.owners, state.hotels, street)


def rent_of(data: Data, profile: Profile, owners: Mapping[str, Seat], hotels: tuple[str, ...], street: str) -> int:
    """With these owners and hotels; the street has one."""
    card, owner = data.by_street[profile][street], owners[street]
    if street in hotels:
        return card.hotel
    whole = all(owners.get(other) == owner for other in data.groups[card.group])
    return card.full_group if whole else card.base


def estates(state: State) -> Mapping[Seat, tuple[str, ...]]:
    """By owner, in board order."""
    found: dict[Seat, list[str]] = {}
    owners = state.owners
    for street in state.data.streets:
        if street in owners:
            found.setdefault(owners[street], []).append(street)
    return {owner: tuple(streets) for owner, streets in found.items()}


def streets_of(state: State, seat: Seat) -> tuple[str, ...]:
    """In board order."""
    owners = state.owners
    own = [street for street, owner in owners.items() if owner == seat]
    return tuple(sorted(own, key=state.data.streets.__getitem__)) if len(own) > 1 else tuple(own)


def free_streets(state: State) -> tuple[str, ...]:
    return tuple([street for street in state.data.streets if street not in state.owners])


def bank_value(state: State, street: str) -> int:
    return deed(state, street).hotel if street in state.hotels else deed(state, street).price


def hotels_left(state: State) -> int:
    """In the tray, as announced; a last one that is claimed is reserved."""
    reserved = state.last_hotel is not None or (state.auction is not None and state.auction.lot.startswith("hotel:"))
    return HOTELS - len(state.hotels) - reserved


def may_build(state: State, seat: Seat) -> tuple[str, ...]:
    """Streets of whole groups without a hotel; where one was put silently by this seat, it knows."""
    own = state.attempts.get(seat)
    put = None if own is None else own.slip.effect.hotel_on
    return tuple(
        [
            street
            for street in streets_of(state, seat)
            if street not in state.hotels and street != put and has_group(state, seat, street)
        ]
    )


def next_seat(state: State, seat: Seat) -> Seat | None:
    """Whose turn comes after this seat's; None: nobody's any more."""
    return next_of(state.walking, seat) if state.walking else None


def clockwise(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The others that are playing, from this seat's left on."""
    return tuple(sorted((other for other in state.playing if other != seat), key=lambda o: (o - seat) % state.seats))


def until(state: State, at: datetime) -> datetime | None:
    return None if state.pace.turn_time is None else at + seconds(state.pace.turn_time)


def in_play(state: State) -> bool:
    return not isinstance(state.phase, ToSetUp | Ended)


def busy(state: State) -> bool:
    """Something is open that the turn waits for."""
    return bool(
        any(debt.binding for debt in state.debts)
        or state.auction
        or state.lots
        or state.last_hotel
        or state.accusation
        or state.placing
    )


def debt_of(state: State, debt_id: int) -> MonopolyDebt | None:
    return next((debt for debt in state.debts if debt.debt_id == debt_id), None)


def first_debt(state: State, seat: Seat) -> MonopolyDebt | None:
    """What this seat must pay before anything else."""
    return next((debt for debt in state.debts if debt.debtor == seat and debt.binding), None)


def landing_of(state: State, landing_id: int) -> MonopolyLanding | None:
    return next((landing for landing in state.landings if landing.landing_id == landing_id), None)


def closing(state: State) -> bool:
    return isinstance(state.phase, Closing)


def cash(state: State, account: Account) -> int:
    """What truly lies there, by all attempts that this fold knows."""
    hidden = sum(net(attempt.slip.effect.moved, account) for attempt in state.attempts.values())
    return state.ledger[account] + state.private[account] + hidden


def believed(state: State, seat: Seat) -> int:
    """What this seat must think that it has: the same in its own fold as in the log's. Never less than is there."""
    own = state.attempts.get(seat)
    hidden = 0 if own is None else net(own.slip.effect.moved, purse(seat))
    return state.ledger[purse(seat)] + state.private[purse(seat)] + hidden + state.learned[seat]


def effects(state: State) -> Iterator[Attempt]:
    yield from state.attempts.values()


def announced_pot(state: State) -> int:
    """What everybody knows to lie in the tray: who goes bankrupt to the bank lays open what he really had."""
    return state.ledger[POT] + state.private[POT]


def true_hotels_left(state: State) -> int:
    put = sum(attempt.slip.effect.hotel_on is not None for attempt in effects(state))
    taken = sum(attempt.slip.effect.hotel_off is not None for attempt in effects(state))
    return hotels_left(state) - put + taken


def true_hotels(state: State) -> tuple[str, ...]:
    put = [a.slip.effect.hotel_on for a in effects(state) if a.slip.effect.hotel_on is not None]
    taken = {a.slip.effect.hotel_off for a in effects(state) if a.slip.effect.hotel_off is not None}
    return tuple(
        street for street in state.data.streets if (street in state.hotels or street in put) and street not in taken
    )


def lies_with(state: State, street: str) -> Account:
    """Where a deed truly lies."""
    for attempt in effects(state):
        for moved, holder in attempt.slip.effect.deeds:
            if moved == street:
                return holder
    owner = state.owners.get(street)
    return POT if owner is None else purse(owner)


def deeds_at(state: State, account: Account) -> tuple[str, ...]:
    return tuple(street for street in state.data.streets if lies_with(state, street) == account)


def eyes(state: State, zones: Iterable[Account | str]) -> Witnesses:
    """Who sees what happens in one of these zones. Only the log's own fold knows what everybody looks at."""
    if state.options.attention == "open":
        return (Seat(-1), *everybody(state.seats))
    looked_at = set(zones)
    return tuple([seat for seat in everybody(state.seats) if state.gazes[seat].zone in looked_at])
