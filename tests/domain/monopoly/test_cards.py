"""Chance and Community Chest: what each card does, and what may be kept."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.monopoly.actions import ChooseDeck, DemandRent, KeepCard, Pay, ReturnCard, UseCard
from domain.games.monopoly.data import CURRENT
from domain.games.monopoly.events import CardDrawn, CardKept, CardReturned, Halved, Jailed, Moved
from domain.games.monopoly.phases import Done, ToBuy, ToDraw, ToRead
from domain.games.monopoly.reasons import MonopolyReason
from domain.games.monopoly.rules.cards import half
from domain.games.monopoly.state import State
from domain.games.monopoly.things import How
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    after,
    all_of,
    announced,
    by,
    holding,
    jailed,
    only,
    owning,
    passes,
    rolls,
    settled,
    standing,
    table,
    told,
    with_hotels,
)


def reads(card: str, square: int = 6) -> State:
    """Anna has drawn this card, on this square."""
    deck = CURRENT.deck_of[card]
    state = standing(table(chance=(card,), chest=(card,) if deck == "chest" else ()), ANNA, square)
    return settled(replace(state, phase=ToDraw(deck)))


def use(card: str, square: int = 6) -> State:
    return after(reads(card, square), by(ANNA, UseCard(card)))


@pytest.mark.parametrize(
    "card, square, stands, has",
    [
        ("ch_go", 20, 0, 1_700),
        ("ch_opernplatz", 6, 22, 1_500),
        ("ch_seestrasse", 20, 10, 1_700),
        ("ch_schlossallee", 6, 35, 1_500),
        ("ch_station", 6, 23, 1_500),
        ("ch_station", 33, 13, 1_700),
        ("ch_dividend", 6, 6, 1_550),
        ("ch_loan", 6, 6, 1_650),
        ("ch_back", 6, 3, 1_500),
        ("ch_back", 33, 30, 1_500),
        ("ch_jail", 33, 9, 1_500),
        ("cc_go", 2, 0, 1_700),
        ("cc_bank_error", 2, 2, 1_700),
        ("cc_shares", 2, 2, 1_550),
        ("cc_jail", 2, 9, 1_500),
        ("cc_bonus", 2, 2, 1_600),
        ("cc_tax", 2, 2, 1_520),
        ("cc_insurance", 2, 2, 1_600),
        ("cc_advice", 2, 2, 1_520),
        ("cc_contest", 2, 2, 1_510),
        ("cc_inheritance", 2, 2, 1_600),
    ],
)
def test_what_a_card_does_at_once(card: str, square: int, stands: int, has: int) -> None:
    """8.1, 8.6"""
    state = use(card, square)

    assert (state.tokens[ANNA], announced(state, ANNA)) == (stands, has)


@pytest.mark.parametrize(
    "card, owed",
    [
        ("ch_fine", 20),
        ("cc_doctor", 50),
        ("cc_hospital", 100),
        ("cc_school", 50),
        ("ch_repairs", 200),
        ("cc_street", 240),
    ],
)
def test_what_a_card_makes_one_owe(card: str, owed: int) -> None:
    """8.1"""
    state = with_hotels(owning(reads(card, 2), ANNA, "badstrasse", "turmstrasse"), "badstrasse", "turmstrasse")
    state = after(state, by(ANNA, UseCard(card)))

    assert [(debt.debtor, debt.creditor, debt.amount) for debt in state.debts] == [(ANNA, "pot", owed)]


def test_debts_of_one_cause_come_clockwise_from_the_left() -> None:
    """9.1"""
    lost = use("ch_host")
    assert [(debt.creditor, debt.amount) for debt in lost.debts] == [("seat:1", 50), ("seat:2", 50)]
    with refused(MonopolyReason.OTHER_DEBT_FIRST):
        told(lost, by(ANNA, Pay(1)))
    birthday = use("cc_birthday", 2)
    assert [(debt.debtor, debt.amount) for debt in birthday.debts] == [(BEN, 10), (CARA, 10)]
    assert told(birthday, by(CARA, Pay(1)))


def test_a_bribed_jury() -> None:
    """8.1"""
    state = after(reads("cc_contest", 2), by(ANNA, UseCard("cc_contest", bribe=True)))

    assert announced(after(state, by(ANNA, Pay(0))), ANNA) == 1_650
    with refused(MonopolyReason.CARD_NOT_USABLE):
        told(reads("cc_tax", 2), by(ANNA, UseCard("cc_tax", bribe=True)))


def test_three_back_and_go_to_are_landings() -> None:
    """8.6"""
    assert use("ch_back", 6).phase == ToBuy("turmstrasse", later(60))
    owned = after(owning(reads("ch_opernplatz"), BEN, "opernplatz"), by(ANNA, UseCard("ch_opernplatz")))
    assert [landing.street for landing in owned.landings] == ["opernplatz"]


def test_three_back_onto_the_chest_draws_again() -> None:
    """8.6"""
    state = after(standing(table((1, 2), chance=("ch_back",), chest=("cc_tax",)), ANNA, 30), rolls(ANNA))
    events = told(state, by(ANNA, UseCard("ch_back")))

    assert only(events, CardDrawn).deck == "chest"


def test_a_now_card_cannot_be_kept() -> None:
    """8.1"""
    with refused(MonopolyReason.CARD_MUST_BE_READ):
        told(reads("ch_fine"), by(ANNA, KeepCard()))
    with refused(MonopolyReason.CARD_MUST_BE_READ):
        told(reads("ch_fine"), by(ANNA, ReturnCard("ch_fine")))


def test_a_keep_card_is_kept_and_nobody_is_told_which() -> None:
    """8.1, 12.2"""
    state = after(reads("ch_send"), by(ANNA, KeepCard()))

    assert state.kept[ANNA] == {"chance": "ch_send"}
    assert state.phase == Done(later(60))


def test_a_second_card_of_a_deck_is_used_or_put_back() -> None:
    """8.2, 8.4"""
    state = holding(reads("ch_send"), ANNA, "ch_jail_free")
    with refused(MonopolyReason.CARD_LIMIT):
        told(state, by(ANNA, KeepCard()))
    new_back = after(state, by(ANNA, ReturnCard("ch_send")))
    assert (new_back.kept[ANNA], new_back.decks["chance"].under) == ({"chance": "ch_jail_free"}, ("ch_send",))
    old_back = after(state, by(ANNA, ReturnCard("ch_jail_free")))
    assert (old_back.kept[ANNA], old_back.decks["chance"].under) == ({"chance": "ch_send"}, ("ch_jail_free",))
    assert only(told(state, by(ANNA, ReturnCard("ch_jail_free"))), CardReturned).held
    used = after(state, by(ANNA, UseCard("ch_send", target=BEN)))
    assert (used.kept[ANNA], used.prisoner) == ({"chance": "ch_jail_free"}, BEN)


def test_the_held_one_can_be_used_in_its_place() -> None:
    """8.4"""
    state = holding(reads("ch_jail_free"), ANNA, "ch_send")
    events = told(state, by(ANNA, UseCard("ch_send", target=BEN)))

    assert only(events, Jailed).seat == BEN
    assert only(events, CardKept).card == "ch_jail_free"


def test_a_chance_and_a_chest_card_may_be_held_together() -> None:
    """8.2"""
    state = after(holding(reads("ch_send"), ANNA, "cc_jail_free"), by(ANNA, KeepCard()))

    assert state.kept[ANNA] == {"chance": "ch_send", "chest": "cc_jail_free"}


def test_used_cards_go_under_their_deck() -> None:
    """8.3"""
    state = use("ch_dividend")

    assert state.decks["chance"].under == ("ch_dividend",)
    assert "ch_dividend" not in state.decks["chance"].stack


def test_somebody_is_sent_to_jail_for_no_reason() -> None:
    """8.5: in the own turn."""
    state = holding(table((1, 2)), ANNA, "ch_send")
    assert after(state, by(ANNA, UseCard("ch_send", target=CARA))).prisoner == CARA
    with refused(MonopolyReason.CARD_NOT_USABLE):
        told(holding(table((1, 2)), BEN, "ch_send"), by(BEN, UseCard("ch_send", target=CARA)))
    with refused(MonopolyReason.NO_SUCH_CARD):
        told(state, by(BEN, UseCard("ch_send", target=CARA)))


def test_neither_card_names_a_token_that_is_parked_or_jailed() -> None:
    """8.5, 10.3"""
    for away in (replace(table((1, 2)), parked=(BEN,)), jailed(table((1, 2)), BEN)):
        with refused(MonopolyReason.CARD_NOT_USABLE):
            told(holding(away, ANNA, "ch_send"), by(ANNA, UseCard("ch_send", target=BEN)))
        with refused(MonopolyReason.CARD_NOT_USABLE):
            told(holding(away, ANNA, "ch_swap"), by(ANNA, UseCard("ch_swap", target=BEN, other=CARA)))


def test_two_tokens_are_swapped_without_landing() -> None:
    """8.5, 8.6"""
    state = standing(standing(holding(table((1, 2)), ANNA, "ch_swap"), BEN, 3), CARA, 33)
    events = told(state, by(ANNA, UseCard("ch_swap", target=BEN, other=CARA)))
    end = after(state, by(ANNA, UseCard("ch_swap", target=BEN, other=CARA)))

    assert [event.how for event in all_of(events, Moved)] == [How.SWAP, How.SWAP]
    assert end.tokens == (0, 33, 3)
    assert announced(end, CARA) == 1_500
    assert end.phase == state.phase


def test_a_rent_is_halved_when_it_is_due() -> None:
    """8.7"""
    state = holding(owning(table((1, 2)), BEN, "turmstrasse"), ANNA, "ch_halve")
    state = after(state, rolls(ANNA), by(BEN, DemandRent(0)))
    events = told(state, by(ANNA, UseCard("ch_halve", debt_id=0)))

    assert only(events, Halved).amount == 20
    assert after(state, by(ANNA, UseCard("ch_halve", debt_id=0))).debts[0].amount == 20


@pytest.mark.parametrize("whole, halved", [(30, 20), (60, 30), (50, 30), (4, 2), (1275, 638), (2, 1)])
def test_halves_are_rounded_up_in_whole_notes(whole: int, halved: int) -> None:
    """8.7"""
    assert half(whole) == halved


def test_after_the_sixteenth_draw_the_deck_is_shuffled() -> None:
    """8.8: and no card is drawn twice before."""
    state, drawn = table(), []
    for n in range(18):
        state = settled(replace(state, phase=ToDraw("chance")), later(n))
        drawn.append(state.drawn)
        assert state.drawn is not None
        state = after(replace(state, phase=ToRead("chance", None)), by(ANNA, _put_away(state), n))
        state = replace(state, debts=(), prisoner=None, auction=None, lots=(), kept=({}, {}, {}))
    assert len(set(drawn[:16])) == 16
    assert state.decks["chance"].draws == 2


def _put_away(state: State) -> KeepCard | UseCard:
    assert state.drawn is not None
    return UseCard(state.drawn) if state.data.cards[state.drawn].kind == "now" else KeepCard()


def test_only_who_drew_it_reads_it() -> None:
    """8.1"""
    with refused(MonopolyReason.NO_SUCH_CARD):
        told(reads("ch_fine"), by(BEN, UseCard("ch_fine")))
    with refused(Reason.NOT_YOUR_TURN):
        told(reads("ch_send"), by(BEN, KeepCard()))
    with refused(Reason.NOT_NOW):
        told(table(), by(ANNA, KeepCard()))
    assert told(after(reads("ch_send"), by(ANNA, KeepCard())), passes(ANNA))


def test_where_all_are_asked_for_their_deck() -> None:
    """3.5"""
    state = after(standing(table((1, 2), chance=("ch_fine",)), ANNA, 15), rolls(ANNA), by(ANNA, ChooseDeck("chance")))

    assert after(state, by(ANNA, UseCard("ch_fine"))).debts[0].amount == 20
