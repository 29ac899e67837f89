"""What a client is told that it may do: enough to play without knowing a rule."""

from __future__ import annotations

from domain.games.liars_dice.ladder import LADDER
from domain.games.liars_dice.offers import offers
from domain.kernel.game import Pace, Seat
from domain.kernel.offers import Bound, Choose, Offer, OneOf
from tests.domain.at_table import later
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    LIES,
    accepts,
    after,
    dice,
    in_turn,
    loses,
    ready,
    says,
    table,
    takes,
    throws_anew,
    wins_a_round,
)

THROWS = "11345 22266 12346 55512"
CLAIM: dict[str, Bound] = {"claim_id": OneOf((0,))}


def test_the_first_claim_is_free() -> None:
    """3.2, 3.5"""
    given = table(THROWS)

    assert offers(given, ANNA) == (Offer("liars_dice.claim", {"claim": OneOf(LADDER)}, until=later(60)),)
    assert offers(given, BEN) == ()


def test_only_what_beats_the_last_claim_is_offered_lowest_first() -> None:
    """3.2, 3.5: what breaks 27"""
    given = after(table(THROWS), says(ANNA, "four:6"), takes(BEN, 0, at=later(6)))

    fives = OneOf(("five:1", "five:2", "five:3", "five:4", "five:5", "five:6"))
    assert offers(given, BEN) == (Offer("liars_dice.claim", {"claim": fives}, until=later(66)),)


def test_who_is_next_may_take_the_dice_later_and_doubt_now() -> None:
    """4.1, 5.2"""
    given = after(table(THROWS), says(ANNA, "pair:4"))

    answers = (
        Offer("liars_dice.challenge", CLAIM, until=later(30)),
        Offer("liars_dice.accept", CLAIM, until=later(30)),
    )
    assert offers(given, BEN) == (Offer("liars_dice.take_dice", CLAIM, later(5), later(30)), *answers)
    assert offers(given, CARA) == answers
    assert offers(given, ANNA) == ()


def test_when_the_others_have_accepted_he_may_take_them_now() -> None:
    """5.2"""
    given = after(table(THROWS), says(ANNA, "pair:4"), accepts(CARA, 0))

    assert offers(given, BEN)[0] == Offer("liars_dice.take_dice", CLAIM, None, later(30))
    assert offers(given, CARA) == (Offer("liars_dice.challenge", CLAIM, until=later(30)),)


def test_after_five_sixes_no_dice_are_offered() -> None:
    """5.5"""
    given = after(table(THROWS), says(ANNA, "five:6"))

    assert [offer.type for offer in offers(given, BEN)] == ["liars_dice.challenge", "liars_dice.accept"]


def test_nor_when_the_window_ends_before_they_could_be_taken() -> None:
    """5.1, 5.2"""
    given = after(table(THROWS, pace=Pace(min_open=9, max_open=9)), says(ANNA, "pair:4"))

    assert [offer.type for offer in offers(given, BEN)] == ["liars_dice.challenge", "liars_dice.accept"]
    assert offers(after(given, accepts(CARA, 0)), BEN)[0].type == "liars_dice.take_dice"


def test_dice_that_were_handed_on_may_be_thrown_anew_once() -> None:
    """8.2, 8.4"""
    given = after(table("11345 6", dice_pass=True), says(ANNA, "pair:4"), takes(BEN, 0, at=later(6)))

    again = Offer("liars_dice.reroll", {"dice": Choose(dice("11345"), 1, 5)}, until=later(66))
    assert offers(given, BEN)[1:] == (again,)
    assert len(offers(after(given, throws_anew(BEN, "5", at=later(7))), BEN)) == 1
    assert len(offers(table("11345", dice_pass=True), ANNA)) == 1


def test_who_has_no_tokens_is_offered_nothing() -> None:
    """4.1"""
    given = loses(table(LIES), BEN, BEN, BEN)
    state = after(given, says(in_turn(given), "nothing"))

    assert offers(state, BEN) == ()


def test_between_rounds_one_may_say_that_one_is_ready() -> None:
    """10.1"""
    given = after(wins_a_round(table(LIES, mode="first_to"), ANNA), ready(BEN))

    ready_ = (Offer("liars_dice.accept_round", {}, until=later(5)),)
    assert [offers(given, Seat(seat)) for seat in range(3)] == [ready_, (), ready_]
