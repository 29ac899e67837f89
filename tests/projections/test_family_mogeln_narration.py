"""The table's own words, in two languages: only what the hearer knows is in them, and a lay is a card."""

from __future__ import annotations

from typing import Any, get_args

from domain.games.family_mogeln.actions import CloseWindow
from domain.games.family_mogeln.events import Event
from domain.games.family_mogeln.state import State
from domain.kernel.game import HOUSE, Command, Seat
from projections.narration.family_mogeln import narrate
from projections.views.family_mogeln import redact
from projections.views.seam import Language, Viewer
from tests.domain.at_table import later
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    accepts,
    after,
    by,
    controls,
    counts,
    dealt,
    goes,
    lays,
    ready,
    sits_out,
    told,
    underway,
)
from tests.domain.family_mogeln.walks import SOME, match

HANDS = ("QS 7H 5C 9H", "KD 9C 4D", "4S 4H 6D")
NAMES = ("Anna", "Ben", "Cara", "Dan")


def name(seat: Seat) -> str:
    return NAMES[seat]


def heard(state: State, *commands: Command[Any], viewer: Viewer = None, language: Language = "en") -> list[str]:
    """What this viewer is told, as sentences."""
    return [narrate(redact(event, viewer), language, name) for event in told(state, *commands)]


def test_one_card_is_heard_whatever_was_laid_but_by_who_laid_it() -> None:
    """12.3"""
    given = underway(*HANDS)
    one, three = lays(ANNA, "QS"), lays(ANNA, "QS 7H 5C")

    assert heard(given, one) == heard(given, three) == heard(given, three, viewer=BEN)
    assert heard(given, three)[1] == "Anna lays a card and says: nine."
    assert heard(given, three, viewer=ANNA)[1] == "Anna lays a card and says: nine. (QS 7H 5C)"
    assert heard(given, three, language="de")[1] == "Anna legt eine Karte und sagt: Neun."


def test_a_control_and_what_it_costs() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS 7H"))

    assert heard(given, controls(BEN, 3)) == [
        "Ben has the card of Anna turned up. It was a lie: 7H as nine.",
        "Anna takes the pile: 5 cards.",
    ]
    assert heard(given, counts(BEN, 3), language="de") == [
        "Ben lässt zählen, was Anna abgelegt hat. Es waren zwei Karten.",
        "Anna nimmt den Stapel auf: 5 Karten.",
    ]


def test_a_control_in_vain() -> None:
    assert heard(after(underway(*HANDS), lays(ANNA, "9H")), controls(BEN, 3), viewer=BEN) == [
        "Ben has the card of Anna turned up. It stands: 9H as nine.",
        "Ben takes the pile: four cards. (2C 2D 2H 9H)",
    ]
    assert heard(after(underway(*HANDS), lays(ANNA, "9H")), counts(BEN, 3))[0] == (
        "Ben has the lay of Anna counted. It was one card."
    )


def test_the_deal_is_heard_with_ones_own_hand() -> None:
    given = after(dealt("QS", *HANDS[1:], mode="first_to"), lays(ANNA, "QS", "Q"))

    deal = heard(given, ready(ANNA), ready(BEN), ready(CARA), viewer=BEN)[-1]

    assert deal.startswith("Round 2: Anna deals 18 cards each, one card put aside; Ben begins. Ben holds ")
    assert deal.count("holds") == 1


def test_the_end_in_both_languages() -> None:
    given = underway("QS", *HANDS[1:])

    assert heard(given, lays(ANNA, "QS"))[2:] == [
        "Anna wins round 1 with an empty hand. Cards left: Anna 0, Ben 3, Cara 3; in the pile 4.",
        "Anna wins the match: Anna 1, Ben 0, Cara 0.",
    ]
    assert heard(given, lays(ANNA, "QS"), language="de")[2:] == [
        "Anna gewinnt Runde 1 mit leerer Hand. Übrige Karten: Anna 0, Ben 3, Cara 3; im Stapel 4.",
        "Anna gewinnt die Partie: Anna 1, Ben 0, Cara 0.",
    ]


def test_several_who_share() -> None:
    given = after(underway("QS 7H", "KD 9C 4D", "4S 4H", max_turns=4), sits_out(ANNA))
    level = after(underway("QS 7H 5C", "KD 9C", "4S 4H", max_turns=4), lays(ANNA, "QS"), accepts(BEN, 3))

    assert given.wins == (1, 0, 1)
    assert heard(level, by(HOUSE, CloseWindow(3), later(30)), language="de")[1:] == [
        "Anna, Ben und Cara teilen sich Runde 1 mit den wenigsten Karten, denn die Züge sind zu Ende. "
        "Übrige Karten: Anna 2, Ben 2, Cara 2; im Stapel 4.",
        "Anna, Ben und Cara teilen sich die Partie: Anna 1, Ben 1, Cara 1.",
    ]


def test_going_and_going_on() -> None:
    given = dealt(*HANDS, "3C")

    assert heard(given, goes(ANNA)) == ["Anna has left; the cards go with them. Ben goes on."]
    assert heard(given, goes(ANNA), language="de") == [
        "Anna ist gegangen, die Karten sind aus dem Spiel. Ben macht weiter."
    ]


def test_every_event_has_a_sentence_of_its_own_in_both_languages() -> None:
    told_events: dict[type[Event], Event] = {}
    for number in SOME[:40]:
        for step in match(number):
            for event in step.events:
                told_events.setdefault(type(event), event)
    assert set(told_events) == set(get_args(Event))
    english = [narrate(event, "en", str) for event in told_events.values()]
    german = [narrate(event, "de", str) for event in told_events.values()]
    assert len({*english, *german}) == 2 * len(told_events)
    assert all(sentence[-1] in ".)" and "  " not in sentence for sentence in english + german)
