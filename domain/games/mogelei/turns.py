"""Whose turn it is next: all are in, one more shows or hides, somebody is in control. Rules: RULES.md 4, 5."""

from __future__ import annotations

from datetime import datetime

from domain.games.mogelei import deck
from domain.games.mogelei.due import missing
from domain.games.mogelei.events import AllLaid, ControlTaken, MogeleiTurn
from domain.games.mogelei.state import Lying, State, ToLay, ToReveal
from domain.kernel.game import Seat
from domain.kernel.windows import turn_until


def turn_of(state: State, at: datetime, seat: Seat) -> MogeleiTurn:
    return MogeleiTurn(seat, turn_until(state.pace, at, at))


def when_all_are_in(state: State, phase: ToLay, at: datetime) -> tuple[AllLaid, ...]:
    if missing(state, phase):
        return ()
    first = state.heir(phase.caller)
    waiting = sorted((seat for seat in state.present if seat != first), key=lambda seat: (seat < first, seat))
    return (AllLaid(state.last_pass, phase.laid, turn_of(state, at, first), tuple(waiting)),)


def next_to_reveal(state: State, phase: ToReveal, at: datetime) -> MogeleiTurn | None:
    return turn_of(state, at, phase.waiting[0]) if phase.waiting else None


def control(state: State, phase: ToReveal, at: datetime, *just_shown: Lying) -> ControlTaken:
    """The highest card shown in this pass; nobody showed one: the caller stays in control (5.4, 5.5)."""
    shown = (*(it for it in state.played if it.pass_id == state.last_pass and it.shown), *just_shown)
    best = max(shown, key=lambda it: deck.value(it.card)).seat if shown else phase.caller
    return ControlTaken(state.last_pass, turn_of(state, at, state.heir(best)))
