"""From deal to stars, and who leaves in between. Rules: RULES.md 2, 6, 7, 9, 10."""

from __future__ import annotations

from datetime import datetime

from domain.games.mogler.actions import CountRound, Deal, EndMatch
from domain.games.mogler.counting import TARGET, counted, score
from domain.games.mogler.due import immediate
from domain.games.mogler.events import Dealt, Event, Left, MatchOver, MoglerTurn, RoundAccepted, RoundOver
from domain.games.mogler.state import Ended, InTrick, State, ToCount, ToDeal, ToDiscard, ToSwap
from domain.games.mogler.turns import alone_stops, goes_on
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause, may_accept, may_deal
from domain.kernel.seating import everybody
from domain.kernel.windows import turn_until


def deal(state: State, at: datetime, dealt: Deal) -> tuple[Event, ...]:
    match state.phase:
        case ToDeal() if immediate(state) is Deal:
            pass
        case Pause() as pause if immediate(state) in (None, Deal):
            may_deal(pause, state.present, at)
        case _:
            raise Refused(Reason.NOT_NOW)
    return (Dealt(state.round + 1, dealt.hands, dealt.stock, dealt.draw, turn_until(state.pace, at, at)),)


def accept_round(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    may_accept(state.phase, by, at)
    return (RoundAccepted(by),)


def count_round(state: State, at: datetime) -> tuple[Event, ...]:
    """The match goes on until somebody has 20 stars at the end of a round (7.1)."""
    if not isinstance(state.phase, ToCount) or immediate(state) != CountRound():
        raise Refused(Reason.NOT_NOW)
    early, seats = state.phase.early, everybody(state.seats)
    scores = tuple([score(state, seat, early) for seat in seats])
    stars = tuple([before + now.stars for before, now in zip(state.stars, scores, strict=True)])
    deal_at = None if max(stars) >= TARGET else at + seconds(state.pace.round_pause)
    shown = tuple([counted(state, seat, early) for seat in seats])
    return (RoundOver(state.round, early, scores, shown, stars, deal_at),)


def end_match(state: State) -> tuple[Event, ...]:
    """The most stars win, and who is level shares (7.2); the last one at the table wins without them (9.5)."""
    if immediate(state) != EndMatch():
        raise Refused(Reason.NOT_NOW)
    most = max((state.stars[seat] for seat in state.present), default=0)
    winners = tuple([seat for seat in state.present if state.stars[seat] == most])
    return (MatchOver(winners, state.stars),)


def vacate(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    if isinstance(state.phase, Ended):
        raise Refused(Reason.NOT_NOW)
    if seat in state.left:
        raise Refused(Reason.LEFT)
    if immediate(state) is not None:
        raise Refused(Reason.NOT_NOW)
    turn, ends = _without(state, at, seat)
    return (Left(seat, turn, ends),)


def _without(state: State, at: datetime, leaver: Seat) -> tuple[MoglerTurn | None, bool]:
    """Who has to act when this seat is gone, and whether the round is over (9.2, 9.4)."""
    match state.phase:
        case InTrick(turn, plays) if turn.seat == leaver:
            return goes_on(state, leaver, plays, at)
        case ToSwap(turn) | ToDiscard(turn) if turn.seat == leaver:
            return goes_on(state, leaver, (), at)
        case ToSwap(turn) | ToDiscard(turn) | InTrick(turn):
            return (None, True) if alone_stops(state, without=leaver) else (turn, False)
        case _:
            return None, False
