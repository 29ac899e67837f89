"""A match of Mogelei as the table would tell it, in English and German."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from domain.games.mogelei.deck import colour, value
from domain.games.mogelei.events import (
    AllLaid,
    ColourCalled,
    ControlTaken,
    Dealt,
    Doubted,
    Event,
    HandAccepted,
    HandOver,
    KeptHidden,
    Laid,
    Left,
    MatchOver,
    MogeleiHidden,
    MogeleiTurn,
    PileKept,
    Revealed,
    RoundContinued,
    RoundEnded,
)
from domain.kernel.cards import BACK, Card, Cards
from domain.kernel.game import Seat
from projections.narration import words
from projections.narration.words import Name
from projections.views.seam import Language

_EN: Final = {"black": "black", "red": "red", "yellow": "yellow", "blue": "blue"}
_DE: Final = {"black": "Schwarz", "red": "Rot", "yellow": "Gelb", "blue": "Blau"}


def narrate(event: Event, language: Language, name: Name) -> str:
    """One sentence or two about an event as it was told: a card seen from behind is only counted."""
    return _german(event, name) if language == "de" else _english(event, name)


def _english(event: Event, name: Name) -> str:
    match event:
        case Dealt(hand, dealer, hands, turn=turn):
            held = _seen(hands, name, "{} holds {}.", _EN)
            return f"Hand {hand}: {name(dealer)} deals, {name(turn.seat)} calls the first colour.{held}"
        case ColourCalled(_, _, seat, called):
            return f"{name(seat)} calls {_EN[called]}; everybody lays a card."
        case Laid(_, seat, card):
            return f"{name(seat)} lays {_card(card, _EN)} face down."
        case AllLaid(_, cards, turn):
            laid = _seen(cards, name, "{} has laid {}.", _EN)
            return f"All cards are in. {name(turn.seat)} is the first to show one or to keep it hidden.{laid}"
        case Revealed(_, seat, card):
            return f"{name(seat)} shows {_card(card, _EN)}."
        case KeptHidden(_, seat):
            return f"{name(seat)} keeps the card hidden."
        case ControlTaken(_, turn):
            return f"{name(turn.seat)} is in control."
        case RoundContinued(_, seat):
            return f"{name(seat)} continues; everybody lays one more card."
        case Doubted(_, seat, doubted, card, right):
            verdict = "The doubt was right" if right else "The doubt was wrong"
            return f"{name(seat)} doubts {name(doubted)}. {verdict}: it is {_card(card, _EN)}."
        case RoundEnded(seat, hidden, liar):
            shown = _hidden(hidden, name, _EN)
            found = f"The biggest liar is {name(liar)}." if liar is not None else "Nobody has lied."
            return f"{name(seat)} ends the round. Hidden: {shown or 'no card'}. {found}"
        case PileKept(seat, cards, egg, turn):
            kept = f"{name(seat)} keeps the {len(cards)} cards of the round.{_faces(cards, _EN)}"
            an_egg = f" {name(egg)} gets an egg card." if egg is not None else ""
            return kept + an_egg + _then(turn, name, "calls the next colour")
        case HandOver(hand, eggs, fried, gained, points):
            counted = f"Egg cards: {words.counts(eggs, name)}. Fried eggs: {words.counts(fried, name)}."
            so_far = f"Points so far: {words.counts(points, name)}."
            return f"Hand {hand} brings {words.counts(gained, name)}. {counted} {so_far}"
        case HandAccepted(seat):
            return f"{name(seat)} is ready for the next deal."
        case Left(seat, turn):
            return f"{name(seat)} has left; the hand goes with them.{_then(turn, name, 'goes on')}"
        case MatchOver(winners, scores):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} the match"
            return f"{won}: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _german(event: Event, name: Name) -> str:
    match event:
        case Dealt(hand, dealer, hands, turn=turn):
            held = _seen(hands, name, "{} hält {}.", _DE)
            return f"Spiel {hand}: {name(dealer)} gibt, {name(turn.seat)} ruft die erste Farbe aus.{held}"
        case ColourCalled(_, _, seat, called):
            return f"{name(seat)} ruft {_DE[called]} aus; alle legen eine Karte."
        case Laid(_, seat, card):
            return f"{name(seat)} legt verdeckt {_card(card, _DE)}."
        case AllLaid(_, cards, turn):
            laid = _seen(cards, name, "{} hat {} gelegt.", _DE)
            return f"Alle Karten liegen. {name(turn.seat)} deckt als Erstes auf oder lässt verdeckt.{laid}"
        case Revealed(_, seat, card):
            return f"{name(seat)} deckt {_card(card, _DE)} auf."
        case KeptHidden(_, seat):
            return f"{name(seat)} lässt die Karte verdeckt."
        case ControlTaken(_, turn):
            return f"{name(turn.seat)} hat die Kontrolle."
        case RoundContinued(_, seat):
            return f"{name(seat)} macht weiter; alle legen noch eine Karte."
        case Doubted(_, seat, doubted, card, right):
            verdict = "Der Zweifel war richtig" if right else "Der Zweifel war falsch"
            return f"{name(seat)} zweifelt an {name(doubted)}. {verdict}: Es ist {_card(card, _DE)}."
        case RoundEnded(seat, hidden, liar):
            shown = _hidden(hidden, name, _DE)
            found = f"Am meisten gelogen hat {name(liar)}." if liar is not None else "Niemand hat gelogen."
            return f"{name(seat)} beendet die Runde. Verdeckt lagen: {shown or 'keine Karte'}. {found}"
        case PileKept(seat, cards, egg, turn):
            kept = f"{name(seat)} behält die {len(cards)} Karten der Runde.{_faces(cards, _DE)}"
            an_egg = f" {name(egg)} bekommt eine Eierkarte." if egg is not None else ""
            return kept + an_egg + _then(turn, name, "ruft die nächste Farbe aus")
        case HandOver(hand, eggs, fried, gained, points):
            counted = f"Eierkarten: {words.counts(eggs, name)}. Spiegeleier: {words.counts(fried, name)}."
            so_far = f"Punkte bisher: {words.counts(points, name)}."
            return f"Spiel {hand} bringt {words.counts(gained, name)}. {counted} {so_far}"
        case HandAccepted(seat):
            return f"{name(seat)} ist bereit für das nächste Spiel."
        case Left(seat, turn):
            return f"{name(seat)} ist gegangen, die Hand ist aus dem Spiel.{_then(turn, name, 'macht weiter')}"
        case MatchOver(winners, scores):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            return f"{words.names(winners, name, 'und')} {verb} die Partie: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _card(card: Card, colours: Mapping[str, str]) -> str:
    seen = colour(card)
    assert seen is not None
    return f"{colours[seen]} {value(card)}"


def _shown(cards: Cards, colours: Mapping[str, str]) -> str:
    return ", ".join(_card(card, colours) for card in cards)


def _faces(cards: Cards, colours: Mapping[str, str]) -> str:
    return "" if BACK in cards else f" ({_shown(cards, colours)})"


def _seen(by_seat: tuple[Cards, ...], name: Name, sentence: str, colours: Mapping[str, str]) -> str:
    seen = [(Seat(seat), held) for seat, held in enumerate(by_seat) if held and BACK not in held]
    return "".join(" " + sentence.format(name(seat), _shown(held, colours)) for seat, held in seen)


def _hidden(hidden: Iterable[MogeleiHidden], name: Name, colours: Mapping[str, str]) -> str:
    return ", ".join(f"{name(it.seat)} {_card(it.card, colours)}" for it in hidden)


def _then(turn: MogeleiTurn | None, name: Name, what: str) -> str:
    return "" if turn is None else f" {name(turn.seat)} {what}."
