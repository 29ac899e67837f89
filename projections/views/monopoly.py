"""Monopoly Cheaters as its viewers are told it: the only place where its secrets are kept or told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache, lru_cache
from typing import Annotated, Final, TypeVar, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.data import VERSIONS, DeckName, Profile
from domain.games.monopoly.events import (
    Accepted,
    Accused,
    AuctionClosed,
    AuctionOpened,
    Bankrupted,
    BidPassed,
    BidPlaced,
    Bought,
    CameTo,
    CardDrawn,
    CardKept,
    CardRead,
    CardReturned,
    CardsTurned,
    CardUsed,
    Caught,
    DebtArose,
    DebtsVoided,
    Declined,
    Event,
    FellShort,
    FinalRents,
    Freed,
    Halved,
    HotelBuilt,
    HotelClaimed,
    HotelWindowClosed,
    Jailed,
    JailTried,
    Landed,
    Left,
    LotsQueued,
    MatchOver,
    Moved,
    Paid,
    Placed,
    PlacingAsked,
    PotRefilled,
    RentDemanded,
    Reverted,
    RollCalled,
    SetUpDone,
    Slipped,
    SoldOut,
    SoldToBank,
    Spent,
    Succeeded,
    Threw,
    TradeClosed,
    TradeMade,
    TradeOffered,
    TrayPassed,
    Undone,
    VoteCast,
    Watched,
    WronglyAccused,
)
from domain.games.monopoly.phases import MonopolyTurn, Phase
from domain.games.monopoly.state import (
    CARD_BACK,
    POT,
    LastHotel,
    Placing,
    State,
    announced_pot,
    believed,
    hotels_left,
    purse,
    rent_of,
    seat_of,
)
from domain.games.monopoly.things import (
    MonopolyAccusation,
    MonopolyAuction,
    MonopolyDebt,
    MonopolyEffect,
    MonopolyLanding,
    MonopolySight,
    MonopolySlip,
    MonopolyTrade,
    Witnesses,
)
from domain.kernel.game import HOUSE, Seat
from domain.kernel.seating import everybody
from projections.narration.monopoly import narrate
from projections.narration.monopoly_reasons import REASONS
from projections.views.seam import GameView, Sees, Viewer

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
        case Threw(seat, _, witnesses=witnesses):
            dice = event.dice if viewer == seat or _saw(witnesses, viewer) else ()
            return replace(event, dice=dice, witnesses=_oneself(witnesses, viewer))
        case Moved(seat, slip=slip, witnesses=witnesses):
            return replace(event, slip=_slip(slip, seat, witnesses, viewer), witnesses=_oneself(witnesses, viewer))
        case Paid(seat, slip=slip, witnesses=witnesses):
            return replace(
                event,
                purse=_for(seat, viewer, event.purse),
                slip=_slip(slip, seat, witnesses, viewer),
                witnesses=_oneself(witnesses, viewer),
            )
        case CardRead(seat, card=card, slip=slip, witnesses=witnesses):
            return replace(
                event,
                card=card if viewer == seat or _saw(witnesses, viewer) else CARD_BACK,
                slip=_slip(slip, seat, witnesses, viewer),
                witnesses=_oneself(witnesses, viewer),
            )
        case RentDemanded(debt, slip):
            return replace(event, slip=_for(seat_of(debt.creditor), viewer, slip))
        case Bought(seat) | BidPlaced(_, seat) | FellShort(seat) | HotelBuilt(seat) | Freed(seat):
            return replace(event, purse=_for(seat, viewer, event.purse))
        case CardDrawn(seat) | CardKept(seat) | CardReturned(seat):
            return event if viewer == seat else replace(event, card=CARD_BACK)
        case TradeOffered(trade):
            return event if not trade.private or viewer in (trade.seat, trade.to) else None
        case TradeClosed(_, seat, to, private):
            return event if not private or viewer in (seat, to) else None
        case TradeMade(trade):
            if not trade.private or viewer in (trade.seat, trade.to):
                return event
            return replace(event, trade=replace(trade, give_cash=None, want_cash=None), unseen=())
        case Watched(seat):
            return event if viewer == seat else None
        case Slipped(seat, slip, victim, felt, witnesses):
            if viewer != seat and not _saw(witnesses, viewer):
                return None
            return replace(
                event,
                slip=slip if viewer == seat else replace(slip, card=None),
                felt=_for(victim, viewer, felt),
                witnesses=_oneself(witnesses, viewer),
            )
        case Undone(_, _, witnesses):
            return replace(event, witnesses=_oneself(witnesses, viewer)) if _saw(witnesses, viewer) else None
        case Bankrupted(seat, heir, _, unseen, _, cards):
            inherits = viewer is not None and viewer in (seat, seat_of(heir))
            return replace(
                event,
                unseen=unseen if inherits or heir == POT else None,
                cards=cards if inherits else (CARD_BACK,) * len(cards),
            )
        case (
            SetUpDone()
            | CameTo()
            | Accepted()
            | RollCalled()
            | Landed()
            | Declined()
            | LotsQueued()
            | AuctionOpened()
            | BidPassed()
            | AuctionClosed()
            | DebtArose()
            | DebtsVoided()
            | Halved()
            | HotelClaimed()
            | HotelWindowClosed()
            | CardUsed()
            | Jailed()
            | JailTried()
            | TrayPassed()
            | Spent()
            | Accused()
            | VoteCast()
            | Caught()
            | WronglyAccused()
            | Succeeded()
            | CardsTurned()
            | Reverted()
            | PlacingAsked()
            | Placed()
            | SoldToBank()
            | Left()
            | PotRefilled()
            | SoldOut()
            | FinalRents()
            | MatchOver()
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


class MonopolyStreet(Struct, frozen=True):
    """`rent`: what a landing would cost now, as announced (None: nobody owns it)."""

    street: Annotated[str, Meta(description="By its name in the data.")]
    square: Annotated[int, Meta(description="0 is LOS, up to 35.")]
    group: Annotated[str, Meta(description="Its colour.")]
    price: Annotated[int, Meta(description="What the street costs.")]
    hotel_price: Annotated[int, Meta(description="What a hotel costs there.")]
    rent: Annotated[int | None, Meta(description="What landing there would cost now; null: nothing.")]
    owner: Annotated[Seat | None, Meta(description="Whose it is, as announced; null: it is free.")]
    hotel: Annotated[bool, Meta(description="Whether one stands there, as announced.")]


class MonopolyCheatCard(Struct, frozen=True):
    """A cheat card lying open, with what is printed on its back; texts are in the rules."""

    card: Annotated[str, Meta(description="The card, by its name in the data.")]
    reward: Annotated[int, Meta(description="What the bank pays if it survives.")]
    to_bank: Annotated[int, Meta(description="What the penalty brings the bank.")]
    to_victim: Annotated[int, Meta(description="What the penalty brings the victim.")]
    jail: Annotated[bool, Meta(description="Whether it leads to jail.")]
    also: Annotated[
        str | None, Meta(description="What the penalty brings besides: tries_anew, rent_again, placed or hotel_price.")
    ]


class MonopolySeen(Struct, frozen=True):
    """What the viewer saw somebody do, or did itself: then `card` says for which card."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    card: Annotated[str | None, Meta(description="For which cheat; null: it was not you.")]
    since: Annotated[datetime, Meta(description="When it was done.")]
    effect: Annotated[MonopolyEffect, Meta(description="What differs from the announced board.")]


class MonopolySelf(Struct, frozen=True):
    """`cash`: what the seat must think that it has. `drawn`: the card to be read out.

    `zone`: what it watches; `sight`: what lay there when it began to; `not_before`: when it may look elsewhere.
    """

    cash: Annotated[int, Meta(description="What you must think that you have.")]
    cards: Annotated[tuple[str, ...], Meta(description="The cards that you hold.")]
    drawn: Annotated[str | None, Meta(description="The card that you have drawn and not yet read out; null: none.")]
    zone: Annotated[str, Meta(description="What you watch.")]
    not_before: Annotated[datetime | None, Meta(description="From then on you may look elsewhere; null: at once.")]
    sight: Annotated[
        MonopolySight | None, Meta(description="What lay there when you began to look; null: you have not looked yet.")
    ]


class MonopolyView(Struct, frozen=True, kw_only=True):
    """What one viewer sees of the table now: the announced board, and what he saw or did besides.

    By seat: `tokens` (squares), `cash` (as announced), `held` (decks of which a card is held). `throw` is empty
    where the dice were not seen.
    """

    data: Annotated[str, Meta(description="SHA-256 of the data files that hold in this match, in hex.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is.")]
    turns_left: Annotated[int, Meta(description="Turns that can still begin.")]
    phase: Annotated[Phase, Meta(description="What the table waits for now.")]
    throw: Annotated[tuple[int, ...], Meta(description="The last throw, if you saw it; else empty.")]
    tokens: Annotated[tuple[int, ...], Meta(description="Squares, by seat.")]
    cash: Annotated[tuple[int, ...], Meta(description="As announced, by seat.")]
    pot: Annotated[int, Meta(description="What lies in the tray, as announced.")]
    hotels_left: Annotated[int, Meta(description="Hotels in the tray, as announced and not reserved.")]
    streets: Annotated[tuple[MonopolyStreet, ...], Meta(description="All 22, in board order.")]
    held: Annotated[
        tuple[tuple[DeckName, ...], ...], Meta(description="Decks of which somebody holds a card, by seat.")
    ]
    prisoner: Annotated[Seat | None, Meta(description="Who sits in jail, as announced; null: nobody.")]
    tries: Annotated[int, Meta(description="Failed tries for a double.")]
    parked: Annotated[tuple[Seat, ...], Meta(description="Who has come to stay on LOS.")]
    out: Annotated[tuple[Seat, ...], Meta(description="Who is bankrupt or gone.")]
    sold_out: Annotated[bool, Meta(description="Whether all streets have been sold: who reaches LOS stays there.")]
    cheat_cards: Annotated[tuple[MonopolyCheatCard, ...], Meta(description="The cheat cards that lie open.")]
    landings: Annotated[
        tuple[MonopolyLanding, ...],
        Meta(description="For which rent can still be demanded, until the next player throws."),
    ]
    debts: Annotated[
        tuple[MonopolyDebt, ...], Meta(description="Open debts and demands; who owes pays his first one first.")
    ]
    auction: Annotated[MonopolyAuction | None, Meta(description="What is auctioned, and how it stands; null: nothing.")]
    lots: Annotated[tuple[str, ...], Meta(description="Streets to be auctioned, in order.")]
    last_hotel: Annotated[LastHotel | None, Meta(description="Who wants the last hotel; null: it is not being asked.")]
    accusation: Annotated[MonopolyAccusation | None, Meta(description="What the table votes on; null: nothing.")]
    placing: Annotated[Placing | None, Meta(description="Whose token is to be set, and by whom; null: nobody's.")]
    trades: Annotated[tuple[MonopolyTrade, ...], Meta(description="Offers that you know of.")]
    seen: Annotated[
        tuple[MonopolySeen, ...], Meta(description="What you saw being done, or did yourself, and is not out yet.")
    ]
    own: Annotated[MonopolySelf | None, Meta(description="What only you see; null: you look on.")]


def view(seen: State, viewer: Viewer) -> MonopolyView:
    """From the fold of what the viewer was told, so it cannot show what he never saw."""
    seats = everybody(seen.seats)
    return MonopolyView(
        data=seen.data_hash,
        turn=seen.turn,
        turns_left=max(0, seen.options.max_turns - seen.turn.number),
        phase=seen.phase,
        throw=seen.throw,
        tokens=seen.tokens,
        cash=tuple([seen.ledger[purse(seat)] for seat in seats]),
        pot=announced_pot(seen),
        hotels_left=hotels_left(seen),
        streets=_streets(
            seen.data_hash, seen.options.deeds, tuple([seen.owners.get(s) for s in seen.data.streets]), seen.hotels
        ),
        held=tuple([tuple(sorted(seen.kept[seat])) for seat in seats]),
        prisoner=seen.prisoner,
        tries=seen.tries,
        parked=seen.parked,
        out=seen.out,
        sold_out=seen.sold_out,
        cheat_cards=_cheat_cards(seen.data_hash, seen.open_cheats),
        landings=seen.landings,
        debts=seen.debts,
        auction=seen.auction,
        lots=seen.lots,
        last_hotel=seen.last_hotel,
        accusation=seen.accusation,
        placing=seen.placing,
        trades=seen.trades,
        seen=tuple(
            [
                MonopolySeen(attempt.seat, attempt.slip.card, attempt.slip.since, attempt.slip.effect)
                for attempt in seen.attempts.values()
            ]
        ),
        own=None if viewer is None else _self(seen, viewer),
    )


@lru_cache(maxsize=256)
def _streets(
    data_hash: str, profile: Profile, owners: tuple[Seat | None, ...], hotels: tuple[str, ...]
) -> tuple[MonopolyStreet, ...]:
    """The same for all who look, and rarely other than the last time."""
    data = VERSIONS[data_hash]
    owned = {street: owner for street, owner in zip(data.streets, owners, strict=True) if owner is not None}
    return tuple(
        MonopolyStreet(
            street=street,
            square=data.streets[street],
            group=printed.group,
            price=printed.price,
            hotel_price=printed.hotel_price,
            rent=rent_of(data, profile, owned, hotels, street) if street in owned else None,
            owner=owned.get(street),
            hotel=street in hotels,
        )
        for street, printed in data.by_street[profile].items()
    )


@cache
def _cheat_cards(data_hash: str, cards: tuple[str, ...]) -> tuple[MonopolyCheatCard, ...]:
    printed = [VERSIONS[data_hash].cheat[card] for card in cards]
    return tuple(
        MonopolyCheatCard(
            card=card.id,
            reward=card.reward.cash,
            to_bank=card.penalty.bank,
            to_victim=card.penalty.victim,
            jail=card.penalty.jail,
            also=card.penalty.also,
        )
        for card in printed
    )


def _self(seen: State, seat: Seat) -> MonopolySelf:
    gaze = seen.gazes[seat]
    return MonopolySelf(
        cash=believed(seen, seat),
        cards=tuple(sorted(seen.kept[seat].values())),
        drawn=seen.drawn if seen.turn.seat == seat else None,
        zone=gaze.zone,
        not_before=gaze.not_before,
        sight=gaze.seen,
    )


MONOPOLY_VIEW: Final[GameView[State, Event, MonopolyView]] = GameView(
    game=MONOPOLY,
    redact=redact,
    view=view,
    view_type=MonopolyView,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
)
