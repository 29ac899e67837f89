"""The table's own words, in two languages: every event has its sentence, and only its hearer's knowledge in it."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.games.cheat.actions import CloseWindow, ConsentPass, Pass, ProposePass, RefusePass, Vacate
from domain.games.cheat.events import Event
from domain.games.cheat.state import State
from domain.kernel.game import HOUSE, Command, Seat
from projections.narration.cheat import narrate
from projections.views.cheat import redact
from projections.views.seam import Language, Viewer
from tests.domain.at_table import later
from tests.domain.cheat.table import (
    ANNA,
    BEN,
    CARA,
    accepts,
    after,
    by,
    dealt,
    doubts,
    lays,
    told,
)
from tests.projections.cheat_eyes import COMBINATIONS, match

HANDS = ("QS 7H 2C", "KD 9C 2H", "4S 4H 2S")
NAMES = ("Anna", "Ben", "Cara", "Dan")


def name(seat: Seat) -> str:
    return NAMES[seat]


def heard(state: State, *commands: Command, viewer: Viewer = None, language: Language = "en") -> list[str]:  # type: ignore[type-arg]
    """What this viewer is told, as sentences."""
    return [narrate(redact(event, viewer), language, name) for event in told(state, *commands)]


def test_a_claim_shows_its_cards_only_to_who_laid_them() -> None:
    """12.3"""
    given, lie = dealt(*HANDS), lays(ANNA, "QS 7H")

    assert heard(given, lie) == ["Anna lays two cards and says: two aces."]
    assert heard(given, lie, viewer=ANNA) == ["Anna lays two cards and says: two aces. (7H QS)"]
    assert heard(given, lie, language="de") == ["Anna legt zwei Karten und sagt: zwei Asse."]


def test_a_lie_and_what_it_costs() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"))
    when = doubts(CARA, 0)

    assert heard(given, when) == [
        "Cara doubts Anna. It was a lie: QS as aces.",
        "Anna takes the pile: one card.",
    ]
    assert heard(given, when, language="de") == [
        "Cara zweifelt an der Ansage von Anna. Es war gemogelt: QS, angesagt als Asse.",
        "Anna nimmt den Stapel auf: eine Karte.",
    ]


def test_a_true_last_play_of_a_joker() -> None:
    given = after(dealt("**", *HANDS[1:], jokers=2), lays(ANNA, "**"))

    assert heard(given, doubts(BEN, 0)) == [
        "Ben doubts Anna. It was true: Joker as aces.",
        "Ben takes the pile: one card.",
        "Anna wins round 1 with an empty hand. Penalty points: Anna 0, Ben 4, Cara 3.",
        "Anna wins the match: Anna 1, Ben 0, Cara 0.",
    ]


def test_the_end_in_german() -> None:
    given = after(dealt("QS", *HANDS[1:], mode="penalty_points"), lays(ANNA, "QS"), accepts(BEN, 0))

    assert heard(given, accepts(CARA, 0), language="de") == [
        "Cara hat vorerst keinen Einwand.",
        "Niemand zweifelt den letzten Zug von Anna an.",
        "Anna gewinnt Runde 1 mit leerer Hand. Strafpunkte: Anna 0, Ben 3, Cara 3.",
    ]


def test_several_who_share() -> None:
    given = after(dealt(*HANDS, max_turns=1), lays(ANNA, "QS"))
    lost = after(dealt("QS 7H", *HANDS[1:], max_turns=1), lays(ANNA, "QS"))

    assert heard(given, by(HOUSE, CloseWindow(0), later(30)))[1].startswith("Anna wins round 1 with the fewest")
    shared = heard(lost, doubts(CARA, 0))[-1]
    assert shared == "Anna wins the match: Anna 1, Ben 0, Cara 0."
    level = after(dealt("QS 7H 2C 3C", *HANDS[1:], max_turns=1), lays(ANNA, "QS"))
    assert heard(level, by(HOUSE, CloseWindow(0), later(30)), language="de")[-1] == (
        "Anna, Ben und Cara teilen sich die Partie: Anna 1, Ben 1, Cara 1."
    )


def test_asking_to_pass() -> None:
    asked = after(dealt(*HANDS, pass_rule="unanimous"), by(ANNA, ProposePass()))
    one_against = heard(asked, by(BEN, ConsentPass(0)), by(CARA, RefusePass(0)))

    assert one_against == ["Ben has nothing against it.", "Cara is against it: Anna must play."]
    all_for = heard(asked, by(BEN, ConsentPass(0)), by(CARA, ConsentPass(0)), language="de")
    assert all_for[-1] == "Anna passt."


def test_drawing_tells_only_who_draws_what() -> None:
    """12.4"""
    given = dealt(*HANDS, hand="fixed7", stock="5C")

    assert heard(given, by(ANNA, Pass()))[1] == "Anna draws one card."
    assert heard(given, by(ANNA, Pass()), viewer=ANNA)[1] == "Anna draws one card. (5C)"


def test_going_and_going_on() -> None:
    given = dealt(*HANDS, "3C")

    assert heard(given, by(HOUSE, Vacate(ANNA))) == ["Anna has left; the cards go with them. Ben goes on."]
    assert heard(given, by(HOUSE, Vacate(ANNA)), language="de") == [
        "Anna ist gegangen, die Karten sind aus dem Spiel. Ben macht weiter."
    ]


def test_a_forfeit() -> None:
    given = after(dealt("QS", *HANDS[1:], penalty="forfeit", adults_only=True, forfeit_limit=1), lays(ANNA, "QS"))

    assert heard(given, doubts(BEN, 0))[1] == (
        "Anna gives forfeit number 1 and takes the cards back. That was the last one: out of this round."
    )


@pytest.mark.parametrize(
    "rank, one, several",
    [
        ("A", "ein Ass", "zwei Asse"),
        ("2", "eine Zwei", "zwei Zweien"),
        ("6", "eine Sechs", "zwei Sechsen"),
        ("7", "eine Sieben", "zwei Siebenen"),
        ("J", "ein Bube", "zwei Buben"),
        ("Q", "eine Dame", "zwei Damen"),
    ],
)
def test_german_has_its_ranks(rank: str, one: str, several: str) -> None:
    given = dealt("4C 5C 6C", *HANDS[1:], rank_mode="free")

    assert heard(given, lays(ANNA, "4C", rank), language="de")[0].endswith(f"sagt: {one}.")
    assert heard(given, lays(ANNA, "4C 5C", rank), language="de")[0].endswith(f"sagt: {several}.")


def test_every_event_has_a_sentence_of_its_own_in_both_languages() -> None:
    told_events: dict[type[Event], Event] = {}
    for number in range(0, len(COMBINATIONS), 11):
        for step in match(number):
            for event in step.events:
                told_events.setdefault(type(event), event)
    assert set(told_events) == set(get_args(Event))
    english = [narrate(event, "en", str) for event in told_events.values()]
    german = [narrate(event, "de", str) for event in told_events.values()]
    assert len({*english, *german}) == 2 * len(told_events)
    assert all(sentence[-1] in ".)" and "  " not in sentence for sentence in english + german)
