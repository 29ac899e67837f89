"""What was asked for, read from the event that came of it: what is no attempt of a seat is on record nowhere else."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from domain.kernel.game import HOUSE, Seat
from domain.match import actions, events
from domain.match.decider import AnyState
from domain.match.disputes import OFFICIAL
from domain.match.state import Chair

ASKED: Final = (
    *(events.Seated, events.Left, events.Started, events.ClockTurned),
    *(events.DisputeRaised, events.RefereeAssigned, events.SealBroken, events.Ruled, events.StoodStill),
)


def asks_as(state: AnyState, player: str) -> Seat:
    """As whom a player asks; HOUSE: he has no seat."""
    seat = state.seat_of(player)
    return HOUSE if seat is None else seat


def asked(event: events.Event, state: AnyState, now: datetime, seed: str) -> tuple[Seat, Any] | None:
    """As whom, and for what; None: nobody asks for such a thing. ``now``: when it was received; ``seed``: of the luck,
    which a ruling may publish."""
    match event:
        case events.Seated(seat=seat, player=str(player)):
            return asks_as(state, player), actions.Sit(
                player=player,
                asked_by=player,
                seat=seat,
                name_digest=event.name_digest,
                entropy_commitment=event.entropy_commitment,
            )
        case events.Seated(seat=seat, bot=bot):
            return asks_as(state, state.host), actions.Sit(player=None, asked_by=state.host, bot=bot, seat=seat)
        case events.Left(seat=seat):
            chair = state.chairs[seat] if 0 <= seat < len(state.chairs) else Chair()
            asked_by = chair.player or state.host
            return asks_as(state, asked_by), actions.Leave(asked_by, seat)
        case events.Started():
            return asks_as(state, state.host), actions.Start(state.host)
        case events.DisputeRaised(seat=seat):
            return HOUSE if seat is None else seat, actions.RaiseDispute(
                dispute=event.dispute, reason=event.reason, seq=event.seq, text_digest=event.text_digest
            )
        case events.RefereeAssigned(dispute, referee):
            return OFFICIAL, actions.Assign(dispute=dispute, referee=referee, instead=True)
        case events.SealBroken():
            return OFFICIAL, actions.BreakSeal(by=event.by, reason=event.reason)
        case events.StoodStill(referee=str(referee)):
            return OFFICIAL, actions.Resume(referee=referee, now=now)
        case events.Ruled():
            return OFFICIAL, actions.Rule(
                dispute=event.dispute,
                referee=event.referee,
                ruling=event.ruling,
                rules=event.rules,
                now=now,
                seed=seed,
                text_digest=event.text_digest,
                branch=event.branch,
                at_deal=True,  # which the branch's own transcript shows
            )
        case _:
            return None
