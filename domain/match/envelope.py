"""An event with its place, times and actor, in the bytes that the log chain binds. Design §5."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel.game import Seat

SALT_BYTES: Final = 16


class Envelope(Struct, frozen=True):
    """``at`` is match time and never goes back; ``received_at`` is the wall clock's; ``by`` -1 is the House."""

    match: str
    version: int
    at: datetime
    received_at: datetime
    by: Seat
    event: Any


def log_head(match: str) -> bytes:
    """The log's head before event 1."""
    return hashlib.sha256(b"mogelwerk/log/1" + match.encode()).digest()


def next_log_head(head: bytes, salt: bytes, envelope: bytes) -> bytes:
    return hashlib.sha256(head + salt + envelope).digest()


def command_of(salt: bytes) -> bytes:
    """The id of a command, 16 bytes as a UUID has them, from the salt of the first event that it makes.

    So the log's chain binds which events came of one command, and nobody who knows the id knows the salt.
    """
    digest = bytearray(hashlib.sha256(b"mogelwerk/command/1" + salt).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80  # version 8: made in a way of our own (RFC 9562)
    digest[8] = digest[8] & 0x3F | 0x80
    return bytes(digest)


def encode(envelope: Envelope) -> bytes:
    return msgspec.json.encode(envelope)
