"""What a seat may do now, from its own view: whatever fits an offer is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from domain.games.monopoly.data import Contest, HalveRent, SendToJail, SwapTokens
from domain.games.monopoly.due import immediate
from domain.games.monopoly.phases import Closing, Done, ToBuy, ToChoose, ToMove, ToRead, ToRoll
from domain.games.monopoly.rules import cards, hotels, jail, rent, trade
from domain.games.monopoly.rules.accusing import accused_of, jurors, named
from domain.games.monopoly.rules.attention import zones
from domain.games.monopoly.rules.auction import STEP, in_distress, least_bid
from domain.games.monopoly.rules.distress import short_debt
from domain.games.monopoly.rules.movement import JAIL_FEE, SQUARES, waits_for
from domain.games.monopoly.rules.possible import cheats, free_cheats
from domain.games.monopoly.state import (
    State,
    bank_value,
    believed,
    busy,
    deed,
    estates,
    first_debt,
    in_play,
    landing_of,
    may_build,
    purse,
    streets_of,
)
from domain.games.monopoly.things import MonopolyDebt
from domain.kernel.game import Seat
from domain.kernel.offers import Between, Bound, Choose, Offer, OneOf

TAG = "monopoly_cheaters."


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if not in_play(state) or immediate(state) is not None or seat not in state.playing:
        return ()
    return tuple(_offers(state, seat))


def _offer(
    kind: str, fields: dict[str, Bound] | None = None, not_before: datetime | None = None, until: datetime | None = None
) -> Offer:
    return Offer(TAG + kind, fields or {}, not_before, until)


def _offers(state: State, seat: Seat) -> Iterator[Offer]:
    if seat == state.turn.seat and not busy(state):
        yield from _own_turn(state, seat)
    if seat in waits_for(state):
        assert isinstance(state.phase, ToRoll | Closing)
        until = None if busy(state) else state.phase.until  # nobody's time runs while others are busy
        yield _offer("accept", {"boundary_id": OneOf((state.turn.number,))}, until=until)
    yield from _debts(state, seat)
    yield from _rents(state, seat)
    yield from _auction(state, seat)
    yield from _hotels(state, seat)
    yield from _held_cards(state, seat)
    yield from _trades(state, seat)
    yield from _cheating(state, seat)
    yield from _table(state, seat)


def _own_turn(state: State, seat: Seat) -> Iterator[Offer]:
    match state.phase:
        case ToRoll(first, not_before, until):
            wait = not_before if first and waits_for(state) else None
            if first and state.prisoner == seat:
                yield _offer("jail_roll", None, wait, until)
                if believed(state, seat) >= JAIL_FEE:
                    yield _offer("jail_pay", None, None, until)
                decks = tuple(d for d in ("chance", "chest") if jail.jail_card(state, seat, d) is not None)
                if decks:
                    yield _offer("jail_card", {"deck": OneOf(decks)}, None, until)
            else:
                yield _offer("roll", None, wait, until)
        case ToMove(until):
            yield _offer("move", until=until)
        case ToBuy(street, until, short):
            if not short and believed(state, seat) >= deed(state, street).price:
                yield _offer("buy", until=until)
            yield _offer("decline", until=until)
        case ToChoose(until):
            yield _offer("choose_deck", {"deck": OneOf(("chance", "chest"))}, until=until)
        case ToRead() as phase:
            yield from _reading(state, seat, phase)
        case Done(until):
            yield _offer("pass_tray", until=until)
        case _:
            pass


def _reading(state: State, seat: Seat, phase: ToRead) -> Iterator[Offer]:
    if state.drawn is None or state.drawn not in state.data.cards:
        return
    card, until = state.data.cards[state.drawn], phase.until
    if card.kind == "now":
        fields: dict[str, Bound] = {"card": OneOf((card.id,))}
        if isinstance(card.effect, Contest) and believed(state, seat) >= card.effect.bribe:
            fields["bribe"] = OneOf((False, True), optional=True)
        yield _offer("use_card", fields, until=until)
        return
    held = state.kept[seat].get(phase.deck)
    yield from _use(state, seat, card.id, until)
    if held is None:
        yield _offer("keep_card", until=until)
    else:
        yield _offer("return_card", {"card": OneOf((card.id, held))}, until=until)


def _held_cards(state: State, seat: Seat) -> Iterator[Offer]:
    until = getattr(state.phase, "until", None) if seat == state.turn.seat and not busy(state) else None
    for card in state.kept[seat].values():
        yield from _use(state, seat, card, until)


def _use(state: State, seat: Seat, card: str, until: datetime | None) -> Iterator[Offer]:
    """A card that may be held, in every way in which it can be used now."""
    others = cards.movable(state, seat)
    match state.data.cards[card].effect:
        case SendToJail():
            targets = tuple(o for o in others if cards.usable(state, seat, card, o, None, None))
            if targets:
                yield _offer("use_card", {"card": OneOf((card,)), "target": OneOf(targets)}, until=until)
        case SwapTokens() if len(others) > 1 and cards.usable(state, seat, card, others[0], others[1], None):
            for place, one in enumerate(others[:-1]):
                pair: dict[str, Bound] = {"target": OneOf((one,)), "other": OneOf(others[place + 1 :])}
                yield _offer("use_card", {"card": OneOf((card,)), **pair}, until=until)
        case HalveRent():
            for debt in state.debts:
                if cards.usable(state, seat, card, None, None, debt.debt_id):
                    yield _offer("use_card", {"card": OneOf((card,)), "debt_id": OneOf((debt.debt_id,))}, until=until)
        case _:
            pass


def _debts(state: State, seat: Seat) -> Iterator[Offer]:
    debt = first_debt(state, seat)
    if debt is not None and (not debt.short or believed(state, seat) >= debt.amount):
        yield _offer("pay", {"debt_id": OneOf((debt.debt_id,))}, until=debt.until)
    for asked in state.debts:
        if asked.debtor == seat and not asked.binding:
            if believed(state, seat) >= asked.amount:
                yield _offer("pay", {"debt_id": OneOf((asked.debt_id,))})
            right = _right_answer(state, asked)
            if right is not None and believed(state, seat) >= right:
                yield _offer("pay_right", {"debt_id": OneOf((asked.debt_id,))})
    short = short_debt(state, seat)
    if short is not None and believed(state, seat) < short.amount:
        streets = streets_of(state, seat)
        if streets:
            yield _offer("sell_to_bank", {"street": OneOf(streets)}, until=short.until)
        else:
            yield _offer("declare_bankrupt", until=short.until)


def _rents(state: State, seat: Seat) -> Iterator[Offer]:
    due = tuple(landing.landing_id for landing in state.landings if rent.due(state, seat, landing))
    if due:
        yield _offer("demand_rent", {"landing_id": OneOf(due)})


def _auction(state: State, seat: Seat) -> Iterator[Offer]:
    auction = state.auction
    if auction is None or seat not in auction.bidders or seat in auction.passed:
        return
    which: dict[str, Bound] = {"auction_id": OneOf((auction.auction_id,))}
    least, most = least_bid(auction), believed(state, seat) // STEP * STEP
    if most >= least and not in_distress(state, seat):
        yield _offer("bid", {**which, "amount": Between(least, most, STEP)}, until=auction.closes_at)
    if seat != auction.bidder:
        yield _offer("pass_bid", which, until=auction.closes_at)


def _hotels(state: State, seat: Seat) -> Iterator[Offer]:
    streets = tuple([street for street in may_build(state, seat) if hotels.why_not(state, seat, street) is None])
    if streets:
        until = None if state.last_hotel is None else state.last_hotel.closes_at
        yield _offer("buy_hotel", {"street": OneOf(streets)}, until=until)


def _trades(state: State, seat: Seat) -> Iterator[Offer]:
    if not trade.may_trade(state):
        return
    for open_offer in state.trades:
        if seat in (open_offer.seat, open_offer.to):
            which: dict[str, Bound] = {"trade_id": OneOf((open_offer.trade_id,))}
            if seat == open_offer.to and trade.why_not(state, seat, open_offer) is None:
                yield _offer("accept_trade", which, until=open_offer.until)
            yield _offer("withdraw_trade", which)
    if any(open_offer.seat == seat for open_offer in state.trades):
        return
    yield from _new_trades(state, seat)


def _new_trades(state: State, seat: Seat) -> Iterator[Offer]:
    """Sales to anybody; and with each partner, what one could want of him."""
    all_streets, not_before = estates(state), state.trade_from[seat]
    own = all_streets.get(seat, ())
    others = [other for other in state.playing if other != seat]
    partners = tuple([o for o in others if not (state.debts and trade.pending_between(state, seat, o))])
    private = OneOf((False, True), optional=True)
    if in_distress(state, seat):
        for street in own if partners else ():
            least = max(STEP, -(-bank_value(state, street) // STEP) * STEP)
            price = Between(least, least + 1000, STEP)
            sale: dict[str, Bound] = {"to": OneOf(partners), "give": Choose((street,), 1, 1), "want_cash": price}
            yield _offer("offer_trade", sale, not_before)
        return
    if own and partners:
        price = Between(STEP, 2000, STEP)
        sale = {"to": OneOf(partners), "give": Choose(own, 1, len(own)), "want_cash": price, "private": private}
        yield _offer("offer_trade", sale, not_before)
    decks = tuple(d for d in ("chance", "chest") if jail.jail_card(state, seat, d) is not None)
    if decks and partners:
        card: dict[str, Bound] = {
            "to": OneOf(partners),
            "give_jail_card": OneOf(decks),
            "want_cash": Between(STEP, 500, STEP),
        }
        yield _offer("offer_trade", card, not_before)
    most = believed(state, seat) // STEP * STEP
    for partner in partners:
        theirs = all_streets.get(partner, ())
        if theirs:
            wants: dict[str, Bound] = {"to": OneOf((partner,)), "want": Choose(theirs, 1, len(theirs))}
            if own:
                wants["give"] = Choose(own, 0, len(own))
            if most >= STEP:
                wants["give_cash"] = Between(STEP, most, STEP, optional=True)
            yield _offer("offer_trade", {**wants, "private": private}, not_before)


def _cheating(state: State, seat: Seat) -> Iterator[Offer]:
    until = getattr(state.phase, "until", None)
    for card, fields in cheats(state, seat):
        yield _offer("cheat", {"card": OneOf((card,)), **fields}, until=_cheat_until(state, seat, card, until))
    for kind, fields in free_cheats(state, seat):
        yield _offer("free_cheat", {"kind": OneOf((kind,)), **fields}, until=_cheat_until(state, seat, kind, until))
    accused = accused_of(state, seat)
    if accused:
        yield _offer("accuse", {"target": OneOf(accused), "card": OneOf(named(state))})


def _cheat_until(state: State, seat: Seat, name: str, until: datetime | None) -> datetime | None:
    """What takes the place of a move, a reading or a payment has its deadline."""
    if name in ("trick_dice", "identity", "wrong_move", "fake_chance"):
        return until
    if name in ("free_stay", "short_change", "skip_payment"):
        debt = first_debt(state, seat)
        return None if debt is None else debt.until
    return None


def _table(state: State, seat: Seat) -> Iterator[Offer]:
    """Votes, tokens to be placed, and where to look."""
    asked = state.accusation
    if asked is not None and seat in jurors(state):
        ballot: dict[str, Bound] = {"accusation_id": OneOf((asked.accusation_id,)), "guilty": OneOf((False, True))}
        yield _offer("vote", ballot, until=asked.until)
    if state.placing is not None and state.placing.seat == seat:
        yield _offer("place", {"square": Between(0, SQUARES - 1, 1)}, until=state.placing.until)
    if state.options.attention == "watch":
        yield _offer("watch", {"zone": OneOf(zones(state))}, not_before=state.gazes[seat].not_before)


def _right_answer(state: State, debt: MonopolyDebt) -> int | None:
    landing = None if debt.landing_id is None else landing_of(state, debt.landing_id)
    if landing is None or landing.debt_id is not None or landing.paid is not None:
        return None
    return landing.rent if purse(state.owners.get(landing.street, Seat(-1))) == debt.creditor else None
