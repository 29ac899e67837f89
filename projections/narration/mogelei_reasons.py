"""Why the rules of Mogelei refuse, in words. What several games say stands with the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.games.mogelei.reasons import MogeleiReason
from projections.views.seam import Language

REASONS: Final[Mapping[str, Mapping[Language, str]]] = {
    MogeleiReason.ALREADY_LAID: {
        "en": "You have laid a card in this pass already.",
        "de": "Du hast in diesem Durchgang schon eine Karte gelegt.",
    },
    MogeleiReason.MUST_FOLLOW: {
        "en": "You hold cards of the colour that was called: lay one of those.",
        "de": "Du hast Karten der ausgerufenen Farbe: Lege eine davon.",
    },
    MogeleiReason.OTHER_COLOUR: {
        "en": "Your card is of another colour and stays hidden.",
        "de": "Deine Karte hat eine andere Farbe und bleibt verdeckt.",
    },
    MogeleiReason.HANDS_EMPTY: {
        "en": "No card is left to continue with: end the round or doubt.",
        "de": "Zum Weitermachen ist keine Karte mehr da: Beende die Runde oder zweifle.",
    },
    MogeleiReason.PASS_CLOSED: {
        "en": "That pass is over; only cards of the present one can be doubted.",
        "de": "Dieser Durchgang ist vorbei; anzweifeln lassen sich nur Karten des jetzigen.",
    },
    MogeleiReason.NO_SUCH_PASS: {"en": "There is no such pass.", "de": "Einen solchen Durchgang gibt es nicht."},
    MogeleiReason.OWN_CARD: {"en": "That card is your own.", "de": "Das ist deine eigene Karte."},
    MogeleiReason.NOTHING_HIDDEN: {
        "en": "That seat has no hidden card in this pass.",
        "de": "An diesem Platz liegt in diesem Durchgang keine verdeckte Karte.",
    },
}
