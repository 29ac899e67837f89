"""From deal to count, five times over, and who leaves in between. Rules: RULES.md 2, 9, 11."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain.games.mogelei.actions import Deal, EndHand, EndMatch
from domain.games.mogelei.deck import EGG_POINTS, fried
from domain.games.mogelei.due import immediate
from domain.games.mogelei.events import Dealt, Event, HandAccepted, HandOver, Left, MatchOver, MogeleiTurn
from domain.games.mogelei.options import HANDS
from domain.games.mogelei.state import Ended, State, ToCall, ToControl, ToDeal, ToLay, ToReveal
from domain.games.mogelei.turns import control, next_to_reveal, turn_of, when_all_are_in
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause, may_accept, may_deal
from domain.kernel.seating import next_of
from domain.kernel.windows import turn_until


def deal(state: State, at: datetime, dealt: Deal) -> tuple[Event, ...]:
    match state.phase:
        case ToDeal() if immediate(state) is Deal:
            pass
        case Pause() as pause if immediate(state) in (None, Deal):
            may_deal(pause, state.present, at)
        case _:
            raise Refused(Reason.NOT_NOW)
    turn = MogeleiTurn(next_of(state.present, dealt.dealer), turn_until(state.pace, at, at))
    return (Dealt(state.hand + 1, dealt.dealer, dealt.hands, dealt.away, dealt.draw, turn),)


def accept_hand(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    may_accept(state.phase, by, at)
    return (HandAccepted(by),)


def end_hand(state: State, at: datetime) -> tuple[Event, ...]:
    if immediate(state) != EndHand():
        raise Refused(Reason.NOT_NOW)
    burnt = tuple(fried(pile) for pile in state.kept)
    gained = tuple(EGG_POINTS * eggs - burns for eggs, burns in zip(state.eggs, burnt, strict=True))
    points = tuple(before + more for before, more in zip(state.points, gained, strict=True))
    deal_at = None if state.hand == HANDS else at + seconds(state.pace.round_pause)
    return (HandOver(state.hand, state.eggs, burnt, gained, points, deal_at),)


def end_match(state: State) -> tuple[Event, ...]:
    """The most points among who is still there; ties share (9.4). Below two seats the last one wins (11.6)."""
    if immediate(state) != EndMatch():
        raise Refused(Reason.NOT_NOW)
    most = max((state.points[seat] for seat in state.present), default=0)
    winners = tuple(seat for seat in state.present if state.points[seat] == most)
    return (MatchOver(winners, state.points),)


def vacate(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    """What he has laid stays, counts and can be doubted, but earns nothing; the next seat acts for him (11.1, 11.2)."""
    if isinstance(state.phase, Ended):
        raise Refused(Reason.NOT_NOW)
    if seat in state.left:
        raise Refused(Reason.LEFT)
    others = tuple(other for other in state.present if other != seat)
    if len(others) < 2:
        return (Left(seat, None),)
    without = replace(state, left=(*state.left, seat))
    match state.phase:
        case ToCall(turn) | ToControl(turn) if turn.seat == seat:
            return (Left(seat, turn_of(state, at, next_of(others, seat))),)
        case ToLay() as phase:
            return Left(seat, None), *when_all_are_in(without, phase, at)
        case ToReveal(_, turn) as phase if turn.seat == seat:
            follows = next_to_reveal(state, phase, at)
            left = Left(seat, follows)
            return (left,) if follows else (left, control(without, phase, at))
        case _:
            return (Left(seat, None),)
