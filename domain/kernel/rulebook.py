"""The numbers of a RULES.md, which rulings cite."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_RULE: Final = re.compile(r"^\* \*\*(\d+(?:\.\d+)+)\*\* ", re.MULTILINE)


@cache
def numbers(rules: str) -> frozenset[str]:
    """``7.2``, ``8.1.3``: of each item that begins with its number in bold."""
    return frozenset(_RULE.findall(rules))
