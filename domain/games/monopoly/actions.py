"""What can be asked. A request decodes to a `PlayerAction`; only the House says the rest."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.games.monopoly.data import DeckName
from domain.kernel.game import Seat

Id: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Money: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000, description="whole units")]
_NAMED: Final = {
    "en": "a name in small letters, as the game's data has it",
    "de": "ein Name in kleinen Buchstaben, wie ihn die Daten des Spiels haben",
}
Street: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[a-z_]{2,30}$",
        min_length=2,
        max_length=30,
        description="a street, as the view names it",
        extra=_NAMED,
    ),
]
CardId: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[a-z_]{2,30}$", min_length=2, max_length=30, description="a card, as in the data files", extra=_NAMED
    ),
]
Zone: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(tray|dice|seat:[0-5])$",
        min_length=4,
        max_length=6,
        description="tray, dice or seat:n",
        extra={"en": "tray, dice or seat:n", "de": "tray, dice oder seat:n"},
    ),
]
SeatNumber: TypeAlias = Annotated[Seat, Meta(ge=0, le=5)]
Streets: TypeAlias = Annotated[tuple[Street, ...], Meta(max_length=22)]
FreeKind: TypeAlias = Literal[
    "take_tray", "take_player", "wrong_move", "skip_payment", "hotel_on", "hotel_off", "take_deed"
]


class Roll(Struct, frozen=True, tag="monopoly_cheaters.roll", forbid_unknown_fields=True):
    """Throws the dice; the first throw of a turn ends the turn before it."""


class Move(Struct, frozen=True, tag="monopoly_cheaters.move", forbid_unknown_fields=True):
    """Moves by the throw, where a cheat could take its place; else the House does it."""


class Accept(Struct, frozen=True, tag="monopoly_cheaters.accept", forbid_unknown_fields=True):
    """Has nothing to demand and nobody to accuse, for now: only shortens the wait, and binds nobody."""

    boundary_id: Annotated[Id, Meta(description="The number of the turn that is to begin.")]


class Buy(Struct, frozen=True, tag="monopoly_cheaters.buy", forbid_unknown_fields=True):
    """Buys the free street on which the own token stands."""


class Decline(Struct, frozen=True, tag="monopoly_cheaters.decline", forbid_unknown_fields=True):
    """Does not buy it: it is auctioned."""


class Bid(Struct, frozen=True, tag="monopoly_cheaters.bid", forbid_unknown_fields=True):
    """More than the last one, in tens."""

    auction_id: Annotated[Id, Meta(description="Which auction it is about.")]
    amount: Annotated[Money, Meta(description="In whole units.")]


class PassBid(Struct, frozen=True, tag="monopoly_cheaters.pass_bid", forbid_unknown_fields=True):
    """Bids no more in this auction."""

    auction_id: Annotated[Id, Meta(description="Which auction it is about.")]


class DemandRent(Struct, frozen=True, tag="monopoly_cheaters.demand_rent", forbid_unknown_fields=True):
    """The rent that is due, to the last unit; any other demand is a cheat."""

    landing_id: Annotated[Id, Meta(description="Which landing it is about.")]


class Pay(Struct, frozen=True, tag="monopoly_cheaters.pay", forbid_unknown_fields=True):
    """Pays a debt, or a demand as it was made."""

    debt_id: Annotated[Id, Meta(description="Which debt or demand it is about.")]


class PayRight(Struct, frozen=True, tag="monopoly_cheaters.pay_right", forbid_unknown_fields=True):
    """Answers a demand that is too high with the sum on the deed."""

    debt_id: Annotated[Id, Meta(description="Which debt or demand it is about.")]


class BuyHotel(Struct, frozen=True, tag="monopoly_cheaters.buy_hotel", forbid_unknown_fields=True):
    """Puts a hotel on a street of an own, whole group."""

    street: Annotated[Street, Meta(description="By its name in the data.")]


class OfferTrade(Struct, frozen=True, tag="monopoly_cheaters.offer_trade", forbid_unknown_fields=True):
    """Streets and jail cards, with money as the price on one side at most. `private`: for the other's eyes alone."""

    to: Annotated[SeatNumber, Meta(description="To whom.")]
    give: Annotated[Streets, Meta(description="Streets that are given.")] = ()
    want: Annotated[Streets, Meta(description="Streets that are wanted.")] = ()
    give_cash: Annotated[Money, Meta(description="Money that is given.")] = 0
    want_cash: Annotated[Money, Meta(description="Money that is wanted.")] = 0
    give_jail_card: Annotated[
        DeckName | None, Meta(description="A jail card that is given: of which deck; null: none.")
    ] = None
    want_jail_card: Annotated[
        DeckName | None, Meta(description="A jail card that is wanted: of which deck; null: none.")
    ] = None
    private: Annotated[bool, Meta(description="Whether it is between the two.")] = False


class AcceptTrade(Struct, frozen=True, tag="monopoly_cheaters.accept_trade", forbid_unknown_fields=True):
    """Takes an offer."""

    trade_id: Annotated[str, Meta(max_length=20), Meta(description="Which offer it is about.")]


class WithdrawTrade(Struct, frozen=True, tag="monopoly_cheaters.withdraw_trade", forbid_unknown_fields=True):
    """Takes the own offer back, or turns down one made to oneself."""

    trade_id: Annotated[str, Meta(max_length=20), Meta(description="Which offer it is about.")]


class ChooseDeck(Struct, frozen=True, tag="monopoly_cheaters.choose_deck", forbid_unknown_fields=True):
    """From which deck to draw, on Frei Parken."""

    deck: Annotated[DeckName, Meta(description="Of which deck.")]


class UseCard(Struct, frozen=True, tag="monopoly_cheaters.use_card", forbid_unknown_fields=True):
    """Reads out the card just drawn, or one that is held. What a card asks for besides stands in its offer."""

    card: Annotated[CardId, Meta(description="The card, by its name in the data.")]
    target: Annotated[SeatNumber | None, Meta(description="Whom it is about.")] = None
    other: Annotated[SeatNumber | None, Meta(description="The other one of two.")] = None
    debt_id: Annotated[Id | None, Meta(description="Which debt or demand it is about.")] = None
    bribe: Annotated[bool, Meta(description="Whether the judges are bribed.")] = False


class KeepCard(Struct, frozen=True, tag="monopoly_cheaters.keep_card", forbid_unknown_fields=True):
    """Keeps the card just drawn."""


class ReturnCard(Struct, frozen=True, tag="monopoly_cheaters.return_card", forbid_unknown_fields=True):
    """Puts one of two cards of a deck back under it."""

    card: Annotated[CardId, Meta(description="The card, by its name in the data.")]


class PassTray(Struct, frozen=True, tag="monopoly_cheaters.pass_tray", forbid_unknown_fields=True):
    """Hands dice and bank pot on to the left."""


class JailPay(Struct, frozen=True, tag="monopoly_cheaters.jail_pay", forbid_unknown_fields=True):
    """Leaves jail for 50."""


class JailCard(Struct, frozen=True, tag="monopoly_cheaters.jail_card", forbid_unknown_fields=True):
    """Leaves jail by a card."""

    deck: Annotated[DeckName, Meta(description="Of which deck.")]


class JailRoll(Struct, frozen=True, tag="monopoly_cheaters.jail_roll", forbid_unknown_fields=True):
    """Tries for a double."""


class Watch(Struct, frozen=True, tag="monopoly_cheaters.watch", forbid_unknown_fields=True):
    """Looks at one zone from now on, and at no other."""

    zone: Annotated[Zone, Meta(description="tray, dice or seat:n.")]


class Cheat(Struct, frozen=True, tag="monopoly_cheaters.cheat", forbid_unknown_fields=True):
    """Does what an open cheat card says. Which fields it needs stands in its offer."""

    card: Annotated[CardId, Meta(description="The card, by its name in the data.")]
    amount: Annotated[Money | None, Meta(description="In whole units.")] = None
    target: Annotated[SeatNumber | None, Meta(description="Who is the victim.")] = None
    street: Annotated[Street | None, Meta(description="By its name in the data.")] = None
    give: Annotated[Street | None, Meta(description="The own street to be swapped.")] = None
    debt_id: Annotated[Id | None, Meta(description="Which debt or demand it is about.")] = None
    landing_id: Annotated[Id | None, Meta(description="Which landing it is about.")] = None
    distance: Annotated[Annotated[int, Meta(ge=2, le=12)] | None, Meta(description="How many squares.")] = None
    read: Annotated[CardId | None, Meta(description="The card to be read out instead.")] = None


class FreeCheat(Struct, frozen=True, tag="monopoly_cheaters.free_cheat", forbid_unknown_fields=True):
    """Cheats without a card, where the match is for master cheats."""

    kind: Annotated[FreeKind, Meta(description="What is done.")]
    amount: Annotated[Money | None, Meta(description="In whole units.")] = None
    target: Annotated[SeatNumber | None, Meta(description="Whom it is done to.")] = None
    street: Annotated[Street | None, Meta(description="By its name in the data.")] = None
    debt_id: Annotated[Id | None, Meta(description="Which debt or demand it is about.")] = None
    distance: Annotated[Annotated[int, Meta(ge=2, le=12)] | None, Meta(description="How many squares.")] = None


class Accuse(Struct, frozen=True, tag="monopoly_cheaters.accuse", forbid_unknown_fields=True):
    """Says who cheats, and how: a cheat card, or a kind of free cheat."""

    target: Annotated[SeatNumber, Meta(description="Who cheats.")]
    card: Annotated[CardId, Meta(description="The card, by its name in the data.")]


class Vote(Struct, frozen=True, tag="monopoly_cheaters.vote", forbid_unknown_fields=True):
    """Says whether the accused did it."""

    accusation_id: Annotated[Id, Meta(description="Which vote it is about.")]
    guilty: Annotated[bool, Meta(description="Whether it was done.")]


class Place(Struct, frozen=True, tag="monopoly_cheaters.place", forbid_unknown_fields=True):
    """The victim of a mistaken identity sets the cheater's token on any square."""

    square: Annotated[int, Meta(ge=0, le=35), Meta(description="0 is LOS, up to 35.")]


class SellToBank(Struct, frozen=True, tag="monopoly_cheaters.sell_to_bank", forbid_unknown_fields=True):
    """Sells a street in distress."""

    street: Annotated[Street, Meta(description="By its name in the data.")]


class DeclareBankrupt(Struct, frozen=True, tag="monopoly_cheaters.declare_bankrupt", forbid_unknown_fields=True):
    """Nothing is left to sell."""


class SetUp(Struct, frozen=True, tag="monopoly_cheaters.set_up"):
    """`throws`: for the first turn, round after round among those who tie; 0 for whoever does not throw."""

    throws: tuple[tuple[int, ...], ...]
    first: Seat
    cheats: tuple[str, ...]
    draw: int


class Throw(Struct, frozen=True, tag="monopoly_cheaters.throw"):
    dice: tuple[int, int]
    draw: int


class TurnUp(Struct, frozen=True, tag="monopoly_cheaters.turn_up"):
    """New cheat cards in the place of those that left the table."""

    cards: tuple[str, ...]
    draw: int


class DrawCard(Struct, frozen=True, tag="monopoly_cheaters.draw_card"):
    card: str
    draw: int


class CloseAuction(Struct, frozen=True, tag="monopoly_cheaters.close_auction"):
    auction_id: int


class CloseHotelWindow(Struct, frozen=True, tag="monopoly_cheaters.close_hotel_window"):
    pass


class CloseVote(Struct, frozen=True, tag="monopoly_cheaters.close_vote"):
    accusation_id: int


class CloseTable(Struct, frozen=True, tag="monopoly_cheaters.close_table"):
    """All stand on LOS, and the last window is over."""


class TimeOut(Struct, frozen=True, tag="monopoly_cheaters.time_out"):
    """Does the least inventive thing for a seat whose time ran out."""

    seat: Seat


class Vacate(Struct, frozen=True, tag="monopoly_cheaters.vacate"):
    """A seat is left for good and nobody takes it over."""

    seat: Seat


PlayerAction: TypeAlias = (
    Roll
    | Move
    | Accept
    | Buy
    | Decline
    | Bid
    | PassBid
    | DemandRent
    | Pay
    | PayRight
    | BuyHotel
    | OfferTrade
    | AcceptTrade
    | WithdrawTrade
    | ChooseDeck
    | UseCard
    | KeepCard
    | ReturnCard
    | PassTray
    | JailPay
    | JailCard
    | JailRoll
    | Watch
    | Cheat
    | FreeCheat
    | Accuse
    | Vote
    | Place
    | SellToBank
    | DeclareBankrupt
)
HouseAction: TypeAlias = (
    SetUp | Throw | TurnUp | DrawCard | CloseAuction | CloseHotelWindow | CloseVote | CloseTable | TimeOut | Vacate
)
Action: TypeAlias = PlayerAction | HouseAction
