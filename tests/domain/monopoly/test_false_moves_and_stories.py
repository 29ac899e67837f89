"""Loaded dice, another's token, a way out of jail, and cards that say something else than was read out."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.monopoly.actions import Action, DemandRent, JailRoll, Pay, Place
from domain.games.monopoly.events import Jailed, Moved, Reverted, Succeeded, Undone
from domain.games.monopoly.phases import ToBuy
from domain.games.monopoly.reasons import MonopolyReason
from domain.kernel.game import Command
from tests.domain.at_table import later, refused
from tests.domain.monopoly.cheaters import afterwards, my_turn_is_done, opened
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    accuses,
    after,
    all_of,
    all_sold,
    announced,
    buys,
    by,
    cheats,
    house_acts,
    jailed,
    money,
    moves,
    only,
    owning,
    passes,
    rolls,
    standing,
    told,
)


def test_loaded_dice() -> None:
    """6.5, 6.15: the purchase is returned, and on the right square only rent is open."""
    state = owning(opened("trick_dice"), BEN, "turmstrasse")
    state = after(state, rolls(ANNA))
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(ANNA, "trick_dice", distance=3))
    lied = after(state, cheats(ANNA, "trick_dice", distance=5), buys(ANNA))
    assert (lied.tokens[ANNA], lied.owners["chausseestrasse"], money(lied, ANNA)) == (5, ANNA, 1_400)

    events = told(lied, accuses(CARA, ANNA, "trick_dice", 5))
    caught = afterwards(lied, events)
    assert only(events, Reverted).street == "chausseestrasse"
    assert "chausseestrasse" not in caught.owners
    assert money(caught, ANNA) == 1_500
    assert [landing.street for landing in caught.landings] == ["turmstrasse"]
    assert (caught.prisoner, caught.tokens[ANNA]) == (ANNA, 9)
    assert told(caught, by(BEN, DemandRent(caught.landings[0].landing_id), 6))


def test_loaded_dice_that_survive_bring_100() -> None:
    """6.8: even after a double."""
    state = owning(opened("trick_dice", dice=((2, 2), (1, 2), (1, 2))), ANNA, "chausseestrasse", "poststrasse")
    state = after(state, rolls(ANNA), cheats(ANNA, "trick_dice", distance=5))
    state = after(state, rolls(ANNA, 1), moves(ANNA, 1), passes(ANNA, 20))

    assert announced(after(state, rolls(BEN, 30)), ANNA) == 1_600


def test_rent_on_a_square_where_one_should_not_be_is_paid_back() -> None:
    """6.15"""
    state = after(owning(opened("trick_dice"), BEN, "chausseestrasse"), rolls(ANNA))
    paid = after(state, cheats(ANNA, "trick_dice", distance=5), by(BEN, DemandRent(0)), by(ANNA, Pay(0)))
    assert money(paid, BEN) == 1_550

    caught = after(paid, accuses(CARA, ANNA, "trick_dice", 5))
    assert (money(caught, ANNA), money(caught, BEN), caught.landings) == (1_500, 1_500, ())


def test_loaded_dice_that_are_noticed_after_the_boundary() -> None:
    """6.9, 6.15: too young for it, judged as usual; only the cheater's own next throw would have moved the token on."""
    state = after(opened("trick_dice"), rolls(ANNA), cheats(ANNA, "trick_dice", distance=5), buys(ANNA, 1))
    state = after(state, passes(ANNA, 2), rolls(BEN, 8), moves(BEN, 8))
    assert (state.turn.seat, state.owners["chausseestrasse"]) == (BEN, ANNA)

    events = told(state, accuses(CARA, ANNA, "trick_dice", 9))
    assert only(events, Reverted).street == "chausseestrasse"
    assert [event.square for event in all_of(events, Moved)] == [3]
    assert money(afterwards(state, events), ANNA) == 1_500


def test_rent_is_paid_back_after_the_boundary_too() -> None:
    """6.9, 6.15"""
    state = after(owning(opened("trick_dice"), BEN, "chausseestrasse"), rolls(ANNA))
    paid = after(state, cheats(ANNA, "trick_dice", distance=5), by(BEN, DemandRent(0)), by(ANNA, Pay(0), 1))
    state = after(paid, passes(ANNA, 2), rolls(BEN, 8))

    caught = after(state, accuses(CARA, ANNA, "trick_dice", 9))
    assert (money(caught, ANNA), money(caught, BEN)) == (1_500, 1_500)


def test_who_came_to_los_by_loaded_dice_gives_the_200_back_and_does_not_stay_there() -> None:
    """6.15, 10.2"""
    state = after(standing(all_sold(opened("trick_dice")), ANNA, 30), rolls(ANNA))
    parked = after(state, cheats(ANNA, "trick_dice", distance=7))
    assert (parked.parked, parked.tokens[ANNA], money(parked, ANNA)) == ((ANNA,), 0, 1_700)

    caught = after(parked, accuses(CARA, ANNA, "trick_dice", 5))
    assert (caught.parked, caught.prisoner, money(caught, ANNA)) == ((), ANNA, 1_500)


def test_a_street_returned_when_all_were_sold_is_auctioned_at_once() -> None:
    """6.15, 10.1"""
    state = all_sold(opened("trick_dice"), ben=("badstrasse",))
    owners = {street: owner for street, owner in state.owners.items() if street != "chausseestrasse"}
    state = after(replace(state, owners=owners, sold_out=False), rolls(ANNA), cheats(ANNA, "trick_dice", distance=5))
    state = after(state, buys(ANNA))
    assert state.sold_out
    caught = after(state, accuses(CARA, ANNA, "trick_dice", 5))

    assert caught.auction is not None
    assert caught.auction.lot == "chausseestrasse"


def test_an_identity_that_survives() -> None:
    """6.6, 6.8: announced was the own move; now the tokens are put where they truly are."""
    state = after(standing(opened("identity"), BEN, 20), rolls(ANNA))
    moved = told(state, cheats(ANNA, "identity", target=BEN))
    assert (only(moved, Moved).seat, only(moved, Moved).square) == (ANNA, 3)
    end = afterwards(state, moved)
    assert end.tokens == (3, 20, 0)
    assert isinstance(end.phase, ToBuy)

    end = after(end, buys(ANNA), passes(ANNA, 20))
    after_boundary = afterwards(end, told(end, rolls(BEN, 30)))
    assert after_boundary.tokens[ANNA] == 0
    assert only(told(end, rolls(BEN, 30)), Succeeded).effect.square == 23
    assert announced(after_boundary, ANNA) == 1_540


def test_an_identity_that_is_caught() -> None:
    """6.12, 6.18: the victim sets the cheater's token anywhere."""
    state = after(standing(opened("identity"), BEN, 20), rolls(ANNA), cheats(ANNA, "identity", target=BEN), buys(ANNA))
    caught = after(state, accuses(CARA, ANNA, "identity", 5))
    assert caught.placing is not None
    with refused(MonopolyReason.BUSY):
        told(caught, passes(ANNA, 6))

    placed = after(caught, by(BEN, Place(27), 6))
    assert (placed.tokens, placed.prisoner, placed.placing) == ((27, 20, 0), None, None)


def test_placing_takes_the_time_of_the_victim_and_no_longer() -> None:
    """11.2"""
    state = after(standing(opened("identity"), BEN, 20), rolls(ANNA), cheats(ANNA, "identity", target=BEN), buys(ANNA))
    caught = after(state, accuses(CARA, ANNA, "identity", 5))
    end = house_acts(caught, 65)

    assert (end.placing, end.tokens[ANNA]) == (None, 3)
    assert later(65) == caught.placing.until  # type: ignore[union-attr]


def test_an_identity_is_void_when_the_token_is_moved_by_an_announced_act() -> None:
    """6.10, 6.6: here by the victim's own throw, before the attempt was old enough to survive."""
    state = after(standing(opened("identity", dice=((1, 2), (1, 4))), BEN, 20), rolls(ANNA))
    state = after(state, cheats(ANNA, "identity", target=BEN), buys(ANNA), passes(ANNA, 4))
    events = told(state, rolls(BEN, 9), moves(BEN, 9))
    end = after(state, rolls(BEN, 9), moves(BEN, 9))

    assert only(events, Undone).seat == ANNA
    assert end.tokens[:2] == (3, 25)


@pytest.mark.parametrize(
    "move",
    [
        moves(BEN, 11),
        cheats(BEN, "trick_dice", 11, distance=9),
        cheats(BEN, "identity", 11, target=ANNA),
    ],
    ids=["honest", "loaded dice", "identity"],
)
def test_a_false_move_voids_an_identity_as_an_honest_one_does(move: Command[Action]) -> None:
    """6.10, 12.3: else whoever moved the token before would hear which it was."""
    state = after(standing(opened("identity", "trick_dice", dice=((1, 2), (1, 4))), BEN, 20), rolls(ANNA))
    state = after(state, cheats(ANNA, "identity", target=BEN), buys(ANNA), passes(ANNA, 4))
    state = after(state, rolls(BEN, 9))  # too young: Anna's attempt stays open
    assert ANNA in state.attempts

    events = told(state, move)
    assert only(events, Undone).seat == ANNA
    assert ANNA not in afterwards(state, events).attempts


def test_an_escape() -> None:
    """6.5, 7.6: free before the throw, and it counts as an honest one."""
    state = jailed(my_turn_is_done(opened("escape", dice=((1, 2), (1, 2)))), BEN)
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(CARA, "escape"))
    out = after(state, cheats(BEN, "escape"), passes(ANNA, 20))
    events = told(out, by(BEN, JailRoll(), 30))
    end = afterwards(out, events)
    assert only(events, Succeeded).card == "escape"
    assert (end.prisoner, end.tokens[BEN], announced(end, BEN)) == (None, 12, 1_550)


def test_a_failed_escape() -> None:
    """6.12: he stays, his tries begin anew, and he pays 50."""
    state = jailed(my_turn_is_done(opened("escape")), BEN, tries=2)
    caught = after(state, cheats(BEN, "escape"), accuses(CARA, BEN, "escape", 5))

    assert (caught.prisoner, caught.tries, money(caught, BEN)) == (BEN, 0, 1_450)


def test_an_escape_of_one_who_is_freed_by_another_lapses() -> None:
    """6.10, 7.2"""
    state = jailed(standing(opened("escape", dice=((1, 1),)), ANNA, 25), BEN)
    events = told(after(state, cheats(BEN, "escape")), rolls(ANNA))

    assert only(events, Jailed).freed == BEN
    assert only(events, Undone).seat == BEN


def test_a_tall_story() -> None:
    """6.5, 6.10: the money goes back, and the true card is carried out."""
    state = after(opened("fake_chance", dice=((1, 1), (1, 2)), chest=("cc_hospital",)), rolls(ANNA))
    assert state.drawn == "cc_hospital"
    with refused(MonopolyReason.CHEAT_NOT_POSSIBLE):
        told(state, cheats(ANNA, "fake_chance", read="cc_jail"))
    rich = after(state, cheats(ANNA, "fake_chance", read="cc_bank_error"))
    assert (announced(rich, ANNA), money(rich, ANNA)) == (1_700, 1_700)

    caught = after(rich, accuses(BEN, ANNA, "fake_chance", 5))
    assert money(caught, ANNA) == 1_500
    assert [debt.amount for debt in caught.debts] == [100]
    assert caught.prisoner == ANNA


def test_a_tall_story_about_a_card_that_moves_no_money() -> None:
    """6.10: it goes back without effect."""
    state = after(opened("fake_chance", dice=((1, 1), (1, 2)), chest=("cc_go",)), rolls(ANNA))
    caught = after(state, cheats(ANNA, "fake_chance", read="cc_inheritance"), accuses(BEN, ANNA, "fake_chance", 5))

    assert (money(caught, ANNA), caught.debts, caught.tokens[ANNA]) == (1_500, (), 9)


def test_a_tall_story_that_survives_brings_50_more() -> None:
    """6.8"""
    state = after(opened("fake_chance", dice=((1, 1), (1, 2), (1, 2)), chest=("cc_go",)), rolls(ANNA))
    state = after(state, cheats(ANNA, "fake_chance", read="cc_inheritance"))
    state = after(owning(state, ANNA, "chausseestrasse"), rolls(ANNA, 1), passes(ANNA, 20))

    assert announced(after(state, rolls(BEN, 30)), ANNA) == 1_650
