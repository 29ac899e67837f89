# ruff: noqa: S105 – a pass rule is no password
"""What a seat may do now, from its own view: whatever fits an offer is accepted."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.cheat.due import immediate, voters
from domain.games.cheat.passing import why_no_pass
from domain.games.cheat.state import InTurn, LastPlay, State
from domain.games.cheat.windows import closes_at, may_doubt
from domain.kernel.cards import RANKS, sort
from domain.kernel.game import Seat
from domain.kernel.offers import Choose, Offer, OneOf
from domain.kernel.rounds import Pause
from domain.kernel.windows import answerers, waits_until

MOST = 4  # cards in a play


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if immediate(state) is not None or seat in state.left or seat in state.leaving:
        return ()
    return tuple(_offers(state, seat))


def _offers(state: State, seat: Seat) -> Iterator[Offer]:
    match state.phase:
        case InTurn(turn, _, None) as phase if turn.seat == seat:
            yield from _own_turn(state, phase)
        case InTurn(_, _, proposal) if proposal is not None and seat in voters(state, proposal.consented):
            for vote in ("cheat.consent_pass", "cheat.refuse_pass"):
                yield Offer(vote, {"proposal_id": OneOf((proposal.proposal_id,))}, until=proposal.until)
        case Pause(deal_at, accepted) if seat not in accepted:
            yield Offer("cheat.accept_round", {}, until=deal_at)
        case _:
            pass
    if isinstance(state.phase, InTurn | LastPlay):
        yield from _answers(state, seat)


def _own_turn(state: State, phase: InTurn) -> Iterator[Offer]:
    turn = phase.turn
    not_before = waits_until(turn.seat, phase.windows, may_doubt(state))
    hand = sort(state.hands[turn.seat])
    rank = OneOf(RANKS) if turn.rank is None else OneOf((turn.rank,), optional=True)
    laid = Choose(hand, 1, min(MOST, len(hand)))
    yield Offer("cheat.play", {"cards": laid, "rank": rank}, not_before, turn.until)
    if why_no_pass(state, phase) is None:
        yield Offer("cheat.pass", {}, not_before, turn.until)
    if state.options.pass_rule == "unanimous" and not turn.proposed:
        yield Offer("cheat.propose_pass", {}, not_before, turn.until)


def _answers(state: State, seat: Seat) -> Iterator[Offer]:
    for window in reversed(state.windows):  # the newest first
        if seat in answerers(window, may_doubt(state)):
            claim, until = {"claim_id": OneOf((window.claim_id,))}, closes_at(state, window)
            yield Offer("cheat.challenge", dict(claim), until=until)
            if seat not in window.accepted:
                yield Offer("cheat.accept", dict(claim), until=until)
