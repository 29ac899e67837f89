"""The table's own words, in two languages: every event has its sentence, and only its hearer's knowledge in it."""

from __future__ import annotations

from typing import Any, get_args

from domain.games.mogelei.events import Event
from domain.games.mogelei.state import State
from domain.kernel.game import Command, Seat
from projections.narration.mogelei import narrate
from projections.views.mogelei import redact
from projections.views.seam import Language, Viewer
from tests.domain.mogelei.table import (
    ANNA,
    BEN,
    CARA,
    after,
    all_lay,
    calls,
    continues,
    dealt,
    doubts,
    ends,
    goes,
    hides,
    lays,
    ready,
    shows,
    told,
)
from tests.projections.mogelei_eyes import match

HANDS = ("red8 red1 blue2", "red7 blue5 black4", "black1 yellow3 yellow9")
LAST = ("red6", "red3", "blue9")
NAMES = ("Anna", "Ben", "Cara", "Dan")


def name(seat: Seat) -> str:
    return NAMES[seat]


def heard(state: State, *commands: Command[Any], viewer: Viewer = None, language: Language = "en") -> list[str]:
    """What this viewer is told, as sentences."""
    seen = (redact(event, viewer) for event in told(state, *commands))
    return [narrate(event, language, name) for event in seen if event is not None]


def called() -> State:
    return after(dealt(*HANDS), calls(ANNA, "red"))


def ben_in_control() -> State:
    return after(called(), *all_lay("red8", "red7", "black1"), hides(ANNA), shows(BEN), hides(CARA))


def last_round() -> State:
    return after(dealt(*LAST), calls(ANNA, "red"), *all_lay(*LAST), hides(ANNA), shows(BEN), hides(CARA))


def test_to_call() -> None:
    assert heard(dealt(*HANDS), calls(ANNA, "red")) == ["Anna calls red; everybody lays a card."]
    assert heard(dealt(*HANDS), calls(ANNA, "red"), language="de") == ["Anna ruft Rot aus; alle legen eine Karte."]


def test_who_lays_hears_of_it_and_the_others_when_all_are_in() -> None:
    """4.3, 12.3"""
    laid = all_lay("red8", "red7", "black1")

    assert heard(called(), *laid) == ["All cards are in. Anna is the first to show one or to keep it hidden."]
    assert heard(called(), *laid, viewer=BEN) == [
        "Ben lays red 7 face down.",
        "All cards are in. Anna is the first to show one or to keep it hidden. Ben has laid red 7.",
    ]
    assert heard(called(), lays(BEN, "red7"), viewer=BEN, language="de") == ["Ben legt verdeckt Rot 7."]


def test_to_show_and_to_keep_hidden() -> None:
    given = after(called(), *all_lay("red8", "red7", "black1"))

    assert heard(given, hides(ANNA), shows(BEN), hides(CARA)) == [
        "Anna keeps the card hidden.",
        "Ben shows red 7.",
        "Cara keeps the card hidden.",
        "Ben is in control.",
    ]
    assert heard(given, shows(ANNA), hides(BEN), language="de") == [
        "Anna deckt Rot 8 auf.",
        "Ben lässt die Karte verdeckt.",
    ]


def test_a_round_that_goes_on() -> None:
    assert heard(ben_in_control(), continues(BEN)) == ["Ben continues; everybody lays one more card."]


def test_a_right_doubt() -> None:
    given = ben_in_control()

    assert heard(given, doubts(BEN, ANNA)) == [
        "Ben doubts Anna. The doubt was right: it is red 8.",
        "Anna keeps the 3 cards of the round. Anna calls the next colour.",
    ]
    assert heard(given, doubts(BEN, ANNA), viewer=ANNA)[1] == (
        "Anna keeps the 3 cards of the round. (black 1, red 7, red 8) Anna calls the next colour."
    )


def test_a_wrong_doubt_in_german() -> None:
    assert heard(ben_in_control(), doubts(BEN, CARA), language="de") == [
        "Ben zweifelt an Cara. Der Zweifel war falsch: Es ist Schwarz 1.",
        "Ben behält die 3 Karten der Runde. Ben ruft die nächste Farbe aus.",
    ]


def test_the_end_of_a_round_and_of_a_hand() -> None:
    assert heard(last_round(), ends(BEN)) == [
        "Ben ends the round. Hidden: Anna red 6, Cara blue 9. The biggest liar is Anna.",
        "Ben keeps the 3 cards of the round. Anna gets an egg card.",
        "Hand 1 brings Anna 3, Ben -3, Cara 0. Egg cards: Anna 1, Ben 0, Cara 0. Fried eggs: Anna 0, Ben 3, Cara 0. "
        "Points so far: Anna 3, Ben -3, Cara 0.",
    ]
    assert heard(last_round(), ends(BEN), language="de")[:2] == [
        "Ben beendet die Runde. Verdeckt lagen: Anna Rot 6, Cara Blau 9. Am meisten gelogen hat Anna.",
        "Ben behält die 3 Karten der Runde. Anna bekommt eine Eierkarte.",
    ]


def test_the_end_of_a_round_without_a_lie() -> None:
    reds = ("red1 blue1", "red2 blue2", "red3 blue3")
    open_cards = after(dealt(*reds), calls(ANNA, "red"), *all_lay("red1", "red2", "red3"))
    open_cards = after(open_cards, shows(ANNA), shows(BEN), shows(CARA))

    assert heard(open_cards, ends(CARA))[0] == "Cara ends the round. Hidden: no card. Nobody has lied."
    assert heard(open_cards, ends(CARA), language="de")[0] == (
        "Cara beendet die Runde. Verdeckt lagen: keine Karte. Niemand hat gelogen."
    )


def test_going_and_going_on() -> None:
    given = dealt(*HANDS, "red2 red3 red4")

    assert heard(given, goes(ANNA)) == ["Anna has left; the hand goes with them. Ben goes on."]
    assert heard(given, goes(BEN), language="de") == ["Ben ist gegangen, die Hand ist aus dem Spiel."]


def test_the_end_of_a_match() -> None:
    given = after(last_round(), ends(BEN), goes(ANNA))

    assert heard(given, goes(BEN)) == [
        "Ben has left; the hand goes with them.",
        "Cara wins the match: Anna 3, Ben -3, Cara 0.",
    ]


def test_the_next_hand_tells_each_his_cards() -> None:
    """12.2"""
    given = after(last_round(), ends(BEN), ready(ANNA), ready(BEN))

    spectator, ben = heard(given, ready(CARA)), heard(given, ready(CARA), viewer=BEN)

    assert spectator == ["Cara is ready for the next deal.", "Hand 2: Anna deals, Ben calls the first colour."]
    assert ben[1].startswith("Hand 2: Anna deals, Ben calls the first colour. Ben holds ")
    assert "Cara holds" not in ben[1]


def test_every_event_has_a_sentence_of_its_own_in_both_languages() -> None:
    told_events: dict[type[Event], Event] = {}
    for number in range(4):
        for step in match(number):
            for event in step.events:
                told_events.setdefault(type(event), event)
    assert set(told_events) == set(get_args(Event))
    english = [narrate(event, "en", str) for event in told_events.values()]
    german = [narrate(event, "de", str) for event in told_events.values()]
    assert len({*english, *german}) == 2 * len(told_events)
    assert all(sentence[-1] in ".)" and "  " not in sentence for sentence in english + german)
