"""What broke elsewhere, by the numbers of docs/what-breaks.md (public bug reports), and does not here.

There is nothing to challenge in Mogler: what speaks of claims is shown here of what comes nearest, a lay, and a card
that is caught.
"""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogler.actions import Draw, LayOpening, TimeOut
from domain.games.mogler.dealing import deal, draw, turn_stop
from domain.games.mogler.decider import decide
from domain.games.mogler.events import (
    Caught,
    Dealt,
    Event,
    MatchOver,
    MoglerScore,
    OpeningTurned,
    RoundOver,
    TrickTaken,
)
from domain.games.mogler.evolve import evolve
from domain.games.mogler.house import awaits, house
from domain.games.mogler.offers import offers
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.reasons import MoglerReason
from domain.games.mogler.state import Opening, State, ToDraw, ToStop, begin
from domain.kernel.cards import BACK, cards
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, HouseNow, Over, Seat, fold
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from projections.views.mogler import MoglerInTrick, MoglerOver, redact, view
from projections.views.seam import Viewer
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.mogler.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
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
    one,
    plays,
    ready,
    told,
    took,
    trick,
)
from tests.projections.mogler_eyes import match
from tests.projections.secrecy import heard

HANDS = ("8C 3C 4C 5C 6C 7C 2C", "2D 3D 4D 5D 6D 7D 8D", "2H 3H 4H 5H 6H 7H 8H")


def seen_by(viewer: Viewer, given: State, happened: tuple[Event, ...] = ()) -> State:
    """The fold of what a viewer was told, from the deal on."""
    dealt_as = Dealt(1, given.hands, given.stock, 0, later(60))
    before = begin(given.options, PACE, given.seats, None)
    return fold(evolve, before, heard(redact, (dealt_as, *happened), viewer))


# ── windows, turns and ends ─────────────────────────────────────────────────────────────────────


def test_2_after_a_caught_card_the_next_player_plays_and_nobody_is_skipped() -> None:
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"))

    assert in_turn(after(given, plays(BEN, "9H"))) == CARA


def test_3_the_very_last_card_can_be_caught() -> None:
    """And what he had taken is lost with it."""
    given = took(trick("2C", "9H", row="SSSTTO"), BEN, "4H 4S", "7D 8D")

    happened = told(given, plays(ANNA, "2C"), plays(BEN, "9H"))

    assert one(Caught, happened).seat == BEN
    assert one(RoundOver, happened).scores == (MoglerScore(suit_tricks=3), MoglerScore())


def test_6_a_caught_last_card_is_counted_and_the_match_ends() -> None:
    given = replace(took(trick("2C", "9H", row="SSSTTO"), BEN, "4H 4S"), stars=(17, 18))

    assert one(MatchOver, told(given, plays(ANNA, "2C"), plays(BEN, "9H"))).winners == (ANNA,)


def test_7_and_15_one_who_is_caught_ends_nothing_for_the_others() -> None:
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"), plays(BEN, "9H"))

    assert awaits(given) == Answers((CARA,), later(60))
    assert offers(given, CARA)


def test_8_and_50_after_a_leader_who_is_caught_each_of_the_others_plays_once() -> None:
    given = took(trick("9H 3C", "2C 2D", "4D 5D", "6C 7D"), ANNA, "4H 4S 6H 8S")

    taken = one(TrickTaken, told(given, plays(ANNA, "9H"), plays(BEN, "2C"), plays(CARA, "4D"), plays(Seat(3), "6C")))

    assert [play.seat for play in taken.plays] == [BEN, CARA, Seat(3)]


def test_9_who_looks_again_in_the_last_trick_is_not_told_that_it_is_over() -> None:
    given = after(replace(trick("2C", "3C", row="SSSTTO"), stars=(19, 19)), plays(ANNA, "2C"))

    assert isinstance(view(given, BEN).phase, MoglerInTrick)
    assert isinstance(view(after(given, plays(BEN, "3C")), BEN).phase, MoglerOver)


def test_11_and_12_what_one_does_in_the_last_moment_takes_nobody_his_time() -> None:
    given = after(trick("2C 3C", "4C 5C"), plays(ANNA, "2C", at=later(59.999)))

    assert awaits(given) == Answers((BEN,), later(119.999))


def test_15_a_lost_command_leaves_nobody_waiting_for_ever() -> None:
    for given in (dealt(*HANDS), trick("2C 3C", "4C 5C"), trick("2C", "4C", row="S")):
        awaited = awaits(given)
        assert isinstance(awaited, Answers)
        assert awaited.until is not None
        assert house_acts(given, awaited.until) != given


def test_17_and_80_no_card_is_given_up_twice() -> None:
    given = after(trick("2C 3C", "4C 5C", row="S"), draws(ANNA), discards(ANNA, "2C"))

    with refused(Reason.NOT_NOW):
        decide(given, discards(ANNA, "3C"))
    with refused(Reason.NOT_YOUR_CARDS):
        decide(given, plays(ANNA, "2C"))


def test_20_who_goes_after_his_card_costs_nobody_else_anything() -> None:
    """He is not caught any more for what the next ones do, and they not for what he did."""
    given = took(trick("2C 2D", "9H 3C", "4H 5D"), BEN, "4S 6S 7S")
    state = after(given, plays(ANNA, "2C"), goes(BEN), plays(CARA, "4H"))

    assert state.caught == ()


def test_23_what_was_shown_stays_in_sight_while_it_counts() -> None:
    given = after(took(trick("2C 2D", "9H 3C", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"), plays(BEN, "9H"))

    assert "3C" in view(given, ANNA).removed
    assert "3C" in view(after(given, plays(CARA, "4D")), ANNA).removed


def test_31_who_leads_is_no_accident_of_an_order() -> None:
    """Whatever the order in which all lay, the highest card leads."""
    for order in permutations((lays(ANNA, "8C"), lays(BEN, "7D"), lays(CARA, "8H"))):
        assert one(OpeningTurned, told(dealt(*HANDS), *order)).leader == ANNA


def test_32_no_third_suit_makes_a_trick_its_own() -> None:
    given = trick("9H 2C", "3S 3C", "AD 4C")

    assert one(TrickTaken, told(given, plays(ANNA, "9H"), plays(BEN, "3S"), plays(CARA, "AD"))).seat == BEN


def test_40_nobody_is_caught_twice() -> None:
    given = after(took(trick("2C 2D", "9H 3H", "4D 5D"), BEN, "4H 4S 6H"), plays(ANNA, "2C"), plays(BEN, "9H"))

    with refused(Reason.OUT_OF_ROUND):
        decide(given, plays(BEN, "3H"))


def test_41_every_match_has_a_winner() -> None:
    for number in range(8):
        over = awaits(match(number)[-1].after)
        assert isinstance(over, Over)
        assert over.winners


def test_51_the_last_one_left_still_has_a_button_to_press() -> None:
    given = took(trick("2C 2D 3H", "9H 3C KD", leader=BEN), BEN, "4H 4S")

    assert [offer.type for offer in offers(after(given, plays(BEN, "9H")), ANNA)] == ["mogler.play"]


# ── what is hidden ──────────────────────────────────────────────────────────────────────────────


def test_57_and_58_no_frame_and_no_view_holds_a_card_that_is_not_shown() -> None:
    given = dealt(*HANDS, stops="ST", draws="KS")
    happened = told(given, lays(BEN, "2D"), lays(ANNA, "8C"), lays(CARA, "2H"), draws(ANNA), discards(ANNA, "3C"))
    for viewer in (None, BEN):
        seen = seen_by(viewer, given, happened)
        everything = msgspec.json.encode((heard(redact, happened, viewer), seen, view(seen, viewer)))
        for hidden in cards("KS 4C 5C 6C 7C 2C 3H 4H AS"):
            assert hidden.encode() not in everything


def test_59_what_a_client_says_of_its_cards_is_checked() -> None:
    for command in (plays(ANNA, "AS"), plays(ANNA, "4C")):
        with refused(Reason.NOT_YOUR_CARDS):
            decide(trick("2C 3C", "4C 5C"), command)


def test_60_a_hidden_card_cannot_be_followed() -> None:
    """Two hands of as many cards are the same to others, and so are two draw piles."""
    one_hand, other = dealt(*HANDS), dealt("AS KS QS JS TS 9S 8S", *HANDS[1:])

    assert seen_by(BEN, one_hand) == seen_by(BEN, other)


def test_61_where_a_card_was_in_the_hand_tells_nothing() -> None:
    given = dealt(*HANDS)

    assert seen_by(CARA, given, told(given, lays(ANNA, "2C"))) == seen_by(CARA, given, told(given, lays(ANNA, "8C")))


def test_63_who_looks_on_sees_no_hand() -> None:
    assert all(set(hand) == {BACK} for hand in seen_by(None, dealt(*HANDS)).hands)


def test_64_who_is_gone_does_not_act() -> None:
    given = after(dealt(*HANDS), goes(BEN))

    with refused(Reason.LEFT):
        decide(given, lays(BEN, "2D"))
    assert awaits(given) == Answers((ANNA, CARA), later(60))


def test_66_and_70_all_are_told_the_same_but_for_lays_and_cards() -> None:
    """Nothing else happens behind anyone's back."""
    for number in range(8):
        for step in match(number):
            for event in step.events:
                kinds = {type(redact(event, viewer)) for viewer in step.seen}
                assert kinds in ({type(event)}, {type(event), type(None)})
                assert type(event).__name__ == "OpeningLaid" or kinds == {type(event)}


def test_67_what_needs_a_secret_is_decided_where_it_is_known() -> None:
    """Ben's own view cannot tell what Anna drew; whatever it was, her discard is taken, and his view follows."""
    given = dealt(*HANDS[:2], stops="ST", draws="KS")
    begun = told(given, lays(BEN, "2D"), lays(ANNA, "8C"), draws(ANNA))
    kept = told(fold(evolve, given, begun), discards(ANNA, "3C"))

    assert view(seen_by(BEN, given, begun + kept), BEN).hand_sizes == (6, 6)


def test_68_and_5_two_who_lay_at_the_same_moment_both_have() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "8C", at=later(1)), lays(BEN, "2D", at=later(1)))

    assert isinstance(given.phase, Opening)
    assert given.phase.laid == (("8C",), ("2D",), ())


def test_69_and_79_what_is_said_twice_is_done_once() -> None:
    laid = after(dealt(*HANDS), lays(ANNA, "8C"))
    with refused(MoglerReason.ALREADY_LAID):
        decide(laid, by(ANNA, LayOpening("8C"), at=later(0.082)))
    played = after(trick("2C 3C", "4C 5C", "6C 7C"), plays(ANNA, "2C"))
    with refused(Reason.NOT_YOUR_TURN):
        decide(played, plays(ANNA, "2C", at=later(0.082)))


def test_69_a_card_that_ends_a_trick_is_no_lead_of_the_next() -> None:
    """Ben takes the trick and leads: his second click plays nothing, for he holds the card no more."""
    given = after(trick("2C 3C", "4C 5C", row="T"), plays(ANNA, "2C"), plays(BEN, "4C"))
    state = after(given, declines(BEN)) if given.row[-1] == "S" else given

    assert in_turn(state) == BEN
    with refused(Reason.NOT_YOUR_CARDS):
        decide(state, plays(BEN, "4C"))


# ── who goes, and time ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "given",
    [
        dealt(*HANDS),
        trick("2C 3C", "4C 5C", "6C 7C"),
        trick("2C 3C", "4C 5C", "6C 7C", row="S"),
        after(trick("2C 3C", "4C 5C", "6C 7C", row="S"), draws(ANNA)),
    ],
)
def test_72_and_73_a_player_who_goes_leaves_no_table_stuck(given: State) -> None:
    state = after(given, goes(ANNA))

    awaited = awaits(state)
    assert isinstance(awaited, Answers)
    assert ANNA not in awaited.seats
    assert all(offers(state, seat) for seat in awaited.seats)


def test_74_who_comes_back_sees_his_own_cards_and_his_own_lay() -> None:
    """His view is folded from his frames, whenever he asks."""
    given = dealt(*HANDS)

    again = view(seen_by(ANNA, given, told(given, lays(BEN, "2D"), lays(ANNA, "8C"))), ANNA)

    assert again.hand == cards("2C 3C 4C 5C 6C 7C")
    assert getattr(again.phase, "laid", None) == "8C"


def test_75_and_78_nobody_is_cut_off_before_the_time_that_he_was_told() -> None:
    given = dealt(*HANDS)
    (offer,) = offers(given, ANNA)
    assert offer.until == later(60)

    assert decide(given, lays(ANNA, "8C", at=later(59.999999)))
    with refused(Reason.TOO_EARLY, not_before=later(60)):
        decide(given, by(HOUSE, TimeOut(ANNA), at=later(59.999999)))


def test_77_the_house_and_a_player_at_the_same_moment_do_not_both_lay() -> None:
    given = after(dealt(*HANDS[:2], stops="T"), lays(BEN, "2D"))
    late = house_acts(given, later(60))

    with refused(Reason.NOT_NOW):
        decide(late, lays(ANNA, "8C", at=later(60)))
    with refused(Reason.TOO_EARLY, not_before=later(120)):  # she leads now, and has her time for it
        decide(late, by(HOUSE, TimeOut(ANNA), at=later(60)))
    assert [len(hand) for hand in late.hands] == [6, 6]


def test_81_who_begins_to_look_on_between_two_events_gets_each_once() -> None:
    """What he folds later is what he would have folded from the start."""
    given = dealt(*HANDS)
    happened = told(given, lays(BEN, "2D"), lays(ANNA, "8C"), lays(CARA, "2H"))

    early = seen_by(None, given, happened[:2])
    assert fold(evolve, early, heard(redact, happened[2:], None)) == seen_by(None, given, happened)


# ── luck ────────────────────────────────────────────────────────────────────────────────────────


def test_82_after_a_restart_the_same_cards_come() -> None:
    """Each draw has its number, and is the same however often it is asked for."""
    wants = fold(evolve, trick("2C", "4C", row="S"), decide(trick("2C", "4C", row="S"), draws(ANNA)))
    about = replace(wants, phase=ToStop(ANNA), row=("S",))

    assert isinstance(wants.phase, ToDraw)
    assert isinstance(awaits(wants), HouseNow)
    assert draw(wants, CHANCE) == draw(wants, CHANCE)
    assert turn_stop(about, CHANCE) == turn_stop(about, CHANCE)
    assert house(wants, CHANCE).action == Draw(draw(wants, CHANCE).card, wants.draws)


def test_83_and_84_another_seed_deals_other_hands() -> None:
    state = begin(MoglerOptions(), PACE, 5, None)
    name = "0192f0c1-2a6e-7000-8000-000000000000"

    deals = {deal(state, Chance(bytes([n]) * 32, name, b"")).hands for n in range(50)}

    assert len(deals) == 50


def test_85_every_card_comes_to_every_seat_as_often() -> None:
    """Of 4,000 deals for three: each card lies in a given hand 7 times in 52, within five standard deviations."""
    state, times = begin(MoglerOptions(), PACE, 3, None), [dict.fromkeys(cards("2C AS 7H TD"), 0) for _ in range(3)]
    for k in range(4000):
        for seat, hand in enumerate(deal(replace(state, draws=k), CHANCE).hands):
            for card in hand:
                if card in times[seat]:
                    times[seat][card] += 1

    expected, spread = 4000 * 7 / 52, (4000 * 7 / 52 * 45 / 52) ** 0.5
    assert all(abs(count - expected) < 5 * spread for seat in times for count in seat.values())


def test_76_the_next_deal_stands_in_the_log_and_not_in_a_process() -> None:
    state = after(trick("2C", "3C", row="TOPS"), declines(ANNA), ready(BEN))

    assert isinstance(state.phase, Pause)
    assert awaits(state) == Answers((ANNA,), later(5))
    assert isinstance(house_acts(state, later(5)).phase, Opening)
