"""Streets and jail cards change hands at any time, for others or for money. RULES.md 9.10–9.15."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from domain.games.monopoly.actions import OfferTrade
from domain.games.monopoly.course import Course
from domain.games.monopoly.data import DeckName, JailFree
from domain.games.monopoly.events import TradeClosed, TradeMade, TradeOffered
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules import boundary, jail, undoing
from domain.games.monopoly.rules.auction import in_distress
from domain.games.monopoly.rules.money import move
from domain.games.monopoly.state import (
    State,
    bank_value,
    believed,
    cash,
    closing,
    in_play,
    purse,
)
from domain.games.monopoly.things import MonopolyTrade, TradeEnd
from domain.kernel.game import Refused, Seat
from domain.kernel.reasons import Reason
from domain.kernel.windows import in_time

LASTS: Final = timedelta(seconds=60)
PAUSE: Final = timedelta(seconds=10)
STEP: Final = 10


def may_trade(state: State) -> bool:
    return in_play(state) and not closing(state)


def offer(course: Course, by: Seat, said: OfferTrade) -> None:
    state, to = course.state, said.to
    if not may_trade(state):
        raise Refused(Reason.NOT_NOW)
    if to == by:
        raise Refused(MonopolyReason.SAME_SEAT)
    if to not in state.playing:
        raise Refused(MonopolyReason.NO_SUCH_SEAT_HERE)
    _no_gift(said)
    if len({*said.give, *said.want}) < len(said.give) + len(said.want):
        raise Refused(MonopolyReason.TRADE_EMPTY)
    if not {*said.give, *said.want} <= {*state.data.streets}:
        raise Refused(MonopolyReason.NO_SUCH_STREET)
    if any(state.owners.get(street) != by for street in said.give):
        raise Refused(MonopolyReason.NOT_YOUR_STREET)
    if any(state.owners.get(street) != to for street in said.want):
        raise Refused(MonopolyReason.TRADE_STALE)
    if said.give_jail_card is not None and jail.jail_card(state, by, said.give_jail_card) is None:
        raise Refused(MonopolyReason.NO_SUCH_CARD)
    if said.want_jail_card is not None and said.want_jail_card not in state.kept[to]:
        raise Refused(MonopolyReason.NO_SUCH_CARD)
    if believed(state, by) < said.give_cash:
        raise Refused(MonopolyReason.CANNOT_AFFORD)
    if pending_between(state, by, to):
        raise Refused(MonopolyReason.TRADE_PENDING)
    _in_distress_only_sells(state, by, said)
    not_before = state.trade_from[by]
    if not_before is not None and course.at < not_before:
        raise Refused(Reason.TOO_EARLY, not_before=not_before)
    for old in state.trades:
        if old.seat == by:
            course.tell(_closed(old, by, TradeEnd.REPLACED))
    kind = f"{by}-{to}" if said.private else f"{by}"
    trade = MonopolyTrade(
        trade_id=f"{kind}-{course.state.trade_ids.get(kind, 0)}",
        seat=by,
        to=to,
        give=tuple(sorted(said.give)),
        want=tuple(sorted(said.want)),
        give_cash=said.give_cash,
        want_cash=said.want_cash,
        give_jail_card=said.give_jail_card,
        want_jail_card=said.want_jail_card,
        private=said.private,
        until=course.at + LASTS,
    )
    course.tell(TradeOffered(trade, course.at + PAUSE))


def _no_gift(said: OfferTrade) -> None:
    """Goods on at least one side; money as their price, on the other side and on one side only (9.10)."""
    gives = bool(said.give or said.give_jail_card)
    wants = bool(said.want or said.want_jail_card)
    if not gives and not wants:
        raise Refused(MonopolyReason.TRADE_EMPTY)
    both = said.give_cash and said.want_cash
    gift = (said.give_cash and not wants) or (said.want_cash and not gives)
    if both or gift or said.give_cash % STEP or said.want_cash % STEP:
        raise Refused(MonopolyReason.TRADE_CASH)


def pending_between(state: State, one: Seat, other: Seat) -> bool:
    """A debt between the two comes first; a seller in distress may still sell to whoever waits for his money."""
    both = {purse(one), purse(other)}
    return any(
        debt.binding and not debt.short and purse(debt.debtor) in both and debt.creditor in both for debt in state.debts
    )


def _in_distress_only_sells(state: State, by: Seat, said: OfferTrade) -> None:
    """For cash, and not for less than the bank would give (9.4)."""
    if not in_distress(state, by):
        return
    if said.want or said.want_jail_card or said.give_cash:
        raise Refused(MonopolyReason.IN_DISTRESS)
    if said.want_cash < sum(bank_value(state, street) for street in said.give):
        raise Refused(MonopolyReason.TRADE_TOO_CHEAP)


def _closed(trade: MonopolyTrade, by: Seat, why: TradeEnd) -> TradeClosed:
    return TradeClosed(trade.trade_id, by, trade.to if by == trade.seat else trade.seat, trade.private, why)


def _known(course: Course, by: Seat, trade_id: str) -> MonopolyTrade:
    trade = next((trade for trade in course.state.trades if trade.trade_id == trade_id), None)
    if trade is None or by not in (trade.seat, trade.to):
        raise Refused(MonopolyReason.NO_SUCH_TRADE)
    return trade


def withdraw(course: Course, by: Seat, trade_id: str) -> None:
    trade = _known(course, by, trade_id)
    if not may_trade(course.state):
        raise Refused(Reason.NOT_NOW)
    course.tell(_closed(trade, by, TradeEnd.WITHDRAWN if by == trade.seat else TradeEnd.DECLINED))


def accept(course: Course, by: Seat, trade_id: str) -> None:
    """Everything is looked at again: what has changed hands meanwhile makes the offer void (9.12)."""
    trade, state = _known(course, by, trade_id), course.state
    if by != trade.to or not may_trade(state):
        raise Refused(Reason.NOT_NOW)
    in_time(course.at, trade.until)
    if (reason := why_not(state, by, trade)) is not None:
        raise Refused(reason)
    if _stale(state, trade):
        course.tell(_closed(trade, by, TradeEnd.STALE))
        return
    give, want = trade.give_cash or 0, trade.want_cash or 0
    if cash(state, purse(trade.seat)) < give or cash(state, purse(by)) < want:
        course.tell(_closed(trade, by, TradeEnd.SHORT))
        return
    paid = (
        *move(purse(trade.seat), purse(by), give, "trade"),
        *move(purse(by), purse(trade.seat), want, "trade"),
    )
    moved, unseen = ((), paid) if trade.private else (paid, ())
    cards = tuple(
        (card, giver, to)
        for deck, giver, to in ((trade.give_jail_card, trade.seat, by), (trade.want_jail_card, by, trade.seat))
        if deck is not None and (card := _jail_card_of(state, deck)) is not None
    )
    undoing.void_deeds(course, *trade.give, *trade.want)
    course.tell(TradeMade(trade, moved, unseen, cards))
    boundary.sold_out(course)


def _jail_card_of(state: State, deck: DeckName) -> str | None:
    return next(card.id for card in state.data.decks[deck] if isinstance(card.effect, JailFree))


def why_not(state: State, by: Seat, trade: MonopolyTrade) -> MonopolyReason | None:
    """Why the seat to which it was offered may not accept, as far as it can know."""
    if any(state.owners.get(street) != trade.seat for street in trade.give):
        return MonopolyReason.TRADE_STALE
    if any(state.owners.get(street) != by for street in trade.want):
        return MonopolyReason.TRADE_STALE
    if trade.want_jail_card is not None and jail.jail_card(state, by, trade.want_jail_card) is None:
        return MonopolyReason.NO_SUCH_CARD
    if trade.give_jail_card is not None and trade.give_jail_card in state.kept[by]:
        return MonopolyReason.CARD_LIMIT
    if trade.want_jail_card is not None and trade.want_jail_card in state.kept[trade.seat]:
        return MonopolyReason.CARD_LIMIT
    if believed(state, by) < (trade.want_cash or 0):
        return MonopolyReason.CANNOT_AFFORD
    if pending_between(state, by, trade.seat):
        return MonopolyReason.TRADE_PENDING
    if in_distress(state, by) and not _a_sale(state, trade.want, trade.give, trade.give_cash or 0):
        return MonopolyReason.IN_DISTRESS
    if in_distress(state, trade.seat) and not _a_sale(state, trade.give, trade.want, trade.want_cash or 0):
        return MonopolyReason.IN_DISTRESS
    return None


def _a_sale(state: State, sold: tuple[str, ...], got: tuple[str, ...], price: int) -> bool:
    return bool(sold) and not got and price >= sum(bank_value(state, street) for street in sold)


def _stale(state: State, trade: MonopolyTrade) -> bool:
    """The jail card that was promised is not there any more."""
    return trade.give_jail_card is not None and jail.jail_card(state, trade.seat, trade.give_jail_card) is None
