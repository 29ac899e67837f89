"""What one player sees of a table of Liar's Dice at one moment."""

from __future__ import annotations

import msgspec

from domain.games.liars_dice.actions import Action
from domain.games.liars_dice.decider import decide
from domain.games.liars_dice.evolve import evolve
from domain.games.liars_dice.options import LiarsDiceOptions
from domain.games.liars_dice.state import State, ToReroll, begin
from domain.kernel.game import Command, fold
from domain.kernel.scoring import Mode
from projections.views.liars_dice import (
    LIARS_DICE_VIEW,
    LiarsDiceOver,
    LiarsDicePause,
    LiarsDicePhase,
    LiarsDiceToAnswer,
    LiarsDiceToBegin,
    LiarsDiceToClaim,
    LiarsDiceToCount,
    LiarsDiceToRoll,
    LiarsDiceView,
    view,
)
from tests.any_game import walk
from tests.domain.at_table import later
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    LIES,
    PACE,
    accepts,
    after,
    dice,
    doubts,
    goes,
    loses,
    ready,
    said,
    says,
    table,
    takes,
    throws_anew,
    wins_a_round,
)

THROWS = "11345 22266 12346 55512"


def test_who_is_to_claim_sees_his_dice_and_what_has_to_be_beaten() -> None:
    """12.1, 12.2: what breaks 27 and 28: tokens are shown, too"""
    state = after(table(THROWS), says(ANNA, "pair:4"), takes(BEN, 0, at=later(6)))
    seen = view(state, BEN)

    assert seen.dice == dice("22266")
    assert seen.phase == LiarsDiceToClaim(BEN, said("pair:4"), later(66), may_reroll=False)
    assert (seen.tokens, seen.playing, seen.turns_left, seen.round, seen.starter) == (
        (3, 3, 3),
        (ANNA, BEN, CARA),
        599,
        1,
        ANNA,
    )


def test_an_open_claim_says_who_said_what_and_who_can_answer_until_when() -> None:
    """12.1"""
    given = after(table(THROWS), says(ANNA, "pair:4"))
    assert view(given, BEN).phase == LiarsDiceToAnswer(
        0, ANNA, said("pair:4"), BEN, later(5), later(30), accepted=(), waits_for=(BEN, CARA)
    )

    assert view(given, BEN).turns_left == 600

    accepted = view(after(given, accepts(CARA, 0)), BEN).phase
    assert accepted == LiarsDiceToAnswer(
        0, ANNA, said("pair:4"), BEN, None, later(30), accepted=(CARA,), waits_for=(BEN,)
    )


def test_after_five_sixes_nobody_is_shown_as_next() -> None:
    """5.5"""
    phase = view(after(table(THROWS), says(ANNA, "five:6")), BEN).phase

    assert isinstance(phase, LiarsDiceToAnswer)
    assert (phase.follows, phase.not_before) == (None, None)


def test_how_many_dice_were_thrown_anew_is_seen_by_all() -> None:
    """8.3, 12.1"""
    given = after(table("11345 66", dice_pass=True), says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))
    assert view(given, BEN).thrown == 0
    assert view(given, BEN).phase == LiarsDiceToClaim(BEN, said("pair:1"), later(66), may_reroll=True)

    state = after(given, throws_anew(BEN, "34", at=later(7)))

    assert (view(state, None).thrown, view(state, BEN).phase) == (
        2,
        LiarsDiceToClaim(BEN, said("pair:1"), later(66), may_reroll=False),
    )


def test_the_last_challenge_stays_in_sight_until_the_next_one() -> None:
    """12.1: what breaks 23"""
    state = after(table(THROWS), says(ANNA, "pair:4"), doubts(CARA, 0), says(BEN, "nothing"))

    last = view(state, None).last_challenge
    assert last is not None
    assert (last.seat, last.challenger, last.dice, last.actual, last.stands) == (
        ANNA,
        CARA,
        dice("11345"),
        "pair:1",
        False,
    )


def test_every_phase_is_told() -> None:
    claimed = after(table(THROWS), says(ANNA, "pair:4"))
    passing = after(table("11345", dice_pass=True), says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))
    pause = after(wins_a_round(table(LIES, mode="first_to"), ANNA), ready(BEN))
    ended = wins_a_round(table(LIES), ANNA)
    last = after(loses(table(LIES, 2), BEN, BEN), says(ANNA, "nothing"))

    assert view(begin(LiarsDiceOptions(), PACE, 3, None), None).phase == LiarsDiceToBegin()
    due: tuple[tuple[State, Command[Action], LiarsDicePhase], ...] = (
        (claimed, takes(BEN, 0, at=later(6)), LiarsDiceToRoll(BEN, said("pair:4"), 5)),
        (claimed, doubts(CARA, 0), LiarsDiceToRoll(BEN, None, 5)),
        (passing, throws_anew(BEN, "34", at=later(7)), LiarsDiceToRoll(BEN, said("pair:1"), 2)),
        (last, doubts(BEN, 2), LiarsDiceToCount()),
    )
    for given, command, phase in due:
        halfway = fold(evolve, given, decide(given, command))
        assert view(halfway, None).phase == phase
        assert bool(view(halfway, None).dice) == isinstance(halfway.phase, ToReroll)
        assert (view(halfway, None).turns_left > 0) == isinstance(phase, LiarsDiceToRoll)
    assert view(pause, None).phase == LiarsDicePause(later(5), (BEN,))
    one_left = after(loses(table(LIES, mode="first_to"), BEN, BEN, BEN), goes(CARA))
    assert isinstance(view(one_left, None).phase, LiarsDicePause)
    assert (view(one_left, None).dice, view(one_left, None).thrown) == ((), 0)
    assert view(ended, None).phase == LiarsDiceOver((ANNA,), (1, 0, 0))


def test_who_left_and_who_lost_all_are_not_playing() -> None:
    seen = view(after(table(LIES, 4), goes(BEN)), None)

    assert (seen.playing, seen.tokens) == ((ANNA, CARA, 3), (3, 0, 3, 3))


def test_a_view_is_no_larger_late_than_early() -> None:
    """A match of 4 seats over 2,000 events."""
    options = LiarsDiceOptions(dice_pass=True, mode=Mode.MOST_WINS, rounds=40)
    sizes = []
    for step in walk(LIARS_DICE_VIEW, 4, 5, options=options, doubt=12):
        sizes += [len(msgspec.json.encode(view(step.seen[ANNA], ANNA)))] * len(step.events)

    assert len(sizes) > 2000
    assert max(sizes[1900:]) <= 1.1 * max(sizes[:400])


def test_names_that_stand_in_the_api_do_not_change_with_another_game() -> None:
    """Tagged types are named by their tag, all others begin with the game's name."""
    schema = msgspec.json.schema(LiarsDiceView)

    assert all(name.startswith("LiarsDice") or name == "Challenged" for name in schema["$defs"])
    assert LIARS_DICE_VIEW.view_type is LiarsDiceView
