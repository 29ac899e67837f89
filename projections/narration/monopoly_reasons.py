"""Why the rules of Monopoly Cheaters refuse, and what options go together, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.games.monopoly.reasons import MonopolyReason as Reason
from projections.views.seam import Language

REASONS: Final[Mapping[str, Mapping[Language, str]]] = {
    reason: {"en": english, "de": german}
    for reason, english, german in (
        (Reason.BUSY, "Something else must be settled first.", "Zuerst muss etwas anderes geregelt werden."),
        (Reason.IN_JAIL, "You are in jail.", "Du sitzt im Gefängnis."),
        (Reason.NOT_IN_JAIL, "You are not in jail.", "Du sitzt nicht im Gefängnis."),
        (Reason.CANNOT_AFFORD, "You have not got the money.", "Dafür reicht dein Geld nicht."),
        (Reason.FELL_SHORT, "You tried, and the money was not there.", "Du wolltest, und das Geld war nicht da."),
        (Reason.NO_SUCH_BOUNDARY, "That turn is over.", "Dieser Zug ist vorbei."),
        (Reason.NO_SUCH_AUCTION, "There is no such auction for you.", "Eine solche Auktion gibt es für dich nicht."),
        (Reason.BID_STEP, "Bids go in steps of 10.", "Gebote gehen in Zehnerschritten."),
        (Reason.BID_TOO_LOW, "The bid is too low.", "Das Gebot ist zu niedrig."),
        (Reason.BID_PASSED, "You have passed in this auction.", "Du hast in dieser Auktion gepasst."),
        (Reason.LEADING, "The highest bid is yours.", "Das höchste Gebot ist deins."),
        (Reason.NO_SUCH_LANDING, "It is too late for that rent.", "Für diese Miete ist es zu spät."),
        (Reason.NOT_YOUR_STREET, "That street is not yours.", "Diese Straße gehört dir nicht."),
        (Reason.ALREADY_DEMANDED, "That rent is not open any more.", "Diese Miete ist nicht mehr offen."),
        (Reason.NO_SUCH_DEBT, "There is no such debt.", "Eine solche Schuld gibt es nicht."),
        (Reason.NOT_YOUR_DEBT, "That debt is not yours.", "Das ist nicht deine Schuld."),
        (Reason.OTHER_DEBT_FIRST, "Another debt comes first.", "Eine andere Schuld kommt zuerst."),
        (
            Reason.NOTHING_RIGHT_TO_PAY,
            "Who asks is owed nothing else.",
            "Wer da fordert, hat nichts anderes zu bekommen.",
        ),
        (Reason.NO_SUCH_STREET, "There is no such street.", "Eine solche Straße gibt es nicht."),
        (Reason.GROUP_INCOMPLETE, "The group is not complete.", "Die Farbgruppe ist nicht vollständig."),
        (Reason.HOTEL_STANDS, "A hotel stands there.", "Dort steht schon ein Hotel."),
        (Reason.NO_HOTELS_LEFT, "No hotel is left.", "Es ist kein Hotel mehr da."),
        (Reason.ALREADY_CLAIMED, "You have named your street.", "Du hast deine Straße schon genannt."),
        (Reason.IN_DISTRESS, "While you owe, you may only sell.", "Solange du Schulden hast, darfst du nur verkaufen."),
        (Reason.NOT_IN_DISTRESS, "Your money is enough.", "Dein Geld reicht."),
        (Reason.STREETS_LEFT, "You have streets left to sell.", "Du hast noch Straßen zu verkaufen."),
        (Reason.NO_SUCH_CARD, "You do not hold that card.", "Diese Karte hast du nicht."),
        (Reason.CARD_MUST_BE_READ, "That cannot be done with this card.", "Das geht mit dieser Karte nicht."),
        (Reason.CARD_NOT_USABLE, "The card cannot be used so, now.", "So lässt sich die Karte jetzt nicht benutzen."),
        (Reason.CARD_LIMIT, "One card of each deck is the most.", "Mehr als eine Karte jeder Art geht nicht."),
        (Reason.NO_SUCH_TRADE, "There is no such offer.", "Ein solches Angebot gibt es nicht."),
        (
            Reason.TRADE_EMPTY,
            "Name streets or a jail card, each once.",
            "Nenne Straßen oder eine Gefängniskarte, jede einmal.",
        ),
        (
            Reason.TRADE_CASH,
            "Money is a price, on one side, in steps of 10.",
            "Geld ist ein Preis, auf einer Seite, in Zehnerschritten.",
        ),
        (Reason.TRADE_TOO_CHEAP, "The bank would give more.", "Die Bank gäbe mehr."),
        (Reason.TRADE_STALE, "It has changed hands.", "Es hat den Besitzer gewechselt."),
        (Reason.TRADE_PENDING, "A debt between you comes first.", "Zuerst kommt die Schuld zwischen euch."),
        (Reason.SAME_SEAT, "That is you.", "Das bist du selbst."),
        (Reason.NO_SUCH_SEAT_HERE, "Nobody plays there.", "Dort spielt niemand."),
        (Reason.NO_SUCH_ZONE, "There is nothing to watch there.", "Dort gibt es nichts zu beobachten."),
        (Reason.CHEAT_CARD_NOT_OPEN, "That cheat card does not lie open.", "Diese Mogelkarte liegt nicht offen."),
        (Reason.ONE_AT_A_TIME, "You are cheating already.", "Du mogelst schon."),
        (Reason.NO_NEW_ATTEMPTS, "It is too late to cheat.", "Zum Mogeln ist es zu spät."),
        (Reason.CHEAT_NOT_POSSIBLE, "That cheat is not possible now.", "So kannst du jetzt nicht mogeln."),
        (Reason.NO_FREE_CHEATS, "In this match only cheat cards count.", "In dieser Partie gelten nur Mogelkarten."),
        (Reason.NO_SUCH_CHEAT, "There is no such cheat.", "Eine solche Mogelei gibt es nicht."),
        (Reason.NO_SUCH_ACCUSATION, "There is nothing to vote on.", "Es gibt nichts abzustimmen."),
        (Reason.NOT_A_JUROR, "You have no vote, or have cast it.", "Du hast keine Stimme oder hast sie abgegeben."),
    )
}

CONFLICTS: Final[Mapping[tuple[str, str], Mapping[Language, str]]] = {
    ("attention_dwell", "attention"): {
        "en": "How long one looks at a zone matters only with attention: watch.",
        "de": "Wie lange man auf einen Bereich schaut, zählt nur mit attention: watch.",
    },
}
