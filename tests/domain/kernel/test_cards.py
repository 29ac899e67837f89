"""Cards are two letters, and a back is a card."""

from __future__ import annotations

import pytest

from domain.kernel.cards import BACK, JOKER, PACK, cards, face_down, holds, rank, sort, without


def test_a_pack_has_fifty_two_different_cards() -> None:
    assert len(set(PACK)) == len(PACK) == 52
    assert {rank(card) for card in PACK} == set("A23456789TJQK")


def test_a_hand_is_held_card_by_card() -> None:
    hand = cards("7H 7H QS")

    assert holds(hand, cards("7H 7H"))
    assert not holds(hand, cards("QS QS"))
    assert not holds(hand, cards("7D"))
    assert holds(hand, ())


def test_what_is_laid_leaves_the_hand_once() -> None:
    assert without(cards("7H 7H QS"), cards("7H")) == cards("7H QS")


def test_a_back_stands_for_whatever_was_laid() -> None:
    assert without(face_down(cards("7H QS 2C")), cards("QS")) == (BACK, BACK)
    assert without((BACK, BACK), (BACK,)) == (BACK,)


def test_nobody_lays_what_is_not_there() -> None:
    with pytest.raises(ValueError, match="not in list"):
        without(cards("7H"), cards("QS"))


def test_sorted_cards_lie_as_in_a_fresh_pack_jokers_last() -> None:
    assert sort(cards("** KS AC AS 2C ??")) == cards("AC AS 2C KS ** ??")
    assert sort((JOKER, *PACK[::-1])) == (*PACK, JOKER)
