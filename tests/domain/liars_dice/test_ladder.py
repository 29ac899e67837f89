"""RULES.md 3.3–3.5 and 4.3: what dice make, checked against all 7,776 throws."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest

from domain.games.liars_dice import LIARS_DICE
from domain.games.liars_dice.ladder import LADDER, RUNG, TOP, above, beats, best, makes
from domain.games.liars_dice.odds import best_keep, chance, chance_with_reroll, keeps
from domain.kernel.cards import BACK
from tests.domain.liars_dice.table import dice, said

ALL_THROWS = tuple(product("123456", repeat=5))
IN_ORDER = ("nothing", "pair", "two_pairs", "three", "straight", "full_house", "four", "five")


def test_there_are_exactly_72_claims_and_each_can_be_true() -> None:
    """3.4"""
    assert len(LADDER) == len(set(LADDER)) == 72
    assert {best(thrown) for thrown in ALL_THROWS} == set(LADDER)


def test_kinds_come_in_their_order_and_so_many_rungs_each() -> None:
    """3.3, 3.4"""
    kinds = [claim.partition(":")[0] for claim in LADDER]

    assert tuple(dict.fromkeys(kinds)) == IN_ORDER
    assert Counter(kinds) == dict(zip(IN_ORDER, (1, 6, 15, 6, 2, 30, 6, 6), strict=True))


def test_within_a_kind_the_faces_decide_the_first_before_the_second() -> None:
    """3.4, 3.5"""
    for kind in IN_ORDER[1:]:
        faces = [claim.partition(":")[2] for claim in LADDER if claim.startswith(kind + ":")]
        assert faces == sorted(faces)


def test_how_many_of_all_throws_make_what() -> None:
    """3.3: the figures of the rules page."""
    made = Counter(best(thrown).partition(":")[0] for thrown in ALL_THROWS)

    assert made == dict(zip(IN_ORDER, (480, 3600, 1800, 1200, 240, 300, 150, 6), strict=True))


@pytest.mark.parametrize(
    "shown, made",
    [
        ("12346", "nothing"),
        ("13456", "nothing"),
        ("12445", "pair:4"),
        ("22155", "two_pairs:5-2"),
        ("44412", "three:4"),
        ("54321", "straight:5"),
        ("23456", "straight:6"),
        ("42424", "full_house:4-2"),
        ("22244", "full_house:2-4"),
        ("44441", "four:4"),
        ("66666", "five:6"),
    ],
)
def test_what_five_dice_make(shown: str, made: str) -> None:
    """3.4, 3.5"""
    assert best(dice(shown)) == made


def test_what_is_made_is_what_a_search_through_all_claims_finds() -> None:
    """3.4: an oracle that knows only what each claim needs at least."""
    for thrown in ALL_THROWS:
        counted = Counter(thrown)
        assert best(thrown) == [claim for claim in LADDER if _shows(counted, claim)][-1]


def _shows(counted: Counter[str], claim: str) -> bool:
    kind, _, faces = claim.partition(":")
    first, _, second = faces.partition("-")
    need = {"pair": (2,), "two_pairs": (2, 2), "three": (3,), "full_house": (3, 2), "four": (4,), "five": (5,)}
    if kind == "straight":
        return set(counted) == set("12345" if first == "5" else "23456")
    return all(counted[face] >= count for face, count in zip((first, second), need.get(kind, ()), strict=False))


@pytest.mark.parametrize(
    "shown, claim, true",
    [
        ("44412", "pair:6", True),
        ("44412", "three:4", True),
        ("44412", "three:5", False),
        ("12346", "nothing", True),
        ("12346", "pair:1", False),
        ("22255", "two_pairs:6-5", True),
        ("12345", "three:6", True),
        ("12345", "straight:6", False),
        ("66666", "five:6", True),
    ],
)
def test_a_claim_is_true_of_dice_as_good_or_better(shown: str, claim: str, true: bool) -> None:
    """4.3"""
    assert makes(dice(shown), said(claim)) is true


def test_what_beats_a_claim_is_what_stands_above_it() -> None:
    """3.2, 3.4"""
    assert above(None) == LADDER
    assert above(said("four:6")) == tuple(f"five:{face}" for face in "123456")
    assert above(TOP) == ()
    assert TOP == "five:6"
    for claim in LADDER:
        assert [other for other in LADDER if beats(other, claim)] == list(above(claim))
    assert beats(said("nothing"), None)


def test_dice_that_are_not_seen_make_nothing() -> None:
    """So that a viewer's own view can be asked anything."""
    assert best((BACK,) * 5) == "nothing"


# ── the odds that bots know ─────────────────────────────────────────────────────────────────────


def test_the_odds_of_a_claim_are_counted_over_all_throws() -> None:
    for claim in LADDER:
        true = sum(makes(thrown, claim) for thrown in ALL_THROWS)
        assert chance(claim) == pytest.approx(true / len(ALL_THROWS))


def test_the_odds_with_some_dice_known_are_counted_over_the_others() -> None:
    kept = dice("446")
    true = sum(makes((*kept, *thrown), said("full_house:4-6")) for thrown in product("123456", repeat=2))

    assert chance(said("full_house:4-6"), kept) == pytest.approx(true / 36)
    assert chance(said("five:6"), dice("66666")) == 1
    assert chance(said("five:6"), dice("12345")) == 0


def test_of_dice_that_are_thrown_anew_at_least_one_is() -> None:
    assert len(keeps(dice("12345"))) == 2**5 - 1
    assert keeps(dice("66666")) == {dice("6" * size) for size in range(5)}


def test_what_is_kept_is_what_the_claim_needs() -> None:
    assert best_keep(dice("44126"), said("three:4")) == dice("44")
    assert best_keep(dice("12346"), said("straight:5")) == dice("1234")


def test_a_second_throw_never_makes_it_less_likely() -> None:
    assert all(chance_with_reroll(claim) > chance(claim) for claim in LADDER[1:])
    assert chance_with_reroll(LADDER[0]) == pytest.approx(1)


def test_every_rung_is_where_it_stands() -> None:
    """3.4"""
    assert [RUNG[claim] for claim in LADDER] == list(range(72))


def test_the_ladder_that_is_written_down_is_the_one_that_is_played() -> None:
    """3.3, 3.4, 3.5: kinds, numbers of claims and throws, and every claim in its order."""
    rows = re.findall(r"^\| [a-z ]+ \| (\d+) \| ([\d,]+) \| (.*) \|$", LIARS_DICE.rules, re.MULTILINE)
    written = [re.findall(r"`([^`]+)`", claims) for _, _, claims in rows]

    assert [claim for row in written for claim in row] == list(LADDER)
    assert [int(number) for number, _, _ in rows] == [len(row) for row in written]
    assert sum(int(throws.replace(",", "")) for _, throws, _ in rows) == len(ALL_THROWS)
