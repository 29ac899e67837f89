"""A match of Liar's Dice as the table would tell it, in English and German."""

from __future__ import annotations

from typing import Final, assert_never

from domain.games.liars_dice.events import (
    Accepted,
    Challenged,
    Claimed,
    DiceTaken,
    Event,
    Leaving,
    Left,
    LiarsDiceEnding,
    LiarsDiceTurn,
    MatchOver,
    RerollAsked,
    Rerolled,
    Rolled,
    RoundAccepted,
    RoundBegan,
    RoundOver,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.ladder import Claim
from projections.narration import words
from projections.narration.words import Name
from projections.views.seam import Language

_EN: Final = {"1": "ones", "2": "twos", "3": "threes", "4": "fours", "5": "fives", "6": "sixes"}
_DE: Final = {"1": "Einsen", "2": "Zweien", "3": "Dreien", "4": "Vieren", "5": "Fünfen", "6": "Sechsen"}
_DE_ALIKE: Final = {"three": "drei", "four": "vier", "five": "fünf"}
_EN_NUMBER: Final = ("no", "one", "two", "three", "four", "five")
_DE_NUMBER: Final = ("kein", "ein", "zwei", "drei", "vier", "fünf")


def narrate(event: Event, language: Language, name: Name) -> str:
    """One sentence or two about an event as it was told: dice that are not seen are only counted."""
    return _german(event, name) if language == "de" else _english(event, name)


def say_claim(claim: Claim, language: Language) -> str:
    """A claim as players say it: `full_house:4-2` is “a full house, fours over twos”."""
    kind, _, faces = claim.partition(":")
    high, _, low = faces.partition("-")
    return _de_claim(kind, high, low) if language == "de" else _en_claim(kind, high, low)


def _en_claim(kind: str, high: str, low: str) -> str:
    match kind:
        case "pair":
            return f"a pair of {_EN[high]}"
        case "two_pairs":
            return f"two pairs, {_EN[high]} and {_EN[low]}"
        case "straight":
            return f"a straight up to {'six' if high == '6' else 'five'}"
        case "full_house":
            return f"a full house, {_EN[high]} over {_EN[low]}"
        case "three" | "four" | "five":
            return f"{kind} {_EN[high]}"
        case _:
            return "nothing"


def _de_claim(kind: str, high: str, low: str) -> str:
    match kind:
        case "pair":
            return f"ein Paar {_DE[high]}"
        case "two_pairs":
            return f"zwei Paare, {_DE[high]} und {_DE[low]}"
        case "straight":
            return f"eine Straße bis {'sechs' if high == '6' else 'fünf'}"
        case "full_house":
            return f"ein volles Haus, {_DE[high]} über {_DE[low]}"
        case "three" | "four" | "five":
            return f"{_DE_ALIKE[kind]} {_DE[high]}"
        case _:
            return "nichts"


def _english(event: Event, name: Name) -> str:
    match event:
        case RoundBegan(number, starter):
            return f"Round {number} begins with {name(starter)}."
        case Rolled(seat, dice, turn=turn):
            return f"The House throws five dice for {name(seat)}{_en_beats(turn)}.{words.faces(dice)}"
        case DiceTaken(seat, dice, turn):
            return f"{name(seat)} gets the dice as they lie{_en_beats(turn)}.{words.faces(dice)}"
        case RerollAsked(seat, dice):
            return f"{name(seat)} puts {_en_dice(len(dice))} back into the cup.{words.faces(dice)}"
        case Rerolled(seat, dice, thrown):
            return f"The House throws {_en_dice(thrown)} for {name(seat)}.{words.faces(dice)}"
        case Claimed(_, seat, claim):
            return f"{name(seat)} says: {say_claim(claim, 'en')}."
        case Accepted(_, seat):
            return f"{name(seat)} has no objection for now."
        case Stood(_, seat):
            return f"Nobody doubts the claim of {name(seat)}."
        case Challenged(_, seat, challenger, claim, dice, actual, stands, held):
            doubts = f"{name(challenger)} {'has to doubt' if held else 'doubts'} {name(seat)}"
            verdict = "It was true" if stands else "It was a lie"
            said = say_claim(claim, "en")
            return f"{doubts}, who said {said}. {verdict}: {' '.join(dice)}, {say_claim(actual, 'en')}."
        case TokenLost(seat, tokens):
            out = " and is out of this round" if not tokens else f"; {tokens} left"
            return f"{name(seat)} loses a token{out}."
        case RoundOver(number, winners, because, penalties):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} round {number}"
            why = {
                LiarsDiceEnding.LAST_IN: "as the last one with tokens",
                LiarsDiceEnding.TURNS: "with the most tokens, as no turn is left",
            }[because]
            return f"{won} {why}. Penalty points: {words.counts(penalties, name)}."
        case RoundAccepted(seat):
            return f"{name(seat)} is ready for the next round."
        case Leaving(seat):
            return f"{name(seat)} leaves as soon as the open claim is settled."
        case Left(seat, follows):
            next_one = "" if follows is None else f" {name(follows)} is next."
            return f"{name(seat)} has left; the tokens go with them.{next_one}"
        case MatchOver(winners, scores):
            won = f"{words.names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} the match"
            return f"{won}: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _german(event: Event, name: Name) -> str:
    match event:
        case RoundBegan(number, starter):
            return f"Runde {number} beginnt mit {name(starter)}."
        case Rolled(seat, dice, turn=turn):
            return f"Das Haus wirft fünf Würfel für {name(seat)}{_de_beats(turn)}.{words.faces(dice)}"
        case DiceTaken(seat, dice, turn):
            return f"{name(seat)} bekommt die Würfel, wie sie liegen{_de_beats(turn)}.{words.faces(dice)}"
        case RerollAsked(seat, dice):
            return f"{name(seat)} legt {_de_dice(len(dice))} in den Becher zurück.{words.faces(dice)}"
        case Rerolled(seat, dice, thrown):
            return f"Das Haus wirft {_de_dice(thrown)} für {name(seat)}.{words.faces(dice)}"
        case Claimed(_, seat, claim):
            return f"{name(seat)} sagt: {say_claim(claim, 'de')}."
        case Accepted(_, seat):
            return f"{name(seat)} hat vorerst keinen Einwand."
        case Stood(_, seat):
            return f"Niemand zweifelt an der Ansage von {name(seat)}."
        case Challenged(_, seat, challenger, claim, dice, actual, stands, held):
            verdict = "Es stimmte" if stands else "Es war gelogen"
            made = f"{say_claim(claim, 'de')}. {verdict}: {' '.join(dice)}, {say_claim(actual, 'de')}."
            if held:
                return f"{name(challenger)} muss zweifeln, denn nichts geht über die Ansage von {name(seat)}: {made}"
            return f"{name(challenger)} zweifelt an der Ansage von {name(seat)}: {made}"
        case TokenLost(seat, tokens):
            out = " und ist für diese Runde ausgeschieden" if not tokens else f"; es bleiben {tokens}"
            return f"{name(seat)} verliert einen Chip{out}."
        case RoundOver(number, winners, because, penalties):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            why = {
                LiarsDiceEnding.LAST_IN: "als letzter Platz mit Chips",
                LiarsDiceEnding.TURNS: "mit den meisten Chips, denn die Züge sind zu Ende",
            }[because]
            won = f"{words.names(winners, name, 'und')} {verb} Runde {number}"
            return f"{won} {why}. Strafpunkte: {words.counts(penalties, name)}."
        case RoundAccepted(seat):
            return f"{name(seat)} ist bereit für die nächste Runde."
        case Leaving(seat):
            return f"{name(seat)} geht, sobald die offene Ansage geklärt ist."
        case Left(seat, follows):
            next_one = "" if follows is None else f" {name(follows)} ist als Nächstes an der Reihe."
            return f"{name(seat)} ist gegangen, die Chips sind aus dem Spiel.{next_one}"
        case MatchOver(winners, scores):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            return f"{words.names(winners, name, 'und')} {verb} die Partie: {words.counts(scores, name)}."
        case _:
            assert_never(event)


def _en_dice(count: int) -> str:
    return f"{_EN_NUMBER[count]} {'die' if count == 1 else 'dice'}"


def _de_dice(count: int) -> str:
    return f"{'einen' if count == 1 else _DE_NUMBER[count]} Würfel"


def _en_beats(turn: LiarsDiceTurn) -> str:
    return "" if turn.beats is None else f", who must beat {say_claim(turn.beats, 'en')}"


def _de_beats(turn: LiarsDiceTurn) -> str:
    return "" if turn.beats is None else f"; zu überbieten: {say_claim(turn.beats, 'de')}"
