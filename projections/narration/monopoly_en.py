"""A match of Monopoly Cheaters as the table would tell it, in English."""

from __future__ import annotations

from typing import assert_never

from domain.games.monopoly import events
from domain.games.monopoly.events import Event
from domain.games.monopoly.phases import (
    Closing,
    Done,
    Ended,
    Phase,
    Resolving,
    ToBuy,
    ToChoose,
    ToDraw,
    ToMove,
    ToRead,
    ToRoll,
    ToSetUp,
    ToThrow,
)
from domain.games.monopoly.state import CARD_BACK
from domain.games.monopoly.things import How, MonopolyEffect, MonopolySlip, Moved_, What
from domain.kernel.game import Seat
from projections.narration import monopoly_words as words
from projections.narration.monopoly_words import Name


def english(event: Event, name: Name) -> str:
    match event:
        case events.SetUpDone(cheats=cheats, turn=turn):
            cards = ", ".join(words.cheat(card, "en") for card in cheats)
            return f"Everybody has 1,500. {name(turn.seat)} begins. The open cheat cards: {cards}."
        case events.CameTo(phase):
            return _phase(phase)
        case events.Accepted(_, seat):
            return f"{name(seat)} has no objection."
        case events.RollCalled(seat, first):
            return f"{name(seat)} takes the dice{': the turn before is over' if first else ' once more'}."
        case events.Threw(seat, dice, double):
            thrown = f" {dice[0]} and {dice[1]}" if dice else ""
            return f"{name(seat)} throws{thrown}{', a double' if double else ''}."
        case events.Moved(seat, square, how, moved, parks, slip):
            return f"{_moved(name(seat), square, how)}{_go(moved, parks)}{_slip(slip, name)}."
        case events.Landed(landing):
            return f"{name(landing.seat)} is on {words.STREET[landing.street]}: {landing.rent} can be demanded."
        case events.Bought(seat, street, moved):
            return f"{name(seat)} buys {words.STREET[street]} for {words.total(moved)}."
        case events.Declined(seat, street):
            return f"{name(seat)} does not buy {words.STREET[street]}."
        case events.LotsQueued(lots):
            return f"To be auctioned: {', '.join(words.lot(lot, 'the last hotel') for lot in lots)}."
        case events.AuctionOpened(auction):
            return f"{words.lot(auction.lot, 'The last hotel')} is auctioned."
        case events.BidPlaced(_, seat, amount):
            return f"{name(seat)} bids {amount}."
        case events.BidPassed(_, seat):
            return f"{name(seat)} bids no more."
        case events.AuctionClosed(_, lot, winner, amount):
            if winner is None:
                return f"Nobody gets {words.lot(lot, 'the last hotel')} for a bid."
            return f"{name(winner)} gets {words.lot(lot, 'the last hotel')} for {amount}."
        case events.RentDemanded(debt, slip):
            asker = words.account(debt.creditor, "en", name)
            return f"{asker} demands {debt.amount} from {name(debt.debtor)}{_slip(slip, name)}."
        case events.DebtArose(debt):
            owed = words.account(debt.creditor, "en", name)
            short = " and has not got it" if debt.short else ""
            return f"{name(debt.debtor)} owes {owed} {debt.amount}{short}."
        case events.DebtsVoided():
            return "What was owed for the false move is void."
        case events.Halved(_, amount):
            return f"The rent is halved to {amount}."
        case events.Paid(seat, _, moved, _, slip):
            to = words.account(moved[0].to, "en", name) if moved else "nobody"
            return f"{name(seat)} pays {to} {words.total(moved)}{_slip(slip, name)}."
        case events.FellShort(seat, What.NO_HOTEL):
            return f"{name(seat)} reaches for a hotel, and there is none in the tray."
        case events.FellShort(seat, _, need, purse=purse):
            there = "" if purse is None else f": only {purse} are there"
            return f"{name(seat)} needs {need} and has not got it{there}."
        case events.HotelBuilt(seat, street, moved):
            return f"{name(seat)} builds a hotel on {words.STREET[street]} for {words.total(moved)}."
        case events.HotelClaimed(seat, street):
            return f"{name(seat)} wants the last hotel, for {words.STREET[street]}."
        case events.HotelWindowClosed():
            return "Who wanted the last hotel has said so."
        case events.TradeOffered(trade):
            what = _trade(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade(trade.want, trade.want_cash, trade.want_jail_card)
            quietly = " quietly" if trade.private else ""
            return f"{name(trade.seat)}{quietly} offers {name(trade.to)} {what} for {wanted}."
        case events.TradeClosed(_, seat, to, _, why):
            return f"No trade between {name(seat)} and {name(to)}: {words.END[why]['en']}."
        case events.TradeMade(trade):
            what = _trade(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade(trade.want, trade.want_cash, trade.want_jail_card)
            return f"{name(trade.seat)} gives {name(trade.to)} {what} and gets {wanted}."
        case events.CardDrawn(seat, deck, card, reshuffled):
            shuffled = " The deck was shuffled before." if reshuffled else ""
            return f"{name(seat)} draws a {words.DECK['en'][deck]} card{_face(card)}.{shuffled}"
        case events.CardRead(seat, _, announced, card, bribe, _, slip):
            truth = "" if card in (announced, CARD_BACK) else f" But the card says{words.card(card, 'en')}"
            paid = " and pays the bribe" if bribe else ""
            return (
                f"{name(seat)} reads out{words.card(announced, 'en')}{paid}.{truth}{_slip(slip, name)}".rstrip(".")
                + "."
            )
        case events.CardUsed(seat, _, card):
            return f"{name(seat)} plays{words.card(card, 'en')}."
        case events.CardKept(seat, deck, card):
            return f"{name(seat)} keeps the {words.DECK['en'][deck]} card{_face(card)}."
        case events.CardReturned(seat, deck, card):
            return f"{name(seat)} puts a {words.DECK['en'][deck]} card back{_face(card)}."
        case events.Jailed(seat, freed):
            free = "" if freed is None else f" {name(freed)} is free and hands the handcuff over."
            return f"{name(seat)} goes to jail.{free}"
        case events.Freed(seat, moved):
            return f"{name(seat)} leaves jail{f' for {words.total(moved)}' if moved else ''}."
        case events.JailTried(seat, tries):
            return f"{name(seat)} stays in jail after {tries} tries."
        case events.TrayPassed(seat, turn):
            return f"{name(seat)} passes the tray on to {name(turn.seat)}, turn {turn.number}."
        case events.Watched(seat, zone, _, sight):
            there = "" if sight.cash is None else f" and sees about {sight.cash} there"
            return f"{name(seat)} watches {words.zone(zone, 'en', name)}{there}."
        case events.Slipped(seat, slip):
            done = "there was nothing to take" if slip.effect.nothing else _deed(slip.effect, name)
            return f"Silently, by {name(seat)}: {done}{words.known(slip, 'en')}."
        case events.Undone(seat):
            return f"What {name(seat)} did silently came to nothing."
        case events.Spent(seat, _, hotel) if hotel is not None:
            return f"{name(seat)} had taken the hotel from {words.STREET[hotel]}. None is left in the tray."
        case events.Spent(seat, moved):
            return f"{name(seat)} had taken {words.total(moved)} and has spent it."
        case events.Accused(accusation):
            card = words.cheat(accusation.card, "en")
            return f"{name(accusation.seat)} accuses {name(accusation.target)} of {card}: the table votes."
        case events.VoteCast(_, seat, guilty):
            return f"{name(seat)} says: {'guilty' if guilty else 'not guilty'}."
        case events.Caught(seat, target, card, effect):
            done = "" if effect.nothing else f": {_deed(effect, name)}"
            return f"MOGLER! {name(seat)} catches {name(target)} at {words.cheat(card, 'en')}{done}."
        case events.WronglyAccused(seat, target, card):
            return f"{name(seat)} wrongly accuses {name(target)} of {words.cheat(card, 'en')}."
        case events.Succeeded(seat, card, effect, moved):
            if seat is None or card is None:
                return f"Somebody cheated, and nobody noticed: {_deed(effect, name)}."
            reward = f" Reward: {words.total(moved)}." if moved else ""
            return f"{name(seat)} got away with {words.cheat(card, 'en')}: {_deed(effect, name)}.{reward}"
        case events.CardsTurned(cards):
            return f"New cheat cards: {', '.join(words.cheat(card, 'en') for card in cards)}."
        case events.Reverted(seat, street, moved):
            if street is None:
                return f"{name(seat)} gets {words.total(moved)} for the card."
            return f"{name(seat)} gives {words.STREET[street]} back for {words.total(moved)}."
        case events.PlacingAsked(seat, token):
            return f"{name(seat)} may set the token of {name(token)} anywhere."
        case events.Placed(seat, token, square):
            return f"{name(seat)} sets the token of {name(token)} on {words.square(square)}."
        case events.SoldToBank(seat, street, moved):
            return f"{name(seat)} sells {words.STREET[street]} to the bank for {words.total(moved)}."
        case events.Bankrupted(seat, heir):
            return f"{name(seat)} is bankrupt; everything goes to {words.account(heir, 'en', name)}."
        case events.Left(seat):
            return f"{name(seat)} has left the table."
        case events.PotRefilled(moved):
            return f"{words.total(moved)} are put into the tray from the reserve."
        case events.SoldOut():
            return "Every street is sold: who reaches GO now stays there."
        case events.FinalRents(seat, moved):
            return f"{name(seat)} gets the last rents from the bank: {words.total(moved)}."
        case events.MatchOver(winners, scores):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share the win'}"
            counted = ", ".join(f"{name(Seat(seat))} {cash}" for seat, cash in enumerate(scores))
            return f"{won}: {counted}."
        case _:
            assert_never(event)


def _phase(phase: Phase) -> str:
    match phase:
        case ToRoll(first):
            return "The dice are waiting." if first else "A double: once more."
        case ToThrow():
            return "The dice roll."
        case ToMove():
            return "Now to move."
        case ToBuy(street):
            return f"{words.STREET[street]} is for sale."
        case ToChoose():
            return "Which deck shall it be?"
        case ToDraw(deck):
            return f"A {words.DECK['en'][deck]} card is drawn."
        case ToRead():
            return "The card is looked at."
        case Resolving():
            return "This is settled first."
        case Done():
            return "The tray can be passed on."
        case Closing():
            return "Nobody takes a turn any more: the last chance to accuse."
        case ToSetUp() | Ended():
            return "The table is quiet."
        case _:
            assert_never(phase)


def _moved(who: str, square: int, how: How) -> str:
    ways = {
        How.THROW: "moves to",
        How.STATION: "rides on to",
        How.CARD: "goes to",
        How.BACK: "goes back to",
        How.VISIT: "steps out to",
        How.SWAP: "is swapped to",
        How.PUT_RIGHT: "is put right, on",
        How.PLACED: "is set on",
    }
    return f"{who} {ways[how]} {words.square(square)}"


def _go(moved: Moved_, parks: bool) -> str:
    return f", collects {words.total(moved)}{' and stays on GO' if parks else ''}" if moved else ""


def _slip(slip: MonopolySlip | None, name: Name) -> str:
    if slip is None:
        return ""
    return f" – but in truth {_deed(slip.effect, name)}{words.known(slip, 'en')}"


def _deed(effect: MonopolyEffect, name: Name) -> str:
    said: list[str] = []
    for movement in effect.moved:
        source, to = (words.account(account, "en", name) for account in (movement.from_, movement.to))
        said.append(f"{movement.amount} went from {source} to {to}")
    for street, holder in effect.deeds:
        said.append(f"the deed of {words.STREET[street]} went to {words.account(holder, 'en', name)}")
    if effect.hotel_on is not None:
        said.append(f"a hotel was put on {words.STREET[effect.hotel_on]}")
    if effect.hotel_off is not None:
        said.append(f"the hotel on {words.STREET[effect.hotel_off]} was taken")
    if effect.cuff_off:
        said.append("the handcuff was slipped off")
    if effect.token is not None and effect.square is not None:
        said.append(f"the token of {name(effect.token)} went to {words.square(effect.square)}")
    if effect.right is not None:
        said.append(f"{words.square(effect.right)} would have been right")
    if effect.payer is not None:
        said.append(f"{effect.amount} were demanded where {effect.rent} was due")
    if effect.card is not None:
        said.append(f"the card said{words.card(effect.card, 'en')}")
    return " and ".join(said) or "nothing was there"


def _face(card: str) -> str:
    return "" if card == CARD_BACK else f":{words.card(card, 'en')}"


def _trade(streets: tuple[str, ...], cash: int | None, card: str | None) -> str:
    things = [words.STREET[street] for street in streets]
    if card is not None:
        things.append("a jail card")
    if cash is None:
        things.append("money that is not told")
    elif cash:
        things.append(f"{cash} in cash")
    return " and ".join(things) or "nothing"
