"""Match modes: how many rounds are played, and who wins them all. Source: seed 000, *Winning*; A16, A17."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from domain.kernel.game import Over, Seat


class Mode(StrEnum):
    """What a match is made of, and what wins it."""

    SINGLE = "single"
    FIRST_TO = "first_to"  # first to ``rounds`` round wins
    MOST_WINS = "most_wins"  # after ``rounds`` rounds
    BEST_OF = "best_of"  # at most ``rounds`` rounds, over as soon as nobody can be caught up with
    BEST_OF_EXTRA = "best_of_extra"  # the same, but one round more among all where several would share it
    PENALTY_POINTS = "penalty_points"  # lowest total after ``rounds`` rounds

    @property
    def usual(self) -> int:
        """How many ``rounds`` where a match names none."""
        return _USUAL[self]

    def plays(self, rounds: int | None) -> bool:
        """Whether so many rounds mean anything in this mode; None: the usual ones."""
        return rounds is None or rounds in _ONLY.get(self, (rounds,))


_USUAL: Final = {
    Mode.SINGLE: 1,
    Mode.FIRST_TO: 3,
    Mode.MOST_WINS: 5,
    Mode.BEST_OF: 3,
    Mode.BEST_OF_EXTRA: 3,
    Mode.PENALTY_POINTS: 5,
}
_ONLY: Final = {Mode.SINGLE: (1,), Mode.BEST_OF: (3, 5), Mode.BEST_OF_EXTRA: (3, 5)}
TURNS_PER_SEAT: Final = 200  # in a round, where a match names no other number


class Tally(Struct, frozen=True):
    """The rounds of a match so far: how many, and by seat what was won (several share a round) and counted against."""

    played: int
    wins: tuple[int, ...]
    penalties: tuple[int, ...]

    def counted(self, winners: Sequence[Seat], penalties: Sequence[int]) -> Tally:
        """With the round that has just ended, which ``played`` counts already."""
        return Tally(
            self.played,
            tuple(won + (seat in winners) for seat, won in enumerate(self.wins)),
            tuple(total + more for total, more in zip(self.penalties, penalties, strict=True)),
        )


def over(mode: Mode, rounds: int, tally: Tally, present: Sequence[Seat]) -> Over | None:
    """The end of the match after these rounds, or None where another one follows. Ties share (A16, A17).

    Only who is still ``present`` can win, below two the last one does (*Leaving*); ``scores`` are penalties where
    these count, else wins.
    """
    scores = tally.penalties if mode is Mode.PENALTY_POINTS else tally.wins
    if len(present) < 2:
        return Over(tuple(present), scores)
    enough = {
        Mode.SINGLE: 1,
        Mode.FIRST_TO: rounds,
        Mode.BEST_OF: rounds // 2 + 1,
        Mode.BEST_OF_EXTRA: rounds // 2 + 1,
    }.get(mode)
    best = max(tally.wins[seat] for seat in present)
    full = mode is not Mode.FIRST_TO and tally.played >= (1 if mode is Mode.SINGLE else rounds)
    if not full and (enough is None or best < enough):
        return None
    if mode is Mode.PENALTY_POINTS:
        lowest = min(tally.penalties[seat] for seat in present)
        return Over(_with(tally.penalties, lowest, present), scores)
    winners = _with(tally.wins, best, present)
    if mode is Mode.BEST_OF_EXTRA and len(winners) > 1 and tally.played <= rounds:
        return None
    return Over(winners, scores)


def _with(points: Sequence[int], score: int, present: Iterable[Seat]) -> tuple[Seat, ...]:
    return tuple(seat for seat in present if points[seat] == score)
