"""What broke elsewhere, by the numbers of docs/what-breaks.md (public bug reports), and does not here."""

from __future__ import annotations

import msgspec

from domain.games.liars_dice.actions import CloseWindow, TakeDice
from domain.games.liars_dice.bots import BOTS
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.events import Challenged, Event
from domain.games.liars_dice.evolve import evolve
from domain.games.liars_dice.house import awaits, house
from domain.games.liars_dice.ladder import RUNG, best
from domain.games.liars_dice.offers import offers
from domain.games.liars_dice.reasons import LiarsDiceReason
from domain.games.liars_dice.state import State, ToAnswer
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, Over, fold
from domain.kernel.offers import OneOf
from domain.kernel.reasons import Reason
from projections.views.liars_dice import LiarsDiceToAnswer, LiarsDiceToClaim, redact, view
from projections.views.seam import Viewer
from tests.any_game import eyes, texts_in
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    LIES,
    accepts,
    after,
    as_seen,
    by,
    dice,
    doubts,
    goes,
    house_acts,
    in_turn,
    loses,
    says,
    table,
    takes,
    throws_anew,
    to_beat,
    told,
    what_the_house_does,
)
from tests.projections.liars_dice_eyes import NUMBERS, match

THROWS = "11345 22266 12346 55512"


def seen_by(viewer: Viewer, given: State, happened: tuple[Event, ...]) -> State:
    """The fold of what a viewer was told of what happened at this table."""
    return fold(evolve, as_seen(given, viewer), (redact(event, viewer) for event in happened))


def test_1_a_double_click_does_not_doubt_the_next_claim() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"), doubts(CARA, 0), says(BEN, "pair:1"))

    with refused(Reason.ALREADY_CHALLENGED):
        decide(given, doubts(CARA, 0, at=later(0.082)))


def test_2_after_a_doubt_out_of_turn_the_next_player_plays() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"), doubts(CARA, 0))

    assert in_turn(given) == BEN
    assert decide(given, says(BEN, "nothing"))


def test_3_the_very_last_claim_can_be_doubted() -> None:
    given = after(table(THROWS, max_turns=1), says(ANNA, "pair:4"))

    assert {offer.type for offer in offers(given, BEN)} == {"liars_dice.challenge", "liars_dice.accept"}


def test_4_the_last_window_ends_by_itself() -> None:
    given = after(table(THROWS, max_turns=1), says(ANNA, "pair:4"))

    assert isinstance(awaits(house_acts(given, later(30))), Over)


def test_5_not_only_the_next_player_may_doubt() -> None:
    assert decide(after(table(THROWS), says(ANNA, "pair:4")), doubts(CARA, 0))


def test_6_a_doubt_of_the_last_claim_is_counted_before_the_round_is() -> None:
    given = after(table(THROWS, max_turns=1, mode="penalty_points", rounds=1), says(ANNA, "pair:4"))

    assert awaits(after(given, doubts(BEN, 0))) == Over((BEN, CARA), (1, 0, 0))


def test_7_a_wrong_doubt_in_the_middle_ends_nothing() -> None:
    given = after(table(THROWS), says(ANNA, "pair:1"), doubts(CARA, 0))

    assert in_turn(given) == BEN


def test_8_who_sits_after_one_who_is_out_is_not_skipped() -> None:
    given = loses(table(LIES, 4), ANNA, ANNA, ANNA)

    assert in_turn(given) in given.playing
    assert offers(given, in_turn(given))


def test_9_who_looks_again_during_a_window_sees_the_window() -> None:
    given = table(THROWS, max_turns=1)

    seen = seen_by(BEN, given, told(given, says(ANNA, "pair:4")))

    assert isinstance(view(seen, BEN).phase, LiarsDiceToAnswer)


def test_11_acting_at_once_takes_nobody_his_time_to_doubt() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4", at=later(1)))

    with refused(Reason.TOO_EARLY, not_before=later(6)):
        decide(given, takes(BEN, 0, at=later(1.001)))


def test_12_acting_in_the_last_second_takes_nobody_his_time_either() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4", at=later(59.999)))

    assert awaits(given) == Answers((BEN, CARA), until=later(89.999))


def test_13_nobody_doubts_again_what_was_shown() -> None:
    given = after(table(THROWS), says(ANNA, "pair:1"), doubts(CARA, 0))

    with refused(Reason.ALREADY_CHALLENGED):
        decide(given, doubts(BEN, 0))


def test_15_a_lost_command_leaves_nobody_waiting_for_ever() -> None:
    given = house_acts(after(table(THROWS), says(ANNA, "pair:4")), later(30))

    assert isinstance(house_acts(given, later(90)).phase, ToAnswer)


def test_16_18_a_challenge_costs_exactly_one_token() -> None:
    given = table(THROWS)

    assert sum(after(given, says(ANNA, "pair:1"), doubts(BEN, 0)).tokens) == 8
    assert sum(after(given, says(ANNA, "pair:4"), doubts(BEN, 0)).tokens) == 8


def test_17_no_token_is_lost_twice() -> None:
    given = loses(table(LIES, 3), BEN, BEN, BEN)
    assert given.tokens[BEN] == 0

    state = after(given, says(in_turn(given), "nothing"))
    with refused(Reason.OUT_OF_ROUND):
        decide(state, doubts(BEN, 3))


def test_19_after_a_won_doubt_both_happen_the_token_goes_and_the_turn_moves() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"), doubts(BEN, 0))

    assert (given.tokens, in_turn(given), to_beat(given)) == ((2, 3, 3), BEN, None)


def test_20_who_leaves_after_a_lie_pays_for_it_himself() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"), goes(ANNA, at=later(1)))

    assert after(given, doubts(CARA, 0, at=later(2))).tokens == (0, 3, 3)


def test_22_27_what_can_be_doubted_and_what_has_to_be_beaten_is_named() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"))
    assert offers(given, CARA)[0].fields == {"claim_id": OneOf((0,))}

    phase = view(after(given, takes(BEN, 0, at=later(6))), CARA).phase
    assert isinstance(phase, LiarsDiceToClaim)
    assert phase.beats == "pair:4"


def test_23_a_doubt_shows_the_dice_and_new_ones_are_hidden_again() -> None:
    given = table(THROWS)

    seen = seen_by(CARA, given, told(given, says(ANNA, "pair:4"), doubts(CARA, 0)))

    assert seen.last is not None
    assert seen.last.dice == dice("11345")
    assert seen.dice == ("??",) * 5


def test_24_the_winner_of_a_challenge_loses_nothing() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"), doubts(CARA, 0))

    assert given.tokens == (2, 3, 3)


def test_25_five_sixes_end_the_sequence_whatever_lies_there() -> None:
    for throws in ("66666", "11345"):
        given = after(table(throws), says(ANNA, "five:6"))
        shown = what_the_house_does(given, later(30))[0]
        assert isinstance(shown, Challenged)
        assert shown.held


def test_26_bots_know_every_option() -> None:
    """Dice handed on may be thrown anew, and both bots do that."""
    given = after(table("11345", dice_pass=True), says(ANNA, "pair:6"), takes(BEN, 0, at=later(6)))
    luck = Chance(b"", "", b"")
    for bot in BOTS.values():
        chosen = {type(bot.choose(bot.begin(1, 3), given, offers(given, BEN), luck.bot(1, n))) for n in range(20)}
        assert "Reroll" in {kind.__name__ for kind in chosen}


def test_28_tokens_are_shown() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"), doubts(CARA, 0))

    assert view(given, None).tokens == (2, 3, 3)


def test_29_30_the_order_of_claims_is_the_one_that_is_written_down() -> None:
    """A higher kind with lower faces beats: the rules' own examples, low to high, are in that order on the ladder."""
    examples = ["nothing", "pair:4", "two_pairs:5-2", "three:4", "straight:6", "full_house:4-2", "four:4", "five:6"]

    assert sorted(examples, key=RUNG.__getitem__) == examples
    given = after(table(THROWS), says(ANNA, "pair:6"), takes(BEN, 0, at=later(6)))
    assert decide(given, says(BEN, "two_pairs:2-1", at=later(7)))


def test_31_who_begins_after_a_challenge_is_no_accident_of_an_index() -> None:
    for challenger in (BEN, CARA):
        for claim in ("pair:1", "pair:4"):
            state = after(table(THROWS), says(ANNA, claim), doubts(challenger, 0))
            assert in_turn(state) == BEN


def test_57_58_65_66_71_no_hidden_die_leaves_in_any_form() -> None:
    """Bytes of everything that Cara or who looks on is told: dice that nobody could name by accident."""
    given = table("11345 22266 44455")
    happened = told(given, says(ANNA, "pair:6"), takes(BEN, 0, at=later(6)), says(BEN, "three:1", at=later(7)))
    for viewer in (None, CARA):
        seen = seen_by(viewer, given, happened)
        told_to = [redact(event, viewer) for event in happened]
        everything = msgspec.json.encode((told_to, seen, view(seen, viewer)))
        for hidden in ("11345", "22266"):
            assert msgspec.json.encode(dice(hidden)) not in everything
        assert not {"1", "2", "3", "4", "5", "6"} & texts_in((told_to, seen))


def test_59_what_a_client_says_of_its_dice_is_checked() -> None:
    given = after(table("11345", dice_pass=True), says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))

    with refused(LiarsDiceReason.NOT_YOUR_DICE):
        decide(given, throws_anew(BEN, "66", at=later(7)))


def test_60_61_a_hidden_die_cannot_be_followed() -> None:
    """Which dice were thrown anew, and where they lay: others see five backs before and after."""
    given = after(table("11345 66", dice_pass=True), says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))
    for faces in ("1", "5"):
        happened = told(given, throws_anew(BEN, faces, at=later(7)))
        assert [redact(event, CARA) for event in happened] == [
            redact(event, CARA) for event in told(given, throws_anew(BEN, "3", at=later(7)))
        ]


def test_67_what_needs_a_secret_is_decided_where_it_is_known() -> None:
    """Cara's own view cannot tell whether she is right; the event does."""
    given = table(THROWS)
    seen = seen_by(CARA, given, told(given, says(ANNA, "pair:4")))

    assert decide(seen, doubts(CARA, 0))  # not refused: nothing that she can see stands in the way
    shown = told(after(given, says(ANNA, "pair:4")), doubts(CARA, 0))[0]
    assert isinstance(shown, Challenged)
    assert shown.actual == best(dice("11345"))


def test_68_two_who_accept_at_the_same_moment_both_have() -> None:
    given = after(table(THROWS, 4), says(ANNA, "pair:4"), accepts(BEN, 0), accepts(CARA, 0))

    assert given.windows[0].accepted == (BEN, CARA)


def test_69_80_a_claim_said_twice_is_taken_once() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"))

    with refused(Reason.NOT_YOUR_TURN):
        decide(given, says(ANNA, "pair:5", at=later(0.001)))
    taken = after(given, takes(BEN, 0, at=later(6)))
    with refused(Reason.CLAIM_CLOSED):
        decide(taken, by(BEN, TakeDice(0), later(6.001)))


def test_70_all_are_told_of_the_same_events() -> None:
    """Nothing in this game happens behind anyone's back: only dice differ."""
    for number in NUMBERS:
        for step in match(number):
            for event in step.events:
                assert {type(redact(event, viewer)) for viewer in eyes(step.before.seats)} == {type(event)}


def test_72_a_player_in_turn_who_goes_leaves_no_table_stuck() -> None:
    given = after(table(THROWS), goes(ANNA))

    assert in_turn(given) == BEN


def test_77_a_window_that_closes_and_one_who_takes_the_dice_throw_once() -> None:
    given = after(table(THROWS), says(ANNA, "pair:4"), takes(BEN, 0, at=later(29.999)))

    with refused(Reason.NOT_NOW):
        decide(given, by(HOUSE, CloseWindow(0), later(30)))


def test_82_a_throw_that_is_asked_for_again_is_the_same_throw() -> None:
    given = after(table("11345"), says(ANNA, "pair:4"))
    waiting = fold(evolve, given, decide(given, takes(BEN, 0, at=later(6))))

    assert house(waiting, CHANCE) == house(waiting, CHANCE)


def test_84_85_every_face_comes_as_often_as_any_other() -> None:
    """Six thousand dice of the House: each face between 900 and 1,100 times."""
    luck = [face for k in range(1200) for face in CHANCE.draw(k).dice(5)]

    assert all(900 < luck.count(face) < 1100 for face in range(1, 7))
