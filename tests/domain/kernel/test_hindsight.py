"""Luck in hindsight gives what happened, if luck can give it."""

from __future__ import annotations

import tracemalloc
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.cards import PACK
from domain.kernel.chance import Draw
from domain.kernel.hindsight import Hindsight


def luck(*outcome: object) -> Draw:
    return Hindsight(outcome).draw(3)


def test_it_gives_what_happened_in_the_order_in_which_it_is_asked() -> None:
    draw = luck(2, "KD", "AS", 5, 6, "7H")

    assert draw.pick((0, 1, 2)) == 2
    assert draw.shuffled(("AS", "7H", "KD")) == ("KD", "AS", "7H")
    assert draw.dice(2) == (5, 6)


def test_the_first_seat_is_a_seat_too() -> None:
    assert luck(0).pick((2, 1, 0)) == 0


def test_what_was_not_asked_for_is_left_for_later() -> None:
    draw = luck("KD", 3, 4)

    assert draw.dice(1) == (3,)
    assert draw.shuffled(("QH", "KD")) == ("KD", "QH")
    assert draw.dice(1) == (4,)


@given(st.lists(st.sampled_from([*PACK, "??", 0, 7, None])), st.lists(st.sampled_from(PACK)))
def test_a_pack_holds_what_it_held_whatever_is_said_to_have_happened(outcome: list[object], pack: list[str]) -> None:
    assert Counter(luck(*outcome).shuffled(pack)) == Counter(pack)


@given(st.lists(st.integers(-3, 12)), st.integers(0, 9))
def test_dice_have_six_faces(outcome: list[int], n: int) -> None:
    thrown = luck(*outcome).dice(n)

    assert len(thrown) == n
    assert all(1 <= die <= 6 for die in thrown)
    wanted = [die for die in outcome if 1 <= die <= 6][:n]
    assert thrown[: len(wanted)] == tuple(wanted)


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9), min_size=1))
def test_what_is_picked_is_among_the_things(outcome: list[int], things: list[int]) -> None:
    assert luck(*outcome).pick(things) in things


def test_a_card_is_given_as_often_as_it_is_there() -> None:
    assert luck("KD", "KD", "KD").shuffled(("KD", "AS", "KD")) == ("KD", "KD", "AS")


def test_of_a_hundred_thousand_dice_two_cost_no_more_than_of_two() -> None:
    """Or a forged event of a few megabytes would keep a verifier busy for hours: they could be asked for two by two."""
    draw = luck(*(1, 6) * 50_000)
    tracemalloc.start()
    try:
        assert draw.dice(2) == (1, 6)
        assert tracemalloc.get_traced_memory()[1] < 20_000  # bytes; the dice alone are eight each
    finally:
        tracemalloc.stop()


def test_where_nothing_is_known_throws_do_not_tie_for_ever() -> None:
    draw = luck()

    assert len({draw.dice(2) for _ in range(20)}) > 1
