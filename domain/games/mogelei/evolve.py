"""What an event makes of a state. It copies what the event says, and never looks at the face of a card."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.games.mogelei.events import (
    AllLaid,
    ColourCalled,
    ControlTaken,
    Dealt,
    Doubted,
    Event,
    HandAccepted,
    HandOver,
    KeptHidden,
    Laid,
    Left,
    MatchOver,
    MogeleiTurn,
    PileKept,
    Revealed,
    RoundContinued,
    RoundEnded,
)
from domain.games.mogelei.state import (
    Ended,
    Lying,
    MogeleiLastRound,
    Phase,
    State,
    ToCall,
    ToControl,
    ToCount,
    ToEnd,
    ToLay,
    ToReveal,
)
from domain.kernel.cards import Cards, without
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import with_seat


def evolve(state: State, event: Event) -> State:
    match event:
        case Dealt(hand, dealer, hands, away, draw, turn):
            nothing: tuple[Cards, ...] = ((),) * state.seats
            return replace(
                state,
                phase=ToCall(turn),
                hand=hand,
                dealer=dealer,
                hands=hands,
                kept=nothing,
                eggs=(0,) * state.seats,
                round=0,
                colour=None,
                played=(),
                away=away,
                last_round=None,
                draws=draw + 1,
            )
        case ColourCalled(number, pass_id, seat, colour, until):
            laying = ToLay(seat, until, ((),) * state.seats)
            return replace(state, phase=laying, round=number, colour=colour, passes=pass_id + 1)
        case Laid(_, seat, card, late):
            laying = _laying(state)
            return replace(state, phase=replace(laying, laid=with_seat(laying.laid, seat, (card,)), late=late))
        case AllLaid(pass_id, cards, turn, waiting):
            return _all_laid(state, pass_id, cards, turn, waiting)
        case Revealed(pass_id, seat, card, turn):
            shown = Lying(pass_id, seat, card, shown=True)
            played = tuple(shown if (it.pass_id, it.seat) == (pass_id, seat) else it for it in state.played)
            return replace(state, played=played, phase=_answered(state, turn))
        case KeptHidden(_, _, turn):
            return replace(state, phase=_answered(state, turn))
        case ControlTaken(_, turn):
            return replace(state, phase=ToControl(turn))
        case RoundContinued(pass_id, seat, until):
            return replace(state, phase=ToLay(seat, until, ((),) * state.seats), passes=pass_id + 1)
        case Doubted() | RoundEnded():
            return replace(state, last_round=MogeleiLastRound(event))
        case PileKept(seat, cards, egg, turn):
            assert state.last_round is not None
            return replace(
                state,
                phase=ToCount() if turn is None else ToCall(turn),
                kept=with_seat(state.kept, seat, state.kept[seat] + cards),
                eggs=state.eggs if egg is None else with_seat(state.eggs, egg, state.eggs[egg] + 1),
                colour=None,
                played=(),
                last_round=replace(state.last_round, taker=seat, count=len(cards), egg=egg),
            )
        case HandOver(points=points, deal_at=deal_at):
            return replace(state, phase=Pause(deal_at) if deal_at else ToEnd(), points=points, last_hand=event)
        case HandAccepted(seat):
            pause = state.phase
            assert isinstance(pause, Pause)
            return replace(state, phase=pause.accepted_by(seat))
        case Left(seat, turn):
            return replace(
                state,
                phase=_without(state.phase, seat, turn),
                hands=with_seat(state.hands, seat, ()),
                away=state.away + state.hands[seat],
                left=(*state.left, seat),
            )
        case MatchOver(winners, scores):
            return replace(state, phase=Ended(winners, scores))
        case _:
            assert_never(event)


def _laying(state: State) -> ToLay:
    assert isinstance(state.phase, ToLay)
    return state.phase


def _all_laid(
    state: State, pass_id: int, cards: tuple[Cards, ...], turn: MogeleiTurn, waiting: tuple[Seat, ...]
) -> State:
    """Only now do cards leave the hands: till then nobody's number of cards tells whether he has laid."""
    hands = tuple(
        hand if seat in state.left else without(hand, laid)
        for seat, (hand, laid) in enumerate(zip(state.hands, cards, strict=True))
    )
    by_leavers = tuple(card for seat in state.left for card in cards[seat])
    lying = tuple(Lying(pass_id, Seat(seat), card) for seat, laid in enumerate(cards) for card in laid)
    return replace(
        state,
        phase=ToReveal(_laying(state).caller, turn, waiting),
        hands=hands,
        away=without(state.away, by_leavers),
        played=state.played + lying,
    )


def _answered(state: State, turn: MogeleiTurn | None) -> ToReveal:
    phase = state.phase
    assert isinstance(phase, ToReveal)
    return phase if turn is None else replace(phase, turn=turn, waiting=phase.waiting[1:])


def _without(phase: Phase, leaver: Seat, turn: MogeleiTurn | None) -> Phase:
    match phase:
        case ToReveal(_, before, waiting):
            left = tuple(seat for seat in waiting if seat not in (leaver, turn and turn.seat))
            return replace(phase, turn=turn or before, waiting=left)
        case ToCall() | ToControl() if turn is not None:
            return replace(phase, turn=turn)
        case _:
            return phase
