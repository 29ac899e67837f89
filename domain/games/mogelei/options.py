"""What a match of Mogelei may change: a value, never a subclass. Rules: RULES.md 1.4."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

HANDS: Final = 5  # in a match


class MogeleiOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What the sources leave open; the defaults are the game as it is mostly told."""

    round_pile: Annotated[
        Literal["controller", "liar"],
        Meta(
            description="Who keeps the cards of a round that was ended. `controller`: who ended it; `liar`: who gets "
            "the egg card."
        ),
    ] = "controller"
    false_doubt_egg: Annotated[bool, Meta(description="Whether who was wrongly doubted gets an egg card.")] = False
