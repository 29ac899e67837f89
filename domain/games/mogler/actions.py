"""What can be asked. A request decodes to a ``PlayerAction``; only the House says the rest."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from domain.games.mogler.deck import Stop
from domain.kernel.cards import Card, Cards
from domain.kernel.game import Seat

CardText: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A2-9TJQK][CDHS](?![\s\S])",
        description="a card, its rank (A 2 3 4 5 6 7 8 9 T J Q K; T is the ten) and its suit (C D H S), like QS or TH",
        extra={
            "de": "eine Karte, ihr Wert (A 2 3 4 5 6 7 8 9 T J Q K; T ist die Zehn) und ihre Farbe (C D H S), wie QS "
            "oder TH"
        },
    ),
]


class LayOpening(Struct, frozen=True, tag="mogler.lay_opening", forbid_unknown_fields=True):
    """Lays a card face down for the first lead; nobody else is told before all have laid."""

    card: CardText


class SDraw(Struct, frozen=True, tag="mogler.s_draw", forbid_unknown_fields=True):
    """An S was turned: draws a card for it, and will have to discard one."""


class SDecline(Struct, frozen=True, tag="mogler.s_decline", forbid_unknown_fields=True):
    """An S was turned: leaves the draw pile alone."""


class SDiscard(Struct, frozen=True, tag="mogler.s_discard", forbid_unknown_fields=True):
    """Puts a card out of the game, face up; it may be the one just drawn."""

    card: CardText


class Play(Struct, frozen=True, tag="mogler.play", forbid_unknown_fields=True):
    """Plays any card of the hand. One of a suit that is locked for its player is taken too: he is caught."""

    card: CardText


class AcceptRound(Struct, frozen=True, tag="mogler.accept_round", forbid_unknown_fields=True):
    """Need not look at the finished round any longer: the next deal comes at once when all say so."""


class Deal(Struct, frozen=True, tag="mogler.deal"):
    hands: tuple[Cards, ...]
    stock: Cards
    draw: int


class TurnOpening(Struct, frozen=True, tag="mogler.turn_opening"):
    """All have laid."""


class TurnStop(Struct, frozen=True, tag="mogler.turn_stop"):
    """A STOP card before the next trick."""

    stop: Stop
    draw: int


class Draw(Struct, frozen=True, tag="mogler.draw"):
    """A card from the draw pile for whoever wanted one."""

    card: Card
    draw: int


class Collect(Struct, frozen=True, tag="mogler.collect"):
    """All have played to the trick."""


class CountRound(Struct, frozen=True, tag="mogler.count_round"):
    """No further trick is played in this round."""


class EndMatch(Struct, frozen=True, tag="mogler.end_match"):
    """No further round is played."""


class TimeOut(Struct, frozen=True, tag="mogler.time_out"):
    """Acts for a seat whose time ran out."""

    seat: Seat


class Vacate(Struct, frozen=True, tag="mogler.vacate"):
    """A seat is left for good and nobody takes it over."""

    seat: Seat


PlayerAction: TypeAlias = LayOpening | SDraw | SDecline | SDiscard | Play | AcceptRound
HouseAction: TypeAlias = Deal | TurnOpening | TurnStop | Draw | Collect | CountRound | EndMatch | TimeOut | Vacate
Action: TypeAlias = PlayerAction | HouseAction
