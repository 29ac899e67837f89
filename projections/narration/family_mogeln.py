"""A match of the family's Mogeln as the table would tell it, in English and German."""

from __future__ import annotations

from typing import assert_never

from domain.games.family_mogeln.events import (
    Accepted,
    ControlBegan,
    Controlled,
    Counted,
    Dealt,
    Ending,
    Event,
    Laid,
    Leaving,
    Left,
    MatchOver,
    PileTaken,
    RoundAccepted,
    RoundOver,
    SatOut,
    Stood,
)
from projections.narration import words
from projections.narration.words import Name
from projections.views.seam import Language


def narrate(event: Event, language: Language, name: Name) -> str:
    """One sentence or two about an event as it was told: a lay is one card to all but who laid it."""
    return _german(event, name) if language == "de" else _english(event, name)


def _english(event: Event, name: Name) -> str:
    match event:
        case Dealt(round=number, dealer=dealer, hands=hands, sizes=sizes, aside=aside, turn=turn):
            seen = words.hands(hands, name, "{} holds {}.")
            over = f", {words.en_cards(len(aside))} put aside" if aside else ""
            each = words.en_cards(max(sizes))
            return f"Round {number}: {name(dealer)} deals {each} each{over}; {name(turn.seat)} begins.{seen}"
        case ControlBegan():
            return "The first round of lays is over: from now on lays can be controlled."
        case Laid(_, seat, rank, cards):
            return f"{name(seat)} lays a card and says: {words.en_ranks(1, rank)}.{words.faces(cards)}"
        case SatOut(seat):
            return f"{name(seat)} sits out."
        case Accepted(_, seat):
            return f"{name(seat)} lets it pass."
        case Controlled(_, seat, controller, rank, card, stands):
            verdict = "It stands" if stands else "It was a lie"
            shown = f"{words.shown((card,))} as {words.en_ranks(1, rank)}"
            return f"{name(controller)} has the card of {name(seat)} turned up. {verdict}: {shown}."
        case Counted(_, seat, controller, count, stands):
            verdict = "It was one card" if stands else f"They were {words.en_cards(count)}"
            return f"{name(controller)} has the lay of {name(seat)} counted. {verdict}."
        case PileTaken(seat, cards, size):
            return f"{name(seat)} takes the pile: {words.en_cards(size)}.{words.faces(cards)}"
        case Stood(_, seat):
            return f"Nobody controls the last lay of {name(seat)}."
        case RoundOver(number, winners, because, sizes, pile):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} round {number}"
            why = {
                Ending.EMPTIED: "with an empty hand",
                Ending.LAST_IN: "as the last one in",
                Ending.TURNS: "with the fewest cards, as no turn is left",
            }[because]
            left = f"Cards left: {words.counts(sizes, name)}; in the pile {pile}"
            return f"{won} {why}. {left}."
        case RoundAccepted(seat):
            return f"{name(seat)} is ready for the next deal."
        case Leaving(seat):
            return f"{name(seat)} leaves as soon as the open lay is settled."
        case Left(seat, _, turn):
            goes_on = "" if turn is None else f" {name(turn.seat)} goes on."
            return f"{name(seat)} has left; the cards go with them.{goes_on}"
        case MatchOver(winners, scores):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} the match"
            return f"{won}: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _german(event: Event, name: Name) -> str:
    match event:
        case Dealt(round=number, dealer=dealer, hands=hands, sizes=sizes, aside=aside, turn=turn):
            seen = words.hands(hands, name, "{} hält {}.")
            over = f", {words.de_cards(len(aside))} beiseite" if aside else ""
            each = words.de_cards(max(sizes))
            return f"Runde {number}: {name(dealer)} gibt jedem {each}{over}; {name(turn.seat)} beginnt.{seen}"
        case ControlBegan():
            return "Die erste Runde ist herum: Von jetzt an darf kontrolliert werden."
        case Laid(_, seat, rank, cards):
            return f"{name(seat)} legt eine Karte und sagt: {words.de_ranks(1, rank)}.{words.faces(cards)}"
        case SatOut(seat):
            return f"{name(seat)} setzt aus."
        case Accepted(_, seat):
            return f"{name(seat)} lässt es gelten."
        case Controlled(_, seat, controller, rank, card, stands):
            verdict = "Es gilt" if stands else "Es war gemogelt"
            shown = f"{words.shown((card,))}, angesagt als {words.de_ranks(1, rank)}"
            return f"{name(controller)} lässt die Karte von {name(seat)} umdrehen. {verdict}: {shown}."
        case Counted(_, seat, controller, count, stands):
            verdict = "Es war eine Karte" if stands else f"Es waren {words.de_cards(count)}"
            return f"{name(controller)} lässt zählen, was {name(seat)} abgelegt hat. {verdict}."
        case PileTaken(seat, cards, size):
            return f"{name(seat)} nimmt den Stapel auf: {words.de_cards(size)}.{words.faces(cards)}"
        case Stood(_, seat):
            return f"Niemand kontrolliert die letzte Ablage von {name(seat)}."
        case RoundOver(number, winners, because, sizes, pile):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            why = {
                Ending.EMPTIED: "mit leerer Hand",
                Ending.LAST_IN: "als letzte Hand im Spiel",
                Ending.TURNS: "mit den wenigsten Karten, denn die Züge sind zu Ende",
            }[because]
            won = f"{words.names(winners, name, 'und')} {verb} Runde {number}"
            return f"{won} {why}. Übrige Karten: {words.counts(sizes, name)}; im Stapel {pile}."
        case RoundAccepted(seat):
            return f"{name(seat)} ist bereit für die nächste Runde."
        case Leaving(seat):
            return f"{name(seat)} geht, sobald die offene Ablage geklärt ist."
        case Left(seat, _, turn):
            goes_on = "" if turn is None else f" {name(turn.seat)} macht weiter."
            return f"{name(seat)} ist gegangen, die Karten sind aus dem Spiel.{goes_on}"
        case MatchOver(winners, scores):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            return f"{words.names(winners, name, 'und')} {verb} die Partie: {words.counts(scores, name)}."
        case _:
            assert_never(event)
