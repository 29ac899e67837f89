"""What a match of Monopoly Cheaters may change. Rules: RULES.md 1."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.kernel.game import OptionsConflict

MAX_TURNS = 400


class MonopolyOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """``attention_dwell``, ``min_catch``, ``auction_idle`` in seconds; ``max_turns`` counts the turns of all seats."""

    deeds: Literal["edition", "classic"] = "edition"
    attention: Literal["watch", "open"] = "watch"
    proof: Literal["house", "vote"] = "house"
    meistermogler: bool = False
    max_turns: Annotated[int, Meta(ge=1, le=10_000)] = MAX_TURNS
    attention_dwell: Annotated[int, Meta(ge=1, le=600)] = 10
    min_catch: Annotated[int, Meta(ge=1, le=600)] = 10
    auction_idle: Annotated[int, Meta(ge=1, le=600)] = 10


def check(options: MonopolyOptions, seats: int) -> None:
    """Raises OptionsConflict for two options of which one would mean nothing."""
    if options.attention == "open" and options.attention_dwell != 10:
        raise OptionsConflict("attention_dwell", "attention")
