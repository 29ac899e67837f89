"""Shapes that several resources share: ids, names, codes, cursors."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID

from litestar.params import Parameter
from msgspec import Meta, Struct, structs

from domain.kernel.game import Pace
from service.auth.names import END
from service.auth.scopes import Scope
from service.store.rows import Token

Hex32: TypeAlias = Annotated[
    str,
    Meta(
        pattern=f"^[0-9a-f]{{64}}{END}",
        description="32 bytes, in 64 lower-case hex digits",
        extra={"de": "32 Bytes in 64 Hex-Ziffern, klein geschrieben"},
    ),
]
Commitment: TypeAlias = Annotated[
    str,
    Meta(
        pattern=f"^[0-9a-f]{{64}}{END}",
        description="SHA-256, in 64 lower-case hex digits, of 1 to 64 bytes that this seat will reveal after the "
        "start, before the deal: they go into the luck of the match, so that nobody alone decides it",
        extra={
            "de": "SHA-256, in 64 Hex-Ziffern, klein geschrieben, von 1 bis 64 Bytes, die dieser Platz nach dem Start "
            "aufdeckt, bevor gegeben wird"
        },
    ),
]
Code: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=32,
        description="The code of a match, 8 signs; capitals, blanks and hyphens make no difference.",
        examples=["7KQ2M9XA"],
    ),
]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=99, description="0 is the first seat")]

MatchId: TypeAlias = Annotated[UUID, Parameter(description="The match.")]
After: TypeAlias = Annotated[
    int, Parameter(ge=0, le=2**31 - 1, description="The `seq` of the last frame that you have.")
]


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """The pace of a match, in seconds.

    * `turn_time`: for a turn; when it has run out the House makes a modest move instead. null: as long as you like;
    * `min_open`: for so long nobody can close a window by playing on, unless all have accepted;
    * `max_open`: a window that no turn closes is closed after so long;
    * `round_pause`: between two rounds;
    * `bot_think`: for which bots pretend to think.
    """

    turn_time: Annotated[float, Meta(ge=1, le=86400)] | None = Pace().turn_time
    min_open: Annotated[float, Meta(ge=0, le=60)] = Pace().min_open
    max_open: Annotated[float, Meta(ge=1, le=600)] = Pace().max_open
    round_pause: Annotated[float, Meta(ge=0, le=60)] = Pace().round_pause
    bot_think: Annotated[float, Meta(ge=0.05, le=10)] = Pace().bot_think

    def pace(self) -> Pace:
        return Pace(**structs.asdict(self))


class TokenInfo(Struct, frozen=True):
    """A token, without its text, which only its bearer has."""

    id: UUID
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None

    @staticmethod
    def of(token: Token) -> TokenInfo:
        return TokenInfo(token.id, tuple(map(Scope, token.scopes)), token.created_at, token.expires_at)
