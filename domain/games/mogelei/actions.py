"""What can be asked. A request decodes to a ``PlayerAction``; only the House says the rest."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.mogelei.deck import Colour
from domain.kernel.cards import Cards
from domain.kernel.game import Seat

# A pattern's ``$`` also matches before a newline at the end; what ends this one does not.
MogeleiCard: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(black|red|yellow|blue)([1-9]|1[0-9]|2[0-4])(?![\s\S])",
        description="a card, its colour (black red yellow blue) and its number from 1 to 24, like red7",
        extra={
            "en": "a card, its colour (black red yellow blue) and its number from 1 to 24, like red7",
            "de": "eine Karte, ihre Farbe (black red yellow blue) und ihre Zahl von 1 bis 24, wie red7",
        },
    ),
]
PassId: TypeAlias = Annotated[int, Meta(ge=0, le=2**53, description="the pass that is meant, as the view names it")]


class Call(Struct, frozen=True, tag="mogelei.call", forbid_unknown_fields=True):
    """Begins a round: names the colour that all must lay who hold it."""

    colour: Annotated[Colour, Meta(description="any of the four, whether you hold it or not")]


class Lay(Struct, frozen=True, tag="mogelei.lay", forbid_unknown_fields=True):
    """Lays one card face down, while all others do."""

    card: Annotated[MogeleiCard, Meta(description="of your hand; of the colour called, if you hold one")]


class Reveal(Struct, frozen=True, tag="mogelei.reveal", forbid_unknown_fields=True):
    """Shows the card just laid, which is of the colour called."""


class KeepHidden(Struct, frozen=True, tag="mogelei.keep_hidden", forbid_unknown_fields=True):
    """Says that the card just laid is of another colour, true or not."""


class ContinueRound(Struct, frozen=True, tag="mogelei.continue_round", forbid_unknown_fields=True):
    """All lay one more card to the same colour."""


class EndRound(Struct, frozen=True, tag="mogelei.end_round", forbid_unknown_fields=True):
    """All hidden cards are shown, and the biggest liar gets an egg."""


class Doubt(Struct, frozen=True, tag="mogelei.doubt", forbid_unknown_fields=True):
    """Says that a card kept hidden in this pass is of the colour called after all."""

    pass_id: PassId
    seat: Annotated[int, Meta(ge=0, le=7, description="whose card is meant")]


class AcceptHand(Struct, frozen=True, tag="mogelei.accept_hand", forbid_unknown_fields=True):
    """Need not look at the finished hand any longer: the next deal comes at once when all say so."""


class Deal(Struct, frozen=True, tag="mogelei.deal"):
    dealer: Seat
    hands: tuple[Cards, ...]
    away: Cards
    draw: int


class TimeOut(Struct, frozen=True, tag="mogelei.time_out"):
    """Acts for a seat whose time ran out."""

    seat: Seat


class EndHand(Struct, frozen=True, tag="mogelei.end_hand"):
    """No card is left to lay: counts eggs and fried eggs."""


class EndMatch(Struct, frozen=True, tag="mogelei.end_match"):
    """No further hand follows."""


class Vacate(Struct, frozen=True, tag="mogelei.vacate"):
    """A seat is left for good and nobody takes it over."""

    seat: Seat


PlayerAction: TypeAlias = Call | Lay | Reveal | KeepHidden | ContinueRound | EndRound | Doubt | AcceptHand
HouseAction: TypeAlias = Deal | TimeOut | EndHand | EndMatch | Vacate
Action: TypeAlias = PlayerAction | HouseAction
