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

    pass_rule: Annotated[
        Literal["strict", "exhausted", "unanimous"],
        Meta(
            description="`strict`: nobody passes; `exhausted`: where all cards of the rank have been claimed; "
            "`unanimous`: where all consent."
        ),
    ] = "strict"
    rank_mode: Annotated[
        Literal["sequence", "free"], Meta(description="`sequence`: ace, two, … king, ace; `free`: any rank.")
    ] = "sequence"
    window: Annotated[
        Literal["normal", "extended"],
        Meta(
            description="`normal`: a claim can be doubted until the next turn is taken; "
            "`extended`: until the one after that."
        ),
    ] = "normal"
    jokers: Annotated[Literal[0, 2], Meta(description="How many are added.")] = 0
    joker_mode: Annotated[
        Literal["shield", "card"],
        Meta(
            description="`shield`: a challenged play with a joker in it stands; `card`: a joker is of the claimed rank."
        ),
    ] = "shield"
    penalty: Annotated[
        Literal["pile", "forfeit"],
        Meta(description="What the loser of a challenge has to take: the pile, or a forfeit."),
    ] = "pile"
    adults_only: Annotated[bool, Meta(description="Has to be said where forfeits are given.")] = False
    forfeit_limit: Annotated[int, Meta(ge=1, le=20, description="With so many in a round a seat is out of it.")] = (
        FORFEIT_LIMIT
    )
    hand: Annotated[
        Literal["all", "fixed7"],
        Meta(description="`all`: every card is dealt; `fixed7`: seven each, and a stock to draw from."),
    ] = "all"
    challenge_draw: Annotated[
        int, Meta(ge=1, le=10, description="With a fixed hand: what the loser of a challenge draws.")
    ] = CHALLENGE_DRAW
    pass_draw: Annotated[int, Meta(ge=1, le=10, description="With a fixed hand: what a pass costs.")] = PASS_DRAW
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


def check(options: CheatOptions) -> None:
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
