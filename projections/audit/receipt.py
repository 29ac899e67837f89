"""Receipts: what a server signs of a command that it answered, accepted or refused. Design §5."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

_SIGNED: Final = b"mogelwerk/receipt/1\n"
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 in hex")]


class Receipt(Struct, frozen=True, kw_only=True):
    """That this command was answered, at this place, at this time.

    ``seq``, ``head`` and ``log_head`` are those of the last frame that the seat was told when it was answered;
    ``attempt`` and ``attempts_head`` the place and head of this command in the seat's own attempts; ``action`` the
    digest of the action as the attempt's record holds it; ``key`` names the key of the signature.
    """

    match: str
    viewer: str
    seq: int
    head: Hash
    log_head: Hash
    attempt: int
    attempts_head: Hash
    action: Hash
    outcome: Literal["accepted", "refused"]
    reason: str | None
    received_at: datetime
    sandbox: bool
    key: str


class SignedReceipt(Struct, frozen=True):
    """``receipt``: the text, JSON, exactly as it was signed; ``signature``: Ed25519 in hex, over
    ``mogelwerk/receipt/1``, a newline and the UTF-8 bytes of that text."""

    receipt: str
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]


class BadReceipt(Exception):
    """Not a receipt, or not signed by this key."""


def action_digest(action: bytes) -> str:
    return hashlib.sha256(action).hexdigest()


def signed(receipt: Receipt, sign: Callable[[bytes], bytes]) -> SignedReceipt:
    text = msgspec.json.encode(receipt)
    return SignedReceipt(text.decode(), sign(_SIGNED + text).hex())


def opened(
    given: SignedReceipt, public: Callable[[str], bytes | None], check: Callable[[bytes, bytes, bytes], bool]
) -> Receipt:
    """The receipt, if the key that it names has signed it; ``public``: a key's 32 bytes by its name. BadReceipt."""
    text = given.receipt.encode()
    try:
        receipt = msgspec.json.decode(text, type=Receipt)
        signature = bytes.fromhex(given.signature)
    except (msgspec.DecodeError, ValueError):
        raise BadReceipt("this is no receipt") from None
    key = public(receipt.key)
    if key is None:
        raise BadReceipt(f"nobody knows the key {receipt.key}")
    if not check(key, _SIGNED + text, signature):
        raise BadReceipt("the signature does not fit")
    return receipt
