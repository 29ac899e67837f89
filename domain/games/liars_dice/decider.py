"""Each rule in one place: first what is refused, then what happens. Numbers: RULES.md."""

from __future__ import annotations

from datetime import datetime

from domain.games.liars_dice import rounds
from domain.games.liars_dice.actions import (
    Accept,
    AcceptRound,
    Action,
    BeginRound,
    Challenge,
    CloseWindow,
    EndMatch,
    EndRound,
    Reroll,
    Roll,
    Say,
    TakeDice,
    TimeOut,
    Vacate,
)
from domain.games.liars_dice.due import immediate
from domain.games.liars_dice.events import (
    Accepted,
    Challenged,
    Claimed,
    DiceTaken,
    Event,
    LiarsDiceTurn,
    RerollAsked,
    Rerolled,
    Rolled,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.ladder import TOP, Claim, Dice, above, beats, best, makes
from domain.games.liars_dice.reasons import LiarsDiceReason
from domain.games.liars_dice.state import State, ToAnswer, ToClaim, ToReroll, ToRoll
from domain.games.liars_dice.windows import next_in, open_to
from domain.kernel.cards import holds, without
from domain.kernel.game import HOUSE, Command, Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.rounds import Pause
from domain.kernel.seating import next_of
from domain.kernel.windows import in_time, not_early, time_is_up, turn_until, unanswered


def decide(state: State, command: Command[Action]) -> tuple[Event, ...]:
    by, at = command.by, command.at
    if by != HOUSE:
        _has_a_say(state, by)
    match command.action:
        case Say(claim):
            return say(state, by, at, claim)
        case TakeDice(claim_id):
            return take_dice(state, by, at, claim_id)
        case Reroll(dice):
            return reroll(state, by, at, dice)
        case Challenge(claim_id):
            return challenge(state, open_to(state, by, at, claim_id), by, held=False)
        case Accept(claim_id):
            return accept(state, by, at, claim_id)
        case AcceptRound():
            return rounds.accept_round(state, by, at)
        case _ if by != HOUSE:
            raise Refused(Reason.NOT_NOW)
        case BeginRound() as begun:
            return rounds.begin_round(state, at, begun)
        case Roll(thrown, draw):
            return roll(state, at, thrown, draw)
        case TimeOut(seat):
            return time_out(state, at, seat)
        case CloseWindow(claim_id):
            return close_window(state, at, claim_id)
        case EndRound():
            return rounds.end_round(state, at)
        case EndMatch():
            return rounds.end_match(state)
        case Vacate(seat):
            return rounds.vacate(state, seat)


def _has_a_say(state: State, by: Seat) -> None:
    if by in state.left or by in state.leaving:
        raise Refused(Reason.LEFT)
    if immediate(state) is not None:
        raise Refused(Reason.NOT_NOW)
    if not isinstance(state.phase, Pause) and by not in state.playing:
        raise Refused(Reason.OUT_OF_ROUND)


def say(state: State, by: Seat, at: datetime, claim: Claim) -> tuple[Event, ...]:
    turn = _own_turn(state, by, at)
    if not beats(claim, turn.beats):
        raise Refused(LiarsDiceReason.TOO_LOW)
    return (_claimed(state, turn, at, claim),)  # true or not: a lie is a legal claim


def _own_turn(state: State, by: Seat, at: datetime) -> LiarsDiceTurn:
    match state.phase:
        case ToClaim(turn) if turn.seat == by:
            in_time(at, turn.until)
            return turn
        case ToAnswer(_, _, follows) if follows == by:
            raise Refused(LiarsDiceReason.TAKE_DICE_FIRST)
        case ToClaim() | ToAnswer():
            raise Refused(Reason.NOT_YOUR_TURN)
        case _:
            raise Refused(Reason.NOT_NOW)


def _claimed(state: State, turn: LiarsDiceTurn, at: datetime, claim: Claim) -> Claimed:
    """A window opens: for ``min_open`` in any case, for ``max_open`` at most (5.1)."""
    pace = state.pace
    return Claimed(
        claim_id=state.claims,
        seat=turn.seat,
        claim=claim,
        not_before=at + seconds(pace.min_open),
        closes_at=at + seconds(max(pace.max_open, pace.min_open)),
        follows=next_in(state, turn.seat) if turn.left > 1 else None,
    )


def time_out(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    """The House makes the lowest claim allowed for whoever let his time run out (6.3)."""
    match state.phase:
        case ToClaim(turn) if turn.seat == seat:
            time_is_up(at, turn.until)
            return (_claimed(state, turn, at, above(turn.beats)[0]),)
        case _:
            raise Refused(Reason.NOT_NOW)


def take_dice(state: State, by: Seat, at: datetime, claim_id: int) -> tuple[Event, ...]:
    phase = open_to(state, by, at, claim_id)
    if by != phase.follows:
        raise Refused(Reason.NOT_YOUR_TURN)
    if phase.claim == TOP:
        raise Refused(LiarsDiceReason.NOTHING_BEATS_IT)
    not_early(by, state.windows, state.playing, at)
    return stand(state, phase, at)


def stand(state: State, phase: ToAnswer, at: datetime) -> tuple[Event, ...]:
    """The window has closed: the next seat gets fresh dice, or these very ones (3.1, 8.1)."""
    stood = Stood(phase.window.claim_id, phase.window.seat, phase.follows)
    if phase.follows is None or not state.options.dice_pass:
        return (stood,)
    until = turn_until(state.pace, at, at)
    turn = LiarsDiceTurn(phase.follows, phase.claim, until, phase.window.left - 1)
    return stood, DiceTaken(phase.follows, state.dice, turn)


def reroll(state: State, by: Seat, at: datetime, dice: Dice) -> tuple[Event, ...]:
    _own_turn(state, by, at)
    if state.thrown:
        raise Refused(LiarsDiceReason.NO_REROLL)
    if not holds(state.dice, dice):
        raise Refused(LiarsDiceReason.NOT_YOUR_DICE)
    return (RerollAsked(by, tuple(sorted(dice))),)


def roll(state: State, at: datetime, thrown: Dice, draw: int) -> tuple[Event, ...]:
    match state.phase:
        case ToRoll(seat, beats_, left) if immediate(state) is Roll:
            turn = LiarsDiceTurn(seat, beats_, turn_until(state.pace, at, at), left)
            return (Rolled(seat, tuple(sorted(thrown)), draw, turn),)
        case ToReroll(turn, dice):
            kept = without(state.dice, dice)
            return (Rerolled(turn.seat, tuple(sorted((*kept, *thrown))), len(thrown), draw),)
        case _:
            raise Refused(Reason.NOT_NOW)


def accept(state: State, by: Seat, at: datetime, claim_id: int) -> tuple[Event, ...]:
    if by in open_to(state, by, at, claim_id).window.accepted:
        raise Refused(Reason.ALREADY_ACCEPTED)
    return (Accepted(claim_id, by),)


def close_window(state: State, at: datetime, claim_id: int) -> tuple[Event, ...]:
    """What nobody doubts stands; but what nothing beats is held to be doubted by whoever is next (5.5)."""
    match state.phase:
        case ToAnswer(window, _, _, closes_at) as phase if window.claim_id == claim_id:
            if at < closes_at and unanswered(window, state.playing):
                raise Refused(Reason.TOO_EARLY, not_before=closes_at)
            if phase.claim != TOP:
                return stand(state, phase, at)
            return challenge(state, phase, next_of(state.playing, window.seat), held=True)
        case _:
            raise Refused(Reason.NOT_NOW)


def challenge(state: State, phase: ToAnswer, by: Seat, *, held: bool) -> tuple[Event, ...]:
    window, stands = phase.window, makes(state.dice, phase.claim)
    shown = Challenged(window.claim_id, window.seat, by, phase.claim, state.dice, best(state.dice), stands, held)
    return shown, _token_lost(state, phase, loser=by if stands else window.seat)


def _token_lost(state: State, phase: ToAnswer, loser: Seat) -> TokenLost:
    """Whoever lost, the claimant's left neighbour begins anew, or the next one with tokens (4.5)."""
    tokens, left = state.tokens[loser] - 1, phase.window.left - 1
    playing = [seat for seat in state.playing if seat != loser or tokens]
    ends = left < 1 or len(playing) < 2
    return TokenLost(loser, tokens, None if ends else next_of(playing, phase.window.seat), left)
