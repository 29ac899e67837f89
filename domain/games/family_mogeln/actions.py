"""What can be asked. A request decodes to a ``PlayerAction``; only the House says the rest."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.kernel.cards import Cards, CardText, RankText
from domain.kernel.game import Seat

MOST = 3  # cards in a lay
ClaimId: TypeAlias = Annotated[
    int,
    Meta(
        ge=0,
        le=2**53,
        description="the lay that is meant, as the view names it",
        extra={"de": "die gemeinte Ablage, wie die Ansicht sie nennt"},
    ),
]


class Lay(Struct, frozen=True, tag="family_mogeln.lay", forbid_unknown_fields=True):
    """Lays a card face down and says its rank, which need not be true; or two or three, and says that it is one."""

    cards: Annotated[
        tuple[CardText, ...],
        Meta(
            min_length=1,
            max_length=MOST,
            description="one card of your hand; or two or three, the last of which lies on top",
            extra={"de": "eine Karte deiner Hand; oder zwei oder drei, deren letzte obenauf liegt"},
        ),
    ]
    rank: Annotated[
        RankText | None,
        Meta(
            description="what you say it is; left out: the rank that is due",
            extra={"de": "was du ansagst; ohne Angabe: der Wert, der an der Reihe ist"},
        ),
    ] = None


class SitOut(Struct, frozen=True, tag="family_mogeln.sit_out", forbid_unknown_fields=True):
    """Lays nothing in this turn."""


class Control(Struct, frozen=True, tag="family_mogeln.control", forbid_unknown_fields=True):
    """Has the card on top turned up: is it what was said?"""

    claim_id: ClaimId


class ControlMulti(Struct, frozen=True, tag="family_mogeln.control_multi", forbid_unknown_fields=True):
    """Has the cards of a lay counted: were they more than one?"""

    claim_id: ClaimId


class Accept(Struct, frozen=True, tag="family_mogeln.accept", forbid_unknown_fields=True):
    """Has no objection for now: only shortens the wait, and binds nobody."""

    claim_id: ClaimId


class AcceptRound(Struct, frozen=True, tag="family_mogeln.accept_round", forbid_unknown_fields=True):
    """Need not look at the finished round any longer: the next deal comes at once when all say so."""


class Deal(Struct, frozen=True, tag="family_mogeln.deal"):
    dealer: Seat
    hands: tuple[Cards, ...]
    aside: Cards
    packs: int
    draw: int


class TimeOut(Struct, frozen=True, tag="family_mogeln.time_out"):
    """Lays a card for a seat whose time ran out."""

    seat: Seat


class CloseWindow(Struct, frozen=True, tag="family_mogeln.close_window"):
    """Nobody controlled the lay of the last turn in time, or all have accepted it."""

    claim_id: int


class EndRound(Struct, frozen=True, tag="family_mogeln.end_round"):
    """Nothing can be laid in this round any more: counts it."""


class EndMatch(Struct, frozen=True, tag="family_mogeln.end_match"):
    """No further round follows."""


class Vacate(Struct, frozen=True, tag="family_mogeln.vacate"):
    """A seat is left for good and nobody takes it over."""

    seat: Seat


PlayerAction: TypeAlias = Lay | SitOut | Control | ControlMulti | Accept | AcceptRound
HouseAction: TypeAlias = Deal | TimeOut | CloseWindow | EndRound | EndMatch | Vacate
Action: TypeAlias = PlayerAction | HouseAction
