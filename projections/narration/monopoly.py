"""A match of Monopoly Cheaters as the table would tell it, in English and German."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from domain.games.monopoly.data import CURRENT
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
    Closing,
    DebtArose,
    DebtsVoided,
    Declined,
    Done,
    Ended,
    Event,
    FellShort,
    FinalRents,
    Freed,
    Halved,
    HotelBuilt,
    HotelClaimed,
    HotelWindowClosed,
    How,
    Jailed,
    JailTried,
    Landed,
    Left,
    LotsQueued,
    MatchOver,
    MonopolyEffect,
    MonopolySlip,
    Moved,
    Moved_,
    Paid,
    Phase,
    Placed,
    PlacingAsked,
    PotRefilled,
    RentDemanded,
    Resolving,
    Reverted,
    RollCalled,
    SetUpDone,
    Slipped,
    SoldOut,
    SoldToBank,
    Spent,
    Succeeded,
    Threw,
    ToBuy,
    ToChoose,
    ToDraw,
    ToMove,
    ToRead,
    ToRoll,
    ToSetUp,
    ToThrow,
    TradeClosed,
    TradeEnd,
    TradeMade,
    TradeOffered,
    TrayPassed,
    Undone,
    VoteCast,
    Watched,
    What,
    WronglyAccused,
)
from domain.games.monopoly.state import CARD_BACK, seat_of
from domain.kernel.game import Seat
from domain.kernel.ledger import Account
from projections.views.seam import Language

Name = Callable[[Seat], str]


def narrate(event: Event, language: Language, name: Name) -> str:
    """One sentence or two about an event as it was told."""
    return _german(event, name) if language == "de" else _english(event, name)


_DECK: Final = {
    "en": {"chance": "Chance", "chest": "Community Chest"},
    "de": {"chance": "Ereigniskarte", "chest": "Gemeinschaftskarte"},
}
_ZONE: Final = {"en": {"tray": "the tray", "dice": "the dice"}, "de": {"tray": "den Bankeinsatz", "dice": "die Würfel"}}
_FREE: Final = {
    "take_tray": {"en": "stealing from the tray", "de": "Diebstahl aus dem Bankeinsatz"},
    "take_player": {"en": "stealing from a player", "de": "Diebstahl bei Mitspielern"},
    "wrong_move": {"en": "a false move", "de": "einen falschen Zug"},
    "skip_payment": {"en": "a payment not made", "de": "eine unterschlagene Zahlung"},
    "hotel_on": {"en": "a hotel put down", "de": "ein aufgestelltes Hotel"},
    "hotel_off": {"en": "a hotel taken off", "de": "ein weggenommenes Hotel"},
    "take_deed": {"en": "a stolen deed", "de": "eine gestohlene Besitzkarte"},
}
_STREET: Final = {street: CURRENT.board[square].names.de for street, square in CURRENT.streets.items()}


def _square(square: int) -> str:
    return CURRENT.board[square].names.de


def _lot(lot: str, hotel: str) -> str:
    return hotel if lot.startswith("hotel:") else _STREET[lot]


def _cheat(card: str, language: Language) -> str:
    if card in _FREE:
        return _FREE[card][language]
    names = CURRENT.cheat[card].names
    return f"“{names.en}”" if language == "en" else f"„{names.de}“"


def _card(card: str, language: Language) -> str:
    text = CURRENT.cards[card].text
    return f" “{text.en}”" if language == "en" else f" „{text.de}“"


def _sum(moved: Moved_) -> int:
    return sum(movement.amount for movement in moved)


def _account(account: Account, language: Language, name: Name) -> str:
    seat = seat_of(account)
    if seat is not None:
        return name(seat)
    return "the bank" if language == "en" else "die Bank"


def _to(account: Account, name: Name) -> str:
    return f"an {_account(account, 'de', name)}"


def _names(seats: Iterable[Seat], name: Name, last: str) -> str:
    *others, end = [name(seat) for seat in seats]
    return f"{', '.join(others)} {last} {end}" if others else end


# ── English ─────────────────────────────────────────────────────────────────────────────────────


def _english(event: Event, name: Name) -> str:
    match event:
        case SetUpDone(cheats=cheats, turn=turn):
            cards = ", ".join(_cheat(card, "en") for card in cheats)
            return f"Everybody has 1,500. {name(turn.seat)} begins. The open cheat cards: {cards}."
        case CameTo(phase):
            return _phase_en(phase)
        case Accepted(_, seat):
            return f"{name(seat)} has no objection."
        case RollCalled(seat, first):
            return f"{name(seat)} takes the dice{': the turn before is over' if first else ' once more'}."
        case Threw(seat, dice, double):
            thrown = f" {dice[0]} and {dice[1]}" if dice else ""
            return f"{name(seat)} throws{thrown}{', a double' if double else ''}."
        case Moved(seat, square, how, moved, parks, slip):
            return f"{_moved_en(name(seat), square, how)}{_go_en(moved, parks)}{_slip_en(slip, name)}."
        case Landed(landing):
            return f"{name(landing.seat)} is on {_STREET[landing.street]}: {landing.rent} can be demanded."
        case Bought(seat, street, moved):
            return f"{name(seat)} buys {_STREET[street]} for {_sum(moved)}."
        case Declined(seat, street):
            return f"{name(seat)} does not buy {_STREET[street]}."
        case LotsQueued(lots):
            return f"To be auctioned: {', '.join(_lot(lot, 'the last hotel') for lot in lots)}."
        case AuctionOpened(auction):
            return f"{_lot(auction.lot, 'The last hotel')} is auctioned."
        case BidPlaced(_, seat, amount):
            return f"{name(seat)} bids {amount}."
        case BidPassed(_, seat):
            return f"{name(seat)} bids no more."
        case AuctionClosed(_, lot, None):
            return f"Nobody gets {_lot(lot, 'the last hotel')} for a bid."
        case AuctionClosed(_, lot, winner, amount) if winner is not None:
            return f"{name(winner)} gets {_lot(lot, 'the last hotel')} for {amount}."
        case RentDemanded(debt, slip):
            asker = _account(debt.creditor, "en", name)
            return f"{asker} demands {debt.amount} from {name(debt.debtor)}{_slip_en(slip, name)}."
        case DebtArose(debt):
            owed = _account(debt.creditor, "en", name)
            short = " and has not got it" if debt.short else ""
            return f"{name(debt.debtor)} owes {owed} {debt.amount}{short}."
        case DebtsVoided():
            return "What was owed for the false move is void."
        case Halved(_, amount):
            return f"The rent is halved to {amount}."
        case Paid(seat, _, moved, _, slip):
            to = _account(moved[0].to, "en", name) if moved else "nobody"
            return f"{name(seat)} pays {to} {_sum(moved)}{_slip_en(slip, name)}."
        case FellShort(seat, What.NO_HOTEL):
            return f"{name(seat)} reaches for a hotel, and there is none in the tray."
        case FellShort(seat, _, need, purse=purse):
            there = "" if purse is None else f": only {purse} are there"
            return f"{name(seat)} needs {need} and has not got it{there}."
        case HotelBuilt(seat, street, moved):
            return f"{name(seat)} builds a hotel on {_STREET[street]} for {_sum(moved)}."
        case HotelClaimed(seat, street):
            return f"{name(seat)} wants the last hotel, for {_STREET[street]}."
        case HotelWindowClosed():
            return "Who wanted the last hotel has said so."
        case TradeOffered(trade):
            what = _trade_en(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade_en(trade.want, trade.want_cash, trade.want_jail_card)
            quietly = " quietly" if trade.private else ""
            return f"{name(trade.seat)}{quietly} offers {name(trade.to)} {what} for {wanted}."
        case TradeClosed(_, seat, to, _, why):
            return f"No trade between {name(seat)} and {name(to)}: {_END[why]['en']}."
        case TradeMade(trade):
            what = _trade_en(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade_en(trade.want, trade.want_cash, trade.want_jail_card)
            return f"{name(trade.seat)} gives {name(trade.to)} {what} and gets {wanted}."
        case CardDrawn(seat, deck, card, reshuffled):
            shuffled = " The deck was shuffled before." if reshuffled else ""
            return f"{name(seat)} draws a {_DECK['en'][deck]} card{_face_en(card)}.{shuffled}"
        case CardRead(seat, _, announced, card, bribe, _, slip):
            truth = "" if card in (announced, CARD_BACK) else f" But the card says{_card(card, 'en')}"
            paid = " and pays the bribe" if bribe else ""
            return (
                f"{name(seat)} reads out{_card(announced, 'en')}{paid}.{truth}{_slip_en(slip, name)}".rstrip(".") + "."
            )
        case CardUsed(seat, _, card):
            return f"{name(seat)} plays{_card(card, 'en')}."
        case CardKept(seat, deck, card):
            return f"{name(seat)} keeps the {_DECK['en'][deck]} card{_face_en(card)}."
        case CardReturned(seat, deck, card):
            return f"{name(seat)} puts a {_DECK['en'][deck]} card back{_face_en(card)}."
        case Jailed(seat, freed):
            free = "" if freed is None else f" {name(freed)} is free and hands the handcuff over."
            return f"{name(seat)} goes to jail.{free}"
        case Freed(seat, moved):
            return f"{name(seat)} leaves jail{f' for {_sum(moved)}' if moved else ''}."
        case JailTried(seat, tries):
            return f"{name(seat)} stays in jail after {tries} tries."
        case TrayPassed(seat, turn):
            return f"{name(seat)} passes the tray on to {name(turn.seat)}, turn {turn.number}."
        case Watched(seat, zone, _, sight):
            there = "" if sight.cash is None else f" and sees about {sight.cash} there"
            return f"{name(seat)} watches {_zone(zone, 'en', name)}{there}."
        case Slipped(seat, slip):
            done = "reaches for something that is not there" if slip.effect.nothing else _deed_en(slip.effect, name)
            return f"Silently, {name(seat)} {done}{_known(slip, 'en')}."
        case Undone(seat):
            return f"What {name(seat)} did silently came to nothing."
        case Spent(seat, moved):
            return f"{name(seat)} had taken {_sum(moved)} and has spent it."
        case Accused(accusation):
            card = _cheat(accusation.card, "en")
            return f"{name(accusation.seat)} accuses {name(accusation.target)} of {card}: the table votes."
        case VoteCast(_, seat, guilty):
            return f"{name(seat)} says: {'guilty' if guilty else 'not guilty'}."
        case Caught(seat, target, card, effect):
            done = "" if effect.nothing else f" {name(target)} {_deed_en(effect, name)}."
            return f"MOGLER! {name(seat)} catches {name(target)} at {_cheat(card, 'en')}.{done}"
        case WronglyAccused(seat, target, card):
            return f"{name(seat)} wrongly accuses {name(target)} of {_cheat(card, 'en')}."
        case Succeeded(None, _, effect):
            return f"Somebody cheated, and nobody noticed: {_deed_en(effect, name)}."
        case Succeeded(seat, card, effect, moved) if seat is not None and card is not None:
            reward = f" Reward: {_sum(moved)}." if moved else ""
            return f"{name(seat)} got away with {_cheat(card, 'en')}: {_deed_en(effect, name)}.{reward}"
        case CardsTurned(cards):
            return f"New cheat cards: {', '.join(_cheat(card, 'en') for card in cards)}."
        case Reverted(seat, None, moved):
            return f"{name(seat)} gets {_sum(moved)} for the card."
        case Reverted(seat, street, moved) if street is not None:
            return f"{name(seat)} gives {_STREET[street]} back for {_sum(moved)}."
        case PlacingAsked(seat, token):
            return f"{name(seat)} may set the token of {name(token)} anywhere."
        case Placed(seat, token, square):
            return f"{name(seat)} sets the token of {name(token)} on {_square(square)}."
        case SoldToBank(seat, street, moved):
            return f"{name(seat)} sells {_STREET[street]} to the bank for {_sum(moved)}."
        case Bankrupted(seat, heir):
            return f"{name(seat)} is bankrupt; everything goes to {_account(heir, 'en', name)}."
        case Left(seat):
            return f"{name(seat)} has left the table."
        case PotRefilled(moved):
            return f"{_sum(moved)} are put into the tray from the reserve."
        case SoldOut():
            return "Every street is sold: who reaches GO now stays there."
        case FinalRents(seat, moved):
            return f"{name(seat)} gets the last rents from the bank: {_sum(moved)}."
        case MatchOver(winners, scores):
            won = f"{_names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share the win'}"
            counted = ", ".join(f"{name(Seat(seat))} {cash}" for seat, cash in enumerate(scores))
            return f"{won}: {counted}."
        case _:
            raise AssertionError(event)


def _phase_en(phase: Phase) -> str:
    match phase:
        case ToRoll(first):
            return "The dice are waiting." if first else "A double: once more."
        case ToThrow():
            return "The dice roll."
        case ToMove():
            return "Now to move."
        case ToBuy(street):
            return f"{_STREET[street]} is for sale."
        case ToChoose():
            return "Which deck shall it be?"
        case ToDraw(deck):
            return f"A {_DECK['en'][deck]} card is drawn."
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


def _moved_en(who: str, square: int, how: How) -> str:
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
    return f"{who} {ways[how]} {_square(square)}"


def _go_en(moved: Moved_, parks: bool) -> str:
    return f", collects {_sum(moved)}{' and stays on GO' if parks else ''}" if moved else ""


def _slip_en(slip: MonopolySlip | None, name: Name) -> str:
    if slip is None:
        return ""
    return f" – but in truth {_deed_en(slip.effect, name)}{_known(slip, 'en')}"


def _known(slip: MonopolySlip, language: Language) -> str:
    return "" if slip.card is None else f" ({_cheat(slip.card, language)})"


def _deed_en(effect: MonopolyEffect, name: Name) -> str:
    said: list[str] = []
    for movement in effect.moved:
        source, to = (_account(account, "en", name) for account in (movement.from_, movement.to))
        said.append(f"{movement.amount} went from {source} to {to}")
    for street, holder in effect.deeds:
        said.append(f"the deed of {_STREET[street]} went to {_account(holder, 'en', name)}")
    if effect.hotel_on is not None:
        said.append(f"a hotel was put on {_STREET[effect.hotel_on]}")
    if effect.hotel_off is not None:
        said.append(f"the hotel on {_STREET[effect.hotel_off]} was taken")
    if effect.cuff_off:
        said.append("the handcuff was slipped off")
    if effect.token is not None and effect.square is not None:
        said.append(f"the token of {name(effect.token)} went to {_square(effect.square)}")
    if effect.right is not None:
        said.append(f"{_square(effect.right)} would have been right")
    if effect.payer is not None:
        said.append(f"{effect.amount} were demanded where {effect.rent} was due")
    if effect.card is not None:
        said.append(f"the card said{_card(effect.card, 'en')}")
    return " and ".join(said) or "nothing was there"


def _face_en(card: str) -> str:
    return "" if card == CARD_BACK else f":{_card(card, 'en')}"


def _trade_en(streets: tuple[str, ...], cash: int | None, card: str | None) -> str:
    things = [_STREET[street] for street in streets]
    if card is not None:
        things.append("a jail card")
    if cash is None:
        things.append("money that is not told")
    elif cash:
        things.append(f"{cash} in cash")
    return " and ".join(things) or "nothing"


_END: Final = {
    TradeEnd.WITHDRAWN: {"en": "it was taken back", "de": "es wurde zurückgezogen"},
    TradeEnd.DECLINED: {"en": "it was turned down", "de": "es wurde abgelehnt"},
    TradeEnd.REPLACED: {"en": "another offer took its place", "de": "ein anderes Angebot trat an seine Stelle"},
    TradeEnd.STALE: {"en": "things have changed hands", "de": "etwas davon hat den Besitzer gewechselt"},
    TradeEnd.SHORT: {"en": "the money was not there", "de": "das Geld war nicht da"},
}


def _zone(zone: str, language: Language, name: Name) -> str:
    seat = seat_of(zone)
    return _ZONE[language][zone] if seat is None else name(seat)


# ── German ──────────────────────────────────────────────────────────────────────────────────────


def _german(event: Event, name: Name) -> str:
    match event:
        case SetUpDone(cheats=cheats, turn=turn):
            cards = ", ".join(_cheat(card, "de") for card in cheats)
            return f"Alle haben 1.500. {name(turn.seat)} beginnt. Die offenen Mogelkarten: {cards}."
        case CameTo(phase):
            return _phase_de(phase)
        case Accepted(_, seat):
            return f"{name(seat)} hat nichts einzuwenden."
        case RollCalled(seat, first):
            return f"{name(seat)} nimmt die Würfel{': Der Zug davor ist vorbei' if first else ' noch einmal'}."
        case Threw(seat, dice, double):
            thrown = f" {dice[0]} und {dice[1]}" if dice else ""
            return f"{name(seat)} würfelt{thrown}{', ein Pasch' if double else ''}."
        case Moved(seat, square, how, moved, parks, slip):
            return f"{_moved_de(name(seat), square, how)}{_go_de(moved, parks)}{_slip_de(slip, name)}."
        case Landed(landing):
            where = f"{name(landing.seat)} steht auf {_STREET[landing.street]}"
            return f"{where}: {landing.rent} sind fällig, wenn sie gefordert werden."
        case Bought(seat, street, moved):
            return f"{name(seat)} kauft {_STREET[street]} für {_sum(moved)}."
        case Declined(seat, street):
            return f"{name(seat)} kauft {_STREET[street]} nicht."
        case LotsQueued(lots):
            return f"Zu versteigern: {', '.join(_lot(lot, 'das letzte Hotel') for lot in lots)}."
        case AuctionOpened(auction):
            return f"{_lot(auction.lot, 'Das letzte Hotel')} wird versteigert."
        case BidPlaced(_, seat, amount):
            return f"{name(seat)} bietet {amount}."
        case BidPassed(_, seat):
            return f"{name(seat)} bietet nicht mehr mit."
        case AuctionClosed(_, lot, None):
            return f"Niemand ersteigert {_lot(lot, 'das letzte Hotel')}."
        case AuctionClosed(_, lot, winner, amount) if winner is not None:
            return f"{name(winner)} ersteigert {_lot(lot, 'das letzte Hotel')} für {amount}."
        case RentDemanded(debt, slip):
            asker = _account(debt.creditor, "de", name)
            return f"{asker} fordert {debt.amount} von {name(debt.debtor)}{_slip_de(slip, name)}."
        case DebtArose(debt):
            short = " und hat es nicht" if debt.short else ""
            return f"{name(debt.debtor)} schuldet {debt.amount}, zahlbar {_to(debt.creditor, name)}{short}."
        case DebtsVoided():
            return "Was für den falschen Zug geschuldet war, entfällt."
        case Halved(_, amount):
            return f"Die Miete wird auf {amount} halbiert."
        case Paid(seat, _, moved, _, slip):
            to = _to(moved[0].to, name) if moved else "an niemanden"
            return f"{name(seat)} zahlt {_sum(moved)} {to}{_slip_de(slip, name)}."
        case FellShort(seat, What.NO_HOTEL):
            return f"{name(seat)} greift nach einem Hotel, und im Bankeinsatz ist keins."
        case FellShort(seat, _, need, purse=purse):
            there = "" if purse is None else f": Nur {purse} sind da"
            return f"{name(seat)} braucht {need} und hat es nicht{there}."
        case HotelBuilt(seat, street, moved):
            return f"{name(seat)} baut ein Hotel auf {_STREET[street]} für {_sum(moved)}."
        case HotelClaimed(seat, street):
            return f"{name(seat)} will das letzte Hotel, für {_STREET[street]}."
        case HotelWindowClosed():
            return "Wer das letzte Hotel wollte, hat sich gemeldet."
        case TradeOffered(trade):
            what = _trade_de(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade_de(trade.want, trade.want_cash, trade.want_jail_card)
            quietly = " heimlich" if trade.private else ""
            return f"{name(trade.seat)} bietet {name(trade.to)}{quietly} {what} für {wanted}."
        case TradeClosed(_, seat, to, _, why):
            return f"Kein Handel zwischen {name(seat)} und {name(to)}: {_END[why]['de']}."
        case TradeMade(trade):
            what = _trade_de(trade.give, trade.give_cash, trade.give_jail_card)
            wanted = _trade_de(trade.want, trade.want_cash, trade.want_jail_card)
            return f"{name(trade.seat)} gibt {name(trade.to)} {what} und bekommt {wanted}."
        case CardDrawn(seat, deck, card, reshuffled):
            shuffled = " Vorher wurde neu gemischt." if reshuffled else ""
            return f"{name(seat)} zieht eine {_DECK['de'][deck]}{_face_de(card)}.{shuffled}"
        case CardRead(seat, _, announced, card, bribe, _, slip):
            truth = "" if card in (announced, CARD_BACK) else f" Auf der Karte steht aber{_card(card, 'de')}"
            paid = " und zahlt das Bestechungsgeld" if bribe else ""
            told = f"{name(seat)} liest vor:{_card(announced, 'de')}{paid}.{truth}{_slip_de(slip, name)}"
            return told.rstrip(".") + "."
        case CardUsed(seat, _, card):
            return f"{name(seat)} spielt{_card(card, 'de')}."
        case CardKept(seat, deck, card):
            return f"{name(seat)} behält die {_DECK['de'][deck]}{_face_de(card)}."
        case CardReturned(seat, deck, card):
            return f"{name(seat)} legt eine {_DECK['de'][deck]} zurück{_face_de(card)}."
        case Jailed(seat, freed):
            free = "" if freed is None else f" {name(freed)} ist frei und gibt die Handschelle ab."
            return f"{name(seat)} geht ins Gefängnis.{free}"
        case Freed(seat, moved):
            return f"{name(seat)} verlässt das Gefängnis{f' für {_sum(moved)}' if moved else ''}."
        case JailTried(seat, tries):
            return f"{name(seat)} bleibt nach {tries} Versuchen im Gefängnis."
        case TrayPassed(seat, turn):
            return f"{name(seat)} gibt den Bankeinsatz an {name(turn.seat)} weiter, Zug {turn.number}."
        case Watched(seat, zone, _, sight):
            there = "" if sight.cash is None else f" und sieht dort etwa {sight.cash}"
            return f"{name(seat)} beobachtet {_zone(zone, 'de', name)}{there}."
        case Slipped(seat, slip):
            done = "Es war nichts da" if slip.effect.nothing else _deed_de(slip.effect, name)
            return f"Heimlich, von {name(seat)}: {done}{_known(slip, 'de')}."
        case Undone(seat):
            return f"Was {name(seat)} heimlich tat, ist verfallen."
        case Spent(seat, moved):
            return f"{name(seat)} hatte {_sum(moved)} genommen und hat es ausgegeben."
        case Accused(accusation):
            card = _cheat(accusation.card, "de")
            return f"{name(accusation.seat)} beschuldigt {name(accusation.target)}: {card}. Der Tisch stimmt ab."
        case VoteCast(_, seat, guilty):
            return f"{name(seat)} sagt: {'schuldig' if guilty else 'nicht schuldig'}."
        case Caught(seat, target, card, effect):
            done = "" if effect.nothing else f" {_deed_de(effect, name)}."
            return f"MOGLER! {name(seat)} erwischt {name(target)}: {_cheat(card, 'de')}.{done}"
        case WronglyAccused(seat, target, card):
            return f"{name(seat)} beschuldigt {name(target)} zu Unrecht: {_cheat(card, 'de')}."
        case Succeeded(None, _, effect):
            return f"Jemand hat gemogelt, und niemand hat es bemerkt: {_deed_de(effect, name)}."
        case Succeeded(seat, card, effect, moved) if seat is not None and card is not None:
            reward = f" Belohnung: {_sum(moved)}." if moved else ""
            return f"{name(seat)} kommt durch mit {_cheat(card, 'de')}: {_deed_de(effect, name)}.{reward}"
        case CardsTurned(cards):
            return f"Neue Mogelkarten: {', '.join(_cheat(card, 'de') for card in cards)}."
        case Reverted(seat, None, moved):
            return f"{name(seat)} bekommt {_sum(moved)} für die Karte."
        case Reverted(seat, street, moved) if street is not None:
            return f"{name(seat)} gibt {_STREET[street]} für {_sum(moved)} zurück."
        case PlacingAsked(seat, token):
            return f"{name(seat)} darf die Figur von {name(token)} irgendwohin stellen."
        case Placed(seat, token, square):
            return f"{name(seat)} stellt die Figur von {name(token)} auf {_square(square)}."
        case SoldToBank(seat, street, moved):
            return f"{name(seat)} verkauft {_STREET[street]} für {_sum(moved)} an die Bank."
        case Bankrupted(seat, heir):
            return f"{name(seat)} ist bankrott; alles geht {_to(heir, name)}."
        case Left(seat):
            return f"{name(seat)} hat den Tisch verlassen."
        case PotRefilled(moved):
            return f"Aus der Reserve kommen {_sum(moved)} in den Bankeinsatz."
        case SoldOut():
            return "Alle Straßen sind verkauft: Wer jetzt LOS erreicht, bleibt dort stehen."
        case FinalRents(seat, moved):
            return f"{name(seat)} bekommt die letzten Mieten von der Bank: {_sum(moved)}."
        case MatchOver(winners, scores):
            won = f"{_names(winners, name, 'und')} {'gewinnt' if len(winners) == 1 else 'teilen sich den Sieg'}"
            counted = ", ".join(f"{name(Seat(seat))} {cash}" for seat, cash in enumerate(scores))
            return f"{won}: {counted}."
        case _:
            raise AssertionError(event)


def _phase_de(phase: Phase) -> str:
    match phase:
        case ToRoll(first):
            return "Die Würfel liegen bereit." if first else "Ein Pasch: noch einmal."
        case ToThrow():
            return "Die Würfel rollen."
        case ToMove():
            return "Jetzt wird gezogen."
        case ToBuy(street):
            return f"{_STREET[street]} ist zu haben."
        case ToChoose():
            return "Welcher Stapel soll es sein?"
        case ToDraw(deck):
            return f"Eine {_DECK['de'][deck]} wird gezogen."
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


def _moved_de(who: str, square: int, how: How) -> str:
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
    return f"{who} {ways[how]} {_square(square)}"


def _go_de(moved: Moved_, parks: bool) -> str:
    return f", kassiert {_sum(moved)}{' und bleibt auf LOS' if parks else ''}" if moved else ""


def _slip_de(slip: MonopolySlip | None, name: Name) -> str:
    if slip is None:
        return ""
    return f" – in Wahrheit aber: {_deed_de(slip.effect, name)}{_known(slip, 'de')}"


def _deed_de(effect: MonopolyEffect, name: Name) -> str:
    said: list[str] = []
    for movement in effect.moved:
        source, to = (_account(account, "de", name) for account in (movement.from_, movement.to))
        said.append(f"{movement.amount} gingen von {source} an {to}")
    for street, holder in effect.deeds:
        said.append(f"die Besitzkarte {_STREET[street]} ging an {_account(holder, 'de', name)}")
    if effect.hotel_on is not None:
        said.append(f"ein Hotel kam auf {_STREET[effect.hotel_on]}")
    if effect.hotel_off is not None:
        said.append(f"das Hotel auf {_STREET[effect.hotel_off]} verschwand")
    if effect.cuff_off:
        said.append("die Handschelle wurde abgestreift")
    if effect.token is not None and effect.square is not None:
        said.append(f"die Figur von {name(effect.token)} kam auf {_square(effect.square)}")
    if effect.right is not None:
        said.append(f"richtig wäre {_square(effect.right)} gewesen")
    if effect.payer is not None:
        said.append(f"{effect.amount} wurden gefordert, wo {effect.rent} fällig war")
    if effect.card is not None:
        said.append(f"auf der Karte stand{_card(effect.card, 'de')}")
    return " und ".join(said) or "nichts war da"


def _face_de(card: str) -> str:
    return "" if card == CARD_BACK else f":{_card(card, 'de')}"


def _trade_de(streets: tuple[str, ...], cash: int | None, card: str | None) -> str:
    things = [_STREET[street] for street in streets]
    if card is not None:
        things.append("eine Gefängniskarte")
    if cash is None:
        things.append("ungenanntes Geld")
    elif cash:
        things.append(f"{cash} in bar")
    return " und ".join(things) or "nichts"
