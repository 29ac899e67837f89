"""Luck is recomputable, fair and separate; and whatever is filled in fits."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from domain.kernel.bot import fill, fill_all
from domain.kernel.chance import Chance, entropy_of
from domain.kernel.offers import Between, Choose, Offer, OneOf, Preimage

CHANCE = Chance(bytes(range(32)), "0192f0c1-2a6e-7000-8000-000000000000", entropy_of([b"a", b"b"]))


def test_the_same_draw_gives_the_same_again() -> None:
    assert CHANCE.draw(3).shuffled(range(52)) == CHANCE.draw(3).shuffled(range(52))


def test_another_draw_match_seed_or_entropy_gives_another() -> None:
    others = [
        CHANCE.draw(4),
        Chance(CHANCE.seed, "0192f0c1-2a6e-7000-8000-000000000001", CHANCE.entropy).draw(3),
        Chance(bytes(32), CHANCE.match, CHANCE.entropy).draw(3),
        Chance(CHANCE.seed, CHANCE.match, entropy_of([b"b", b"a"])).draw(3),
        CHANCE.bot(3, 0),
    ]
    drawn = {CHANCE.draw(3).shuffled(range(52)), *(other.shuffled(range(52)) for other in others)}

    assert len(drawn) == len(others) + 1


def test_a_draw_can_be_recomputed_by_hand() -> None:
    """As docs tell an auditor: HMAC-SHA-256 over prefix, match, entropy, k and block; four numbers a block."""
    entropy = hashlib.sha256(b"ab").digest()
    message = b"mogelwerk/draw/1" + CHANCE.match.encode() + entropy + (7).to_bytes(8, "big")
    block = hmac.digest(CHANCE.seed, message + (0).to_bytes(8, "big"), "sha256")

    luck = CHANCE.draw(7)
    assert [luck.below(1 << 63) for _ in range(4)] == [
        int.from_bytes(block[start : start + 8], "big") % (1 << 63) for start in range(0, 32, 8)
    ]


def test_all_numbers_are_as_likely() -> None:
    luck = CHANCE.draw(0)
    counted = Counter(luck.below(7) for _ in range(7000))

    assert set(counted) == set(range(7))
    assert max(counted.values()) < 1150
    assert min(counted.values()) > 850


def test_all_orders_are_as_likely() -> None:
    luck = CHANCE.draw(1)
    counted = Counter(luck.shuffled("abc") for _ in range(6000))

    assert len(counted) == 6
    assert max(counted.values()) < 1150
    assert min(counted.values()) > 850


def test_dice_have_six_sides() -> None:
    assert set(CHANCE.draw(2).dice(200)) == {1, 2, 3, 4, 5, 6}


def test_whatever_is_filled_in_fits() -> None:
    luck = CHANCE.draw(5)
    for _ in range(300):
        assert fill(OneOf(("a", "b")), luck) in ("a", "b")
        assert fill(Between(2, 9, 3), luck) in (2, 5, 8)
        laid = fill(Choose(("7H", "7H", "QS"), 1, 2), luck)
        assert 1 <= len(laid) <= 2
        assert not Counter(laid) - Counter(("7H", "7H", "QS"))
    with pytest.raises(ValueError, match="only who committed"):
        fill(Preimage("00"), luck)


def test_what_may_be_left_out_is_left_out_half_of_the_time() -> None:
    luck = CHANCE.draw(6)
    offer = Offer("cheat.play", {"rank": OneOf(("A",), optional=True), "n": OneOf((1,))})

    counted = Counter("rank" in fill_all(offer, luck) for _ in range(1000))
    assert 400 < counted[True] < 600
    assert all(fill_all(offer, luck)["n"] == 1 for _ in range(10))
