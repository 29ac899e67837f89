"""RULES.md 5, 6 and 7: locked suits, who is caught, and what a round is worth."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.mogler.decider import decide
from domain.games.mogler.events import (
    Caught,
    MatchOver,
    MoglerScore,
    MoglerTurn,
    Played,
    RoundOver,
    SDeclined,
    StopTurned,
    TrickTaken,
)
from domain.games.mogler.house import awaits
from domain.games.mogler.offers import offers
from domain.games.mogler.state import State
from domain.games.mogler.tricks import locked
from domain.kernel.cards import cards, sort
from domain.kernel.game import Over
from domain.kernel.offers import OneOf
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.mogler.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    after,
    declines,
    discards,
    draws,
    in_turn,
    lying,
    one,
    plays,
    ready,
    told,
    took,
    trick,
)

# ── locked, and caught ──────────────────────────────────────────────────────────────────────────


def test_the_suit_that_was_led_is_locked_and_not_the_trump() -> None:
    """5.1"""
    given = trick("9H 2C", "3S 3C", "AH 4C")

    state = after(given, plays(ANNA, "9H"), plays(BEN, "3S"), plays(CARA, "AH"))

    assert [locked(taken) for taken in state.tricks] == [frozenset(), {"H"}, frozenset()]


def test_a_suit_trick_locks_nothing() -> None:
    """5.1"""
    state = after(trick("9H 2C", "3H 3C"), plays(ANNA, "9H"), plays(BEN, "3H"))

    assert locked(state.tricks[ANNA]) == frozenset()


def test_two_tricks_that_show_one_suit_lock_it_once_and_two_lock_two() -> None:
    """5.1"""
    hearts = took(trick("2C 2D", "9H 3C"), BEN, "4H 4S", "5H 5S")
    both = took(trick("2C 2D", "9H 3C"), BEN, "4H 4S", "5D 5S")

    assert [locked(given.tricks[BEN]) for given in (hearts, both)] == [{"H"}, {"H", "D"}]
    for given in (hearts, both):
        assert one(Caught, told(given, plays(ANNA, "2C"), plays(BEN, "9H"))).seat == BEN


def test_a_locked_card_is_offered_like_any_other_and_taken() -> None:
    """5.2"""
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"))

    (offer,) = offers(given, BEN)
    assert offer.fields == {"card": OneOf(cards("3C 9H"))}
    assert decide(given, plays(BEN, "9H"))


def test_nobody_has_to_notice() -> None:
    """5.2: no other command stands between the card and what comes of it."""
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"))

    assert decide(given, plays(BEN, "9H")) == (Caught(BEN, "9H", cards("3C"), MoglerTurn(CARA, later(60)), ends=False),)


@pytest.mark.parametrize("hand", ["9H 3C", "9H", "9H TH"])
def test_it_makes_no_difference_whether_he_had_another_card(hand: str) -> None:
    """5.3: forced or not."""
    given = after(took(trick("2C 2D", hand, "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"))

    assert one(Caught, told(given, plays(BEN, "9H"))).seat == BEN


def test_who_is_caught_loses_card_hand_and_tricks_and_is_out_of_the_round() -> None:
    """5.4"""
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H", "7C 8C 9C"), plays(ANNA, "2C"))

    state = after(given, plays(BEN, "9H"))

    assert (state.hands[BEN], state.tricks[BEN], state.caught) == ((), (), (BEN,))
    assert sort(state.out) == sort(cards("9H 3C 4H 4S 6H 7C 8C 9C"))
    assert in_turn(state) == CARA
    with refused(Reason.OUT_OF_ROUND):
        decide(state, plays(BEN, "3C"))
    assert offers(state, BEN) == ()


def test_everybody_else_plays_on_without_him() -> None:
    """5.4: the next trick has one card less, and he is not asked."""
    given = took(trick("2C 2D", "9H 3C", "4C 5D"), BEN, "4H 4S 6H")
    state = after(given, plays(ANNA, "2C"), plays(BEN, "9H"), plays(CARA, "4C"))

    assert in_turn(state) == CARA
    happened = told(state, plays(CARA, "5D"), plays(ANNA, "2D"))
    assert [play.seat for play in one(TrickTaken, happened).plays] == [CARA, ANNA]


def test_when_the_leader_is_caught_the_next_leads_the_same_trick_and_no_stop_card_is_turned() -> None:
    """5.5"""
    given = took(trick("9H 3C", "2C 2D", "4D 5D", row="TO"), ANNA, "4H 4S 6H")

    happened = told(given, plays(ANNA, "9H"))
    state = after(given, plays(ANNA, "9H"))

    assert [type(event) for event in happened] == [Caught]
    assert (in_turn(state), lying(state), state.row, state.trick) == (BEN, (), ("T", "O"), 2)
    taken = one(TrickTaken, told(state, plays(BEN, "2C"), plays(CARA, "4D")))
    assert (taken.trick, taken.trump, taken.seat, taken.plays[0].card) == (2, "D", CARA, "2C")


def test_two_leaders_in_a_row_can_be_caught() -> None:
    """5.5"""
    given = took(took(trick("9H 3C", "TH 2D", "4D 5D", "6D 7D"), ANNA, "4H 4S 6H 7H"), BEN, "2H 5S 3H JH")

    state = after(given, plays(ANNA, "9H"), plays(BEN, "TH"))

    assert (in_turn(state), lying(state), state.caught) == (CARA, (), (ANNA, BEN))


def test_a_caught_card_makes_no_trump() -> None:
    """5.6"""
    given = took(trick("9C 2D", "9H 3C", "4D 5D", "6C 8S"), BEN, "4H 4S 6H 7H")

    happened = told(given, plays(ANNA, "9C"), plays(BEN, "9H"), plays(CARA, "4D"), plays(DAN, "6C"))

    taken = one(TrickTaken, happened)
    assert (taken.trump, taken.seat) == ("D", CARA)
    assert [play.card for play in taken.plays] == ["9C", "4D", "6C"]


def test_a_caught_last_card_leaves_the_trick_to_the_others() -> None:
    """5.6"""
    given = took(trick("9C 2D", "8C 3C", "KH 5D"), CARA, "4H 4S 6H")

    happened = told(given, plays(ANNA, "9C"), plays(BEN, "8C"), plays(CARA, "KH"))

    assert [type(event) for event in happened[:4]] == [Played, Played, Caught, TrickTaken]
    taken = one(TrickTaken, happened)
    assert (taken.trump, taken.seat, [play.card for play in taken.plays]) == (None, ANNA, ["9C", "8C"])


def test_nobody_takes_a_trick_with_trumps_that_are_locked_for_him() -> None:
    """5.7: to play one is to be caught."""
    given = after(took(trick("2C 2D", "AH 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"))

    happened = told(given, plays(BEN, "AH"), plays(CARA, "4D"))

    assert one(TrickTaken, happened).seat == CARA


# ── the last one left ───────────────────────────────────────────────────────────────────────────


def alone(last_player: str = "plays_on") -> State:
    """Ben is about to be caught by leading a heart; Anna will be alone."""
    return took(trick("2C 2D 3H", "9H 3C KD", leader=BEN, row="T", last_player=last_player), BEN, "4H 4S")


def test_the_last_one_plays_on_alone_and_his_lone_card_is_a_suit_trick() -> None:
    """5.8"""
    state = after(alone(), plays(BEN, "9H"))

    assert in_turn(state) == ANNA
    happened = told(state, plays(ANNA, "2C"))
    taken = one(TrickTaken, happened)
    assert (taken.seat, taken.trump, taken.leader) == (ANNA, None, ANNA)
    assert one(StopTurned, happened).seat == ANNA


def test_alone_one_may_still_draw_for_an_s() -> None:
    """5.8"""
    given = took(trick("2C 2D 3H", "9H 3C KD", leader=ANNA, row="OS"), BEN, "4H 4S")
    given = replace(given, caught=(BEN,), hands=(given.hands[ANNA], ()))

    state = after(given, draws(ANNA))
    assert in_turn(after(state, discards(ANNA, "2C"))) == ANNA


def test_alone_one_is_still_caught_with_a_locked_card() -> None:
    """5.8, 5.9"""
    given = took(after(alone(), plays(BEN, "9H")), ANNA, "5C 5S")

    happened = told(given, plays(ANNA, "2C"))

    assert one(Caught, happened).ends
    assert one(RoundOver, happened).scores == (MoglerScore(), MoglerScore())


def test_alone_the_round_may_still_end_early_with_a_mogelstich() -> None:
    """5.8"""
    given = took(trick("2C 2D 3H", "9H", leader=ANNA, row="TOPS"), ANNA, "4H 4S")
    given = replace(given, caught=(BEN,), hands=(given.hands[ANNA], ()))

    counted = one(RoundOver, told(given, declines(ANNA)))

    assert counted.early
    assert counted.scores[ANNA] == MoglerScore(trump_tricks=2, mogelstich=2)


def test_who_must_stop_alone_and_has_not_played_ends_the_round_at_once() -> None:
    """5.8"""
    happened = told(alone(last_player="stop"), plays(BEN, "9H"))

    assert [type(event) for event in happened] == [Caught, RoundOver]
    counted = one(RoundOver, happened)
    assert not counted.early
    assert counted.scores == (MoglerScore(no_trick=2), MoglerScore())


def test_who_must_stop_alone_and_has_played_takes_that_trick() -> None:
    """5.8: it is not early, so nothing that he hoarded counts."""
    given = took(took(trick("2C 2D 3H", "9H 3C", row="T", last_player="stop"), BEN, "4H 4S"), ANNA, "5D 5S")

    happened = told(given, plays(ANNA, "2C"), plays(BEN, "9H"))

    assert [type(event) for event in happened] == [Played, Caught, TrickTaken, RoundOver]
    counted = one(RoundOver, happened)
    assert (counted.early, counted.scores[ANNA]) == (False, MoglerScore(suit_tricks=3, trump_tricks=2))


def test_when_all_are_caught_the_round_is_over_and_nobody_gets_anything() -> None:
    """5.9: no star for having no trick either."""
    given = took(took(trick("9H 3C 4C", "TH 2D 3D"), ANNA, "4H 4S"), BEN, "2H 5S")

    happened = told(given, plays(ANNA, "9H"), plays(BEN, "TH"))

    assert [type(event) for event in happened] == [Caught, Caught, RoundOver]
    assert one(RoundOver, happened).stars == (0, 0)


# ── counting ────────────────────────────────────────────────────────────────────────────────────


def ended(state: State, early: bool) -> RoundOver:
    """The count of a round that ends now: early, an S having completed STOP, or with the sixth trick."""
    last = [plays(seat, state.hands[seat][0]) for seat in state.playing]
    counted: RoundOver = one(RoundOver, told(state, *([declines(in_turn(state))] if early else last)))
    return counted


def test_suit_tricks_count_three_and_trump_tricks_two() -> None:
    """6.1"""
    given = took(trick("2C", "3C", row="TOPS"), ANNA, "4C 5C", "6D 7S", "8S 9D")

    assert ended(given, early=True).scores[ANNA] == MoglerScore(suit_tricks=3, trump_tricks=4)


def test_two_hearts_and_two_tricks_that_show_hearts_are_twelve_stars() -> None:
    """6.2: the seed's own example."""
    given = took(trick("2H KH", "3C 4C", row="TOPS"), ANNA, "4H 5C", "6H 7S")

    counted = ended(given, early=True)

    assert counted.scores[ANNA] == MoglerScore(trump_tricks=4, mogelstich=8)
    assert counted.stars[ANNA] == 12
    assert counted.shown == (cards("2H KH"), ())


def test_a_mogelstich_is_counted_suit_by_suit_and_has_no_limit() -> None:
    """6.2, 6.4: three hearts by one trick, one club by two, and a spade by none."""
    given = took(trick("2H 3H 4H JC QS", "2D 3D", row="TOPS"), ANNA, "6H 7S", "8C 9D", "TC JD")

    counted = ended(given, early=True)

    assert counted.scores[ANNA].mogelstich == 2 * 3 * 1 + 2 * 1 * 2
    assert counted.shown[ANNA] == cards("2H 3H 4H JC")


def test_only_the_own_tricks_lock_and_count() -> None:
    """6.2"""
    given = took(trick("2H KH", "3C 4C", row="TOPS"), BEN, "4H 5C", "6H 7S")

    assert ended(given, early=True).scores == (MoglerScore(no_trick=2), MoglerScore(trump_tricks=4))


def test_after_the_sixth_trick_there_is_no_mogelstich() -> None:
    """6.2"""
    given = took(trick("2C", "3C", row="TTOOPP"), ANNA, "4H 5C")

    counted = ended(given, early=False)

    assert (counted.early, counted.shown) == (False, ((), ()))
    assert counted.scores == (MoglerScore(trump_tricks=2), MoglerScore(suit_tricks=3))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_who_took_no_trick_has_a_star_for_each_player_at_the_table(seats: int) -> None:
    """6.3"""
    given = took(trick(*[f"{n}C" for n in range(2, 2 + seats)], row="TOPS"), ANNA, "4H 5H")

    scores = ended(given, early=True).scores

    assert scores[1:] == (MoglerScore(no_trick=seats),) * (seats - 1)


def test_who_was_caught_is_still_one_of_those_at_the_table() -> None:
    """6.3, 5.4"""
    given = replace(trick("2C", "3C", "4C", row="TOPS"), caught=(BEN,))

    assert ended(given, early=True).scores == (MoglerScore(no_trick=3), MoglerScore(), MoglerScore(no_trick=3))


# ── who wins ────────────────────────────────────────────────────────────────────────────────────


def counting(stars: tuple[int, ...], *tricks: str) -> State:
    """Two or more with these stars, Anna having taken these tricks, and the round about to end."""
    hands = [f"{n}C" for n in range(2, 2 + len(stars))]
    return replace(took(trick(*hands, row="TOPS"), ANNA, *tricks), stars=stars)


def test_below_twenty_another_round_is_dealt() -> None:
    """7.1, 10.1"""
    state = after(counting((16, 17), "4H 5H"), declines(ANNA))

    assert state.stars == (19, 19)
    assert not isinstance(awaits(state), Over)
    assert after(state, ready(ANNA), ready(BEN)).round == 2


def test_twenty_at_the_end_of_a_round_are_enough() -> None:
    """7.1"""
    happened = told(counting((17, 3), "4H 5H"), declines(ANNA))

    assert [type(event) for event in happened] == [SDeclined, RoundOver, MatchOver]
    assert one(RoundOver, happened).deal_at is None
    assert one(MatchOver, happened) == MatchOver((ANNA,), (20, 5))


def test_the_round_is_played_to_its_end_before_stars_are_looked_at() -> None:
    """7.1: Ben passes Anna, who had twenty first, in the same round."""
    given = counting((18, 19), "4H 5S")

    assert one(MatchOver, told(given, declines(ANNA))) == MatchOver((BEN,), (20, 21))


def test_the_most_stars_win_and_who_is_level_shares() -> None:
    """7.2"""
    over = after(counting((18, 17, 1), "4H 5H 6H"), declines(ANNA))
    level = after(counting((17, 17, 17), "4H 5H 6H"), declines(ANNA))

    assert awaits(over) == Over((ANNA,), (21, 20, 4))
    assert awaits(level) == Over((ANNA, BEN, CARA), (20, 20, 20))
