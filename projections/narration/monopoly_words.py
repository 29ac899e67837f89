"""What Monopoly's squares, cards, deeds and accounts are called, in English and German."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from domain.games.monopoly.data import VERSIONS
from domain.games.monopoly.state import seat_of
from domain.games.monopoly.things import MonopolySlip, Moved_, TradeEnd
from domain.kernel.game import Seat
from domain.kernel.ledger import Account
from projections.views.seam import Language

Name = Callable[[Seat], str]

DECK: Final = {
    "en": {"chance": "Chance", "chest": "Community Chest"},
    "de": {"chance": "Ereigniskarte", "chest": "Gemeinschaftskarte"},
}
ZONE: Final = {"en": {"tray": "the tray", "dice": "the dice"}, "de": {"tray": "den Bankeinsatz", "dice": "die Würfel"}}
FREE: Final = {
    "take_tray": {"en": "stealing from the tray", "de": "Diebstahl aus dem Bankeinsatz"},
    "take_player": {"en": "stealing from a player", "de": "Diebstahl bei Mitspielern"},
    "wrong_move": {"en": "a false move", "de": "einen falschen Zug"},
    "skip_payment": {"en": "a payment not made", "de": "eine unterschlagene Zahlung"},
    "hotel_on": {"en": "a hotel put down", "de": "ein aufgestelltes Hotel"},
    "hotel_off": {"en": "a hotel taken off", "de": "ein weggenommenes Hotel"},
    "take_deed": {"en": "a stolen deed", "de": "eine gestohlene Besitzkarte"},
}
# By every version of the data, as each was called last: what happened does not say by which it was.
_KNOWN: Final = tuple(VERSIONS.values())
SQUARE: Final = {place: square.names.de for data in _KNOWN for place, square in enumerate(data.board)}
STREET: Final = {street: data.board[place].names.de for data in _KNOWN for street, place in data.streets.items()}
CHEAT: Final = {card.id: card.names for data in _KNOWN for card in data.cheats}
CARD: Final = {which: card.text for data in _KNOWN for which, card in data.cards.items()}


def square(place: int) -> str:
    return SQUARE[place]


def lot(street: str, hotel: str) -> str:
    return hotel if street.startswith("hotel:") else STREET[street]


def cheat(which: str, language: Language) -> str:
    if which in FREE:
        return FREE[which][language]
    called = CHEAT[which]
    return f"“{called.en}”" if language == "en" else f"„{called.de}“"


def card(which: str, language: Language) -> str:
    text = CARD[which]
    return f" “{text.en}”" if language == "en" else f" „{text.de}“"


def total(moved: Moved_) -> int:
    return sum(movement.amount for movement in moved)


def account(whose: Account, language: Language, name: Name) -> str:
    seat = seat_of(whose)
    if seat is not None:
        return name(seat)
    return "the bank" if language == "en" else "die Bank"


def to(whose: Account, name: Name) -> str:
    return f"an {account(whose, 'de', name)}"


def from_(whose: Account, name: Name) -> str:
    seat = seat_of(whose)
    return "von der Bank" if seat is None else f"von {name(seat)}"


def names(seats: Iterable[Seat], name: Name, last: str) -> str:
    *others, end = [name(seat) for seat in seats]
    return f"{', '.join(others)} {last} {end}" if others else end


def known(slip: MonopolySlip, language: Language) -> str:
    return "" if slip.card is None else f" ({cheat(slip.card, language)})"


END: Final = {
    TradeEnd.WITHDRAWN: {"en": "it was taken back", "de": "es wurde zurückgezogen"},
    TradeEnd.DECLINED: {"en": "it was turned down", "de": "es wurde abgelehnt"},
    TradeEnd.REPLACED: {"en": "another offer took its place", "de": "ein anderes Angebot trat an seine Stelle"},
    TradeEnd.STALE: {"en": "things have changed hands", "de": "etwas davon hat den Besitzer gewechselt"},
    TradeEnd.SHORT: {"en": "the money was not there", "de": "das Geld war nicht da"},
}


def zone(which: str, language: Language, name: Name) -> str:
    seat = seat_of(which)
    return ZONE[language][which] if seat is None else name(seat)
