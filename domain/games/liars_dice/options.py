"""What a match of Liar's Dice may change: a value, never a subclass. Rules: RULES.md 1.3, 8, 9."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.kernel.game import OptionsConflict
from domain.kernel.scoring import TURNS_PER_SEAT, Mode

TOKENS: Final = 3


class LiarsDiceOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Fresh dice for every turn, or the same dice handed on (``dice_pass``); one round, or a match mode."""

    dice_pass: Annotated[
        bool,
        Meta(
            description="Whether the dice of a claim that stood are handed on as they lie, some of them to be thrown "
            "anew; else every turn has fresh ones."
        ),
    ] = False
    mode: Annotated[
        Mode,
        Meta(
            description="Who wins the match: of one round, the first to so many wins, most wins, "
            "best of three or five (`best_of_extra`: with one round more among all where several would share it), "
            "fewest penalty points (tokens lost)."
        ),
    ] = Mode.SINGLE
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=50)] | None,
        Meta(description="How many rounds, or wins, that takes; null: as the mode usually has it."),
    ] = None
    max_turns: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        Meta(description="Turns of a round, after which the most tokens win it; null: 200 for each seat."),
    ] = None

    @property
    def rounds_to_play(self) -> int:
        return self.rounds or self.mode.usual

    def turns(self, seats: int) -> int:
        return self.max_turns or TURNS_PER_SEAT * seats


def check(options: LiarsDiceOptions) -> None:
    """Raises OptionsConflict for a number of rounds that means nothing in the mode."""
    if not options.mode.plays(options.rounds):
        raise OptionsConflict("rounds", "mode")
