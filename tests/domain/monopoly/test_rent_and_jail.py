"""Rent that must be demanded in time, and the prisoner with the handcuff."""

from __future__ import annotations

from domain.games.monopoly.actions import BuyHotel, DemandRent, JailCard, JailPay, Pay, SellToBank, UseCard
from domain.games.monopoly.events import CardReturned, Jailed, Moved, RentDemanded
from domain.games.monopoly.phases import Done, ToBuy, ToRead, ToRoll
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.state import State, deed, has_group
from domain.kernel.game import Seat
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    accuses,
    after,
    all_of,
    announced,
    buys,
    by,
    cheats,
    declines,
    holding,
    jailed,
    money,
    only,
    owning,
    passes,
    rolls,
    standing,
    table,
    told,
    tries_for_a_double,
    with_cash,
    with_hotels,
)


def landed(*dice: tuple[int, int]) -> State:
    """Anna stands on Ben's Turmstraße."""
    return after(owning(table(*(dice or ((1, 2), (1, 2)))), BEN, "turmstrasse"), rolls(ANNA))


def test_the_rent_is_base_group_or_hotel() -> None:
    """5.1"""
    base = landed()
    group = after(owning(table((1, 2)), BEN, "badstrasse", "turmstrasse"), rolls(ANNA))
    hotel = after(with_hotels(owning(table((1, 2)), BEN, "turmstrasse"), "turmstrasse"), rolls(ANNA))

    assert [state.landings[0].rent for state in (base, group, hotel)] == [30, 60, 120]


def test_the_rent_is_fixed_at_the_landing() -> None:
    """5.1: nobody builds between landing and demand."""
    state = after(owning(table((1, 2)), BEN, "badstrasse", "turmstrasse"), rolls(ANNA))
    built = after(state, by(BEN, BuyHotel("turmstrasse")), by(BEN, DemandRent(0)))

    assert [debt.amount for debt in built.debts] == [60]


def test_rent_demanded_after_the_next_players_throw_is_refused() -> None:
    """5.2"""
    state = after(landed(), passes(ANNA), rolls(BEN, 5))
    with refused(MonopolyReason.NO_SUCH_LANDING):
        told(state, by(BEN, DemandRent(0), 6))


def test_but_accepted_after_the_same_players_extra_throw() -> None:
    """5.2, 2.4"""
    state = standing(owning(table((1, 1), (3, 4)), BEN, "badstrasse"), ANNA, 35)
    state = after(owning(state, ANNA, "poststrasse"), rolls(ANNA), rolls(ANNA, 1))
    assert state.tokens[ANNA] == 8

    assert only(told(state, by(BEN, DemandRent(0), 2)), RentDemanded).debt.amount == 30


def test_who_owns_the_street_demands_and_nobody_else() -> None:
    """5.3"""
    state = landed()
    with refused(MonopolyReason.NOT_YOUR_STREET):
        told(state, by(CARA, DemandRent(0)))
    with refused(MonopolyReason.ALREADY_DEMANDED):
        told(after(state, by(BEN, DemandRent(0))), by(BEN, DemandRent(0)))
    sold = owning(state, CARA, "turmstrasse")
    assert told(sold, by(CARA, DemandRent(0)))
    own = owning(state, ANNA, "turmstrasse")
    with refused(MonopolyReason.NOT_YOUR_STREET):
        told(own, by(ANNA, DemandRent(0)))


def test_a_prisoner_collects_rent_and_builds() -> None:
    """5.3, 7.5"""
    state = jailed(after(owning(table((1, 2)), BEN, "badstrasse", "turmstrasse"), rolls(ANNA)), BEN)

    assert told(state, by(BEN, DemandRent(0)))
    assert told(state, by(BEN, BuyHotel("badstrasse")))
    assert told(state, cheats(BEN, "bank_heist", amount=10))
    assert told(state, accuses(BEN, CARA, "bank_heist"))


def test_a_demand_is_a_debt_that_comes_first() -> None:
    """5.4"""
    state = after(landed(), by(BEN, DemandRent(0)))
    with refused(MonopolyReason.BUSY):
        told(state, passes(ANNA))
    with refused(MonopolyReason.NOT_YOUR_DEBT):
        told(state, by(BEN, Pay(0)))
    with refused(MonopolyReason.NO_SUCH_DEBT):
        told(state, by(ANNA, Pay(7)))

    paid = after(state, by(ANNA, Pay(0), 9))
    assert (money(paid, ANNA), money(paid, BEN)) == (1_470, 1_530)
    assert paid.phase == Done(later(69))


def test_jail_takes_no_200() -> None:
    """7.1"""
    state = after(standing(table((1, 4), chance=("ch_jail",)), ANNA, 28), rolls(ANNA), by(ANNA, UseCard("ch_jail")))

    assert (state.prisoner, state.tokens[ANNA], announced(state, ANNA)) == (ANNA, 9, 1_500)


def test_the_second_prisoner_frees_the_first() -> None:
    """7.2"""
    events = told(jailed(standing(table((1, 1)), ANNA, 25), BEN), rolls(ANNA))
    state = after(jailed(standing(table((1, 1)), ANNA, 25), BEN), rolls(ANNA))

    assert only(events, Jailed).freed == BEN
    assert (state.prisoner, state.tokens[BEN]) == (ANNA, 9)


def test_out_for_50_and_then_a_throw_as_usual() -> None:
    """7.3"""
    state = after(jailed(table((1, 2)), ANNA), by(ANNA, JailPay()))
    assert (state.prisoner, announced(state, ANNA)) == (None, 1_450)

    assert after(state, rolls(ANNA)).tokens[ANNA] == 12


def test_out_with_a_card() -> None:
    """7.3, 8.3"""
    state = holding(jailed(table((1, 2)), ANNA), ANNA, "cc_jail_free")
    with refused(MonopolyReason.NO_SUCH_CARD):
        told(state, by(ANNA, JailCard("chance")))
    free = after(state, by(ANNA, JailCard("chest")))

    assert (free.prisoner, free.kept[ANNA], free.decks["chest"].under) == (None, {}, ("cc_jail_free",))


def test_out_with_a_double_and_no_further_throw() -> None:
    """7.4"""
    state = after(jailed(owning(table((2, 2)), ANNA, "neue_strasse"), ANNA), tries_for_a_double(ANNA))
    assert (state.prisoner, state.tokens[ANNA]) == (None, 23)
    assert state.phase == Done(later(60))


def test_three_tries() -> None:
    """7.4: after the third failure 50, and a move by that throw."""
    first = after(jailed(table((1, 2)), ANNA), tries_for_a_double(ANNA))
    assert (first.prisoner, first.tries, first.phase) == (ANNA, 1, Done(later(60)))

    third = after(jailed(table((1, 2)), ANNA, tries=2), tries_for_a_double(ANNA))
    assert third.prisoner is None
    assert [debt.amount for debt in third.debts] == [50]
    gone = after(third, by(ANNA, Pay(0), 1))
    assert (gone.tokens[ANNA], announced(gone, ANNA), gone.phase) == (12, 1_450, ToBuy("neue_strasse", later(61)))


def test_the_fee_after_three_tries_is_forced() -> None:
    """7.4, 9.2"""
    state = with_cash(jailed(table((1, 2)), ANNA, tries=2), ANNA, 20)
    state = after(owning(state, ANNA, "badstrasse"), tries_for_a_double(ANNA))
    short = after(state, by(ANNA, Pay(0), 1))

    assert short.debts[0].short
    assert short.tokens[ANNA] == 9
    paid = after(short, by(ANNA, SellToBank("badstrasse"), 2), by(ANNA, Pay(0), 3))
    assert (money(paid, ANNA), paid.tokens[ANNA]) == (30, 12)


def test_a_prisoner_plays_no_cards() -> None:
    """7.5"""
    state = holding(jailed(table((1, 2)), ANNA), ANNA, "ch_send")
    with refused(MonopolyReason.CARD_NOT_USABLE):
        told(state, by(ANNA, UseCard("ch_send", target=BEN)))


def test_jailed_before_the_first_throw_one_goes_on_as_a_prisoner() -> None:
    """7.7"""
    state = after(table((1, 2)), cheats(ANNA, "bank_heist", amount=10), accuses(BEN, ANNA, "bank_heist", 1))

    assert isinstance(state.phase, ToRoll)
    with refused(MonopolyReason.IN_JAIL):
        told(state, rolls(ANNA, 2))
    assert told(state, tries_for_a_double(ANNA, 2))


def test_jailed_in_the_middle_of_a_turn_what_is_open_is_finished() -> None:
    """7.7: the offer is, the throw that was due is lost."""
    state = standing(table((1, 1)), ANNA, 1)
    state = after(state, rolls(ANNA), cheats(ANNA, "bank_heist", amount=10), accuses(BEN, ANNA, "bank_heist", 1))
    assert (state.prisoner, isinstance(state.phase, ToBuy)) == (ANNA, True)
    bought = after(state, buys(ANNA, 2))

    assert (bought.owners, bought.phase) == ({"turmstrasse": ANNA}, Done(later(62)))
    assert after(state, declines(ANNA, 2)).auction is not None


def test_a_throw_that_was_lost_is_lost_although_another_prisoner_frees_him() -> None:
    """7.7, 7.2"""
    state = after(owning(standing(table((1, 1)), ANNA, 1), ANNA, "turmstrasse"), rolls(ANNA))
    assert state.turn.again
    for at, cheater in ((1, ANNA), (2, CARA)):
        state = after(state, cheats(cheater, "pickpocket" if at == 2 else "bank_heist", at, **_loot(cheater)))
        state = after(state, accuses(BEN, cheater, "pickpocket" if at == 2 else "bank_heist", at))

    assert (state.prisoner, state.turn.again, isinstance(state.phase, Done)) == (CARA, False, True)


def _loot(cheater: Seat) -> dict[str, int]:
    return {"amount": 10} if cheater == ANNA else {"amount": 10, "target": BEN}


def test_a_card_not_yet_read_goes_back() -> None:
    """7.7"""
    state = after(standing(table((1, 1)), ANNA, 0), rolls(ANNA), cheats(ANNA, "bank_heist", amount=10))
    assert isinstance(state.phase, ToRead)
    events = told(state, accuses(BEN, ANNA, "bank_heist", 1))

    assert only(events, CardReturned).held is False
    assert not all_of(events, Moved)


def test_the_rents_of_the_classic_deeds_are_whole_units() -> None:
    """1.3, 5.1"""
    state = after(owning(table((1, 2), deeds="classic"), BEN, "turmstrasse"), rolls(ANNA), by(BEN, DemandRent(0)))

    assert money(after(state, by(ANNA, Pay(0))), BEN) == 1_504
    assert deed(state, "turmstrasse").base == 4
    assert not has_group(state, BEN, "turmstrasse")


def test_a_throw_out_of_turn_is_none() -> None:
    """2.3"""
    with refused(Reason.NOT_YOUR_TURN):
        told(jailed(table((1, 2)), BEN), tries_for_a_double(BEN))
    with refused(MonopolyReason.NOT_IN_JAIL):
        told(table((1, 2)), tries_for_a_double(ANNA))
