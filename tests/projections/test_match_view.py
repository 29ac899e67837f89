"""What is told of a match around its game: all of it to all, but a stacked deal to nobody."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from typing import Any, get_args

import msgspec
import pytest

from domain.games.cheat.actions import Play
from domain.kernel.game import Command, Seat
from domain.kernel.offers import Preimage
from domain.match import actions, events
from domain.match.decider import decide, evolve
from projections.catalogue import CATALOGUE
from projections.evidence import viewer_name
from projections.narration.match import narrate
from projections.views.match import FIELDS, match_view, offers, redact
from projections.views.seam import Sees
from tests.domain.match.test_match import ANNA, BEN, DICE, EXAMPLES, NOON, after, opened, seated, sit

CHEAT_VIEW = CATALOGUE["cheat"]
VIEWERS = (ANNA, BEN, Seat(2), None)


def test_the_table_names_every_field_of_every_event_and_no_other() -> None:
    types = {str(kind.__struct_config__.tag): kind.__struct_fields__ for kind in get_args(events.Event)}

    assert {tag: tuple(fields) for tag, fields in FIELDS.items()} == types


def plain(event: Any) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return said


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_what_is_told_is_what_the_table_says(event: events.Event) -> None:
    for viewer in VIEWERS:
        told = plain(redact(CHEAT_VIEW, event, viewer))
        for field, value in plain(event).items():
            match FIELDS[told["type"]].get(field):
                case Sees.NOBODY:
                    hidden = True
                case Sees.ACTOR_ONLY:
                    hidden = plain(event)["seat"] != viewer
                case _:
                    hidden = False
            assert told[field] == (None if hidden else value)


def test_a_stacked_deal_is_in_no_viewers_bytes() -> None:
    told = [msgspec.json.encode(redact(CHEAT_VIEW, EXAMPLES[0], viewer)) for viewer in VIEWERS]

    assert b"7H" in msgspec.json.encode(EXAMPLES[0])
    assert not any(b"7H" in frame for frame in told)


def test_a_viewers_fold_goes_as_far_as_the_log_does() -> None:
    table, seen = after(seated(), actions.Start("anna")), None
    for event in (EXAMPLES[0], *(sit_event("anna", ANNA), sit_event("ben", BEN), sit_event("cara", Seat(2)))):
        seen = evolve(CHEAT_VIEW.game, seen, redact(CHEAT_VIEW, event, None))
    assert seen is not None
    assert [chair.player for chair in seen.chairs] == [chair.player for chair in table.chairs]


def sit_event(player: str, seat: Seat) -> events.Seated:
    return events.Seated(seat=seat, player=player, bot=None, name_digest=None, entropy_commitment=None)


def test_only_who_committed_is_offered_to_reveal() -> None:
    commitment = hashlib.sha256(DICE).hexdigest()
    table = after(opened(), sit("anna", entropy_commitment=commitment), sit("ben"), sit("cara"), actions.Start("anna"))

    (offer,) = offers(CHEAT_VIEW, table, ANNA, NOON)
    assert (offer.type, offer.fields) == ("match.reveal_entropy", {"entropy": Preimage(commitment)})
    assert offers(CHEAT_VIEW, table, BEN, NOON) == ()
    assert offers(CHEAT_VIEW, table, ANNA, NOON + timedelta(seconds=10)) == ()


def test_what_ones_time_has_run_out_for_is_not_offered() -> None:
    table = after(seated(), actions.Start("anna"))

    assert [offer.type for offer in offers(CHEAT_VIEW, table, ANNA, NOON)] == ["cheat.play"]
    assert offers(CHEAT_VIEW, table, ANNA, NOON + timedelta(seconds=60)) == ()


def test_names_come_from_outside_and_a_name_that_was_erased_is_none() -> None:
    table = after(seated(), actions.Start("anna"))

    view = match_view(CHEAT_VIEW, table, None, seq=5, now=NOON, names={"anna": "Anna"})

    assert [seat.name for seat in view.seats] == ["Anna", None, None]
    assert (view.seat, view.actions, view.seq) == (None, (), 5)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_every_event_is_a_sentence(event: events.Event, language: str) -> None:
    sentence = narrate(CHEAT_VIEW, event, language, lambda seat: ("Anna", "Ben", "Cara")[seat])  # type: ignore[arg-type]

    assert sentence[0].isupper()
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    "now,english,german",
    [
        (NOON, "The clock is turned to 12:00:00.", "Die Uhr wird auf 12:00:00 gestellt."),
        (
            NOON + timedelta(milliseconds=500),
            "The clock is turned to 12:00:00.5.",
            "Die Uhr wird auf 12:00:00,5 gestellt.",
        ),
        (
            NOON + timedelta(seconds=10, microseconds=50),
            "The clock is turned to 12:00:10.00005.",
            "Die Uhr wird auf 12:00:10,00005 gestellt.",
        ),
    ],
)
def test_a_clock_is_told_as_it_was_turned(now: datetime, english: str, german: str) -> None:
    turned = events.ClockTurned(now)

    assert narrate(CHEAT_VIEW, turned, "en", lambda seat: "Anna") == english
    assert narrate(CHEAT_VIEW, turned, "de", lambda seat: "Anna") == german


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_no_sentence_counts_seats(event: events.Event, language: str) -> None:
    """In JSON they count from 0, and people count from 1: who is meant has a name."""
    sentence = narrate(CHEAT_VIEW, event, language, lambda seat: "Anna")  # type: ignore[arg-type]

    assert not re.search(r"(?i)(seat|platz) \d", sentence)


def test_a_games_event_is_told_in_its_own_words() -> None:
    table = after(seated(), actions.Start("anna"))
    (claimed,) = decide(CHEAT_VIEW.game, table, Command(ANNA, NOON, Play(("7H",))))

    told = narrate(CHEAT_VIEW, redact(CHEAT_VIEW, claimed, BEN), "en", lambda seat: "Anna")

    assert "Anna" in told
    assert "7" not in told


def test_viewers_have_names() -> None:
    assert [viewer_name(index, 3) for index in range(4)] == ["seat:0", "seat:1", "seat:2", "spectator"]
