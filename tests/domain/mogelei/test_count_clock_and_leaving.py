"""RULES.md 9, 10 and 11: eggs and fried eggs, who sleeps, and who goes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.mogelei.decider import decide
from domain.games.mogelei.events import (
    AllLaid,
    ColourCalled,
    ControlTaken,
    Doubted,
    HandOver,
    KeptHidden,
    Laid,
    Left,
    MatchOver,
    MogeleiTurn,
    PileKept,
    RoundEnded,
)
from domain.games.mogelei.house import awaits
from domain.games.mogelei.offers import offers
from domain.games.mogelei.state import State, ToCall
from domain.kernel.cards import cards
from domain.kernel.game import Answers, Over, Pace, Seat
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.mogelei.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    after,
    all_lay,
    awaited,
    calls,
    continues,
    dealt,
    doubts,
    ends,
    goes,
    hides,
    in_control,
    lays,
    shows,
    time_is_up,
    told,
)
from tests.domain.mogelei.walks import COMBINATIONS, walk

HANDS = ("red1 red8 blue2", "red7 blue5 black4", "black1 yellow3 yellow9", "red2 red3 red10")
LAID = ("red8", "red7", "black1", "red2")


def called(*hands: str) -> State:
    return after(dealt(*(hands or HANDS)), calls(ANNA, "red"))


def laid() -> State:
    return after(called(), *all_lay(*LAID))


def all_hidden() -> State:
    return after(laid(), hides(ANNA), hides(BEN), hides(CARA), hides(DAN))


# ── the count ───────────────────────────────────────────────────────────────────────────────────


def last_round() -> State:
    """One card each; fried eggs lie on red 3, red 6 and blue 9. Ben has control, and Anna the biggest lie."""
    given = after(called("red6", "red3", "blue9"), *all_lay("red6", "red3", "blue9"))
    return after(given, hides(ANNA), shows(BEN), hides(CARA))


def test_the_hand_is_over_with_the_round_of_the_last_cards() -> None:
    """9.1"""
    _, kept, counted = told(last_round(), ends(BEN))

    assert isinstance(kept, PileKept)
    assert kept.turn is None
    assert isinstance(counted, HandOver)
    assert not any(isinstance(event, HandOver) for event in told(all_hidden(), ends(ANNA)))


def test_an_egg_card_is_worth_three_and_a_fried_egg_costs_one() -> None:
    """9.2"""
    counted = told(last_round(), ends(BEN))[-1]

    assert counted == HandOver(1, (1, 0, 0), (0, 3, 0), (3, -3, 0), (3, -3, 0), deal_at=later(5))


def test_who_was_rightly_doubted_counts_the_fried_eggs() -> None:
    """9.2"""
    counted = told(last_round(), doubts(BEN, ANNA))[-1]

    assert isinstance(counted, HandOver)
    assert counted.gained == (-3, 0, 0)


def test_five_hands_are_a_match_and_the_most_points_win() -> None:
    """9.4"""
    for number, options in enumerate(COMBINATIONS):
        steps = list(walk(options, 3 + number, number))
        counted = [event for step in steps for event in step.events if isinstance(event, HandOver)]
        over = steps[-1].events[-1]

        assert [event.hand for event in counted] == [1, 2, 3, 4, 5]
        assert [event.deal_at is None for event in counted] == [False] * 4 + [True]
        assert isinstance(over, MatchOver)
        assert over.scores == counted[-1].points
        assert over.winners == tuple(seat for seat in range(3 + number) if over.scores[seat] == max(over.scores))


def test_the_score_at_the_end_of_the_match_is_what_the_match_is_told() -> None:
    """9.4"""
    last = list(walk(COMBINATIONS[0], 3, 1))[-1]
    over = last.events[-1]

    assert isinstance(over, MatchOver)
    assert awaits(last.after) == Over(over.winners, over.scores)


def test_who_is_level_shares_the_match() -> None:
    """9.4, D14: the last of five hands costs Anna what she was ahead by."""
    given = replace(last_round(), hand=5, points=(7, 4, 2))

    over = told(given, doubts(BEN, ANNA))[-1]

    assert isinstance(over, MatchOver)
    assert (over.winners, over.scores) == ((ANNA, BEN), (4, 4, 2))


# ── the clock ───────────────────────────────────────────────────────────────────────────────────


def test_ends_of_time_are_half_open() -> None:
    """10.1: what breaks 11, 12 and 78."""
    in_time, late = later(59.999999), later(60)

    for given, command in (
        (dealt(*HANDS), calls(ANNA, "red", late)),
        (called(), lays(ANNA, "red8", late)),
        (laid(), hides(ANNA, late)),
        (laid(), shows(ANNA, late)),
        (all_hidden(), ends(ANNA, late)),
        (all_hidden(), continues(ANNA, late)),
        (all_hidden(), doubts(ANNA, BEN, at=late)),
    ):
        with refused(Reason.TOO_LATE, closes_at=late):
            decide(given, command)
        assert decide(given, type(command)(command.by, in_time, command.action))


def test_the_house_does_not_act_before_its_time() -> None:
    """10.1"""
    for given in (dealt(*HANDS), called(), laid(), all_hidden()):
        with refused(Reason.TOO_EARLY, not_before=later(60)):
            decide(given, time_is_up(given, later(59.999)))


def test_each_answer_has_a_time_of_its_own() -> None:
    """10.1"""
    assert awaits(after(laid(), hides(ANNA, later(50)))) == Answers((BEN,), until=later(110))


def test_without_turn_time_nobody_is_hurried() -> None:
    """10.1"""
    for given in (
        dealt(*HANDS, pace=Pace(turn_time=None)),
        after(dealt(*HANDS, pace=Pace(turn_time=None)), calls(ANNA, "red")),
    ):
        waiting = awaits(given)
        assert isinstance(waiting, Answers)
        assert waiting.until is None
        with refused(Reason.NOT_NOW):
            decide(given, time_is_up(given, later(10**6)))


def test_who_does_not_call_calls_the_colour_of_his_lowest_card() -> None:
    """10.2, D15"""
    (asked,) = told(dealt(*HANDS), time_is_up(dealt(*HANDS), later(60)))

    assert isinstance(asked, ColourCalled)
    assert (asked.seat, asked.colour, asked.until) == (ANNA, "red", later(120))


def test_of_equally_low_cards_the_colours_go_black_red_yellow_blue() -> None:
    """10.2, D15"""
    for hand, colour in (("blue1 black1", "black"), ("blue1 yellow1 red1", "red"), ("blue1 yellow1", "yellow")):
        rest = " ".join(("red5", "red6", "red7")[: len(hand.split())])
        given = dealt(hand, rest, rest.replace("red", "black"))
        (asked,) = told(given, time_is_up(given, later(60)))
        assert isinstance(asked, ColourCalled)
        assert asked.colour == colour


def test_for_who_does_not_lay_the_lowest_card_is_laid_that_may_be() -> None:
    """10.2, 10.3, D15: Dan has laid; Anna's red 1, Ben's only red one, Cara's black 1."""
    given = after(called(), lays(DAN, "red10"))

    happened = told(given, time_is_up(given, later(60)))

    assert happened[:3] == (
        Laid(0, ANNA, "red1", late=True),
        Laid(0, BEN, "red7", late=True),
        Laid(0, CARA, "black1", late=True),
    )
    assert isinstance(happened[3], AllLaid)
    assert happened[3].turn == MogeleiTurn(ANNA, later(120))


def test_who_does_not_answer_keeps_his_card_hidden() -> None:
    """10.2, D15"""
    assert told(laid(), time_is_up(laid(), later(60))) == (KeptHidden(0, ANNA, MogeleiTurn(BEN, later(120))),)


def test_a_controller_who_sleeps_ends_the_round() -> None:
    """10.2, D15"""
    shown = told(all_hidden(), time_is_up(all_hidden(), later(60)))[0]

    assert isinstance(shown, RoundEnded)
    assert shown.seat == ANNA


# ── who goes ────────────────────────────────────────────────────────────────────────────────────


def test_a_hand_leaves_play_face_down_and_what_was_laid_stays() -> None:
    """11.1"""
    state = after(laid(), goes(BEN))

    assert (state.hands[BEN], state.present) == ((), (ANNA, CARA, DAN))
    assert set(cards("blue5 black4")) <= set(state.away)
    assert [it.card for it in state.played] == list(LAID)
    with refused(Reason.LEFT):
        decide(state, goes(BEN))


def test_what_a_leaver_kept_hidden_can_still_be_doubted() -> None:
    """11.1: what breaks 20: the penalty hits nobody else."""
    given = after(all_hidden(), goes(BEN))

    shown, kept = told(given, doubts(ANNA, BEN))

    assert shown == Doubted(0, ANNA, BEN, "red7", right=True)
    assert isinstance(kept, PileKept)
    assert kept.seat == BEN
    assert after(given, doubts(ANNA, CARA)).kept[ANNA] == cards("black1 red2 red7 red8")


def test_a_leavers_turn_goes_to_the_next_seat_with_a_new_clock() -> None:
    """11.2: to call, to show, to control; what breaks 72."""
    calling = dealt(*HANDS)

    assert told(calling, goes(ANNA, later(30))) == (Left(ANNA, MogeleiTurn(BEN, later(90))),)
    assert awaits(after(calling, goes(ANNA, later(30)))) == Answers((BEN,), later(90))
    assert told(laid(), goes(ANNA, later(30))) == (Left(ANNA, MogeleiTurn(BEN, later(90))),)
    assert told(all_hidden(), goes(ANNA, later(30))) == (Left(ANNA, MogeleiTurn(BEN, later(90))),)
    assert in_control(after(all_hidden(), goes(ANNA))) == BEN
    assert {offer.type for offer in offers(after(all_hidden(), goes(ANNA)), BEN)} > {"mogelei.doubt"}


def test_who_is_asked_instead_of_a_leaver_is_asked_once() -> None:
    """11.2: found by a mutant: Ben answered for Anna, and was to answer again."""
    given = after(laid(), goes(ANNA), hides(BEN))

    assert awaited(given) == (CARA,)
    assert in_control(after(given, hides(CARA), hides(DAN))) == BEN


def test_nobody_else_is_hurried_or_delayed_by_a_leaver() -> None:
    """11.2"""
    for given in (dealt(*HANDS), laid(), all_hidden()):
        assert told(given, goes(DAN, later(30))) == (Left(DAN, None),)
        assert awaits(after(given, goes(DAN, later(30)))) == Answers((ANNA,), later(60))


def test_the_last_one_to_answer_may_go_too() -> None:
    """11.2, 11.3: his card stays hidden, and control is decided."""
    given = after(laid(), hides(ANNA), hides(BEN), hides(CARA))

    assert told(given, goes(DAN, later(7))) == (Left(DAN, None), ControlTaken(0, MogeleiTurn(ANNA, later(67))))


def test_who_comes_later_and_goes_is_not_asked() -> None:
    """11.3: Dan and Cara; what breaks 50."""
    given = after(laid(), goes(DAN), goes(CARA), hides(ANNA))

    happened = told(given, shows(BEN))

    assert isinstance(happened[-1], ControlTaken)
    assert [it.shown for it in after(given, shows(BEN)).played] == [False, True, False, False]


def test_where_the_caller_of_the_pass_has_gone_the_next_seat_controls() -> None:
    """11.2: Anna called, goes, and nobody shows a card."""
    given = after(laid(), hides(ANNA), goes(ANNA), hides(BEN), hides(CARA), hides(DAN))

    assert in_control(given) == BEN


def test_where_the_highest_card_is_a_leavers_the_next_seat_controls() -> None:
    """11.2: it counts, and wins nothing."""
    given = after(laid(), shows(ANNA), shows(BEN), goes(ANNA), hides(CARA), hides(DAN))

    assert in_control(given) == BEN
    last = after(laid(), hides(ANNA), hides(BEN), hides(CARA), shows(DAN))
    assert in_control(after(last, goes(DAN))) == ANNA


def test_where_a_leaver_keeps_the_cards_the_next_seat_calls() -> None:
    """11.2"""
    state = after(all_hidden(), goes(BEN), doubts(ANNA, BEN))

    assert isinstance(state.phase, ToCall)
    assert state.phase.turn.seat == CARA


def test_a_leaver_gets_no_egg() -> None:
    """11.4: Anna's red 8 is the biggest lie, and Ben's red 7 does not take its place."""
    given = after(all_hidden(), goes(ANNA))

    shown, kept = told(given, ends(BEN))

    assert isinstance(shown, RoundEnded)
    assert isinstance(kept, PileKept)
    assert (shown.liar, kept.egg, kept.seat) == (ANNA, None, BEN)


def test_nor_for_a_wrong_doubt_nor_do_the_cards_go_to_him_as_a_liar() -> None:
    """11.4"""
    given = after(dealt(*HANDS, false_doubt_egg=True, round_pile="liar"), calls(ANNA, "red"), *all_lay(*LAID))
    given = after(given, hides(ANNA), hides(BEN), hides(CARA), hides(DAN))

    assert after(given, goes(CARA), doubts(ANNA, CARA)).eggs == (0, 0, 0, 0)
    liar_gone = after(given, goes(ANNA), ends(BEN))
    assert liar_gone.kept[BEN] == cards("black1 red2 red7 red8")


@pytest.mark.parametrize("before", [(), (lays(BEN, "red7"),)])
def test_while_all_lay_a_leaver_holds_nobody_up(before: tuple[object, ...]) -> None:
    """11.1, 11.5: whether he has laid or not; the pass goes on without him."""
    given = after(called(), *before, goes(BEN), lays(ANNA, "red8"), lays(CARA, "black1"))  # type: ignore[arg-type]

    assert awaited(given) == (DAN,)
    last = told(given, lays(DAN, "red2"))[-1]

    assert isinstance(last, AllLaid)
    assert last.cards[BEN] == (cards("red7") if before else ())
    assert (last.turn.seat, last.waiting) == (ANNA, (CARA, DAN))


def test_all_are_in_when_the_only_one_who_had_not_laid_goes() -> None:
    """11.1"""
    given = after(called(), lays(ANNA, "red8"), lays(CARA, "black1"), lays(DAN, "red2"))

    left, in_now = told(given, goes(BEN))

    assert left == Left(BEN, None)
    assert isinstance(in_now, AllLaid)
    assert in_now.cards == (cards("red8"), (), cards("black1"), cards("red2"))


def test_where_the_caller_goes_while_all_lay_the_next_seat_is_asked_first() -> None:
    """11.2"""
    given = after(called(), goes(ANNA), lays(BEN, "red7"), lays(CARA, "black1"))

    last = told(given, lays(DAN, "red2"))[-1]

    assert isinstance(last, AllLaid)
    assert (last.turn.seat, last.waiting) == (BEN, (CARA, DAN))


def test_the_last_one_wins_at_once() -> None:
    """11.6: a hand half played is not counted."""
    given = after(all_hidden(), ends(ANNA), goes(BEN), goes(CARA))

    assert told(given, goes(ANNA))[-1] == MatchOver((DAN,), (0, 0, 0, 0))
    assert awaits(after(given, goes(ANNA))) == Over((DAN,), (0, 0, 0, 0))


@pytest.mark.parametrize(
    "given, leaver",
    [
        (dealt(*HANDS), ANNA),
        (after(called(), lays(BEN, "red7")), ANNA),
        (laid(), ANNA),
        (after(laid(), hides(ANNA)), BEN),
        (all_hidden(), ANNA),
    ],
)
def test_with_the_last_but_one_the_match_is_over_and_nothing_else_happens(given: State, leaver: Seat) -> None:
    """11.6: nobody has a turn any more, and no card is told of."""
    two = after(given, goes(CARA), goes(DAN))
    (winner,) = (seat for seat in two.present if seat != leaver)

    assert told(two, goes(leaver)) == (Left(leaver, None), MatchOver((winner,), (0, 0, 0, 0)))


def test_who_left_wins_nothing_whatever_his_points() -> None:
    """11.6: Anna leads by her egg, and goes."""
    given = after(last_round(), ends(BEN))
    assert given.points == (3, -3, 0)

    state = after(given, goes(ANNA), goes(BEN))

    assert awaits(state) == Over((CARA,), (3, -3, 0))
    with refused(Reason.NOT_NOW):
        decide(state, goes(CARA))


def test_who_has_left_has_nothing_to_say() -> None:
    """11.1: what breaks 64 and 73."""
    given = after(called(), goes(BEN))

    assert offers(given, BEN) == ()
    assert BEN not in awaited(given)
    with refused(Reason.LEFT):
        decide(given, lays(BEN, "red7"))
