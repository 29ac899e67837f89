"""What a match of the family's Mogeln may change: a value, never a subclass. Rules: RULES.md 1.4, 3.9, 9."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.game import OptionsConflict
from domain.kernel.scoring import TURNS_PER_SEAT, Mode


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The defaults are the family's game, one round."""

    strict_sit_out: Annotated[
        bool, Meta(description="Whether nobody may sit out who holds the rank that is due, or a joker.")
    ] = False
    mode: Annotated[
        Mode,
        Meta(
            description="Who wins the match: of one round, the first to so many wins, most wins, "
            "best of three or five (`best_of_extra`: with one round more among all where several would share it), "
            "fewest penalty points."
        ),
    ] = Mode.SINGLE
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=50)] | None,
        Meta(description="How many rounds, or wins, that takes; null: as the mode usually has it."),
    ] = None
    max_turns: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        Meta(description="Turns of a round, after which the fewest cards win it; null: 200 for each seat."),
    ] = None

    @property
    def rounds_to_play(self) -> int:
        return self.rounds or self.mode.usual

    def turns(self, seats: int) -> int:
        return self.max_turns or TURNS_PER_SEAT * seats


def check(options: Options) -> None:
    """Raises OptionsConflict for two options of which one would mean nothing."""
    if not options.mode.plays(options.rounds):
        raise OptionsConflict("rounds", "mode")
