"""What can happen; a tag is stored for good. Who is told which field: ``projections/views/cheat.py``."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from domain.kernel.cards import Cards
from domain.kernel.game import Seat


class CheatTurn(Struct, frozen=True):
    """Whose turn it is, what rank he must name (None: any), and until when (None: for ever)."""

    seat: Seat
    rank: str | None
    until: datetime | None
    left: int  # turns left in the round, this one counted
    proposed: bool = False  # whether he has asked to pass in it


class CheatEnding(StrEnum):
    """What ended a round."""

    EMPTIED = "emptied"  # a hand is empty, and its last play stood
    LAST_IN = "last_in"  # all others are out or gone
    TURNS = "turns"  # no turn is left: fewest cards


class Dealt(Struct, frozen=True, tag="cheat.dealt"):
    """``away``: cards of a stacked deal that take no part. ``draw``: which draw of the match's luck it was."""

    round: int
    dealer: Seat
    hands: tuple[Cards, ...]
    stock: Cards
    away: Cards
    packs: int
    draw: int
    turn: CheatTurn


class Claimed(Struct, frozen=True, tag="cheat.claimed"):
    """Cards were laid as this rank. ``locks``: claims that it is too late to doubt now.

    The next turn is open from ``not_before`` on, or when all have accepted. A last play is followed by no turn:
    then ``turn`` is None and ``closes_at`` ends its window.
    """

    claim_id: int
    seat: Seat
    rank: str
    cards: Cards
    locks: tuple[int, ...]
    not_before: datetime
    turn: CheatTurn | None
    closes_at: datetime | None


class Accepted(Struct, frozen=True, tag="cheat.accepted"):
    claim_id: int
    seat: Seat


class Challenged(Struct, frozen=True, tag="cheat.challenged"):
    """A claim was called a lie; its cards are shown to all. ``stands``: it was none."""

    claim_id: int
    seat: Seat
    challenger: Seat
    rank: str
    cards: Cards
    stands: bool


class PileTaken(Struct, frozen=True, tag="cheat.pile_taken"):
    """``voids``: other open claims, which went with the pile. No turn: the round is over."""

    seat: Seat
    cards: Cards
    voids: tuple[int, ...]
    turn: CheatTurn | None


class ForfeitGiven(Struct, frozen=True, tag="cheat.forfeit_given"):
    """``forfeits`` is the seat's number now. ``back``: the claim whose cards it takes back.

    ``out``: it was one too many, and the seat's hand leaves play face down.
    """

    seat: Seat
    forfeits: int
    back: int | None
    out: bool
    locks: tuple[int, ...]
    turn: CheatTurn | None


class CardsOwed(Struct, frozen=True, tag="cheat.cards_owed"):
    """A lost challenge must be paid by drawing. ``back``: the claim whose cards the seat takes back before."""

    seat: Seat
    count: int
    back: int | None
    turn: CheatTurn | None


class Drawn(Struct, frozen=True, tag="cheat.drawn"):
    """``from_pile``: what was shuffled in under the stock, all of the pile but its open claims."""

    seat: Seat
    cards: Cards
    from_pile: Cards
    draw: int


class Passed(Struct, frozen=True, tag="cheat.passed"):
    """``draws``: how many cards it costs."""

    seat: Seat
    locks: tuple[int, ...]
    draws: int
    turn: CheatTurn | None


class PassProposed(Struct, frozen=True, tag="cheat.pass_proposed"):
    proposal_id: int
    seat: Seat
    since: datetime
    until: datetime


class PassConsented(Struct, frozen=True, tag="cheat.pass_consented"):
    proposal_id: int
    seat: Seat


class PassDenied(Struct, frozen=True, tag="cheat.pass_denied"):
    """``seat`` refused; None: somebody kept silent. The turn goes on, its clock having stood still."""

    proposal_id: int
    seat: Seat | None
    turn: CheatTurn


class Stood(Struct, frozen=True, tag="cheat.stood"):
    """The window of a last play has closed."""

    claim_id: int
    seat: Seat


class RoundOver(Struct, frozen=True, tag="cheat.round_over"):
    """By seat: ``penalties`` of this round, ``wins`` and penalty ``points`` of the match so far.

    The next deal comes at ``deal_at``; None: there is none.
    """

    round: int
    winners: tuple[Seat, ...]
    because: CheatEnding
    penalties: tuple[int, ...]
    wins: tuple[int, ...]
    points: tuple[int, ...]
    deal_at: datetime | None


class RoundAccepted(Struct, frozen=True, tag="cheat.round_accepted"):
    seat: Seat


class Leaving(Struct, frozen=True, tag="cheat.leaving"):
    """The seat goes as soon as its open claims are settled, and acts no more."""

    seat: Seat


class Left(Struct, frozen=True, tag="cheat.left"):
    """The seat's hand left play face down. ``turn``: who goes on, where it was the leaver's turn."""

    seat: Seat
    locks: tuple[int, ...]
    turn: CheatTurn | None


class MatchOver(Struct, frozen=True, tag="cheat.match_over"):
    """``scores`` by seat: round wins, or penalty points where these count."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


Event: TypeAlias = (
    Dealt
    | Claimed
    | Accepted
    | Challenged
    | PileTaken
    | ForfeitGiven
    | CardsOwed
    | Drawn
    | Passed
    | PassProposed
    | PassConsented
    | PassDenied
    | Stood
    | RoundOver
    | RoundAccepted
    | Leaving
    | Left
    | MatchOver
)
