"""What a token lets its bearer do."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """`play`: open, sit, act. `read`: see and stream. `audit`: the whole history of a match that is over. `referee`:
    rule in disputes. `operate`: what the one who runs the server may."""

    PLAY = "play"
    READ = "read"
    AUDIT = "audit"
    REFEREE = "referee"
    OPERATE = "operate"


# Scopes that let their bearer read, too: what they are for is looking.
SEEING: Final = frozenset({Scope.AUDIT, Scope.REFEREE})

GUEST: Final = (Scope.PLAY, Scope.READ)
