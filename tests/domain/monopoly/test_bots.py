"""What the bots do with what they are told and offered. How often they win: ``tests/bench/monopoly_bots.py``."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.actions import (
    Accept,
    AcceptTrade,
    Accuse,
    Bid,
    Buy,
    BuyHotel,
    DemandRent,
    OfferTrade,
    Pay,
    SellToBank,
    Vote,
    WithdrawTrade,
)
from domain.games.monopoly.bots import BOTS, CAREFUL, RANDOM
from domain.games.monopoly.careful import card_of
from domain.games.monopoly.events import Event, WronglyAccused
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.state import State
from domain.games.monopoly.things import MonopolyEffect
from domain.kernel.chance import Chance
from domain.kernel.game import Command, Seat, fold
from domain.kernel.ledger import Movement
from projections.views.monopoly.redacting import redact
from tests.domain.monopoly.bot_table import Played, play
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    accuses,
    after,
    by,
    cheats,
    declines,
    holding,
    owning,
    rolls,
    table,
    told,
    watching,
    with_cash,
)


def wants(
    seat: Seat, state: State, *commands: Command[Any], at: float = 0, luck: int = 0, memory: Any = None
) -> Any | None:
    """What a careful bot on this seat says after these commands, having been told its part of them."""
    events = told(state, *commands)
    seen, memory = state, memory or CAREFUL.begin(seat, state.seats)
    for event in events:
        heard = redact(event, seat)
        if heard is not None:
            memory = CAREFUL.remember(memory, seen, heard)
            seen = evolve(seen, heard)
    offered = [offer for offer in MONOPOLY.offers(seen, seat) if offer.not_before is None]
    return CAREFUL.choose(memory, seen, offered, Chance(b"", f"{luck:036d}", b"").bot(seat, luck))


def always(seat: Seat, state: State, *commands: Command[Any]) -> set[str]:
    """What it says, whatever its luck, by the name of the action."""
    return {type(wants(seat, state, *commands, luck=luck)).__name__ for luck in range(30)}


HARMLESS = ("escape", "extra_go", "squatter", "overcharge", "fake_chance")


def test_it_buys_what_it_can_afford() -> None:
    assert Buy() in [wants(ANNA, table((1, 2), cheats=HARMLESS), rolls(ANNA), luck=n) for n in range(20)]
    poor = with_cash(table((3, 2), cheats=HARMLESS), ANNA, 110)
    assert "Buy" not in always(ANNA, poor, rolls(ANNA))


def test_it_demands_its_rent() -> None:
    state = owning(
        table((1, 2), cheats=("escape", "extra_go", "squatter", "fake_chance", "deed_swap")), BEN, "turmstrasse"
    )

    assert always(BEN, state, rolls(ANNA)) == {"DemandRent"}


def test_it_pays_what_it_owes_and_ignores_what_it_does_not() -> None:
    state = owning(
        table((1, 2), cheats=("escape", "squatter", "extra_go", "fake_chance", "deed_swap")), BEN, "turmstrasse"
    )
    assert always(ANNA, state, rolls(ANNA), by(BEN, DemandRent(0))) == {"Pay"}
    asked = after(state, rolls(ANNA), cheats(CARA, "squatter", landing_id=0, amount=30))
    assert "Pay" not in always(ANNA, asked)


def test_it_accuses_on_evidence_and_names_the_card() -> None:
    state = watching(after(table((1, 2), cheats=("bank_heist",)), rolls(ANNA)), ben="tray")

    assert wants(BEN, state, cheats(CARA, "bank_heist", amount=500)) == Accuse(CARA, "bank_heist")
    elsewhere = watching(state, ben="seat:0")
    assert "Accuse" not in always(BEN, elsewhere, cheats(CARA, "bank_heist", amount=500))


def test_it_accuses_who_demands_too_much() -> None:
    state = after(owning(table((1, 2), cheats=("overcharge", "squatter")), BEN, "turmstrasse"), rolls(ANNA))

    assert wants(ANNA, state, cheats(BEN, "overcharge", landing_id=0, amount=60)) == Accuse(BEN, "overcharge")
    assert wants(ANNA, state, cheats(CARA, "squatter", landing_id=0, amount=60)) == Accuse(CARA, "squatter")


def test_it_does_not_accuse_twice_of_one_act() -> None:
    state = watching(after(table((1, 2), cheats=("bank_heist", "extra_go")), rolls(ANNA)), ben="tray")
    robbed = told(state, cheats(CARA, "bank_heist", amount=100))
    heard = [redact(event, BEN) for event in robbed]
    seen = fold(evolve, state, [event for event in heard if event is not None])
    memory = CAREFUL.begin(BEN, 3)
    assert CAREFUL.remember(memory, seen, WronglyAccused(BEN, CARA, "extra_go")).raised != ()

    again = CAREFUL.remember(memory, seen, WronglyAccused(BEN, CARA, "extra_go"))
    offered = MONOPOLY.offers(seen, BEN)
    assert not isinstance(CAREFUL.choose(again, seen, offered, Chance(b"", "", b"").bot(1, 1)), Accuse)


@pytest.mark.parametrize(
    "effect, card",
    [
        (MonopolyEffect(moved=(Movement("pot", "seat:2", 500, "taken"),)), "bank_heist"),
        (MonopolyEffect(moved=(Movement("seat:0", "seat:2", 50, "taken"),)), "pickpocket"),
        (MonopolyEffect(moved=(Movement("seat:0", "seat:2", 50, "taken"),), debt_id=1, rent=50), "free_stay"),
        (MonopolyEffect(moved=(Movement("seat:0", "seat:2", 20, "taken"),), debt_id=1, rent=50), "short_change"),
        (MonopolyEffect(deeds=(("badstrasse", "seat:2"),)), "deed_theft"),
        (MonopolyEffect(deeds=(("badstrasse", "seat:2"), ("turmstrasse", "seat:0"))), "deed_swap"),
        (MonopolyEffect(hotel_on="badstrasse"), "free_hotel"),
        (MonopolyEffect(hotel_off="badstrasse"), "demolition"),
        (MonopolyEffect(cuff_off=True), "escape"),
        (MonopolyEffect(token=ANNA, square=3, stays=0), "identity"),
        (MonopolyEffect(right=3, square=5), "trick_dice"),
        (MonopolyEffect(card="cc_go", read="cc_tax"), "fake_chance"),
    ],
)
def test_it_knows_each_cheat_by_what_is_done(effect: MonopolyEffect, card: str) -> None:
    state = replace(table(), open_cheats=("bank_heist", card))

    assert card_of(effect, state) == card


def test_wages_and_a_heist_look_alike_unless_only_one_can_be() -> None:
    effect = MonopolyEffect(moved=(Movement("pot", "seat:2", 100, "taken"),))

    assert card_of(effect, replace(table(), open_cheats=("extra_go",))) == "extra_go"
    assert card_of(effect, replace(table(), open_cheats=("bank_heist",))) == "bank_heist"
    masters = replace(table(meistermogler=True), open_cheats=())
    assert card_of(effect, masters) == "take_tray"


def test_it_votes_for_what_it_saw() -> None:
    state = watching(after(table((1, 2), seats=4, proof="vote", cheats=("bank_heist",)), rolls(ANNA)), ben="tray")
    accused = (cheats(CARA, "bank_heist", amount=500), accuses(Seat(3), CARA, "bank_heist"))

    assert wants(BEN, state, *accused) == Vote(0, True)
    assert wants(ANNA, watching(state, anna="dice"), *accused) == Vote(0, False)


def test_it_bids_up_to_what_a_street_is_worth() -> None:
    state = after(table((1, 2), cheats=HARMLESS), rolls(ANNA), declines(ANNA))
    assert isinstance(wants(BEN, state), Bid)
    assert state.auction is not None
    dear = replace(state, auction=replace(state.auction, bidder=CARA, amount=400))

    assert "Bid" not in always(BEN, dear)


def test_it_builds_on_a_whole_group() -> None:
    state = owning(table((1, 2), cheats=HARMLESS), BEN, "badstrasse", "turmstrasse")

    assert any(isinstance(wants(BEN, state, luck=n), BuyHotel) for n in range(20))


def test_it_sells_what_is_worth_least() -> None:
    state = owning(with_cash(table((1, 2), cheats=HARMLESS), ANNA, 20), ANNA, "badstrasse", "schlossallee")
    state = owning(replace(state, tokens=(0, 0, 0)), BEN, "turmstrasse")
    short = after(state, rolls(ANNA), by(BEN, DemandRent(0)), by(ANNA, Pay(0)))

    assert wants(ANNA, short) == SellToBank("badstrasse")


def test_it_takes_a_good_trade_and_turns_a_bad_one_down() -> None:
    state = owning(table((1, 2), cheats=HARMLESS), ANNA, "schlossallee", "badstrasse")
    good = by(ANNA, OfferTrade(BEN, give=("schlossallee",), want_cash=100))
    bad = by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=1_000))

    assert wants(BEN, state, good) == AcceptTrade("0-0")
    assert wants(BEN, state, bad) == WithdrawTrade("0-0")


def test_it_halves_a_dear_rent() -> None:
    state = holding(owning(table((1, 2), cheats=HARMLESS), BEN, "badstrasse", "turmstrasse"), ANNA, "ch_halve")

    assert always(ANNA, state, rolls(ANNA), by(BEN, DemandRent(0))) == {"UseCard"}


def test_it_has_no_objection_when_it_has_nothing_else_to_do() -> None:
    state = after(table((1, 2), cheats=HARMLESS), rolls(ANNA), declines(ANNA))
    assert isinstance(wants(BEN, replace(state, auction=None)), Accept | None)


@cache
def played(kinds: str, seed: int) -> Played:
    bots = [{"c": CAREFUL, "r": RANDOM}[kind] for kind in kinds]
    return play(bots, MonopolyOptions(max_turns=120), seed)


@pytest.mark.parametrize("seed", range(4))
def test_all_that_it_says_is_accepted_and_the_match_ends(seed: int) -> None:
    for kinds in ("cc", "crc", "cccccc"):
        assert played(kinds, seed).over.winners


def test_it_beats_the_random_bot() -> None:
    """The figure over 1,000 matches is in docs/monopoly.md; here a dozen show the direction."""
    won = sum(ANNA in played("cr", seed).over.winners for seed in range(12))

    assert won >= 11


def test_bots_cheat_catch_and_miss() -> None:
    events: list[Event] = [event for seed in range(4) for event in played("cccccc", seed).events]
    kinds = {type(event).__name__ for event in events}

    assert {"Slipped", "Caught", "Succeeded", "HotelBuilt", "RentDemanded", "Watched", "TradeMade"} <= kinds
    assert BOTS.keys() == {"careful", "random"}
