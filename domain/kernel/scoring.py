"""Match modes: how many rounds are played, and who wins them all. Source: seed 000, *Winning*; A16, A17."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from domain.kernel.game import Over, Seat


class Mode(StrEnum):
    SINGLE = "single"
    FIRST_TO = "first_to"  # first to ``rounds`` round wins
    MOST_WINS = "most_wins"  # after ``rounds`` rounds
    BEST_OF = "best_of"  # at most ``rounds`` rounds, over as soon as nobody can be caught up with
    PENALTY_POINTS = "penalty_points"  # lowest total after ``rounds`` rounds


class RoundResult(Struct, frozen=True):
    """Who won a round (several share it), and each seat's penalty points in it."""

    winners: tuple[Seat, ...]
    penalties: tuple[int, ...]


def over(mode: Mode, rounds: int, results: Sequence[RoundResult], seats: int) -> Over | None:
    """The end of the match after these results, or None where another round follows. Ties share (A16, A17)."""
    wins = tuple(sum(Seat(seat) in result.winners for result in results) for seat in range(seats))
    enough = {
        Mode.SINGLE: 1,
        Mode.FIRST_TO: rounds,
        Mode.BEST_OF: rounds // 2 + 1,
    }.get(mode)
    if enough is not None and max(wins) >= enough:
        return Over(_best(wins), wins)
    if mode is Mode.FIRST_TO or len(results) < (1 if mode is Mode.SINGLE else rounds):
        return None
    if mode is Mode.PENALTY_POINTS:
        totals = tuple(sum(result.penalties[seat] for result in results) for seat in range(seats))
        return Over(_best(tuple(-total for total in totals)), totals)
    return Over(_best(wins), wins)


def _best(points: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat, own in enumerate(points) if own == max(points))
