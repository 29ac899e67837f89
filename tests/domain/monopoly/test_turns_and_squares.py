"""Throwing, moving, and the boundary at which a turn is officially over."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.monopoly.actions import ChooseDeck, DemandRent, Pay
from domain.games.monopoly.events import AuctionOpened, CardDrawn, Caught, Jailed, Moved, Paid, RollCalled, Succeeded
from domain.games.monopoly.offers import offers
from domain.games.monopoly.phases import Closing, Done, ToBuy, ToMove, ToRead, ToRoll
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.things import How
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    accepts,
    accuses,
    after,
    all_of,
    all_sold,
    announced,
    buys,
    by,
    cheats,
    declines,
    jailed,
    moves,
    only,
    owning,
    passes,
    rolls,
    standing,
    table,
    told,
)


def test_after_a_double_one_throws_again_in_the_same_turn() -> None:
    """2.1, 2.4"""
    state = after(owning(standing(table((2, 2), (1, 2)), ANNA, 35), ANNA, "turmstrasse"), rolls(ANNA))

    assert state.tokens[ANNA] == 3
    assert state.phase == ToRoll(False, later(0), later(60))
    again = told(state, rolls(ANNA, 1))
    assert only(again, RollCalled).first is False
    assert only(again, Moved).square == 6


def test_the_third_double_leads_to_jail_and_is_not_moved() -> None:
    """2.2"""
    state = owning(table((5, 5), (2, 2), (3, 3)), ANNA, "seestrasse", "muenchener_strasse")
    state = after(state, rolls(ANNA), rolls(ANNA))
    assert state.tokens[ANNA] == 14
    third = told(state, rolls(ANNA))

    assert not all_of(third, Moved)
    assert only(third, Jailed).seat == ANNA
    end = after(state, rolls(ANNA))
    assert (end.prisoner, end.tokens[ANNA], end.phase) == (ANNA, 9, Done(later(60)))


def test_what_is_open_comes_before_the_next_throw() -> None:
    """2.3"""
    owed = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0)))
    with refused(MonopolyReason.BUSY):
        told(owed, passes(ANNA))
    auctioned = after(table((1, 2)), rolls(ANNA), declines(ANNA))
    with refused(Reason.NOT_NOW):
        told(auctioned, passes(ANNA))


def test_the_tray_goes_to_the_left() -> None:
    """2.3"""
    state = after(table((1, 2)), rolls(ANNA), buys(ANNA), passes(ANNA))

    assert (state.turn.seat, state.turn.number) == (BEN, 2)
    with refused(Reason.NOT_YOUR_TURN):
        told(state, rolls(ANNA, 10))


def test_the_next_player_cannot_throw_at_once() -> None:
    """2.5"""
    state = after(table((1, 2), (2, 3)), rolls(ANNA), buys(ANNA), passes(ANNA, 10))
    with refused(Reason.TOO_EARLY, not_before=later(15)):
        told(state, rolls(BEN, 14.999))

    assert told(state, rolls(BEN, 15))


def test_he_can_when_all_others_have_accepted() -> None:
    """2.5"""
    state = after(table((1, 2), (2, 3)), rolls(ANNA), buys(ANNA), passes(ANNA, 10), accepts(ANNA, 2, 11))
    with refused(Reason.TOO_EARLY, not_before=later(15)):
        told(state, rolls(BEN, 11))
    both = after(state, accepts(CARA, 2, 11))

    assert told(both, rolls(BEN, 11))
    with refused(Reason.ALREADY_ACCEPTED):
        told(both, accepts(CARA, 2, 11))


def test_while_a_rent_is_due_the_time_to_accept_does_not_run() -> None:
    """2.5: what is offered is taken."""
    state = after(owning(table((1, 2)), CARA, "turmstrasse"), rolls(ANNA), passes(ANNA))
    assert isinstance(state.phase, ToRoll)
    assert state.phase.until is not None
    demanded = after(state, by(CARA, DemandRent(0)))
    late = (state.phase.until - later(0)).total_seconds() + 1

    [offered] = [offer for offer in offers(demanded, CARA) if offer.type == "monopoly_cheaters.accept"]
    assert offered.until is None
    assert told(demanded, accepts(CARA, 2, late))


def test_to_accept_binds_nobody() -> None:
    """2.5"""
    state = after(owning(table((1, 2)), CARA, "turmstrasse"), rolls(ANNA), passes(ANNA), accepts(CARA, 2))

    assert told(state, by(CARA, DemandRent(0)))


def test_an_accept_names_its_boundary() -> None:
    """2.5"""
    state = after(table((1, 2)), rolls(ANNA), buys(ANNA), passes(ANNA))
    with refused(MonopolyReason.NO_SUCH_BOUNDARY):
        told(state, accepts(CARA, 1))


def test_a_throw_after_a_double_closes_nothing() -> None:
    """2.4: the heist of before is still open, and can still be caught."""
    state = owning(standing(table((2, 2), (1, 2), (3, 4)), ANNA, 35), ANNA, "turmstrasse")
    state = after(state, rolls(ANNA), cheats(BEN, "bank_heist", 1, amount=100))
    again = told(state, rolls(ANNA, 40))

    assert not all_of(again, Succeeded)
    assert only(told(after(state, rolls(ANNA, 40)), accuses(CARA, BEN, "bank_heist", 41)), Caught).target == BEN


def test_the_next_players_first_throw_is_the_boundary() -> None:
    """2.4"""
    state = after(
        table((1, 2), (1, 2)), cheats(CARA, "bank_heist", amount=100), rolls(ANNA), buys(ANNA), passes(ANNA, 20)
    )
    events = told(state, rolls(BEN, 30))

    kinds = [type(event) for event in events]
    assert kinds.index(RollCalled) < kinds.index(Succeeded)
    assert only(events, Succeeded).seat == CARA


def test_with_one_walker_left_his_own_next_first_throw_is_the_boundary() -> None:
    """2.6"""
    state = all_sold(table((1, 2), (1, 3)))
    state = replace(state, parked=(BEN, CARA))
    state = after(state, cheats(CARA, "bank_heist", amount=100), rolls(ANNA), passes(ANNA, 20))

    assert state.turn.seat == ANNA
    assert only(told(state, rolls(ANNA, 30)), Succeeded).seat == CARA


def test_one_is_asked_to_move_only_where_a_cheat_could_take_its_place() -> None:
    """2.7"""
    honest = after(table((1, 2)), rolls(ANNA))
    tempting = after(table((1, 2), cheats=("trick_dice",)), rolls(ANNA))

    assert honest.phase == ToBuy("turmstrasse", later(60))
    assert tempting.phase == ToMove(later(60), in_jail=False)
    assert after(tempting, moves(ANNA)).tokens[ANNA] == 3
    with refused(Reason.NOT_NOW):
        told(honest, moves(ANNA))


def test_passing_los_pays_200() -> None:
    """3.1"""
    state = after(standing(table((2, 3)), ANNA, 34), rolls(ANNA))
    assert (state.tokens[ANNA], announced(state, ANNA)) == (3, 1_700)
    landed = after(standing(table((1, 2)), ANNA, 33), rolls(ANNA))
    assert (landed.tokens[ANNA], announced(landed, ANNA)) == (0, 1_700)


def test_a_station_carries_on_to_the_next_and_no_further() -> None:
    """3.2"""
    events = told(table((1, 3)), rolls(ANNA))

    assert [(event.square, event.how) for event in all_of(events, Moved)] == [(4, How.THROW), (13, How.STATION)]
    assert after(table((1, 3)), rolls(ANNA)).phase == Done(later(60))


def test_from_hauptbahnhof_to_suedbahnhof_200_are_paid() -> None:
    """3.2"""
    state = after(standing(table((1, 3)), ANNA, 28), rolls(ANNA))

    assert (state.tokens[ANNA], announced(state, ANNA)) == (4, 1_700)


def test_a_double_before_the_ride_still_gives_its_throw() -> None:
    """3.2"""
    state = after(table((2, 2)), rolls(ANNA))

    assert isinstance(state.phase, ToRoll)
    assert state.turn.again


def test_who_declines_has_it_auctioned() -> None:
    """3.3"""
    events = told(table((1, 2)), rolls(ANNA), declines(ANNA))

    assert only(events, AuctionOpened).auction.lot == "turmstrasse"
    assert only(events, AuctionOpened).auction.bidders == (ANNA, BEN, CARA)


def test_on_the_own_street_nothing_happens_nor_on_a_visit() -> None:
    """3.4"""
    own = owning(table((1, 2)), ANNA, "turmstrasse")
    assert after(own, rolls(ANNA)).phase == Done(later(60))
    assert not after(own, rolls(ANNA)).landings
    visit = after(table((4, 5)), rolls(ANNA))
    assert (visit.phase, visit.prisoner) == (Done(later(60)), None)


def test_chance_and_chest_draw_a_card() -> None:
    """3.5"""
    events = told(table((1, 5)), rolls(ANNA))

    assert only(events, CardDrawn).deck == "chance"
    assert only(told(standing(table((1, 2)), ANNA, 27), rolls(ANNA)), CardDrawn).deck == "chest"


def test_on_frei_parken_one_chooses_the_deck() -> None:
    """3.5"""
    state = after(standing(table((1, 2), chest=("cc_tax",)), ANNA, 15), rolls(ANNA))
    chosen = after(state, by(ANNA, ChooseDeck("chest")))

    assert chosen.phase == ToRead("chest", later(60))
    assert chosen.drawn == "cc_tax"


def test_gehen_sie_in_das_gefaengnis() -> None:
    """3.6, 7.1"""
    state = after(standing(table((1, 1)), ANNA, 25), rolls(ANNA))

    assert (state.prisoner, state.tokens[ANNA], announced(state, ANNA)) == (ANNA, 9, 1_500)
    assert state.phase == Done(later(60))


def test_a_prisoner_must_say_how_he_wants_to_leave() -> None:
    """7.3"""
    with refused(MonopolyReason.IN_JAIL):
        told(jailed(table((1, 2)), ANNA), rolls(ANNA))


def test_a_payment_shows_who_pays_whom() -> None:
    """5.4"""
    state = after(owning(table((1, 2)), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0)))
    paid = only(told(state, by(ANNA, Pay(0))), Paid)
    assert [(m.from_, m.to, m.amount, m.why) for m in paid.moved] == [("seat:0", "seat:1", 30, "rent")]


def test_the_table_closes_when_no_turn_is_left() -> None:
    """10.7"""
    state = after(table((1, 2), max_turns=1), rolls(ANNA), buys(ANNA), passes(ANNA, 5))

    assert state.phase == Closing(later(35))
