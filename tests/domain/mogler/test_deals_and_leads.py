"""RULES.md 1, 2 and 12: what is dealt, and who leads first."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from domain.games.mogler import MOGLER
from domain.games.mogler.actions import PlayerAction
from domain.games.mogler.dealing import check_deal
from domain.games.mogler.decider import decide
from domain.games.mogler.events import OpeningLaid, OpeningTurned, StopTurned
from domain.games.mogler.house import awaits
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.reasons import MoglerReason
from domain.games.mogler.state import Opening, StackedDeal, begin
from domain.games.mogler.tricks import STOPS, standing
from domain.kernel.cards import PACK, cards, sort
from domain.kernel.game import Answers, BadDeal, HouseNow, Seat
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.mogler.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    after,
    dealt,
    declines,
    draws,
    house_acts,
    in_turn,
    lays,
    one,
    plays,
    ready,
    settled,
    told,
)

HANDS = ("2C 3C 4C 5C 6C 7C 8C", "2D 3D 4D 5D 6D 7D 8D", "2H 3H 4H 5H 6H 7H 8H")


# ── the table ───────────────────────────────────────────────────────────────────────────────────


def test_two_to_five_play() -> None:
    """1.1"""
    assert MOGLER.seats == (2, 5)


def test_the_cards_that_there_are() -> None:
    """1.2: twos are the lowest and aces the highest."""
    assert sorted(STOPS) == list("OOPPSSSTT")
    assert len(PACK) == 52
    assert [card[0] for card in sorted(cards("AH 2H TH KH JH QH 9H"), key=standing)] == list("29TJQKA")


def test_who_is_left_alone_plays_on_unless_it_is_agreed_that_he_stops() -> None:
    """1.3"""
    assert MoglerOptions() == MoglerOptions("plays_on")
    for option in (MoglerOptions(), MoglerOptions("stop")):
        MOGLER.check(option)


@pytest.mark.parametrize("said", ['{"last_player": "wins"}', '{"target": 10}'])
def test_nothing_else_can_be_agreed(said: str) -> None:
    """1.3"""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=MoglerOptions)


@pytest.mark.parametrize(
    "said",
    [
        '{"type": "mogler.play"}',
        '{"type": "mogler.play", "card": "??"}',
        '{"type": "mogler.play", "card": "**"}',
        '{"type": "mogler.play", "card": "10H"}',
        '{"type": "mogler.play", "card": "QH\\n"}',
        '{"type": "mogler.play", "card": ["QH"]}',
        '{"type": "mogler.play", "card": "QH", "seat": 1}',
        '{"type": "mogler.lay_opening", "card": ""}',
        '{"type": "mogler.s_draw", "card": "QH"}',
        '{"type": "mogler.s_discard"}',
        '{"type": "mogler.accept_round", "round": 1}',
        '{"type": "mogler.turn_stop", "stop": "S", "draw": 1}',
        '{"type": "mogler.draw", "card": "QH", "draw": 1}',
        '{"type": "mogler.collect"}',
        '{"type": "mogler.time_out", "seat": 1}',
        '{"type": "mogler.vacate", "seat": 1}',
        '{"type": "mogler.deal"}',
        "{}",
        "[]",
    ],
)
def test_what_is_no_action_does_not_decode(said: str) -> None:
    """And no one says what only the House does."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(said, type=PlayerAction)


# ── the deal ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats, left", [(2, 38), (3, 31), (4, 24), (5, 17)])
def test_seven_each_and_the_rest_is_the_draw_pile(seats: int, left: int) -> None:
    """2.1"""
    state = settled(begin(MoglerOptions(), PACE, seats, None))

    assert [len(hand) for hand in state.hands] == [7] * seats
    assert len(state.stock) == left
    assert sorted([*state.stock, *(card for hand in state.hands for card in hand)]) == sorted(PACK)


def test_hands_and_draw_pile_are_told_sorted() -> None:
    """11.4"""
    state = settled(begin(MoglerOptions(), PACE, 5, None))

    assert all(held == sort(held) for held in (*state.hands, state.stock))


# ── the first lead ──────────────────────────────────────────────────────────────────────────────


def test_everybody_lays_in_any_order_and_all_are_turned_when_the_last_one_lies_there() -> None:
    """2.2, 2.4"""
    for order in permutations((lays(ANNA, "2C"), lays(BEN, "5D"), lays(CARA, "4H"))):
        *first_two, last = order
        happened = told(after(dealt(*HANDS), *first_two), last)

        assert [type(event) for event in happened[:3]] == [OpeningLaid, OpeningTurned, StopTurned]
        assert happened[1] == OpeningTurned((("2C",), ("5D",), ("4H",)), BEN)


def test_a_lay_is_for_good() -> None:
    """2.2"""
    given = after(dealt(*HANDS), lays(ANNA, "2C"))

    for card in ("2C", "3C"):
        with refused(MoglerReason.ALREADY_LAID):
            decide(given, lays(ANNA, card))


def test_one_lays_a_card_that_one_holds() -> None:
    """2.2"""
    with refused(Reason.NOT_YOUR_CARDS):
        decide(dealt(*HANDS), lays(ANNA, "2D"))


def test_nobody_plays_before_all_have_laid() -> None:
    """2.2"""
    given = after(dealt(*HANDS), lays(ANNA, "2C"), lays(BEN, "2D"))

    for command in (plays(ANNA, "3C"), declines(ANNA)):
        with refused(Reason.NOT_NOW):
            decide(given, command)
    assert awaits(given) == Answers((CARA,), later(60))


@pytest.mark.parametrize(
    "annas, bens, caras, leader",
    [
        ("KC", "QS", "JS", ANNA),
        ("2C", "AD", "KS", BEN),
        ("9C", "9D", "9S", CARA),
        ("9C", "9D", "9H", ANNA),
        ("2C", "9D", "9H", CARA),
    ],
)
def test_the_highest_value_leads_and_among_equals_the_highest_suit(
    annas: str, bens: str, caras: str, leader: Seat
) -> None:
    """2.3: diamonds, hearts, clubs, spades."""
    laid = cards(f"{annas} {bens} {caras}")
    rest = [card for card in PACK if card not in laid]
    hands = [" ".join((card, *rest[6 * seat : 6 * seat + 6])) for seat, card in enumerate(laid)]
    given = dealt(*hands)

    happened = told(given, *(lays(Seat(seat), card) for seat, card in enumerate(laid)))

    assert one(OpeningTurned, happened).leader == leader


def test_the_cards_laid_are_out_of_the_game_and_six_are_left() -> None:
    """2.4"""
    state = after(dealt(*HANDS), lays(ANNA, "2C"), lays(BEN, "5D"), lays(CARA, "4H"))

    assert sort(state.out) == sort(cards("2C 5D 4H"))
    assert [len(hand) for hand in state.hands] == [6, 6, 6]


def test_the_next_round_has_a_first_lead_of_its_own() -> None:
    """2.5"""
    state = dealt("AS 2C 3C 4C 5C 6C 7C", "2D 3D 4D 5D 6D 7D 8D", stops="TOPS")
    state = after(state, lays(ANNA, "AS"), lays(BEN, "2D"))
    for own, other in zip(cards("2C 3C 4C"), cards("3D 4D 5D"), strict=True):
        first = in_turn(state)
        both = {ANNA: own, BEN: other}
        state = after(state, plays(first, both[first]), plays(Seat(1 - first), both[Seat(1 - first)]))
    state = after(state, declines(in_turn(state)))  # STOP: the round is over
    state = after(state, ready(ANNA), ready(BEN))

    assert state.round == 2
    assert isinstance(state.phase, Opening)
    assert awaits(state) == Answers((ANNA, BEN), later(60))


# ── given deals ─────────────────────────────────────────────────────────────────────────────────


def test_a_stacked_deal_gives_the_hands_it_names_and_leaves_the_rest_to_draw() -> None:
    """12.1"""
    state = dealt(*HANDS)

    assert state.hands == tuple(sort(cards(hand)) for hand in HANDS)
    assert len(state.stock) == 31


def test_stop_cards_and_draws_come_in_the_order_given() -> None:
    """12.1"""
    state = dealt(*HANDS, stops="SST", draws="KS QS")
    state = after(state, lays(ANNA, "8C"), lays(BEN, "2D"), lays(CARA, "2H"))

    assert state.row == ("S",)
    drawn = after(state, draws(ANNA))
    assert drawn.hands[ANNA][-1] == "KS"
    assert sort(drawn.stock) == sort(card for card in state.stock if card != "KS")


@pytest.mark.parametrize(
    "deal, why",
    [
        (StackedDeal((cards(HANDS[0]),)), ("hands_for_seats", {"hands": 1, "seats": 2})),
        (StackedDeal((cards(HANDS[0]), cards("2D"))), ("hand_size", {"seat": 1, "held": 1, "wanted": 7})),
        (StackedDeal((cards(HANDS[0]), cards(HANDS[0]))), ("not_so_often", {"cards": HANDS[0]})),
        (StackedDeal((cards(HANDS[0]), cards(HANDS[1])), draws=cards("2C")), ("not_so_often", {"cards": "2C"})),
        (
            StackedDeal((cards(HANDS[0]), cards(HANDS[1])), draws=cards("AS KS QS JS")),
            ("too_many", {"field": "draws", "most": 3}),
        ),
        (StackedDeal((cards(HANDS[0]), cards(HANDS[1])), stops=("T", "T", "T")), ("not_so_often", {"cards": "T"})),
        (
            StackedDeal((cards(HANDS[0]), cards(HANDS[1])), stops=("S", "S", "S", "T", "T", "O", "O")),
            ("too_many", {"field": "stops", "most": 6}),
        ),
    ],
)
def test_a_deal_that_could_not_have_come_about_is_refused(deal: StackedDeal, why: tuple[object, ...]) -> None:
    """12.1"""
    with pytest.raises(BadDeal) as refused:
        check_deal(MoglerOptions(), 2, deal)
    assert refused.value.args == why


def test_a_deal_that_could_have_come_about_is_accepted() -> None:
    """12.1: nothing is raised."""
    check_deal(MoglerOptions(), 3, StackedDeal(tuple(map(cards, HANDS)), ("S", "S", "S", "T"), cards("AS KS QS")))


def test_later_rounds_are_dealt_by_lot() -> None:
    """12.1"""
    state = dealt(*HANDS, stops="TOPS")
    first = state.hands
    state = after(state, lays(ANNA, "8C"), lays(BEN, "2D"), lays(CARA, "2H"))
    while state.row != ("T", "O", "P", "S"):
        state = after(state, plays(seat := in_turn(state), state.hands[seat][0]))
    state = after(state, declines(in_turn(state)))
    state = house_acts(state, later(5))

    assert state.round == 2
    assert state.hands != first
    assert not isinstance(awaits(state), HouseNow)
