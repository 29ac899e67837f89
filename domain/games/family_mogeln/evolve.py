"""What an event makes of a state. It copies what the event says, and never looks at the face of a card.

An event as others are told it has no cards where they are somebody's secret: then nothing is taken from the hand that
is not known, and nothing is added to it.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.games.family_mogeln.events import (
    Accepted,
    ControlBegan,
    Controlled,
    Counted,
    Dealt,
    Event,
    Laid,
    Leaving,
    Left,
    MatchOver,
    PileTaken,
    RoundAccepted,
    RoundOver,
    SatOut,
    Stood,
    Turn,
)
from domain.games.family_mogeln.state import Ended, InTurn, LastTurn, Lying, Phase, State, ToCount, ToEnd
from domain.kernel.cards import without
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import with_seat
from domain.kernel.windows import Window, accepted_by


def evolve(state: State, event: Event) -> State:
    match event:
        case Dealt(number, dealer, hands, sizes, aside, packs, draw, turn):
            none = (0,) * state.seats
            return replace(
                state,
                phase=InTurn(turn),
                round=number,
                dealer=dealer,
                starter=turn.seat,
                controls=False,
                packs=packs,
                hands=hands,
                sizes=sizes,
                lays=none,
                turns=none,
                pile=(),
                pile_size=0,
                aside=aside,
                aside_size=len(aside),
                draws=draw + 1,
            )
        case ControlBegan():
            return replace(state, controls=True)
        case Laid(claim_id, seat, rank, cards):
            return replace(
                state,
                phase=_after_lay(state, event),
                hands=with_seat(state.hands, seat, without(state.hands[seat], cards)),
                sizes=_more(state.sizes, seat, -1),
                lays=_more(state.lays, seat, 1),
                turns=_more(state.turns, seat, 1),
                pile=(*state.pile, Lying(claim_id, seat, rank, cards)),
                pile_size=state.pile_size + 1,
                claims=claim_id + 1,
            )
        case SatOut(seat, turn):
            return replace(state, phase=_next(turn), turns=_more(state.turns, seat, 1))
        case Accepted(claim_id, seat):
            return replace(state, phase=_accepted(state.phase, claim_id, seat))
        case Controlled() | Counted():
            return replace(state, last=event)
        case PileTaken(seat, cards, size, turn):
            return replace(
                state,
                phase=_next(turn),
                hands=with_seat(state.hands, seat, state.hands[seat] + cards),
                sizes=_more(state.sizes, seat, size),
                pile=(),
                pile_size=0,
            )
        case Stood():
            return replace(state, phase=ToCount())
        case RoundOver(_, _, _, sizes, pile, wins, points, deal_at):
            return replace(
                state,
                phase=Pause(deal_at) if deal_at else ToEnd(),
                sizes=sizes,
                pile_size=pile,
                wins=wins,
                points=points,
            )
        case RoundAccepted(seat):
            pause = state.phase
            assert isinstance(pause, Pause)
            return replace(state, phase=pause.accepted_by(seat))
        case Leaving(seat):
            return replace(state, leaving=(*state.leaving, seat))
        case Left(seat, starter, turn):
            return replace(
                state,
                phase=_after_leaving(state.phase, turn),
                hands=with_seat(state.hands, seat, ()),
                sizes=with_seat(state.sizes, seat, 0),
                starter=starter,
                aside=state.aside + state.hands[seat],
                leaving=tuple(other for other in state.leaving if other != seat),
                left=(*state.left, seat),
            )
        case MatchOver(winners, scores):
            return replace(state, phase=Ended(winners, scores))
        case _:
            assert_never(event)


def _more(by_seat: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return with_seat(by_seat, seat, by_seat[seat] + more)


def _next(turn: Turn | None) -> Phase:
    return ToCount() if turn is None else InTurn(turn)


def _after_lay(state: State, lay: Laid) -> Phase:
    if lay.not_before is None:
        return _next(lay.turn)
    assert isinstance(state.phase, InTurn)
    window = Window(lay.claim_id, lay.seat, state.phase.turn.left, lay.not_before, barred=(lay.seat,))
    if lay.turn is None:
        assert lay.closes_at is not None
        return LastTurn(window, lay.closes_at)
    return InTurn(lay.turn, window)


def _accepted(phase: Phase, claim_id: int, seat: Seat) -> Phase:
    match phase:
        case InTurn(_, window) | LastTurn(window) if window is not None and window.claim_id == claim_id:
            return replace(phase, window=accepted_by(window, seat))
        case _:
            raise AssertionError("that lay was not open")


def _after_leaving(phase: Phase, turn: Turn | None) -> Phase:
    return replace(phase, turn=turn) if isinstance(phase, InTurn) and turn is not None else phase
