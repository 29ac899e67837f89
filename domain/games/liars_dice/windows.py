"""Who may answer a claim, who is next, and from when and until when. Only what everybody sees counts here."""

from __future__ import annotations

from datetime import datetime

from domain.games.liars_dice.ladder import TOP
from domain.games.liars_dice.state import State, ToAnswer
from domain.kernel.game import Seat
from domain.kernel.seating import next_of
from domain.kernel.windows import in_time, open_claim


def next_in(state: State, seat: Seat) -> Seat | None:
    """Who sits next on the left and has tokens; None: nobody else."""
    others = [other for other in state.playing if other != seat]
    return next_of(others, seat) if others else None


def takes_dice(phase: ToAnswer) -> Seat | None:
    """Who may take the dice: who is next, unless nothing beats the claim (5.2, 5.5)."""
    return None if phase.claim == TOP else phase.follows


def open_to(state: State, by: Seat, at: datetime, claim_id: int) -> ToAnswer:
    """The open claim, which this seat may answer; refuses all others."""
    open_claim(state.windows, claim_id, state.claims, state.last.claim_id if state.last else None, by)
    assert isinstance(state.phase, ToAnswer)
    in_time(at, state.phase.closes_at)
    return state.phase
