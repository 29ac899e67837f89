"""What a client gets as the view of a table."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from domain.games.monopoly.data import DeckName
from domain.games.monopoly.phases import MonopolyTurn, Phase
from domain.games.monopoly.state import LastHotel, Placing
from domain.games.monopoly.things import (
    MonopolyAccusation,
    MonopolyAuction,
    MonopolyDebt,
    MonopolyEffect,
    MonopolyLanding,
    MonopolySight,
    MonopolyTrade,
)
from domain.kernel.game import Seat


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
