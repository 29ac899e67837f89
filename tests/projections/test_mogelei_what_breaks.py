"""What broke elsewhere, by the numbers of docs/what-breaks.md (public bug reports), and does not here.

Mogelei has no window that anybody may answer: the one who controls doubts, in a time of his own.
"""

from __future__ import annotations

import msgspec
import pytest

from domain.games.mogelei.decider import decide
from domain.games.mogelei.events import AllLaid, Doubted, Event, PileKept
from domain.games.mogelei.evolve import evolve
from domain.games.mogelei.house import awaits
from domain.games.mogelei.offers import offers
from domain.games.mogelei.reasons import MogeleiReason
from domain.games.mogelei.state import State, ToCall, begin
from domain.kernel.cards import BACK, cards
from domain.kernel.game import Answers, HouseNow, Over, Seat, fold
from domain.kernel.offers import OneOf
from domain.kernel.reasons import Reason
from projections.views.mogelei import MogeleiToControl, MogeleiToLay, redact, view
from projections.views.seam import Viewer
from tests.domain.at_table import later, refused
from tests.domain.mogelei.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    after,
    all_lay,
    calls,
    continues,
    dealt,
    doubts,
    ends,
    goes,
    hides,
    in_control,
    lays,
    ready,
    shows,
    time_is_up,
    told,
)
from tests.projections.mogelei_eyes import faces, match

HANDS = ("red8 red1 blue2", "red7 blue5 black4", "black1 yellow3 yellow9")
LAID = ("red8", "red7", "black1")
LAST = ("red6", "red3", "blue9")


def called() -> State:
    return after(dealt(*HANDS), calls(ANNA, "red"))


def laid() -> State:
    return after(called(), *all_lay(*LAID))


def ben_in_control() -> State:
    return after(laid(), hides(ANNA), shows(BEN), hides(CARA))


def last_round() -> State:
    """Of a hand; Ben has control."""
    return after(dealt(*LAST), calls(ANNA, "red"), *all_lay(*LAST), hides(ANNA), shows(BEN), hides(CARA))


def seen_by(viewer: Viewer, given: State, *happened: Event) -> State:
    """The fold of what a viewer was told after this moment; what lay there before is as he knows it."""
    backs = tuple(hand if seat == viewer else (BACK,) * len(hand) for seat, hand in enumerate(given.hands))
    seen = (redact(event, viewer) for event in happened)
    return fold(evolve, msgspec.structs.replace(given, hands=backs), (event for event in seen if event is not None))


def test_1_a_double_click_does_not_doubt_the_next_pass() -> None:
    given = after(ben_in_control(), continues(BEN), *all_lay("red1", "blue5", "yellow3"))
    given = after(given, hides(BEN), hides(CARA), hides(ANNA))

    with refused(MogeleiReason.PASS_CLOSED):
        decide(given, doubts(BEN, ANNA, pass_id=0))


def test_2_after_a_doubt_it_goes_on_with_who_kept_the_cards() -> None:
    for command, caller in ((doubts(BEN, ANNA), ANNA), (doubts(BEN, CARA), BEN)):
        state = after(ben_in_control(), command)
        assert awaits(state) == Answers((caller,), later(60))
        assert decide(state, calls(caller, "blue"))


def test_3_the_very_last_cards_can_be_doubted() -> None:
    assert isinstance(told(last_round(), doubts(BEN, ANNA))[0], Doubted)


def test_4_the_last_decision_has_a_time_of_its_own_and_ends_by_itself() -> None:
    given = last_round()

    assert awaits(given) == Answers((BEN,), later(60))
    assert after(given, time_is_up(given, later(60))).eggs == (1, 0, 0)


def test_6_a_doubt_in_the_last_round_is_scored_with_the_cards_where_they_went() -> None:
    assert after(last_round(), doubts(BEN, ANNA)).points == (-3, 0, 0)
    assert after(last_round(), doubts(BEN, CARA)).points == (0, -3, 0)


def test_7_a_wrong_doubt_ends_the_round_and_nothing_else() -> None:
    state = after(ben_in_control(), doubts(BEN, CARA))

    assert isinstance(state.phase, ToCall)
    assert [len(hand) for hand in state.hands] == [2, 2, 2]


def test_8_nobody_is_skipped_when_cards_are_shown_or_hidden() -> None:
    given, asked = laid(), list[Seat]()
    for _ in range(3):
        awaited = awaits(given)
        assert isinstance(awaited, Answers)
        asked += awaited.seats
        given = after(given, hides(awaited.seats[0]))

    assert asked == [ANNA, BEN, CARA]


def test_9_who_looks_again_while_all_lay_sees_that_they_do() -> None:
    seen = seen_by(BEN, called(), *told(called(), lays(ANNA, "red8")))

    assert view(seen, BEN).phase == MogeleiToLay(ANNA, later(60), None)


def test_10_with_one_card_left_it_is_no_last_round() -> None:
    given = after(ben_in_control(), ends(BEN), calls(BEN, "blue"), *all_lay("blue2", "blue5", "yellow3"))
    given = after(given, hides(BEN), hides(CARA), hides(ANNA))

    assert "mogelei.continue_round" in {offer.type for offer in offers(given, BEN)}


def test_11_each_decision_has_its_whole_time() -> None:
    given = after(laid(), hides(ANNA, later(1)))

    assert awaits(given) == Answers((BEN,), later(61))
    assert awaits(after(given, hides(BEN, later(60.999)))) == Answers((CARA,), later(120.999))


def test_12_acting_in_the_last_second_takes_nobody_his_time() -> None:
    given = after(dealt(*HANDS), calls(ANNA, "red", later(59.999)))

    assert awaits(given) == Answers((ANNA, BEN, CARA), later(119.999))


def test_13_nobody_doubts_again_what_was_shown() -> None:
    with refused(Reason.NOT_NOW):
        decide(after(ben_in_control(), doubts(BEN, CARA)), doubts(BEN, CARA))


def test_14_nobody_need_show_his_card() -> None:
    assert decide(laid(), hides(ANNA))


def test_15_a_lost_command_leaves_nobody_waiting_for_ever() -> None:
    given = after(called(), lays(ANNA, "red8"))

    assert in_control(
        after(
            given,
            time_is_up(given, later(60)),
            *(hides(seat, later(61)) for seat in (ANNA, BEN, CARA)),
        )
    ) == ANNA  # fmt: skip


def test_16_18_a_lost_doubt_costs_the_cards_of_all_passes_and_once() -> None:
    given = after(ben_in_control(), continues(BEN), *all_lay("red1", "blue5", "yellow3"))
    given = after(given, hides(BEN), hides(CARA), hides(ANNA))

    assert len(after(given, doubts(BEN, CARA, pass_id=1)).kept[BEN]) == 6
    assert len(after(given, doubts(BEN, ANNA, pass_id=1)).kept[ANNA]) == 6


def test_17_no_card_is_laid_twice() -> None:
    given = after(ben_in_control(), continues(BEN))

    with refused(Reason.NOT_YOUR_CARDS):
        decide(given, lays(ANNA, "red8"))


def test_19_after_a_doubt_both_happen_the_cards_go_and_the_turn_moves() -> None:
    _, kept = told(ben_in_control(), doubts(BEN, ANNA))

    assert isinstance(kept, PileKept)
    assert kept.turn is not None
    assert (kept.seat, kept.turn.seat, len(kept.cards)) == (ANNA, ANNA, 3)


def test_20_who_leaves_after_a_lie_costs_nobody_else_anything() -> None:
    given = after(dealt(*HANDS, "red2 red3 red4"), calls(ANNA, "red"), *all_lay(*LAID, "red2"))
    given = after(given, hides(ANNA), shows(BEN), hides(CARA), hides(Seat(3)), goes(ANNA))

    state = after(given, doubts(BEN, ANNA))

    assert [len(state.kept[seat]) for seat in state.present] == [0, 0, 0]


def test_22_what_can_be_doubted_is_named() -> None:
    (doubt,) = (offer for offer in offers(ben_in_control(), BEN) if offer.type == "mogelei.doubt")

    assert doubt.fields == {"pass_id": OneOf((0,)), "seat": OneOf((ANNA, CARA))}


def test_23_a_doubt_shows_its_card_and_it_is_hidden_again_in_the_pile() -> None:
    given = ben_in_control()
    backs = tuple(msgspec.structs.replace(it, card=it.card if it.shown else BACK) for it in given.played)

    seen = seen_by(CARA, msgspec.structs.replace(given, played=backs), *told(given, doubts(BEN, ANNA)))

    assert seen.last_round is not None
    assert isinstance(seen.last_round.how, Doubted)
    assert seen.last_round.how.card == "red8"
    assert seen.kept[ANNA] == (BACK,) * 3


def test_24_29_the_rules_that_are_options_are_told_with_their_match() -> None:
    """Who keeps the cards of an ended round, and whether a wrong doubt comforts."""
    given = dealt(*HANDS, round_pile="liar", false_doubt_egg=True)

    assert msgspec.to_builtins(given.options) == {"round_pile": "liar", "false_doubt_egg": True}


def test_28_what_is_left_is_shown() -> None:
    seen = view(after(ben_in_control(), ends(BEN)), CARA)

    assert (seen.hand_sizes, seen.kept_sizes, seen.eggs, seen.points) == ((2, 2, 2), (0, 3, 0), (1, 0, 0), (0, 0, 0))


def test_31_who_calls_after_a_doubt_does_not_depend_on_where_he_sits() -> None:
    for shift in range(3):
        seats = [Seat((place + shift) % 3) for place in range(3)]
        hands, cards_laid = [""] * 3, [""] * 3
        for seat, hand, card in zip(seats, HANDS, LAID, strict=True):
            hands[seat], cards_laid[seat] = hand, card
        given = after(dealt(*hands, dealer=seats[2]), calls(seats[0], "red"), *all_lay(*cards_laid))
        state = after(given, hides(seats[0]), shows(seats[1]), hides(seats[2]), doubts(seats[1], seats[0]))

        assert isinstance(state.phase, ToCall)
        assert state.phase.turn.seat == seats[0]


def test_33_who_has_laid_his_last_card_is_not_asked_to_lay() -> None:
    given = after(last_round(), ends(BEN))

    assert {offer.type for seat in (ANNA, BEN, CARA) for offer in offers(given, seat)} == {"mogelei.accept_hand"}


def test_48_who_has_less_than_nothing_plays_on() -> None:
    given = after(last_round(), doubts(BEN, ANNA), ready(ANNA), ready(BEN))

    assert given.points == (-3, 0, 0)
    assert after(given, ready(CARA)).hand == 2


def test_49_to_keep_hidden_is_not_to_be_asked_again() -> None:
    given = after(laid(), hides(ANNA))

    with refused(Reason.NOT_YOUR_TURN):
        decide(given, shows(ANNA))


def test_50_nobody_who_is_to_answer_is_skipped_because_another_left() -> None:
    given = after(dealt(*HANDS, "red2 red3 red4"), calls(ANNA, "red"), *all_lay(*LAID, "red2"))

    given = after(given, hides(ANNA), goes(BEN))

    assert awaits(given) == Answers((CARA,), later(60))


def test_57_58_65_66_71_no_hidden_card_leaves_in_any_form() -> None:
    """Bytes of everything that a spectator or Ben is told of a whole round: no card but what was shown, or his own."""
    given = dealt(*HANDS)
    happened = told(given, calls(ANNA, "red"), *all_lay(*LAID), hides(ANNA), shows(BEN), hides(CARA), doubts(BEN, CARA))
    for viewer in (None, BEN):
        seen = seen_by(viewer, given, *happened)
        frames = [redact(event, viewer) for event in happened]
        own = {*cards(HANDS[1]), *LAID} if viewer == BEN else set()  # Ben doubted wrongly, and keeps the cards
        assert faces([frames, view(seen, viewer), seen.hands, seen.kept]) <= own | {"red7", "black1"}


def test_59_what_a_client_says_of_its_cards_is_checked() -> None:
    with refused(Reason.NOT_YOUR_CARDS):
        decide(called(), lays(ANNA, "red7"))


def test_60_a_hidden_card_cannot_be_followed() -> None:
    """Two hands of as many cards are the same to others, and so are two cards on the table."""
    one = dealt("red8 blue2", "red7 blue5", "black1 black2")
    other = dealt("red8 blue9", "red7 blue5", "black5 yellow1")
    laid_one = told(one, calls(ANNA, "red"), *all_lay("red8", "red7", "black1"))
    laid_other = told(other, calls(ANNA, "red"), *all_lay("red8", "red7", "yellow1"))

    assert seen_by(BEN, one, *laid_one).played == seen_by(BEN, other, *laid_other).played
    assert seen_by(BEN, one, *laid_one).hands == seen_by(BEN, other, *laid_other).hands


def test_61_where_a_card_was_in_the_hand_tells_nothing() -> None:
    given = dealt(*HANDS)
    high, low = (told(given, calls(ANNA, "red"), *all_lay(card, "red7", "black1")) for card in ("red8", "red1"))

    assert seen_by(BEN, given, *high) == seen_by(BEN, given, *low)


def test_63_who_looks_on_sees_no_hand() -> None:
    assert all(set(hand) == {BACK} for hand in seen_by(None, dealt(*HANDS)).hands)


def test_67_what_needs_a_secret_is_decided_where_it_is_known() -> None:
    """Ben's own view cannot tell whether he is right: he may doubt either, and the event tells."""
    given = ben_in_control()
    backs = tuple(msgspec.structs.replace(it, card=it.card if it.shown else BACK) for it in given.played)
    own = seen_by(BEN, msgspec.structs.replace(given, played=backs))

    assert decide(own, doubts(BEN, ANNA))
    assert decide(own, doubts(BEN, CARA))
    right, wrong = (told(given, doubts(BEN, seat))[0] for seat in (ANNA, CARA))
    assert isinstance(right, Doubted)
    assert isinstance(wrong, Doubted)
    assert (right.right, wrong.right) == (True, False)


def test_68_who_lays_at_the_same_moment_has_laid_too() -> None:
    """No lay makes another one stale."""
    assert isinstance(told(called(), *all_lay(*LAID))[-1], AllLaid)


@pytest.mark.parametrize(
    "given, command",
    [
        (called(), lays(ANNA, "red8")),
        (laid(), hides(ANNA)),
        (ben_in_control(), continues(BEN)),
        (ben_in_control(), ends(BEN)),
        (ben_in_control(), doubts(BEN, ANNA)),
        (dealt(*HANDS), calls(ANNA, "red")),
        (after(last_round(), ends(BEN)), ready(ANNA)),
    ],
)
def test_69_79_80_what_is_said_twice_is_taken_once(given: State, command: object) -> None:
    """Laid, answered, decided, called, accepted: the second click is refused."""
    once = after(given, command)  # type: ignore[arg-type]

    with pytest.raises(Exception, match=r"already|not_now|not_your_turn"):
        decide(once, command)  # type: ignore[arg-type]


def test_70_all_are_told_of_the_same_events_but_of_laying() -> None:
    for number in range(4):
        for step in match(number):
            for event in step.events:
                kinds = [redact(event, viewer) is None for viewer in step.seen]
                unheard = event.__struct_config__.tag == "mogelei.laid"
                assert kinds.count(True) == (step.before.seats if unheard else 0)


def test_72_whoever_is_waited_for_and_goes_leaves_no_table_stuck() -> None:
    for given in (dealt(*HANDS), called(), laid(), ben_in_control()):
        awaited = awaits(given)
        assert isinstance(awaited, Answers)
        for seat in awaited.seats:
            state = after(given, goes(seat))
            waiting = awaits(state)
            assert isinstance(waiting, Answers)
            assert waiting.seats
            assert seat not in waiting.seats


def test_74_who_comes_back_sees_his_own_cards() -> None:
    seen = seen_by(ANNA, dealt(*HANDS), *told(dealt(*HANDS), calls(ANNA, "red"), *all_lay(*LAID)))

    assert view(seen, ANNA).hand == cards("red1 blue2")
    assert view(seen, ANNA).table[0].card == "red8"


def test_75_who_laid_in_time_is_not_laid_for() -> None:
    given = after(called(), lays(ANNA, "red8", later(59.999)))

    state = after(given, time_is_up(given, later(60)))

    assert [it.card for it in state.played] == ["red8", "red7", "black1"]


def test_76_every_deadline_stands_in_the_events() -> None:
    """So it is the same after a restart: folding the log gives it."""
    happened = told(dealt(*HANDS), calls(ANNA, "red", later(7)))

    assert awaits(fold(evolve, dealt(*HANDS), happened)) == Answers((ANNA, BEN, CARA), later(67))


def test_77_time_that_runs_out_twice_lays_once() -> None:
    given = after(called(), lays(ANNA, "red8"))
    act = time_is_up(given, later(60))

    with refused(Reason.NOT_NOW):
        decide(after(given, act), act)


def test_78_the_end_that_is_told_is_the_end_that_counts() -> None:
    given = called()
    phase, waiting = view(given, ANNA).phase, awaits(given)

    assert isinstance(phase, MogeleiToLay)
    assert isinstance(waiting, Answers)
    assert phase.until == waiting.until == offers(given, ANNA)[0].until
    assert decide(given, lays(ANNA, "red8", later(59.999999)))


def test_82_what_is_dealt_is_an_event_and_is_not_drawn_again() -> None:
    steps = match(1)
    stored = [msgspec.json.encode(event) for step in steps for event in step.events]
    read = [msgspec.json.decode(event, type=Event) for event in stored]

    assert fold(evolve, begin(steps[0].before.options, PACE, steps[0].before.seats, None), read).hands == (
        steps[-1].after.hands
    )


def test_40_41_a_match_has_a_winner_and_ends_once() -> None:
    state = after(last_round(), ends(BEN), goes(ANNA), goes(BEN))

    assert isinstance(awaits(state), Over)
    assert not isinstance(awaits(state), HouseNow)
    with refused(Reason.NOT_NOW):
        decide(state, ready(CARA))


def test_27_what_the_controller_may_do_is_told_with_its_pass() -> None:
    assert view(ben_in_control(), ANNA).phase == MogeleiToControl(BEN, later(60), 0)
