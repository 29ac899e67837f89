"""What broke elsewhere, by the numbers of docs/what-breaks.md (public bug reports), and does not here."""

from __future__ import annotations

import msgspec

from domain.games.cheat.actions import Pass, Vacate
from domain.games.cheat.decider import decide
from domain.games.cheat.events import Challenged, Dealt, Event, PileTaken
from domain.games.cheat.evolve import evolve
from domain.games.cheat.house import awaits
from domain.games.cheat.offers import offers
from domain.games.cheat.state import InTurn, LastPlay, State, begin
from domain.kernel.cards import BACK, cards
from domain.kernel.game import HOUSE, Answers, fold
from domain.kernel.offers import OneOf
from domain.kernel.reasons import Reason
from projections.views.cheat import CheatInTurn, CheatLastPlay, redact, view
from projections.views.seam import Viewer
from tests.domain.at_table import later, refused
from tests.domain.cheat.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    accepts,
    after,
    by,
    dealt,
    doubts,
    due,
    house_acts,
    in_turn,
    lays,
    told,
)
from tests.projections.cheat_eyes import COMBINATIONS, match

HANDS = ("QS 7H 2C", "KD 9C 2H", "4S 4H 2S")
LAST = ("7H", "KD 9C 2H", "4S 4H 2S")


def seen_by(viewer: Viewer, given: State, happened: tuple[Event, ...] = ()) -> State:
    """The fold of what a viewer was told, from the deal on."""
    assert isinstance(given.phase, InTurn)
    deal = Dealt(1, CARA, given.hands, given.stock, given.away, 1, 0, given.phase.turn)
    before = begin(given.options, PACE, given.seats, None)
    return fold(evolve, before, (redact(event, viewer) for event in (deal, *happened)))


def test_1_a_double_click_does_not_doubt_the_next_play() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"), doubts(CARA, 0), lays(BEN, "9C"))

    with refused(Reason.ALREADY_CHALLENGED):
        decide(given, doubts(CARA, 0, at=later(0.082)))


def test_2_after_a_doubt_out_of_turn_the_next_player_plays() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"), doubts(CARA, 0))

    assert in_turn(after(given, lays(BEN, "9C"))) == CARA


def test_3_the_very_last_play_can_be_doubted() -> None:
    given = after(dealt(*LAST), lays(ANNA, "7H"))

    assert {offer.type for offer in offers(given, BEN)} == {"cheat.challenge", "cheat.accept"}


def test_4_the_last_window_ends_by_itself() -> None:
    state = house_acts(after(dealt(*LAST, mode="first_to"), lays(ANNA, "7H")), later(30))

    assert state.wins == (1, 0, 0)


def test_5_not_only_the_next_player_may_doubt() -> None:
    assert decide(after(dealt(*HANDS), lays(ANNA, "QS")), doubts(CARA, 0))


def test_6_a_doubted_last_play_is_scored_with_the_pile_where_it_went() -> None:
    given = after(dealt("AS", *HANDS[1:], mode="penalty_points"), lays(ANNA, "AS"))

    assert after(given, doubts(CARA, 0)).points == (0, 3, 4)


def test_7_a_wrong_doubt_in_the_middle_ends_nothing() -> None:
    given = after(dealt("AS 7H", *HANDS[1:]), lays(ANNA, "AS"), doubts(CARA, 0))

    assert isinstance(given.phase, InTurn)


def test_8_who_sits_after_a_caught_last_play_is_not_skipped() -> None:
    given = after(dealt(*LAST), lays(ANNA, "7H"), doubts(CARA, 0))

    assert (in_turn(given), due(given)) == (BEN, "2")


def test_9_who_looks_again_during_the_last_window_is_not_told_that_it_is_over() -> None:
    given = dealt(*LAST)

    seen = seen_by(BEN, given, told(given, lays(ANNA, "7H")))

    assert view(seen, BEN).phase == CheatLastPlay(ANNA, 0, later(30))


def test_10_with_one_card_left_it_is_no_last_play() -> None:
    assert not isinstance(after(dealt(*HANDS), lays(ANNA, "QS 7H")).phase, LastPlay)


def test_11_acting_at_once_takes_nobody_his_time_to_doubt() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS", at=later(1)))

    with refused(Reason.TOO_EARLY, not_before=later(6)):
        decide(given, lays(BEN, "9C", at=later(1.001)))


def test_12_acting_in_the_last_second_takes_nobody_his_time_either() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS", at=later(59.999)))

    assert awaits(given) == Answers((BEN, CARA), until=later(119.999))
    assert decide(given, doubts(CARA, 0, at=later(64)))


def test_13_nobody_doubts_again_what_was_shown() -> None:
    given = after(dealt("AS 7H", *HANDS[1:]), lays(ANNA, "AS"), doubts(CARA, 0))

    with refused(Reason.ALREADY_CHALLENGED):
        decide(given, doubts(BEN, 0))


def test_15_a_lost_command_leaves_nobody_waiting_for_ever() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"))

    assert in_turn(house_acts(given, later(60))) == CARA


def test_16_a_wrong_doubt_costs_the_whole_pile() -> None:
    given = after(dealt("7H QS 2C", "2S 3S 4S", "9C 9D 9H"), lays(ANNA, "7H QS"), lays(BEN, "2S", at=later(6)))

    assert len(after(given, doubts(CARA, 1, at=later(7))).hands[CARA]) == 6


def test_17_no_card_is_laid_twice() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)), lays(CARA, "4S", at=later(12)))

    with refused(Reason.NOT_YOUR_CARDS):
        decide(given, lays(ANNA, "QS", at=later(18)))


def test_18_a_caught_bluff_costs_all_that_lies_there() -> None:
    given = after(dealt("7H QS 2C", "3S 4S", "9C 9D 9H"), lays(ANNA, "7H QS"), lays(BEN, "3S", at=later(6)))

    assert len(after(given, doubts(CARA, 1, at=later(7))).hands[BEN]) == 4


def test_19_after_a_won_doubt_both_happen_the_pile_goes_and_the_turn_moves() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"))
    _, taken = told(given, doubts(BEN, 0))

    assert isinstance(taken, PileTaken)
    assert taken.seat == ANNA
    assert taken.turn is not None
    assert taken.turn.seat == BEN


def test_20_who_leaves_after_a_lie_pays_for_it_himself() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"), by(HOUSE, Vacate(ANNA)))

    assert len(after(given, doubts(CARA, 0)).hands[BEN]) == 3
    assert len(after(given, doubts(CARA, 0)).hands[CARA]) == 3


def test_21_an_empty_stock_changes_no_verdict() -> None:
    given = after(dealt(*HANDS, hand="fixed7", stock=""), lays(ANNA, "QS"))

    shown = told(given, doubts(CARA, 0))[0]
    assert isinstance(shown, Challenged)
    assert not shown.stands


def test_22_what_can_be_doubted_is_named() -> None:
    given = after(dealt(*HANDS, window="extended"), lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)))
    named = [offer.fields["claim_id"] for offer in offers(given, CARA) if offer.type == "cheat.challenge"]

    assert named == [OneOf((1,)), OneOf((0,))]


def test_23_a_doubt_shows_the_cards_and_then_they_are_hidden_again() -> None:
    given = dealt(*HANDS)

    seen = seen_by(BEN, given, told(given, lays(ANNA, "QS"), doubts(CARA, 0)))

    assert seen.last is not None
    assert seen.last.cards == cards("QS")
    assert set(seen.hands[ANNA]) == {BACK}


def test_32_a_joker_does_not_make_everything_true_where_it_is_a_card() -> None:
    given = after(dealt("** 7H 2C", *HANDS[1:], jokers=2, joker_mode="card"), lays(ANNA, "** 7H"))

    shown = told(given, doubts(CARA, 0))[0]
    assert isinstance(shown, Challenged)
    assert not shown.stands


def test_33_who_has_laid_his_last_card_is_asked_nothing_more() -> None:
    given = after(dealt(*LAST), lays(ANNA, "7H"))

    assert offers(given, ANNA) == ()
    assert awaits(given) == Answers((BEN, CARA), until=later(30))


def test_57_58_65_66_71_no_hidden_card_leaves_in_any_form() -> None:
    """Bytes of everything that a spectator or Ben is told: no card of Anna's or Cara's but what was shown."""
    given = dealt(*HANDS, hand="fixed7", stock="5C 5D 5H 5S")
    happened = told(given, lays(ANNA, "QS"), doubts(CARA, 0), by(BEN, Pass(), at=later(1)))
    for viewer in (None, BEN):
        seen = seen_by(viewer, given, happened)
        frames = b"".join(msgspec.json.encode(redact(event, viewer)) for event in happened)
        everything = frames + msgspec.json.encode(seen) + msgspec.json.encode(view(seen, viewer))
        for hidden in ("7H", "2C", "4S", "4H", "2S"):
            assert hidden.encode() not in everything


def test_59_what_a_client_says_of_its_cards_is_checked() -> None:
    with refused(Reason.NOT_YOUR_CARDS):
        decide(dealt(*HANDS), lays(ANNA, "KD"))


def test_60_a_hidden_card_cannot_be_followed() -> None:
    """Two hands of as many cards are the same to others, and so are two piles."""
    one, other = dealt("QS 7H", "KD", "4S"), dealt("AS AC", "KD", "4S")

    assert seen_by(BEN, one).hands == seen_by(BEN, other).hands


def test_61_where_a_card_was_in_the_hand_tells_nothing() -> None:
    """The first or the last: others see one back less."""
    given = dealt(*HANDS)

    assert seen_by(BEN, given, told(given, lays(ANNA, "2C"))) == seen_by(BEN, given, told(given, lays(ANNA, "QS")))


def test_63_who_looks_on_sees_no_hand() -> None:
    assert all(set(hand) == {BACK} for hand in seen_by(None, dealt(*HANDS)).hands)


def test_67_what_needs_a_secret_is_decided_where_it_is_known() -> None:
    """Ben's own view cannot tell whether he is right; the event does, and his view follows."""
    given = dealt(*HANDS)
    claim = told(given, lays(ANNA, "QS"))
    before = seen_by(BEN, given, claim)

    assert decide(before, doubts(BEN, 0))  # not refused: nothing that he can see stands in the way
    outcome = told(after(given, lays(ANNA, "QS")), doubts(BEN, 0))
    assert len(seen_by(BEN, given, (*claim, *outcome)).hands[ANNA]) == 3


def test_68_two_who_accept_at_the_same_moment_both_have() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"), accepts(BEN, 0, at=later(1)), accepts(CARA, 0, at=later(1)))

    assert [window.accepted for window in given.windows] == [(BEN, CARA)]


def test_69_a_play_said_twice_is_taken_once() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "QS"))

    with refused(Reason.NOT_YOUR_TURN):
        decide(given, lays(ANNA, "QS"))


def test_70_all_are_told_of_the_same_events() -> None:
    """Nothing in this game happens behind anyone's back: only cards differ."""
    for number in range(0, len(COMBINATIONS), 40):
        for step in match(number):
            for event in step.events:
                told_kinds = {type(redact(event, viewer)) for viewer in step.seen}
                assert told_kinds == {type(event)}


def test_72_a_player_in_turn_who_goes_leaves_no_table_stuck() -> None:
    given = after(dealt(*HANDS), by(HOUSE, Vacate(ANNA)))

    assert in_turn(given) == BEN
    phase = view(given, BEN).phase
    assert isinstance(phase, CheatInTurn)
    assert phase.rank == "A"


def test_80_rapid_commands_give_no_second_turn() -> None:
    given = after(dealt("AS AC", *HANDS[1:]), lays(ANNA, "AS"))

    with refused(Reason.NOT_YOUR_TURN):
        decide(given, lays(ANNA, "AC", at=later(0.001)))
