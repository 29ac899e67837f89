"""What one player sees of a table of Mogler at one moment."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogler.actions import CountRound, TurnOpening
from domain.games.mogler.decider import decide
from domain.games.mogler.events import MoglerScore, TrickCard
from domain.games.mogler.evolve import evolve
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import State, begin
from domain.kernel.cards import cards
from domain.kernel.game import HOUSE, fold
from projections.views.mogler import (
    MoglerHouse,
    MoglerInTrick,
    MoglerOpening,
    MoglerOver,
    MoglerPause,
    MoglerToDiscard,
    MoglerToSwap,
    MoglerView,
    view,
)
from projections.views.seam import Viewer
from tests.domain.at_table import later
from tests.domain.mogler.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    after,
    by,
    dealt,
    declines,
    draws,
    goes,
    lays,
    plays,
    ready,
    took,
    trick,
)

HANDS = ("8C 3C 4C 5C 6C 7C 2C", "2D 3D 4D 5D 6D 7D 8D", "2H 3H 4H 5H 6H 7H 8H")


def shown(state: State, viewer: Viewer = None) -> MoglerView:
    return view(state, viewer)


def test_a_player_sees_his_hand_sorted_and_how_many_cards_others_hold() -> None:
    """11.1, 11.2, 11.4"""
    seen = shown(dealt(*HANDS), ANNA)

    assert seen.hand == cards("2C 3C 4C 5C 6C 7C 8C")
    assert (seen.hand_sizes, seen.stock_size, seen.round, seen.players) == ((7, 7, 7), 31, 1, 3)
    assert (seen.playing, seen.stars, seen.row, seen.trick) == ((0, 1, 2), (0, 0, 0), (), 0)
    assert seen.caught == (False, False, False)


def test_who_looks_on_without_a_seat_has_no_hand() -> None:
    """11.2"""
    assert shown(dealt(*HANDS)).hand == ()


def test_who_has_laid_sees_his_card_and_who_has_not_sees_none() -> None:
    """2.2, 11.2"""
    given = after(dealt(*HANDS), lays(ANNA, "8C"))

    assert shown(given, ANNA).phase == MoglerOpening("8C", later(60))
    assert shown(given, ANNA).hand == cards("2C 3C 4C 5C 6C 7C")
    assert shown(given, BEN).phase == shown(given).phase == MoglerOpening(None, later(60))


def test_the_cards_that_left_the_game_can_be_looked_through() -> None:
    """2.4, 11.1"""
    seen = shown(after(dealt(*HANDS), lays(ANNA, "8C"), lays(BEN, "2D"), lays(CARA, "4H")))

    assert seen.removed == cards("2D 4H 8C")
    assert len(seen.row) == 1
    assert seen.trick == 1


def test_a_trick_shows_its_cards_and_what_is_trump_so_far() -> None:
    """4.3, 11.1"""
    given = after(trick("9H 2C", "3H 3C", "AS 4C"), plays(ANNA, "9H"))

    lies = (TrickCard(ANNA, "9H"), TrickCard(BEN, "3C"))
    assert shown(given).phase == MoglerInTrick(BEN, later(60), lies[:1], None)
    assert shown(after(given, plays(BEN, "3C"))).phase == MoglerInTrick(CARA, later(60), lies, "C")
    assert shown(trick("9H", "3H")).phase == MoglerInTrick(ANNA, later(60), (), None)


def test_what_a_seat_has_taken_shows_what_lies_open_and_no_more() -> None:
    """4.2, 4.3, 5.1, 11.1, 11.3: a suit trick shows nothing."""
    given = took(trick("9H 2C", "3D 3C"), BEN, "4H 6H", "KH 5S", "7H TD", "8D 9S")

    seen = shown(given)
    assert seen.suit_tricks == (0, 1)
    assert seen.shows == ((), cards("KH 7H 8D"))
    assert seen.locked == ((), ("D", "H"))
    assert b"6H" not in msgspec.json.encode(shown(given))


def test_the_last_trick_stays_in_sight_until_the_next_is_taken() -> None:
    """11.3"""
    given = trick("9H 2C 5D", "TH 3C 6D")
    first = after(given, plays(ANNA, "9H"), plays(BEN, "TH"))
    second = after(first, plays(BEN, "3C"), plays(ANNA, "2C"))

    assert shown(first).last_trick == first.last_trick
    last = shown(second).last_trick
    assert last is not None
    assert last.plays == (TrickCard(BEN, "3C"), TrickCard(ANNA, "2C"))


def test_who_drew_sees_what_and_the_others_that() -> None:
    """3.3, 11.2"""
    swapping = trick("2C 3C", "4C 5C", row="S")
    given = after(swapping, draws(ANNA))

    assert shown(swapping).phase == MoglerToSwap(ANNA, later(60))
    mine = shown(given, ANNA).phase
    assert isinstance(mine, MoglerToDiscard)
    assert mine.drawn in shown(given, ANNA).hand
    assert shown(given, BEN).phase == shown(given).phase == MoglerToDiscard(ANNA, later(60), None)
    assert shown(given).hand_sizes == (3, 2)


def test_a_caught_hand_lies_open() -> None:
    """5.4, 11.1"""
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"), plays(BEN, "9H"))

    seen = shown(given)

    assert seen.removed == cards("3C 4H 4S 6H 9H")
    assert (seen.caught, seen.playing, seen.hand_sizes) == ((False, True, False), (ANNA, CARA), (1, 0, 2))


def test_the_last_round_is_told_item_by_item_until_the_next_is_over() -> None:
    """6.1, 6.2, 10.1"""
    given = after(took(trick("2H KH", "3C 4C", row="TOPS"), ANNA, "4H 5C", "6H 7S"), declines(ANNA))
    on = after(given, ready(ANNA), ready(BEN))

    for state in (given, on):
        last = shown(state).last_round
        assert last is not None
        assert (last.scores[ANNA], last.shown[ANNA]) == (MoglerScore(0, 4, 8, 0), cards("2H KH"))
    assert shown(given).phase == MoglerPause(later(5), ())
    assert isinstance(shown(on).phase, MoglerOpening)


def test_the_end_is_told() -> None:
    """7.2"""
    given = replace(took(trick("2C", "3C", row="TOPS"), ANNA, "4H 5H"), stars=(17, 2))

    assert shown(after(given, declines(ANNA))).phase == MoglerOver((ANNA,), (20, 4))


def test_who_left_is_not_in_the_round() -> None:
    """9.1"""
    seen = shown(after(trick("2C 3C", "4C 5C", "6C 7C"), goes(BEN)))

    assert (seen.playing, seen.hand_sizes) == ((ANNA, CARA), (2, 0, 2))


@pytest.mark.parametrize(
    "given, does",
    [
        (begin(MoglerOptions(), PACE, 2, None), "deal"),
        (fold(evolve, trick("2C", "3C", row="S"), decide(trick("2C", "3C", row="S"), draws(ANNA))), "draw"),
    ],
)
def test_in_a_replay_one_sees_what_the_house_is_about_to_do(given: State, does: str) -> None:
    assert shown(given).phase == MoglerHouse(does)  # type: ignore[arg-type]  # one of its words


def test_and_so_from_a_lay_to_the_stop_card_and_from_a_card_to_the_count() -> None:
    given = after(dealt(*HANDS[:2]), lays(ANNA, "8C"))
    laid = fold(evolve, given, decide(given, lays(BEN, "2D")))
    turned = fold(evolve, laid, decide(laid, by(HOUSE, TurnOpening())))
    lone = trick("2C", "4C", row="SSSTTO")
    led = after(lone, plays(ANNA, "2C"))
    full = fold(evolve, led, decide(led, plays(BEN, "4C")))
    ended = trick("2C", "4C", row="TOPS")
    over = fold(evolve, ended, decide(ended, declines(ANNA)))
    last = replace(over, stars=(19, 19))

    assert shown(turned).phase == MoglerHouse("turn_stop")
    assert shown(full).phase == MoglerHouse("collect")
    assert shown(over).phase == MoglerHouse("count")
    assert shown(fold(evolve, last, decide(last, by(HOUSE, CountRound())))).phase == MoglerHouse("end")


def test_names_that_stand_in_the_api_are_the_games_own() -> None:
    schema = msgspec.json.schema(MoglerView)
    own = {"TrickCard", "TrickTaken", "RoundOver"}  # named after their tags, or after the game, in the document

    assert all(name.startswith("Mogler") or name in own for name in schema["$defs"])
