"""RULES.md 1, 2 and 13: options, the cards, the deal; and what does not decode."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.mogelei import MOGELEI
from domain.games.mogelei.actions import PlayerAction
from domain.games.mogelei.dealing import check_deal
from domain.games.mogelei.deck import COLOURS, FRIED_EGGS, fried, pack
from domain.games.mogelei.events import Dealt
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import MogeleiDeal, State, ToCall, begin
from domain.kernel.cards import cards
from domain.kernel.game import BadDeal, Pace, Seat
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.mogelei.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    after,
    all_lay,
    by,
    calls,
    dealt,
    ends,
    goes,
    hides,
    ready,
    settled,
    time_is_up,
    told,
)
from tests.domain.mogelei.walks import COMBINATIONS, walk

ONE_EACH = ("red1", "red2", "red3")


def test_three_to_eight_play() -> None:
    """1.1"""
    assert MOGELEI.seats == (3, 8)


@pytest.mark.parametrize(
    "players, highest, of_all", [(3, 9, 36), (4, 12, 48), (5, 15, 60), (6, 18, 72), (7, 21, 84), (8, 24, 96)]
)
def test_each_player_more_brings_three_numbers_more_in_every_colour(players: int, highest: int, of_all: int) -> None:
    """1.2, D: decks 36…96, 12 cards each"""
    used = pack(players)

    assert len(set(used)) == len(used) == of_all == 12 * players
    assert set(used) == {f"{colour}{number}" for colour in COLOURS for number in range(1, highest + 1)}


@pytest.mark.parametrize("players", range(3, 9))
def test_everybody_gets_twelve_and_none_is_left_over(players: int) -> None:
    """2.2, D: 12 cards each"""
    state = settled(begin(MogeleiOptions(), PACE, players, None))

    assert [len(hand) for hand in state.hands] == [12] * players
    assert state.away == ()
    assert {card for hand in state.hands for card in hand} == set(pack(players))


def test_two_who_are_left_play_with_one_to_six() -> None:
    """1.3"""
    state = after(a_hand_over(), goes(CARA), ready(ANNA), ready(BEN))

    assert state.hand == 2
    assert [len(hand) for hand in state.hands] == [12, 12, 0]
    assert {card for hand in state.hands for card in hand} == set(pack(2))


def test_every_choice_of_options_is_possible() -> None:
    """1.4"""
    assert len(set(COMBINATIONS)) == 4
    for options in COMBINATIONS:
        MOGELEI.check(options)


@pytest.mark.parametrize("chosen", [{"round_pile": "nobody"}, {"false_doubt_egg": 1}, {"hands": 3}])
def test_options_that_there_are_not_do_not_decode(chosen: dict[str, Any]) -> None:
    """1.4"""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(chosen), type=MogeleiOptions)


def test_the_deal_moves_to_the_left_and_left_of_the_dealer_calls() -> None:
    """2.1, 2.3"""
    deals = [event for step in walk(MogeleiOptions(), 4, 11) for event in step.events if isinstance(event, Dealt)]

    first = deals[0].dealer
    assert [event.dealer for event in deals] == [(first + n) % 4 for n in range(5)]
    assert [event.turn.seat for event in deals] == [(event.dealer + 1) % 4 for event in deals]


def test_who_has_left_neither_deals_nor_calls() -> None:
    """2.1, 2.3: Ben would have dealt, and Cara called."""
    last = ("red1", "red2", "red3", "red4")
    given = after(dealt(*last, dealer=0), goes(BEN), calls(CARA, "red"))
    given = after(given, *(command for command in all_lay(*last) if command.by != BEN))
    given = after(given, hides(CARA), hides(Seat(3)), hides(ANNA), ends(CARA))

    state = after(given, ready(ANNA), ready(CARA), ready(Seat(3)))

    assert state.dealer == CARA
    assert isinstance(state.phase, ToCall)
    assert state.phase.turn.seat == Seat(3)


def test_the_first_dealer_is_drawn() -> None:
    """2.1"""
    drawn = [next(walk(MogeleiOptions(), 3, seed)).after.dealer for seed in range(20)]

    assert set(drawn) == {ANNA, BEN, CARA}


def a_hand_over() -> State:
    given = after(dealt(*ONE_EACH), calls(ANNA, "red"), *all_lay(*ONE_EACH))
    return after(given, hides(ANNA), hides(BEN), hides(CARA), ends(ANNA))


def test_the_next_hand_is_dealt_after_a_pause() -> None:
    """2.4"""
    given = a_hand_over()

    with refused(Reason.TOO_EARLY, not_before=later(5)):
        told(given, time_is_up(given, later(4.999)))
    assert after(given, time_is_up(given, later(5))).hand == 2


def test_the_next_hand_is_dealt_at_once_when_all_are_ready() -> None:
    """2.4"""
    given = after(a_hand_over(), ready(ANNA), ready(BEN))

    with refused(Reason.ALREADY_ACCEPTED):
        told(given, ready(BEN))
    with refused(Reason.TOO_LATE, closes_at=later(5)):
        told(given, ready(CARA, later(5)))
    assert given.hand == 1
    assert after(given, ready(CARA)).hand == 2


def test_fried_eggs_are_on_every_third_card() -> None:
    """9.3, D10: 12 on 36 cards … 32 on 96."""
    assert [fried(pack(players)) for players in range(3, 9)] == [12, 16, 20, 24, 28, 32]
    assert fried(cards("red3 blue24 black2")) == 2
    assert set(FRIED_EGGS) <= set(pack(8))


def test_a_stacked_deal_gives_the_hands_it_names() -> None:
    """13.1: and all other cards take no part."""
    state = dealt("blue2 red1", "red4 red3", "black1 red9", dealer=1)

    assert state.hands == (cards("red1 blue2"), cards("red3 red4"), cards("black1 red9"))
    assert (state.dealer, len(state.away)) == (BEN, 30)


def test_without_a_dealer_one_is_drawn() -> None:
    """13.1"""
    stacked = MogeleiDeal((cards("red1"), cards("red2"), cards("red3")))

    assert settled(begin(MogeleiOptions(), Pace(), 3, stacked)).dealer in (ANNA, BEN, CARA)


@pytest.mark.parametrize(
    "hands, dealer, why",
    [
        (("red1", "red2"), None, ("hands_for_seats", {"hands": 2, "seats": 3})),
        (("red1", "red2", "red3 red4"), None, ("hands_differ", {"most": 12})),
        (("", "", ""), None, ("hands_differ", {"most": 12})),
        (
            (" ".join(pack(4)[:13]), " ".join(pack(4)[13:26]), " ".join(pack(4)[26:39])),
            None,
            ("hands_differ", {"most": 12}),
        ),
        (("red1", "red2", "red1"), None, ("not_so_often", {"cards": "red1"})),
        (("red1", "red2", "red10"), None, ("not_in_the_pack", {"cards": "red10"})),
        (("red1", "red2", "red3"), 3, ("no_such_seat", {"seat": 3, "field": "dealer"})),
    ],
)
def test_a_deal_that_the_cards_could_not_give_is_refused(
    hands: tuple[str, ...], dealer: int | None, why: tuple[object, ...]
) -> None:
    """13.1"""
    with pytest.raises(BadDeal) as refused:
        check_deal(MogeleiOptions(), 3, MogeleiDeal(tuple(map(cards, hands)), dealer))
    assert refused.value.args == why


def test_a_deal_that_the_cards_could_give_is_taken() -> None:
    """13.1"""
    check_deal(MogeleiOptions(), 4, MogeleiDeal(tuple(map(cards, ("red1", "red2", "red3", "red12"))), 3))


@pytest.mark.parametrize(
    "said",
    [
        '{"type": "mogelei.call", "colour": "green"}',
        '{"type": "mogelei.call"}',
        '{"type": "mogelei.lay", "card": "red0"}',
        '{"type": "mogelei.lay", "card": "red25"}',
        '{"type": "mogelei.lay", "card": "red7\\n"}',
        '{"type": "mogelei.lay", "card": "??"}',
        '{"type": "mogelei.lay", "card": "red7", "seat": 1}',
        '{"type": "mogelei.reveal", "card": "red7"}',
        '{"type": "mogelei.doubt", "seat": 1}',
        '{"type": "mogelei.doubt", "pass_id": 0, "seat": -1}',
        '{"type": "mogelei.doubt", "pass_id": 0, "seat": 8}',
        '{"type": "mogelei.doubt", "pass_id": -1, "seat": 1}',
        '{"type": "mogelei.end_round", "at": "2026-01-01T12:00:00Z"}',
        '{"type": "mogelei.deal"}',
        '{"type": "mogelei.time_out", "seat": 1}',
        '{"type": "mogelei.end_hand"}',
        '{"type": "mogelei.end_match"}',
        '{"type": "mogelei.vacate", "seat": 1}',
        "{}",
    ],
)
def test_what_is_no_action_does_not_decode(said: str) -> None:
    """3.1, 4.1: nor does anything that only the House says."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=PlayerAction)


def test_nobody_but_the_house_says_what_the_house_says() -> None:
    """2.4"""
    given = a_hand_over()

    with refused(Reason.NOT_NOW):
        told(given, by(ANNA, time_is_up(given, later(5)).action, later(5)))
