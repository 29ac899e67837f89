"""Disputes and rulings: who may ask, who may rule, and what follows. Nothing earlier is ever changed by them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from domain.kernel import reasons, rulebook
from domain.kernel.game import HOUSE, AnyGame, Command, Refused, Seat
from domain.match import actions, events
from domain.match.reasons import Reason
from domain.match.state import Dispute, Finished, Lobby, Playing, Revealing, State, Superseded, Void

OFFICIAL: Final = Seat(-2)  # a referee or an auditor acts; which one, the event says
OPEN_TO_DISPUTES: Final = timedelta(days=7)  # after the end of a match
MOST_RAISED: Final = (
    3  # by one seat in a match; to a branch come those from before the point from which it goes on; by the House one
)


def decide(game: AnyGame, state: State[Any], command: Command[Any]) -> tuple[events.Event, ...]:
    """Events of the match, or Refused."""
    action: actions.OfDisputes = command.action
    match action:
        case actions.RaiseDispute():
            return tuple(_raise(state, action, command.by, command.at))
        case actions.Assign(dispute=dispute, referee=referee, instead=instead):
            held = _open(state, dispute)
            _must_be_impartial(state, referee)
            if held.referee is not None and (held.referee == referee or not instead):
                raise Refused(Reason.ALREADY_ASSIGNED)
            return (events.RefereeAssigned(dispute, referee),)
        case actions.BreakSeal(by=by, reason=reason):
            _must_be_impartial(state, by)
            if isinstance(state.phase, Lobby):
                raise Refused(Reason.NOT_STARTED)  # who had looked could still sit down
            if isinstance(state.phase, Superseded):
                raise Refused(Reason.SUPERSEDED)  # who plays on in the branch would not be told of it
            if isinstance(state.phase, Finished | Void):
                raise Refused(Reason.MATCH_OVER)
            if by in state.seal_broken_by:
                raise Refused(Reason.SEAL_BROKEN)
            return (events.SealBroken(by=by, reason=reason),)
        case actions.Rule():
            return tuple(_rule(game, state, action))
        case actions.Resume(referee=referee, now=now):
            _must_be_impartial(state, referee)
            return (_goes_on(state, now, referee),)
        case _:
            assert_never(action)


def _raise(state: State[Any], action: actions.RaiseDispute, by: Seat, at: datetime) -> Iterator[events.Event]:
    match state.phase:
        case Lobby():
            raise Refused(Reason.NOT_STARTED)
        case Superseded():
            raise Refused(Reason.SUPERSEDED)
        case Void() if state.game is None:
            raise Refused(Reason.NOT_STARTED)
        case Finished() | Void() if state.over_at is not None and at >= (until := state.over_at + OPEN_TO_DISPUTES):
            raise Refused(reasons.Reason.TOO_LATE, closes_at=until)
        case _:
            pass
    seat = None if by == HOUSE else by
    if any(held.seat == seat for held in state.disputes):
        raise Refused(Reason.DISPUTE_OPEN)
    if state.house_raised if seat is None else state.chairs[seat].raised >= MOST_RAISED:
        raise Refused(Reason.TOO_MANY_DISPUTES)
    yield events.DisputeRaised(
        dispute=action.dispute, seat=seat, seq=action.seq, reason=action.reason, text_digest=action.text_digest
    )
    if state.pause_on_dispute and state.paused is None and isinstance(state.phase, Playing | Revealing):
        yield events.Paused(state.clock.wall_time(at) or at, "dispute")  # a sandbox's clock does not run anyway


def _rule(game: AnyGame, state: State[Any], action: actions.Rule) -> Iterator[events.Event]:
    held = _open(state, action.dispute)
    if held.referee != action.referee:
        raise Refused(Reason.NOT_ASSIGNED)
    if not action.rules:
        raise Refused(Reason.NO_RULE_CITED)
    if not rulebook.numbers(game.rules).issuperset(action.rules):
        raise Refused(Reason.NO_SUCH_RULE)
    ends = action.ruling in ("void", "branch")
    if ends and isinstance(state.phase, Superseded):
        raise Refused(Reason.SUPERSEDED)
    if action.ruling == "void" and isinstance(state.phase, Void):
        raise Refused(Reason.MATCH_OVER)
    if action.ruling == "branch":
        if isinstance(state.phase, Finished | Void) and not action.at_deal:
            raise Refused(Reason.SECRETS_OUT)
        if action.branch is None:
            raise Refused(Reason.NO_BRANCH_POINT)
    branch = action.branch if action.ruling == "branch" else None
    yield events.Ruled(
        dispute=action.dispute,
        referee=action.referee,
        ruling=action.ruling,
        rules=action.rules,
        text_digest=action.text_digest,
        branch=branch,
    )
    last = len(state.disputes) == 1
    if state.paused is not None and (ends or (last and state.paused == "dispute")):
        yield _goes_on(state, action.now, None)
    if branch is not None:
        yield events.Superseded(branch)
    if action.ruling == "void":
        yield events.Voided("ruled")
        if not isinstance(state.phase, Finished):  # else it is published already
            yield events.SeedRevealed(action.seed)


def _goes_on(state: State[Any], now: datetime, referee: str | None) -> events.StoodStill:
    if state.paused is None or state.clock.paused is None:
        raise Refused(Reason.NOT_PAUSED)
    began = state.clock.paused
    ended = began if state.sandbox else max(began, now)  # a sandbox's clock does not run by itself: nobody lost time
    return events.StoodStill(began, ended, state.paused, referee)


def _open(state: State[Any], dispute: str) -> Dispute:
    held = next((held for held in state.disputes if held.dispute == dispute), None)
    if held is None:
        raise Refused(Reason.DISPUTE_CLOSED)
    return held


def _must_be_impartial(state: State[Any], official: str) -> None:
    """Who is or was seated neither rules nor looks under the cards."""
    if official in state.sat:
        raise Refused(Reason.SAT_HERE)
