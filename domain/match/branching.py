"""A branch: a match that goes on from a point of another. It begins with a copy of what happened until then."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import AnyGame, Seat
from domain.match import events
from domain.match.decider import AnyState, step
from domain.match.state import Playing, Revealing


class Happened(Struct, frozen=True):
    """An event of the old match. ``seq``: the number under which the viewer was told it whose frames are counted; 0: he
    was not told. ``open``: everybody was told that it happened, and so when."""

    command: object
    by: Seat
    at: datetime
    event: Any
    seq: int
    open: bool


def branch_point(game: AnyGame, story: Iterable[Happened], told: int, *, at_deal: bool) -> int | None:
    """The last version from which a branch can go on, and at which the viewer had been told so many frames at most.

    That is the end of an append, while the match was played, or (``at_deal``: only) just before a deal: what happens at
    once is not torn apart, but luck may deal anew. What came last then is known to everybody: the clock of a branch
    stands at that moment, and who acted unseen after it does so again. None: there is no such version.
    """
    point: int | None = None
    state: AnyState | None = None
    last: object = None  # append, and whether everybody was told something of it
    known = False
    version = seq = 0
    for happened in story:
        deals = isinstance(happened.event, game.deals)
        whole = happened.command != last
        if _is_played(state) and ((deals and (known or not whole)) or (whole and known and not at_deal)):
            point = version
        seq = happened.seq or seq
        if seq > told:
            return point
        state = step(game, state, happened.by, happened.event, happened.at)
        last, known = happened.command, happened.open or (known and not whole)
        version += 1
    return version if _is_played(state) and known and not at_deal else point


def opened_again(opened: events.Opened, *, match: str, seed_commitment: str, dealt: bool) -> events.Opened:
    """Event 1 of the branch. ``dealt``: the first deal is part of what is copied; else luck deals."""
    return replace(
        opened,
        match=match,
        deal=events.NO_DEAL,
        stacked=opened.stacked and dealt,
        seed_commitment=seed_commitment,
        branch_of=opened.match,
    )


def branched(state: AnyState, *, of: str, log_head: str, referee: str, at: datetime) -> events.Branched:
    """What ends the copy, dated as its last event. ``log_head``: of the other match's log at this version, in hex."""
    began = state.clock.paused or state.clock.wall_time(at) or at
    return events.Branched(of=of, log_head=log_head, referee=referee, began=began)


def _is_played(state: AnyState | None) -> bool:
    return state is not None and isinstance(state.phase, Playing | Revealing)
