"""What broke elsewhere, by the numbers of docs/what-breaks.md (public bug reports), and does not here."""

from __future__ import annotations

import msgspec
import pytest

from domain.games.family_mogeln import FAMILY_MOGELN
from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Controlled, Dealt, Event, PileTaken, RoundOver
from domain.games.family_mogeln.evolve import evolve
from domain.games.family_mogeln.house import awaits
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.state import InTurn, LastTurn, State, begin
from domain.kernel.cards import cards
from domain.kernel.chance import Chance
from domain.kernel.game import Answers, fold
from domain.kernel.offers import OneOf
from domain.kernel.reasons import Reason
from projections.views.family_mogeln import AtLastTurn, redact, view
from projections.views.seam import Viewer
from tests.domain.at_table import later, refused
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    PACE,
    accepts,
    after,
    controls,
    counts,
    dealt,
    due,
    goes,
    held,
    house_acts,
    in_turn,
    lays,
    options,
    settled,
    sits_out,
    told,
    underway,
)
from tests.domain.family_mogeln.walks import match

HANDS = ("QS 7H 5C 9H", "KD 9C 4D", "4S 4H 6D")


def seen_by(viewer: Viewer, given: State, happened: tuple[Event, ...] = ()) -> State:
    """The fold of what a viewer was told, from the deal on."""
    assert isinstance(given.phase, InTurn)
    sizes = tuple(map(len, given.hands))
    deal = Dealt(1, CARA, given.hands, sizes, given.aside, 1, 0, given.phase.turn)
    before = begin(given.options, PACE, given.seats, None)
    return fold(evolve, before, (redact(event, viewer) for event in (deal, *happened)))


FIRST_ROUND = (lays(ANNA, "5C", "6"), lays(BEN, "4D"), lays(CARA, "6D"))


def test_1_a_double_click_does_not_control_the_next_lay() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"), controls(CARA, 3), lays(BEN, "9C"))

    for again in (controls(CARA, 3, later(0.082)), counts(CARA, 3, later(0.082))):
        with refused(Reason.ALREADY_CHALLENGED):
            decide(given, again)


def test_2_after_a_control_out_of_turn_the_next_player_plays() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"), controls(CARA, 3))

    assert in_turn(after(given, lays(BEN, "9C"))) == CARA


def test_3_that_the_very_last_card_cannot_be_controlled_is_a_rule_and_that_of_the_last_turn_can() -> None:
    """8.1, 8.3"""
    emptied = after(underway("7H", *HANDS[1:], mode="first_to"), lays(ANNA, "7H"))
    last_turn = after(underway(*HANDS, max_turns=4), lays(ANNA, "7H"))

    assert {offer.type for offer in offers(emptied, BEN)} == {"family_mogeln.accept_round"}
    assert "family_mogeln.control" in {offer.type for offer in offers(last_turn, BEN)}


def test_4_the_last_window_ends_by_itself() -> None:
    given = after(underway("7H QS", *HANDS[1:], max_turns=4, mode="first_to"), lays(ANNA, "7H"))

    assert house_acts(given, later(30)).wins == (1, 0, 0)


def test_5_not_only_the_next_player_may_control() -> None:
    assert decide(after(underway(*HANDS), lays(ANNA, "QS")), controls(CARA, 3))


def test_6_a_control_on_the_last_turn_is_scored_with_the_pile_where_it_went() -> None:
    given = after(underway("7H QS 5C", *HANDS[1:], max_turns=4, mode="penalty_points"), lays(ANNA, "7H"))

    assert after(given, controls(BEN, 3)).points == (6, 0, 0)


def test_7_a_control_in_vain_ends_nothing() -> None:
    assert isinstance(after(underway(*HANDS), lays(ANNA, "9H"), controls(BEN, 3)).phase, InTurn)


def test_8_nobody_is_skipped_after_a_control_and_nobody_waits_without_a_button() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"), controls(CARA, 3))

    assert (in_turn(given), due(given)) == (BEN, "T")
    for number in range(30):
        for step in match(number):
            awaited = awaits(step.after)
            if isinstance(awaited, Answers):
                assert all(offers(step.after, seat) for seat in awaited.seats)


def test_9_who_looks_again_during_the_last_window_is_not_told_that_it_is_over() -> None:
    given = dealt(*HANDS, max_turns=4)

    seen = seen_by(BEN, given, told(given, *FIRST_ROUND, lays(ANNA, "QS")))

    assert view(seen, BEN).phase == AtLastTurn(ANNA, 3, later(30))


def test_10_with_one_card_left_the_round_goes_on() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS 7H 5C"))

    assert len(given.hands[ANNA]) == 1
    assert isinstance(given.phase, InTurn)


@pytest.mark.parametrize("laid_at, too_soon", [(1, 1.001), (59.999, 60.5)])
def test_11_12_acting_at_once_or_at_the_last_moment_takes_nobody_his_time(laid_at: float, too_soon: float) -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS", at=later(laid_at)))

    with refused(Reason.TOO_EARLY, not_before=later(laid_at + 5)):
        decide(given, lays(BEN, "9C", at=later(too_soon)))
    assert decide(given, controls(BEN, 3, later(laid_at + 4)))


def test_13_what_was_turned_up_is_not_counted_as_well() -> None:
    given = after(underway(*HANDS), lays(ANNA, "9H"), controls(CARA, 3))

    with refused(Reason.ALREADY_CHALLENGED):
        decide(given, counts(BEN, 3))


def test_15_a_lost_command_leaves_nobody_waiting_for_ever() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"))

    assert in_turn(house_acts(given, later(60))) == CARA


def test_16_18_a_control_costs_all_that_lies_there() -> None:
    lied, true = (after(underway(*HANDS), lays(ANNA, laid), controls(BEN, 3)) for laid in ("QS", "9H"))

    assert (len(lied.hands[ANNA]), len(true.hands[BEN])) == (3 + 4, 3 + 4)


def test_17_no_card_is_laid_twice() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"), sits_out(BEN, later(6)), sits_out(CARA, later(6)))

    for laid in ("QS", "7H 7H"):
        with refused(Reason.NOT_YOUR_CARDS):
            decide(given, lays(ANNA, laid, at=later(7)))


def test_19_after_a_control_both_happen_the_pile_goes_and_the_turn_moves() -> None:
    _, taken = told(after(underway(*HANDS), lays(ANNA, "QS")), controls(BEN, 3))

    assert isinstance(taken, PileTaken)
    assert (taken.seat, taken.turn and taken.turn.seat) == (ANNA, BEN)


def test_20_who_leaves_after_a_lie_pays_for_it_himself() -> None:
    given = after(underway(*HANDS, "3C"), lays(ANNA, "QS"), goes(ANNA), controls(CARA, 4))

    assert (len(given.hands[BEN]), len(given.hands[CARA]), len(given.hands[DAN])) == (3, 3, 1)


def test_22_what_can_be_controlled_is_named() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)))
    named = {offer.type: offer.fields["claim_id"] for offer in offers(given, CARA) if "control" in offer.type}

    assert named == {"family_mogeln.control": OneOf((4,)), "family_mogeln.control_multi": OneOf((4,))}


def test_23_a_control_shows_one_card_and_then_it_is_hidden_again() -> None:
    given = dealt(*HANDS)

    seen = seen_by(BEN, given, told(given, *FIRST_ROUND, lays(ANNA, "7H QS"), controls(CARA, 3)))

    assert isinstance(seen.last, Controlled)
    assert seen.last.card == "QS"
    assert seen.hands[ANNA] == ()


def test_24_a_variant_is_an_option_with_a_name() -> None:
    given = dealt("7H QS", "8C KD", "4S 4H", strict_sit_out=True)

    assert [offer.type for offer in offers(given, ANNA)] == ["family_mogeln.lay"]


def test_27_what_is_due_stands_in_the_view_and_in_the_offer() -> None:
    given = underway(*HANDS)
    lay = offers(given, ANNA)[0]

    assert lay.fields["rank"] == OneOf(("9",), optional=True)
    assert view(given, BEN).phase.rank == "9"  # type: ignore[union-attr]


def test_31_who_begins_and_who_goes_on_is_no_accident_of_an_index() -> None:
    """Round after round the deal moves on, whoever won and whoever took a pile."""
    state = settled(begin(options(mode="most_wins", rounds=4, max_turns=1), PACE, 3, None))
    dealers = [state.dealer]
    for n in range(3):
        state = house_acts(after(state, sits_out(in_turn(state), later(10 * n))), later(10 * n + 5))
        dealers.append(state.dealer)
        assert in_turn(state) == state.starter

    first = dealers[0]
    assert first is not None
    assert dealers == [(first + n) % 3 for n in range(4)]


def test_32_a_joker_below_makes_no_lie_true() -> None:
    given = after(underway("** 7H 5C", *HANDS[1:]), lays(ANNA, "** 7H"))

    shown = told(given, controls(CARA, 3))[0]

    assert isinstance(shown, Controlled)
    assert not shown.stands


def test_33_who_has_laid_his_last_card_is_asked_nothing_more() -> None:
    given = after(underway("7H", *HANDS[1:], mode="first_to"), lays(ANNA, "7H"))

    assert [offer.type for offer in offers(given, ANNA)] == ["family_mogeln.accept_round"]


def test_57_58_65_66_71_no_hidden_card_leaves_in_any_form() -> None:
    """Bytes of everything that Ben or a spectator is told: no card of Anna's or Cara's but what was turned up."""
    given = dealt(*HANDS)
    happened = told(given, *FIRST_ROUND, lays(ANNA, "7H QS"), controls(CARA, 3), sits_out(BEN, later(1)))
    for viewer in (None, BEN):
        seen = seen_by(viewer, given, happened)
        frames = b"".join(msgspec.json.encode(redact(event, viewer)) for event in happened)
        everything = frames + msgspec.json.encode(seen) + msgspec.json.encode(view(seen, viewer))
        assert b"QS" in everything
        for hidden in ("7H", "5C", "9H", "4S", "4H", "6D"):
            assert hidden.encode() not in everything


def test_59_what_a_client_says_of_its_cards_is_checked() -> None:
    with refused(Reason.NOT_YOUR_CARDS):
        decide(underway(*HANDS), lays(ANNA, "KD"))


def test_60_61_a_hidden_card_cannot_be_followed_nor_where_it_was_in_the_hand() -> None:
    given = dealt(*HANDS)

    seen = [seen_by(BEN, given, told(given, *FIRST_ROUND, lays(ANNA, laid))) for laid in ("QS", "7H", "9H QS")]

    assert seen[0] == seen[1] == seen[2]


def test_63_who_looks_on_sees_no_hand() -> None:
    assert seen_by(None, dealt(*HANDS)).hands == ((), (), ())


def test_67_what_needs_a_secret_is_decided_where_it_is_known() -> None:
    """Ben's own view cannot tell whether he is right; the event does, and his view follows."""
    given = dealt(*HANDS)
    laid = told(given, *FIRST_ROUND, lays(ANNA, "7H QS"))
    before = seen_by(BEN, given, laid)

    assert decide(before, counts(BEN, 3))  # not refused: nothing that he can see stands in the way
    outcome = told(after(given, *FIRST_ROUND, lays(ANNA, "7H QS")), counts(BEN, 3))
    assert seen_by(BEN, given, (*laid, *outcome)).sizes[ANNA] == 2 + 5


def test_68_two_who_accept_at_the_same_moment_both_have() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"), accepts(BEN, 3, later(1)), accepts(CARA, 3, later(1)))

    assert [window.accepted for window in given.windows] == [(BEN, CARA)]


def test_69_79_80_rapid_commands_give_no_second_turn() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"))

    for again in (lays(ANNA, "QS"), lays(ANNA, "7H", at=later(0.001)), sits_out(ANNA, later(0.001))):
        with refused(Reason.NOT_YOUR_TURN):
            decide(given, again)


def test_70_all_are_told_of_the_same_events() -> None:
    """Nothing in this game happens behind anyone's back: only cards differ."""
    for number in range(20):
        for step in match(number):
            for event in step.events:
                assert {type(redact(event, viewer)) for viewer in step.seen} == {type(event)}


def test_72_a_player_in_turn_who_goes_leaves_no_table_stuck() -> None:
    given = after(dealt(*HANDS, "3C"), lays(ANNA, "7H", "7"), goes(BEN))

    assert (in_turn(given), due(given)) == (CARA, "8")


def test_77_the_end_of_a_turn_fires_once() -> None:
    given = underway(*HANDS)
    slept = house_acts(given, later(60))

    assert len(slept.pile) == len(given.pile) + 1
    assert awaits(slept) == Answers((BEN, CARA), later(120))


def test_82_84_a_deal_asked_for_again_is_the_same_deal() -> None:
    chance = Chance(b"x" * 32, "0" * 36, b"")
    before = begin(options(), PACE, 4, None)

    assert FAMILY_MOGELN.house(before, chance) == FAMILY_MOGELN.house(before, chance)


def test_what_a_taker_knows_of_a_pile_that_he_took_is_all_of_it() -> None:
    """Two that lay as one are two in his hand (5.8, 12.5)."""
    given = dealt(*HANDS)
    happened = told(given, *FIRST_ROUND, lays(ANNA, "9H 7H"), sits_out(BEN, later(6)), lays(CARA, "4H", at=later(6)))
    state = fold(evolve, given, happened)
    taken = told(state, counts(BEN, 4, later(7)))

    seen = seen_by(BEN, given, (*happened, *taken))

    assert seen.hands[BEN].count("9H") == seen.hands[BEN].count("7H") == 1
    assert held(after(state, counts(BEN, 4, later(7))), BEN) == dict.fromkeys(cards("KD 9C 5C 4D 6D 9H 7H 4H"), 1)
    assert not any(isinstance(event, RoundOver) for event in taken)
    assert not isinstance(state.phase, LastTurn)
