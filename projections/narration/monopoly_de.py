"""A match of Monopoly Cheaters as the table would tell it, in German."""

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


def german(event: Event, name: Name) -> str:
    match event:
        case events.SetUpDone(cheats=cheats, turn=turn):
            cards = ", ".join(words.cheat(card, "de") for card in cheats)
            return f"Alle haben 1.500. {name(turn.seat)} beginnt. Die offenen Mogelkarten: {cards}."
        case events.CameTo(phase):
            return _phase(phase)
        case events.Accepted(_, seat):
            return f"{name(seat)} hat nichts einzuwenden."
        case events.RollCalled(seat, first):
            return f"{name(seat)} nimmt die Würfel{': Der Zug davor ist vorbei' if first else ' noch einmal'}."
        case events.Threw(seat, dice, double):
            thrown = f" {dice[0]} und {dice[1]}" if dice else ""
            return f"{name(seat)} würfelt{thrown}{', ein Pasch' if double else ''}."
        case events.Moved(seat, square, how, moved, parks, slip):
            return f"{_moved(name(seat), square, how)}{_go(moved, parks)}{_slip(slip, name)}."
        case events.Landed(landing):
            where = f"{name(landing.seat)} steht auf {words.STREET[landing.street]}"
            return f"{where}: {landing.rent} sind fällig, wenn sie gefordert werden."
        case events.Bought(seat, street, moved):
            return f"{name(seat)} kauft {words.STREET[street]} für {words.total(moved)}."
        case events.Declined(seat, street):
            return f"{name(seat)} kauft {words.STREET[street]} nicht."
        case events.LotsQueued(lots):
            return f"Zu versteigern: {', '.join(words.lot(lot, 'das letzte Hotel') for lot in lots)}."
        case events.AuctionOpened(auction):
            return f"{words.lot(auction.lot, 'Das letzte Hotel')} wird versteigert."
        case events.BidPlaced(_, seat, amount):
            return f"{name(seat)} bietet {amount}."
        case events.BidPassed(_, seat):
            return f"{name(seat)} bietet nicht mehr mit."
        case events.AuctionClosed(_, lot, winner, amount):
            if winner is None:
                return f"Niemand ersteigert {words.lot(lot, 'das letzte Hotel')}."
            return f"{name(winner)} ersteigert {words.lot(lot, 'das letzte Hotel')} für {amount}."
        case events.RentDemanded(debt, slip):
            asker = words.account(debt.creditor, "de", name)
            return f"{asker} fordert {debt.amount} von {name(debt.debtor)}{_slip(slip, name)}."
        case events.DebtArose(debt):
            short = " und hat es nicht" if debt.short else ""
            return f"{name(debt.debtor)} schuldet {debt.amount}, zahlbar {words.to(debt.creditor, name)}{short}."
        case events.DebtsVoided():
            return "Was für den falschen Zug geschuldet war, entfällt."
        case events.Halved(_, amount):
            return f"Die Miete wird auf {amount} halbiert."
        case events.Paid(seat, _, moved, _, slip):
            to = words.to(moved[0].to, name) if moved else "an niemanden"
            return f"{name(seat)} zahlt {words.total(moved)} {to}{_slip(slip, name)}."
        case events.FellShort(seat, What.NO_HOTEL):
            return f"{name(seat)} greift nach einem Hotel, und im Bankeinsatz ist keins."
        case events.FellShort(seat, _, need, purse=purse):
            there = "" if purse is None else f": Nur {purse} sind da"
            return f"{name(seat)} braucht {need} und hat es nicht{there}."
        case events.HotelBuilt(seat, street, moved):
            return f"{name(seat)} baut ein Hotel auf {words.STREET[street]} für {words.total(moved)}."
        case events.HotelClaimed(seat, street):
            return f"{name(seat)} will das letzte Hotel, für {words.STREET[street]}."
        case events.HotelWindowClosed():
            return "Wer das letzte Hotel wollte, hat sich gemeldet."
        case events.TradeOffered(trade):
            what = _trade(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade(trade.want, trade.want_cash, trade.want_jail_card)
            quietly = " heimlich" if trade.private else ""
            return f"{name(trade.seat)} bietet {name(trade.to)}{quietly} {what} für {wanted}."
        case events.TradeClosed(_, seat, to, _, why):
            return f"Kein Handel zwischen {name(seat)} und {name(to)}: {words.END[why]['de']}."
        case events.TradeMade(trade):
            what = _trade(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade(trade.want, trade.want_cash, trade.want_jail_card)
            return f"{name(trade.seat)} gibt {name(trade.to)} {what} und bekommt {wanted}."
        case events.CardDrawn(seat, deck, card, reshuffled):
            shuffled = " Vorher wurde neu gemischt." if reshuffled else ""
            return f"{name(seat)} zieht eine {words.DECK['de'][deck]}{_face(card)}.{shuffled}"
        case events.CardRead(seat, _, announced, card, bribe, _, slip):
            truth = "" if card in (announced, CARD_BACK) else f" Auf der Karte steht aber{words.card(card, 'de')}"
            paid = " und zahlt das Bestechungsgeld" if bribe else ""
            told = f"{name(seat)} liest vor:{words.card(announced, 'de')}{paid}.{truth}{_slip(slip, name)}"
            return told.rstrip(".") + "."
        case events.CardUsed(seat, _, card):
            return f"{name(seat)} spielt{words.card(card, 'de')}."
        case events.CardKept(seat, deck, card):
            return f"{name(seat)} behält die {words.DECK['de'][deck]}{_face(card)}."
        case events.CardReturned(seat, deck, card):
            return f"{name(seat)} legt eine {words.DECK['de'][deck]} zurück{_face(card)}."
        case events.Jailed(seat, freed):
            free = "" if freed is None else f" {name(freed)} ist frei und gibt die Handschelle ab."
            return f"{name(seat)} geht ins Gefängnis.{free}"
        case events.Freed(seat, moved):
            return f"{name(seat)} verlässt das Gefängnis{f' für {words.total(moved)}' if moved else ''}."
        case events.JailTried(seat, tries):
            return f"{name(seat)} bleibt nach {tries} Versuchen im Gefängnis."
        case events.TrayPassed(seat, turn):
            return f"{name(seat)} gibt den Bankeinsatz an {name(turn.seat)} weiter, Zug {turn.number}."
        case events.Watched(seat, zone, _, sight):
            there = "" if sight.cash is None else f" und sieht dort etwa {sight.cash}"
            return f"{name(seat)} beobachtet {words.zone(zone, 'de', name)}{there}."
        case events.Slipped(seat, slip):
            done = "Es war nichts da" if slip.effect.nothing else _deed(slip.effect, name)
            return f"Heimlich, von {name(seat)}: {done}{words.known(slip, 'de')}."
        case events.Undone(seat):
            return f"Was {name(seat)} heimlich tat, ist verfallen."
        case events.Spent(seat, _, hotel) if hotel is not None:
            return f"{name(seat)} hatte das Hotel auf {words.STREET[hotel]} genommen. Im Bankeinsatz ist keins mehr."
        case events.Spent(seat, moved):
            return f"{name(seat)} hatte {words.total(moved)} genommen und hat es ausgegeben."
        case events.Accused(accusation):
            card = words.cheat(accusation.card, "de")
            return f"{name(accusation.seat)} beschuldigt {name(accusation.target)}: {card}. Der Tisch stimmt ab."
        case events.VoteCast(_, seat, guilty):
            return f"{name(seat)} sagt: {'schuldig' if guilty else 'nicht schuldig'}."
        case events.Caught(seat, target, card, effect):
            done = "" if effect.nothing else f" – {_deed(effect, name)}"
            return f"MOGLER! {name(seat)} erwischt {name(target)}: {words.cheat(card, 'de')}{done}."
        case events.WronglyAccused(seat, target, card):
            return f"{name(seat)} beschuldigt {name(target)} zu Unrecht: {words.cheat(card, 'de')}."
        case events.Succeeded(seat, card, effect, moved):
            if seat is None or card is None:
                return f"Jemand hat gemogelt, und niemand hat es bemerkt: {_deed(effect, name)}."
            reward = f" Belohnung: {words.total(moved)}." if moved else ""
            return f"{name(seat)} kommt durch mit {words.cheat(card, 'de')}: {_deed(effect, name)}.{reward}"
        case events.CardsTurned(cards):
            return f"Neue Mogelkarten: {', '.join(words.cheat(card, 'de') for card in cards)}."
        case events.Reverted(seat, street, moved):
            if street is None:
                return f"{name(seat)} bekommt {words.total(moved)} für die Karte."
            return f"{name(seat)} gibt {words.STREET[street]} für {words.total(moved)} zurück."
        case events.PlacingAsked(seat, token):
            return f"{name(seat)} darf die Figur von {name(token)} irgendwohin stellen."
        case events.Placed(seat, token, square):
            return f"{name(seat)} stellt die Figur von {name(token)} auf {words.square(square)}."
        case events.SoldToBank(seat, street, moved):
            return f"{name(seat)} verkauft {words.STREET[street]} für {words.total(moved)} an die Bank."
        case events.Bankrupted(seat, heir):
            return f"{name(seat)} ist bankrott; alles geht {words.to(heir, name)}."
        case events.Left(seat):
            return f"{name(seat)} hat den Tisch verlassen."
        case events.PotRefilled(moved):
            return f"Aus der Reserve kommen {words.total(moved)} in den Bankeinsatz."
        case events.SoldOut():
            return "Alle Straßen sind verkauft: Wer jetzt LOS erreicht, bleibt dort stehen."
        case events.FinalRents(seat, moved):
            return f"{name(seat)} bekommt die letzten Mieten von der Bank: {words.total(moved)}."
        case events.MatchOver(winners, scores):
            won = f"{words.names(winners, name, 'und')} {'gewinnt' if len(winners) == 1 else 'teilen sich den Sieg'}"
            counted = ", ".join(f"{name(Seat(seat))} {cash}" for seat, cash in enumerate(scores))
            return f"{won}: {counted}."
        case _:
            assert_never(event)


def _phase(phase: Phase) -> str:
    match phase:
        case ToRoll(first):
            return "Die Würfel liegen bereit." if first else "Ein Pasch: noch einmal."
        case ToThrow():
            return "Die Würfel rollen."
        case ToMove():
            return "Jetzt wird gezogen."
        case ToBuy(street):
            return f"{words.STREET[street]} ist zu haben."
        case ToChoose():
            return "Welcher Stapel soll es sein?"
        case ToDraw(deck):
            return f"Eine {words.DECK['de'][deck]} wird gezogen."
        case ToRead():
            return "Die Karte wird angesehen."
        case Resolving():
            return "Das wird zuerst geregelt."
        case Done():
            return "Der Bankeinsatz kann weitergegeben werden."
        case Closing():
            return "Niemand zieht mehr: die letzte Gelegenheit zum Beschuldigen."
        case ToSetUp() | Ended():
            return "Am Tisch ist es still."
        case _:
            assert_never(phase)


def _moved(who: str, square: int, how: How) -> str:
    ways = {
        How.THROW: "zieht auf",
        How.STATION: "fährt weiter nach",
        How.CARD: "geht auf",
        How.BACK: "geht zurück auf",
        How.VISIT: "kommt heraus auf",
        How.SWAP: "wird vertauscht auf",
        How.PUT_RIGHT: "kommt auf das richtige Feld,",
        How.PLACED: "wird gestellt auf",
    }
    return f"{who} {ways[how]} {words.square(square)}"


def _go(moved: Moved_, parks: bool) -> str:
    return f", kassiert {words.total(moved)}{' und bleibt auf LOS' if parks else ''}" if moved else ""


def _slip(slip: MonopolySlip | None, name: Name) -> str:
    if slip is None:
        return ""
    return f" – in Wahrheit aber: {_deed(slip.effect, name)}{words.known(slip, 'de')}"


def _deed(effect: MonopolyEffect, name: Name) -> str:
    said = [
        f"{movement.amount} gingen {words.from_(movement.from_, name)} {words.to(movement.to, name)}"
        for movement in effect.moved
    ]
    for street, holder in effect.deeds:
        said.append(f"die Besitzkarte {words.STREET[street]} ging {words.to(holder, name)}")
    if effect.hotel_on is not None:
        said.append(f"ein Hotel kam auf {words.STREET[effect.hotel_on]}")
    if effect.hotel_off is not None:
        said.append(f"das Hotel auf {words.STREET[effect.hotel_off]} verschwand")
    if effect.cuff_off:
        said.append("die Handschelle wurde abgestreift")
    if effect.token is not None and effect.square is not None:
        said.append(f"die Figur von {name(effect.token)} kam auf {words.square(effect.square)}")
    if effect.right is not None:
        said.append(f"richtig wäre {words.square(effect.right)} gewesen")
    if effect.payer is not None:
        said.append(f"{effect.amount} wurden gefordert, wo {effect.rent} fällig war")
    if effect.card is not None:
        said.append(f"auf der Karte stand{words.card(effect.card, 'de')}")
    return " und ".join(said) or "nichts war da"


def _face(card: str) -> str:
    return "" if card == CARD_BACK else f":{words.card(card, 'de')}"


def _trade(streets: tuple[str, ...], cash: int | None, card: str | None) -> str:
    things = [words.STREET[street] for street in streets]
    if card is not None:
        things.append("eine Gefängniskarte")
    if cash is None:
        things.append("ungenanntes Geld")
    elif cash:
        things.append(f"{cash} in bar")
    return " und ".join(things) or "nichts"
