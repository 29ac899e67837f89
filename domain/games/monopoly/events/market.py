"""Auctions and trades."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from domain.games.monopoly.things import MonopolyAuction, MonopolyTrade, Moved_, TradeEnd
from domain.kernel.game import Seat


class LotsQueued(Struct, frozen=True, tag="monopoly_cheaters.lots_queued"):
    """To be auctioned, one after the other."""

    lots: Annotated[tuple[str, ...], Meta(description="Streets to be auctioned, in order.")]


class AuctionOpened(Struct, frozen=True, tag="monopoly_cheaters.auction_opened"):
    """A lot is put up."""

    auction: Annotated[MonopolyAuction, Meta(description="What is auctioned.")]


class BidPlaced(Struct, frozen=True, tag="monopoly_cheaters.bid_placed"):
    """Somebody leads now."""

    auction_id: Annotated[int, Meta(description="Which auction it is about.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]
    amount: Annotated[int, Meta(description="In whole units.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    closes_at: Annotated[datetime, Meta(description="Then it closes.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]


class BidPassed(Struct, frozen=True, tag="monopoly_cheaters.bid_passed"):
    """Somebody bids no more."""

    auction_id: Annotated[int, Meta(description="Which auction it is about.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]


class AuctionClosed(Struct, frozen=True, tag="monopoly_cheaters.auction_closed"):
    """Nobody bid: no `winner`, a street stays free; a hotel goes to its first claimant."""

    auction_id: Annotated[int, Meta(description="Which auction it is about.")]
    lot: Annotated[str, Meta(description="A street, or `hotel:` and a street.")]
    winner: Annotated[Seat | None, Meta(description="Who gets it; null: nobody bid.")]
    amount: Annotated[int, Meta(description="In whole units.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]


class TradeOffered(Struct, frozen=True, tag="monopoly_cheaters.trade_offered"):
    """Streets or jail cards are offered."""

    trade: Annotated[MonopolyTrade, Meta(description="What is offered.")]
    not_before: Annotated[datetime, Meta(description="From then on the same seat may offer again.")]


class TradeClosed(Struct, frozen=True, tag="monopoly_cheaters.trade_closed"):
    """Told to whoever was told the offer."""

    trade_id: Annotated[str, Meta(description="Which offer it is about.")]
    seat: Annotated[Seat, Meta(description="Who ended it.")]
    to: Annotated[Seat, Meta(description="The other one.")]
    private: Annotated[bool, Meta(description="Whether it is between the two.")]
    why: Annotated[TradeEnd, Meta(description="In a word.")]


class TradeMade(Struct, frozen=True, tag="monopoly_cheaters.trade_made"):
    """`moved`: the price, where all are told it. `unseen`: where only the two are. `cards`: which, from
    whom, to whom."""

    trade: Annotated[MonopolyTrade, Meta(description="What is offered.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    unseen: Annotated[Moved_, Meta(description="Money that only the parties are told of.")]
    cards: Annotated[tuple[tuple[str, Seat, Seat], ...], Meta(description="Jail cards, from whom, to whom.")]
