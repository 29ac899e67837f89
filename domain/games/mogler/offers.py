"""What a seat may do now, from its own view: whatever fits an offer is accepted."""

from __future__ import annotations

from typing import assert_never

from domain.games.mogler.due import immediate, not_laid
from domain.games.mogler.state import (
    Ended,
    InTrick,
    Opening,
    State,
    ToCollect,
    ToCount,
    ToDeal,
    ToDiscard,
    ToDraw,
    ToEnd,
    ToStop,
    ToSwap,
)
from domain.kernel.cards import sort
from domain.kernel.game import Seat
from domain.kernel.offers import Offer, OneOf
from domain.kernel.rounds import Pause


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Locked suits are offered like all others: to play one is allowed, and punished (5.2)."""
    if immediate(state) is not None or seat in state.left:
        return ()
    hand = OneOf(sort(state.hands[seat]))
    match state.phase:
        case Opening(until) as opening if seat in not_laid(state, opening):
            return (Offer("mogler.lay_opening", {"card": hand}, until=until),)
        case ToSwap(turn) if turn.seat == seat:
            return Offer("mogler.s_draw", {}, until=turn.until), Offer("mogler.s_decline", {}, until=turn.until)
        case ToDiscard(turn) if turn.seat == seat:
            return (Offer("mogler.s_discard", {"card": hand}, until=turn.until),)
        case InTrick(turn) if turn.seat == seat:
            return (Offer("mogler.play", {"card": hand}, until=turn.until),)
        case Pause(deal_at, accepted) if seat not in accepted:
            return (Offer("mogler.accept_round", {}, until=deal_at),)
        case Opening() | ToSwap() | ToDiscard() | InTrick() | Pause() | Ended():
            return ()
        case ToDeal() | ToStop() | ToDraw() | ToCollect() | ToCount() | ToEnd():
            return ()
        case _:
            assert_never(state.phase)
