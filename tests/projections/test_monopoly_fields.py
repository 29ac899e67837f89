"""Each field is told as the table of fields says; and what tells that is itself tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain.games.monopoly.events import (
    Event,
    Moved,
    Paid,
    RentDemanded,
    Slipped,
    Threw,
    TradeClosed,
    TradeMade,
    TradeOffered,
    Undone,
    Watched,
)
from domain.games.monopoly.phases import MonopolyTurn
from domain.games.monopoly.state import CARD_BACK, POT, seat_of
from domain.kernel.game import HOUSE
from projections.views.monopoly.redacting import FIELDS, redact
from projections.views.seam import Sees, Viewer
from tests.projections import secrecy
from tests.projections.monopoly_eyes import SOME, match, saw
from tests.projections.monopoly_mutants import MUTANTS
from tests.projections.secrecy import Redact, kinds


def test_what_stands_inside_a_public_field_is_public_too() -> None:
    """12.1: who adds a field to these must think of that here."""
    assert MonopolyTurn.__struct_fields__ == ("number", "seat", "doubles", "again")


def told_wrongly(tell: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """A field, or an event, that is told otherwise than the table says; None: there is none."""
    return secrecy.told_wrongly(FIELDS, tell, map(match, numbers), as_told=_as_told, is_told=_is_told)


def _is_told(event: Event, fields: Mapping[str, Sees], viewer: Viewer) -> bool:
    match event:
        case Slipped(seat, witnesses=witnesses) | Undone(seat, witnesses=witnesses):
            return viewer == seat or saw(witnesses, viewer)
        case Watched(seat):
            return viewer == seat
        case TradeOffered(trade):
            return not trade.private or viewer in (trade.seat, trade.to)
        case TradeClosed(seat=seat, to=to, private=private):
            return not private or viewer in (seat, to)
        case _:
            return True


def _as_told(event: Any, field: str, sees: Sees, viewer: Viewer) -> Any:
    value = getattr(event, field)
    actor = seat_of(event.debt.creditor) if isinstance(event, RentDemanded) else getattr(event, "seat", None)
    mine = viewer is not None and viewer == actor
    if field == "witnesses":
        own = HOUSE if viewer is None else viewer
        return (own,) if saw(value, viewer) else ()
    if field == "felt":
        return value if viewer is not None and viewer == event.victim else None
    match sees:
        case Sees.ALL:
            return value
        case Sees.ACTOR:
            return value if mine else CARD_BACK if field == "card" else None
        case Sees.WATCHERS:
            if mine:
                return value
            hidden = {"dice": (), "card": CARD_BACK}.get(field)
            if not saw(event.witnesses, viewer):
                return hidden
            return replace(value, card=None) if field == "slip" and value is not None else value
        case Sees.PARTIES:
            return _to_parties(event, field, value, viewer)
        case _:
            raise AssertionError(sees)


def _to_parties(event: Any, field: str, value: Any, viewer: Viewer) -> Any:
    if field == "cards":
        inherits = viewer is not None and viewer in (event.seat, seat_of(event.heir))
        return value if inherits else (CARD_BACK,) * len(value)
    if field == "unseen" and hasattr(event, "heir"):
        inherits = viewer is not None and viewer in (event.seat, seat_of(event.heir))
        return value if inherits or event.heir == POT else None
    if isinstance(event, TradeMade) and event.trade.private and viewer not in (event.trade.seat, event.trade.to):
        return () if field == "unseen" else replace(value, give_cash=None, want_cash=None)
    return value


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.5, 9.14"""
    assert told_wrongly(redact) is None


def test_what_is_looked_at_here_is_nearly_every_kind_of_event() -> None:
    seen = kinds(map(match, SOME))

    assert len(set(get_args(Event)) - seen) <= 8
    assert {Slipped, Undone, Watched, TradeOffered, TradeMade, Paid, Moved, Threw} <= seen


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught(mutant: str) -> None:
    assert told_wrongly(MUTANTS[mutant], range(40)) is not None


@pytest.mark.parametrize("kind", [Slipped, Undone, Watched, TradeOffered])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event]) -> None:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        return None if isinstance(event, kind) else redact(event, viewer)

    assert told_wrongly(mutant, range(40)) is not None
