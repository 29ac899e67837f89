"""The table of contents of the rules: each action, and where what comes of it stands. Numbers: RULES.md."""

from __future__ import annotations

from domain.games.monopoly import setup
from domain.games.monopoly.actions import (
    Accept,
    AcceptTrade,
    Accuse,
    Action,
    Bid,
    Buy,
    BuyHotel,
    Cheat,
    ChooseDeck,
    CloseAuction,
    CloseHotelWindow,
    CloseTable,
    CloseVote,
    DeclareBankrupt,
    Decline,
    DemandRent,
    DrawCard,
    FreeCheat,
    JailCard,
    JailPay,
    JailRoll,
    KeepCard,
    Move,
    OfferTrade,
    PassBid,
    PassTray,
    Pay,
    PayRight,
    Place,
    ReturnCard,
    Roll,
    SellToBank,
    SetUp,
    Throw,
    TimeOut,
    TurnUp,
    UseCard,
    Vacate,
    Vote,
    Watch,
    WithdrawTrade,
)
from domain.games.monopoly.course import Course
from domain.games.monopoly.due import immediate
from domain.games.monopoly.events import CardsTurned, Event
from domain.games.monopoly.phases import Ended
from domain.games.monopoly.rules import (
    accusing,
    attention,
    auction,
    cards,
    cheating,
    distress,
    ending,
    hotels,
    jail,
    money,
    movement,
    rent,
    time_out,
    trade,
)
from domain.games.monopoly.state import State, busy
from domain.kernel.game import HOUSE, Command, Refused, Seat
from domain.kernel.reasons import Reason


def decide(state: State, command: Command[Action]) -> tuple[Event, ...]:
    course = Course(state, command.at)
    if command.by != HOUSE:
        _has_a_say(state, command.by)
    _act(course, command.by, command.action)
    ending.go_on(course, was_busy=busy(state))
    return tuple(course.events)


def _has_a_say(state: State, by: Seat) -> None:
    if isinstance(state.phase, Ended):
        raise Refused(Reason.NOT_NOW)
    if by in state.left:
        raise Refused(Reason.LEFT)
    if by in state.out:
        raise Refused(Reason.OUT_OF_ROUND)
    if immediate(state) is not None:
        raise Refused(Reason.NOT_NOW)


def _act(course: Course, by: Seat, action: Action) -> None:
    match action:
        case Roll():
            movement.roll(course, by)
        case Move():
            movement.move(course, by)
        case Accept(boundary_id):
            movement.accept(course, by, boundary_id)
        case PassTray():
            ending.pass_tray(course, by)

        case Buy():
            auction.buy(course, by)
        case Decline():
            auction.decline(course, by)
        case Bid(auction_id, amount):
            auction.bid(course, by, auction_id, amount)
        case PassBid(auction_id):
            auction.pass_bid(course, by, auction_id)
        case BuyHotel(street):
            hotels.build(course, by, street)

        case DemandRent(landing_id):
            rent.demand(course, by, landing_id)
        case Pay(debt_id):
            money.pay(course, by, debt_id)
        case PayRight(debt_id):
            money.pay_right(course, by, debt_id)
        case SellToBank(street):
            distress.sell(course, by, street)
        case DeclareBankrupt():
            distress.give_up(course, by)

        case OfferTrade():
            trade.offer(course, by, action)
        case AcceptTrade(trade_id):
            trade.accept(course, by, trade_id)
        case WithdrawTrade(trade_id):
            trade.withdraw(course, by, trade_id)

        case ChooseDeck(deck):
            cards.choose_deck(course, by, deck)
        case UseCard(card, target, other, debt_id, bribe):
            cards.use(course, by, card, target, other, debt_id, bribe)
        case KeepCard():
            cards.keep(course, by)
        case ReturnCard(card):
            cards.give_back(course, by, card)

        case JailPay():
            jail.pay(course, by)
        case JailCard(deck):
            jail.use_card(course, by, deck)
        case JailRoll():
            movement.jail_roll(course, by)

        case Watch(zone):
            attention.watch(course, by, zone)
        case Cheat():
            cheating.cheat(course, by, action)
        case FreeCheat():
            cheating.free_cheat(course, by, action)
        case Accuse(target, card):
            accusing.accuse(course, by, target, card)
        case Vote(accusation_id, guilty):
            accusing.vote(course, by, accusation_id, guilty)
        case Place(square):
            accusing.place(course, by, square)

        case _ if by != HOUSE:
            raise Refused(Reason.NOT_NOW)
        case SetUp() as plan:
            setup.set_up(course, plan)
        case Throw(dice, draw):
            movement.throw(course, dice, draw)
        case TurnUp(turned, draw):
            if immediate(course.state) is not TurnUp:
                raise Refused(Reason.NOT_NOW)
            course.tell(CardsTurned(turned, draw))
        case DrawCard(card, draw):
            cards.draw(course, card, draw)
        case CloseAuction(auction_id):
            auction.close(course, auction_id)
        case CloseHotelWindow():
            hotels.close_window(course)
        case CloseVote(accusation_id):
            accusing.close_vote(course, accusation_id)
        case CloseTable():
            ending.close_table(course)
        case TimeOut(seat):
            time_out.act_for(course, seat)
        case Vacate(seat):
            if isinstance(course.state.phase, Ended):
                raise Refused(Reason.NOT_NOW)
            distress.vacate(course, seat)
