"""What somebody has kept of a match, to be held against the whole history: his frames, or points of a receipt."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from projections.audit.fault import Fault, Part
from projections.evidence import viewer_name

Points = Sequence[tuple[int, bytes] | None]  # by viewer: number and head of the frame by which he was told; None: not


class Point(Struct, frozen=True):
    """Where a viewer's chain and the log's once were; ``told``: the text of the frame, where it was kept."""

    seq: int
    head: bytes
    log_head: bytes
    told: bytes | None = None


class Try(Struct, frozen=True):
    """Where the chain of what a seat tried once ended, when it had been told ``seq`` frames: what it tried later stands
    behind that frame."""

    n: int
    head: bytes
    seq: int


class NothingKept(ValueError):
    """There is no frame in it."""


class Kept:
    """``viewer``: whose it is; None: that turns out, as each viewer's heads are his own. ``tries``: of the chain of
    what he tried."""

    def __init__(self, points: Iterable[Point], viewer: str | None = None, tries: Iterable[Try] = ()) -> None:
        self._points: Final = {point.seq: point for point in points}
        self._viewer: Final = viewer
        self._tries: Final = {tried.n: tried for tried in tries}
        self._numbers: Final = sorted(self._tries)
        told = (self._tries[n].seq for n in self._numbers)
        self._behind: Final = list(accumulate(told, max, initial=0))  # by how many of them came before: the last frame
        self._candidates: set[int] | None = None
        self._seqs: dict[int, int] = {}  # by viewer, of the last frame that he was told so far

    def __len__(self) -> int:
        return len(self._points)

    def alone(self, viewer: int, name: str) -> None:
        """The history is only what this viewer was told: nobody else's can lie in it. Raises NothingKept."""
        if self._viewer not in (None, name):
            raise NothingKept(f"it is of {self._viewer}, and the transcript is what {name} was told")
        self._candidates = {viewer}

    def event(self, version: int, log_head: bytes, points: Points, texts: Sequence[bytes | None]) -> None:
        """After an event: who was told it, and in which text where that is known. Raises Fault."""
        if self._candidates is None:
            seats = len(points) - 1
            everybody = range(seats + 1)
            self._candidates = {n for n in everybody if self._viewer in (None, viewer_name(n, seats))}
        what = "it is nobody's here"
        gone = set()
        for viewer in self._candidates:
            place = points[viewer]
            point = None if place is None else self._points.get(place[0])
            if place is not None:
                self._seqs[viewer] = place[0]
            if place is not None and point is not None and (fault := _other(point, place[1], log_head, texts[viewer])):
                gone.add(viewer)
                what = f"frame {point.seq}: {fault}"
        self._left(gone, version, what)

    def attempt(self, version: int, seat: int, n: int, head: bytes) -> None:
        """After an attempt. Raises Fault."""
        if self._candidates is None or seat not in self._candidates:
            return
        kept = self._tries.get(n)
        if kept is not None and kept.head != head:
            self._left({seat}, version, f"attempt {n} of the seat is another one")
        behind = self._behind[bisect_left(self._numbers, n)]
        if self._seqs.get(seat, 0) < behind:
            self._left({seat}, version, f"attempt {n} of the seat was tried after frame {behind}, by what was kept")

    def end(self, version: int, points: Points, tried: Sequence[int]) -> None:
        """Whether all that was kept has come. Raises Fault."""
        last, most = max(self._points, default=0), max(self._tries, default=0)
        gone = set()
        for viewer in self._candidates or ():
            place = points[viewer]
            seat = viewer < len(tried)
            if place is None or place[0] < last or (seat and tried[viewer] < most):
                gone.add(viewer)
        if self._candidates is None or gone:
            self._left(gone, version + 1, "what was kept goes on beyond this history")

    def _left(self, gone: set[int], version: int, what: str) -> None:
        self._candidates = (self._candidates or set()) - gone
        if not self._candidates:
            raise Fault(version, Part.KEPT, what)


def _other(point: Point, head: bytes, log_head: bytes, text: bytes | None) -> str | None:
    """How the frame that was kept differs from the one of this history."""
    if point.head != head:
        return "its head is another one"
    if point.log_head != log_head:
        return "the log's head is another one"
    if point.told is not None and text is not None and point.told != text and not _same(point.told, text):
        return "it says something else than its head binds"
    return None


def _same(one: bytes, other: bytes) -> bool:
    """As JSON; who has saved it may have written it in his own way."""
    try:
        return bool(msgspec.json.decode(one) == msgspec.json.decode(other))
    except msgspec.MsgspecError:
        return False


class _Found(Struct, frozen=True):
    """Any line of what a client may have saved; what it has not is left out."""

    line: str = ""
    match: str | None = None
    viewer: str | None = None
    seq: int = 0
    head: str = ""
    log_head: str = ""
    told: str | None = None
    attempts: tuple[int, str] | None = None
    frames: tuple[Raw, ...] = ()


class _Frame(Struct, frozen=True):
    seq: int
    head: str
    log_head: str
    at: Any = None
    event: Any = None


_found: Final = msgspec.json.Decoder(_Found).decode
_frame: Final = msgspec.json.Decoder(_Frame).decode


def kept(lines: Iterable[bytes], match: str | None = None) -> Kept:
    """From a file: a viewer's transcript; or frames, pages and stream messages as the API gives them, one a line, also
    as server-sent events. Raises NothingKept, also where it is of another match than this one."""
    points: list[Point] = []
    viewer: str | None = None
    tries: list[Try] = []
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix(b"data:").strip()
        if not text.startswith(b"{"):
            continue  # the rest of a server-sent event, or nothing
        try:
            found = _found(text)
            if None not in (match, found.match) and found.match != match:
                raise NothingKept(f"it is of another match, {found.match}")
            viewer = found.viewer if found.line == "header" else viewer
            points.extend(_point(bytes(frame)) for frame in found.frames)
            if found.head and not found.line:
                points.append(_point(text))
            if found.line in ("frame", "until") and found.seq:
                told = None if found.told is None else found.told.encode()
                points.append(Point(found.seq, bytes.fromhex(found.head), bytes.fromhex(found.log_head), told))
            if found.attempts is not None:
                tries.append(Try(found.attempts[0], bytes.fromhex(found.attempts[1]), found.seq))
        except NothingKept:
            raise
        except (msgspec.MsgspecError, ValueError) as why:
            raise NothingKept(f"line {number} holds no frame: {why}") from None
    if not points:
        raise NothingKept("there is no frame in it")
    merged: dict[int, Point] = {}
    for point in points:
        other = merged.setdefault(point.seq, point)
        if (other.head, other.log_head) != (point.head, point.log_head):
            raise NothingKept(f"there are two frames {point.seq} in it, of two matches or two viewers")
        if point.told is not None:
            merged[point.seq] = point
    return Kept(merged.values(), viewer, tries)


def _point(text: bytes) -> Point:
    frame = _frame(text)
    told = msgspec.json.encode({"seq": frame.seq, "at": frame.at, "event": frame.event})
    return Point(frame.seq, bytes.fromhex(frame.head), bytes.fromhex(frame.log_head), told)
