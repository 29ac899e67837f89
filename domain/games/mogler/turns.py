"""Whose turn it is, and who goes on after somebody fell out of a round. Rules: RULES.md 4, 5, 9."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from domain.games.mogler.events import MoglerTurn, TrickCard
from domain.games.mogler.state import State
from domain.kernel.game import Seat
from domain.kernel.seating import next_of
from domain.kernel.windows import turn_until


def turn_of(state: State, seat: Seat, at: datetime) -> MoglerTurn:
    return MoglerTurn(seat, turn_until(state.pace, at, at))


def next_in(state: State, seat: Seat, plays: Sequence[TrickCard] = (), without: Seat | None = None) -> Seat | None:
    """The next on the left who is in the round and has not played to this trick; None: there is nobody."""
    done = {play.seat for play in plays}
    able = [other for other in state.playing if other not in done and other != without]
    return next_of(able, seat) if able else None


def alone_stops(state: State, without: Seat | None = None) -> bool:
    """Whether one player is left in the round and the match does not let him play on (5.8)."""
    left = [seat for seat in state.playing if seat != without]
    return len(left) == 1 and state.options.last_player == "stop"


def goes_on(state: State, out: Seat, plays: Sequence[TrickCard], at: datetime) -> tuple[MoglerTurn | None, bool]:
    """Who plays after who had the turn fell out of the round, and whether the round is over at once.

    Nobody and not over: all who are left have played to the trick.
    """
    follows = next_in(state, out, plays, without=out)
    if follows is None:
        return None, set(state.playing) <= {out}
    if alone_stops(state, without=out):
        return None, True
    return turn_of(state, follows, at), False
