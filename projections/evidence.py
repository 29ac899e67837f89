"""What a viewer was told, in bytes that can be proved later: frames and the viewers' chains. Design §5."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from domain import history
from domain.kernel.game import AnyGame, Seat


class Told(Struct, frozen=True):
    """What the viewer's chain binds; a frame adds the two heads."""

    seq: int
    at: datetime
    event: Any


def viewer_name(viewer: int, seats: int) -> str:
    """``seat:0`` … or ``spectator``, from a viewer's index."""
    return "spectator" if viewer == seats else f"seat:{viewer}"


def viewer_head(match: str, viewer: str) -> bytes:
    """A viewer's head before his first frame."""
    return hashlib.sha256(b"mogelwerk/view/1" + match.encode() + viewer.encode()).digest()


def encode(told: Told) -> bytes:
    return msgspec.json.encode(told)


def told_text(game: AnyGame, rules_version: int, seq: int, at: datetime, told: Any) -> bytes:
    """An event as a viewer is told it, in the bytes that his chain binds and its match's rules version fixes."""
    return encode(Told(seq, at, history.shaped(game, rules_version, told)))


def head_of(heads: bytes, viewer: int) -> bytes:
    """One viewer's, of the heads of all of them in a row."""
    return heads[32 * viewer : 32 * viewer + 32]


def next_viewer_head(head: bytes, told: bytes) -> bytes:
    return hashlib.sha256(head + told).digest()


def frame(told: bytes, head: bytes, log_head: bytes) -> bytes:
    """``{seq, at, event, head, log_head}`` as JSON, heads in hex."""
    return b'%b,"head":"%b","log_head":"%b"}' % (told[:-1], head.hex().encode(), log_head.hex().encode())


def with_frames(body: bytes, frames: Sequence[bytes]) -> bytes:
    """An answer or a stream's message: what a viewer sees after an append, and his frames of it."""
    return b'%b,"frames":[%b]}' % (body[:-1], b",".join(frames))


NO_ACTION: Final = Raw(b"null")


class Record(Struct, frozen=True):
    """An attempt as its chain binds it. ``outcome``: accepted, refused, or uncounted (``count`` of them).

    ``version``: the match's version that it met; ``action``: the action as it was decoded.
    """

    match: str
    seat: Seat
    n: int
    command: str
    received_at: datetime
    version: int
    outcome: str
    reason: str | None = None
    action: Raw = NO_ACTION
    count: int = 1


read_record: Final = msgspec.json.Decoder(Record).decode  # raises msgspec's errors


def attempts_head(match: str, seat: Seat) -> bytes:
    """The head of a seat's attempts before the first."""
    return hashlib.sha256(b"mogelwerk/attempts/1" + match.encode() + str(seat).encode()).digest()


def next_attempts_head(head: bytes, record: bytes) -> bytes:
    return hashlib.sha256(head + record).digest()
