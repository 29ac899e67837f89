"""What can happen; a tag is stored for good. Who is told which field: `projections/views/monopoly/redacting.py`.

`moved` is money on the announced board; `slip` is what was done silently; `purse` is the acting seat's true
money afterwards, told to it alone. `witnesses` watched a zone in which it could be seen (-1: everybody looks on).
"""

from __future__ import annotations

from typing import TypeAlias

from domain.games.monopoly.events.cards import CardDrawn, CardKept, CardRead, CardReturned, CardUsed
from domain.games.monopoly.events.cheating import (
    Accused,
    CardsTurned,
    Caught,
    Placed,
    PlacingAsked,
    Reverted,
    Slipped,
    Spent,
    Succeeded,
    Undone,
    VoteCast,
    Watched,
    WronglyAccused,
)
from domain.games.monopoly.events.ending import Bankrupted, FinalRents, Left, MatchOver, SoldOut
from domain.games.monopoly.events.market import (
    AuctionClosed,
    AuctionOpened,
    BidPassed,
    BidPlaced,
    LotsQueued,
    TradeClosed,
    TradeMade,
    TradeOffered,
)
from domain.games.monopoly.events.money import (
    Bought,
    DebtArose,
    DebtsVoided,
    Declined,
    FellShort,
    Halved,
    HotelBuilt,
    HotelClaimed,
    HotelWindowClosed,
    Paid,
    PotRefilled,
    RentDemanded,
    SoldToBank,
)
from domain.games.monopoly.events.turns import (
    Accepted,
    CameTo,
    Freed,
    Jailed,
    JailTried,
    Landed,
    Moved,
    RollCalled,
    SetUpDone,
    Threw,
    TrayPassed,
)

Event: TypeAlias = (
    SetUpDone
    | CameTo
    | Accepted
    | RollCalled
    | Threw
    | Moved
    | Landed
    | Bought
    | Declined
    | LotsQueued
    | AuctionOpened
    | BidPlaced
    | BidPassed
    | AuctionClosed
    | RentDemanded
    | DebtArose
    | DebtsVoided
    | Halved
    | Paid
    | FellShort
    | HotelBuilt
    | HotelClaimed
    | HotelWindowClosed
    | TradeOffered
    | TradeClosed
    | TradeMade
    | CardDrawn
    | CardRead
    | CardUsed
    | CardKept
    | CardReturned
    | Jailed
    | Freed
    | JailTried
    | TrayPassed
    | Watched
    | Slipped
    | Undone
    | Spent
    | Accused
    | VoteCast
    | Caught
    | WronglyAccused
    | Succeeded
    | CardsTurned
    | Reverted
    | PlacingAsked
    | Placed
    | SoldToBank
    | Bankrupted
    | Left
    | PotRefilled
    | SoldOut
    | FinalRents
    | MatchOver
)
