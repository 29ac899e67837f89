"""What can be asked. A request decodes to a ``PlayerAction``; only the House says the rest."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.liars_dice.ladder import Claim, Dice
from domain.kernel.game import Seat

# A pattern's ``$`` also matches before a newline at the end; what ends this does not.
DieText: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[1-6](?![\s\S])",
        description="a die, by the face that it shows: 1 2 3 4 5 6",
        extra={"de": "ein Würfel, nach den Augen, die er zeigt: 1 2 3 4 5 6"},
    ),
]
ClaimId: TypeAlias = Annotated[int, Meta(ge=0, le=2**53, description="the claim that is meant, as the view names it")]


class Say(Struct, frozen=True, tag="liars_dice.claim", forbid_unknown_fields=True):
    """Says what the own dice make, which need not be so. It must beat the claim before."""

    claim: Annotated[
        Claim,
        Meta(
            description="a kind, and the faces that decide: `nothing`, `pair:4`, `two_pairs:5-2`, `three:4`, "
            "`straight:6`, `full_house:4-2` (three fours, two twos), `four:4`, `five:6`, from low to high; an offer "
            "lists all that would be taken, the lowest first"
        ),
    ]


class TakeDice(Struct, frozen=True, tag="liars_dice.take_dice", forbid_unknown_fields=True):
    """Lets a claim stand and begins the next turn: nobody can doubt the claim any more."""

    claim_id: ClaimId


class Reroll(Struct, frozen=True, tag="liars_dice.reroll", forbid_unknown_fields=True):
    """Throws some of the dice that were handed on anew, once in a turn."""

    dice: Annotated[
        tuple[DieText, ...], Meta(min_length=1, max_length=5, description="one to five of your dice, by their faces")
    ]


class Challenge(Struct, frozen=True, tag="liars_dice.challenge", forbid_unknown_fields=True):
    """Calls the open claim a lie."""

    claim_id: ClaimId


class Accept(Struct, frozen=True, tag="liars_dice.accept", forbid_unknown_fields=True):
    """Has no objection for now: only shortens the wait, and binds nobody."""

    claim_id: ClaimId


class AcceptRound(Struct, frozen=True, tag="liars_dice.accept_round", forbid_unknown_fields=True):
    """Need not look at the finished round any longer: the next one begins at once when all say so."""


class BeginRound(Struct, frozen=True, tag="liars_dice.begin_round"):
    starter: Seat
    draw: int


class Roll(Struct, frozen=True, tag="liars_dice.roll"):
    """Throws dice for whoever is to claim: all five, or those that he put back into the cup."""

    thrown: Dice
    draw: int


class TimeOut(Struct, frozen=True, tag="liars_dice.time_out"):
    """Claims for a seat whose time ran out."""

    seat: Seat


class CloseWindow(Struct, frozen=True, tag="liars_dice.close_window"):
    """Nobody called the claim a lie in time, or all have accepted it."""

    claim_id: int


class EndRound(Struct, frozen=True, tag="liars_dice.end_round"):
    """Nothing can be played in this round any more: counts it."""


class EndMatch(Struct, frozen=True, tag="liars_dice.end_match"):
    """No further round follows."""


class Vacate(Struct, frozen=True, tag="liars_dice.vacate"):
    """A seat is left for good and nobody takes it over."""

    seat: Seat


PlayerAction: TypeAlias = Say | TakeDice | Reroll | Challenge | Accept | AcceptRound
HouseAction: TypeAlias = BeginRound | Roll | TimeOut | CloseWindow | EndRound | EndMatch | Vacate
Action: TypeAlias = PlayerAction | HouseAction
