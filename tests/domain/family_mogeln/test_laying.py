"""RULES.md 2, 3 and 4: the deal, the turn, and the first round of lays."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games.family_mogeln.actions import AcceptRound, Vacate
from domain.games.family_mogeln.dealing import pack
from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import ControlBegan, Laid, SatOut, Turn
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.reasons import FamilyMogelnReason
from domain.games.family_mogeln.state import begin
from domain.kernel.cards import JOKER, cards, sort
from domain.kernel.game import HOUSE, Seat
from domain.kernel.offers import Choose
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    PACE,
    after,
    all_cards,
    by,
    controls,
    dealt,
    due,
    goes,
    held,
    in_turn,
    lays,
    options,
    settled,
    sits_out,
    told,
    underway,
)

HANDS = ("7H QS 4C 5C", "KD 9C 4D 5D", "4S 4H 6C 6D")

# ── the deal ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "players, whole, each, aside",
    [
        (3, 55, 18, 1),
        (4, 55, 13, 3),
        (5, 110, 22, 0),
        (6, 110, 18, 2),
        (7, 110, 15, 5),
        (8, 110, 13, 6),
        (9, 110, 12, 2),
        (10, 110, 11, 0),
    ],
)
def test_half_the_pack_below_five_players_and_all_get_as_many(players: int, whole: int, each: int, aside: int) -> None:
    """1.2, 2.2: the table of the rules page."""
    state = settled(begin(options(), PACE, players, None))

    assert [len(hand) for hand in state.hands] == [each] * players
    assert state.sizes == (each,) * players
    assert len(state.aside) == state.aside_size == aside
    assert all_cards(state) == Counter(pack(players))
    assert sum(all_cards(state).values()) == whole
    assert all_cards(state)[JOKER] == (3 if players < 5 else 6)


def test_the_first_dealer_is_drawn_and_his_left_neighbour_begins_with_any_rank() -> None:
    """2.1, 2.3, 2.4"""
    state = settled(begin(options(), PACE, 4, None))

    assert state.dealer is not None
    assert in_turn(state) == (state.dealer + 1) % 4
    assert due(state) is None
    assert state.pile == ()


def test_who_begins_must_choose_a_rank() -> None:
    """2.3"""
    with refused(FamilyMogelnReason.RANK_MISSING):
        decide(dealt(*HANDS), lays(ANNA, "7H"))
    assert due(after(dealt(*HANDS), lays(ANNA, "7H", "T"))) == "J"


# ── the turn ────────────────────────────────────────────────────────────────────────────────────


def test_a_card_is_laid_and_the_next_one_says_the_next_rank() -> None:
    """3.1, 3.2, 3.10"""
    given = dealt(*HANDS)

    assert told(given, lays(ANNA, "7H", "7")) == (
        Laid(0, ANNA, "7", cards("7H"), None, Turn(BEN, "8", later(60), 599), None),
    )
    assert held(after(given, lays(ANNA, "7H", "7")), ANNA) == Counter(cards("QS 4C 5C"))


def test_the_ace_is_high_and_two_follows() -> None:
    """1.3"""
    given = after(dealt(*HANDS), lays(ANNA, "7H", "K"))

    assert due(given) == "A"
    assert due(after(given, lays(BEN, "KD"))) == "2"


def test_another_rank_than_the_one_that_is_due_is_refused() -> None:
    """3.2"""
    given = after(dealt(*HANDS), lays(ANNA, "7H", "7"))

    with refused(FamilyMogelnReason.WRONG_RANK):
        decide(given, lays(BEN, "9C", "9"))
    assert decide(given, lays(BEN, "9C", "8"))


def test_a_lie_is_a_legal_play() -> None:
    """3.3"""
    assert decide(dealt(*HANDS), lays(ANNA, "7H", "Q"))


@pytest.mark.parametrize("laid", ["7H 7H", "9C", "7H QS 4D"])
def test_one_lays_what_one_has(laid: str) -> None:
    """3.1"""
    with refused(Reason.NOT_YOUR_CARDS):
        decide(underway(*HANDS), lays(ANNA, laid))


def test_who_is_not_in_turn_lays_nothing_and_does_not_sit_out() -> None:
    """3.10"""
    for command in (lays(BEN, "9C", "9"), sits_out(BEN)):
        with refused(Reason.NOT_YOUR_TURN):
            decide(dealt(*HANDS), command)


@pytest.mark.parametrize("laid", ["7H QS", "7H QS 4C"])
def test_three_cards_laid_are_one_card_to_all(laid: str) -> None:
    """3.4, 12.4: rule test B: the public size drops by one."""
    given = underway(*HANDS)

    state = after(given, lays(ANNA, laid))

    assert state.sizes[ANNA] == given.sizes[ANNA] - 1
    assert state.pile_size == given.pile_size + 1
    assert len(state.hands[ANNA]) == 4 - len(cards(laid))


def test_the_last_card_named_lies_on_top() -> None:
    """3.4"""
    state = after(underway(*HANDS), lays(ANNA, "7H QS 4C"))

    assert state.pile[-1].top == "4C"


@pytest.mark.parametrize("laid", ["7H QS", "7H QS 4C"])
def test_more_than_one_card_is_refused_where_nothing_can_be_controlled(laid: str) -> None:
    """3.5"""
    with refused(FamilyMogelnReason.ONE_CARD_YET):
        decide(dealt(*HANDS), lays(ANNA, laid, "7"))


@pytest.mark.parametrize("hand", ["7H QS", "7H QS 4C"])
def test_cards_that_would_empty_the_hand_are_laid_singly(hand: str) -> None:
    """3.5, 8.2"""
    given = underway(hand, *HANDS[1:])

    with refused(FamilyMogelnReason.LAST_CARD_ALONE):
        decide(given, lays(ANNA, hand))
    (offered, _) = offers(given, ANNA)
    assert offered.fields["cards"] == Choose(sort(cards(hand)), 1, len(cards(hand)) - 1)


# ── sitting out ─────────────────────────────────────────────────────────────────────────────────


def test_who_sits_out_leaves_the_rank_to_the_next() -> None:
    """3.6"""
    given = after(dealt(*HANDS), lays(ANNA, "7H", "7"))

    assert told(given, sits_out(BEN)) == (SatOut(BEN, Turn(CARA, "8", later(60), 598, sat_out=(BEN,))),)


def test_before_the_first_lay_the_next_one_chooses_the_rank() -> None:
    """3.6"""
    given = after(dealt(*HANDS), sits_out(ANNA))

    assert (in_turn(given), due(given)) == (BEN, None)
    assert decide(given, lays(BEN, "9C", "9"))


def test_when_all_have_sat_out_the_next_rank_is_due() -> None:
    """3.7: and not before."""
    given = after(dealt(*HANDS), lays(ANNA, "7H", "7"), sits_out(BEN), sits_out(CARA))
    assert due(given) == "8"

    all_have = after(given, sits_out(ANNA))

    assert (in_turn(all_have), due(all_have)) == (BEN, "9")
    assert due(after(all_have, sits_out(BEN), sits_out(CARA))) == "9"


def test_a_lay_in_between_begins_the_count_anew() -> None:
    """3.7"""
    given = after(dealt(*HANDS), lays(ANNA, "7H", "7"), sits_out(BEN), lays(CARA, "4S"), sits_out(ANNA), sits_out(BEN))

    assert due(given) == "9"
    assert due(after(given, sits_out(CARA))) == "T"


def test_when_all_sit_out_before_any_lay_any_rank_may_be_chosen_still() -> None:
    """3.6, 3.7"""
    given = after(dealt(*HANDS), sits_out(ANNA), sits_out(BEN), sits_out(CARA))

    assert (in_turn(given), due(given)) == (ANNA, None)


def test_who_has_the_card_may_sit_out_all_the_same() -> None:
    """3.8"""
    given = after(dealt(*HANDS), lays(ANNA, "7H", "8"))

    assert due(given) == "9"
    assert "9C" in given.hands[BEN]
    assert decide(given, sits_out(BEN))


@pytest.mark.parametrize("hand", ["9C 4D", "** 4D"])
def test_where_sitting_out_is_for_those_who_must_a_fitting_card_is_laid(hand: str) -> None:
    """3.9"""
    given = after(dealt(HANDS[0], hand, HANDS[2], strict_sit_out=True), lays(ANNA, "7H", "8"))

    with refused(FamilyMogelnReason.FITTING_CARD):
        decide(given, sits_out(BEN))
    assert [offer.type for offer in offers(given, BEN)] == ["family_mogeln.lay"]


def test_there_who_has_none_may_sit_out_and_who_chooses_may_not() -> None:
    """3.9"""
    given = dealt(HANDS[0], "KD 4D", HANDS[2], strict_sit_out=True)

    with refused(FamilyMogelnReason.FITTING_CARD):
        decide(given, sits_out(ANNA))
    assert decide(after(given, lays(ANNA, "7H", "8")), sits_out(BEN))


# ── the first round of lays ─────────────────────────────────────────────────────────────────────


def test_nothing_is_controlled_before_the_starters_second_lay() -> None:
    """4.1, 4.5: rule test B."""
    given = dealt(*HANDS)
    for seat, laid, rank in ((ANNA, "7H", "7"), (BEN, "KD", None), (CARA, "4S", None)):
        given = after(given, lays(seat, laid, rank))
        for other in (ANNA, BEN, CARA):
            assert "family_mogeln.control" not in {offer.type for offer in offers(given, other)}
            with refused(FamilyMogelnReason.FIRST_ROUND):
                decide(given, controls(other, given.claims - 1))


def test_the_starters_second_lay_can_be_controlled() -> None:
    """4.1, 4.6: rule test B. All are told that control has begun."""
    given = underway(*HANDS)

    began, laid = told(given, lays(ANNA, "7H"))

    assert began == ControlBegan()
    assert isinstance(laid, Laid)
    assert laid.not_before == later(5)
    assert decide(after(given, lays(ANNA, "7H")), controls(BEN, 3))


def test_in_that_lay_there_may_be_two_cards() -> None:
    """3.5, 4.2: it can be controlled."""
    assert decide(underway(*HANDS), lays(ANNA, "7H QS"))


def test_control_begins_once_in_a_round() -> None:
    """4.6"""
    given = after(underway(*HANDS), lays(ANNA, "7H"), lays(BEN, "KD", at=later(6)), lays(CARA, "4S", at=later(12)))

    (laid,) = told(given, lays(ANNA, "QS", at=later(18)))

    assert isinstance(laid, Laid)


def test_what_was_laid_before_control_began_is_never_controlled() -> None:
    """4.5"""
    given = after(underway(*HANDS), lays(ANNA, "7H"))

    with refused(Reason.CLAIM_CLOSED):
        decide(given, controls(BEN, 2))


def test_a_starter_who_sits_out_in_his_second_turn_lets_control_begin_with_the_next_lay() -> None:
    """4.3"""
    given = underway(*HANDS)

    sat_out, began = told(given, sits_out(ANNA))

    assert (type(sat_out), began) == (SatOut, ControlBegan())
    assert decide(after(given, sits_out(ANNA), lays(BEN, "KD")), controls(ANNA, 3))


def test_his_first_turn_does_not_count() -> None:
    """4.1, 4.3: he has not laid twice before his third turn."""
    given = after(dealt(*HANDS), sits_out(ANNA), lays(BEN, "KD", "9"), lays(CARA, "4S"), lays(ANNA, "7H"))
    assert not given.controls
    assert given.windows == ()

    given = after(given, lays(BEN, "9C"), lays(CARA, "4H"))

    assert told(given, lays(ANNA, "QS"))[0] == ControlBegan()


def test_others_second_lays_do_not_let_control_begin() -> None:
    """4.1"""
    given = after(dealt(*HANDS), sits_out(ANNA), lays(BEN, "KD", "9"), lays(CARA, "4S"), lays(ANNA, "7H"))

    given = after(given, lays(BEN, "9C"))

    assert (given.controls, given.windows) == (False, ())


def test_who_follows_a_starter_who_left_is_the_starter() -> None:
    """4.4"""
    four = dealt(*HANDS, "3C 3D 3S")
    given = after(four, lays(ANNA, "7H", "7"), lays(BEN, "KD"), goes(ANNA), lays(CARA, "4S"), lays(DAN, "3C"))
    assert given.starter == BEN
    assert not given.controls

    began, _ = told(given, lays(BEN, "9C"))

    assert began == ControlBegan()


def test_a_follower_who_has_laid_twice_lets_control_begin_at_once() -> None:
    """4.4"""
    four = dealt(*HANDS, "3C 3D 3S")
    given = after(four, sits_out(ANNA), lays(BEN, "KD", "9"), lays(CARA, "4S"), lays(DAN, "3C"), lays(ANNA, "7H"))
    given = after(given, lays(BEN, "9C"))
    assert not given.controls

    _, began = told(given, by(HOUSE, Vacate(ANNA)))

    assert began == ControlBegan()
    assert decide(after(given, goes(ANNA), lays(CARA, "4H")), controls(Seat(3), given.claims))


def test_a_new_round_begins_without_control() -> None:
    """4.1"""
    given = after(underway("7H 4C", *HANDS[1:], mode="most_wins"), lays(ANNA, "7H"), sits_out(BEN, later(6)))
    won = after(given, sits_out(CARA, later(6)), lays(ANNA, "4C", at=later(7)))

    again = after(won, *(by(seat, action) for seat, action in _all_ready()))

    assert (again.round, again.controls, again.lays) == (2, False, (0, 0, 0))


def _all_ready() -> list[tuple[Seat, AcceptRound]]:
    return [(seat, AcceptRound()) for seat in (ANNA, BEN, CARA)]
