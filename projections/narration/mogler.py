"""A match of Mogler as the table would tell it, in English and German."""

from __future__ import annotations

from typing import Final, assert_never

from domain.games.mogler.events import (
    Caught,
    Dealt,
    Drawn,
    Event,
    Left,
    MatchOver,
    MoglerScore,
    OpeningLaid,
    OpeningTurned,
    Played,
    RoundAccepted,
    RoundOver,
    SDeclined,
    SDiscarded,
    StopTurned,
    SUsed,
    TrickCard,
    TrickTaken,
)
from domain.kernel.cards import Cards
from domain.kernel.game import Seat
from projections.narration import words
from projections.narration.words import Name
from projections.views.seam import Language

_EN_SUIT: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_DE_SUIT: Final = {"C": "Kreuz", "D": "Karo", "H": "Herz", "S": "Pik"}


def narrate(event: Event, language: Language, name: Name) -> str:
    """A sentence or two about an event as it was told: a card seen from behind is not named."""
    return _german(event, name) if language == "de" else _english(event, name)


def _english(event: Event, name: Name) -> str:
    match event:
        case Dealt(number, hands):
            own = words.hands(hands, name, "{} holds {}.")
            return f"Round {number} is dealt. Everybody lays a card for the lead.{own}"
        case OpeningLaid(seat, cards, timed_out):
            if timed_out:
                return f"The House lays a card for the lead, for {name(seat)}.{words.faces(cards)}"
            return f"{name(seat)} lays a card for the lead.{words.faces(cards)}"
        case OpeningTurned(lays, leader):
            return f"The lays are turned: {_lays(lays, name)}. {name(leader)} leads."
        case StopTurned(trick, seat, stop, _, turn):
            then = " STOP is complete: the round is over." if turn is None else ""
            choice = f" {name(seat)} may draw a card." if stop == "S" else ""
            return f"Before trick {trick} {name(seat)} turns the STOP card {stop}.{choice}{then}"
        case SDeclined(seat, turn):
            return f"{name(seat)} draws nothing.{_en_stopped(turn is None)}"
        case SUsed(seat):
            return f"{name(seat)} takes a card from the draw pile."
        case Drawn(seat, cards):
            return f"{name(seat)} has drawn and must discard.{words.faces(cards)}"
        case SDiscarded(seat, card, turn):
            return f"{name(seat)} puts {card} out of the game.{_en_stopped(turn is None)}"
        case Played(seat, card):
            return f"{name(seat)} plays {card}."
        case Caught(seat, card, hand, _, ends):
            over = " The round is over." if ends else ""
            rest = f" with the hand {words.shown(hand)}" if hand else ""
            return (
                f"{name(seat)} plays {card}, a locked suit, and is caught: "
                f"out of the round{rest}, all tricks lost.{over}"
            )
        case TrickTaken(trick, seat, plays, trump, leader):
            kind = "a suit trick" if trump is None else f"trumped with {_EN_SUIT[trump]}"
            if seat is None:
                return f"Trick {trick} ({_plays(plays)}) goes to nobody."
            locks = "" if trump is None else f", and shows {plays[0].card}"
            return f"{name(seat)} takes trick {trick} ({_plays(plays)}), {kind}{locks}.{_en_over(leader)}"
        case RoundOver(number, early, scores, shown, stars):
            how = "early" if early else "with the last trick"
            hoards = words.hands(shown, name, "{} shows {}.")
            counted = f"Stars: {_scores(scores, name)}.{hoards} In all: {words.counts(stars, name)}."
            return f"Round {number} ends {how}. {counted}"
        case RoundAccepted(seat):
            return f"{name(seat)} is ready for the next round."
        case Left(seat, _, ends):
            over = " The round is over." if ends else ""
            return f"{name(seat)} has left; the cards go with them.{over}"
        case MatchOver(winners, scores):
            verb = "wins" if len(winners) == 1 else "share"
            return f"{words.names(winners, name, 'and')} {verb} the match: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _german(event: Event, name: Name) -> str:
    match event:
        case Dealt(number, hands):
            own = words.hands(hands, name, "{} hält {}.")
            return f"Runde {number} ist ausgeteilt. Alle legen eine Karte für das Ausspiel.{own}"
        case OpeningLaid(seat, cards, timed_out):
            if timed_out:
                return f"Das Haus legt für {name(seat)} eine Karte für das Ausspiel.{words.faces(cards)}"
            return f"{name(seat)} legt eine Karte für das Ausspiel.{words.faces(cards)}"
        case OpeningTurned(lays, leader):
            return f"Aufgedeckt wird: {_lays(lays, name)}. {name(leader)} spielt aus."
        case StopTurned(trick, seat, stop, _, turn):
            then = " STOP ist vollständig: Die Runde ist aus." if turn is None else ""
            choice = f" {name(seat)} darf eine Karte ziehen." if stop == "S" else ""
            return f"Vor Stich {trick} deckt {name(seat)} die STOP-Karte {stop} auf.{choice}{then}"
        case SDeclined(seat, turn):
            return f"{name(seat)} zieht nichts.{_de_stopped(turn is None)}"
        case SUsed(seat):
            return f"{name(seat)} nimmt eine Karte vom Stapel."
        case Drawn(seat, cards):
            return f"{name(seat)} hat gezogen und muss abwerfen.{words.faces(cards)}"
        case SDiscarded(seat, card, turn):
            return f"{name(seat)} legt {card} aus dem Spiel.{_de_stopped(turn is None)}"
        case Played(seat, card):
            return f"{name(seat)} spielt {card}."
        case Caught(seat, card, hand, _, ends):
            over = " Die Runde ist aus." if ends else ""
            rest = f" mit der Hand {words.shown(hand)}" if hand else ""
            return (
                f"{name(seat)} spielt {card}, eine gesperrte Farbe, und ist erwischt: "
                f"aus der Runde{rest}, alle Stiche verloren.{over}"
            )
        case TrickTaken(trick, seat, plays, trump, leader):
            kind = "ein Farbstich" if trump is None else f"ein Trumpfstich mit {_DE_SUIT[trump]}"
            if seat is None:
                return f"Stich {trick} ({_plays(plays)}) bekommt niemand."
            locks = "" if trump is None else f", und zeigt {plays[0].card}"
            return f"{name(seat)} nimmt Stich {trick} ({_plays(plays)}), {kind}{locks}.{_de_over(leader)}"
        case RoundOver(number, early, scores, shown, stars):
            how = "vorzeitig" if early else "mit dem letzten Stich"
            hoards = words.hands(shown, name, "{} zeigt {}.")
            return (
                f"Runde {number} endet {how}. Sterne: {_scores(scores, name)}.{hoards} "
                f"Insgesamt: {words.counts(stars, name)}."
            )
        case RoundAccepted(seat):
            return f"{name(seat)} ist bereit für die nächste Runde."
        case Left(seat, _, ends):
            over = " Die Runde ist aus." if ends else ""
            return f"{name(seat)} ist gegangen, die Karten sind aus dem Spiel.{over}"
        case MatchOver(winners, scores):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            return f"{words.names(winners, name, 'und')} {verb} die Partie: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _scores(scores: tuple[MoglerScore, ...], name: Name) -> str:
    return words.counts(tuple([score.stars for score in scores]), name)


def _plays(plays: tuple[TrickCard, ...]) -> str:
    return words.shown(tuple([play.card for play in plays]))


def _lays(lays: tuple[Cards, ...], name: Name) -> str:
    return ", ".join(f"{name(Seat(seat))} {words.shown(cards)}" for seat, cards in enumerate(lays) if cards)


def _en_stopped(stopped: bool) -> str:
    return " STOP is complete: the round is over." if stopped else ""


def _de_stopped(stopped: bool) -> str:
    return " STOP ist vollständig: Die Runde ist aus." if stopped else ""


def _en_over(leader: Seat | None) -> str:
    return " It was the last one." if leader is None else ""


def _de_over(leader: Seat | None) -> str:
    return " Es war der letzte." if leader is None else ""
