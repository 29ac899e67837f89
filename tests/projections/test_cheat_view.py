"""What one player sees of a table of Cheat at one moment."""

from __future__ import annotations

import msgspec
import pytest

from domain.games.cheat.actions import CloseWindow, Pass, ProposePass, Vacate
from domain.games.cheat.decider import decide
from domain.games.cheat.evolve import evolve
from domain.games.cheat.options import CheatOptions
from domain.games.cheat.state import State, begin
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, Command, Seat, fold
from projections.views.cheat import (
    CHEAT_VIEW,
    CheatInTurn,
    CheatLastPlay,
    CheatOpenClaim,
    CheatOver,
    CheatPause,
    CheatPileClaim,
    CheatProposal,
    CheatToCount,
    CheatToDeal,
    CheatToDraw,
    CheatView,
    view,
)
from projections.views.seam import Viewer
from tests.any_game import NOON, walk
from tests.domain.at_table import later
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
    lays,
    ready,
)
from tests.projections.cheat_eyes import COMBINATIONS, match

HANDS = ("QS 7H 2C", "KD 9C 2H", "4S 4H 2S")


def shown(state: State, viewer: Viewer = None) -> CheatView:
    return view(state, viewer)


def test_a_player_sees_his_hand_sorted_and_how_many_the_others_hold() -> None:
    """12.1, 12.2"""
    seen = shown(after(dealt(*HANDS), lays(ANNA, "7H")), BEN)

    assert seen.hand == cards("2H 9C KD")
    assert seen.hand_sizes == (2, 3, 3)
    assert (seen.pile_size, seen.stock_size, seen.round, seen.dealer, seen.turns_left) == (1, 0, 1, CARA, 599)


def test_who_looks_on_without_a_seat_has_no_hand() -> None:
    assert shown(dealt(*HANDS)).hand == ()


def test_an_open_claim_says_who_said_what_and_until_when_it_can_be_doubted() -> None:
    """12.1"""
    seen = shown(after(dealt(*HANDS), lays(ANNA, "7H QS"), accepts(CARA, 0, at=later(1))), BEN)

    claim = CheatOpenClaim(0, ANNA, "A", 2, later(5), closes_at=later(60), accepted=(CARA,), waits_for=(BEN,))
    assert seen.open_claims == (claim,)
    assert seen.phase == CheatInTurn(BEN, "2", None, later(60), None)  # Cara has accepted: Ben may play at once


def test_the_claims_in_the_pile_stay_on_record_and_ones_own_cards_in_it_are_known() -> None:
    """12.1, 12.3"""
    state = after(dealt(*HANDS), lays(ANNA, "7H"), lays(BEN, "9C", at=later(6)))

    assert shown(state, ANNA).pile == (
        CheatPileClaim(0, ANNA, "A", 1, cards("7H")),
        CheatPileClaim(1, BEN, "2", 1),
    )
    assert shown(state).pile == (CheatPileClaim(0, ANNA, "A", 1), CheatPileClaim(1, BEN, "2", 1))


def test_the_last_challenge_stays_in_sight_until_the_next_one() -> None:
    """What breaks 23: everybody has seen it; and it says who was right."""
    state = after(dealt(*HANDS), lays(ANNA, "7H"), doubts(CARA, 0), lays(BEN, "9C", at=later(6)))

    last = shown(state).last_challenge
    assert last is not None
    assert (last.seat, last.challenger, last.cards, last.stands) == (ANNA, CARA, cards("7H"), False)


def test_every_phase_is_told() -> None:
    asked = after(dealt(*HANDS, pass_rule="unanimous"), by(ANNA, ProposePass()))
    owing = dealt(*HANDS, hand="fixed7", stock="5C")
    last = after(dealt("QS", *HANDS[1:], mode="first_to"), lays(ANNA, "QS"))
    pause = after(last, accepts(BEN, 0), accepts(CARA, 0), ready(BEN, at=later(1)))
    over = after(dealt("QS", *HANDS[1:]), lays(ANNA, "QS"), accepts(BEN, 0), accepts(CARA, 0))

    assert shown(begin(CheatOptions(), PACE, 3, None)).phase == CheatToDeal()
    assert shown(asked).phase == CheatInTurn(ANNA, "A", None, later(60), CheatProposal(0, later(10), ()))
    assert shown(_halfway(owing, Pass())).phase == CheatToDraw(ANNA, 1)
    assert shown(last).phase == CheatLastPlay(ANNA, 0, later(30))
    assert shown(pause).phase == CheatPause(later(5), (BEN,))
    assert shown(over).phase == CheatOver((ANNA,), (1, 0, 0))
    assert [shown(state).turns_left for state in (asked, last, pause)] == [600, 600, 0]
    almost = after(dealt("QS", *HANDS[1:]), lays(ANNA, "QS"), accepts(BEN, 0))
    assert shown(_halfway(almost, None)).phase == CheatToCount()


def _halfway(state: State, action: Pass | None) -> State:
    """Before the House has done what it must; without an action: after Cara's accept and one act of the House."""
    if action is not None:
        return fold(evolve, state, decide(state, by(ANNA, action)))
    accepted = fold(evolve, state, decide(state, accepts(CARA, 0)))
    return fold(evolve, accepted, decide(accepted, Command(HOUSE, NOON, CloseWindow(0))))


def test_who_left_is_not_in_the_round() -> None:
    seen = shown(after(dealt(*HANDS, "3C"), by(HOUSE, Vacate(BEN))))

    assert seen.playing == (ANNA, CARA, Seat(3))
    assert seen.hand_sizes == (3, 0, 3, 1)


@pytest.mark.parametrize("number", range(0, len(COMBINATIONS), 40))
def test_a_view_goes_over_the_wire_and_back(number: int) -> None:
    for step in match(number):
        for viewer, own in step.seen.items():
            told = view(own, viewer)
            assert msgspec.json.decode(msgspec.json.encode(told), type=CheatView) == told


def test_a_view_is_no_larger_late_than_early() -> None:
    """A match of 4 seats over 2,000 events: no view is larger than a full pile of single cards makes it."""
    options = msgspec.convert({"mode": "most_wins", "rounds": 45, "max_turns": 200}, CheatOptions)
    sizes = []
    for step in walk(CHEAT_VIEW, 4, 5, options=options, doubt=12):
        sizes += [len(msgspec.json.encode(view(step.seen[ANNA], ANNA)))] * len(step.events)

    assert len(sizes) > 2000
    assert max(sizes[1900:]) <= 1.2 * max(sizes[:400])


def test_names_that_stand_in_the_api_do_not_change_with_a_second_game() -> None:
    """Tagged types are named by their tag, all others begin with the game's name."""
    untagged = {CheatView, CheatOpenClaim, CheatPileClaim, CheatProposal, CheatOptions}

    assert all(kind.__name__.startswith("Cheat") for kind in untagged)
    assert all(
        str(kind.__struct_config__.tag).startswith("cheat.")
        for kind in (CheatToDeal, CheatInTurn, CheatToDraw, CheatLastPlay, CheatToCount, CheatPause, CheatOver)
    )
    schema = msgspec.json.schema(CheatView)
    assert all(name.startswith("Cheat") or name == "Challenged" for name in schema["$defs"])
    assert CHEAT_VIEW.view_type is CheatView
