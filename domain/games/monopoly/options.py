"""What a match of Monopoly Cheaters may change. Rules: RULES.md 1."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.kernel.game import OptionsConflict

MAX_TURNS = 400


class MonopolyOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """`attention_dwell`, `min_catch`, `auction_idle` in seconds; `max_turns` counts the turns of all seats."""

    deeds: Annotated[Literal["edition", "classic"], Meta(description="Which rents and prices hold.")] = "edition"
    attention: Annotated[
        Literal["watch", "open"],
        Meta(description="watch: everybody looks at one zone; open: everybody sees everything."),
    ] = "watch"
    proof: Annotated[Literal["house", "vote"], Meta(description="house: the House knows; vote: the table votes.")] = (
        "house"
    )
    meistermogler: Annotated[bool, Meta(description="Whether one may cheat without cards as well.")] = False
    max_turns: Annotated[
        int,
        Meta(ge=1, le=10_000),
        Meta(description="Turns of all seats together, after which all is counted."),
    ] = MAX_TURNS
    attention_dwell: Annotated[
        int, Meta(ge=1, le=600), Meta(description="Seconds for which one looks at a zone at least.")
    ] = 10
    min_catch: Annotated[
        int,
        Meta(ge=1, le=600),
        Meta(description="Seconds for which a cheat can be caught at least before it may survive."),
    ] = 10
    auction_idle: Annotated[
        int, Meta(ge=1, le=600), Meta(description="Seconds without a bid after which an auction is over.")
    ] = 10


def check(options: MonopolyOptions) -> None:
    """Raises OptionsConflict for two options of which one would mean nothing."""
    if options.attention == "open" and options.attention_dwell != 10:
        raise OptionsConflict("attention_dwell", "attention")
