"""Which cheats a seat may try now, as bounds of their fields: the one place that offers and rules both read.

Only the announced board and what the seat itself did counts here. RULES.md 6.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from domain.games.monopoly.phases import ToMove, ToRead
from domain.games.monopoly.rules.cards import bank_money, movable
from domain.games.monopoly.rules.movement import SQUARES, reaches_go
from domain.games.monopoly.rules.rent import open_to_demands
from domain.games.monopoly.state import (
    POT,
    State,
    believed,
    busy,
    closing,
    first_debt,
    hotels_left,
    in_play,
    purse,
    streets_of,
)
from domain.games.monopoly.things import Cause, MonopolyDebt, MonopolyLanding
from domain.kernel.game import Seat
from domain.kernel.offers import Between, Bound, OneOf

Fields: TypeAlias = Mapping[str, Bound]

LEAST: Final = 10
TAKE_TRAY: Final = 500
TAKE_PLAYER: Final = 100


def may_cheat(state: State, seat: Seat) -> bool:
    return in_play(state) and not closing(state) and seat not in state.attempts and seat in state.playing


def cheats(state: State, seat: Seat) -> Iterator[tuple[str, Fields]]:
    """Card, and bounds of the fields besides it: several entries where fields depend on each other."""
    if may_cheat(state, seat):
        for card in state.open_cheats:
            for fields in _fields(state, seat, card):
                yield card, fields


def free_cheats(state: State, seat: Seat) -> Iterator[tuple[str, Fields]]:
    if may_cheat(state, seat) and state.options.meistermogler:
        for kind, card in (
            ("take_tray", "bank_heist"),
            ("take_player", "pickpocket"),
            ("wrong_move", "trick_dice"),
            ("skip_payment", "free_stay"),
            ("hotel_on", "free_hotel"),
            ("hotel_off", "demolition"),
            ("take_deed", "deed_theft"),
        ):
            for fields in _fields(state, seat, card, free=True):
                yield kind, fields


def _fields(state: State, seat: Seat, card: str, *, free: bool = False) -> Iterator[Fields]:
    limit = state.data.cheat[card].limit or 0
    match card:
        case "bank_heist":
            yield {"amount": Between(LEAST, TAKE_TRAY if free else limit, LEAST)}
        case "pickpocket":
            others = tuple([other for other in state.playing if other != seat])
            yield {"target": OneOf(others), "amount": Between(LEAST, TAKE_PLAYER if free else limit, LEAST)}
        case "extra_go" if state.passed_go == seat:
            yield {}
        case "escape" if state.prisoner == seat:
            yield {}
        case "fake_chance" if stories := tall_stories(state, seat):
            yield {"read": OneOf(stories)}
        case "identity" if targets := swappable(state, seat):
            yield {"target": OneOf(targets)}
        case "trick_dice" if _to_move(state, seat):
            yield {"distance": OneOf(tuple(d for d in range(2, 13) if d != sum(state.throw)))}
        case "free_stay" if (debt := _debt(state, seat)) is not None and _may_stay_unpaid(debt, free=free):
            yield {"debt_id": OneOf((debt.debt_id,))}
        case "short_change" if (debt := _debt(state, seat)) is not None:
            most = min(limit, debt.amount // LEAST * LEAST)
            if most >= LEAST and believed(state, seat) >= debt.amount - LEAST:
                least = max(LEAST, -(-(debt.amount - believed(state, seat)) // LEAST) * LEAST)
                yield {"debt_id": OneOf((debt.debt_id,)), "amount": Between(least, most, LEAST)}
        case "overcharge":
            for landing in state.landings:
                if state.owners.get(landing.street) == seat and _may_be_asked(state, seat, landing):
                    step = LEAST if landing.rent % LEAST == 0 else 1
                    yield _demand(landing, landing.rent + step, step)
        case "squatter":
            for landing in state.landings:
                if state.owners.get(landing.street) != seat and _may_be_asked(state, seat, landing):
                    yield _demand(
                        landing, LEAST if landing.rent % LEAST == 0 else 1, LEAST if landing.rent % LEAST == 0 else 1
                    )
        case "deed_theft" if streets := strange_deeds(state, seat):
            yield {"street": OneOf(streets)}
        case "deed_swap" if (own := streets_of(state, seat)) and (streets := strange_deeds(state, seat)):
            yield {"give": OneOf(own), "street": OneOf(streets)}
        case "demolition" if streets := strange_hotels(state, seat):
            yield {"street": OneOf(streets)}
        case "free_hotel" if hotels_left(state) > 0 and (bare := bare_streets(state, seat)):
            yield {"street": OneOf(bare)}
        case _:
            pass


def _may_stay_unpaid(debt: MonopolyDebt, *, free: bool) -> bool:
    """A rent; freely, any debt, but of the bank's no more than a heist (6.5, 6.17)."""
    if not free:
        return debt.cause is Cause.RENT
    return debt.creditor != POT or debt.amount <= TAKE_TRAY


def _to_move(state: State, seat: Seat) -> bool:
    return isinstance(state.phase, ToMove) and state.turn.seat == seat and not busy(state)


def _debt(state: State, seat: Seat) -> MonopolyDebt | None:
    debt = first_debt(state, seat)
    return None if debt is None or debt.short else debt


def _may_be_asked(state: State, seat: Seat, landing: MonopolyLanding) -> bool:
    """Of one who stands there, is not asked yet, and not by this seat."""
    asked = any(debt.landing_id == landing.landing_id and debt.creditor == purse(seat) for debt in state.debts)
    return open_to_demands(state, landing) and landing.seat != seat and not asked


def _demand(landing: MonopolyLanding, least: int, step: int) -> Fields:
    return {"landing_id": OneOf((landing.landing_id,)), "amount": Between(least, 2 * landing.rent, step)}


def tall_stories(state: State, seat: Seat) -> tuple[str, ...]:
    """What could be read out instead of the card that was drawn: money between the bank and oneself (6.5)."""
    phase = state.phase
    if not isinstance(phase, ToRead) or state.turn.seat != seat or state.drawn is None or busy(state):
        return ()
    deck = [card.id for card in state.data.decks[phase.deck] if card.kind == "now"]
    return tuple(card for card in deck if card != state.drawn and bank_money(state, seat, card) is not None)


def swappable(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Whose token could be moved instead of the own one; none that would come to stay on LOS (6.5)."""
    if not _to_move(state, seat):
        return ()
    distance = sum(state.throw)
    if state.sold_out and reaches_go(state, seat, distance):
        return ()
    targets = movable(state, seat)
    return tuple(o for o in targets if not (state.sold_out and state.tokens[o] + distance >= SQUARES))


def strange_deeds(state: State, seat: Seat) -> tuple[str, ...]:
    """Of others and of the bank; none that is being auctioned."""
    auctioned = {state.auction.lot if state.auction else None, *state.lots}
    return tuple(s for s in state.data.streets if state.owners.get(s) != seat and s not in auctioned)


def strange_hotels(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(s for s in state.data.streets if s in state.hotels and state.owners.get(s) not in (None, seat))


def bare_streets(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(street for street in streets_of(state, seat) if street not in state.hotels)


def fits(bounds: Fields, said: Mapping[str, Any]) -> bool:
    """Whether exactly these fields are said, within these bounds."""
    given = {name: value for name, value in said.items() if value is not None}
    return given.keys() == bounds.keys() and all(_within(bounds[name], value) for name, value in given.items())


def _within(bound: Bound, value: Any) -> bool:
    match bound:
        case OneOf(values):
            return value in values
        case Between(low, high, step):
            return bool(low <= value <= high and (value - low) % step == 0)
        case _:
            return False
