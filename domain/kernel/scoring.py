"""Match modes: how many rounds are played, and who wins them all. Source: seed 000, *Winning*; A16, A17."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from domain.kernel.game import Over, Seat


class Mode(StrEnum):
    SINGLE = "single"
    FIRST_TO = "first_to"  # first to ``rounds`` round wins
    MOST_WINS = "most_wins"  # after ``rounds`` rounds
    BEST_OF = "best_of"  # at most ``rounds`` rounds, over as soon as nobody can be caught up with
    PENALTY_POINTS = "penalty_points"  # lowest total after ``rounds`` rounds


class Tally(Struct, frozen=True):
    """The rounds of a match so far: how many, and by seat what was won (several share a round) and counted against."""

    played: int
    wins: tuple[int, ...]
    penalties: tuple[int, ...]


def over(mode: Mode, rounds: int, tally: Tally, present: Sequence[Seat]) -> Over | None:
    """The end of the match after these rounds, or None where another one follows. Ties share (A16, A17).

    Only who is still ``present`` can win; ``scores`` are penalties where these count, else wins.
    """
    enough = {Mode.SINGLE: 1, Mode.FIRST_TO: rounds, Mode.BEST_OF: rounds // 2 + 1}.get(mode)
    best = max(tally.wins[seat] for seat in present)
    full = mode is not Mode.FIRST_TO and tally.played >= (1 if mode is Mode.SINGLE else rounds)
    if not full and (enough is None or best < enough):
        return None
    if mode is Mode.PENALTY_POINTS:
        lowest = min(tally.penalties[seat] for seat in present)
        return Over(_with(tally.penalties, lowest, present), tally.penalties)
    return Over(_with(tally.wins, best, present), tally.wins)


def _with(points: Sequence[int], score: int, present: Iterable[Seat]) -> tuple[Seat, ...]:
    return tuple(seat for seat in present if points[seat] == score)
