"""What a match of Mogler may change. Rules: RULES.md 1.3, 5.8."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class MoglerOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The one choice that a match of Mogler leaves."""

    last_player: Annotated[
        Literal["plays_on", "stop"],
        Meta(
            description="What the only one left in a round does: `plays_on` alone, or takes the trick if he has played "
            "to it and the round is over: `stop`."
        ),
    ] = "plays_on"
