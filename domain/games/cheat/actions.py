"""What can be asked. A request decodes to a ``PlayerAction``; only the House says the rest."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.cards import Cards, CardText, RankText
from domain.kernel.game import Seat

ClaimId: TypeAlias = Annotated[int, Meta(ge=0, le=2**53, description="the claim that is meant, as the view names it")]
ProposalId: TypeAlias = Annotated[int, Meta(ge=0, le=2**53, description="the proposal that is meant")]


class Play(Struct, frozen=True, tag="cheat.play", forbid_unknown_fields=True):
    """Lays cards face down and names a rank, which need not be theirs. No rank: the one that is due."""

    cards: Annotated[
        tuple[CardText, ...], Meta(min_length=1, max_length=4, description="one to four cards of your hand")
    ]
    rank: Annotated[RankText | None, Meta(description="what you say they are; left out: the rank that is due")] = None


class Challenge(Struct, frozen=True, tag="cheat.challenge", forbid_unknown_fields=True):
    """Calls an open claim a lie."""

    claim_id: ClaimId


class Accept(Struct, frozen=True, tag="cheat.accept", forbid_unknown_fields=True):
    """Has no objection for now: only shortens the wait, and binds nobody."""

    claim_id: ClaimId


class Pass(Struct, frozen=True, tag="cheat.pass", forbid_unknown_fields=True):
    """Lays nothing, where the rules of the match allow it."""


class ProposePass(Struct, frozen=True, tag="cheat.propose_pass", forbid_unknown_fields=True):
    """Asks the others to be let off this turn."""


class ConsentPass(Struct, frozen=True, tag="cheat.consent_pass", forbid_unknown_fields=True):
    """Lets the one in turn pass; he does when all others have said so."""

    proposal_id: ProposalId


class RefusePass(Struct, frozen=True, tag="cheat.refuse_pass", forbid_unknown_fields=True):
    """Does not let the one in turn pass: he has to play."""

    proposal_id: ProposalId


class AcceptRound(Struct, frozen=True, tag="cheat.accept_round", forbid_unknown_fields=True):
    """Need not look at the finished round any longer: the next deal comes at once when all say so."""


class Deal(Struct, frozen=True, tag="cheat.deal"):
    dealer: Seat
    hands: tuple[Cards, ...]
    stock: Cards
    away: Cards
    packs: int
    draw: int


class Draw(Struct, frozen=True, tag="cheat.draw"):
    """Cards from the stock for whoever must draw; ``from_pile``: what was shuffled in under a stock that ran short."""

    cards: Cards
    from_pile: Cards
    draw: int


class TimeOut(Struct, frozen=True, tag="cheat.time_out"):
    """Lays a card for a seat whose time ran out."""

    seat: Seat


class CloseWindow(Struct, frozen=True, tag="cheat.close_window"):
    """Nobody called the last play a lie in time, or all have accepted it."""

    claim_id: int


class CloseProposal(Struct, frozen=True, tag="cheat.close_proposal"):
    """All have consented, or time is up."""

    proposal_id: int


class EndRound(Struct, frozen=True, tag="cheat.end_round"):
    """Nothing can be played in this round any more: counts it."""


class EndMatch(Struct, frozen=True, tag="cheat.end_match"):
    """No further round follows."""


class Vacate(Struct, frozen=True, tag="cheat.vacate"):
    """A seat is left for good and nobody takes it over."""

    seat: Seat


PlayerAction: TypeAlias = Play | Challenge | Accept | Pass | ProposePass | ConsentPass | RefusePass | AcceptRound
HouseAction: TypeAlias = Deal | Draw | TimeOut | CloseWindow | CloseProposal | EndRound | EndMatch | Vacate
Action: TypeAlias = PlayerAction | HouseAction
