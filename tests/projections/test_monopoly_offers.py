"""Offers, and who is waited for, know no more than the seat; nor do ids."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from domain.games.monopoly import offers as offers_module
from domain.games.monopoly.actions import OfferTrade
from domain.games.monopoly.house import awaits
from domain.games.monopoly.offers import offers
from domain.games.monopoly.state import cash, purse
from projections.views.monopoly.redacting import redact
from tests.domain.monopoly.table import ANNA, BEN, CARA, after, by, owning, table, told
from tests.projections.monopoly_eyes import SOME, frames, match


def offered_beyond_sight(numbers: Iterable[int] = SOME) -> str | None:
    """Where the true board would be offered otherwise than the seat's own fold; None: nowhere."""
    for number in numbers:
        for step in match(number):
            for viewer, own in step.seen.items():
                if viewer is not None and offers(own, viewer) != offers(step.after, viewer):
                    return f"{number} {viewer}"
                if awaits(own) != awaits(step.after):
                    return f"{number} {viewer} awaits"
    return None


def test_offers_and_who_is_awaited_are_functions_of_the_own_view() -> None:
    """12.3"""
    assert offered_beyond_sight() is None


def test_an_offer_that_knows_the_true_purse_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers_module, "believed", lambda state, seat: cash(state, purse(seat)))

    assert offered_beyond_sight(range(1, 60, 2)) is not None


def test_ids_have_no_gaps_that_a_private_offer_could_leave() -> None:
    """12.3, 9.14"""
    state = owning(table((1, 2)), ANNA, "badstrasse")
    private = by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=10, private=True))
    public = by(ANNA, OfferTrade(CARA, give=("badstrasse",), want_cash=10), 10)
    heard = frames(redact, told(after(state, private), public), CARA)

    assert heard == frames(redact, told(state, public), CARA)
