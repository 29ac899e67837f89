"""MOGLER! Who says so names a seat and what it did; the House knows, or the table votes. RULES.md 6.11–6.16."""

from __future__ import annotations

from typing import Final

from domain.games.monopoly.course import Course
from domain.games.monopoly.data import Each
from domain.games.monopoly.events import (
    Accused,
    Caught,
    DebtsVoided,
    JailTried,
    LotsQueued,
    Moved,
    Placed,
    PlacingAsked,
    Reverted,
    VoteCast,
    WronglyAccused,
)
from domain.games.monopoly.phases import Resolving, ToBuy
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import cards, jail, movement, undoing
from domain.games.monopoly.rules.boundary import FREE_KINDS
from domain.games.monopoly.rules.money import charge, from_pot
from domain.games.monopoly.state import (
    POT,
    Attempt,
    State,
    deed,
    in_play,
    purse,
    until,
)
from domain.games.monopoly.things import Cause, How, MonopolyAccusation, MonopolyEffect, MonopolyLanding
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.ledger import Account
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time

WRONG: Final = 100
FREE_FINE: Final = 200


def named(state: State) -> tuple[str, ...]:
    """All that somebody can be accused of."""
    return (*state.data.cheat, *(FREE_KINDS if state.options.meistermogler else ()))


def accused_of(state: State, by: Seat) -> tuple[Seat, ...]:
    """Whom this seat may accuse now: not while it owes something itself, or the table votes."""
    if not in_play(state) or state.accusation is not None or any(d.debtor == by and d.binding for d in state.debts):
        return ()
    return tuple([seat for seat in state.playing if seat != by])


def accuse(course: Course, by: Seat, target: Seat, card: str) -> None:
    state = course.state
    if not in_play(state):
        raise Refused(Reason.NOT_NOW)
    if card not in named(state):
        raise Refused(MonopolyReason.NO_SUCH_CHEAT)
    if by == target:
        raise Refused(MonopolyReason.SAME_SEAT)
    if target not in state.playing:
        raise Refused(MonopolyReason.NO_SUCH_SEAT_HERE)
    if target not in accused_of(state, by):
        raise Refused(MonopolyReason.BUSY)
    if state.options.proof == "vote" and len(state.playing) > 2:
        closes = course.at + seconds(2 * state.pace.min_open)
        course.tell(Accused(MonopolyAccusation(state.accusation_ids, by, target, card, closes)))
        return
    attempt = state.attempts.get(target)
    if attempt is not None and attempt.slip.card == card:
        _catch(course, by, target, card, attempt)
    else:
        _wrong(course, by, target, card)


def jurors(state: State) -> tuple[Seat, ...]:
    """Who has not voted yet and is neither accuser nor accused."""
    asked = state.accusation
    if asked is None:
        return ()
    voted = [seat for seat, _ in asked.votes]
    return tuple([seat for seat in state.playing if seat not in (asked.seat, asked.target, *voted)])


def vote(course: Course, by: Seat, accusation_id: int, guilty: bool) -> None:
    asked = course.state.accusation
    if asked is None or asked.accusation_id != accusation_id:
        raise Refused(MonopolyReason.NO_SUCH_ACCUSATION)
    if by not in jurors(course.state):
        raise Refused(MonopolyReason.NOT_A_JUROR)
    in_time(course.at, asked.until)
    course.tell(VoteCast(accusation_id, by, guilty))
    if not jurors(course.state):
        _verdict(course)


def close_vote(course: Course, accusation_id: int) -> None:
    asked = course.state.accusation
    if asked is None or asked.accusation_id != accusation_id:
        raise Refused(Reason.NOT_NOW)
    if course.at < asked.until:
        raise Refused(Reason.TOO_EARLY, not_before=asked.until)
    _verdict(course)


def _verdict(course: Course) -> None:
    """The majority of the votes cast; a tie, or nobody, and the accusation is wrong (6.16)."""
    state, asked = course.state, course.state.accusation
    assert asked is not None
    guilty = sum(says for _, says in asked.votes)
    if 2 * guilty <= len(asked.votes):
        _wrong(course, asked.seat, asked.target, asked.card)
        return
    attempt = state.attempts.get(asked.target)
    true = attempt is not None and attempt.slip.card == asked.card
    _catch(course, asked.seat, asked.target, asked.card, attempt if true else None)


def drop_vote(course: Course, seat: Seat) -> None:
    """Accuser or accused is gone: there is nothing left to decide, and nothing to pay."""
    asked = course.state.accusation
    if asked is not None and seat in (asked.seat, asked.target):
        course.tell(WronglyAccused(asked.seat, asked.target, asked.card))


def _wrong(course: Course, by: Seat, target: Seat, card: str) -> None:
    course.tell(WronglyAccused(by, target, card))
    charge(course, by, purse(target), WRONG, Cause.ACCUSATION)


def _catch(course: Course, by: Seat, target: Seat, card: str, attempt: Attempt | None) -> None:
    """Undone, as far as it is still there, then the penalty on the card (6.12)."""
    before, nothing = course.state, MonopolyEffect()
    effect = nothing if attempt is None else attempt.slip.effect
    creditor, spent = (POT, 0) if attempt is None else undoing.missing(course, attempt)
    leaves = attempt is not None and not attempt.orphaned and card not in FREE_KINDS
    course.tell(Caught(by, target, card, effect, attempt is not None, leaves))
    charge(course, target, creditor, spent, Cause.MISSING)
    if attempt is not None:
        _undo(course, before, target, card, effect)
    victim = _victim(before, effect, card) or purse(by)
    _punish(course, target, card, effect, victim)


def _undo(course: Course, before: State, target: Seat, card: str, effect: MonopolyEffect) -> None:
    if effect.right is not None:
        _put_right(course, target, effect)
    elif effect.read is not None and effect.card is not None:
        _true_card(course, before, target, effect)
    elif card in ("overcharge", "squatter") and effect.debt_id in before.false_paid:
        _pay_back(course, before, target, card, effect)


def _pay_back(course: Course, before: State, target: Seat, card: str, effect: MonopolyEffect) -> None:
    """What was too much to whoever paid it; what a squatter took to the true owner, if he was not paid besides."""
    assert effect.payer is not None
    landing = _demanded_for(before, effect)
    owner = None if landing is None else before.owners.get(landing.street)
    if card == "overcharge":
        charge(course, target, purse(effect.payer), effect.amount - effect.rent, Cause.PENALTY)
    elif landing is not None and landing.paid is None and owner is not None:
        charge(course, target, purse(owner), effect.amount, Cause.PENALTY)
    else:
        charge(course, target, purse(effect.payer), effect.amount, Cause.PENALTY)


def _demanded_for(state: State, effect: MonopolyEffect) -> MonopolyLanding | None:
    """The landing of a false demand, which may have lapsed before it was noticed."""
    return next((one for one in (*state.landings, *state.lapsed) if one.landing_id == effect.landing_id), None)


def _true_card(course: Course, before: State, target: Seat, effect: MonopolyEffect) -> None:
    """The money of the false card goes back; a true money card is carried out, another has no effect (6.6)."""
    assert effect.card is not None
    still_owed = any(debt.debt_id == effect.debt_id for debt in before.debts)
    if effect.amount > 0:
        charge(course, target, POT, effect.amount, Cause.PENALTY)
    elif effect.amount < 0 and not still_owed:
        back = from_pot(course, purse(target), -effect.amount, Cause.CARD)
        course.tell(Reverted(target, None, back))
    money = cards.bank_money(course.state, target, effect.card)
    if money is not None and money > 0:
        course.tell(Reverted(target, None, from_pot(course, purse(target), money, Cause.CARD)))
    elif money is not None or isinstance(course.state.data.cards[effect.card].effect, Each):
        cards.fine(course, target, effect.card)


def _put_right(course: Course, target: Seat, effect: MonopolyEffect) -> None:
    """4.6a: the token to its right square; a purchase is returned, rent paid back; on the right one only rent is
    open. Auctions, cards and jail stand; and so does what a later throw or a card has moved (6.6)."""
    assert effect.right is not None
    state = course.state
    wrong = None if effect.square is None else state.data.board[effect.square].street
    phase = state.phase
    if isinstance(phase, ToBuy) and phase.street == wrong and state.turn.seat == target:
        course.come_to(Resolving())
    for purchase in state.purchases:
        if purchase.seat == target and purchase.street == wrong and state.owners.get(purchase.street) == target:
            undoing.void_deeds(course, purchase.street)
            back = from_pot(course, purse(target), purchase.price, "price") if purchase.price else ()
            course.tell(Reverted(target, purchase.street, back))
            if course.state.sold_out:
                course.tell(LotsQueued((purchase.street,)))
    for landing in (*state.lapsed, *state.landings):
        if landing.seat == target and landing.street == wrong:
            if landing in state.landings:
                owed = tuple(debt.debt_id for debt in state.debts if debt.landing_id == landing.landing_id)
                course.tell(DebtsVoided(owed, (landing.landing_id,)))
            if landing.paid is not None:
                _refund(course, landing.paid, target, landing.amount)
    if _passed_go_by_it(effect):
        charge(course, target, POT, movement.GO_PAYS, Cause.PENALTY)
    if state.last_throws[target] == effect.throws and target != course.state.prisoner:
        course.tell(Moved(target, effect.right, How.PUT_RIGHT, (), False, None, ()))
        street = state.data.board[effect.right].street
        if street is not None and street in course.state.owners:
            movement.open_rent(course, target, street)


def _passed_go_by_it(effect: MonopolyEffect) -> bool:
    """LOS paid for a move that should not have come there."""
    start, square, right = effect.stays, effect.square, effect.right
    return start is not None and square is not None and right is not None and square < start <= right


def _refund(course: Course, creditor: Account, target: Seat, amount: int) -> None:
    owner = next((seat for seat in course.state.playing if purse(seat) == creditor), None)
    if owner is not None:
        charge(course, owner, purse(target), amount, Cause.RENT)


def _victim(state: State, effect: MonopolyEffect, card: str) -> Account | None:
    """Whom the penalty on the card calls the victim; where the table was wrong there is none."""
    if card == "squatter" and effect.landing_id is not None:
        landing = _demanded_for(state, effect)
        owner = None if landing is None else state.owners.get(landing.street)
        return None if owner is None else purse(owner)
    if effect.payer is not None:
        return purse(effect.payer)
    return effect.moved[0].from_ if effect.moved else None


def _punish(course: Course, target: Seat, card: str, effect: MonopolyEffect, victim: Account) -> None:
    state = course.state
    if card in FREE_KINDS:
        charge(course, target, POT, FREE_FINE, Cause.PENALTY)
        jail.send(course, target)
        return
    penalty = state.data.cheat[card].penalty
    charge(course, target, POT, penalty.bank, Cause.PENALTY)
    charge(course, target, victim, penalty.victim, Cause.PENALTY)
    match penalty.also:
        case "tries_anew" if state.prisoner == target:
            course.tell(JailTried(target, 0))
        case "rent_again":
            charge(course, target, victim, effect.rent, Cause.PENALTY)
        case "hotel_price" if effect.hotel_on is not None:
            charge(course, target, POT, deed(state, effect.hotel_on).hotel_price, Cause.PENALTY)
        case "placed":
            _ask_to_place(course, target, effect, victim)
        case _:
            pass
    if penalty.jail:
        jail.send(course, target)


def _ask_to_place(course: Course, target: Seat, effect: MonopolyEffect, accuser: Account) -> None:
    """The victim sets the cheater's token; a token that may not be moved costs 200 instead (6.13)."""
    state = course.state
    victim = effect.token
    if victim is None or victim not in state.playing:
        victim = next(seat for seat in state.playing if purse(seat) == accuser)
    if target == state.prisoner or target in state.parked or state.placing is not None:
        charge(course, target, POT, jail.INSTEAD, Cause.PENALTY)
    else:
        course.tell(PlacingAsked(victim, target, until(state, course.at)))


def place(course: Course, by: Seat, square: int) -> None:
    """No landing, no 200, and nobody comes to stay on LOS by it."""
    asked = course.state.placing
    if asked is None or asked.seat != by:
        raise Refused(Reason.NOT_NOW)
    in_time(course.at, asked.until)
    set_down(course, square)


def set_down(course: Course, square: int) -> None:
    asked = course.state.placing
    assert asked is not None
    undoing.void_tokens(course, asked.token)
    course.tell(Placed(asked.seat, asked.token, square))
