"""The table's own words, in two languages: every event has its sentence, and every claim its name."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.games.liars_dice.actions import CloseWindow
from domain.games.liars_dice.events import Event
from domain.games.liars_dice.ladder import LADDER
from domain.games.liars_dice.state import State
from domain.kernel.game import HOUSE, Command, Seat
from projections.narration.liars_dice import narrate, say_claim
from projections.views.liars_dice import redact
from projections.views.seam import Language, Viewer
from tests.domain.at_table import later
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    LIES,
    accepts,
    after,
    by,
    doubts,
    goes,
    loses,
    said,
    says,
    table,
    takes,
    throws_anew,
    told,
)
from tests.projections.liars_dice_eyes import NUMBERS, match

NAMES = ("Anna", "Ben", "Cara", "Dan")
THROWS = "11345 22266 12346 55512"


def name(seat: Seat) -> str:
    return NAMES[seat]


def heard(state: State, *commands: Command, viewer: Viewer = None, language: Language = "en") -> list[str]:  # type: ignore[type-arg]
    """What this viewer is told, as sentences."""
    return [narrate(redact(event, viewer), language, name) for event in told(state, *commands)]


@pytest.mark.parametrize(
    "claim, english, german",
    [
        ("nothing", "nothing", "nichts"),
        ("pair:4", "a pair of fours", "ein Paar Vieren"),
        ("two_pairs:5-2", "two pairs, fives and twos", "zwei Paare, Fünfen und Zweien"),
        ("three:6", "three sixes", "drei Sechsen"),
        ("straight:5", "a straight up to five", "eine Straße bis fünf"),
        ("straight:6", "a straight up to six", "eine Straße bis sechs"),
        ("full_house:4-2", "a full house, fours over twos", "ein volles Haus, Vieren über Zweien"),
        ("four:1", "four ones", "vier Einsen"),
        ("five:3", "five threes", "fünf Dreien"),
    ],
)
def test_a_claim_is_said_as_players_say_it(claim: str, english: str, german: str) -> None:
    """3.5"""
    assert (say_claim(said(claim), "en"), say_claim(said(claim), "de")) == (english, german)


def test_no_two_claims_are_said_alike() -> None:
    """3.5"""
    for language in get_args(Language):
        assert len({say_claim(claim, language) for claim in LADDER}) == 72


def test_dice_are_told_to_who_holds_them() -> None:
    """12.2"""
    given = after(table(THROWS), says(ANNA, "pair:4"))
    when = takes(BEN, 0, at=later(6))

    assert heard(given, when) == [
        "Nobody doubts the claim of Anna.",
        "The House throws five dice for Ben, who must beat a pair of fours.",
    ]
    assert heard(given, when, viewer=BEN, language="de") == [
        "Niemand zweifelt an der Ansage von Anna.",
        "Das Haus wirft fünf Würfel für Ben; zu überbieten: ein Paar Vieren. (2 2 2 6 6)",
    ]


def test_a_lie_and_what_it_costs() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"))

    assert heard(given, doubts(CARA, 0))[:2] == [
        "Cara doubts Anna, who said a pair of fours. It was a lie: 1 1 3 4 5, a pair of ones.",
        "Anna loses a token; 2 left.",
    ]
    assert heard(given, doubts(CARA, 0), language="de")[:2] == [
        "Cara zweifelt an der Ansage von Anna: ein Paar Vieren. Es war gelogen: 1 1 3 4 5, ein Paar Einsen.",
        "Anna verliert einen Chip; es bleiben 2.",
    ]


def test_five_sixes() -> None:
    """5.5"""
    given = after(table("66666"), says(ANNA, "five:6"), accepts(BEN, 0))

    assert heard(given, accepts(CARA, 0))[:2] == [
        "Cara has no objection for now.",
        "Ben has to doubt Anna, who said five sixes. It was true: 6 6 6 6 6, five sixes.",
    ]
    assert heard(given, accepts(CARA, 0), language="de")[1] == (
        "Ben muss zweifeln, denn nichts geht über die Ansage von Anna: fünf Sechsen. "
        "Es stimmte: 6 6 6 6 6, fünf Sechsen."
    )


def test_dice_that_go_round() -> None:
    """8.3"""
    given = after(table("11345 66", dice_pass=True), says(ANNA, "pair:1"))
    when = (takes(BEN, 0, at=later(6)), throws_anew(BEN, "5", at=later(7)))

    assert heard(given, *when)[1:] == [
        "Ben gets the dice as they lie, who must beat a pair of ones.",
        "Ben puts one die back into the cup.",
        "The House throws one die for Ben.",
    ]
    assert heard(given, *when, viewer=BEN, language="de")[1:] == [
        "Ben bekommt die Würfel, wie sie liegen; zu überbieten: ein Paar Einsen. (1 1 3 4 5)",
        "Ben legt einen Würfel in den Becher zurück. (5)",
        "Das Haus wirft einen Würfel für Ben. (1 1 3 4 6)",
    ]


def test_the_end() -> None:
    given = after(loses(table(LIES, 2), BEN, BEN), says(ANNA, "nothing"))

    assert heard(given, doubts(BEN, 2))[1:] == [
        "Ben loses a token and is out of this round.",
        "Anna wins round 1 as the last one with tokens. Penalty points: Anna 0, Ben 3.",
        "Anna wins the match: Anna 1, Ben 0.",
    ]
    level = after(table(LIES, max_turns=1), says(ANNA, "nothing"))
    assert heard(level, by(HOUSE, CloseWindow(0), later(30)), language="de")[1:] == [
        "Anna, Ben und Cara teilen sich Runde 1 mit den meisten Chips, denn die Züge sind zu Ende. "
        "Strafpunkte: Anna 0, Ben 0, Cara 0.",
        "Anna, Ben und Cara teilen sich die Partie: Anna 1, Ben 1, Cara 1.",
    ]


def test_going_and_going_on() -> None:
    given = table(THROWS)

    assert heard(given, goes(ANNA))[0] == "Anna has left; the tokens go with them. Ben is next."
    assert heard(given, goes(BEN), language="de") == ["Ben ist gegangen, die Chips sind aus dem Spiel."]


def test_every_event_has_a_sentence_of_its_own_in_both_languages() -> None:
    told_events: dict[type[Event], Event] = {}
    for number in NUMBERS:
        for step in match(number):
            for event in step.events:
                told_events.setdefault(type(event), event)
    assert set(told_events) == set(get_args(Event))
    english = [narrate(event, "en", str) for event in told_events.values()]
    german = [narrate(event, "de", str) for event in told_events.values()]
    assert len({*english, *german}) == 2 * len(told_events)
    assert all(sentence[-1] in ".)" and "  " not in sentence for sentence in english + german)
