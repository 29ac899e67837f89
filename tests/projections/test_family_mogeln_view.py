"""What one player sees of a table of the family's Mogeln at one moment."""

from __future__ import annotations

from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.evolve import evolve
from domain.games.family_mogeln.options import Options
from domain.games.family_mogeln.state import State, begin
from domain.kernel.cards import cards
from domain.kernel.game import fold
from projections.views.family_mogeln import (
    AtCount,
    AtDeal,
    AtEnd,
    AtLastTurn,
    AtPause,
    AtTurn,
    OpenLay,
    PileLay,
    View,
    view,
)
from projections.views.seam import Viewer
from tests.domain.at_table import later
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    TWOS,
    accepts,
    after,
    controls,
    counts,
    dealt,
    goes,
    lays,
    ready,
    sits_out,
    underway,
)

HANDS = ("QS 7H 5C 6C", "KD 9C 4D", "4S 4H 6D")


def shown(state: State, viewer: Viewer = None) -> View:
    return view(state, viewer)


def test_a_player_sees_his_hand_sorted_and_how_many_the_table_counts_in_others() -> None:
    """12.1, 12.2, 12.4"""
    state = after(underway(*HANDS), lays(ANNA, "QS 7H"))

    assert shown(state, BEN).hand == cards("4D 9C KD")
    assert shown(state, ANNA).hand == cards("5C 6C")
    assert [shown(state, viewer).hand_sizes for viewer in (None, ANNA, BEN)] == [(3, 3, 3)] * 3
    assert shown(state, ANNA).pile_size == shown(state).pile_size == 4
    assert shown(state).hand == ()


def test_what_is_public_of_a_round() -> None:
    """4.6, 12.1"""
    seen = shown(underway(*HANDS))

    assert (seen.round, seen.dealer, seen.starter, seen.controls) == (1, CARA, ANNA, False)
    assert (seen.turns_left, seen.packs, seen.aside_size, seen.playing) == (597, 1, 42, (ANNA, BEN, CARA))
    assert shown(after(underway(*HANDS), lays(ANNA, "QS"))).controls


def test_an_open_lay_says_who_said_what_and_until_when_it_can_be_controlled() -> None:
    """12.1"""
    seen = shown(after(underway(*HANDS), lays(ANNA, "7H QS"), accepts(CARA, 3, at=later(1))), BEN)

    assert seen.open_lay == OpenLay(3, ANNA, "9", later(5), closes_at=later(60), accepted=(CARA,), waits_for=(BEN,))
    assert seen.phase == AtTurn(BEN, "T", None, later(60), ())  # Cara has accepted: Ben may lay at once
    assert shown(underway(*HANDS)).open_lay is None


def test_the_lays_in_the_pile_stay_on_record_and_ones_own_cards_in_it_are_known() -> None:
    """12.1, 12.3"""
    state = after(underway(*HANDS), lays(ANNA, "7H QS"))

    assert shown(state, ANNA).pile[0] == PileLay(0, ANNA, "6", cards(TWOS[0]))
    assert shown(state, ANNA).pile[1] == PileLay(1, BEN, "7")
    assert shown(state, ANNA).pile[3] == PileLay(3, ANNA, "9", cards("7H QS"))
    assert shown(state, BEN).pile[3] == shown(state).pile[3] == PileLay(3, ANNA, "9")


def test_the_last_control_stays_in_sight_until_the_next_one() -> None:
    """What breaks 23: everybody has seen it; and it says who was right."""
    given = after(underway(*HANDS), lays(ANNA, "7H"), controls(CARA, 3))
    last = shown(after(given, lays(BEN, "KD", at=later(6)))).last_control
    assert last is not None
    assert (last.seat, last.controller, last.stands) == (ANNA, CARA, False)

    again = shown(after(given, lays(BEN, "KD 9C", at=later(6)), counts(CARA, 4, later(7)))).last_control

    assert again is not None
    assert (again.seat, again.controller, again.stands) == (BEN, CARA, False)


def test_every_phase_is_told() -> None:
    last = after(underway(*HANDS, max_turns=4), lays(ANNA, "7H"))
    over = dealt("QS", *HANDS[1:])
    pause = dealt("QS", *HANDS[1:], mode="first_to")

    assert shown(begin(Options(), PACE, 3, None)).phase == AtDeal()
    assert shown(dealt(*HANDS)).phase == AtTurn(ANNA, None, None, later(60), ())
    assert shown(after(underway(*HANDS), sits_out(ANNA))).phase == AtTurn(BEN, "9", None, later(60), (ANNA,))
    assert shown(last).phase == AtLastTurn(ANNA, 3, later(30))
    assert shown(fold(evolve, over, decide(over, lays(ANNA, "QS", "Q")))).phase == AtCount()
    assert shown(after(pause, lays(ANNA, "QS", "Q"), ready(BEN))).phase == AtPause(later(5), (BEN,))
    assert shown(after(over, lays(ANNA, "QS", "Q"))).phase == AtEnd((ANNA,), (1, 0, 0))


def test_who_left_is_not_in_the_round() -> None:
    seen = shown(after(dealt(*HANDS, "3C"), goes(BEN)))

    assert BEN not in seen.playing
    assert seen.hand_sizes == (4, 0, 3, 1)


def test_between_rounds_all_may_count() -> None:
    """12.6"""
    given = after(underway(*HANDS, mode="first_to"), lays(ANNA, "QS 7H 5C"), sits_out(BEN, later(6)))

    seen = shown(after(given, sits_out(CARA, later(6)), lays(ANNA, "6C", at=later(6))))

    assert (seen.hand_sizes, seen.pile_size) == ((0, 3, 3), 7)
