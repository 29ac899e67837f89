"""A match of Cheat as the table would tell it, in English and German."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, assert_never

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
from domain.kernel.cards import BACK, JOKER, RANKS, Cards
from domain.kernel.game import Seat
from projections.views.seam import Language

Name = Callable[[Seat], str]


def narrate(event: Event, language: Language, name: Name) -> str:
    """One sentence or two about an event as it was told: a card seen from behind is only counted."""
    return _german(event, name) if language == "de" else _english(event, name)


_EN: Final = dict(
    zip(
        RANKS,
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)
_DE: Final = dict(
    zip(
        RANKS,
        ["Ass", "Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn", "Bube", "Dame", "König"],
        strict=True,
    )
)
_DE_PLURAL: Final = {"A": "Asse", "J": "Buben", "Q": "Damen", "K": "Könige"}
_EN_NUMBER: Final = ("no", "one", "two", "three", "four")
_DE_NUMBER: Final = ("null", "eins", "zwei", "drei", "vier")


def _english(event: Event, name: Name) -> str:
    match event:
        case Dealt(number, dealer, hands, turn=turn):
            seen = _seen(hands, name, "{} holds {}.")
            first = "any rank" if turn.rank is None else _en_ranks(2, turn.rank)
            return f"Round {number}: {name(dealer)} deals, {name(turn.seat)} begins with {first}.{seen}"
        case Claimed(_, seat, rank, cards):
            said = f"{_EN_NUMBER[len(cards)]} {_en_ranks(len(cards), rank)}"
            return f"{name(seat)} lays {_en_cards(len(cards))} and says: {said}.{_faces(cards)}"
        case Accepted(_, seat):
            return f"{name(seat)} lets it pass."
        case Challenged(_, seat, challenger, rank, cards, stands):
            verdict = "It was true" if stands else "It was a lie"
            return f"{name(challenger)} doubts {name(seat)}. {verdict}: {_shown(cards)} as {_en_ranks(2, rank)}."
        case PileTaken(seat, cards):
            return f"{name(seat)} takes the pile: {_en_cards(len(cards))}.{_faces(cards)}"
        case ForfeitGiven(seat, forfeits, back, out):
            again = " and takes the cards back" if back is not None else ""
            gone = " That was the last one: out of this round." if out else ""
            return f"{name(seat)} gives forfeit number {forfeits}{again}.{gone}"
        case CardsOwed(seat, count, back):
            again = "takes the cards back and " if back is not None else ""
            return f"{name(seat)} {again}must draw {_en_cards(count)}."
        case Drawn(seat, cards, from_pile):
            mixed = "The pile is shuffled in under the stock. " if from_pile else ""
            return f"{mixed}{name(seat)} draws {_en_cards(len(cards))}.{_faces(cards)}"
        case Passed(seat, _, draws):
            return f"{name(seat)} passes{f', and must draw {_en_cards(draws)}' if draws else ''}."
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
            won = f"{_names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} round {number}"
            why = {
                CheatEnding.EMPTIED: "with an empty hand",
                CheatEnding.LAST_IN: "as the last one in",
                CheatEnding.TURNS: "with the fewest cards, as no turn is left",
            }[because]
            return f"{won} {why}. Penalty points: {_counts(penalties, name)}."
        case RoundAccepted(seat):
            return f"{name(seat)} is ready for the next deal."
        case Leaving(seat):
            return f"{name(seat)} leaves as soon as the open claim is settled."
        case Left(seat, _, turn):
            return f"{name(seat)} has left; the cards go with them.{_en_goes_on(turn, name)}"
        case MatchOver(winners, scores):
            won = f"{_names(winners, name, 'and')} {'wins' if len(winners) == 1 else 'share'} the match"
            return f"{won}: {_counts(scores, name)}."
        case _:
            assert_never(event)


def _german(event: Event, name: Name) -> str:
    match event:
        case Dealt(number, dealer, hands, turn=turn):
            seen = _seen(hands, name, "{} hält {}.")
            first = "einem beliebigen Wert" if turn.rank is None else _de_dative(turn.rank)
            return f"Runde {number}: {name(dealer)} gibt, {name(turn.seat)} beginnt mit {first}.{seen}"
        case Claimed(_, seat, rank, cards):
            said = f"{_de_number(len(cards), rank)} {_de_ranks(len(cards), rank)}"
            return f"{name(seat)} legt {_de_cards(len(cards))} und sagt: {said}.{_faces(cards)}"
        case Accepted(_, seat):
            return f"{name(seat)} lässt es gelten."
        case Challenged(_, seat, challenger, rank, cards, stands):
            verdict = "Es stimmte" if stands else "Es war gemogelt"
            shown = f"{_shown(cards)}, angesagt als {_de_ranks(2, rank)}"
            return f"{name(challenger)} zweifelt an der Ansage von {name(seat)}. {verdict}: {shown}."
        case PileTaken(seat, cards):
            return f"{name(seat)} nimmt den Stapel auf: {_de_cards(len(cards))}.{_faces(cards)}"
        case ForfeitGiven(seat, forfeits, back, out):
            again = " und nimmt die Karten zurück" if back is not None else ""
            gone = " Das war das letzte: für diese Runde ausgeschieden." if out else ""
            return f"{name(seat)} gibt Pfand Nummer {forfeits} ab{again}.{gone}"
        case CardsOwed(seat, count, back):
            again = "nimmt die Karten zurück und " if back is not None else ""
            return f"{name(seat)} {again}muss {_de_cards(count)} ziehen."
        case Drawn(seat, cards, from_pile):
            mixed = "Der Stapel wird unter den Talon gemischt. " if from_pile else ""
            return f"{mixed}{name(seat)} zieht {_de_cards(len(cards))}.{_faces(cards)}"
        case Passed(seat, _, draws):
            return f"{name(seat)} passt{f' und muss {_de_cards(draws)} ziehen' if draws else ''}."
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
            won = f"{_names(winners, name, 'und')} {verb} Runde {number}"
            return f"{won} {why}. Strafpunkte: {_counts(penalties, name)}."
        case RoundAccepted(seat):
            return f"{name(seat)} ist bereit für die nächste Runde."
        case Leaving(seat):
            return f"{name(seat)} geht, sobald die offene Ansage geklärt ist."
        case Left(seat, _, turn):
            return f"{name(seat)} ist gegangen, die Karten sind aus dem Spiel.{_de_goes_on(turn, name)}"
        case MatchOver(winners, scores):
            verb = "gewinnt" if len(winners) == 1 else "teilen sich"
            return f"{_names(winners, name, 'und')} {verb} die Partie: {_counts(scores, name)}."
        case _:
            assert_never(event)


def _names(seats: Iterable[Seat], name: Name, last: str) -> str:
    *others, end = [name(seat) for seat in seats]
    return f"{', '.join(others)} {last} {end}" if others else end


def _counts(by_seat: tuple[int, ...], name: Name) -> str:
    return ", ".join(f"{name(Seat(seat))} {count}" for seat, count in enumerate(by_seat))


def _shown(cards: Cards) -> str:
    return " ".join("Joker" if card == JOKER else card for card in cards)


def _faces(cards: Cards) -> str:
    return "" if BACK in cards or not cards else f" ({_shown(cards)})"


def _seen(hands: tuple[Cards, ...], name: Name, sentence: str) -> str:
    seen = [(Seat(seat), hand) for seat, hand in enumerate(hands) if hand and BACK not in hand]
    return "".join(" " + sentence.format(name(seat), _shown(hand)) for seat, hand in seen)


def _en_cards(count: int) -> str:
    number = _EN_NUMBER[count] if count < len(_EN_NUMBER) else str(count)
    return f"{number} card{'' if count == 1 else 's'}"


def _en_ranks(count: int, rank: str) -> str:
    word = _EN[rank]
    return word if count == 1 else word + ("es" if word == "six" else "s")


def _en_goes_on(turn: CheatTurn | None, name: Name) -> str:
    return "" if turn is None else f" {name(turn.seat)} goes on."


def _de_cards(count: int) -> str:
    if count == 0:
        return "keine Karte"
    if count == 1:
        return "eine Karte"
    return f"{_DE_NUMBER[count] if count < len(_DE_NUMBER) else count} Karten"


def _de_number(count: int, rank: str) -> str:
    if count > 1:
        return _DE_NUMBER[count]
    return {"A": "ein", "J": "ein", "K": "ein"}.get(rank, "eine")


def _de_ranks(count: int, rank: str) -> str:
    word = _DE[rank]
    if count == 1:
        return word
    return _DE_PLURAL.get(rank, word + ("n" if word.endswith("e") else "en"))


def _de_dative(rank: str) -> str:
    word = _de_ranks(2, rank)
    return word if word.endswith("n") else word + "n"


def _de_goes_on(turn: CheatTurn | None, name: Name) -> str:
    return "" if turn is None else f" {name(turn.seat)} macht weiter."
