"""The chains of a complete transcript: the log's, and what each seat tried. No rules."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from domain.kernel.game import Seat
from domain.match.envelope import SALT_BYTES, log_head, next_log_head
from projections.audit import transcript
from projections.audit.fault import Fault, Part
from projections.evidence import attempts_head, next_attempts_head

SEED_BYTES: Final = 32


class Chains:
    """``version`` and ``tried`` (by seat): how far they go; ``seed``: what was committed to, where that is published.
    Raises Fault."""

    def __init__(self, header: transcript.Header) -> None:
        match, seed = header.match, header.seed
        luck = None if seed is None else _bytes(seed, SEED_BYTES)
        if seed is not None and (luck is None or hashlib.sha256(luck).hexdigest() != header.seed_commitment):
            raise Fault(1, Part.LUCK, "the seed is not the one that was committed to")
        self.version = 0
        self.head = log_head(match)
        self.tried = [0] * header.seats
        self.tries = [attempts_head(match, Seat(seat)) for seat in range(header.seats)]
        self.seed: Final = luck
        self._seed: Final = seed
        self._match: Final = match
        self._begins: Final = f'{{"match":"{match}",'

    def event(self, salt: str, head: str, envelope: str) -> None:
        version = self.version + 1
        grain = _bytes(salt, SALT_BYTES)
        if grain is None:
            raise Fault(version, Part.FORM, f"the salt is not {SALT_BYTES} bytes in hex")
        self.head = next_log_head(self.head, grain, envelope.encode())
        if not envelope.startswith(f'{self._begins}"version":{version},'):
            raise Fault(version, Part.LOG, "it is another match's event, or has another number")
        if self.head.hex() != head:
            raise Fault(version, Part.LOG, "its head is not what head, salt and envelope give")
        self.version = version

    def attempt(self, seat: int, n: int, head: str, record: str) -> None:
        if not 0 <= seat < len(self.tries):
            self._attempt_fault(f"there is no seat {seat}")
        if n != self.tried[seat] + 1:
            self._attempt_fault(f"attempt {n} of seat {seat} follows on {self.tried[seat]}")
        if not record.startswith(f'{self._begins}"seat":{seat},"n":{n},'):
            self._attempt_fault(f"attempt {n} of seat {seat} is another's")
        self.tries[seat] = now = next_attempts_head(self.tries[seat], record.encode())
        if now.hex() != head:
            self._attempt_fault(f"the head of attempt {n} of seat {seat} is not what its record gives")
        self.tried[seat] = n

    def end(self, line: transcript.End) -> None:
        if (line.version, line.head) != (self.version, self.head.hex()):
            raise Fault(self.version + 1, Part.LOG, f"the log should end at version {line.version}")
        if isinstance(line, transcript.Ending) and line.seed != self._seed:
            raise Fault(self.version, Part.LUCK, "the seed is not the one that was committed to")
        for seat, tried in enumerate(self._ends(line)):
            if (tried.n, tried.head) != (self.tried[seat], self.tries[seat].hex()):
                self._attempt_fault(f"seat {seat}'s attempts should end with number {tried.n}")

    def _ends(self, line: transcript.End) -> Sequence[transcript.Tried]:
        if len(line.attempts) != len(self.tries):
            self._attempt_fault("there are not as many seats as the match has")
        return line.attempts

    def _attempt_fault(self, what: str) -> None:
        raise Fault(self.version, Part.ATTEMPTS, what)


def _bytes(hexed: str, size: int) -> bytes | None:
    """So many bytes, as small hex digits write them; None: it is written otherwise."""
    try:
        found = bytes.fromhex(hexed)
    except ValueError:
        return None
    return found if len(found) == size and found.hex() == hexed else None
