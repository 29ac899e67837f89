"""RULES.md 6 and 7: from when and until when."""

from __future__ import annotations

import pytest

from domain.games.family_mogeln import FAMILY_MOGELN
from domain.games.family_mogeln.actions import TimeOut
from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Laid, PileTaken
from domain.games.family_mogeln.house import awaits, house
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, Answers, Command, Pace
from domain.kernel.reasons import Reason
from domain.match.state import Finished
from tests.domain.at_table import CHANCE, later, nobody_acts, refused
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    accepts,
    after,
    by,
    controls,
    counts,
    dealt,
    goes,
    in_turn,
    lays,
    sits_out,
    told,
    underway,
)

HANDS = ("9H 7H QS 4C **", "KD 9C 4D 5D", "4S 4H 6C 6D")
FOR_EVER = Pace(turn_time=None)


@pytest.mark.parametrize("closing", [lays(BEN, "KD", at=later(5)), sits_out(BEN, later(5))])
def test_a_lay_can_be_controlled_until_the_next_turn_is_taken(closing: Command) -> None:  # type: ignore[type-arg]
    """6.1"""
    given = after(underway(*HANDS), lays(ANNA, "7H"))

    assert decide(given, controls(CARA, 3, later(4.999)))
    with refused(Reason.CLAIM_CLOSED):
        decide(after(given, closing), counts(CARA, 3, later(5)))


@pytest.mark.parametrize("early", [lays(BEN, "KD", at=later(4.999)), sits_out(BEN, later(4.999))])
def test_the_next_turn_is_not_taken_before_the_others_had_time(early: Command) -> None:  # type: ignore[type-arg]
    """6.2"""
    given = after(underway(*HANDS), lays(ANNA, "7H"))

    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, early)
    assert decide(after(given, accepts(CARA, 3)), early)


def test_who_is_next_need_not_accept() -> None:
    """6.2: with four at the table both others must."""
    given = after(underway(*HANDS, "3C 3D 3S"), lays(ANNA, "7H"), accepts(CARA, 4))
    with refused(Reason.TOO_EARLY, not_before=later(5)):
        decide(given, lays(BEN, "KD"))

    assert decide(after(given, accepts(DAN, 4)), lays(BEN, "KD"))


def test_a_lay_that_cannot_be_controlled_makes_nobody_wait() -> None:
    """6.2"""
    given = after(dealt(*HANDS), lays(ANNA, "7H", "7"))

    assert awaits(given) == Answers((BEN,), later(60))
    assert decide(given, lays(BEN, "KD"))


def test_who_has_accepted_may_still_control() -> None:
    """6.3"""
    given = after(underway(*HANDS), lays(ANNA, "7H"), accepts(CARA, 3))

    assert decide(given, controls(CARA, 3))
    with refused(Reason.ALREADY_ACCEPTED):
        decide(given, accepts(CARA, 3))


def test_one_accepts_what_others_laid() -> None:
    """6.3"""
    with refused(Reason.OWN_CLAIM):
        decide(after(underway(*HANDS), lays(ANNA, "7H")), accepts(ANNA, 3))


def test_at_the_very_end_it_is_too_late() -> None:
    """6.4: for the turn, and for who would control what it closes."""
    given = after(underway(*HANDS), lays(ANNA, "7H"))
    assert decide(given, controls(CARA, 3, later(59.999)))

    for command in (lays(BEN, "KD", at=later(60)), sits_out(BEN, later(60)), controls(CARA, 3, later(60))):
        with refused(Reason.TOO_LATE, closes_at=later(60)):
            decide(given, command)


def test_a_turn_lasts_turn_time_from_when_it_began() -> None:
    """7.1"""
    given = after(underway(*HANDS), lays(ANNA, "7H", at=later(10)))

    assert awaits(given) == Answers((BEN, CARA), later(70))


def test_without_turn_time_it_lasts_for_ever() -> None:
    """7.1"""
    given = after(underway(*HANDS, pace=FOR_EVER), lays(ANNA, "7H"))

    assert awaits(given) == Answers((BEN, CARA), None)
    assert decide(given, lays(BEN, "KD", at=later(10**6)))


@pytest.mark.parametrize("turn_time, ends", [(2, 7), (7, 10), (60, 60)])
def test_it_never_ends_before_one_could_have_acted(turn_time: float, ends: float) -> None:
    """7.2"""
    given = underway(*HANDS, pace=Pace(turn_time=turn_time))

    state = after(given, lays(ANNA, "7H"))

    assert awaits(state) == Answers((BEN, CARA), later(ends))


def test_a_new_clock_after_a_control() -> None:
    """5.6, 7.1"""
    given = after(underway(*HANDS), lays(ANNA, "7H"))

    assert awaits(after(given, controls(CARA, 3, later(30)))) == Answers((BEN,), later(90))


@pytest.mark.parametrize(
    "hand, due, laid", [("KD 9C 9H", "9", "9C"), ("KD 4D 4C", "9", "4C"), ("** KD AS", "9", "AS"), ("**", "9", "**")]
)
def test_the_house_lays_the_rank_that_is_due_or_the_first_card(hand: str, due: str, laid: str) -> None:
    """7.3: never more than one, and it never sits out."""
    given = underway(hand, *HANDS[1:], due=due)

    lay = next(event for event in told(given, by(HOUSE, TimeOut(ANNA), later(60))) if isinstance(event, Laid))

    assert (lay.seat, lay.cards, lay.rank) == (ANNA, cards(laid), due)


@pytest.mark.parametrize("hand, laid, rank", [("KD 9C", "9C", "9"), ("** KD", "KD", "K"), ("**", "**", "2")])
def test_where_the_rank_is_to_be_chosen_the_house_says_the_truth(hand: str, laid: str, rank: str) -> None:
    """7.3"""
    given = dealt(hand, *HANDS[1:])

    lay = told(given, by(HOUSE, TimeOut(ANNA), later(60)))[0]

    assert isinstance(lay, Laid)
    assert (lay.cards, lay.rank) == (cards(laid), rank)


def test_what_the_house_laid_can_be_controlled_like_any_lay() -> None:
    """7.3"""
    given = after(underway("KD 4D 4C", *HANDS[1:]), by(HOUSE, TimeOut(ANNA), later(60)))

    _, taken = told(given, controls(CARA, 3, later(61)))

    assert isinstance(taken, PileTaken)
    assert taken.seat == ANNA


def test_the_house_stands_in_for_who_sleeps_when_time_is_up_and_not_before() -> None:
    """7.3"""
    given = underway(*HANDS)
    act = house(given, CHANCE)

    assert (act.action, act.for_seat) == (TimeOut(ANNA), ANNA)
    with refused(Reason.TOO_EARLY, not_before=later(60)):
        decide(given, by(HOUSE, TimeOut(ANNA), later(59.999)))
    with refused(Reason.NOT_NOW):
        decide(given, by(HOUSE, TimeOut(BEN), later(60)))
    assert in_turn(after(given, by(HOUSE, TimeOut(ANNA), later(60)))) == BEN


def test_a_leaver_shortens_the_wait() -> None:
    """6.2, 11.2"""
    given = after(underway(*HANDS, "3C 3D 3S"), lays(ANNA, "7H"), accepts(CARA, 4))

    assert decide(after(given, goes(DAN, later(1))), lays(BEN, "KD", at=later(1)))


def test_a_match_that_the_house_plays_alone_is_abandoned() -> None:
    """7.4"""
    table, acted_for_seats = nobody_acts(FAMILY_MOGELN, 3)

    assert acted_for_seats == 3 * 3
    assert isinstance(table.phase, Finished)
    assert (table.phase.reason, table.phase.winners) == ("abandoned", ())
