"""What an event makes of a state. It copies what the event says, and never looks at the face of a die."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.games.liars_dice.events import (
    Accepted,
    Challenged,
    Claimed,
    DiceTaken,
    Event,
    Leaving,
    Left,
    MatchOver,
    RerollAsked,
    Rerolled,
    Rolled,
    RoundAccepted,
    RoundBegan,
    RoundOver,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.ladder import Claim
from domain.games.liars_dice.state import Ended, State, ToAnswer, ToClaim, ToCount, ToEnd, ToReroll, ToRoll
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import with_seat
from domain.kernel.windows import Window, accepted_by


def evolve(state: State, event: Event) -> State:
    match event:
        case RoundBegan(number, starter, tokens, turns, draw):
            return replace(
                state,
                phase=ToRoll(starter, None, turns),
                round=number,
                starter=starter,
                tokens=tokens,
                draws=draw + 1,
            )
        case Rolled(_, dice, draw, turn):
            return replace(
                state,
                phase=ToClaim(turn),
                dice=dice,
                thrown=len(dice),
                stacked=state.stacked[len(dice) :],
                draws=draw + 1,
            )
        case DiceTaken(_, dice, turn):
            return replace(state, phase=ToClaim(turn), dice=dice, thrown=0)
        case RerollAsked(_, dice):
            return replace(state, phase=ToReroll(_turn(state).turn, dice))
        case Rerolled(_, dice, thrown, draw):
            return replace(
                state,
                phase=ToClaim(_turn(state).turn),
                dice=dice,
                thrown=thrown,
                stacked=state.stacked[thrown:],
                draws=draw + 1,
            )
        case Claimed(claim_id, seat, claim, not_before, closes_at, follows):
            window = Window(claim_id, seat, _turn(state).turn.left, not_before, barred=(seat,))
            return replace(state, phase=ToAnswer(window, claim, follows, closes_at), claims=claim_id + 1)
        case Accepted(_, seat):
            phase = _answer(state)
            return replace(state, phase=replace(phase, window=accepted_by(phase.window, seat)))
        case Stood(_, _, follows):
            phase = _answer(state)
            return _cleared(state, follows, phase.claim, phase.window.left - 1)
        case Challenged():
            return replace(state, last=event)
        case TokenLost(seat, tokens, follows, left):
            after = replace(state, tokens=with_seat(state.tokens, seat, tokens))
            return _cleared(after, follows, None, left)
        case RoundOver(_, _, _, _, wins, points, begins_at):
            phase_after = Pause(begins_at) if begins_at else ToEnd()
            return replace(state, phase=phase_after, dice=(), thrown=0, wins=wins, points=points)
        case RoundAccepted(seat):
            pause = state.phase
            assert isinstance(pause, Pause)
            return replace(state, phase=pause.accepted_by(seat))
        case Leaving(seat):
            return replace(state, leaving=(*state.leaving, seat))
        case Left(seat, follows):
            return replace(
                _followed(state, follows),
                tokens=with_seat(state.tokens, seat, 0),
                leaving=tuple(other for other in state.leaving if other != seat),
                left=(*state.left, seat),
            )
        case MatchOver(winners, scores):
            return replace(state, phase=Ended(winners, scores))
        case _:
            assert_never(event)


def _turn(state: State) -> ToClaim | ToReroll:
    assert isinstance(state.phase, ToClaim | ToReroll)
    return state.phase


def _answer(state: State) -> ToAnswer:
    assert isinstance(state.phase, ToAnswer)
    return state.phase


def _cleared(state: State, follows: Seat | None, beats: Claim | None, left: int) -> State:
    """The claim is settled, and its dice lie open or are gone for good."""
    phase = ToCount() if follows is None else ToRoll(follows, beats, left)
    return replace(state, phase=phase, dice=(), thrown=0)


def _followed(state: State, follows: Seat | None) -> State:
    """Another seat has the leaver's turn; dice that he has seen are thrown anew."""
    match state.phase:
        case ToClaim(turn) if follows is not None:
            return _cleared(state, follows, turn.beats, turn.left)
        case ToAnswer() as phase if follows is not None:
            return replace(state, phase=replace(phase, follows=follows))
        case _:
            return state
