"""RULES.md 3 to 8: calling, laying, showing or not, and what the controller may do."""

from __future__ import annotations

import pytest

from domain.games.mogelei.decider import decide
from domain.games.mogelei.events import (
    AllLaid,
    ColourCalled,
    ControlTaken,
    Doubted,
    KeptHidden,
    Laid,
    MogeleiHidden,
    MogeleiTurn,
    PileKept,
    Revealed,
    RoundContinued,
    RoundEnded,
)
from domain.games.mogelei.offers import offers
from domain.games.mogelei.reasons import MogeleiReason
from domain.games.mogelei.state import State, ToCall, ToLay
from domain.kernel.cards import cards
from domain.kernel.game import Seat
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
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
    hides,
    in_control,
    lays,
    shows,
    told,
)

HANDS = ("red1 red8 blue2", "red7 blue5 black4", "black1 yellow3 yellow9")  # Cara holds no red card


def called(*hands: str, **chosen: object) -> State:
    return after(dealt(*(hands or HANDS), **chosen), calls(ANNA, "red"))  # type: ignore[arg-type]


def laid(*hands: str, **chosen: object) -> State:
    """Red was called. Anna lies with her highest, Ben has to lay his only red card, Cara has none."""
    return after(called(*hands, **chosen), *all_lay("red8", "red7", "black1"))


def all_hidden(**chosen: object) -> State:
    return after(laid(**chosen), hides(ANNA), hides(BEN), hides(CARA))


def ben_in_control(**chosen: object) -> State:
    """He has shown the only card."""
    return after(laid(**chosen), hides(ANNA), shows(BEN), hides(CARA))


# ── to call ─────────────────────────────────────────────────────────────────────────────────────


def test_the_caller_names_a_colour_and_all_lay() -> None:
    """3.1, 10.1"""
    assert told(dealt(*HANDS), calls(ANNA, "red", later(3))) == (ColourCalled(1, 0, ANNA, "red", until=later(63)),)
    with refused(Reason.NOT_YOUR_TURN):
        decide(dealt(*HANDS), calls(BEN, "red"))
    with refused(Reason.NOT_NOW):
        decide(called(), calls(ANNA, "blue"))


def test_the_caller_need_not_hold_the_colour() -> None:
    """3.2"""
    assert isinstance(after(dealt(*HANDS), calls(ANNA, "yellow")).phase, ToLay)


def test_who_kept_the_cards_calls_next() -> None:
    """3.3, D9: who ended the round, who doubted wrongly, or who was rightly doubted."""
    ended = after(ben_in_control(), ends(BEN))
    wrong = after(ben_in_control(), doubts(BEN, CARA))
    right = after(ben_in_control(), doubts(BEN, ANNA))

    assert [caller(state) for state in (ended, wrong, right)] == [BEN, BEN, ANNA]


def caller(state: State) -> Seat:
    assert isinstance(state.phase, ToCall)
    return state.phase.turn.seat


# ── to lay ──────────────────────────────────────────────────────────────────────────────────────


def test_all_lay_at_the_same_time_in_any_order() -> None:
    """4.1, D11"""
    one_way = told(called(), lays(ANNA, "red8"), lays(BEN, "red7"), lays(CARA, "black1", later(9)))
    other_way = told(called(), lays(CARA, "black1"), lays(BEN, "red7"), lays(ANNA, "red8", later(9)))

    assert one_way[:3] == (
        Laid(0, ANNA, "red8", late=False),
        Laid(0, BEN, "red7", late=False),
        Laid(0, CARA, "black1", late=False),
    )
    all_in = AllLaid(0, (cards("red8"), cards("red7"), cards("black1")), MogeleiTurn(ANNA, later(69)), (BEN, CARA))
    assert one_way[3:] == other_way[3:] == (all_in,)


def test_what_is_laid_cannot_be_changed() -> None:
    """4.1"""
    with refused(MogeleiReason.ALREADY_LAID):
        decide(after(called(), lays(ANNA, "red8")), lays(ANNA, "red1"))


def test_nobody_lays_what_he_does_not_hold() -> None:
    """4.1"""
    with refused(Reason.NOT_YOUR_CARDS):
        decide(called(), lays(ANNA, "red7"))


def test_who_holds_the_colour_must_lay_it() -> None:
    """4.2"""
    with refused(MogeleiReason.MUST_FOLLOW):
        decide(called(), lays(ANNA, "blue2"))
    assert decide(called(), lays(ANNA, "red1"))


@pytest.mark.parametrize("card", ["black1", "yellow3", "yellow9"])
def test_who_does_not_hold_it_lays_what_he_likes(card: str) -> None:
    """4.2"""
    assert decide(called(), lays(CARA, card))


def test_a_hand_is_not_smaller_before_all_have_laid() -> None:
    """4.3"""
    two = after(called(), lays(ANNA, "red8"), lays(CARA, "black1"))

    assert [len(hand) for hand in two.hands] == [3, 3, 3]
    assert [len(hand) for hand in laid().hands] == [2, 2, 2]


def test_nobody_shows_before_all_have_laid() -> None:
    """5.1"""
    with refused(Reason.NOT_NOW):
        decide(after(called(), lays(ANNA, "red8"), lays(BEN, "red7")), shows(ANNA))


# ── to show, or to keep hidden ──────────────────────────────────────────────────────────────────


def test_one_after_the_other_decides_from_the_caller_on() -> None:
    """5.1"""
    with refused(Reason.NOT_YOUR_TURN):
        decide(laid(), shows(BEN))

    happened = told(laid(), shows(ANNA, later(1)), hides(BEN, later(2)), hides(CARA, later(3)))
    assert happened == (
        Revealed(0, ANNA, "red8", MogeleiTurn(BEN, later(61))),
        KeptHidden(0, BEN, MogeleiTurn(CARA, later(62))),
        KeptHidden(0, CARA, None),
        ControlTaken(0, MogeleiTurn(ANNA, later(63))),
    )


def test_the_caller_of_a_later_round_is_asked_first() -> None:
    """5.1: Ben calls the second round, and is followed by Cara and Anna."""
    second = after(ben_in_control(), ends(BEN), calls(BEN, "yellow"), lays(ANNA, "red1"), lays(BEN, "black4"))

    asked = told(second, lays(CARA, "yellow3"))[-1]

    assert isinstance(asked, AllLaid)
    assert (asked.turn.seat, asked.waiting) == (BEN, (CARA, ANNA))


def test_only_a_card_of_the_colour_can_be_shown() -> None:
    """5.2, D: reveal of a wrong colour rejected"""
    with refused(MogeleiReason.OTHER_COLOUR):
        decide(after(laid(), hides(ANNA), hides(BEN)), shows(CARA))


def test_a_card_of_the_colour_may_be_kept_hidden() -> None:
    """5.3: a lie is a legal play."""
    assert decide(laid(), hides(ANNA)) == (KeptHidden(0, ANNA, MogeleiTurn(BEN, later(60))),)


def test_the_highest_card_shown_takes_control() -> None:
    """5.4"""
    assert in_control(after(laid(), shows(ANNA), shows(BEN), hides(CARA))) == ANNA
    assert in_control(ben_in_control()) == BEN


def test_a_number_counts_as_a_number() -> None:
    """5.4: ten is more than nine."""
    given = after(called("red9", "red10", "red2", "red1"), *all_lay("red9", "red10", "red2", "red1"))

    assert in_control(after(given, *(shows(Seat(seat)) for seat in range(4)))) == BEN


def test_control_goes_by_the_cards_of_this_pass_alone() -> None:
    """5.4, D6: Anna's red 8 of the first pass does not count in the second."""
    given = after(called("red8 red1", "red7 red2", "black1 red9"), *all_lay("red8", "red7", "red9"))
    given = after(given, shows(ANNA), hides(BEN), hides(CARA), continues(ANNA), *all_lay("red1", "red2", "black1"))

    assert in_control(after(given, hides(ANNA), shows(BEN), hides(CARA))) == BEN


def test_if_nobody_shows_a_card_the_caller_has_control() -> None:
    """5.5"""
    assert in_control(all_hidden()) == ANNA


def test_if_nobody_shows_one_in_a_later_pass_who_continued_has_control() -> None:
    """5.5, D5: Ben continued, though Anna had called."""
    given = after(ben_in_control(), continues(BEN), lays(ANNA, "red1"), lays(BEN, "blue5"), lays(CARA, "yellow3"))

    assert in_control(after(given, hides(BEN), hides(CARA), hides(ANNA))) == BEN


# ── the controller ──────────────────────────────────────────────────────────────────────────────


def test_the_controller_may_continue_end_or_doubt_and_nobody_else() -> None:
    """6.1"""
    assert {offer.type for offer in offers(ben_in_control(), BEN)} == {
        "mogelei.continue_round",
        "mogelei.end_round",
        "mogelei.doubt",
    }
    assert offers(ben_in_control(), ANNA) == ()
    for command in (continues(ANNA), ends(ANNA), doubts(ANNA, CARA)):
        with refused(Reason.NOT_YOUR_TURN):
            decide(ben_in_control(), command)
    for command in (continues(ANNA), ends(ANNA), doubts(ANNA, CARA)):
        with refused(Reason.NOT_NOW):
            decide(laid(), command)


def test_who_continues_is_the_caller_of_one_more_pass_to_the_same_colour() -> None:
    """6.2"""
    assert told(ben_in_control(), continues(BEN, later(4))) == (RoundContinued(1, BEN, until=later(64)),)
    state = after(ben_in_control(), continues(BEN))
    with refused(MogeleiReason.MUST_FOLLOW):
        decide(state, lays(ANNA, "blue2"))
    second = told(state, lays(ANNA, "red1"), lays(BEN, "blue5"), lays(CARA, "yellow3"))[-1]
    assert isinstance(second, AllLaid)
    assert (second.turn.seat, second.waiting) == (BEN, (CARA, ANNA))


def test_the_cards_of_earlier_passes_stay_on_the_table() -> None:
    """6.2"""
    state = after(ben_in_control(), continues(BEN), lays(ANNA, "red1"), lays(BEN, "blue5"), lays(CARA, "yellow3"))

    assert [(it.pass_id, it.card, it.shown) for it in state.played] == [
        (0, "red8", False),
        (0, "red7", True),
        (0, "black1", False),
        (1, "red1", False),
        (1, "blue5", False),
        (1, "yellow3", False),
    ]


def test_with_empty_hands_nobody_continues() -> None:
    """6.3, D12"""
    given = after(
        called("red1", "red2", "red3"), *all_lay("red1", "red2", "red3"), hides(ANNA), hides(BEN), hides(CARA)
    )

    assert {offer.type for offer in offers(given, ANNA)} == {"mogelei.end_round", "mogelei.doubt"}
    with refused(MogeleiReason.HANDS_EMPTY):
        decide(given, continues(ANNA))


# ── to end the round ────────────────────────────────────────────────────────────────────────────


def test_at_the_end_all_hidden_cards_are_shown_and_the_biggest_liar_gets_an_egg() -> None:
    """7.1, 7.2"""
    shown, kept = told(ben_in_control(), ends(BEN))

    assert shown == RoundEnded(BEN, (MogeleiHidden(0, ANNA, "red8"), MogeleiHidden(0, CARA, "black1")), liar=ANNA)
    assert kept == PileKept(BEN, cards("black1 red7 red8"), egg=ANNA, turn=MogeleiTurn(BEN, later(60)))
    assert after(ben_in_control(), ends(BEN)).eggs == (1, 0, 0)


def test_a_card_that_was_shown_is_no_lie() -> None:
    """7.2, D3: Anna showed the highest; Ben hid the second."""
    shown = told(after(laid(), shows(ANNA), hides(BEN), hides(CARA)), ends(ANNA))[0]

    assert isinstance(shown, RoundEnded)
    assert shown.liar == BEN


def test_a_lie_of_an_earlier_pass_counts_as_well() -> None:
    """7.1, 7.2, D3"""
    given = after(ben_in_control(), continues(BEN), lays(ANNA, "red1"), lays(BEN, "blue5"), lays(CARA, "yellow3"))
    shown = told(after(given, hides(BEN), hides(CARA), shows(ANNA)), ends(ANNA))[0]

    assert isinstance(shown, RoundEnded)
    assert shown.liar == ANNA
    assert [(it.pass_id, it.card) for it in shown.hidden] == [(0, "red8"), (0, "black1"), (1, "blue5"), (1, "yellow3")]


def test_where_nothing_hidden_is_of_the_colour_there_is_no_egg() -> None:
    """7.2, D: no egg when nothing hidden is of the colour"""
    given = after(laid(), shows(ANNA), shows(BEN), hides(CARA))
    shown, kept = told(given, ends(ANNA))

    assert isinstance(shown, RoundEnded)
    assert isinstance(kept, PileKept)
    assert (shown.liar, kept.egg) == (None, None)
    assert after(given, ends(ANNA)).eggs == (0, 0, 0)


def test_a_high_card_of_another_colour_is_no_lie() -> None:
    """7.2: Cara's yellow 9 is the highest number of all."""
    given = after(called(), *all_lay("red1", "red7", "yellow9"), hides(ANNA), hides(BEN), hides(CARA))

    assert after(given, ends(ANNA)).eggs == (0, 1, 0)


def test_the_controller_may_be_the_biggest_liar_himself() -> None:
    """7.3, D4"""
    assert after(all_hidden(), ends(ANNA)).eggs == (1, 0, 0)


def test_who_ends_the_round_keeps_its_cards() -> None:
    """7.4, D2"""
    assert after(ben_in_control(), ends(BEN)).kept == ((), cards("black1 red7 red8"), ())


def test_or_the_biggest_liar_does() -> None:
    """7.4, D2: he who gets the egg; and calls next."""
    state = after(ben_in_control(round_pile="liar"), ends(BEN))

    assert state.kept == (cards("black1 red7 red8"), (), ())
    assert caller(state) == ANNA


def test_where_nobody_lied_the_controller_keeps_them_either_way() -> None:
    """7.4"""
    given = after(laid(round_pile="liar"), shows(ANNA), shows(BEN), hides(CARA))

    assert after(given, ends(ANNA)).kept == (cards("black1 red7 red8"), (), ())


# ── to doubt ────────────────────────────────────────────────────────────────────────────────────


def test_a_right_doubt_gives_all_cards_to_the_doubted_player() -> None:
    """8.2, D1, D: doubt right"""
    shown, kept = told(ben_in_control(), doubts(BEN, ANNA))

    assert shown == Doubted(0, BEN, ANNA, "red8", right=True)
    assert kept == PileKept(ANNA, cards("black1 red7 red8"), egg=None, turn=MogeleiTurn(ANNA, later(60)))


def test_a_wrong_doubt_gives_all_cards_to_the_doubter() -> None:
    """8.3, D1, D: doubt wrong"""
    shown, kept = told(ben_in_control(), doubts(BEN, CARA))

    assert shown == Doubted(0, BEN, CARA, "black1", right=False)
    assert kept == PileKept(BEN, cards("black1 red7 red8"), egg=None, turn=MogeleiTurn(BEN, later(60)))


def test_a_doubt_is_no_ending_with_liars() -> None:
    """8.1, 8.4: one card is shown, and there is no egg."""
    happened = told(all_hidden(), doubts(ANNA, CARA))

    assert [type(event) for event in happened] == [Doubted, PileKept]
    assert after(all_hidden(), doubts(ANNA, CARA)).eggs == (0, 0, 0)
    assert after(all_hidden(), doubts(ANNA, BEN)).eggs == (0, 0, 0)


def test_an_egg_may_comfort_who_was_wrongly_doubted() -> None:
    """8.4, D8: and never who was rightly doubted."""
    given = ben_in_control(false_doubt_egg=True)

    assert after(given, doubts(BEN, CARA)).eggs == (0, 0, 1)
    assert after(given, doubts(BEN, ANNA)).eggs == (0, 0, 0)


def test_after_several_passes_a_doubt_turns_up_the_card_of_the_present_one() -> None:
    """8.1, D7: Anna lied in the first pass, and in the second lays no red card."""
    given = after(called("red8 blue1", "red7 red2", "black1 yellow3"), *all_lay("red8", "red7", "black1"))
    given = after(given, hides(ANNA), shows(BEN), hides(CARA), continues(BEN), *all_lay("blue1", "red2", "yellow3"))

    shown = told(after(given, hides(BEN), hides(CARA), hides(ANNA)), doubts(BEN, ANNA, pass_id=1))[0]

    assert shown == Doubted(1, BEN, ANNA, "blue1", right=False)


def test_a_doubt_that_names_another_pass_is_refused() -> None:
    """8.1"""
    given = after(ben_in_control(), continues(BEN), lays(ANNA, "red1"), lays(BEN, "blue5"), lays(CARA, "yellow3"))
    given = after(given, hides(BEN), hides(CARA), hides(ANNA))

    with refused(MogeleiReason.PASS_CLOSED):
        decide(given, doubts(BEN, ANNA, pass_id=0))
    with refused(MogeleiReason.NO_SUCH_PASS):
        decide(given, doubts(BEN, ANNA, pass_id=2))


def test_nobody_doubts_himself_nor_a_card_that_lies_open() -> None:
    """8.1"""
    given = after(laid(), shows(ANNA), shows(BEN), hides(CARA))

    with refused(MogeleiReason.OWN_CARD):
        decide(given, doubts(ANNA, ANNA))
    with refused(MogeleiReason.NOTHING_HIDDEN):
        decide(given, doubts(ANNA, BEN))
    with refused(MogeleiReason.NOTHING_HIDDEN):
        decide(given, doubts(ANNA, Seat(7)))


def test_where_all_have_shown_their_cards_there_is_nobody_to_doubt() -> None:
    """8.5, D13"""
    reds = ("red1 blue1", "red2 blue2", "red3 blue3")
    given = after(called(*reds), *all_lay("red1", "red2", "red3"), shows(ANNA), shows(BEN), shows(CARA))

    assert {offer.type for offer in offers(given, CARA)} == {"mogelei.continue_round", "mogelei.end_round"}
