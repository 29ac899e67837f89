"""What can be asked. A request decodes to a ``PlayerAction``; only the House says the rest."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.cards import Cards
from domain.kernel.game import Seat

# The lengths are not idle: a pattern's ``$`` also matches before a newline at the end.
CardText: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^([A2-9TJQK][CDHS]|\*\*)$",
        min_length=2,
        max_length=2,
        description="a rank and a suit, or ** for a joker",
    ),
]
RankText: TypeAlias = Annotated[
    str,
    Meta(pattern=r"^[A2-9TJQK]$", min_length=1, max_length=1, description="A 2 … 9 T J Q K"),
]
Id: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]


class Play(Struct, frozen=True, tag="cheat.play", forbid_unknown_fields=True):
    """Lays cards face down and names a rank, which need not be theirs. No rank: the one that is due."""

    cards: Annotated[tuple[CardText, ...], Meta(min_length=1, max_length=4)]
    rank: RankText | None = None


class Challenge(Struct, frozen=True, tag="cheat.challenge", forbid_unknown_fields=True):
    """Calls an open claim a lie."""

    claim_id: Id


class Accept(Struct, frozen=True, tag="cheat.accept", forbid_unknown_fields=True):
    """Has no objection for now: only shortens the wait, and binds nobody."""

    claim_id: Id


class Pass(Struct, frozen=True, tag="cheat.pass", forbid_unknown_fields=True):
    """Lays nothing, where the rules of the match allow it."""


class ProposePass(Struct, frozen=True, tag="cheat.propose_pass", forbid_unknown_fields=True):
    """Asks the others to be let off this turn."""


class ConsentPass(Struct, frozen=True, tag="cheat.consent_pass", forbid_unknown_fields=True):
    proposal_id: Id


class RefusePass(Struct, frozen=True, tag="cheat.refuse_pass", forbid_unknown_fields=True):
    proposal_id: Id


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
    """Cards from the stock for who must draw; ``from_pile``: what was shuffled in under a stock that ran short."""

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
