"""What one player sees of a table of Mogelei at one moment."""

from __future__ import annotations

import msgspec
import pytest

from domain.games.mogelei.decider import decide
from domain.games.mogelei.events import Doubted, HandOver, MogeleiHidden, RoundEnded
from domain.games.mogelei.evolve import evolve
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import MogeleiLastRound, State, begin
from domain.kernel.cards import cards
from domain.kernel.game import fold
from projections.views.mogelei import (
    MOGELEI_VIEW,
    MogeleiOver,
    MogeleiPause,
    MogeleiPlayed,
    MogeleiToCall,
    MogeleiToControl,
    MogeleiToCount,
    MogeleiToDeal,
    MogeleiToLay,
    MogeleiToReveal,
    MogeleiView,
    view,
)
from projections.views.seam import Viewer
from tests.domain.at_table import later
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
    lays,
    ready,
    shows,
)
from tests.domain.mogelei.walks import walk
from tests.projections.mogelei_eyes import match

HANDS = ("red8 red1 blue2", "red7 blue5 black4", "black1 yellow3 yellow9")
LAST = ("red6", "red3", "blue9")


def shown(state: State, viewer: Viewer = None) -> MogeleiView:
    return view(state, viewer)


def called() -> State:
    return after(dealt(*HANDS), calls(ANNA, "red"))


def ben_in_control() -> State:
    return after(called(), *all_lay("red8", "red7", "black1"), hides(ANNA), shows(BEN), hides(CARA))


def test_a_player_sees_his_hand_sorted_and_how_many_the_others_hold() -> None:
    """12.1, 12.2"""
    seen = shown(called(), ANNA)

    assert seen.hand == cards("red1 red8 blue2")
    assert seen.hand_sizes == (3, 3, 3)
    assert (seen.hand_number, seen.round, seen.dealer, seen.colour, seen.playing) == (
        1,
        1,
        CARA,
        "red",
        (ANNA, BEN, CARA),
    )


def test_who_looks_on_without_a_seat_has_no_hand_and_no_pile() -> None:
    """12.2"""
    seen = shown(after(ben_in_control(), ends(BEN)))

    assert (seen.hand, seen.own_pile, seen.own_fried) == ((), (), 0)


def test_what_one_has_laid_oneself_is_seen_at_once_and_what_others_have_is_not() -> None:
    """4.3"""
    state = after(called(), lays(ANNA, "red8"))

    assert shown(state, ANNA).phase == MogeleiToLay(ANNA, later(60), "red8")
    assert shown(state, ANNA).hand == cards("red1 blue2")
    assert shown(state, BEN).phase == MogeleiToLay(ANNA, later(60), None)
    assert shown(state, BEN).hand_sizes == shown(state, ANNA).hand_sizes == (3, 3, 3)


def test_the_table_shows_who_laid_in_which_pass_and_the_faces_of_what_is_open_or_ones_own() -> None:
    """12.1, 12.3"""
    state = after(ben_in_control(), continues(BEN), *all_lay("red1", "blue5", "yellow3"))

    assert shown(state, CARA).table == (
        MogeleiPlayed(0, ANNA, shown=False),
        MogeleiPlayed(0, BEN, shown=True, card="red7"),
        MogeleiPlayed(0, CARA, shown=False, card="black1"),
        MogeleiPlayed(1, ANNA, shown=False),
        MogeleiPlayed(1, BEN, shown=False),
        MogeleiPlayed(1, CARA, shown=False, card="yellow3"),
    )


def test_ones_own_pile_may_be_looked_at_and_of_the_others_only_the_number_is_known() -> None:
    """12.4"""
    state = after(ben_in_control(), doubts(BEN, ANNA))

    assert shown(state, ANNA).own_pile == cards("black1 red7 red8")
    assert shown(state, BEN).own_pile == ()
    assert shown(state, BEN).kept_sizes == (3, 0, 0)


def test_how_the_last_round_ended_stays_in_sight_until_the_next_one_has() -> None:
    """7.1, 8.1: what breaks 23"""
    doubted = after(ben_in_control(), doubts(BEN, ANNA), calls(ANNA, "blue"))
    ended = after(ben_in_control(), ends(BEN))
    hidden = (MogeleiHidden(0, ANNA, "red8"), MogeleiHidden(0, CARA, "black1"))

    assert shown(doubted).last_round == MogeleiLastRound(Doubted(0, BEN, ANNA, "red8", right=True), ANNA, 3, None)
    assert shown(ended).last_round == MogeleiLastRound(RoundEnded(BEN, hidden, ANNA), BEN, 3, ANNA)
    assert shown(ended).eggs == (1, 0, 0)


def test_every_phase_is_told() -> None:
    given = after(called(), *all_lay("red8", "red7", "black1"))
    control = ben_in_control()
    last = after(dealt(*LAST), calls(ANNA, "red"), *all_lay(*LAST), hides(ANNA), shows(BEN), hides(CARA))
    pause = after(last, ends(BEN), ready(CARA))

    assert shown(begin(MogeleiOptions(), PACE, 3, None)).phase == MogeleiToDeal()
    assert shown(dealt(*HANDS)).phase == MogeleiToCall(ANNA, later(60))
    assert shown(given).phase == MogeleiToReveal(ANNA, ANNA, later(60), (BEN, CARA))
    assert shown(control).phase == MogeleiToControl(BEN, later(60), 0)
    assert shown(fold(evolve, last, decide(last, ends(BEN)))).phase == MogeleiToCount()
    assert shown(pause).phase == MogeleiPause(later(5), (CARA,))
    assert shown(after(pause, goes(ANNA), goes(BEN))).phase == MogeleiOver((CARA,), (3, -3, 0))


def test_what_the_last_hand_brought_is_told() -> None:
    """12.5: fried eggs are counted in sight of all."""
    last = after(dealt(*LAST), calls(ANNA, "red"), *all_lay(*LAST), hides(ANNA), shows(BEN), hides(CARA))
    assert shown(last).last_hand is None

    state = after(last, ends(BEN))

    assert shown(state).last_hand == HandOver(1, (1, 0, 0), (0, 3, 0), (3, -3, 0), (3, -3, 0), later(5))
    assert shown(state).points == (3, -3, 0)


def test_the_caller_of_a_pass_who_has_left_is_followed_in_the_view() -> None:
    """11.2"""
    state = after(called(), goes(ANNA))

    assert shown(state).phase == MogeleiToLay(BEN, later(60), None)
    assert (shown(state).playing, shown(state).hand_sizes) == ((BEN, CARA), (0, 3, 3))


def test_who_leaves_after_laying_sees_no_hand_any_more() -> None:
    """11.1"""
    state = after(called(), lays(ANNA, "red8"), goes(ANNA))

    assert shown(state, ANNA).hand == ()
    assert shown(state, ANNA).phase == MogeleiToLay(BEN, later(60), None)


@pytest.mark.parametrize("number", range(0, 12, 2))
def test_a_view_goes_over_the_wire_and_back(number: int) -> None:
    for step in match(number):
        for viewer, own in step.seen.items():
            told = view(own, viewer)
            assert msgspec.json.decode(msgspec.json.encode(told), type=MogeleiView) == told


def test_a_view_is_no_larger_late_than_early() -> None:
    """Matches of eight: no view of the last hands is larger than those of the first two make it."""
    sizes = dict.fromkeys((1, 2, 3, 4, 5), 0)
    for step in [step for seed in range(4) for step in walk(MogeleiOptions(), 8, seed, ending=6)]:
        size = len(msgspec.json.encode(view(step.seen[ANNA], ANNA)))
        sizes[step.after.hand] = max(sizes[step.after.hand], size)

    assert max(sizes[hand] for hand in (3, 4, 5)) <= 1.1 * max(sizes[1], sizes[2])


def test_names_that_stand_in_the_api_are_the_games_own() -> None:
    """Tagged types are named by their tag, all others begin with the game's name."""
    schema = msgspec.json.schema(MogeleiView)

    assert {name for name in schema["$defs"] if not name.startswith("Mogelei")} == {"Doubted", "HandOver", "RoundEnded"}
    assert all(
        str(kind.__struct_config__.tag).startswith("mogelei.")
        for kind in (MogeleiToDeal, MogeleiToCall, MogeleiToLay, MogeleiToReveal, MogeleiToControl, MogeleiToCount)
    )
    assert MOGELEI_VIEW.view_type is MogeleiView
