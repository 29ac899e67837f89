"""From the first throw of a round to its score, and who leaves in between. Rules: RULES.md 2, 7, 9, 10, 11."""

from __future__ import annotations

from datetime import datetime

from domain.games.liars_dice.actions import BeginRound, EndMatch, EndRound
from domain.games.liars_dice.due import immediate, may_go
from domain.games.liars_dice.events import (
    Event,
    Leaving,
    Left,
    LiarsDiceEnding,
    MatchOver,
    RoundAccepted,
    RoundBegan,
    RoundOver,
)
from domain.games.liars_dice.options import TOKENS
from domain.games.liars_dice.state import Ended, State, ToAnswer, ToBegin, ToClaim
from domain.games.liars_dice.windows import next_in
from domain.kernel import scoring
from domain.kernel.game import Over, Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause, may_accept, may_deal
from domain.kernel.scoring import Tally
from domain.kernel.seating import everybody


def begin_round(state: State, at: datetime, begun: BeginRound) -> tuple[Event, ...]:
    match state.phase:
        case ToBegin() if immediate(state) is BeginRound:
            pass
        case Pause() as pause if immediate(state) in (None, BeginRound):
            may_deal(pause, state.present, at)
        case _:
            raise Refused(Reason.NOT_NOW)
    tokens = tuple(TOKENS if seat in state.present else 0 for seat in everybody(state.seats))
    return (RoundBegan(state.round + 1, begun.starter, tokens, state.options.turns(state.seats), begun.draw),)


def accept_round(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    may_accept(state.phase, by, at)
    return (RoundAccepted(by),)


def end_round(state: State, at: datetime) -> tuple[Event, ...]:
    """The most tokens win: the last ones, or the most when the turns are over. Losers count what they lost (9.5)."""
    if immediate(state) != EndRound():
        raise Refused(Reason.NOT_NOW)
    most = max(state.tokens)
    winners = tuple(seat for seat in state.playing if state.tokens[seat] == most)
    because = LiarsDiceEnding.LAST_IN if len(state.playing) == 1 else LiarsDiceEnding.TURNS
    losers = [seat for seat in state.present if seat not in winners]
    penalties = tuple(TOKENS - state.tokens[seat] if seat in losers else 0 for seat in everybody(state.seats))
    tally = _tally(state).counted(winners, penalties)
    begins_at = None if _over(state, tally) else at + seconds(state.pace.round_pause)
    return (RoundOver(state.round, winners, because, penalties, tally.wins, tally.penalties, begins_at),)


def _tally(state: State) -> Tally:
    return Tally(state.round, state.wins, state.points)


def _over(state: State, tally: Tally) -> Over | None:
    return scoring.over(state.options.mode, state.options.rounds_to_play, tally, state.present)


def end_match(state: State) -> tuple[Event, ...]:
    end = _over(state, _tally(state))
    if immediate(state) != EndMatch() or end is None:
        raise Refused(Reason.NOT_NOW)
    return (MatchOver(end.winners, end.scores),)


def vacate(state: State, seat: Seat) -> tuple[Event, ...]:
    if isinstance(state.phase, Ended):
        raise Refused(Reason.NOT_NOW)
    if seat in state.left or (seat in state.leaving and not may_go(state, seat)):
        raise Refused(Reason.LEFT)
    if not may_go(state, seat):
        return (Leaving(seat),)
    return (Left(seat, _follows_without(state, seat)),)


def _follows_without(state: State, leaver: Seat) -> Seat | None:
    """Who has the leaver's turn, or is next in his place (11.3). None: it was neither, or nobody else is there."""
    if len(state.playing) <= 2:
        return None
    match state.phase:
        case ToClaim(turn) if turn.seat == leaver:
            return next_in(state, leaver)
        case ToAnswer(follows=follows) if follows == leaver:
            return next_in(state, leaver)
        case _:
            return None
