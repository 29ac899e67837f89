"""What an event makes of a state. It copies what the event says, and never looks at the face of a card."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from domain.games.cheat.events import (
    Accepted,
    CardsOwed,
    Challenged,
    CheatTurn,
    Claimed,
    Dealt,
    Drawn,
    Event,
    ForfeitGiven,
    Leaving,
    Left,
    MatchOver,
    PassConsented,
    PassDenied,
    Passed,
    PassProposed,
    PileTaken,
    RoundAccepted,
    RoundOver,
    Stood,
)
from domain.games.cheat.state import Ended, InTurn, LastPlay, Lying, Phase, Proposal, State, ToCount, ToDraw, ToEnd
from domain.kernel.cards import without
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import with_seat
from domain.kernel.windows import Window, accepted_by


def evolve(state: State, event: Event) -> State:
    match event:
        case Dealt(number, dealer, hands, stock, away, packs, draw, turn):
            return replace(
                state,
                phase=InTurn(turn),
                round=number,
                dealer=dealer,
                packs=packs,
                hands=hands,
                stock=stock,
                away=away,
                pile=(),
                forfeits=(0,) * state.seats,
                out_with=(None,) * state.seats,
                draws=draw + 1,
            )
        case Claimed(claim_id, seat, rank, cards):
            return replace(
                state,
                phase=_after_claim(state, event),
                hands=with_seat(state.hands, seat, without(state.hands[seat], cards)),
                pile=(*state.pile, Lying(claim_id, seat, rank, cards)),
                claims=claim_id + 1,
            )
        case Accepted(claim_id, seat):
            return replace(state, phase=_accepted(state.phase, claim_id, seat))
        case Challenged():
            return replace(state, last=event)
        case PileTaken(seat, cards, _, turn):
            return replace(
                state,
                phase=_next(turn, ()),
                hands=with_seat(state.hands, seat, state.hands[seat] + cards),
                pile=(),
            )
        case ForfeitGiven(seat, forfeits, back, out, locks, turn):
            given = replace(
                _take_back(state, seat, back),
                phase=_next(turn, _still_open(state, locks)),
                forfeits=with_seat(state.forfeits, seat, forfeits),
            )
            return _out(given, seat) if out else given
        case CardsOwed(seat, count, back, turn):
            return replace(_take_back(state, seat, back), phase=ToDraw(seat, count, turn, _still_open(state, ())))
        case Drawn(seat, cards, from_pile, draw):
            return replace(
                state,
                phase=_next(_drawing(state).turn, state.windows),
                hands=with_seat(state.hands, seat, state.hands[seat] + cards),
                stock=without(state.stock + from_pile, cards),
                pile=_open_claims(state) if from_pile else state.pile,
                draws=draw + 1,
            )
        case Passed(seat, locks, draws, turn):
            windows = tuple(accepted_by(window, seat) for window in _unlocked(state.windows, locks))
            return replace(state, phase=ToDraw(seat, draws, turn, windows) if draws else _next(turn, windows))
        case PassProposed(proposal_id, _, since, until):
            phase = _in_turn(state)
            return replace(
                state,
                phase=replace(
                    phase, turn=replace(phase.turn, proposed=True), proposal=Proposal(proposal_id, since, until)
                ),
                proposals=proposal_id + 1,
            )
        case PassConsented(_, seat):
            phase = _in_turn(state)
            assert phase.proposal is not None
            consented = replace(phase.proposal, consented=(*phase.proposal.consented, seat))
            return replace(state, phase=replace(phase, proposal=consented))
        case PassDenied(_, _, turn):
            return replace(state, phase=InTurn(turn, state.windows))
        case Stood():
            return replace(state, phase=ToCount())
        case RoundOver(_, _, _, _, wins, points, deal_at):
            return replace(state, phase=Pause(deal_at) if deal_at else ToEnd(), wins=wins, points=points)
        case RoundAccepted(seat):
            pause = state.phase
            assert isinstance(pause, Pause)
            return replace(state, phase=pause.accepted_by(seat))
        case Leaving(seat):
            return replace(state, leaving=(*state.leaving, seat))
        case Left(seat, locks, turn):
            return replace(
                state,
                phase=_after_leaving(state, locks, turn),
                hands=with_seat(state.hands, seat, ()),
                away=state.away + state.hands[seat],
                leaving=tuple(other for other in state.leaving if other != seat),
                left=(*state.left, seat),
            )
        case MatchOver(winners, scores):
            return replace(state, phase=Ended(winners, scores))
        case _:
            assert_never(event)


def _next(turn: CheatTurn | None, windows: tuple[Window, ...]) -> Phase:
    return ToCount() if turn is None else InTurn(turn, windows)


def _in_turn(state: State) -> InTurn:
    assert isinstance(state.phase, InTurn)
    return state.phase


def _drawing(state: State) -> ToDraw:
    assert isinstance(state.phase, ToDraw)
    return state.phase


def _after_claim(state: State, claim: Claimed) -> Phase:
    seat, before = claim.seat, _in_turn(state).turn
    window = Window(claim.claim_id, seat, before.left, claim.not_before, barred=(seat,))
    if claim.turn is None:
        assert claim.closes_at is not None
        return LastPlay(window, before, claim.closes_at)
    older = tuple(replace(w, barred=(*w.barred, seat)) for w in _unlocked(state.windows, claim.locks))
    return InTurn(claim.turn, (*older, window))


def _accepted(phase: Phase, claim_id: int, seat: Seat) -> Phase:
    def marked(window: Window) -> Window:
        return accepted_by(window, seat) if window.claim_id == claim_id else window

    match phase:
        case InTurn():
            return replace(phase, windows=tuple(marked(window) for window in phase.windows))
        case LastPlay():
            return replace(phase, window=marked(phase.window))
        case _:
            raise AssertionError("no claim was open")


def _unlocked(windows: tuple[Window, ...], locks: tuple[int, ...]) -> tuple[Window, ...]:
    return tuple(window for window in windows if window.claim_id not in locks)


def _still_open(state: State, locks: tuple[int, ...]) -> tuple[Window, ...]:
    """What stays open when the claim that was challenged is settled."""
    assert state.last is not None
    return _unlocked(state.windows, (state.last.claim_id, *locks))


def _open_claims(state: State) -> tuple[Lying, ...]:
    open_ids = {window.claim_id for window in state.windows}
    return tuple(claim for claim in state.pile if claim.claim_id in open_ids)


def _take_back(state: State, seat: Seat, claim_id: int | None) -> State:
    """Back into the hand: what everybody has seen, and what its owner always knew."""
    if claim_id is None:
        return state
    back = next(claim.cards for claim in state.pile if claim.claim_id == claim_id)
    return replace(
        state,
        hands=with_seat(state.hands, seat, state.hands[seat] + back),
        pile=tuple(claim for claim in state.pile if claim.claim_id != claim_id),
    )


def _out(state: State, seat: Seat) -> State:
    hand = state.hands[seat]
    return replace(
        state,
        hands=with_seat(state.hands, seat, ()),
        away=state.away + hand,
        out_with=with_seat(state.out_with, seat, len(hand)),
    )


def _after_leaving(state: State, locks: tuple[int, ...], turn: CheatTurn | None) -> Phase:
    match state.phase:
        case InTurn() as phase if turn is None:
            return replace(phase, windows=_unlocked(phase.windows, locks))
        case InTurn() as phase if turn is not None:
            return InTurn(turn, _unlocked(phase.windows, locks))
        case _:
            return state.phase
