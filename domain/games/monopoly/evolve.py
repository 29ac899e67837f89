"""What an event makes of a state. It copies what the event says, and never looks at the face of a card."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.games.monopoly import events
from domain.games.monopoly.events import Event
from domain.games.monopoly.evolving import attempts, bankruptcy, board, decks, paying
from domain.games.monopoly.phases import Closing, Ended, ToRoll, ToThrow
from domain.games.monopoly.state import Deck, Gaze, LastHotel, Placing, Purchase, State, purse, seat_of
from domain.kernel.seating import with_seat


def evolve(state: State, event: Event) -> State:
    match event:
        case events.SetUpDone(data, _, cheats, moved, turn, phase, draw):
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
        case events.CameTo(phase):
            return replace(state, phase=phase)
        case events.Accepted(_, seat):
            phase = state.phase
            assert isinstance(phase, ToRoll | Closing)
            return replace(state, phase=replace(phase, accepted=(*phase.accepted, seat)))
        case events.RollCalled(_, first, in_jail, lapsed):
            cleared = replace(state, phase=ToThrow(in_jail))
            if not first:
                return cleared
            return replace(
                cleared,
                landings=(),
                lapsed=attempts.lapsed(state),
                purchases=attempts.lapsed_purchases(state),
                passed_go=None,
                no_hotel_for=(),
                debts=tuple(debt for debt in state.debts if debt.debt_id not in lapsed),
            )
        case events.Threw(seat, dice, _, turn, draw):
            throws = state.throws + 1
            last_throws = with_seat(state.last_throws, seat, throws)
            return replace(state, throw=dice, turn=turn, throws=throws, last_throws=last_throws, draws=draw + 1)
        case events.Moved(seat, square, how, moved, parks, slip, witnesses):
            return replace(
                attempts.slipped(state, seat, slip, witnesses),
                ledger=state.ledger.post(moved),
                tokens=with_seat(state.tokens, seat, square),
                parked=board.parked(state.parked, seat, how, parks=parks),
                passed_go=seat if moved else state.passed_go,
                turn=replace(state.turn, again=False) if parks else state.turn,
            )
        case events.Landed(landing):
            return replace(state, landings=(*state.landings, landing), landing_ids=landing.landing_id + 1)
        case events.Bought(seat, street, moved, left):
            price = sum(movement.amount for movement in moved)
            bought = replace(
                state,
                ledger=state.ledger.post(moved),
                owners={**state.owners, street: seat},
                purchases=(*state.purchases, Purchase(seat, street, price)),
            )
            return attempts.learned(bought, seat, left)
        case events.Declined():
            return state
        case events.LotsQueued(lots):
            return replace(state, lots=board.queued(state.data, (*state.lots, *lots)))
        case events.AuctionOpened(auction):
            lots = tuple(lot for lot in state.lots if lot != auction.lot)
            return replace(state, auction=auction, lots=lots, auction_ids=auction.auction_id + 1)
        case events.BidPlaced(_, seat, amount, moved, closes_at, left):
            assert state.auction is not None
            auction = replace(state.auction, bidder=seat, amount=amount, closes_at=closes_at)
            return attempts.learned(replace(state, auction=auction, ledger=state.ledger.post(moved)), seat, left)
        case events.BidPassed(_, seat):
            assert state.auction is not None
            return replace(state, auction=replace(state.auction, passed=(*state.auction.passed, seat)))
        case events.AuctionClosed(_, lot, winner, _, moved):
            sold = replace(state, auction=None, ledger=state.ledger.post(moved))
            if lot.startswith("hotel:") or winner is None:
                return sold
            return replace(sold, owners={**state.owners, lot: winner})
        case events.RentDemanded(debt, slip):
            asked = replace(state, debts=(*state.debts, debt), debt_ids=debt.debt_id + 1)
            if debt.binding:
                landings = tuple(
                    replace(one, debt_id=debt.debt_id) if one.landing_id == debt.landing_id else one
                    for one in state.landings
                )
                asked = replace(asked, landings=landings)
            asker = seat_of(debt.creditor)
            return asked if asker is None else attempts.slipped(asked, asker, slip, ())
        case events.DebtArose(debt):
            return replace(state, debts=(*state.debts, debt), debt_ids=debt.debt_id + 1)
        case events.DebtsVoided(debt_ids, landing_ids):
            return replace(
                state,
                debts=tuple(debt for debt in state.debts if debt.debt_id not in debt_ids),
                landings=tuple(one for one in state.landings if one.landing_id not in landing_ids),
            )
        case events.Halved(debt_id, amount):
            debts = tuple(replace(debt, amount=amount) if debt.debt_id == debt_id else debt for debt in state.debts)
            return replace(state, debts=debts)
        case events.Paid(seat, debt_id, moved, left, slip, witnesses):
            paid = replace(paying.settled(state, debt_id, moved), ledger=state.ledger.post(moved))
            slipped = attempts.counted(attempts.slipped(paid, seat, slip, witnesses), slip, witnesses)
            return attempts.learned(slipped, seat, left)
        case events.FellShort(seat, what, _, debt_id, until, left):
            return attempts.learned(paying.short(state, what, debt_id, until, seat), seat, left)
        case events.HotelBuilt(seat, street, moved, left):
            built = replace(state, ledger=state.ledger.post(moved), hotels=board.with_hotel(state.hotels, street))
            return attempts.learned(built, seat, left)
        case events.HotelClaimed(seat, street, closes_at):
            claims = () if state.last_hotel is None else state.last_hotel.claims
            return replace(state, last_hotel=LastHotel((*claims, (seat, street)), closes_at))
        case events.HotelWindowClosed():
            return replace(state, last_hotel=None)
        case events.TradeOffered(trade, not_before):
            kind = trade.trade_id.rpartition("-")[0]
            return replace(
                state,
                trades=(*state.trades, trade),
                trade_ids={**state.trade_ids, kind: state.trade_ids.get(kind, 0) + 1},
                trade_from=with_seat(state.trade_from, trade.seat, not_before),
            )
        case events.TradeClosed(trade_id):
            return replace(state, trades=tuple(trade for trade in state.trades if trade.trade_id != trade_id))
        case events.TradeMade(trade, moved, unseen, cards):
            owners = {**state.owners}
            owners.update(dict.fromkeys(trade.give, trade.to))
            owners.update(dict.fromkeys(trade.want, trade.seat))
            return replace(
                decks.cards_to(state, cards),
                trades=tuple(other for other in state.trades if other.trade_id != trade.trade_id),
                owners=owners,
                ledger=state.ledger.post(moved),
                private=board.posted(state.private, unseen),
            )
        case events.CardDrawn(_, deck, card, reshuffled, draw):
            return replace(
                state,
                drawn=card,
                decks={**state.decks, deck: decks.take(state.decks[deck], card, reshuffled)},
                draws=draw + 1,
            )
        case events.CardRead(seat, deck, _, card, _, moved, slip, witnesses):
            read = replace(decks.under(state, deck, card), drawn=None, ledger=state.ledger.post(moved))
            return attempts.slipped(read, seat, slip, witnesses)
        case events.CardUsed(seat, deck, card):
            return decks.under(replace(state, kept=decks.kept(state, seat, deck, None)), deck, card)
        case events.CardKept(seat, deck, card):
            return replace(state, drawn=None, kept=decks.kept(state, seat, deck, card))
        case events.CardReturned(seat, deck, card, held):
            kept = state.kept if not held else decks.kept(state, seat, deck, state.drawn)
            return decks.under(replace(state, drawn=None, kept=kept), deck, card)
        case events.Jailed(seat, _, square, turn):
            return replace(
                state,
                tokens=with_seat(state.tokens, seat, square),
                prisoner=seat,
                tries=0,
                turn=turn,
            )
        case events.Freed(seat, moved, left):
            return attempts.learned(replace(state, prisoner=None, tries=0, ledger=state.ledger.post(moved)), seat, left)
        case events.JailTried(_, tries):
            return replace(state, tries=tries)
        case events.TrayPassed(_, turn, phase):
            return replace(state, turn=turn, phase=phase, throw=())
        case events.Watched(seat, zone, not_before, sight):
            own = sight.cash if zone == purse(seat) else None
            gazes = with_seat(state.gazes, seat, Gaze(zone, not_before, sight))
            return attempts.learned(replace(state, gazes=gazes), seat, own)
        case events.Slipped(seat, slip, victim, felt, witnesses):
            slipped = attempts.slipped(state, seat, slip, witnesses)
            return slipped if victim is None else attempts.learned(slipped, victim, felt)
        case events.Undone(seat, effect):
            return attempts.forget(state, seat, effect)
        case events.Accused(accusation):
            return replace(state, accusation=accusation, accusation_ids=accusation.accusation_id + 1)
        case events.VoteCast(_, seat, guilty):
            assert state.accusation is not None
            votes = (*state.accusation.votes, (seat, guilty))
            return replace(state, accusation=replace(state.accusation, votes=votes))
        case events.Spent(_, moved, hotel):
            hotels = tuple(street for street in state.hotels if street != hotel)
            return replace(state, ledger=state.ledger.post(moved), hotels=hotels)
        case events.Caught(_, target, card, effect, true, leaves):
            caught = replace(state, accusation=None)
            if not true:
                return caught
            return attempts.card_gone(attempts.caught(caught, target, effect), card if leaves else None)
        case events.WronglyAccused():
            return replace(state, accusation=None)
        case events.Succeeded(seat, card, effect, moved, leaves):
            return attempts.card_gone(attempts.announced(state, seat, effect, moved), card if leaves else None)
        case events.CardsTurned(cards, draw):
            turned = state.cheats
            for card in cards:
                turned = decks.take(turned, card, reshuffled=False)
            return replace(state, open_cheats=(*state.open_cheats, *cards), cheats=turned, draws=draw + 1)
        case events.Reverted(_, street, moved):
            return replace(state, ledger=state.ledger.post(moved), owners=board.without_owner(state.owners, street))
        case events.PlacingAsked(seat, token, until):
            return replace(state, placing=Placing(seat, token, until))
        case events.Placed(_, token, square):
            return replace(state, placing=None, tokens=with_seat(state.tokens, token, square))
        case events.SoldToBank(_, street, moved):
            return replace(state, ledger=state.ledger.post(moved), owners=board.without_owner(state.owners, street))
        case events.Bankrupted():
            return bankruptcy.bankrupt(state, event)
        case events.Left(seat):
            return replace(state, left=(*state.left, seat))
        case events.PotRefilled(moved) | events.FinalRents(_, moved):
            return replace(state, ledger=state.ledger.post(moved))
        case events.SoldOut():
            return replace(state, sold_out=True)
        case events.MatchOver(winners, scores):
            return replace(state, phase=Ended(winners, scores))
        case _:
            assert_never(event)
