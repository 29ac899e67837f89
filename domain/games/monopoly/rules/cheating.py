"""Doing what an open cheat card says, silently. Who could see it is decided here. RULES.md 6."""

from __future__ import annotations

from msgspec.structs import asdict

from domain.games.monopoly.actions import Cheat, FreeCheat
from domain.games.monopoly.course import Course
from domain.games.monopoly.events import RentDemanded, Slipped
from domain.games.monopoly.phases import ToMove, ToRead
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import cards, movement
from domain.games.monopoly.rules.money import move, settle
from domain.games.monopoly.rules.possible import cheats, fits, free_cheats, may_cheat
from domain.games.monopoly.state import (
    POT,
    State,
    cash,
    debt_of,
    eyes,
    landing_of,
    lies_with,
    purse,
    seat_of,
    true_hotels,
    true_hotels_left,
)
from domain.games.monopoly.things import Cause, How, MonopolyDebt, MonopolyEffect, MonopolySlip
from domain.kernel.game import Refused, Seat
from domain.kernel.ledger import net
from domain.kernel.windows import in_time

TAKEN = "taken"  # for which card it was done is nobody's business but the cheater's
_SAME_AS = {
    "take_tray": "bank_heist",
    "take_player": "pickpocket",
    "wrong_move": "trick_dice",
    "skip_payment": "free_stay",
    "hotel_on": "free_hotel",
    "hotel_off": "demolition",
    "take_deed": "deed_theft",
}


def cheat(course: Course, by: Seat, action: Cheat) -> None:
    state, said = course.state, asdict(action)
    card = said.pop("card")
    if by in state.attempts:
        raise Refused(MonopolyReason.ONE_AT_A_TIME)
    if not may_cheat(state, by):
        raise Refused(MonopolyReason.NO_NEW_ATTEMPTS)
    if card not in state.open_cheats:
        raise Refused(MonopolyReason.CHEAT_CARD_NOT_OPEN)
    if not any(name == card and fits(bounds, said) for name, bounds in cheats(state, by)):
        raise Refused(MonopolyReason.CHEAT_NOT_POSSIBLE)
    _perform(course, by, card, card, action)


def free_cheat(course: Course, by: Seat, action: FreeCheat) -> None:
    state, said = course.state, asdict(action)
    kind = said.pop("kind")
    if not state.options.meistermogler:
        raise Refused(MonopolyReason.NO_FREE_CHEATS)
    if by in state.attempts:
        raise Refused(MonopolyReason.ONE_AT_A_TIME)
    if not may_cheat(state, by):
        raise Refused(MonopolyReason.NO_NEW_ATTEMPTS)
    if not any(name == kind and fits(bounds, said) for name, bounds in free_cheats(state, by)):
        raise Refused(MonopolyReason.CHEAT_NOT_POSSIBLE)
    _perform(course, by, kind, _SAME_AS[kind], Cheat("", **{name: said[name] for name in said}))


def _perform(course: Course, by: Seat, name: str, card: str, said: Cheat) -> None:
    """``name``: for what it can be accused; ``card``: what is done."""
    match card:
        case "trick_dice":
            assert said.distance is not None
            _trick_dice(course, by, name, said.distance)
        case "identity":
            assert said.target is not None
            _identity(course, by, name, said.target)
        case "free_stay" | "short_change":
            assert said.debt_id is not None
            _pay_less(course, by, name, said.debt_id, said.amount)
        case "overcharge" | "squatter":
            assert said.landing_id is not None
            assert said.amount is not None
            _demand_falsely(course, by, name, said.landing_id, said.amount)
        case "fake_chance":
            assert said.read is not None
            _tall_story(course, by, name, said.read)
        case _:
            _take(course, by, name, card, said)


def _take(course: Course, by: Seat, name: str, card: str, said: Cheat) -> None:
    """What nobody hears of. Where it is not there, the hand comes back empty, and no attempt is open (6.7)."""
    state = course.state
    effect, zones = _silent(state, by, card, said)
    slip = MonopolySlip(name, course.at, effect)
    victims = [seat_of(movement.from_) for movement in effect.moved]
    victim = next((seat for seat in victims if seat is not None), None)
    witnesses = tuple(sorted({by, *eyes(state, zones)}))
    felt = None
    if victim is not None and victim in eyes(state, zones):
        felt = cash(state, purse(victim)) + net(effect.moved, purse(victim))
    course.tell(Slipped(by, slip, victim, felt, witnesses))


def _silent(state: State, by: Seat, card: str, said: Cheat) -> tuple[MonopolyEffect, tuple[str, ...]]:
    """What changes on the true board, and the zones in which it can be seen."""
    own = purse(by)
    match card:
        case "bank_heist":
            return MonopolyEffect(moved=move(POT, own, said.amount or 0, TAKEN)), ("tray", own)
        case "extra_go":
            return MonopolyEffect(moved=move(POT, own, state.data.cheat[card].limit or 0, TAKEN)), ("tray", own)
        case "pickpocket":
            assert said.target is not None
            there = max(0, min(said.amount or 0, cash(state, purse(said.target))))
            return MonopolyEffect(moved=move(purse(said.target), own, there, TAKEN)), (purse(said.target), own)
        case "escape":
            return MonopolyEffect(cuff_off=True), (own,)
        case "deed_theft" | "deed_swap":
            assert said.street is not None
            return _deeds(state, own, said.street, said.give)
        case "demolition":
            assert said.street is not None
            there = said.street in true_hotels(state)
            effect = MonopolyEffect(hotel_off=said.street) if there else MonopolyEffect()
            return effect, ("tray", purse(state.owners[said.street]))
        case _:
            there = true_hotels_left(state) > 0 and said.street not in true_hotels(state)
            return MonopolyEffect(hotel_on=said.street) if there else MonopolyEffect(), ("tray", own)


def _deeds(state: State, own: str, street: str, give: str | None) -> tuple[MonopolyEffect, tuple[str, ...]]:
    owner = state.owners.get(street)
    holder = POT if owner is None else purse(owner)
    zones = (own, "tray" if owner is None else holder)
    if lies_with(state, street) != holder or (give is not None and lies_with(state, give) != own):
        return MonopolyEffect(), zones
    taken = ((street, own),) if give is None else ((street, own), (give, holder))
    return MonopolyEffect(deeds=taken), zones


def _trick_dice(course: Course, by: Seat, name: str, distance: int) -> None:
    state = course.state
    assert isinstance(state.phase, ToMove)
    in_time(course.at, state.phase.until)
    right = (state.tokens[by] + sum(state.throw)) % movement.SQUARES
    square = (state.tokens[by] + distance) % movement.SQUARES
    effect = MonopolyEffect(right=right, square=square, stays=state.tokens[by], throws=state.throws)
    _moves(course, by, distance, MonopolySlip(name, course.at, effect))


def _identity(course: Course, by: Seat, name: str, target: Seat) -> None:
    """Announced is the own move, and the announced board acts on it; truly, another's token went (6.6)."""
    state, distance = course.state, sum(course.state.throw)
    assert isinstance(state.phase, ToMove)
    in_time(course.at, state.phase.until)
    square = (state.tokens[target] + distance) % movement.SQUARES
    effect = MonopolyEffect(token=target, square=square, stays=state.tokens[by])
    _moves(course, by, distance, MonopolySlip(name, course.at, effect))


def _moves(course: Course, by: Seat, distance: int, slip: MonopolySlip) -> None:
    seen = tuple(sorted({by, *eyes(course.state, ("dice",))}))
    movement.walk(course, by, distance, How.THROW, slip, seen)


def _pay_less(course: Course, by: Seat, name: str, debt_id: int, short: int | None) -> None:
    """Announced as paid. ``short`` None: nothing is."""
    debt = debt_of(course.state, debt_id)
    assert debt is not None
    kept = debt.amount if short is None else short
    effect = MonopolyEffect(moved=move(debt.creditor, purse(by), kept, TAKEN), debt_id=debt_id, rent=debt.amount)
    slip = MonopolySlip(name, course.at, effect)
    settle(course, by, debt_id, slip=slip, in_hand=kept)


def _demand_falsely(course: Course, by: Seat, name: str, landing_id: int, amount: int) -> None:
    state = course.state
    landing = landing_of(state, landing_id)
    assert landing is not None
    debt = MonopolyDebt(state.debt_ids, landing.seat, purse(by), amount, Cause.RENT, None, landing_id, binding=False)
    effect = MonopolyEffect(
        debt_id=debt.debt_id, landing_id=landing_id, payer=landing.seat, rent=landing.rent, amount=amount
    )
    course.tell(RentDemanded(debt, MonopolySlip(name, course.at, effect)))


def _tall_story(course: Course, by: Seat, name: str, read: str) -> None:
    state = course.state
    phase, drawn = cards.reading(course, by)
    assert isinstance(phase, ToRead)
    money = cards.bank_money(state, by, read) or 0
    effect = MonopolyEffect(card=drawn.id, read=read, amount=money, debt_id=state.debt_ids if money < 0 else None)
    cards.read_out(course, by, phase.deck, drawn.id, read, slip=MonopolySlip(name, course.at, effect))
