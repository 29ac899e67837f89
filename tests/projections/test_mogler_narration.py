"""The table's own words, in two languages."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from domain.games.mogler.actions import TimeOut
from domain.games.mogler.events import Event
from domain.games.mogler.state import State
from domain.kernel.game import HOUSE, Command, Seat
from projections.narration.mogler import narrate
from projections.views.mogler import redact
from projections.views.seam import Language, Viewer
from tests.domain.at_table import later
from tests.domain.mogler.table import (
    ANNA,
    BEN,
    CARA,
    after,
    by,
    dealt,
    declines,
    discards,
    draws,
    goes,
    lays,
    plays,
    ready,
    told,
    took,
    trick,
)
from tests.projections.mogler_eyes import match

HANDS = ("8C 3C 4C 5C 6C 7C 2C", "2D 3D 4D 5D 6D 7D 8D")
NAMES = ("Anna", "Ben", "Cara", "Dan", "Emil")


def name(seat: Seat) -> str:
    return NAMES[seat]


def heard(state: State, *commands: Command, viewer: Viewer = None, language: Language = "en") -> list[str]:  # type: ignore[type-arg]
    """What this viewer is told, as sentences."""
    frames = (redact(event, viewer) for event in told(state, *commands))
    return [narrate(event, language, name) for event in frames if event is not None]


def test_a_lay_is_told_to_who_laid_and_the_turning_to_all() -> None:
    """2.2"""
    given = after(dealt(*HANDS, stops="T"), lays(BEN, "8D"))

    assert heard(given, lays(ANNA, "8C"), viewer=ANNA)[0] == "Anna lays a card for the lead. (8C)"
    assert heard(given, lays(ANNA, "8C")) == [
        "The lays are turned: Anna 8C, Ben 8D. Anna leads.",
        "Before trick 1 Anna turns the STOP card T.",
    ]
    assert heard(given, lays(ANNA, "8C"), language="de") == [
        "Aufgedeckt wird: Anna 8C, Ben 8D. Anna spielt aus.",
        "Vor Stich 1 deckt Anna die STOP-Karte T auf.",
    ]


def test_an_s_and_what_is_done_with_it() -> None:
    given = trick("2C 3C", "4C 5C", row="S")

    assert heard(given, draws(ANNA)) == [
        "Anna takes a card from the draw pile.",
        "Anna has drawn and must discard.",
    ]
    mine = heard(given, draws(ANNA), viewer=ANNA)[1]
    assert mine.startswith("Anna has drawn and must discard. (")
    assert heard(after(given, draws(ANNA)), discards(ANNA, "2C"), language="de") == ["Anna legt 2C aus dem Spiel."]
    assert heard(given, declines(ANNA)) == ["Anna draws nothing."]


def test_a_trump_trick_says_what_it_shows() -> None:
    given = trick("9H 2C", "3S 3C", row="SSSTTO")
    given = replace(given, hands=(("9H",), ("3S",)))

    assert heard(given, plays(ANNA, "9H"), plays(BEN, "3S")) == [
        "Anna plays 9H.",
        "Ben plays 3S.",
        "Ben takes trick 6 (9H 3S), trumped with spades, and shows 9H. It was the last one.",
        "Round 1 ends with the last trick. Stars: Anna 2, Ben 2. In all: Anna 2, Ben 2.",
    ]


def test_who_is_caught_and_with_what() -> None:
    """5.4"""
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"))

    assert heard(given, plays(BEN, "9H")) == [
        "Ben plays 9H, a locked suit, and is caught: out of the round with the hand 3C, all tricks lost."
    ]
    assert heard(given, plays(BEN, "9H"), language="de") == [
        "Ben spielt 9H, eine gesperrte Farbe, und ist erwischt: aus der Runde mit der Hand 3C, alle Stiche verloren."
    ]


def test_a_mogelstich_is_shown() -> None:
    """6.2, 6.4"""
    given = took(trick("2H KH 4C", "3C 4D 5D", row="TOPS"), ANNA, "4H 5C", "6H 7S")

    assert heard(replace(given, stars=(8, 3)), declines(ANNA)) == [
        "Anna draws nothing. STOP is complete: the round is over.",
        "Round 1 ends early. Stars: Anna 12, Ben 2. Anna shows 2H KH. In all: Anna 20, Ben 5.",
        "Anna wins the match: Anna 20, Ben 5.",
    ]


def test_several_who_share() -> None:
    given = replace(trick("2C", "3C", "4C", row="TOPS"), stars=(17, 17, 1))

    assert (
        heard(given, declines(ANNA), language="de")[-1]
        == "Anna und Ben teilen sich die Partie: Anna 20, Ben 20, Cara 4."
    )


def test_the_house_lays_for_who_sleeps() -> None:
    """8.3"""
    given = after(dealt(*HANDS, stops="P"), lays(BEN, "8D"))
    happened = told(given, by(HOUSE, TimeOut(ANNA), at=later(60)))

    assert narrate(happened[0], "en", name) == "The House lays a card for the lead, for Anna. (2C)"


def test_going_and_going_on() -> None:
    given = trick("2C", "3C", "4C", row="TOPS")

    assert heard(given, goes(CARA)) == ["Cara has left; the cards go with them."]
    assert heard(after(given, declines(ANNA)), ready(BEN), language="de") == ["Ben ist bereit für die nächste Runde."]


def test_every_event_has_a_sentence_of_its_own_in_both_languages() -> None:
    happened: dict[type[Event], Event] = {}
    for number in range(16):
        for step in match(number):
            for event in step.events:
                happened.setdefault(type(event), event)
    assert set(happened) == set(get_args(Event))
    english = [narrate(event, "en", name) for event in happened.values()]
    german = [narrate(event, "de", name) for event in happened.values()]
    assert len({*english, *german}) == 2 * len(happened)
    assert all(sentence[-1] in ".)" and "  " not in sentence for sentence in english + german)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_hand_is_told_to_its_own_seat(language: Language) -> None:
    """11.2"""
    given = trick("2C", "3C", "4C", row="TOPS")
    deal = after(given, declines(ANNA), ready(ANNA), ready(BEN))

    sentences = heard(deal, ready(CARA), viewer=BEN, language=language)

    assert sum(sentence.count("Ben h") for sentence in sentences) == 1
    assert not any("Anna h" in sentence for sentence in sentences)
