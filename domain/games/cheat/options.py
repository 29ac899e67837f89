# ruff: noqa: S105 – a pass rule is no password
"""What a match of Cheat may change: a value, never a subclass. Rules: RULES.md 1.3, 8, 9, 10."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.kernel.game import OptionsConflict
from domain.kernel.scoring import TURNS_PER_SEAT, Mode

FORFEIT_LIMIT: Final = 5
CHALLENGE_DRAW: Final = 3
PASS_DRAW: Final = 1


class CheatOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The variants and match modes of Cheat; the defaults are the strict game, one round."""

    pass_rule: Literal["strict", "exhausted", "unanimous"] = "strict"
    rank_mode: Literal["sequence", "free"] = "sequence"
    window: Literal["normal", "extended"] = "normal"
    jokers: Literal[0, 2] = 0
    joker_mode: Literal["shield", "card"] = "shield"
    penalty: Literal["pile", "forfeit"] = "pile"
    adults_only: bool = False
    forfeit_limit: Annotated[int, Meta(ge=1, le=20)] = FORFEIT_LIMIT
    hand: Literal["all", "fixed7"] = "all"
    challenge_draw: Annotated[int, Meta(ge=1, le=10)] = CHALLENGE_DRAW
    pass_draw: Annotated[int, Meta(ge=1, le=10)] = PASS_DRAW
    mode: Mode = Mode.SINGLE
    rounds: Annotated[int, Meta(ge=1, le=50)] | None = None  # None: the mode's own
    max_turns: Annotated[int, Meta(ge=1, le=10_000)] | None = None  # None: 200 × seats

    @property
    def rounds_to_play(self) -> int:
        return self.rounds or self.mode.usual

    def turns(self, seats: int) -> int:
        return self.max_turns or TURNS_PER_SEAT * seats


def check(options: CheatOptions, seats: int) -> None:
    """Raises OptionsConflict for two options that exclude each other, or of which one would mean nothing."""
    fixed, forfeit = options.hand == "fixed7", options.penalty == "forfeit"
    for clash, first, second in (
        (forfeit and not options.adults_only, "penalty", "adults_only"),
        (forfeit and fixed, "penalty", "hand"),
        (fixed and options.pass_rule != "strict", "hand", "pass_rule"),
        (options.pass_rule == "exhausted" and options.rank_mode == "free", "pass_rule", "rank_mode"),
        (options.joker_mode == "card" and not options.jokers, "joker_mode", "jokers"),
        (options.forfeit_limit != FORFEIT_LIMIT and not forfeit, "forfeit_limit", "penalty"),
        (options.challenge_draw != CHALLENGE_DRAW and not fixed, "challenge_draw", "hand"),
        (options.pass_draw != PASS_DRAW and not fixed, "pass_draw", "hand"),
        (not options.mode.plays(options.rounds), "rounds", "mode"),
    ):
        if clash:
            raise OptionsConflict(first, second)
