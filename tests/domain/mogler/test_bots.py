"""Two bots: what they do, and that the one that thinks does better."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from msgspec.structs import replace

from domain.games.mogler.actions import Action, LayOpening, Play, SDiscard, SDraw
from domain.games.mogler.bots import BOTS, CAREFUL, RANDOM
from domain.games.mogler.careful import lengths, worth
from domain.games.mogler.offers import offers
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import State
from domain.kernel.bot import Blank
from domain.kernel.cards import BACK, cards
from domain.kernel.chance import Chance
from domain.kernel.game import Seat
from projections.views.mogler import MOGLER_VIEW
from tests.any_game import AnyBot
from tests.bench.bots import share
from tests.domain.mogler.table import ANNA, BEN, CARA, after, dealt, draws, plays, took, trick

HANDS = ("9C 3C 4C 5C 6C 7C 8C", "2D 3D 4D 5D 6D 7D 8D")


def does(bot: AnyBot, seat: Seat, given: State, luck: int = 0) -> Action | None:
    """What a bot does in this seat, others' hands and the draw pile being backs to it."""
    hidden = tuple([hand if n == seat else (BACK,) * len(hand) for n, hand in enumerate(given.hands)])
    own = replace(given, hands=hidden, stock=(BACK,) * len(given.stock))
    return bot.choose(Blank(seat, given.seats), own, offers(own, seat), Chance(b"", "", b"").bot(seat, luck))


@pytest.mark.parametrize("kind", BOTS)
def test_nobody_acts_where_nothing_is_offered(kind: str) -> None:
    assert does(BOTS[kind], BEN, trick("2C 3C", "4C 5C")) is None


@pytest.mark.parametrize("kind", BOTS)
def test_the_same_luck_gives_the_same_act(kind: str) -> None:
    given = trick("2C 9D JH 4S", "4C 5C 6C 7C")

    assert does(BOTS[kind], ANNA, given, 3) == does(BOTS[kind], ANNA, given, 3)


def test_the_random_one_plays_any_card_locked_ones_too() -> None:
    given = took(trick("9H 2C 3D", "4C 5C 6C"), ANNA, "4H 5S")

    counted = Counter(does(RANDOM, ANNA, given, luck) for luck in range(3000))

    assert set(counted) == {Play("9H"), Play("2C"), Play("3D")}
    assert all(900 < times < 1100 for times in counted.values())


# ── the careful one ─────────────────────────────────────────────────────────────────────────────


def test_it_lays_its_lowest_card_and_would_rather_not_lead() -> None:
    assert does(CAREFUL, ANNA, dealt(*HANDS)) == LayOpening("3C")


def test_it_draws_for_an_s_since_it_need_not_keep_what_comes() -> None:
    assert does(CAREFUL, ANNA, trick("2C 3C", "4C 5C", row="S")) == SDraw()


def test_with_stop_complete_it_keeps_what_is_worth_stars_now() -> None:
    """Of a heart, a club and what it drew it discards none of the two hearts that its trick shows."""
    given = took(trick("2H KC", "3C 4C", row="TOPS"), ANNA, "4H 5S")
    given = after(given, draws(ANNA))

    chosen = does(CAREFUL, ANNA, given)

    assert isinstance(chosen, SDiscard)
    assert chosen.card != "2H"


def test_it_plays_no_locked_card_while_it_has_another() -> None:
    given = took(trick("AH KH 2C", "4C 5C 6C"), ANNA, "4H 5S")

    assert {does(CAREFUL, ANNA, given, luck) for luck in range(20)} == {Play("2C")}


def test_forced_to_be_caught_it_plays_on() -> None:
    given = took(trick("AH KH", "4C 5C"), ANNA, "4H 5S")

    assert does(CAREFUL, ANNA, given) == Play("KH")


def test_last_in_the_trick_it_takes_it_with_the_lowest_card_that_does() -> None:
    given = after(trick("9H 2D", "TH AH", row="TTOOP"), plays(ANNA, "9H"))

    assert does(CAREFUL, BEN, given) == Play("TH")


def test_it_keeps_the_stars_of_an_empty_round_where_many_sit() -> None:
    """6.3: at a table of five no trick at all is worth five stars, and the last one takes three."""
    given = trick("9H 2C", "3H 3C", "4H 4C", "5H 5C", "AH 2H", row="TTOOP")
    for seat, card in enumerate(cards("9H 3H 4H 5H")):
        given = after(given, plays(Seat(seat), card))

    assert does(CAREFUL, Seat(4), given) == Play("2H")


@pytest.mark.parametrize(
    "row, chances",
    [
        ("", {3: Fraction(4, 21), 4: Fraction(6, 21), 5: Fraction(11, 42), 6: Fraction(11, 42)}),
        ("STO", {0: Fraction(2, 6), 1: Fraction(2, 6) * Fraction(4, 5)}),
        ("SSSTT", {0: Fraction(0), 1: Fraction(1)}),
    ],
)
def test_it_knows_how_long_a_round_may_last(row: str, chances: dict[int, Fraction]) -> None:
    """3.4, 3.6: the exact chances, from any row on."""
    known = lengths(tuple(sorted(row)))

    assert sum(known) == pytest.approx(1)
    for tricks, chance in chances.items():
        assert known[tricks] == pytest.approx(float(chance))


def test_a_hand_full_of_locked_cards_is_worth_much_if_stop_comes_and_nothing_if_it_does_not() -> None:
    """6.2, 5.3"""
    given = took(trick("2H 3H", "4C 5C", row="TTSS"), ANNA, "4H 5S", "6H 7S")
    hand, taken = cards("2H 3H"), given.tricks[ANNA]

    assert worth(given, hand, taken, ends_now=True) == 4 + 8
    assert worth(given, hand, taken) == 0  # O and P are missing: one card at least must be played


def test_it_does_the_same_whatever_the_hidden_cards_are() -> None:
    one = trick("2C 9D JH 4S", "4C 5C 6C 7C", "8C 9C TC JC")
    other = trick("2C 9D JH 4S", "4D 5D 6D 7D", "8H 9H TH JS")

    for luck in range(10):
        assert does(CAREFUL, ANNA, one, luck) == does(CAREFUL, ANNA, other, luck)


def test_it_beats_the_random_one() -> None:
    """How clearly is a figure of tests/bench/bots.py; here only that it does, on a few seeded matches."""
    assert share(MOGLER_VIEW, MoglerOptions(), seats=2, careful=1, matches=12) > 0.7
    assert share(MOGLER_VIEW, MoglerOptions("stop"), seats=3, careful=1, matches=12) > 0.4


def test_a_trick_that_all_others_have_played_to_is_looked_at_once() -> None:
    """No luck is needed where nothing is unknown."""
    given = after(trick("9H 2D", "TH 3S", "AH 4S"), plays(ANNA, "9H"), plays(BEN, "TH"))

    assert len({does(CAREFUL, CARA, given, luck) for luck in range(20)}) == 1
