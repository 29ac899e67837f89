"""What a seat may do now, from its own view: whatever fits an offer is accepted."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.family_mogeln.actions import MOST
from domain.games.family_mogeln.decider import must_lay
from domain.games.family_mogeln.due import immediate
from domain.games.family_mogeln.events import Turn
from domain.games.family_mogeln.state import InTurn, State
from domain.games.family_mogeln.windows import ORDER, can_be_controlled, closes_at, may_doubt
from domain.kernel.cards import sort
from domain.kernel.game import Seat
from domain.kernel.offers import Choose, Offer, OneOf
from domain.kernel.rounds import Pause
from domain.kernel.windows import answerers, waits_until


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if immediate(state) is not None or seat in state.left or seat in state.leaving:
        return ()
    return tuple(_offers(state, seat))


def _offers(state: State, seat: Seat) -> Iterator[Offer]:
    match state.phase:
        case InTurn(turn) if turn.seat == seat:
            yield from _own_turn(state, turn)
        case Pause(deal_at, accepted) if seat not in accepted:
            yield Offer("family_mogeln.accept_round", {}, until=deal_at)
        case _:
            pass
    for window in state.windows:
        if seat in answerers(window, may_doubt(state)):
            claim, until = {"claim_id": OneOf((window.claim_id,))}, closes_at(state)
            yield Offer("family_mogeln.control", dict(claim), until=until)
            yield Offer("family_mogeln.control_multi", dict(claim), until=until)
            if seat not in window.accepted:
                yield Offer("family_mogeln.accept", dict(claim), until=until)


def _own_turn(state: State, turn: Turn) -> Iterator[Offer]:
    not_before = waits_until(turn.seat, state.windows, may_doubt(state))
    hand = sort(state.hands[turn.seat])
    most = max(1, min(MOST, len(hand) - 1)) if can_be_controlled(state, turn.seat) else 1
    rank = OneOf(ORDER) if turn.rank is None else OneOf((turn.rank,), optional=True)
    yield Offer("family_mogeln.lay", {"cards": Choose(hand, 1, most), "rank": rank}, not_before, turn.until)
    if not must_lay(state, turn.seat, turn.rank):
        yield Offer("family_mogeln.sit_out", {}, not_before, turn.until)
