"""From deal to score, and who leaves in between. Rules: RULES.md 2, 10, 11."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain.games.cheat.actions import Deal, EndMatch, EndRound
from domain.games.cheat.due import immediate, may_go
from domain.games.cheat.events import (
    CheatEnding,
    CheatTurn,
    Dealt,
    Event,
    Leaving,
    Left,
    MatchOver,
    RoundAccepted,
    RoundOver,
)
from domain.games.cheat.state import Ended, InTurn, State, ToDeal
from domain.games.cheat.windows import next_in
from domain.kernel import scoring
from domain.kernel.cards import RANKS
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
    again = replace(state, out_with=(None,) * state.seats)  # who was out is in again
    rank = None if state.options.rank_mode == "free" else RANKS[0]
    turn = CheatTurn(
        next_in(again, dealt.dealer), rank, turn_until(state.pace, at, at), state.options.turns(state.seats)
    )
    return (Dealt(state.round + 1, dealt.dealer, dealt.hands, dealt.stock, dealt.away, dealt.packs, dealt.draw, turn),)


def accept_round(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    may_accept(state.phase, by, at)
    return (RoundAccepted(by),)


def end_round(state: State, at: datetime) -> tuple[Event, ...]:
    """The fewest cards win: none at all, or what is left when all others are out or the turns are over."""
    if immediate(state) != EndRound():
        raise Refused(Reason.NOT_NOW)
    playing = state.playing
    fewest = min(len(state.hands[seat]) for seat in playing)
    winners = tuple(seat for seat in playing if len(state.hands[seat]) == fewest)
    because = CheatEnding.EMPTIED if not fewest else CheatEnding.LAST_IN if len(playing) == 1 else CheatEnding.TURNS
    penalties = tuple(0 if seat in winners else _cards_left(state, seat) for seat in map(Seat, range(state.seats)))
    tally = _tally(state).counted(winners, penalties)
    deal_at = None if _over(state, tally) else at + seconds(state.pace.round_pause)
    return (RoundOver(state.round, winners, because, penalties, tally.wins, tally.penalties, deal_at),)


def _cards_left(state: State, seat: Seat) -> int:
    """What counts against a seat; its forfeits did not take its cards off the account (8.5.4)."""
    out_with = state.out_with[seat]
    return len(state.hands[seat]) if out_with is None else out_with


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
    locks = tuple(window.claim_id for window in state.windows if window.seat == seat)
    return (Left(seat, locks, _turn_without(state, seat, at)),)


def _turn_without(state: State, leaver: Seat, at: datetime) -> CheatTurn | None:
    """The next seat takes the leaver's turn over, with the rank that is due (11.3). None: nobody takes a turn over."""
    match state.phase:
        case InTurn(turn, windows) if turn.seat == leaver and len(state.playing) > 2:
            not_before = max((window.not_before for window in windows if window.seat != leaver), default=at)
            seat = next_in(state, leaver, without=leaver)
            return CheatTurn(seat, turn.rank, turn_until(state.pace, at, not_before), turn.left)
        case _:
            return None
