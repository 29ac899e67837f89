"""What the tree over ended matches holds of each: never what was played, only what that can be held against."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from projections.audit.receipt import Hash

SEPARATE: Final = "mogelwerk/leaf/1"


class AttemptsHead(Struct, frozen=True):
    """Where the attempts of one seat stood: how many were kept, and the head of their chain."""

    n: int
    head: Hash


class Leaf(Struct, frozen=True, kw_only=True):
    """A match that is over, void or superseded, at this version; ``attempts`` by seat."""

    format: str = SEPARATE
    match: str
    version: int
    head: Hash
    attempts: tuple[AttemptsHead, ...]


def leaf_text(leaf: Leaf) -> str:
    """The text whose UTF-8 bytes the leaf's hash binds."""
    return msgspec.json.encode(leaf).decode()


def read_leaf(text: Any) -> Leaf:
    """Raises msgspec.DecodeError."""
    return msgspec.json.decode(text, type=Leaf)
