"""Room codes: by which one sits down at a match without knowing more of it."""

from __future__ import annotations

import hmac
from typing import Final
from uuid import UUID

SIGNS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that is taken for another
LENGTH: Final = 8


def code_of(seed: bytes, match: UUID) -> str:
    """A match's code comes from its secret seed, so that it need not be kept."""
    number = int.from_bytes(hmac.digest(seed, b"mogelwerk/code/1" + str(match).encode(), "sha256"), "big")
    signs = []
    for _ in range(LENGTH):
        number, sign = divmod(number, len(SIGNS))
        signs.append(SIGNS[sign])
    return "".join(signs)


def heard(said: str) -> str:
    """A code as people write it: capitals, blanks and hyphens make no difference."""
    return "".join(said.upper().replace("-", "").split())


def is_code(said: str) -> bool:
    """Whether it could be a code at all."""
    return len(said) == LENGTH and set(said) <= set(SIGNS)


def same_code(said: str | None, code: str) -> bool:
    """Whether that is the code, however it is written; takes as long whatever was said."""
    return said is not None and hmac.compare_digest(heard(said).encode(), code.encode())
