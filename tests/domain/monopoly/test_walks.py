"""What holds in every match, whoever plays: money, deeds, hotels, cards."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.actions import Action
from domain.games.monopoly.books import balance
from domain.games.monopoly.data import CURRENT
from domain.games.monopoly.events import Event, RollCalled, Undone
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.state import AUCTION, CARD_BACK, HOTELS, POT, Attempt, State, cash, effects, purse
from domain.games.monopoly.things import MonopolyEffect, MonopolySlip
from domain.kernel.game import Seat
from domain.kernel.ledger import Ledger
from projections.catalogue import CATALOGUE
from tests.any_game import NOON, Step, walk

MATCHES = (*range(40), 70, 293)  # in the last two, too many cards of a kind are held, and a token is placed
PUT = Attempt(Seat(0), MonopolySlip("free_hotel", NOON, MonopolyEffect(hotel_on="schlossallee")), ())


@cache
def match(number: int) -> tuple[Step, ...]:
    """Two to six seats; free cheats, votes, open tables and classic deeds go with the number."""
    options = MonopolyOptions(
        deeds="classic" if number % 4 == 1 else "edition",
        attention="open" if number % 5 == 4 else "watch",
        proof="vote" if number % 3 == 2 else "house",
        meistermogler=number % 2 == 1,
        max_turns=30 + number % 50,
        min_catch=1 + number % 10,
    )
    view = CATALOGUE["monopoly-cheaters"]
    return tuple(walk(view, 2 + number % 5, number, options=options, leavers=number % 6 == 5, doubt=10, sleep=8))


@pytest.mark.parametrize("number", MATCHES)
def test_money_is_moved_and_never_made(number: int) -> None:
    """1.7: after every single event, in the log's fold and in every viewer's."""
    state = match(number)[0].before
    for step in match(number):
        for event in step.events:
            state = evolve(state, event)
            assert balance(state) is None
            assert state.ledger.total == 20_400
            assert sum(state.private.values()) == 0
            assert sum(cash(state, account) for account in state.ledger.balances) == 20_400
        for own in step.seen.values():
            assert own.ledger == step.after.ledger
            assert own.private[POT] == step.after.private[POT]


@pytest.mark.parametrize(
    "wrong, what",
    [
        ({"ledger": Ledger({POT: 20_000, AUCTION: 0})}, "the accounts hold 20000 and not 20400"),
        ({"private": {POT: 10}}, "private trades have made 10"),
        ({"ledger": Ledger({POT: 20_300, AUCTION: 100})}, "100 lie in an auction at 0"),
        ({"hotels": ("badstrasse",) * 17}, "17 hotels stand, and there are 16"),
        (
            {"hotels": tuple(CURRENT.streets)[:16], "attempts": {Seat(0): PUT}},
            "1 hotels more than there are stand in truth, or are reserved",
        ),
        ({"owners": {"no_street": Seat(0)}}, "somebody owns what is no street"),
    ],
)
def test_the_verifier_is_told_what_does_not_add_up(wrong: dict[str, Any], what: str) -> None:
    """1.7, 4.2, 4.7"""
    state = match(0)[-1].after

    assert MONOPOLY.balance is balance
    assert balance(msgspec.structs.replace(state, **wrong)) == what


@pytest.mark.parametrize("number", MATCHES)
def test_nobody_ever_has_less_than_nothing(number: int) -> None:
    """9.2: nobody plays on with negative money, and no pot runs dry."""
    for step in match(number):
        state = step.after
        for seat in map(Seat, range(state.seats)):
            assert cash(state, purse(seat)) >= 0, (seat, step.command)
        assert cash(state, POT) >= 0
        assert state.ledger[AUCTION] == (0 if state.auction is None else state.auction.amount)


@pytest.mark.parametrize("number", MATCHES)
def test_what_is_announced_and_what_is_true_differ_by_open_attempts_alone(number: int) -> None:
    """6.1"""
    for step in match(number):
        state = step.after
        if not state.attempts and not any(state.private.values()):
            assert all(cash(state, account) == state.ledger[account] for account in state.ledger.balances)
        assert len(state.attempts) <= state.seats


@pytest.mark.parametrize("number", MATCHES)
def test_hotels_and_cards_are_neither_lost_nor_made(number: int) -> None:
    """4.7, 8.2"""
    for step in match(number):
        state = step.after
        assert len(state.hotels) <= HOTELS
        assert len(set(state.hotels)) == len(state.hotels)
        put = [attempt.slip.effect.hotel_on for attempt in effects(state)]
        assert len(set(filter(None, put))) == len([street for street in put if street])
        for name, deck in state.decks.items():
            held = [kept[name] for kept in state.kept if name in kept]
            drawn = [state.drawn] if state.drawn is not None and state.data.deck_of.get(state.drawn) == name else []
            assert len({*deck.stack, *deck.under, *held, *drawn}) == 16
            assert len(deck.stack) + len(deck.under) + len(held) + len(drawn) == 16
        known = {*state.open_cheats, *state.cheats.stack, *state.cheats.under}
        assert len(known) == len(state.open_cheats) + len(state.cheats.stack) + len(state.cheats.under) == 15


@pytest.mark.parametrize("number", MATCHES)
def test_every_viewer_folds_the_same_announced_board(number: int) -> None:
    """12.1: what is public is the same for all, and so is whatever the rules ask of it."""
    for step in match(number):
        true = step.after
        for viewer, own in step.seen.items():
            for field in (
                "owners",
                "hotels",
                "tokens",
                "turn",
                "phase",
                "debts",
                "landings",
                "auction",
                "lots",
                "open_cheats",
                "prisoner",
                "parked",
                "out",
                "draws",
                "debt_ids",
                "landing_ids",
                "auction_ids",
            ):
                assert getattr(own, field) == getattr(true, field), (viewer, field)
            if viewer is not None:
                assert own.kept[viewer] == true.kept[viewer]
                assert own.learned[viewer] == true.learned[viewer]
                assert own.attempts.get(viewer) == _own_attempt(true, viewer)


def _own_attempt(true: State, viewer: Seat) -> object:
    attempt = true.attempts.get(viewer)
    if attempt is None:
        return None
    return msgspec.structs.replace(attempt, witnesses=(viewer,)) if viewer in attempt.witnesses else attempt


@pytest.mark.parametrize("number", MATCHES)
def test_a_viewer_holds_backs_of_what_he_never_saw(number: int) -> None:
    """12.2"""
    for step in match(number):
        true = step.after
        for viewer, own in step.seen.items():
            if true.drawn is not None and viewer != true.turn.seat:
                assert own.drawn == CARD_BACK
            for seat, kept in enumerate(own.kept):
                if seat != viewer:
                    assert kept.keys() == true.kept[seat].keys()


@pytest.mark.parametrize("number", MATCHES)
def test_turns_end_at_their_number(number: int) -> None:
    """10.7"""
    steps = match(number)
    calls = [event for step in steps for event in step.events if isinstance(event, RollCalled) and event.first]

    assert len(calls) <= steps[0].before.options.max_turns


def test_walks_reach_every_kind_of_event_and_action() -> None:
    steps = [step for number in MATCHES for step in match(number)]
    events = Counter(type(event).__name__ for step in steps for event in step.events)
    actions = Counter(type(step.command.action).__name__ for step in steps)

    rare = {"SoldOut", "HotelWindowClosed", "HotelClaimed", "DebtsVoided", "Reverted", "Halved"}
    assert {kind.__name__ for kind in get_args(Event)} - events.keys() <= rare
    assert {kind.__name__ for kind in get_args(Action)} - actions.keys() <= {
        "CloseHotelWindow",
        "DeclareBankrupt",
        "JailCard",
    }


def test_walks_reach_every_cheat_tried_caught_and_undone() -> None:
    steps = [step for number in MATCHES for step in match(number)]
    slips = [getattr(event, "slip", None) for step in steps for event in step.events]
    tried = {slip.card for slip in slips if slip is not None}
    undone = [event for step in steps for event in step.events if isinstance(event, Undone)]

    assert len(tried) >= 20
    assert undone
    assert any(event.effect != MonopolyEffect() for event in undone)
