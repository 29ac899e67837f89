"""A viewer's transcript: what he was told holds together, and is what it says of itself."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final, TypeVar

import msgspec
from msgspec import Raw, Struct

from domain.match.envelope import log_head
from domain.match.state import Status
from projections import evidence
from projections.audit import transcript
from projections.audit.fault import Fault, Part
from projections.audit.signed import Held
from projections.evidence import viewer_head, viewer_name

T = TypeVar("T")
_HASH: Final = re.compile("[0-9a-f]{64}")
OPENED: Final = ("match", "game", "rules_version", "seats", "options", "seed_commitment")
_STATUS: Final[Mapping[str, Status]] = {
    "match.started": "playing",
    "match.ended": "over",
    "match.voided": "void",
    "match.superseded": "superseded",
}


class _Known(Struct, frozen=True):
    """What of any event counts here."""

    type: str
    match: str = ""
    game: str = ""
    rules_version: int = 0
    seats: int = 0
    options: Raw = Raw(b"")
    seed_commitment: str = ""
    seed: str = ""


class _Told(Struct, frozen=True):
    at: datetime
    event: _Known


class Own:
    """A viewer's transcript: his chain, and what it says of itself."""

    def __init__(self, header: transcript.Header, kept: Held | None) -> None:
        viewers = [viewer_name(n, header.seats) for n in range(header.seats + 1)]
        if header.viewer not in viewers:
            raise Fault(1, Part.FORM, f"there is no viewer {header.viewer!r}")
        if header.seed is not None:
            raise Fault(1, Part.FORM, "no viewer is told the seed in a header")
        self._header: Final = header
        self._kept: Final = kept
        self._viewer: Final = viewers.index(header.viewer)
        if kept is not None:
            kept.alone(self._viewer, header.viewer)
        self._head = viewer_head(header.match, header.viewer)
        self._log_head = log_head(header.match).hex()
        self._at: datetime | None = None
        self._status: Status = "open"
        self.version = 0

    def frame(self, line: transcript.Frame) -> None:
        seq = self.version + 1
        if line.seq != seq or not line.told.startswith(f'{{"seq":{seq},"at":"'):
            raise Fault(seq, Part.FRAMES, f"here stands frame {line.seq}")
        self._head = evidence.next_viewer_head(self._head, line.told.encode())
        if self._head.hex() != line.head:
            raise Fault(seq, Part.FRAMES, "its head is not what was told")
        if not _HASH.fullmatch(line.log_head):
            raise Fault(seq, Part.FORM, "its log_head is no hash")
        self._log_head = line.log_head
        told = msgspec.json.decode(line.told, type=_Told)
        if self._at is not None and told.at < self._at:
            raise Fault(seq, Part.TIME, "time went back")
        self._at, event = told.at, told.event
        if seq == 1 and not self._opens(event):
            raise Fault(seq, Part.FORM, "what it opens is not what the header says")
        if event.type == "match.seed_revealed" and _sha256(event.seed) != self._header.seed_commitment:
            raise Fault(seq, Part.LUCK, "the seed is not the one that was committed to")
        if self._kept is not None:
            texts = self._among(line.told.encode())
            self._kept.event(seq, bytes.fromhex(line.log_head), self._among((seq, self._head)), texts)
        self._status = _STATUS.get(event.type, self._status)
        self.version = seq

    def _opens(self, event: _Known) -> bool:
        same = all(getattr(event, name) == getattr(self._header, name) for name in OPENED)
        return event.type == "match.opened" and same

    def end(self, line: transcript.Until) -> None:
        if (line.seq, line.head, line.log_head) != (self.version, self._head.hex(), self._log_head):
            raise Fault(self.version + 1, Part.FRAMES, f"it should end with frame {line.seq}")
        if line.status != self._status:
            raise Fault(self.version + 1, Part.FORM, f"the match was {self._status} then")
        looks_on, tried = self._viewer == self._header.seats, line.attempts
        if looks_on != (tried is None) or (tried is not None and not _HASH.fullmatch(tried.head)):
            raise Fault(self.version + 1, Part.ATTEMPTS, "its attempts end in no chain")
        if self._kept is not None:
            numbers = [0] * self._header.seats
            if tried is not None:
                numbers[self._viewer] = tried.n
                self._kept.attempt(self.version, self._viewer, tried.n, bytes.fromhex(tried.head))
            self._kept.end(self.version, self._among((self.version, self._head)), numbers)

    def _among(self, own: T) -> list[T | None]:
        """By viewer; of the others nothing is known."""
        return [own if n == self._viewer else None for n in range(self._header.seats + 1)]


def _sha256(hexed: str) -> str:
    return hashlib.sha256(bytes.fromhex(hexed)).hexdigest()
