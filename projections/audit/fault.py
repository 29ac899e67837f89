"""The first thing that is wrong with a transcript."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

LED_ASTRAY: Final = (  # what rules come to that are told of what cannot have happened
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class Part(StrEnum):
    """What a fault is a fault of."""

    FORM = "form"  # of a line, or of the file
    LOG = "log"  # its chain, and that no version is missing
    ATTEMPTS = "attempts"  # a seat's chain of what it tried
    RULES = "rules"  # what happened is not what the rules make of what was asked
    LUCK = "luck"  # what the House did is not what seed and entropy give
    TIME = "time"  # when, by the match's clock and its deadlines
    LEDGER = "ledger"
    FRAMES = "frames"  # what a viewer was told
    TREE = "tree"  # where the match lies among all that have ended
    KEPT = "kept"  # what somebody has kept is not in this history


class Fault(Exception):
    """``version``: the first one at fault; in a viewer's transcript, his seq. ``what``: in words."""

    def __init__(self, version: int, part: Part, what: str) -> None:
        super().__init__(f"{version}: {part}: {what}")
        self.version: Final = version
        self.part: Final = part
        self.what: Final = what


class CannotVerify(Exception):
    """This build knows too little to say anything: another format, an unknown game, newer rules."""


def difference(found: str, expected: bytes) -> str:
    """The first place where two JSON texts differ, in words."""
    try:
        place, is_, should = _differing(msgspec.json.decode(found), msgspec.json.decode(expected), "")
    except msgspec.MsgspecError:
        return "it is no JSON"
    if not place:
        return "it is written in another way"
    return f"{place} is {_short(is_)} and not {_short(should)}"


MISSING: Final = object()


def _differing(found: Any, expected: Any, place: str) -> tuple[str, Any, Any]:
    """Where, and what stands there; no place: nowhere."""
    match found, expected:
        case dict(), dict():
            inner = ((name, found.get(name, MISSING), expected.get(name, MISSING)) for name in {**expected, **found})
        case list(), list() if len(found) == len(expected):
            inner = ((str(n), one, other) for n, (one, other) in enumerate(zip(found, expected, strict=True)))
        case _:
            return ("", None, None) if found == expected else (place or "it", found, expected)
    for name, one, other in inner:
        if one != other:
            return _differing(one, other, f"{place}/{name}")
    return "", None, None


def _short(value: Any) -> str:
    if value is MISSING:
        return "missing"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}…"
