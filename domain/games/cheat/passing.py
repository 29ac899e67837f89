# ruff: noqa: S105 – a pass rule is no password
"""The pass rules: never, when the rank is exhausted, when all consent, or at the price of drawing (RULES 8.1, 8.6)."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain.games.cheat.due import voters
from domain.games.cheat.events import (
    CheatTurn,
    Event,
    PassConsented,
    PassDenied,
    Passed,
    PassProposed,
)
from domain.games.cheat.reasons import CheatReason
from domain.games.cheat.state import InTurn, Proposal, State
from domain.games.cheat.windows import locked_by, may_doubt, may_take_turn, turn_after
from domain.kernel.cards import SUITS
from domain.kernel.game import Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.windows import not_early


def pass_turn(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    phase = may_take_turn(state, by, at)
    if (reason := why_no_pass(state, phase)) is not None:
        raise Refused(reason)
    not_early(by, phase.windows, may_doubt(state), at)
    return (_passed(state, phase, at),)


def why_no_pass(state: State, phase: InTurn) -> CheatReason | None:
    """What forbids a pass without asking; None: nothing does."""
    options = state.options
    if options.hand == "fixed7":
        return None if _can_draw(state, phase) else CheatReason.NOTHING_TO_DRAW
    if options.pass_rule == "strict":
        return CheatReason.NO_PASSING
    if options.pass_rule == "unanimous":
        return CheatReason.NEEDS_CONSENT
    return None if _exhausted(state, phase.turn.rank) else CheatReason.RANK_NOT_EXHAUSTED


def _exhausted(state: State, rank: str | None) -> bool:
    """By what was claimed, not by what lies there: the answer to a pass must not tell what nobody can know."""
    claimed = sum(len(claim.cards) for claim in state.pile if claim.rank == rank)
    return claimed >= len(SUITS) * state.packs


def _can_draw(state: State, phase: InTurn) -> bool:
    locked = locked_by(state, phase.turn, phase.windows)
    still_open = {window.claim_id for window in phase.windows if window.claim_id not in locked}
    return bool(state.stock) or any(claim.claim_id not in still_open for claim in state.pile)


def propose(state: State, by: Seat, at: datetime) -> tuple[Event, ...]:
    phase = may_take_turn(state, by, at)
    if state.options.pass_rule != "unanimous":
        raise Refused(CheatReason.NO_PASSING)
    if phase.turn.proposed:
        raise Refused(CheatReason.ALREADY_PROPOSED)
    not_early(by, phase.windows, may_doubt(state), at)
    until = at + seconds(2 * state.pace.min_open)
    return (PassProposed(state.proposals, by, at, until),)


def consent(state: State, by: Seat, at: datetime, proposal_id: int) -> tuple[Event, ...]:
    _vote(state, by, at, proposal_id)
    return (PassConsented(proposal_id, by),)


def refuse(state: State, by: Seat, at: datetime, proposal_id: int) -> tuple[Event, ...]:
    phase, proposal = _vote(state, by, at, proposal_id)
    return (PassDenied(proposal_id, by, _resumed(phase, proposal, at)),)


def close(state: State, at: datetime, proposal_id: int) -> tuple[Event, ...]:
    phase, proposal = _open_proposal(state, proposal_id)
    if not voters(state, proposal.consented):
        return (_passed(state, phase, at),)
    if at < proposal.until:
        raise Refused(Reason.TOO_EARLY, not_before=proposal.until)
    return (PassDenied(proposal_id, None, _resumed(phase, proposal, at)),)


def _vote(state: State, by: Seat, at: datetime, proposal_id: int) -> tuple[InTurn, Proposal]:
    phase, proposal = _open_proposal(state, proposal_id)
    if by not in voters(state):
        raise Refused(Reason.NOT_NOW)
    if by in proposal.consented:
        raise Refused(Reason.ALREADY_ACCEPTED)
    if at >= proposal.until:
        raise Refused(Reason.TOO_LATE, closes_at=proposal.until)
    return phase, proposal


def _open_proposal(state: State, proposal_id: int) -> tuple[InTurn, Proposal]:
    if proposal_id >= state.proposals:
        raise Refused(CheatReason.NO_SUCH_PROPOSAL)
    match state.phase:
        case InTurn(_, _, proposal) as phase if proposal is not None and proposal.proposal_id == proposal_id:
            return phase, proposal
        case _:
            raise Refused(CheatReason.PROPOSAL_CLOSED)


def _resumed(phase: InTurn, proposal: Proposal, at: datetime) -> CheatTurn:
    """The clock stood still while the table was asked."""
    until = phase.turn.until
    return replace(phase.turn, until=None if until is None else until + (at - proposal.since))


def _passed(state: State, phase: InTurn, at: datetime) -> Passed:
    """A passed turn counts as a turn: the rank goes on, and claims lock as by a play (8.1.4)."""
    turn = phase.turn
    locks = locked_by(state, turn, phase.windows)
    follows = turn_after(state, turn, at, not_before=at)  # he has waited, and counts as having accepted
    if follows is None:
        locks = tuple(window.claim_id for window in phase.windows)
    draws = state.options.pass_draw if state.options.hand == "fixed7" else 0
    return Passed(turn.seat, locks, draws, follows)
