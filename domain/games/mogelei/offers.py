"""What a seat may do now, from its own view: whatever fits an offer is accepted."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.mogelei import deck
from domain.games.mogelei.decider import called
from domain.games.mogelei.due import immediate
from domain.games.mogelei.state import State, ToCall, ToControl, ToLay, ToReveal
from domain.kernel.game import Seat
from domain.kernel.offers import Offer, OneOf
from domain.kernel.rounds import Pause


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if immediate(state) is not None or seat in state.left:
        return ()
    return tuple(_offers(state, seat))


def _offers(state: State, seat: Seat) -> Iterator[Offer]:
    match state.phase:
        case ToCall(turn) if turn.seat == seat:
            yield Offer("mogelei.call", {"colour": OneOf(deck.COLOURS)}, until=turn.until)
        case ToLay(_, until, laid) if not laid[seat]:
            playable = deck.sort(deck.playable(state.hands[seat], called(state)))
            yield Offer("mogelei.lay", {"card": OneOf(playable)}, until=until)
        case ToReveal(_, turn) if turn.seat == seat:
            mine = state.lying(seat)
            if mine is not None and deck.colour(mine.card) == called(state):
                yield Offer("mogelei.reveal", {}, until=turn.until)
            yield Offer("mogelei.keep_hidden", {}, until=turn.until)
        case ToControl(turn) if turn.seat == seat:
            if state.hands[seat]:
                yield Offer("mogelei.continue_round", {}, until=turn.until)
            yield Offer("mogelei.end_round", {}, until=turn.until)
            if hidden := tuple(sorted(can_be_doubted(state, seat))):
                fields = {"pass_id": OneOf((state.last_pass,)), "seat": OneOf(hidden)}
                yield Offer("mogelei.doubt", {**fields}, until=turn.until)
        case Pause(deal_at, accepted) if seat not in accepted:
            yield Offer("mogelei.accept_hand", {}, until=deal_at)
        case _:
            pass


def can_be_doubted(state: State, controller: Seat) -> Iterator[Seat]:
    """Whose card of this pass is still hidden, whether he is still there or not."""
    for it in state.played:
        if it.pass_id == state.last_pass and not it.shown and it.seat != controller:
            yield it.seat
