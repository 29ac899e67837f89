"""Why the rules refuse, in words. A game's own reasons have theirs beside its narration; the rest is here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from projections.catalogue import CATALOGUE
from projections.views.seam import AnyView
from service.api.language import Text

AROUND_ANY_GAME: Final[Mapping[str, Text]] = {
    # kernel: several games say so
    "not_now": Text("Not at this point of the match.", "Das geht an dieser Stelle der Partie nicht."),
    "not_your_turn": Text("It is not your turn.", "Du bist nicht an der Reihe."),
    "not_your_cards": Text("You do not hold these cards.", "Diese Karten hast du nicht auf der Hand."),
    "too_early": Text(
        "Too early: from “not_before” on it will be taken.", "Zu früh: Ab „not_before“ wird es angenommen."
    ),
    "too_late": Text("Too late: time was up at “closes_at”.", "Zu spät: Die Zeit war um „closes_at“ um."),
    "already_accepted": Text("You have accepted that already.", "Dem hast du schon zugestimmt."),
    "own_claim": Text("That claim is your own.", "Das ist deine eigene Ansage."),
    "already_challenged": Text(
        "Somebody was first: this claim has been challenged.",
        "Jemand war schneller: Diese Ansage ist schon angezweifelt.",
    ),
    "claim_closed": Text("It is too late to answer this claim.", "Diese Ansage lässt sich nicht mehr beantworten."),
    "no_such_claim": Text("There is no such claim.", "Eine solche Ansage gibt es nicht."),
    "out_of_round": Text("You are out of this round.", "Du bist in dieser Runde ausgeschieden."),
    "left": Text("This seat has left the match.", "Dieser Platz hat die Partie verlassen."),
    # match: who sits, when it starts, when it is over
    "not_open": Text("The match has begun.", "Die Partie hat schon begonnen."),
    "not_started": Text("The match has not begun.", "Die Partie hat noch nicht begonnen."),
    "match_over": Text("The match is over.", "Die Partie ist zu Ende."),
    "seat_taken": Text("Somebody sits there.", "Dort sitzt schon jemand."),
    "no_seat_free": Text("No seat is free.", "Kein Platz ist frei."),
    "no_such_seat": Text("The match has no such seat.", "Diesen Platz hat die Partie nicht."),
    "already_seated": Text("You sit at this match already.", "Du sitzt schon an dieser Partie."),
    "only_your_old_seat": Text(
        "In a match that has begun you can come back only to the seat that you held.",
        "In eine laufende Partie kannst du nur an den Platz zurück, den du hattest.",
    ),
    "seat_gone": Text("This seat has left the match for good.", "Dieser Platz ist endgültig aus der Partie."),
    "not_your_seat": Text("That seat is not yours to give up.", "Diesen Platz kannst nicht du aufgeben."),
    "not_host": Text("Only the host of the match may do that.", "Das darf nur, wer die Partie eröffnet hat."),
    "seats_empty": Text(
        "Seats are empty, and the match was not created to fill them with bots.",
        "Plätze sind leer, und die Partie soll nicht mit Bots aufgefüllt werden.",
    ),
    "not_sandbox": Text(
        "Only the clock of a sandbox match can be turned.", "Nur die Uhr einer Sandkasten-Partie lässt sich stellen."
    ),
    "nothing_committed": Text(
        "Your seat has committed to no entropy.", "Dein Platz hat sich auf keine Entropie festgelegt."
    ),
    "already_revealed": Text("You have revealed it already.", "Du hast sie schon aufgedeckt."),
    "wrong_entropy": Text(
        "SHA-256 of this is not what you committed to.", "SHA-256 davon ist nicht, worauf du dich festgelegt hast."
    ),
    "another_game": Text("Another game is played in this match.", "In dieser Partie wird ein anderes Spiel gespielt."),
    "no_such_bot": Text("The game has no such bot.", "Einen solchen Bot hat das Spiel nicht."),
    # who asks
    "not_seated": Text("You hold no seat in this match.", "Du sitzt nicht an dieser Partie."),
    "may_not_see": Text(
        "This match is not public: only who sits in it or opened it sees it.",
        "Diese Partie ist nicht öffentlich: Es sieht sie nur, wer daran sitzt oder sie eröffnet hat.",
    ),
    # this server
    "sandbox_off": Text(
        "There are no sandbox matches on this server.", "Auf diesem Server gibt es keine Sandkasten-Partien."
    ),
    "too_many_sandboxes": Text(
        "You have too many sandbox matches running.", "Du hast zu viele laufende Sandkasten-Partien."
    ),
}

NOT_YOURS: Final = frozenset({"not_host", "not_your_seat", "not_seated", "may_not_see"})
"""Reasons that speak of who asks and not of the rules: answered 403."""


def of(view: AnyView) -> dict[str, Text]:
    """A game's own reasons."""
    return {reason: Text(words["en"], words["de"]) for reason, words in view.reasons.items()}


_KNOWN: Final = {
    **{reason: text for view in CATALOGUE.values() for reason, text in of(view).items()},
    **AROUND_ANY_GAME,
}


SERVER: Final = frozenset({"sandbox_off", "too_many_sandboxes"})


def by_kind(slug: str) -> dict[str, Text]:
    """What the ``reason`` of this kind of problem can say."""
    kinds = {
        "not_yours": NOT_YOURS,
        "not_offered": SERVER,
        "refused": _KNOWN.keys() - NOT_YOURS - SERVER,
    }
    return {reason: _KNOWN[reason] for reason in sorted(kinds.get(slug, ()))}


def text(reason: str) -> Text:
    if (known := _KNOWN.get(reason)) is not None:
        return known
    plain = reason.replace("_", " ")
    return Text(f"The rules refuse this: {plain}.", f"Die Regeln lassen das nicht zu: {plain}.")
