"""What an event makes of a state. It copies what the event says, and never looks at the face of a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from domain.games.mogler.events import (
    Caught,
    Dealt,
    Drawn,
    Event,
    Left,
    MatchOver,
    MoglerTurn,
    OpeningLaid,
    OpeningTurned,
    Played,
    RoundAccepted,
    RoundOver,
    SDeclined,
    SDiscarded,
    StopTurned,
    SUsed,
    TrickCard,
    TrickTaken,
)
from domain.games.mogler.state import (
    Ended,
    InTrick,
    Opening,
    Phase,
    State,
    Taken,
    ToCollect,
    ToCount,
    ToDeal,
    ToDiscard,
    ToDraw,
    ToEnd,
    ToStop,
    ToSwap,
)
from domain.kernel.cards import Cards, without
from domain.kernel.rounds import Pause
from domain.kernel.seating import with_seat


def evolve(state: State, event: Event) -> State:
    match event:
        case Dealt(number, hands, stock, draw, until):
            nothing = ((),) * state.seats
            return replace(
                state,
                phase=Opening(until, laid=nothing),
                round=number,
                players=sum(map(bool, hands)),
                hands=hands,
                stock=stock,
                tricks=nothing,
                trick=0,
                row=(),
                out=(),
                away=(),
                caught=(),
                last_trick=None,
                draws=draw + 1,
            )
        case OpeningLaid(seat, cards, timed_out):
            opening = _opening(state)
            laid = with_seat(opening.laid, seat, cards)
            return replace(
                state,
                phase=replace(opening, laid=laid, closing=opening.closing or timed_out),
                hands=with_seat(state.hands, seat, without(state.hands[seat], cards)),
            )
        case OpeningTurned(lays, leader):
            seen = _all_laid(state, lays)
            return replace(seen, phase=ToStop(leader), out=_out(state, *lays))
        case StopTurned(trick, _, stop, draw, turn):
            phase = ToSwap(turn) if stop == "S" and turn is not None else _leads(turn)
            return replace(state, phase=phase, trick=trick, row=(*state.row, stop), draws=draw + 1)
        case SDeclined(_, turn):
            return replace(state, phase=_leads(turn))
        case SUsed(seat):
            return replace(state, phase=ToDraw(seat))
        case Drawn(seat, cards, draw, turn):
            return replace(
                state,
                phase=ToDiscard(turn, *cards),
                hands=with_seat(state.hands, seat, state.hands[seat] + cards),
                stock=without(state.stock, cards),
                draws=draw + 1,
            )
        case SDiscarded(seat, card, turn):
            hands = with_seat(state.hands, seat, without(state.hands[seat], (card,)))
            return replace(state, phase=_leads(turn), hands=hands, out=_out(state, (card,)))
        case Played(seat, card, turn):
            hands = with_seat(state.hands, seat, without(state.hands[seat], (card,)))
            return replace(state, phase=_next(turn, (*_plays(state), TrickCard(seat, card))), hands=hands)
        case Caught(seat, card, hand, turn, ends):
            lost = [card, *hand, *(taken for trick in state.tricks[seat] for taken in trick.cards)]
            fallen = replace(
                state,
                hands=with_seat(state.hands, seat, ()),
                tricks=with_seat(state.tricks, seat, ()),
                out=_out(state, lost),
                caught=(*state.caught, seat),
            )
            return _broken_off(fallen) if ends else replace(fallen, phase=_next(turn, _plays(state)))
        case TrickTaken(_, seat, plays, trump, leader):
            cards = tuple([play.card for play in plays])
            after = replace(state, phase=ToCount(early=False) if leader is None else ToStop(leader), last_trick=event)
            if seat is None:
                return replace(after, out=_out(state, cards))
            taken = Taken(None if trump is None else cards[0], cards)
            return replace(after, tricks=with_seat(state.tricks, seat, (*state.tricks[seat], taken)))
        case RoundOver(_, _, _, _, stars, deal_at):
            return replace(state, phase=Pause(deal_at) if deal_at else ToEnd(), stars=stars, last_round=event)
        case RoundAccepted(seat):
            assert isinstance(state.phase, Pause)
            return replace(state, phase=state.phase.accepted_by(seat))
        case Left(seat, turn, ends):
            gone = replace(
                state,
                hands=with_seat(state.hands, seat, ()),
                away=state.away + state.hands[seat],
                left=(*state.left, seat),
            )
            return _broken_off(gone) if ends else replace(gone, phase=_after_leaving(state.phase, turn))
        case MatchOver(winners, scores):
            return replace(_cleared(state), phase=Ended(winners, scores))
        case _:
            assert_never(event)


def _opening(state: State) -> Opening:
    assert isinstance(state.phase, Opening)
    return state.phase


def _plays(state: State) -> tuple[TrickCard, ...]:
    return state.phase.plays if isinstance(state.phase, InTrick) else ()


def _out(state: State, *more: Sequence[str]) -> Cards:
    return (*state.out, *(card for cards in more for card in cards))


def _leads(turn: MoglerTurn | None) -> Phase:
    return ToCount(early=True) if turn is None else InTrick(turn)


def _next(turn: MoglerTurn | None, plays: tuple[TrickCard, ...]) -> Phase:
    return ToCollect(plays) if turn is None else InTrick(turn, plays)


def _all_laid(state: State, lays: tuple[Cards, ...]) -> State:
    """A lay that this fold was not told of still lies among the backs: in its hand, or in what a leaver left."""
    known = _opening(state).laid
    hands, away = list(state.hands), state.away
    for seat, cards in enumerate(lays):
        if cards and not known[seat]:
            if seat in state.left:
                away = without(away, cards)
            else:
                hands[seat] = without(hands[seat], cards)
    return replace(state, hands=tuple(hands), away=away)


def _broken_off(state: State) -> State:
    """Nobody plays on: what lies in the trick is nobody's."""
    cards = [play.card for play in _plays(state)]
    return replace(state, phase=ToCount(early=False), out=_out(state, cards))


def _cleared(state: State) -> State:
    """What lies on the table when the match ends in the middle of it leaves the game as it lies there."""
    match state.phase:
        case Opening(_, laid):
            return replace(state, away=state.away + tuple([card for cards in laid for card in cards]))
        case InTrick(_, plays) | ToCollect(plays):
            return replace(state, out=_out(state, [play.card for play in plays]))
        case _:
            return state


def _after_leaving(phase: Phase, turn: MoglerTurn | None) -> Phase:
    """Whoever takes a leaver's place at an S may draw for it himself (9.4)."""
    match phase:
        case InTrick(_, plays):
            return _next(turn, plays)
        case ToSwap(before) | ToDiscard(before):
            return phase if turn is None or turn == before else ToSwap(turn)
        case ToDeal() | Opening() | ToStop() | ToDraw() | ToCollect() | ToCount() | Pause() | ToEnd() | Ended():
            return phase
        case _:
            assert_never(phase)
