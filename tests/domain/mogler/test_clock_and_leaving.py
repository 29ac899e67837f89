"""RULES.md 8, 9 and 10: time, who goes, and the pause between rounds."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.mogler.actions import TimeOut
from domain.games.mogler.decider import decide
from domain.games.mogler.events import (
    Caught,
    Left,
    MatchOver,
    MoglerScore,
    MoglerTurn,
    OpeningLaid,
    OpeningTurned,
    Played,
    RoundAccepted,
    RoundOver,
    SDeclined,
    SDiscarded,
    StopTurned,
    TrickTaken,
)
from domain.games.mogler.evolve import evolve
from domain.games.mogler.house import awaits, house
from domain.games.mogler.offers import offers
from domain.games.mogler.state import InTrick, Opening, State, ToDiscard, ToSwap
from domain.kernel.cards import cards, sort
from domain.kernel.game import HOUSE, Answers, HouseAct, HouseNow, Pace, Seat, fold
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.mogler.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    after,
    by,
    dealt,
    declines,
    discards,
    draws,
    goes,
    house_acts,
    in_turn,
    lays,
    lying,
    one,
    plays,
    ready,
    told,
    took,
    trick,
)

HANDS = ("2C 3C 4C 5C 6C 7C 8C", "2D 3D 4D 5D 6D 7D 8D", "2H 3H 4H 5H 6H 7H 8H")
FOR_EVER = Pace(turn_time=None)

# ── the clock ───────────────────────────────────────────────────────────────────────────────────


def test_a_turn_lasts_from_the_moment_it_is_asked_for() -> None:
    """8.1"""
    given = trick("2C 3C", "4C 5C")

    state = after(given, plays(ANNA, "2C", at=later(7)))

    assert awaits(state) == Answers((BEN,), later(67))
    assert [offer.until for offer in offers(state, BEN)] == [later(67)]


@pytest.mark.parametrize(
    "given, command",
    [
        (dealt(*HANDS), lays(ANNA, "2C", at=later(60))),
        (trick("2C 3C", "4C 5C"), plays(ANNA, "2C", at=later(60))),
        (trick("2C 3C", "4C 5C", row="S"), draws(ANNA, at=later(60))),
        (trick("2C 3C", "4C 5C", row="S"), declines(ANNA, at=later(60))),
        (after(trick("2C 3C", "4C 5C", row="S"), draws(ANNA)), discards(ANNA, "2C", at=later(60))),
    ],
)
def test_at_the_very_end_it_is_too_late(given: State, command: Any) -> None:
    """8.1"""
    with refused(Reason.TOO_LATE, closes_at=later(60)):
        decide(given, command)
    assert decide(given, replace(command, at=later(59.999)))


def test_without_turn_time_everybody_is_waited_for_for_ever() -> None:
    """8.1"""
    for given in (dealt(*HANDS, pace=FOR_EVER), trick("2C", "4C", pace=FOR_EVER)):
        awaited = awaits(given)
        assert isinstance(awaited, Answers)
        assert awaited.until is None
        with refused(Reason.NOT_NOW):
            decide(given, by(HOUSE, TimeOut(ANNA), at=later(9999)))


def test_the_house_does_not_act_before_time_is_up_nor_for_another_seat() -> None:
    """8.1"""
    given = trick("2C 3C", "4C 5C")

    with refused(Reason.TOO_EARLY, not_before=later(60)):
        decide(given, by(HOUSE, TimeOut(ANNA), at=later(59)))
    with refused(Reason.NOT_NOW):
        decide(given, by(HOUSE, TimeOut(BEN), at=later(60)))
    assert house(given, CHANCE) == HouseAct(TimeOut(ANNA), for_seat=ANNA)


@pytest.mark.parametrize(
    "hand, tricks, card",
    [
        ("9C 3S KD", (), "3S"),
        ("9C 3S 3D 3H", (), "3D"),
        ("2H 9C 3S", ("4H 5S",), "3S"),
        ("2H 9C 3S", ("4H 5S", "6S 7D"), "9C"),
        ("KH 9H", ("4H 5S",), "9H"),
    ],
)
def test_the_house_plays_the_lowest_card_that_is_not_locked(hand: str, tricks: tuple[str, ...], card: str) -> None:
    """8.2: and of equal values the lower suit; if all are locked, the lowest, and is caught with it."""
    given = took(trick(hand, "4C 5C"), ANNA, *tricks)

    (happened,) = decide(given, by(HOUSE, TimeOut(ANNA), at=later(60)))

    assert isinstance(happened, Caught if card == "9H" else Played)
    assert happened.card == card


def test_the_house_declines_an_s() -> None:
    """8.2"""
    (happened,) = decide(trick("2C 3C", "4C 5C", row="S"), by(HOUSE, TimeOut(ANNA), at=later(60)))

    assert happened == SDeclined(ANNA, MoglerTurn(ANNA, later(120)))


def test_the_house_discards_what_was_drawn() -> None:
    """8.2"""
    given = after(trick("2C 3C", "4C 5C", row="S"), draws(ANNA, at=later(10)))
    assert isinstance(given.phase, ToDiscard)

    (happened,) = decide(given, by(HOUSE, TimeOut(ANNA), at=later(70)))

    assert happened == SDiscarded(ANNA, given.phase.drawn, MoglerTurn(ANNA, later(130)))


def test_the_house_lays_the_lowest_for_all_who_have_not_and_turns_them_with_the_others() -> None:
    """8.2, 8.3: one act after the other, but nothing comes between them."""
    given = after(dealt(*HANDS), lays(BEN, "8D"))

    first = house(given, CHANCE)
    happened = told(given, by(HOUSE, first.action, at=later(60)))

    assert first == HouseAct(TimeOut(ANNA), for_seat=ANNA)
    assert happened[:2] == (OpeningLaid(ANNA, ("2C",), timed_out=True), OpeningLaid(CARA, ("2H",), timed_out=True))
    assert happened[2] == OpeningTurned((("2C",), ("8D",), ("2H",)), BEN)


def test_once_it_lays_for_one_the_house_lays_for_the_next_at_once_and_in_his_name() -> None:
    """8.3"""
    given = dealt(*HANDS)
    state = fold(evolve, given, decide(given, by(HOUSE, TimeOut(ANNA), at=later(60))))

    assert isinstance(awaits(state), HouseNow)
    assert house(state, CHANCE) == HouseAct(TimeOut(BEN), for_seat=BEN)
    with refused(Reason.NOT_NOW):
        decide(state, lays(BEN, "8D", at=later(60)))


# ── leaving ─────────────────────────────────────────────────────────────────────────────────────


def test_a_hand_leaves_play_face_down_and_wins_no_star() -> None:
    """9.1"""
    given = took(trick("2C 3C", "4C 5C", "6C 7C", row="TOPS"), BEN, "4H 5H 6H")

    state = after(given, goes(BEN))

    assert (state.hands[BEN], state.away, state.present) == ((), cards("4C 5C"), (ANNA, CARA))
    assert one(RoundOver, told(state, declines(ANNA))).scores[BEN] == MoglerScore()


def test_who_left_does_nothing_more_and_goes_once() -> None:
    """9.1"""
    state = after(trick("2C 3C", "4C 5C", "6C 7C"), goes(BEN))

    assert offers(state, BEN) == ()
    for command in (plays(BEN, "4C"), goes(BEN)):
        with refused(Reason.LEFT):
            decide(state, command)


def test_a_card_laid_for_the_lead_stays_and_leads_nothing() -> None:
    """9.2"""
    given = after(dealt(*HANDS), lays(BEN, "8D"), lays(ANNA, "5C"), goes(BEN))

    turned = one(OpeningTurned, told(given, lays(CARA, "2H")))

    assert turned == OpeningTurned((("5C",), ("8D",), ("2H",)), ANNA)


def test_the_last_one_who_has_not_laid_goes_and_all_are_turned() -> None:
    """9.1, 2.2"""
    given = after(dealt(*HANDS), lays(BEN, "8D"), lays(ANNA, "5C"))

    happened = told(given, goes(CARA))

    assert [type(event) for event in happened] == [Left, OpeningTurned, StopTurned]
    assert happened[1] == OpeningTurned((("5C",), ("8D",), ()), BEN)


@pytest.mark.parametrize(
    "leaver, lies, trump, winner, why",
    [
        (ANNA, "AH 9H 2H KH", None, DAN, "the led ace counts as led, and the highest of the others takes it"),
        (BEN, "9H 2C 3D 4C", "C", DAN, "his club makes clubs trump"),
        (BEN, "9H AS 2S 4C", "S", CARA, "the ace of trumps was his"),
        (BEN, "9H AS 2D KH", "S", DAN, "there is no other trump: the highest of the led suit"),
    ],
)
def test_what_a_leaver_played_counts_and_wins_nothing(
    leaver: Seat, lies: str, trump: str | None, winner: Seat, why: str
) -> None:
    """9.2, 9.3"""
    four = cards(lies)
    given = trick(*[f"{card} {other}" for card, other in zip(four, cards("5C 6C 7C 8C"), strict=True)])
    state = after(given, plays(ANNA, four[0]), plays(BEN, four[1]), goes(leaver))

    taken = one(TrickTaken, told(state, plays(CARA, four[2]), plays(DAN, four[3])))

    assert (taken.trump, taken.seat) == (trump, winner), why


def test_a_trick_that_nobody_can_take_leaves_the_game() -> None:
    """9.3: hearts were led and spades were trump, by two who went."""
    given = trick("9H 5C 5D", "AS 6C 6D", "2D 7C 7D", "3C 8C 8D")
    state = after(given, plays(ANNA, "9H"), plays(BEN, "AS"), goes(ANNA), goes(BEN))

    happened = told(state, plays(CARA, "2D"), plays(DAN, "3C"))

    taken = one(TrickTaken, happened)
    assert (taken.seat, taken.trump, taken.leader) == (None, "S", CARA)
    assert sort(after(state, plays(CARA, "2D"), plays(DAN, "3C")).out) == sort(cards("9H AS 2D 3C"))
    assert one(StopTurned, happened).seat == CARA


def test_the_next_on_the_left_takes_the_turn_over_with_a_new_clock() -> None:
    """9.4"""
    leading = trick("2C 3C", "4C 5C", "6C 7C")
    following = after(leading, plays(ANNA, "2C"))

    assert told(leading, goes(ANNA, at=later(50))) == (Left(ANNA, MoglerTurn(BEN, later(110)), ends=False),)
    assert told(following, goes(BEN, at=later(50))) == (Left(BEN, MoglerTurn(CARA, later(110)), ends=False),)
    assert lying(after(following, goes(BEN))) == ("2C",)


def test_who_goes_out_of_turn_stops_nobody() -> None:
    """9.4"""
    given = after(trick("2C 3C", "4C 5C", "6C 7C"), plays(ANNA, "2C"))

    assert told(given, goes(CARA, at=later(50))) == (Left(CARA, MoglerTurn(BEN, later(60)), ends=False),)
    taken = one(TrickTaken, told(given, goes(CARA), plays(BEN, "4C")))
    assert [play.seat for play in taken.plays] == [ANNA, BEN]


def test_when_the_last_to_play_goes_the_trick_is_collected() -> None:
    """9.4"""
    given = after(trick("2C 3C", "4C 5C", "6C 7C"), plays(ANNA, "2C"), plays(BEN, "4C"))

    happened = told(given, goes(CARA))

    assert [type(event) for event in happened[:2]] == [Left, TrickTaken]
    assert one(TrickTaken, happened).seat == BEN


@pytest.mark.parametrize("has_drawn", [False, True])
def test_who_follows_a_leaver_at_an_s_has_the_choice_himself(has_drawn: bool) -> None:
    """9.4"""
    given = trick("2C 3C", "4C 5C", "6C 7C", row="S")
    given = after(given, draws(ANNA)) if has_drawn else given

    state = after(given, goes(ANNA, at=later(50)))

    assert state.phase == ToSwap(MoglerTurn(BEN, later(110)))
    assert len(state.away) == 2 + has_drawn


def test_at_an_s_who_goes_out_of_turn_stops_nobody() -> None:
    """9.4"""
    for given in (trick("2C 3C", "4C 5C", "6C 7C", row="S"), after(trick("2C", "4C", "6C", row="S"), draws(ANNA))):
        state = after(given, goes(BEN))
        assert state.phase == given.phase


def test_below_two_the_last_one_wins_whatever_the_stars_are() -> None:
    """9.5: and the round is not counted."""
    given = replace(took(trick("2C 3C", "4C 5C"), BEN, "4H 5H"), stars=(3, 19))

    happened = told(given, goes(BEN))

    assert [type(event) for event in happened] == [Left, MatchOver]
    assert one(MatchOver, happened) == MatchOver((ANNA,), (3, 19))


def test_below_two_it_ends_at_any_point() -> None:
    """9.5"""
    swapping = trick("2C 3C", "4C 5C", row="S")
    between = after(replace(trick("2C", "3C", row="TOPS"), stars=(1, 1)), declines(ANNA))
    for given in (dealt(*HANDS[:2]), swapping, after(swapping, draws(ANNA)), between):
        assert one(MatchOver, told(given, goes(ANNA))).winners == (BEN,)


def test_who_left_wins_nothing_whatever_he_had() -> None:
    """9.5"""
    given = replace(took(trick("2C", "3C", "4C", row="TOPS"), ANNA, "4H 5H 6H"), stars=(17, 1, 25))

    assert one(MatchOver, told(given, goes(CARA), declines(ANNA))).winners == (ANNA,)


def test_when_only_caught_ones_are_left_the_round_is_over() -> None:
    """9.1, 5.9"""
    given = took(trick("9H 3C", "2C 2D", "4D 5D", leader=CARA), ANNA, "4H 4S 6H")
    given = replace(given, caught=(ANNA, BEN), hands=((), (), given.hands[CARA]), tricks=((),) * 3)

    counted = one(RoundOver, told(given, goes(CARA)))

    assert counted.scores == (MoglerScore(),) * 3


@pytest.mark.parametrize("row", ["T", "S"])
def test_who_must_stop_alone_stops_too_when_the_others_go(row: str) -> None:
    """5.8: Ben was caught and Cara goes; Anna has not played."""
    given = trick("2C 3C", "4C 5C", "6C 7C", row=row, last_player="stop")
    given = replace(given, caught=(BEN,), hands=(given.hands[ANNA], (), given.hands[CARA]))

    happened = told(given, goes(CARA))

    assert [type(event) for event in happened] == [Left, RoundOver]
    assert not one(RoundOver, happened).early


def test_the_cards_of_who_went_are_nobodys_when_the_round_stops_over_them() -> None:
    """5.8: Anna led and went, Ben is caught, and Cara, alone, has not played."""
    given = took(trick("2C 3C", "9H 5C", "6C 7C", last_player="stop"), BEN, "4H 4S 6H")
    state = after(given, plays(ANNA, "2C"), goes(ANNA), plays(BEN, "9H"))

    assert state.last_round is not None
    assert "2C" in state.out
    assert state.last_trick is None


def test_who_was_caught_may_go_and_nothing_changes_for_the_others() -> None:
    """9.1"""
    given = after(took(trick("2C 2D", "9H 3C", "4C 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"), plays(BEN, "9H"))

    assert after(given, goes(BEN)).phase == given.phase


def test_the_next_round_is_for_who_is_there_and_is_counted_by_them() -> None:
    """9.1, 6.3"""
    state = after(replace(trick("2C", "3C", "4C", row="TOPS"), stars=(0, 0, 0)), goes(CARA), declines(ANNA))
    assert state.last_round is not None
    assert state.last_round.scores[ANNA] == MoglerScore(no_trick=3)  # three were there when it began

    state = house_acts(state, later(65))

    assert [len(hand) for hand in state.hands] == [7, 7, 0]
    assert (len(state.stock), state.players) == (38, 2)
    assert awaits(state) == Answers((ANNA, BEN), later(125))


# ── between rounds ──────────────────────────────────────────────────────────────────────────────


def over() -> State:
    return after(trick("2C", "3C", row="TOPS"), declines(ANNA))


def test_the_next_deal_comes_after_the_pause() -> None:
    """10.1"""
    given = over()

    assert awaits(given) == Answers((ANNA, BEN), later(5))
    with refused(Reason.TOO_EARLY, not_before=later(5)):
        house_acts(given, later(4.999))
    assert isinstance(house_acts(given, later(5)).phase, Opening)


def test_or_at_once_when_all_have_accepted() -> None:
    """10.1"""
    waiting = after(over(), ready(BEN, at=later(1)))
    assert awaits(waiting) == Answers((ANNA,), later(5))

    state = after(waiting, ready(ANNA, at=later(2)))

    assert isinstance(state.phase, Opening)
    assert state.phase.until == later(62)


def test_one_accepts_once_and_in_time() -> None:
    """10.1"""
    given = after(over(), ready(BEN, at=later(1)))

    with refused(Reason.ALREADY_ACCEPTED):
        decide(given, ready(BEN, at=later(2)))
    with refused(Reason.TOO_LATE, closes_at=later(5)):
        decide(given, ready(ANNA, at=later(5)))
    with refused(Reason.NOT_NOW):
        decide(trick("2C", "3C"), ready(ANNA))


def test_who_was_caught_accepts_the_result_like_all_others() -> None:
    """10.1"""
    given = took(took(trick("9H 3C 4C", "TH 2D 3D"), ANNA, "4H 4S"), BEN, "2H 5S")
    state = after(given, plays(ANNA, "9H"), plays(BEN, "TH"))

    assert isinstance(state.phase, Pause)
    assert decide(state, ready(ANNA)) == (RoundAccepted(ANNA),)


def test_the_deal_comes_at_once_when_the_last_one_not_ready_goes() -> None:
    """10.1"""
    state = after(trick("2C", "3C", "4C", row="TOPS"), declines(ANNA), ready(ANNA), ready(BEN))

    assert isinstance(state.phase, Pause)
    assert isinstance(after(state, goes(CARA)).phase, Opening)


def test_who_went_between_rounds_is_not_asked_whether_he_is_ready() -> None:
    """9.1, 10.1"""
    state = after(trick("2C", "3C", "4C", row="TOPS"), declines(ANNA), goes(CARA))

    assert awaits(state) == Answers((ANNA, BEN), later(5))
    assert [bool(offers(state, seat)) for seat in (ANNA, BEN, CARA)] == [True, True, False]


def test_a_round_begins_with_nothing_of_the_last_one() -> None:
    """2.5, 10.1"""
    given = took(took(trick("9H 3C 4C", "TH 2D 3D"), ANNA, "4H 4S"), BEN, "2H 5S")
    state = after(given, plays(ANNA, "9H"), plays(BEN, "TH"), ready(ANNA), ready(BEN))

    assert (state.caught, state.out, state.away, state.row, state.trick, state.last_trick) == ((), (), (), (), 0, None)
    assert state.tricks == ((), ())
    assert not isinstance(state.phase, InTrick)
    assert in_turn(after(state, *(lays(seat, state.hands[seat][0]) for seat in (ANNA, BEN)))) in (ANNA, BEN)
