"""Who is told which event, and which of its fields: only here are the secrets of Monopoly Cheaters kept or told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar, assert_never

from msgspec.structs import replace

from domain.games.monopoly import events
from domain.games.monopoly.events import Event
from domain.games.monopoly.state import CARD_BACK, POT, seat_of
from domain.games.monopoly.things import MonopolySlip, Witnesses
from domain.kernel.game import HOUSE, Seat
from projections.views.seam import Sees, Viewer

T = TypeVar("T")

_ALL, _OWN, _ACTOR, _WATCHERS, _PARTIES = Sees.ALL, Sees.OWN, Sees.ACTOR, Sees.WATCHERS, Sees.PARTIES

_M: Final = "monopoly_cheaters."

FIELDS: Final[Mapping[str, Mapping[str, Sees]]] = {
    _M + "set_up_done": {
        "data": _ALL,
        "throws": _ALL,
        "cheats": _ALL,
        "moved": _ALL,
        "turn": _ALL,
        "phase": _ALL,
        "draw": _ALL,
    },
    _M + "came_to": {"phase": _ALL},
    _M + "accepted": {"boundary_id": _ALL, "seat": _ALL},
    _M + "roll_called": {"seat": _ALL, "first": _ALL, "in_jail": _ALL, "lapsed": _ALL},
    _M + "threw": {
        "seat": _ALL,
        "dice": _WATCHERS,
        "double": _ALL,
        "turn": _ALL,
        "draw": _ALL,
        "witnesses": _OWN,
    },
    _M + "moved": {
        "seat": _ALL,
        "square": _ALL,
        "how": _ALL,
        "moved": _ALL,
        "parks": _ALL,
        "slip": _WATCHERS,
        "witnesses": _OWN,
    },
    _M + "landed": {"landing": _ALL},
    _M + "bought": {"seat": _ALL, "street": _ALL, "moved": _ALL, "purse": _ACTOR},
    _M + "declined": {"seat": _ALL, "street": _ALL},
    _M + "lots_queued": {"lots": _ALL},
    _M + "auction_opened": {"auction": _ALL},
    _M + "bid_placed": {
        "auction_id": _ALL,
        "seat": _ALL,
        "amount": _ALL,
        "moved": _ALL,
        "closes_at": _ALL,
        "purse": _ACTOR,
    },
    _M + "bid_passed": {"auction_id": _ALL, "seat": _ALL},
    _M + "auction_closed": {"auction_id": _ALL, "lot": _ALL, "winner": _ALL, "amount": _ALL, "moved": _ALL},
    _M + "rent_demanded": {"debt": _ALL, "slip": _ACTOR},
    _M + "debt_arose": {"debt": _ALL},
    _M + "debts_voided": {"debt_ids": _ALL, "landing_ids": _ALL},
    _M + "halved": {"debt_id": _ALL, "amount": _ALL},
    _M + "paid": {
        "seat": _ALL,
        "debt_id": _ALL,
        "moved": _ALL,
        "purse": _ACTOR,
        "slip": _WATCHERS,
        "witnesses": _OWN,
    },
    _M + "fell_short": {
        "seat": _ALL,
        "what": _ALL,
        "need": _ALL,
        "debt_id": _ALL,
        "until": _ALL,
        "purse": _ACTOR,
    },
    _M + "hotel_built": {"seat": _ALL, "street": _ALL, "moved": _ALL, "purse": _ACTOR},
    _M + "hotel_claimed": {"seat": _ALL, "street": _ALL, "closes_at": _ALL},
    _M + "hotel_window_closed": {},
    _M + "trade_offered": {"trade": _PARTIES, "not_before": _PARTIES},
    _M + "trade_closed": {
        "trade_id": _PARTIES,
        "seat": _PARTIES,
        "to": _PARTIES,
        "private": _PARTIES,
        "why": _PARTIES,
    },
    _M + "trade_made": {"trade": _PARTIES, "moved": _ALL, "unseen": _PARTIES, "cards": _ALL},
    _M + "card_drawn": {"seat": _ALL, "deck": _ALL, "card": _ACTOR, "reshuffled": _ALL, "draw": _ALL},
    _M + "card_read": {
        "seat": _ALL,
        "deck": _ALL,
        "announced": _ALL,
        "card": _WATCHERS,
        "bribe": _ALL,
        "moved": _ALL,
        "slip": _WATCHERS,
        "witnesses": _OWN,
    },
    _M + "card_used": {"seat": _ALL, "deck": _ALL, "card": _ALL},
    _M + "card_kept": {"seat": _ALL, "deck": _ALL, "card": _ACTOR},
    _M + "card_returned": {"seat": _ALL, "deck": _ALL, "card": _ACTOR, "held": _ALL},
    _M + "jailed": {"seat": _ALL, "freed": _ALL, "square": _ALL, "turn": _ALL},
    _M + "freed": {"seat": _ALL, "moved": _ALL, "purse": _ACTOR},
    _M + "jail_tried": {"seat": _ALL, "tries": _ALL},
    _M + "tray_passed": {"seat": _ALL, "turn": _ALL, "phase": _ALL},
    _M + "watched": {"seat": _ACTOR, "zone": _ACTOR, "not_before": _ACTOR, "sight": _ACTOR},
    _M + "slipped": {
        "seat": _WATCHERS,
        "slip": _WATCHERS,
        "victim": _WATCHERS,
        "felt": _OWN,
        "witnesses": _OWN,
    },
    _M + "undone": {"seat": _WATCHERS, "effect": _WATCHERS, "witnesses": _OWN},
    _M + "spent": {"seat": _ALL, "moved": _ALL, "hotel": _ALL},
    _M + "accused": {"accusation": _ALL},
    _M + "vote_cast": {"accusation_id": _ALL, "seat": _ALL, "guilty": _ALL},
    _M + "caught": {"seat": _ALL, "target": _ALL, "card": _ALL, "effect": _ALL, "true": _ALL, "leaves": _ALL},
    _M + "wrongly_accused": {"seat": _ALL, "target": _ALL, "card": _ALL},
    _M + "succeeded": {"seat": _ALL, "card": _ALL, "effect": _ALL, "moved": _ALL, "leaves": _ALL},
    _M + "cards_turned": {"cards": _ALL, "draw": _ALL},
    _M + "reverted": {"seat": _ALL, "street": _ALL, "moved": _ALL},
    _M + "placing_asked": {"seat": _ALL, "token": _ALL, "until": _ALL},
    _M + "placed": {"seat": _ALL, "token": _ALL, "square": _ALL},
    _M + "sold_to_bank": {"seat": _ALL, "street": _ALL, "moved": _ALL},
    _M + "bankrupted": {
        "seat": _ALL,
        "heir": _ALL,
        "moved": _ALL,
        "unseen": _PARTIES,
        "lots": _ALL,
        "cards": _PARTIES,
    },
    _M + "left": {"seat": _ALL},
    _M + "pot_refilled": {"moved": _ALL},
    _M + "sold_out": {},
    _M + "final_rents": {"seat": _ALL, "moved": _ALL},
    _M + "match_over": {"winners": _ALL, "scores": _ALL},
}


def redact(event: Event, viewer: Viewer) -> Event | None:
    """The event as told to whoever looks on. None: he is not told that anything happened."""
    match event:
        case events.Threw(seat, _, witnesses=witnesses):
            dice = event.dice if viewer == seat or _saw(witnesses, viewer) else ()
            return replace(event, dice=dice, witnesses=_oneself(witnesses, viewer))
        case events.Moved(seat, slip=slip, witnesses=witnesses):
            return replace(event, slip=_slip(slip, seat, witnesses, viewer), witnesses=_oneself(witnesses, viewer))
        case events.Paid(seat, slip=slip, witnesses=witnesses):
            return replace(
                event,
                purse=_for(seat, viewer, event.purse),
                slip=_slip(slip, seat, witnesses, viewer),
                witnesses=_oneself(witnesses, viewer),
            )
        case events.CardRead(seat, card=card, slip=slip, witnesses=witnesses):
            return replace(
                event,
                card=card if viewer == seat or _saw(witnesses, viewer) else CARD_BACK,
                slip=_slip(slip, seat, witnesses, viewer),
                witnesses=_oneself(witnesses, viewer),
            )
        case events.RentDemanded(debt, slip):
            return replace(event, slip=_for(seat_of(debt.creditor), viewer, slip))
        case (
            events.Bought(seat)
            | events.BidPlaced(_, seat)
            | events.FellShort(seat)
            | events.HotelBuilt(seat)
            | events.Freed(seat)
        ):
            return replace(event, purse=_for(seat, viewer, event.purse))
        case events.CardDrawn(seat) | events.CardKept(seat) | events.CardReturned(seat):
            return event if viewer == seat else replace(event, card=CARD_BACK)
        case events.TradeOffered(trade):
            return event if not trade.private or viewer in (trade.seat, trade.to) else None
        case events.TradeClosed(_, seat, to, private):
            return event if not private or viewer in (seat, to) else None
        case events.TradeMade(trade):
            if not trade.private or viewer in (trade.seat, trade.to):
                return event
            return replace(event, trade=replace(trade, give_cash=None, want_cash=None), unseen=())
        case events.Watched(seat):
            return event if viewer == seat else None
        case events.Slipped(seat, slip, victim, felt, witnesses):
            if viewer != seat and not _saw(witnesses, viewer):
                return None
            return replace(
                event,
                slip=slip if viewer == seat else replace(slip, card=None),
                felt=_for(victim, viewer, felt),
                witnesses=_oneself(witnesses, viewer),
            )
        case events.Undone(_, _, witnesses):
            return replace(event, witnesses=_oneself(witnesses, viewer)) if _saw(witnesses, viewer) else None
        case events.Bankrupted(seat, heir, _, unseen, _, cards):
            inherits = viewer is not None and viewer in (seat, seat_of(heir))
            return replace(
                event,
                unseen=unseen if inherits or heir == POT else None,
                cards=cards if inherits else (CARD_BACK,) * len(cards),
            )
        case (
            events.SetUpDone()
            | events.CameTo()
            | events.Accepted()
            | events.RollCalled()
            | events.Landed()
            | events.Declined()
            | events.LotsQueued()
            | events.AuctionOpened()
            | events.BidPassed()
            | events.AuctionClosed()
            | events.DebtArose()
            | events.DebtsVoided()
            | events.Halved()
            | events.HotelClaimed()
            | events.HotelWindowClosed()
            | events.CardUsed()
            | events.Jailed()
            | events.JailTried()
            | events.TrayPassed()
            | events.Spent()
            | events.Accused()
            | events.VoteCast()
            | events.Caught()
            | events.WronglyAccused()
            | events.Succeeded()
            | events.CardsTurned()
            | events.Reverted()
            | events.PlacingAsked()
            | events.Placed()
            | events.SoldToBank()
            | events.Left()
            | events.PotRefilled()
            | events.SoldOut()
            | events.FinalRents()
            | events.MatchOver()
        ):
            return event  # every field of these is in the table above as told to all
        case _:
            assert_never(event)


def _saw(witnesses: Witnesses, viewer: Viewer) -> bool:
    return viewer in witnesses or HOUSE in witnesses


def _oneself(witnesses: Witnesses, viewer: Viewer) -> Witnesses:
    """Who else looked is told to nobody."""
    if viewer is None:
        return (HOUSE,) if HOUSE in witnesses else ()
    return (viewer,) if _saw(witnesses, viewer) else ()


def _slip(slip: MonopolySlip | None, seat: Seat, witnesses: Witnesses, viewer: Viewer) -> MonopolySlip | None:
    """Who does it knows for which card; who sees it sees what is done."""
    if slip is None or viewer == seat:
        return slip
    return replace(slip, card=None) if _saw(witnesses, viewer) else None


def _for(seat: Seat | None, viewer: Viewer, told: T | None) -> T | None:
    return told if seat is not None and viewer == seat else None
