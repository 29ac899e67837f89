"""What a seat may do now, from its own view: whatever fits an offer is accepted."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.liars_dice.due import immediate
from domain.games.liars_dice.ladder import above
from domain.games.liars_dice.state import State, ToAnswer, ToClaim
from domain.games.liars_dice.windows import takes_dice
from domain.kernel.game import Seat
from domain.kernel.offers import Choose, Offer, OneOf
from domain.kernel.rounds import Pause
from domain.kernel.windows import answerers, waits_until


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if immediate(state) is not None or seat in state.left:
        return ()
    return tuple(_offers(state, seat))


def _offers(state: State, seat: Seat) -> Iterator[Offer]:
    match state.phase:
        case ToClaim(turn) if turn.seat == seat:
            yield Offer("liars_dice.claim", {"claim": OneOf(above(turn.beats))}, until=turn.until)
            if not state.thrown:
                dice = Choose(state.dice, 1, len(state.dice))
                yield Offer("liars_dice.reroll", {"dice": dice}, until=turn.until)
        case ToAnswer() as phase:
            yield from _answers(state, phase, seat)
        case Pause(begins_at, accepted) if seat not in accepted:
            yield Offer("liars_dice.accept_round", {}, until=begins_at)
        case _:
            pass


def _answers(state: State, phase: ToAnswer, seat: Seat) -> Iterator[Offer]:
    window, until = phase.window, phase.closes_at
    if seat not in answerers(window, state.playing):
        return
    claim = OneOf((window.claim_id,))
    if seat == takes_dice(phase):
        not_before = waits_until(seat, (window,), state.playing)
        if not_before is None or not_before < until:
            yield Offer("liars_dice.take_dice", {"claim_id": claim}, not_before, until)
    yield Offer("liars_dice.challenge", {"claim_id": claim}, until=until)
    if seat not in window.accepted:
        yield Offer("liars_dice.accept", {"claim_id": claim}, until=until)
