"""What was done silently is told in whole sentences, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

from domain.games.monopoly.events import Caught, Event, Slipped
from domain.games.monopoly.state import POT, purse
from domain.games.monopoly.things import MonopolyEffect, MonopolySlip
from domain.kernel.game import Seat
from domain.kernel.ledger import Movement
from projections.narration.monopoly import narrate

ANNA, BEN = Seat(0), Seat(1)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
STOLEN = MonopolyEffect(moved=(Movement(POT, purse(ANNA), 60, "theft"),))


def told(event: Event) -> tuple[str, str]:
    def name(seat: Seat) -> str:
        return ("Anna", "Ben")[seat]

    return narrate(event, "en", name), narrate(event, "de", name)


def slipped(effect: MonopolyEffect, card: str | None = None) -> tuple[str, str]:
    return told(Slipped(ANNA, MonopolySlip(card, NOON, effect), None, None, ()))


def test_a_silent_act_says_whose_it_was_and_what_it_did() -> None:
    assert slipped(STOLEN, "take_tray") == (
        "Silently, by Anna: 60 went from the bank to Anna (stealing from the tray).",
        "Heimlich, von Anna: 60 gingen von der Bank an Anna (Diebstahl aus dem Bankeinsatz).",
    )
    assert slipped(MonopolyEffect(cuff_off=True)) == (
        "Silently, by Anna: the handcuff was slipped off.",
        "Heimlich, von Anna: die Handschelle wurde abgestreift.",
    )
    assert slipped(MonopolyEffect()) == (
        "Silently, by Anna: there was nothing to take.",
        "Heimlich, von Anna: Es war nichts da.",
    )
    assert slipped(MonopolyEffect(moved=(Movement(purse(BEN), POT, 20, "theft"),), deeds=(("badstrasse", POT),))) == (
        "Silently, by Anna: 20 went from Ben to the bank and the deed of Badstraße went to the bank.",
        "Heimlich, von Anna: 20 gingen von Ben an die Bank und die Besitzkarte Badstraße ging an die Bank.",
    )


def test_who_is_caught_is_told_with_what_he_did_in_one_sentence() -> None:
    assert told(Caught(BEN, ANNA, "take_tray", STOLEN, true=True, leaves=False)) == (
        "MOGLER! Ben catches Anna at stealing from the tray: 60 went from the bank to Anna.",
        "MOGLER! Ben erwischt Anna: Diebstahl aus dem Bankeinsatz – 60 gingen von der Bank an Anna.",
    )
    assert told(Caught(BEN, ANNA, "take_tray", MonopolyEffect(), true=False, leaves=False)) == (
        "MOGLER! Ben catches Anna at stealing from the tray.",
        "MOGLER! Ben erwischt Anna: Diebstahl aus dem Bankeinsatz.",
    )
