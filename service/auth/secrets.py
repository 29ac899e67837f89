"""Tokens: 32 bytes that only their bearer has. Stored is their SHA-256.

Who asks under an idempotency key gets the same token when he asks again, though nobody has kept it: it is made from the
key and the new id. That makes the key of a new account as good as its token, hence its least length.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from secrets import token_bytes
from typing import Final
from uuid import UUID

TOKEN: Final = re.compile(r"mw_[A-Za-z0-9_-]{43}")
LEAST_KEY: Final = 16  # characters, where an account is made under it


def first_token(key: str | None, player: UUID) -> str:
    """The token of a new account."""
    return _written(token_bytes(32) if key is None else _made(key.encode(), b"mogelwerk/account/1" + player.bytes))


def further_token(key: str | None, token: UUID, bearer: str) -> str:
    """One more, asked for by the bearer of another: made from that one too, so that its id and a key that can be
    guessed give nothing away."""
    if key is None:
        return _written(token_bytes(32))
    return _written(_made(bearer.encode(), b"mogelwerk/token/1" + token.bytes + key.encode()))


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _made(secret: bytes, about: bytes) -> bytes:
    return hmac.digest(secret, about, "sha256")


def _written(secret: bytes) -> str:
    return "mw_" + urlsafe_b64encode(secret).decode().rstrip("=")
