"""From deal to score, and who leaves in between. Rules: RULES.md 2, 8, 9, 10, 11."""

from __future__ import annotations

from datetime import datetime

from domain.games.family_mogeln.actions import Deal, EndMatch, EndRound
from domain.games.family_mogeln.due import immediate, may_go
from domain.games.family_mogeln.events import (
    ControlBegan,
    Dealt,
    Ending,
    Event,
    Leaving,
    Left,
    MatchOver,
    RoundAccepted,
    RoundOver,
    Turn,
)
from domain.games.family_mogeln.state import Ended, InTurn, State, ToDeal
from domain.games.family_mogeln.windows import next_in, still_due
from domain.kernel import scoring
from domain.kernel.game import Over, Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause, may_accept, may_deal
from domain.kernel.scoring import Tally
from domain.kernel.windows import turn_until


def deal(state: State, at: datetime, dealt: Deal) -> tuple[Event, ...]:
    match state.phase:
        case ToDeal() if immediate(state) is Deal:
            pass
        case Pause() as pause if immediate(state) in (None, Deal):
            may_deal(pause, state.present, at)
        case _:
            raise Refused(Reason.NOT_NOW)
    starter = next_in(state, dealt.dealer)
    turn = Turn(starter, None, turn_until(state.pace, at, at), state.options.turns(state.seats))
    sizes = tuple(map(len, dealt.hands))
    return (Dealt(state.round + 1, dealt.dealer, dealt.hands, sizes, dealt.aside, dealt.packs, dealt.draw, turn),)


def accept_round(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    may_accept(state.phase, by, at)
    return (RoundAccepted(by),)


def end_round(state: State, at: datetime) -> tuple[Event, ...]:
    """The fewest cards win, by their true number: none at all, or what is left when turns or the others are gone."""
    if immediate(state) != EndRound():
        raise Refused(Reason.NOT_NOW)
    sizes = tuple(map(len, state.hands))
    fewest = min(sizes[seat] for seat in state.present)
    winners = tuple(seat for seat in state.present if sizes[seat] == fewest)
    because = Ending.EMPTIED if not fewest else Ending.LAST_IN if len(state.present) == 1 else Ending.TURNS
    penalties = tuple(0 if seat in winners else size for seat, size in enumerate(sizes))
    tally = _tally(state).counted(winners, penalties)
    deal_at = None if _over(state, tally) else at + seconds(state.pace.round_pause)
    pile = sum(len(lay.cards) for lay in state.pile)
    return (RoundOver(state.round, winners, because, sizes, pile, tally.wins, tally.penalties, deal_at),)


def _tally(state: State) -> Tally:
    return Tally(state.round, state.wins, state.points)


def _over(state: State, tally: Tally) -> Over | None:
    return scoring.over(state.options.mode, state.options.rounds_to_play, tally, state.present)


def end_match(state: State) -> tuple[Event, ...]:
    end = _over(state, _tally(state))
    if immediate(state) != EndMatch() or end is None:
        raise Refused(Reason.NOT_NOW)
    return (MatchOver(end.winners, end.scores),)


def vacate(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    if isinstance(state.phase, Ended):
        raise Refused(Reason.NOT_NOW)
    if seat in state.left or (seat in state.leaving and not may_go(state, seat)):
        raise Refused(Reason.LEFT)
    if not may_go(state, seat):
        return (Leaving(seat),)
    in_round = isinstance(state.phase, InTurn) and len(state.present) > 2
    starter = next_in(state, seat, without=seat) if in_round and seat == state.starter else state.starter
    left = Left(seat, starter, _turn_without(state, seat, at) if in_round else None)
    if in_round and starter is not None and starter != state.starter and not state.controls and state.lays[starter] > 1:
        return left, ControlBegan()
    return (left,)


def _turn_without(state: State, leaver: Seat, at: datetime) -> Turn | None:
    """The next seat takes the leaver's turn over, with the rank that is due (11.3). None: nobody takes a turn over."""
    match state.phase:
        case InTurn(turn, window) if turn.seat == leaver:
            seat = next_in(state, leaver, without=leaver)
            there = tuple(other for other in state.present if other != leaver)
            rank, sat_out = still_due(turn.rank, turn.sat_out, there)
            not_before = at if window is None else window.not_before
            return Turn(seat, rank, turn_until(state.pace, at, not_before), turn.left, sat_out)
        case _:
            return None
