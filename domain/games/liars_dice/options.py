"""What a match of Liar's Dice may change: a value, never a subclass. Rules: RULES.md 1.3, 8, 9."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.kernel.game import OptionsConflict
from domain.kernel.scoring import TURNS_PER_SEAT, Mode

TOKENS: Final = 3


class LiarsDiceOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Fresh dice for every turn, or the same dice handed on (``dice_pass``); one round, or a match mode."""

    dice_pass: bool = False
    mode: Mode = Mode.SINGLE
    rounds: Annotated[int, Meta(ge=1, le=50)] | None = None  # None: the mode's own
    max_turns: Annotated[int, Meta(ge=1, le=10_000)] | None = None  # None: 200 × seats

    @property
    def rounds_to_play(self) -> int:
        return self.rounds or self.mode.usual

    def turns(self, seats: int) -> int:
        return self.max_turns or TURNS_PER_SEAT * seats


def check(options: LiarsDiceOptions, seats: int) -> None:
    """Raises OptionsConflict for a number of rounds that means nothing in the mode."""
    if not options.mode.plays(options.rounds):
        raise OptionsConflict("rounds", "mode")
