"""The cards: four suits, and the STOP cards that end a round."""

from __future__ import annotations

from typing import Literal, TypeAlias

Suit: TypeAlias = Literal["D", "H", "C", "S"]  # from low to high; it counts for the first lead only
Stop: TypeAlias = Literal["S", "T", "O", "P"]
