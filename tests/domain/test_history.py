"""A game whose events have changed their shape since: old matches are read, and told as they were."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain import history
from domain.games.cheat import CHEAT
from domain.games.cheat.events import PileTaken, RoundAccepted
from domain.kernel.cards import cards
from domain.kernel.game import OldShape, Seat
from domain.match.envelope import Envelope, encode

ANNA: Final = Seat(0)
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Agreed(Struct, frozen=True, tag="cheat.agreed"):
    """How matches up to rules version 3 said that somebody has accepted the end of a round."""

    who: int


OLD: Final = replace(
    CHEAT,
    rules_version=4,
    old=(
        OldShape(
            until=3,
            stored=Agreed,
            today=RoundAccepted,
            read=lambda it: RoundAccepted(Seat(it.who)),
            write=lambda it: Agreed(it.seat),
        ),
    ),
)
ENVELOPE: Final = Envelope("6f9619ff-8b86-4d01-b42d-00cf4fc964ff", 9, NOON, NOON, ANNA, RoundAccepted(ANNA))


def test_an_old_event_is_read_as_todays() -> None:
    stored = encode(replace(ENVELOPE, event=Agreed(ANNA)))

    assert b'"event":{"type":"cheat.agreed","who":0}' in stored
    assert history.read(OLD, stored).event == RoundAccepted(ANNA)


def test_todays_event_is_read_as_it_is() -> None:
    assert history.read(OLD, encode(ENVELOPE)).event == RoundAccepted(ANNA)


def test_a_match_keeps_the_shapes_with_which_it_began() -> None:
    """Told through anybody's eyes: what a viewer's chain binds does not change with a new build."""
    assert [history.shaped(OLD, version, RoundAccepted(ANNA)) for version in (1, 3, 4)] == [
        Agreed(ANNA),
        Agreed(ANNA),
        RoundAccepted(ANNA),
    ]


def test_other_events_have_the_shape_they_always_had() -> None:
    taken = PileTaken(ANNA, cards("QS"), (), None)

    assert history.shaped(OLD, 1, taken) is taken
