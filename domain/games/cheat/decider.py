"""Each rule in one place: first what is refused, then what happens. Numbers: RULES.md."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from domain.games.cheat import passing, rounds
from domain.games.cheat.actions import (
    Accept,
    AcceptRound,
    Action,
    Challenge,
    CloseProposal,
    CloseWindow,
    ConsentPass,
    Deal,
    Draw,
    EndMatch,
    EndRound,
    Pass,
    Play,
    ProposePass,
    RefusePass,
    TimeOut,
    Vacate,
)
from domain.games.cheat.dealing import due_card
from domain.games.cheat.due import immediate
from domain.games.cheat.events import (
    Accepted,
    CardsOwed,
    Challenged,
    CheatTurn,
    Claimed,
    Drawn,
    Event,
    ForfeitGiven,
    PileTaken,
    Stood,
)
from domain.games.cheat.options import CheatOptions
from domain.games.cheat.reasons import CheatReason
from domain.games.cheat.state import InTurn, LastPlay, Lying, State, ToDraw
from domain.games.cheat.windows import locked_by, lying, may_doubt, may_take_turn, next_in, open_to, turn_after
from domain.kernel import cards as packs
from domain.kernel.cards import JOKER, Cards, holds
from domain.kernel.game import HOUSE, Command, Refused, Seat, seconds
from domain.kernel.reasons import Reason
from domain.kernel.windows import Window, not_early, time_is_up, turn_until, unanswered


def decide(state: State, command: Command[Action]) -> tuple[Event, ...]:
    by, at = command.by, command.at
    if by != HOUSE:
        _has_a_say(state, by)
    match command.action:
        case Play(laid, rank):
            return play(state, by, at, laid, rank)
        case Challenge(claim_id):
            return challenge(state, by, at, claim_id)
        case Accept(claim_id):
            return accept(state, by, at, claim_id)
        case Pass():
            return passing.pass_turn(state, by, at)
        case ProposePass():
            return passing.propose(state, by, at)
        case ConsentPass(proposal_id):
            return passing.consent(state, by, at, proposal_id)
        case RefusePass(proposal_id):
            return passing.refuse(state, by, at, proposal_id)
        case AcceptRound():
            return rounds.accept_round(state, by, at)
        case _ if by != HOUSE:
            raise Refused(Reason.NOT_NOW)
        case Deal() as deal:
            return rounds.deal(state, at, deal)
        case Draw(drawn, from_pile, k):
            return draw(state, drawn, from_pile, k)
        case TimeOut(seat):
            return time_out(state, at, seat)
        case CloseWindow(claim_id):
            return close_window(state, at, claim_id)
        case CloseProposal(proposal_id):
            return passing.close(state, at, proposal_id)
        case EndRound():
            return rounds.end_round(state, at)
        case EndMatch():
            return rounds.end_match(state)
        case Vacate(seat):
            return rounds.vacate(state, at, seat)


def _has_a_say(state: State, by: Seat) -> None:
    if by in state.left or by in state.leaving:
        raise Refused(Reason.LEFT)
    if immediate(state) is not None:
        raise Refused(Reason.NOT_NOW)
    if isinstance(state.phase, InTurn | LastPlay) and by not in state.playing:
        raise Refused(Reason.OUT_OF_ROUND)


def play(state: State, by: Seat, at: datetime, laid: Cards, rank: str | None) -> tuple[Event, ...]:
    phase = may_take_turn(state, by, at)
    if not holds(state.hands[by], laid):
        raise Refused(Reason.NOT_YOUR_CARDS)
    if phase.turn.rank is None and rank is None:
        raise Refused(CheatReason.RANK_MISSING)
    claimed = rank or phase.turn.rank
    if phase.turn.rank not in (None, claimed) or claimed is None:
        raise Refused(CheatReason.WRONG_RANK)
    not_early(by, phase.windows, may_doubt(state), at)
    return lay(state, phase, at, laid, claimed)  # true or not: a lie is a legal play


def lay(state: State, phase: InTurn, at: datetime, laid: Cards, rank: str) -> tuple[Event, ...]:
    turn, by = phase.turn, phase.turn.seat
    not_before = at + seconds(state.pace.min_open)
    empties = len(state.hands[by]) == len(laid)
    follows = None if empties else turn_after(state, turn, at, not_before)
    if follows is None:  # nobody plays before this claim is settled; older ones lock at once (7.4)
        locks = tuple(window.claim_id for window in phase.windows)
        closes = at + seconds(max(state.pace.max_open, state.pace.min_open))
    else:
        locks = locked_by(state, turn, phase.windows)
        closes = None
    return (Claimed(state.claims, by, rank, packs.sort(laid), locks, not_before, follows, closes),)


def time_out(state: State, at: datetime, seat: Seat) -> tuple[Event, ...]:
    """The House lays one card for whoever let his time run out (6.3)."""
    match state.phase:
        case InTurn(CheatTurn(by, rank, until), _, None) as phase if by == seat:
            time_is_up(at, until)
            card, said = due_card(state.hands[seat], rank)
            return lay(state, phase, at, (card,), said)
        case _:
            raise Refused(Reason.NOT_NOW)


def accept(state: State, by: Seat, at: datetime, claim_id: int) -> tuple[Event, ...]:
    window = open_to(state, by, at, claim_id)
    if by in window.accepted:
        raise Refused(Reason.ALREADY_ACCEPTED)
    return (Accepted(claim_id, by),)


def close_window(state: State, at: datetime, claim_id: int) -> tuple[Event, ...]:
    match state.phase:
        case LastPlay(window, _, closes) if window.claim_id == claim_id:
            if at < closes and unanswered(window, may_doubt(state)):
                raise Refused(Reason.TOO_EARLY, not_before=closes)
            return (Stood(claim_id, window.seat),)
        case _:
            raise Refused(Reason.NOT_NOW)


def challenge(state: State, by: Seat, at: datetime, claim_id: int) -> tuple[Event, ...]:
    window = open_to(state, by, at, claim_id)
    claim = lying(state, claim_id)
    stands = is_true(state.options, claim)
    shown = Challenged(claim_id, claim.seat, by, claim.rank, claim.cards, stands)
    return shown, penalty(state, window, at, loser=by if stands else claim.seat, stands=stands)


def is_true(options: CheatOptions, claim: Lying) -> bool:
    """Every card of the claimed rank. A joker makes the whole play true (shield), or only itself (card)."""
    if options.joker_mode == "shield" and JOKER in claim.cards:
        return True
    return all(card == JOKER or packs.rank(card) == claim.rank for card in claim.cards)


def penalty(state: State, window: Window, at: datetime, loser: Seat, stands: bool) -> Event:
    """What a lost challenge costs, in the three currencies of the variants (4.3, 8.5, 8.6)."""
    options = state.options
    last_play = isinstance(state.phase, LastPlay)
    back = window.claim_id if last_play and not stands else None  # a caught last play is taken back
    others = tuple(other for other in state.windows if other is not window)
    if options.hand == "fixed7":
        return CardsOwed(loser, options.challenge_draw, back, _turn_now(state, at, others, stands, None))
    if options.penalty == "forfeit":
        given = state.forfeits[loser] + 1
        out = given >= options.forfeit_limit
        locks = tuple(other.claim_id for other in others if out and other.seat == loser)
        left = tuple(other for other in others if other.claim_id not in locks)
        alone = out and len(state.playing) <= 2
        turn = None if alone else _turn_now(state, at, left, stands, loser if out else None)
        return ForfeitGiven(loser, given, back, out, locks, turn)
    pile = packs.sort(card for claim in state.pile for card in claim.cards)
    return PileTaken(loser, pile, tuple(other.claim_id for other in others), _turn_now(state, at, (), stands, None))


def _turn_now(
    state: State, at: datetime, others: tuple[Window, ...], stands: bool, out: Seat | None
) -> CheatTurn | None:
    """Whoever lost, the claimant's left neighbour goes on, with a new clock (4.5); None: the round is over."""
    not_before = max((other.not_before for other in others), default=at)
    match state.phase:
        case InTurn(turn):
            seat = next_in(state, turn.seat, without=out) if turn.seat == out else turn.seat
            return replace(turn, seat=seat, until=turn_until(state.pace, at, not_before))
        case LastPlay(_, turn) if not stands:
            return turn_after(state, turn, at, not_before)
        case _:
            return None


def draw(state: State, drawn: Cards, from_pile: Cards, k: int) -> tuple[Event, ...]:
    if not isinstance(state.phase, ToDraw):
        raise Refused(Reason.NOT_NOW)
    return (Drawn(state.phase.seat, drawn, from_pile, k),)
