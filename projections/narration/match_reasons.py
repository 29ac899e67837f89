"""Why a match refuses what a seat asks for, in words. A game's own reasons have theirs beside its narration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from projections.views.seam import AnyView, Language

REASONS: Final[Mapping[str, Mapping[Language, str]]] = {
    # kernel: several games say so
    "not_now": {"en": "Not at this point of the match.", "de": "Das geht an dieser Stelle der Partie nicht."},
    "not_your_turn": {"en": "It is not your turn.", "de": "Du bist nicht an der Reihe."},
    "not_your_cards": {
        "en": "You do not hold these cards, or not so often.",
        "de": "Diese Karten hast du nicht auf der Hand, oder nicht so oft.",
    },
    "too_early": {
        "en": "Too early: from “not_before” on it will be taken.",
        "de": "Zu früh: Ab „not_before“ wird es angenommen.",
    },
    "too_late": {"en": "Too late: time was up at “closes_at”.", "de": "Zu spät: Die Zeit war um „closes_at“ um."},
    "already_accepted": {"en": "You have accepted that already.", "de": "Dem hast du schon zugestimmt."},
    "own_claim": {"en": "That claim is your own.", "de": "Das ist deine eigene Ansage."},
    "already_challenged": {
        "en": "Somebody was first: this claim has been challenged.",
        "de": "Jemand war schneller: Diese Ansage ist schon angezweifelt.",
    },
    "claim_closed": {
        "en": "It is too late to answer this claim.",
        "de": "Diese Ansage lässt sich nicht mehr beantworten.",
    },
    "no_such_claim": {"en": "There is no such claim.", "de": "Eine solche Ansage gibt es nicht."},
    "out_of_round": {"en": "You are out of this round.", "de": "Du bist in dieser Runde ausgeschieden."},
    "left": {"en": "This seat has left the match.", "de": "Dieser Platz hat die Partie verlassen."},
    # match: who sits, when it starts, when it is over
    "not_open": {"en": "The match has begun.", "de": "Die Partie hat schon begonnen."},
    "not_started": {"en": "The match has not begun.", "de": "Die Partie hat noch nicht begonnen."},
    "match_over": {"en": "The match is over.", "de": "Die Partie ist zu Ende."},
    "seat_taken": {"en": "Somebody sits there.", "de": "Dort sitzt schon jemand."},
    "no_seat_free": {"en": "No seat is free.", "de": "Kein Platz ist frei."},
    "no_such_seat": {"en": "The match has no such seat.", "de": "Diesen Platz hat die Partie nicht."},
    "already_seated": {"en": "You sit at this match already.", "de": "Du sitzt schon an dieser Partie."},
    "only_your_old_seat": {
        "en": "In a match that has begun you can come back only to the seat that you held.",
        "de": "In eine laufende Partie kannst du nur an den Platz zurück, den du hattest.",
    },
    "seat_gone": {"en": "This seat has left the match for good.", "de": "Dieser Platz ist endgültig aus der Partie."},
    "not_your_seat": {"en": "That seat is not yours to give up.", "de": "Diesen Platz kannst nicht du aufgeben."},
    "not_host": {"en": "Only the host of the match may do that.", "de": "Das darf nur der Gastgeber der Partie."},
    "seats_empty": {
        "en": "Seats are empty, and the match was not created to fill them with bots.",
        "de": "Plätze sind leer, und die Partie soll nicht mit Bots aufgefüllt werden.",
    },
    "not_sandbox": {
        "en": "Only the clock of a sandbox match can be turned.",
        "de": "Nur die Uhr einer Sandkasten-Partie lässt sich stellen.",
    },
    "nothing_committed": {
        "en": "Your seat has committed to no entropy.",
        "de": "Dein Platz hat sich auf keine Entropie festgelegt.",
    },
    "already_revealed": {"en": "You have revealed it already.", "de": "Du hast sie schon aufgedeckt."},
    "wrong_entropy": {
        "en": "SHA-256 of this is not what you committed to.",
        "de": "SHA-256 davon ist nicht, worauf du dich festgelegt hast.",
    },
    # it stands still, or goes on elsewhere
    "match_paused": {
        "en": "The match stands still: a referee lets it go on.",
        "de": "Die Partie steht still: Ein Schiedsrichter lässt sie weitergehen.",
    },
    "superseded": {
        "en": "The match goes on as another one: see “branched_to”.",
        "de": "Die Partie geht als eine andere weiter: siehe „branched_to“.",
    },
}


def why(view: AnyView, reason: str, language: Language) -> str:
    """In the words of this game, where it has its own; a reason that nobody knows any more is shown as it is."""
    known = view.reasons.get(reason) or REASONS.get(reason)
    return reason if known is None else known[language]
