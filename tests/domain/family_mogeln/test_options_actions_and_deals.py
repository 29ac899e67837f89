"""RULES.md 1 and 13: what a match may be, what can be said, and which deals may be stacked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.games.family_mogeln import FAMILY_MOGELN
from domain.games.family_mogeln.actions import PlayerAction
from domain.games.family_mogeln.dealing import check_deal, pack
from domain.games.family_mogeln.options import Options, check
from domain.games.family_mogeln.state import StackedDeal, begin
from domain.kernel.cards import cards
from domain.kernel.game import BadDeal, OptionsConflict
from tests.domain.at_table import CHANCE
from tests.domain.family_mogeln.table import (
    ANNA,
    PACE,
    after,
    all_cards,
    dealt,
    goes,
    lays,
    settled,
)


def test_three_to_ten_play() -> None:
    """1.1"""
    assert FAMILY_MOGELN.seats == (3, 10)


@pytest.mark.parametrize("chosen", [{"rounds": 3}, {"mode": "best_of", "rounds": 4}])
def test_rounds_that_the_mode_does_not_know_are_refused(chosen: dict[str, Any]) -> None:
    """1.4"""
    with pytest.raises(OptionsConflict) as clash:
        check(msgspec.convert(chosen, Options))

    assert (clash.value.first, clash.value.second) == ("rounds", "mode")


@pytest.mark.parametrize(
    "chosen",
    [{}, {"mode": "best_of", "rounds": 5}, {"rounds": 1}, {"mode": "first_to", "rounds": 50}, {"strict_sit_out": True}],
)
def test_everything_else_combines(chosen: dict[str, Any]) -> None:
    """1.4: nothing is raised."""
    check(msgspec.convert(chosen, Options))


@pytest.mark.parametrize(
    "chosen", [{"jokers": 2}, {"rounds": 0}, {"rounds": 51}, {"max_turns": 0}, {"rounds": "3"}, {"strict_sit_out": 1}]
)
def test_options_that_there_are_not_do_not_decode(chosen: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(chosen), type=Options)


@pytest.mark.parametrize(
    "said",
    [
        '{"type": "family_mogeln.lay", "cards": []}',
        '{"type": "family_mogeln.lay", "cards": ["7H", "7H", "7H", "7H"]}',
        '{"type": "family_mogeln.lay", "cards": ["7X"]}',
        '{"type": "family_mogeln.lay", "cards": ["??"]}',
        '{"type": "family_mogeln.lay", "cards": ["7H\\n"]}',
        '{"type": "family_mogeln.lay", "cards": ["7H"], "rank": "10"}',
        '{"type": "family_mogeln.lay", "cards": ["7H"], "rank": "Q\\n"}',
        '{"type": "family_mogeln.lay", "cards": ["7H"], "seat": 1}',
        '{"type": "family_mogeln.lay", "cards": ["7H"], "count": 1}',
        '{"type": "family_mogeln.sit_out", "at": "2026-01-01T12:00:00Z"}',
        '{"type": "family_mogeln.control"}',
        '{"type": "family_mogeln.control_multi", "claim_id": -1}',
        '{"type": "family_mogeln.control", "claim_id": 1.5}',
        '{"type": "family_mogeln.deal"}',
        '{"type": "family_mogeln.time_out", "seat": 1}',
        '{"type": "family_mogeln.close_window", "claim_id": 0}',
        '{"type": "family_mogeln.vacate", "seat": 1}',
        '{"type": "cheat.play", "cards": ["7H"]}',
        "{}",
    ],
)
def test_what_is_no_action_does_not_decode(said: str) -> None:
    """3.1, 3.4: nor does anything that only the House says."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=PlayerAction)


def test_a_stacked_deal_gives_the_hands_it_names() -> None:
    """13.1: and all other cards are put aside."""
    deal = StackedDeal((cards("QS 7H"), cards("KD"), cards("4S")), dealer=1)
    state = settled(begin(Options(), PACE, 3, deal))

    assert state.hands == (cards("7H QS"), cards("KD"), cards("4S"))
    assert (state.sizes, state.dealer, state.aside_size) == ((2, 1, 1), 1, 55 - 4)
    assert all_cards(state) == Counter(pack(3))


def test_without_a_dealer_one_is_drawn() -> None:
    """13.1"""
    state = settled(begin(Options(), PACE, 3, StackedDeal((cards("QS"), cards("KD"), cards("4S")))))

    assert state.dealer in (0, 1, 2)


def test_later_rounds_are_dealt_by_lot() -> None:
    """13.1"""
    given = after(dealt("QS", "KD", "4S", mode="first_to"), lays(ANNA, "QS", "Q"))

    assert [len(hand) for hand in FAMILY_MOGELN.house(given, CHANCE).action.hands] == [18, 18, 18]  # type: ignore[union-attr]


def test_who_left_before_a_stacked_deal_has_his_hand_put_aside() -> None:
    """11.1, 13.1"""
    given = begin(Options(), PACE, 3, StackedDeal((cards("QS 7H"), cards("KD"), cards("4S")), dealer=2))

    state = after(given, goes(ANNA))

    assert state.hands == ((), cards("KD"), cards("4S"))
    assert set(cards("QS 7H")) <= set(state.aside)


@pytest.mark.parametrize(
    "hands, dealer, why",
    [
        (("QS", "KD"), None, ("hands_for_seats", {"hands": 2, "seats": 3})),
        (("QS", "", "KD"), None, ("hand_empty", {})),
        (("QS", "KD", "QS"), None, ("not_so_often", {"cards": "QS"})),
        (("** **", "** **", "QS"), None, ("not_so_often", {"cards": "**"})),
        (("QS", "KD", "2C"), 3, ("no_such_seat", {"seat": 3, "field": "dealer"})),
        (("QS", "KD", "2C"), -1, ("no_such_seat", {"seat": -1, "field": "dealer"})),
    ],
)
def test_a_deal_that_no_pack_could_give_is_refused(
    hands: tuple[str, ...], dealer: int | None, why: tuple[object, ...]
) -> None:
    """13.1"""
    with pytest.raises(BadDeal) as refused:
        check_deal(Options(), 3, StackedDeal(tuple(map(cards, hands)), dealer))
    assert refused.value.args == why


def test_a_card_may_be_stacked_as_often_as_the_packs_have_it() -> None:
    """13.1"""
    check_deal(Options(), 5, StackedDeal((cards("QS"), cards("QS"), *(cards("** **"),) * 3)))


def test_a_viewers_fold_begins_without_the_stacked_deal() -> None:
    """12.2"""
    deal = StackedDeal((cards("QS"), cards("KD"), cards("4S")), dealer=1)

    assert begin(Options(), PACE, 3, deal).stacked == deal
    assert begin(Options(), PACE, 3, None).stacked is None
