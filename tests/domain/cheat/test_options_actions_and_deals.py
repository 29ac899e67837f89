"""RULES.md 1 and 13: what can be agreed on, said and stacked."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.cheat import CHEAT
from domain.games.cheat.actions import PlayerAction
from domain.games.cheat.dealing import check_deal
from domain.games.cheat.options import CheatOptions, check
from domain.games.cheat.state import StackedDeal, begin
from domain.kernel.cards import cards
from domain.kernel.game import BadDeal, OptionsConflict
from tests.domain.cheat.table import PACE, settled


def test_three_to_ten_play() -> None:
    """1.1"""
    assert CHEAT.seats == (3, 10)


@pytest.mark.parametrize(
    "chosen, first, second",
    [
        ({"penalty": "forfeit"}, "penalty", "adults_only"),
        ({"penalty": "forfeit", "adults_only": True, "hand": "fixed7"}, "penalty", "hand"),
        ({"hand": "fixed7", "pass_rule": "exhausted"}, "hand", "pass_rule"),
        ({"hand": "fixed7", "pass_rule": "unanimous"}, "hand", "pass_rule"),
        ({"pass_rule": "exhausted", "rank_mode": "free"}, "pass_rule", "rank_mode"),
        ({"joker_mode": "card"}, "joker_mode", "jokers"),
        ({"forfeit_limit": 4}, "forfeit_limit", "penalty"),
        ({"challenge_draw": 4}, "challenge_draw", "hand"),
        ({"pass_draw": 2}, "pass_draw", "hand"),
        ({"rounds": 3}, "rounds", "mode"),
        ({"mode": "best_of", "rounds": 4}, "rounds", "mode"),
    ],
)
def test_two_options_that_exclude_each_other_are_named(chosen: dict[str, Any], first: str, second: str) -> None:
    """1.3"""
    with pytest.raises(OptionsConflict) as clash:
        check(msgspec.convert(chosen, CheatOptions))

    assert (clash.value.first, clash.value.second) == (first, second)


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"pass_rule": "unanimous", "rank_mode": "free", "window": "extended", "jokers": 2, "joker_mode": "card"},
        {"penalty": "forfeit", "adults_only": True, "pass_rule": "exhausted", "forfeit_limit": 1},
        {"hand": "fixed7", "window": "extended", "rank_mode": "free", "challenge_draw": 1, "pass_draw": 3},
        {"mode": "best_of", "rounds": 5},
        {"mode": "single", "rounds": 1},
        {"adults_only": True},
    ],
)
def test_everything_else_combines(chosen: dict[str, Any]) -> None:
    """1.3: nothing is raised."""
    check(msgspec.convert(chosen, CheatOptions))


@pytest.mark.parametrize(
    "chosen",
    [{"jokers": 1}, {"pass_rule": "never"}, {"rounds": 0}, {"max_turns": 0}, {"medium": "dice"}, {"rounds": "3"}],
)
def test_options_that_there_are_not_do_not_decode(chosen: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(chosen), type=CheatOptions)


@pytest.mark.parametrize(
    "said",
    [
        '{"type": "cheat.play", "cards": []}',
        '{"type": "cheat.play", "cards": ["7H", "7H", "7H", "7H", "7H"]}',
        '{"type": "cheat.play", "cards": ["7X"]}',
        '{"type": "cheat.play", "cards": ["??"]}',
        '{"type": "cheat.play", "cards": ["7H\\n"]}',
        '{"type": "cheat.play", "cards": ["10H"]}',
        '{"type": "cheat.play", "cards": ["7H"], "rank": "10"}',
        '{"type": "cheat.play", "cards": ["7H"], "rank": "Q\\n"}',
        '{"type": "cheat.play", "cards": ["7H"], "seat": 1}',
        '{"type": "cheat.challenge"}',
        '{"type": "cheat.challenge", "claim_id": -1}',
        '{"type": "cheat.challenge", "claim_id": 1.5}',
        '{"type": "cheat.pass", "at": "2026-01-01T12:00:00Z"}',
        '{"type": "cheat.accept_round", "round": 1}',
        '{"type": "cheat.deal"}',
        '{"type": "cheat.close_window", "claim_id": 0}',
        '{"type": "cheat.time_out", "seat": 1}',
        '{"type": "cheat.vacate", "seat": 1}',
        '{"type": "cheat.draw", "cards": [], "from_pile": [], "draw": 1}',
        "{}",
        "[]",
    ],
)
def test_what_is_no_action_does_not_decode(said: str) -> None:
    """3.1: nor does anything that only the House says."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=PlayerAction)


def test_a_stacked_deal_gives_the_hands_it_names() -> None:
    """13.1: and all other cards take no part."""
    deal = StackedDeal((cards("QS 7H"), cards("KD"), cards("4S")), dealer=1, stock=())
    state = settled(begin(CheatOptions(), PACE, 3, deal))

    assert state.hands == (cards("7H QS"), cards("KD"), cards("4S"))
    assert state.dealer == 1
    assert len(state.away) == 52 - 4


def test_without_a_dealer_one_is_drawn() -> None:
    """13.1"""
    state = settled(begin(CheatOptions(), PACE, 3, StackedDeal((cards("QS"), cards("KD"), cards("4S")))))

    assert state.dealer in (0, 1, 2)


@pytest.mark.parametrize(
    "hands, dealer, stock, why",
    [
        (("QS", "KD"), None, "", ("hands_for_seats", {"hands": 2, "seats": 3})),
        (("QS", "", "KD"), None, "", ("hand_empty", {})),
        (("QS", "KD", "QS"), None, "", ("not_so_often", {"cards": "QS"})),
        (("QS", "KD", "**"), None, "", ("not_in_the_pack", {"cards": "**"})),
        (("QS", "KD", "2C"), 3, "", ("no_such_seat", {"seat": 3, "field": "dealer"})),
        (("QS", "KD", "2C"), None, "3C", ("too_many", {"field": "stock", "most": 0})),
    ],
)
def test_a_deal_that_no_pack_could_give_is_refused(
    hands: tuple[str, ...], dealer: int | None, stock: str, why: tuple[object, ...]
) -> None:
    """13.1"""
    with pytest.raises(BadDeal) as refused:
        check_deal(CheatOptions(), 3, StackedDeal(tuple(map(cards, hands)), dealer, cards(stock)))
    assert refused.value.args == why


def test_a_card_may_be_stacked_as_often_as_the_packs_have_it() -> None:
    """13.1"""
    check_deal(
        CheatOptions(jokers=2),
        6,
        StackedDeal((cards("QS"), cards("QS"), *(cards("**"),) * 2, *map(cards, ("2C", "3C")))),
    )


def test_a_viewers_fold_begins_without_the_stacked_deal() -> None:
    """12.2: its first frame is the deal as he was told it."""
    deal = StackedDeal((cards("QS"), cards("KD"), cards("4S")), dealer=1)

    assert begin(CheatOptions(), PACE, 3, deal).stacked == deal
    assert begin(CheatOptions(), PACE, 3, None).stacked is None
