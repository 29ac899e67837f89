"""From what is typed to an action that fits its offer, in games that nobody has written yet."""

from __future__ import annotations

from typing import Any

import pytest

from service.terminal.choosing import Choice, Unclear, answer, begin
from service.terminal.client import Bound, Offer

CARDS = Bound(choose=("QS", "7H", "7H", "2C"), min=1, max=3)
RANK = Bound(one_of=("8", "9", "Q"))
PRICE = Bound(min=10, max=50, step=5)


def made(fields: dict[str, Bound], *typed: str) -> dict[str, Any]:
    choice = begin(Offer("auction.bid", fields), {})
    for text in typed:
        choice = answer(choice, text)
    assert choice.done
    return choice.said


def asked(bound: Bound) -> Choice:
    return begin(Offer("auction.bid", {"field": bound}), {})


def test_every_kind_of_bound_is_answered_by_numbers() -> None:
    said = made({"cards": CARDS, "rank": RANK, "price": PRICE}, "1 3", "2", "25")
    assert said == {"cards": ["QS", "7H"], "rank": "9", "price": 25}


def test_a_seat_is_said_by_its_number_in_the_table_and_not_by_its_place_in_the_list() -> None:
    offer = {"target": Bound(one_of=(1, 3))}
    assert made(offer, "2") == {"target": 1}
    assert made(offer, "4") == {"target": 3}
    for typed in ("1", "3", "5"):
        with pytest.raises(Unclear):
            answer(begin(Offer("auction.accuse", offer), {}), typed)
    assert made({"target": Bound(one_of=("GO", "jail"))}, "1") == {"target": "GO"}


def test_two_cards_alike_are_two_places() -> None:
    assert made({"cards": CARDS}, "2, 3") == {"cards": ["7H", "7H"]}
    assert made({"cards": CARDS}, "7h 7h") == {"cards": ["7H", "7H"]}


def test_what_is_no_question_is_not_asked() -> None:
    fields = {
        "claim_id": Bound(one_of=(12,)),
        "rank": Bound(one_of=("A",), optional=True),
        "all": Bound(choose=("2C", "3C"), min=2, max=2),
        "price": Bound(min=5, max=5, step=1),
    }
    assert made(fields) == {"claim_id": 12, "all": ("2C", "3C"), "price": 5}


def test_what_may_be_left_out_is_left_out_by_enter() -> None:
    maybe = Bound(one_of=("8", "9"), optional=True)
    assert made({"rank": maybe, "price": PRICE}, "", "10") == {"price": 10}
    assert made({"rank": maybe}, "1") == {"rank": "8"}


def test_a_secret_is_said_by_who_knows_it() -> None:
    offer = Offer("match.reveal", {"entropy": Bound(sha256="ab" * 32)})
    assert begin(offer, {"ab" * 32: "0102"}).action == {"type": "match.reveal", "entropy": "0102"}
    assert begin(offer, {}).asks == ("entropy",)


@pytest.mark.parametrize("typed", ["", "0", "5", "1 1", "1 2 3 4", "KD", "1 x", "-1", "٣"])
def test_cards_that_are_not_there_are_not_laid(typed: str) -> None:
    with pytest.raises(Unclear):
        answer(asked(CARDS), typed)


@pytest.mark.parametrize("typed", ["", "9", "12", "55", "many", "1e1", "9" * 30])
def test_a_number_out_of_bounds_or_between_steps_is_none(typed: str) -> None:
    with pytest.raises(Unclear):
        answer(asked(PRICE), typed)


@pytest.mark.parametrize("typed", ["", "4", "1 2", "T"])
def test_one_of_some_is_exactly_one(typed: str) -> None:
    with pytest.raises(Unclear):
        answer(asked(RANK), typed)
