"""What a match of the family's Mogeln may change: a value, never a subclass. Rules: RULES.md 1.4, 3.9, 9."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.game import OptionsConflict
from domain.kernel.scoring import TURNS_PER_SEAT, Mode


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The defaults are the family's game, one round."""

    strict_sit_out: bool = False
    mode: Mode = Mode.SINGLE
    rounds: Annotated[int, Meta(ge=1, le=50)] | None = None  # None: the mode's own
    max_turns: Annotated[int, Meta(ge=1, le=10_000)] | None = None  # None: 200 × seats

    @property
    def rounds_to_play(self) -> int:
        return self.rounds or self.mode.usual

    def turns(self, seats: int) -> int:
        return self.max_turns or TURNS_PER_SEAT * seats


def check(options: Options, seats: int) -> None:
    """Raises OptionsConflict for two options of which one would mean nothing."""
    if not options.mode.plays(options.rounds):
        raise OptionsConflict("rounds", "mode")
