"""Over the wire, too, a lay of three cards is a card: the same bytes to all others, live, asked for and refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.api.people import Person
from tests.api.tables import Table
from tests.api.test_streams import streaming

GAME: Final = "family_mogeln"
DEAL: Final[dict[str, Any]] = {
    "dealer": 2,
    "hands": [["2C", "QS", "7H", "5C", "9H"], ["2D", "KD", "9C"], ["2H", "4S", "4H"]],
}
OWN: Final = re.compile(rb'"(?:head|log_head|seed_commitment|request_id)":"[0-9a-f]+"|"[0-9a-f]{8}(?:-[0-9a-f]+){4}"')
"""What differs from match to match and from request to request: ids, and hashes that a salt makes random."""


def begun(anna: Person, ben: Person, cara: Person) -> Table:
    """After the first round of lays; Anna is to say nine."""
    match = anna.opens(game="family-mogeln", deal=DEAL, seed="ab" * 32)
    ben.sits(match)
    cara.sits(match)
    anna.starts(match)
    anna.acts(match, type=f"{GAME}.lay", cards=["2C"], rank="6")
    ben.acts(match, type=f"{GAME}.lay", cards=["2D"])
    cara.acts(match, type=f"{GAME}.lay", cards=["2H"])
    return Table(match, anna, ben, cara)


def masked(body: bytes) -> bytes:
    return OWN.sub(b'"own"', body)


@pytest.fixture
def tables(anna: Person, ben: Person, cara: Person) -> tuple[Table, Table]:
    """The same cards, the same people; Anna lays one card at the one table, and three at the other."""
    one, three = begun(anna, ben, cara), begun(anna, ben, cara)
    anna.acts(one.match, type=f"{GAME}.lay", cards=["7H"])
    anna.acts(three.match, type=f"{GAME}.lay", cards=["5C", "QS", "7H"])
    return one, three


ASKED: Final = ("", "/events", "/events?narrate=en", "/events?narrate=de")


def test_to_others_one_card_and_three_are_the_same_bytes(
    tables: tuple[Table, Table], newcomer: Callable[[str], Person]
) -> None:
    """Dora looks on."""
    for eyes in (tables[0].ben, tables[0].cara, newcomer("Dora")):
        for path in ASKED:
            answers = [eyes.try_("GET", table.path + path) for table in tables]

            assert [answer.status_code for answer in answers] == [200, 200]
            assert len(answers[0].content) == len(answers[1].content)
            assert masked(answers[0].content) == masked(answers[1].content)


def test_to_who_laid_them_they_are_not(tables: tuple[Table, Table]) -> None:
    hands = [table.anna.sees(table.match)["view"]["hand"] for table in tables]

    assert hands == [["5C", "9H", "QS"], ["9H"]]


def test_nor_does_a_stream_tell(tables: tuple[Table, Table]) -> None:
    heard = []
    for table in tables:
        with streaming(table.ben, table.match, "?after=0") as stream:
            heard.append(json.dumps(stream.next("frames"), separators=(",", ":")).encode())

    assert b"5C" not in heard[1]
    assert masked(heard[0]) == masked(heard[1])


REFUSED: Final[tuple[dict[str, Any], ...]] = (
    {"type": f"{GAME}.lay", "cards": ["KD"]},
    {"type": f"{GAME}.lay", "cards": ["KD", "9C"]},
    {"type": f"{GAME}.sit_out"},
    {"type": f"{GAME}.control", "claim_id": 2},
    {"type": f"{GAME}.control_multi", "claim_id": 4},
)


def test_nor_does_a_refusal(tables: tuple[Table, Table]) -> None:
    """Too early, too late, unknown."""
    for said in REFUSED:
        refusals = [table.ben.try_("POST", table.actions, said) for table in tables]

        assert [refusal.status_code for refusal in refusals] == [409, 409]
        assert masked(refusals[0].content) == masked(refusals[1].content)


def test_what_a_control_shows_is_the_same_until_it_shows_how_large_the_pile_is(tables: tuple[Table, Table]) -> None:
    """The seven on top was no nine: Anna takes four cards, or six."""
    told = [table.cara.acts(table.match, type=f"{GAME}.control", claim_id=3) for table in tables]
    shown, taken = zip(*[[frame["event"] for frame in answer["frames"]] for answer in told], strict=True)

    assert shown[0] == shown[1]
    assert [event["size"] for event in taken] == [4, 6]
    assert [{**event, "size": 0} for event in taken] == [{**taken[0], "size": 0}] * 2
    assert [answer["view"]["hand_sizes"] for answer in told] == [[7, 2, 2], [9, 2, 2]]
