"""A match of Cheat as the table would tell it, in English and German."""

from __future__ import annotations

from typing import assert_never

from domain.games.cheat.events import (
    Accepted,
    CardsOwed,
    Challenged,
    CheatEnding,
    CheatTurn,
    Claimed,
    Dealt,
    Drawn,
    Event,
    ForfeitGiven,
    Leaving,
    Left,
    MatchOver,
    PassConsented,
    PassDenied,
    Passed,
    PassProposed,
    PileTaken,
    RoundAccepted,
    RoundOver,
    Stood,
)
from projections.narration import words
from projections.narration.words import Name
from projections.views.seam import Language


def narrate(event: Event, language: Language, name: Name) -> str:
    """One sentence or two about an event as it was told: a card seen from behind is only counted."""
    return _german(event, name) if language == "de" else _english(event, name)


def _english(event: Event, name: Name) -> str:
    match event:
        case Dealt(number, dealer, hands, turn=turn):
            seen = words.hands(hands, name, "{} holds {}.")
            first = "any rank" if turn.rank is None else words.en_ranks(2, turn.rank)
            return f"Round {number}: {name(dealer)} deals, {name(turn.seat)} begins with {first}.{seen}"
        case Claimed(_, seat, rank, cards):
            said = f"{words.EN_NUMBER[len(cards)]} {words.en_ranks(len(cards), rank)}"
            return f"{name(seat)} lays {words.en_cards(len(cards))} and says: {said}.{words.faces(cards)}"
        case Accepted(_, seat):
            return f"{name(seat)} has no objection for now."
        case Challenged(_, seat, challenger, rank, cards, stands):
            verdict = "It was true" if stands else "It was a lie"
            return (
                f"{name(challenger)} doubts {name(seat)}. {verdict}: {words.shown(cards)} as {words.en_ranks(2, rank)}."
            )
        case PileTaken(seat, cards):
            return f"{name(seat)} takes the pile: {words.en_cards(len(cards))}.{words.faces(cards)}"
        case ForfeitGiven(seat, forfeits, back, out):
            again = " and takes the cards back" if back is not None else ""
            gone = " That was the last one: out of this round." if out else ""
            return f"{name(seat)} gives forfeit number {forfeits}{again}.{gone}"
        case CardsOwed(seat, count, back):
            again = "takes the cards back and " if back is not None else ""
            return f"{name(seat)} {again}must draw {words.en_cards(count)}."
        case Drawn(seat, cards, from_pile):
            mixed = "The pile is shuffled in under the stock. " if from_pile else ""
            return f"{mixed}{name(seat)} draws {words.en_cards(len(cards))}.{words.faces(cards)}"
        case Passed(seat, _, draws):
            return f"{name(seat)} passes{f', and must draw {words.en_cards(draws)}' if draws else ''}."
        case PassProposed(_, seat):
            return f"{name(seat)} asks to be let off this turn."
        case PassConsented(_, seat):
            return f"{name(seat)} has nothing against it."
        case PassDenied(_, against, turn):
            why = "Not everybody agreed in time" if against is None else f"{name(against)} is against it"
            return f"{why}: {name(turn.seat)} must play."
        case Stood(_, seat):
            return f"Nobody doubts the last play of {name(seat)}."
        case RoundOver(number, winners, because, penalties):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} round {number}"
            why = {
                CheatEnding.EMPTIED: "with an empty hand",
                CheatEnding.LAST_IN: "as the last one in",
                CheatEnding.TURNS: "with the fewest cards, as no turn is left",
            }[because]
            return f"{won} {why}. Penalty points: {words.counts(penalties, name)}."
        case RoundAccepted(seat):
            return f"{name(seat)} is ready for the next deal."
        case Leaving(seat):
            return f"{name(seat)} leaves as soon as the open claim is settled."
        case Left(seat, _, turn):
            return f"{name(seat)} has left; the cards go with them.{_en_goes_on(turn, name)}"
        case MatchOver(winners, scores):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} the match"
            return f"{won}: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _german(event: Event, name: Name) -> str:
    match event:
        case Dealt(number, dealer, hands, turn=turn):
            seen = words.hands(hands, name, "{} hält {}.")
            first = "einem beliebigen Wert" if turn.rank is None else words.de_dative(turn.rank)
            return f"Runde {number}: {name(dealer)} gibt, {name(turn.seat)} beginnt mit {first}.{seen}"
        case Claimed(_, seat, rank, cards):
            said = f"{words.de_number(len(cards), rank)} {words.de_ranks(len(cards), rank)}"
            return f"{name(seat)} legt {words.de_cards(len(cards))} und sagt: {said}.{words.faces(cards)}"
        case Accepted(_, seat):
            return f"{name(seat)} hat vorerst keinen Einwand."
        case Challenged(_, seat, challenger, rank, cards, stands):
            verdict = "Es stimmte" if stands else "Es war gemogelt"
            shown = f"{words.shown(cards)}, angesagt als {words.de_ranks(2, rank)}"
            return f"{name(challenger)} zweifelt an der Ansage von {name(seat)}. {verdict}: {shown}."
        case PileTaken(seat, cards):
            return f"{name(seat)} nimmt den Stapel auf: {words.de_cards(len(cards))}.{words.faces(cards)}"
        case ForfeitGiven(seat, forfeits, back, out):
            again = " und nimmt die Karten zurück" if back is not None else ""
            gone = " Das war das letzte: für diese Runde ausgeschieden." if out else ""
            return f"{name(seat)} gibt Pfand Nummer {forfeits} ab{again}.{gone}"
        case CardsOwed(seat, count, back):
            again = "nimmt die Karten zurück und " if back is not None else ""
            return f"{name(seat)} {again}muss {words.de_cards(count)} ziehen."
        case Drawn(seat, cards, from_pile):
            mixed = "Der Stapel wird unter den Talon gemischt. " if from_pile else ""
            return f"{mixed}{name(seat)} zieht {words.de_cards(len(cards))}.{words.faces(cards)}"
        case Passed(seat, _, draws):
            return f"{name(seat)} passt{f' und muss {words.de_cards(draws)} ziehen' if draws else ''}."
        case PassProposed(_, seat):
            return f"{name(seat)} bittet, diesmal passen zu dürfen."
        case PassConsented(_, seat):
            return f"{name(seat)} hat nichts dagegen."
        case PassDenied(_, against, turn):
            why = "Nicht alle haben rechtzeitig zugestimmt" if against is None else f"{name(against)} ist dagegen"
            return f"{why}: {name(turn.seat)} muss legen."
        case Stood(_, seat):
            return f"Niemand zweifelt den letzten Zug von {name(seat)} an."
        case RoundOver(number, winners, because, penalties):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            why = {
                CheatEnding.EMPTIED: "mit leerer Hand",
                CheatEnding.LAST_IN: "als letzte Hand im Spiel",
                CheatEnding.TURNS: "mit den wenigsten Karten, denn die Züge sind zu Ende",
            }[because]
            won = f"{words.names(winners, name, 'und')} {verb} Runde {number}"
            return f"{won} {why}. Strafpunkte: {words.counts(penalties, name)}."
        case RoundAccepted(seat):
            return f"{name(seat)} ist bereit für die nächste Runde."
        case Leaving(seat):
            return f"{name(seat)} geht, sobald die offene Ansage geklärt ist."
        case Left(seat, _, turn):
            return f"{name(seat)} ist gegangen, die Karten sind aus dem Spiel.{_de_goes_on(turn, name)}"
        case MatchOver(winners, scores):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            return f"{words.names(winners, name, 'und')} {verb} die Partie: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _en_goes_on(turn: CheatTurn | None, name: Name) -> str:
    return "" if turn is None else f" {name(turn.seat)} goes on."


def _de_goes_on(turn: CheatTurn | None, name: Name) -> str:
    return "" if turn is None else f" {name(turn.seat)} macht weiter."
