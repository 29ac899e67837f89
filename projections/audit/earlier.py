"""A complete transcript that somebody has kept from when the match went on, to be held against one of later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from projections.audit import transcript
from projections.audit.fault import CannotVerify, Fault, Part
from projections.audit.kept import Kept, NothingKept, Points, kept
from projections.audit.verify import Verifier


class Earlier:
    """``heads``: of the log, by version; ``tries``: of attempts, by seat and number. It is as long as it has events."""

    def __init__(self, heads: Mapping[int, str], tries: Mapping[tuple[int, int], str]) -> None:
        self._heads: Final = heads
        self._tries: Final = tries

    def __len__(self) -> int:
        return len(self._heads)

    def alone(self, viewer: int, name: str) -> None:
        raise NothingKept(f"it is of the whole match, and the transcript is what {name} was told")

    def event(self, version: int, log_head: bytes, points: Points, texts: Sequence[bytes | None]) -> None:
        if self._heads.get(version, log_head.hex()) != log_head.hex():
            raise Fault(version, Part.KEPT, "it is not the event that was kept, or is told otherwise")

    def attempt(self, version: int, seat: int, n: int, head: bytes) -> None:
        if self._tries.get((seat, n), head.hex()) != head.hex():
            raise Fault(version, Part.KEPT, f"attempt {n} of seat {seat} is not the one that was kept")

    def end(self, version: int, points: Points, tried: Sequence[int]) -> None:
        if version < len(self._heads) or any(seat >= len(tried) or n > tried[seat] for seat, n in self._tries):
            raise Fault(version + 1, Part.KEPT, "what was kept goes on beyond this history")


def frames_or_all(lines: Sequence[bytes], match: str) -> Kept | Earlier:
    """Whatever somebody has kept of this match: frames, or all of it as it was then. Raises NothingKept."""
    try:
        first = transcript.read(lines[0]) if lines else None
    except (msgspec.MsgspecError, RecursionError):
        first = None
    whole = isinstance(first, transcript.Header) and first.viewer is None
    return earlier(lines, match) if whole else kept(lines, match)


def earlier(lines: Iterable[bytes], match: str) -> Earlier:
    """From a complete transcript of this match, whose own chains must fit. Raises NothingKept."""
    heads: dict[int, str] = {}
    tries: dict[tuple[int, int], str] = {}
    chains = Verifier(chain_only=True)
    try:
        for raw in lines:
            chains.feed(raw)
            match transcript.read(raw):
                case transcript.Header(match=of) if of != match:
                    raise NothingKept(f"it is of another match, {of}")
                case transcript.Event(head=head):
                    heads[chains.version] = head
                case transcript.Attempt(seat=seat, n=n, head=head):
                    tries[seat, n] = head
                case _:
                    pass
        chains.finish()
    except (Fault, CannotVerify, msgspec.MsgspecError) as why:
        raise NothingKept(f"what was kept is no whole transcript: {why}") from None
    return Earlier(heads, tries)
