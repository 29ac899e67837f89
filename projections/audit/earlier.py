"""A complete transcript that somebody has kept from when the match went on, to be held against one of later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from projections.audit import transcript
from projections.audit.fault import CannotVerify, Fault, Part
from projections.audit.kept import Kept, NothingKept, Points, kept
from projections.audit.verify import Verifier


class Happened(Struct, frozen=True):
    """The log's head after an event, and by viewer the frame by which he was told of it."""

    head: str
    told: tuple[transcript.Told | None, ...]


class Earlier:
    """``happened``: by version the log's head, and who was told it; ``tries``: heads of attempts, by seat and number.
    It is as long as it has events."""

    def __init__(self, happened: Sequence[Happened], tries: Mapping[tuple[int, int], str]) -> None:
        self._happened: Final = happened
        self._tries: Final = tries

    def __len__(self) -> int:
        return len(self._happened)

    def alone(self, viewer: int, name: str) -> None:
        raise NothingKept(f"it is of the whole match, and the transcript is what {name} was told")

    def event(self, version: int, log_head: bytes, points: Points, texts: Sequence[bytes | None]) -> None:
        if version > len(self._happened):
            return
        kept = self._happened[version - 1]
        if kept.head != log_head.hex():
            raise Fault(version, Part.KEPT, "it is not the event that was kept")
        told = tuple(None if point is None else transcript.Told(point[0], point[1].hex()) for point in points)
        if kept.told != told:
            raise Fault(version, Part.KEPT, "it was told otherwise, by what was kept")

    def attempt(self, version: int, seat: int, n: int, head: bytes) -> None:
        if self._tries.get((seat, n), head.hex()) != head.hex():
            raise Fault(version, Part.KEPT, f"attempt {n} of seat {seat} is not the one that was kept")
        if (seat, n) not in self._tries and version < len(self._happened):
            raise Fault(version, Part.KEPT, f"attempt {n} of seat {seat} had not been tried, by what was kept")

    def end(self, version: int, points: Points, tried: Sequence[int]) -> None:
        if version < len(self._happened) or any(seat >= len(tried) or n > tried[seat] for seat, n in self._tries):
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
    happened: list[Happened] = []
    tries: dict[tuple[int, int], str] = {}
    chains = Verifier(chain_only=True)
    try:
        for raw in lines:
            chains.feed(raw)
            match transcript.read(raw):
                case transcript.Header(match=of) if of != match:
                    raise NothingKept(f"it is of another match, {of}")
                case transcript.Event(head=head, told=told):
                    happened.append(Happened(head, told))
                case transcript.Attempt(seat=seat, n=n, head=head):
                    tries[seat, n] = head
                case _:
                    pass
        chains.finish()
    except (Fault, CannotVerify, msgspec.MsgspecError) as why:
        raise NothingKept(f"what was kept is no whole transcript: {why}") from None
    return Earlier(happened, tries)
