"""What an event makes of a state. It copies what the event says, and never looks at the face of a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from domain.games.monopoly.data import DeckName
from domain.games.monopoly.events import (
    Accepted,
    Accused,
    AuctionClosed,
    AuctionOpened,
    Bankrupted,
    BidPassed,
    BidPlaced,
    Bought,
    CameTo,
    CardDrawn,
    CardKept,
    CardRead,
    CardReturned,
    CardsTurned,
    CardUsed,
    Caught,
    DebtArose,
    DebtsVoided,
    Declined,
    Event,
    FellShort,
    FinalRents,
    Freed,
    Halved,
    HotelBuilt,
    HotelClaimed,
    HotelWindowClosed,
    Jailed,
    JailTried,
    Landed,
    Left,
    LotsQueued,
    MatchOver,
    Moved,
    Paid,
    Placed,
    PlacingAsked,
    PotRefilled,
    RentDemanded,
    Reverted,
    RollCalled,
    SetUpDone,
    Slipped,
    SoldOut,
    SoldToBank,
    Spent,
    Succeeded,
    Threw,
    TradeClosed,
    TradeMade,
    TradeOffered,
    TrayPassed,
    Undone,
    VoteCast,
    Watched,
    WronglyAccused,
)
from domain.games.monopoly.phases import Closing, Ended, ToBuy, ToRoll, ToThrow
from domain.games.monopoly.state import (
    CARD_BACK,
    Attempt,
    Deck,
    Gaze,
    LastHotel,
    Placing,
    Purchase,
    State,
    believed,
    purse,
    seat_of,
)
from domain.games.monopoly.things import How, MonopolyEffect, MonopolySlip, What, Witnesses
from domain.kernel.game import Seat
from domain.kernel.ledger import Account, Movement
from domain.kernel.seating import with_seat


def evolve(state: State, event: Event) -> State:
    match event:
        case SetUpDone(data, _, cheats, moved, turn, phase, draw):
            return replace(
                state,
                data_hash=data,
                ledger=state.ledger.post(moved),
                open_cheats=cheats,
                cheats=Deck(tuple(card for card in state.cheats.stack if card not in cheats)),
                turn=turn,
                phase=phase,
                draws=draw + 1,
            )
        case CameTo(phase):
            return replace(state, phase=phase)
        case Accepted(_, seat):
            phase = state.phase
            assert isinstance(phase, ToRoll | Closing)
            return replace(state, phase=replace(phase, accepted=(*phase.accepted, seat)))
        case RollCalled(_, first, in_jail, lapsed):
            cleared = replace(state, phase=ToThrow(in_jail))
            if not first:
                return cleared
            return replace(
                cleared,
                landings=(),
                purchases=(),
                passed_go=None,
                no_hotel_for=(),
                debts=tuple(debt for debt in state.debts if debt.debt_id not in lapsed),
            )
        case Threw(_, dice, _, turn, draw):
            return replace(state, throw=dice, turn=turn, throws=state.throws + 1, draws=draw + 1)
        case Moved(seat, square, how, moved, parks, slip, witnesses):
            return replace(
                _slipped(state, seat, slip, witnesses),
                ledger=state.ledger.post(moved),
                tokens=with_seat(state.tokens, seat, square),
                parked=_parked(state.parked, seat, how, parks=parks),
                passed_go=seat if moved else state.passed_go,
                turn=replace(state.turn, again=False) if parks else state.turn,
            )
        case Landed(landing):
            return replace(state, landings=(*state.landings, landing), landing_ids=landing.landing_id + 1)
        case Bought(seat, street, moved, left):
            price = sum(movement.amount for movement in moved)
            bought = replace(
                state,
                ledger=state.ledger.post(moved),
                owners={**state.owners, street: seat},
                purchases=(*state.purchases, Purchase(seat, street, price)),
            )
            return _learned(bought, seat, left)
        case Declined():
            return state
        case LotsQueued(lots):
            return replace(state, lots=(*state.lots, *lots))
        case AuctionOpened(auction):
            lots = tuple(lot for lot in state.lots if lot != auction.lot)
            return replace(state, auction=auction, lots=lots, auction_ids=auction.auction_id + 1)
        case BidPlaced(_, seat, amount, moved, closes_at, left):
            assert state.auction is not None
            auction = replace(state.auction, bidder=seat, amount=amount, closes_at=closes_at)
            return _learned(replace(state, auction=auction, ledger=state.ledger.post(moved)), seat, left)
        case BidPassed(_, seat):
            assert state.auction is not None
            return replace(state, auction=replace(state.auction, passed=(*state.auction.passed, seat)))
        case AuctionClosed(_, lot, winner, _, moved):
            sold = replace(state, auction=None, ledger=state.ledger.post(moved))
            if lot.startswith("hotel:") or winner is None:
                return sold
            return replace(sold, owners={**state.owners, lot: winner})
        case RentDemanded(debt, slip):
            asked = replace(state, debts=(*state.debts, debt), debt_ids=debt.debt_id + 1)
            if debt.binding:
                landings = tuple(
                    replace(one, debt_id=debt.debt_id) if one.landing_id == debt.landing_id else one
                    for one in state.landings
                )
                asked = replace(asked, landings=landings)
            asker = seat_of(debt.creditor)
            return asked if asker is None else _slipped(asked, asker, slip, ())
        case DebtArose(debt):
            return replace(state, debts=(*state.debts, debt), debt_ids=debt.debt_id + 1)
        case DebtsVoided(debt_ids, landing_ids):
            return replace(
                state,
                debts=tuple(debt for debt in state.debts if debt.debt_id not in debt_ids),
                landings=tuple(one for one in state.landings if one.landing_id not in landing_ids),
            )
        case Halved(debt_id, amount):
            debts = tuple(replace(debt, amount=amount) if debt.debt_id == debt_id else debt for debt in state.debts)
            return replace(state, debts=debts)
        case Paid(seat, debt_id, moved, left, slip, witnesses):
            paid = replace(_settled(state, debt_id, moved), ledger=state.ledger.post(moved))
            return _learned(_slipped(paid, seat, slip, witnesses), seat, left)
        case FellShort(seat, what, _, debt_id, until, left):
            return _learned(_short(state, what, debt_id, until, seat), seat, left)
        case HotelBuilt(seat, street, moved, left):
            built = replace(state, ledger=state.ledger.post(moved), hotels=_with(state.hotels, street))
            return _learned(built, seat, left)
        case HotelClaimed(seat, street, closes_at):
            claims = () if state.last_hotel is None else state.last_hotel.claims
            return replace(state, last_hotel=LastHotel((*claims, (seat, street)), closes_at))
        case HotelWindowClosed():
            return replace(state, last_hotel=None)
        case TradeOffered(trade, not_before):
            kind = trade.trade_id.rpartition("-")[0]
            return replace(
                state,
                trades=(*state.trades, trade),
                trade_ids={**state.trade_ids, kind: state.trade_ids.get(kind, 0) + 1},
                trade_from=with_seat(state.trade_from, trade.seat, not_before),
            )
        case TradeClosed(trade_id):
            return replace(state, trades=tuple(trade for trade in state.trades if trade.trade_id != trade_id))
        case TradeMade(trade, moved, unseen, cards):
            owners = {**state.owners}
            owners.update(dict.fromkeys(trade.give, trade.to))
            owners.update(dict.fromkeys(trade.want, trade.seat))
            return replace(
                _cards_to(state, cards),
                trades=tuple(other for other in state.trades if other.trade_id != trade.trade_id),
                owners=owners,
                ledger=state.ledger.post(moved),
                private=_posted(state.private, unseen),
            )
        case CardDrawn(_, deck, card, reshuffled, draw):
            return replace(
                state,
                drawn=card,
                decks={**state.decks, deck: _take(state.decks[deck], card, reshuffled)},
                draws=draw + 1,
            )
        case CardRead(seat, deck, _, card, _, moved, slip, witnesses):
            read = replace(_under(state, deck, card), drawn=None, ledger=state.ledger.post(moved))
            return _slipped(read, seat, slip, witnesses)
        case CardUsed(seat, deck, card):
            return _under(replace(state, kept=_kept(state, seat, deck, None)), deck, card)
        case CardKept(seat, deck, card):
            return replace(state, drawn=None, kept=_kept(state, seat, deck, card))
        case CardReturned(seat, deck, card, held):
            kept = state.kept if not held else _kept(state, seat, deck, state.drawn)
            return _under(replace(state, drawn=None, kept=kept), deck, card)
        case Jailed(seat, _, square, turn):
            return replace(
                state,
                tokens=with_seat(state.tokens, seat, square),
                prisoner=seat,
                tries=0,
                turn=turn,
            )
        case Freed(seat, moved, left):
            return _learned(replace(state, prisoner=None, tries=0, ledger=state.ledger.post(moved)), seat, left)
        case JailTried(_, tries):
            return replace(state, tries=tries)
        case TrayPassed(_, turn, phase):
            return replace(state, turn=turn, phase=phase, throw=())
        case Watched(seat, zone, not_before, sight):
            own = sight.cash if zone == purse(seat) else None
            gazes = with_seat(state.gazes, seat, Gaze(zone, not_before, sight))
            return _learned(replace(state, gazes=gazes), seat, own)
        case Slipped(seat, slip, victim, felt, witnesses):
            slipped = _slipped(state, seat, slip, witnesses)
            return slipped if victim is None else _learned(slipped, victim, felt)
        case Undone(seat, effect):
            return _forget(state, seat, effect)
        case Accused(accusation):
            return replace(state, accusation=accusation, accusation_ids=accusation.accusation_id + 1)
        case VoteCast(_, seat, guilty):
            assert state.accusation is not None
            votes = (*state.accusation.votes, (seat, guilty))
            return replace(state, accusation=replace(state.accusation, votes=votes))
        case Spent(_, moved, hotel):
            hotels = tuple(street for street in state.hotels if street != hotel)
            return replace(state, ledger=state.ledger.post(moved), hotels=hotels)
        case Caught(_, target, card, effect, true, leaves):
            caught = replace(state, accusation=None)
            return _card_gone(_caught(caught, target, effect), card if leaves else None) if true else caught
        case WronglyAccused():
            return replace(state, accusation=None)
        case Succeeded(seat, card, effect, moved, leaves):
            return _card_gone(_announced(state, seat, effect, moved), card if leaves else None)
        case CardsTurned(cards, draw):
            turned = state.cheats
            for card in cards:
                turned = _take(turned, card, reshuffled=False)
            return replace(state, open_cheats=(*state.open_cheats, *cards), cheats=turned, draws=draw + 1)
        case Reverted(_, street, moved):
            return replace(state, ledger=state.ledger.post(moved), owners=_without(state.owners, street))
        case PlacingAsked(seat, token, until):
            return replace(state, placing=Placing(seat, token, until))
        case Placed(_, token, square):
            return replace(state, placing=None, tokens=with_seat(state.tokens, token, square))
        case SoldToBank(_, street, moved):
            return replace(state, ledger=state.ledger.post(moved), owners=_without(state.owners, street))
        case Bankrupted():
            return _bankrupt(state, event)
        case Left(seat):
            return replace(state, left=(*state.left, seat))
        case PotRefilled(moved) | FinalRents(_, moved):
            return replace(state, ledger=state.ledger.post(moved))
        case SoldOut():
            return replace(state, sold_out=True)
        case MatchOver(winners, scores):
            return replace(state, phase=Ended(winners, scores))
        case _:
            assert_never(event)


def _parked(parked: tuple[Seat, ...], seat: Seat, how: How, *, parks: bool) -> tuple[Seat, ...]:
    """Who came to stay on LOS by a false move is put right, and walks on."""
    if parks:
        return (*parked, seat)
    return tuple(other for other in parked if other != seat) if how is How.PUT_RIGHT else parked


def _learned(state: State, seat: Seat, left: int | None) -> State:
    """The seat was told its true money: what was thought to be there besides is missing."""
    if left is None:
        return state
    missing = left - (believed(state, seat) - state.learned[seat])
    return state if missing == state.learned[seat] else replace(state, learned=with_seat(state.learned, seat, missing))


def _slipped(state: State, seat: Seat, slip: MonopolySlip | None, witnesses: Witnesses) -> State:
    if slip is None or slip.effect.nothing:
        return state
    attempt = Attempt(seat, slip, witnesses, orphaned=False)
    passed = None if slip.card == "extra_go" else state.passed_go
    return replace(state, attempts={**state.attempts, seat: attempt}, passed_go=passed)


def _forget(state: State, seat: Seat, effect: MonopolyEffect) -> State:
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


def _card_gone(state: State, card: str | None) -> State:
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


def _caught(state: State, target: Seat, effect: MonopolyEffect) -> State:
    """A false demand is void, and what was paid on it counts as the rent."""
    known = _forget(state, target, effect)
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


def _announced(state: State, seat: Seat | None, effect: MonopolyEffect, moved: tuple[Movement, ...]) -> State:
    """What was done silently enters the announced board."""
    owners = {**state.owners}
    for street, holder in effect.deeds:
        if (owner := seat_of(holder)) is None:
            owners.pop(street, None)
        else:
            owners[street] = owner
    hotels = state.hotels if effect.hotel_on is None else _with(state.hotels, effect.hotel_on)
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


def _settled(state: State, debt_id: int | None, moved: tuple[Movement, ...]) -> State:
    """A debt or demand is answered. Whoever pays the owner has paid the landing; a squatter is somebody else."""
    debt = next((debt for debt in state.debts if debt.debt_id == debt_id), None)
    if debt is None:
        return state
    amount = sum(movement.amount for movement in moved)
    landing = next((one for one in state.landings if one.landing_id == debt.landing_id), None)
    gone = {debt.debt_id}
    if landing is not None and debt.creditor == purse(state.owners.get(landing.street, Seat(-1))):
        gone |= {
            other.debt_id
            for other in state.debts
            if other.landing_id == debt.landing_id and other.creditor == debt.creditor
        }
        state = replace(
            state,
            landings=tuple(
                replace(one, paid=debt.creditor, amount=amount) if one is landing else one for one in state.landings
            ),
        )
    falsely = not debt.binding and amount == debt.amount
    return replace(
        state,
        debts=tuple(other for other in state.debts if other.debt_id not in gone),
        false_paid=(*state.false_paid, debt.debt_id)[-12:] if falsely else state.false_paid,
    )


def _short(state: State, what: What, debt_id: int | None, until: datetime | None, seat: Seat) -> State:
    match what:
        case What.DEBT:
            debts = tuple(
                replace(debt, short=debt.short or debt.debt_id == debt_id, until=until)
                if debt.debtor == seat and debt.binding
                else debt
                for debt in state.debts
            )
            return replace(state, debts=debts)
        case What.DEMAND:
            return replace(state, debts=tuple(debt for debt in state.debts if debt.debt_id != debt_id))
        case What.STREET:
            assert isinstance(state.phase, ToBuy)
            return replace(state, phase=replace(state.phase, short=True))
        case What.BID:
            assert state.auction is not None
            return replace(state, auction=replace(state.auction, passed=(*state.auction.passed, seat)))
        case What.HOTEL | What.NO_HOTEL:
            return replace(state, no_hotel_for=(*state.no_hotel_for, seat))
        case What.JAIL:
            return state
        case _:
            assert_never(what)


def _take(deck: Deck, card: str, reshuffled: bool) -> Deck:
    """One drawn. Who does not know which knows nothing of the rest either."""
    stack, under = deck.stack, deck.under
    if reshuffled:
        stack, under = tuple(sorted((*stack, *under))), ()
    draws = 1 if reshuffled else deck.draws + 1
    if not stack:
        return Deck(stack, under[1:], draws)
    if card in stack:
        left = list(stack)
        left.remove(card)
        return Deck(tuple(left), under, draws)
    return Deck((CARD_BACK,) * (len(stack) - 1), under, draws)


def _under(state: State, deck: DeckName, card: str) -> State:
    lies = state.decks[deck]
    return replace(state, decks={**state.decks, deck: replace(lies, under=(*lies.under, card))})


def _kept(state: State, seat: Seat, deck: DeckName, card: str | None) -> tuple[Mapping[DeckName, str], ...]:
    held = {name: other for name, other in state.kept[seat].items() if name != deck}
    return with_seat(state.kept, seat, held if card is None else {**held, deck: card})


def _cards_to(state: State, cards: Iterable[tuple[str, Seat, Seat]]) -> State:
    for card, giver, to in cards:
        deck = state.data.deck_of[card]
        state = replace(state, kept=_kept(state, giver, deck, None))
        state = replace(state, kept=_kept(state, to, deck, card))
    return state


def _bankrupt(state: State, event: Bankrupted) -> State:
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
        lots=(*state.lots, *event.lots),
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


def _posted(private: Mapping[Account, int], moved: Iterable[Movement]) -> Mapping[Account, int]:
    after = dict(private)
    for movement in moved:
        after[movement.from_] -= movement.amount
        after[movement.to] += movement.amount
    return after


def _with(hotels: tuple[str, ...], street: str) -> tuple[str, ...]:
    return hotels if street in hotels else (*hotels, street)


def _without(owners: Mapping[str, Seat], street: str | None) -> dict[str, Seat]:
    return {other: owner for other, owner in owners.items() if other != street}
